"""A task in tokens, and as the mean vectors that residuals are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import tokenizers
import torch
from torch import Tensor

from twicetold.lab.mtm.candidates import Task
from twicetold.rerank.mtm.keys import KEYS, Chosen
from twicetold.rerank.mtm.known import Encode, Known, Seen
from twicetold.rerank.mtm.memory import Array, Words
from twicetold.rerank.mtm.pairing import CLAIM_LETTERS, Pair, Pairing, token_ids
from twicetold.text import words


@dataclass(frozen=True, slots=True)
class Encoded:
    """Tokens of every claim and of every sentence of every article, and how the two are joined."""

    claims: Mapping[str, list[int]]
    articles: Mapping[str, list[list[int]]]
    pairing: Pairing
    claim_words: Mapping[str, frozenset[str]]
    article_words: Mapping[str, list[frozenset[str]]]

    @classmethod
    def of(cls, task: Task, tokenizer: tokenizers.Tokenizer) -> Encoded:
        """Tokenise a task, each text once."""
        asked = [one for some in task.claims.values() for one in some]
        claims = dict(zip((one.id for one in asked), token_ids(tokenizer, [one.text for one in asked]), strict=True))
        flat = iter(token_ids(tokenizer, [sentence.text for some in task.articles.values() for sentence in some]))
        return cls(
            claims,
            {doc: [next(flat) for _ in some] for doc, some in task.articles.items()},
            Pairing.of(tokenizer),
            {one.id: frozenset(words(one.text[:CLAIM_LETTERS])) for one in asked},
            {doc: [frozenset(words(sentence.text)) for sentence in some] for doc, some in task.articles.items()},
        )

    def quoted(self, claim: str, article: str) -> Array:
        """Count the claim's words that each sentence of an article holds, (N,)."""
        wanted = self.claim_words[claim]
        return np.array([len(wanted & held) for held in self.article_words[article]], np.float32)

    def pair(self, claim: str, article: str, place: int) -> Pair:
        """Join a claim with one sentence of an article."""
        return self.pairing.join(self.claims[claim], self.articles[article][place])


@dataclass(frozen=True, slots=True)
class Vectors:
    """The mean vectors of every claim (D,) and of every article's sentences (N, D)."""

    claims: Mapping[str, Array]
    articles: Mapping[str, Array]

    @classmethod
    def of(cls, encoded: Encoded, words: Words) -> Vectors:
        """Average the word vectors of every text."""
        claims = words.means(list(encoded.claims.values()))
        return cls(dict(zip(encoded.claims, claims, strict=True)), {doc: words.means(some) for doc, some in encoded.articles.items()})

    def residuals(self, claim: str, article: str) -> Array:
        """Return sentence − claim for every sentence of an article, (N, D)."""
        return self.articles[article] - self.claims[claim]


class Source:
    """Where key sentences come from, and what they say: tokens, vectors and texts of a task."""

    def __init__(self, task: Task, encoded: Encoded, vectors: Vectors) -> None:
        self.encoded, self.vectors = encoded, vectors
        self._claims = {one.id: one.text for some in task.claims.values() for one in some}
        self._articles = task.articles
        self._wholes: dict[str, Array] = {}

    @cached_property
    def _known(self) -> Known:
        known = Known.load(threads=1)
        return Known(known.static, remembering(known.meaning))

    def known(self, asked: Sequence[tuple[str, str]], nearest: Sequence[Chosen]) -> Array:
        """What is known of each (claim, article) by the nearest sentences, (N, 4)."""
        rows = []
        for (claim, article), near in zip(asked, nearest, strict=True):
            keys = near.first(KEYS)
            texts = [sentence.text for sentence in self._articles[article]]
            if article not in self._wholes:
                self._wholes[article] = self._known.whole(texts)
            share = self.encoded.quoted(claim, article)[keys.place] / max(1, len(self.encoded.claim_words[claim]))
            seen = Seen([texts[place] for place in near.place.tolist()], keys.weight, share, self._wholes[article])
            rows.append(self._known.rows(self._claims[claim], [seen]))
        return np.concatenate(rows)


def remembering(encode: Encode) -> Encode:
    """Encode each text once."""
    kept: dict[str, Array] = {}

    def encoded(texts: Sequence[str]) -> Array:
        new = [text for text in dict.fromkeys(texts) if text not in kept]
        kept.update(zip(new, encode(new), strict=True))
        return np.stack([kept[text] for text in texts])

    return encoded


@dataclass(frozen=True, slots=True)
class Padded:
    """Pairs as tensors, (B, L) each: ids, where a token stands, which text it is of, and the claim's and sentence's own tokens."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    is_claim: Tensor
    is_sentence: Tensor

    @classmethod
    def of(cls, pairs: list[Pair]) -> Padded:
        """Pad pairs to the longest of them."""
        shape = (len(pairs), max(len(pair.ids) for pair in pairs))
        ids, types = torch.zeros(shape, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
        mask, is_claim, is_sentence = (torch.zeros(shape, dtype=torch.bool) for _ in range(3))
        for row, pair in enumerate(pairs):
            length = len(pair.ids)
            ids[row, :length], types[row, :length] = torch.tensor(pair.ids), torch.tensor(pair.types)
            mask[row, :length] = is_claim[row, pair.claim_span] = is_sentence[row, pair.sentence_span] = True
        return cls(ids, mask, types, is_claim, is_sentence)
