"""What is known of an article without reading it together with the claim: four numbers, which the log-odds of MTM begin with.

Learning what makes an article answer a claim takes more claims than there are; how two texts compare is known to the shipped encoders,
which never saw these articles judged. Only the claim and the nearest sentences go through the encoder's layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from twicetold.index.encoder import Encoder, StaticEncoder
from twicetold.rerank.mtm.memory import Array
from twicetold.rerank.mtm.pairing import CLAIM_LETTERS

NAMES = ("words", "static", "meaning", "whole")
"""The share of the claim's words in the key sentences and their static cosine with the claim, both averaged by the sentences' weights;
the mean of the two best cosines by the encoder among the nearest sentences; the static cosine of the claim and the whole article."""
NEAREST, BEST = 6, 2
"""So many sentences of an article, the best by the scores of key sentences, go through the encoder, and so many of them count."""
MEANING_TOKENS = 64

Encode = Callable[[Sequence[str]], Array]
"""Turns texts into unit rows."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An article as it is compared with a claim.

    `texts` are its nearest sentences, the key sentences first; `weight` is what each key sentence weighs, `share` its share of the
    claim's words, `whole` the vector of the whole article.
    """

    texts: Sequence[str]
    weight: Array
    share: Array
    whole: Array


@dataclass(frozen=True, slots=True)
class Known:
    """Compares a claim with articles."""

    static: Encode
    meaning: Encode

    @classmethod
    def load(cls, *, threads: int = 0) -> Known:
        """Open the shipped encoders."""
        return cls(StaticEncoder.load().encode, Encoder.load(max_tokens=MEANING_TOKENS, threads=threads).encode)

    def whole(self, sentences: Sequence[str]) -> Array:
        """The static vector of an article, a unit; 0 if none of its words is known."""
        mean = self.static(sentences).mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9))

    def rows(self, claim: str, articles: Sequence[Seen]) -> Array:
        """Return the four numbers of each article, each of which has a key sentence: (N, 4)."""
        texts = [claim[:CLAIM_LETTERS], *(text for one in articles for text in one.texts)]
        static, meaning = self.static(texts), self.meaning(texts)
        rows, at = [], 1
        for one in articles:
            near = slice(at, at := at + len(one.texts))
            # A product for each article: no article is rounded in the company of others.
            plain = (static[near] @ static[0])[: len(one.weight)]
            best = np.sort(meaning[near] @ meaning[0])[-BEST:].mean()
            rows.append([one.weight @ one.share, one.weight @ plain, best, one.whole @ static[0]])
        return np.array(rows, np.float32)
