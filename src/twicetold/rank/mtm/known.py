"""What is known of an article without reading it together with the claim: five numbers, which the log-odds of MTM begin with.

Learning what makes an article answer a claim takes more claims than there are; how two texts compare is known to the shipped encoders,
which never saw these articles judged. Only the claim and the nearest sentences go through the encoder's layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from twicetold.index.encoder import Encoder, StaticEncoder
from twicetold.rank.mtm.memory import Array
from twicetold.rank.mtm.pairing import CLAIM_LETTERS
from twicetold.rank.mtm.stretches import stretches

NAMES = ("words", "static", "meaning", "stretch", "whole")
"""The share of the claim's words in the key sentences and their static cosine with the claim, both averaged by the sentences' weights;
the mean of the two best cosines by the encoder among the nearest sentences; the mean of the three best where each sentence is compared
with the stretch of the claim that is nearest to it; the static cosine of the claim and the whole article."""
NEAREST, BEST, BEST_STRETCHES = 6, 2, 3
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
        """Return the numbers of each article, each of which has a key sentence: (N, 5)."""
        opening, said = claim[:CLAIM_LETTERS], stretches(claim)
        sentences = [text for one in articles for text in one.texts]
        static, meaning = self.static([opening, *sentences]), self.meaning([opening, *said, *sentences])
        stretched = meaning[1 : 1 + len(said)]
        rows, at = [], 0
        for one in articles:
            near = slice(at, at := at + len(one.texts))
            plain, read = static[1:][near], meaning[1 + len(said) :][near]
            # Products for each article: no article is rounded in the company of others.
            best = np.sort(read @ meaning[0])[-BEST:].mean()
            best_stretches = np.sort((read @ stretched.T).max(axis=1))[-BEST_STRETCHES:].mean()
            cosines = (plain @ static[0])[: len(one.weight)]
            rows.append([one.weight @ one.share, one.weight @ cosines, best, best_stretches, one.whole @ static[0]])
        return np.array(rows, np.float32)
