"""A task in tokens, and as the mean vectors that residuals are made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import tokenizers
import torch
from torch import Tensor

from twicetold.index.encoder import Encoder, StaticEncoder
from twicetold.rank.mtm.keys import KEYS, Chosen
from twicetold.rank.mtm.known import MEANING_TOKENS, Encode, Known, Seen
from twicetold.rank.mtm.memory import Array, Words
from twicetold.rank.mtm.pairing import CLAIM_LETTERS, Pair, Pairing, Stretch, most_alike, token_ids
from twicetold.rank.mtm.stretches import stretches
from twicetold.text import words
from twicetold_lab.mtm.candidates import Task
from twicetold_lab.train.trunk import Trunk


@dataclass(frozen=True, slots=True)
class Encoded:
    """Tokens of every claim and of every sentence of every article, and how the two are joined."""

    claims: Mapping[str, list[int]]
    stretches: Mapping[str, list[Stretch]]
    articles: Mapping[str, list[list[int]]]
    pairing: Pairing
    claim_words: Mapping[str, frozenset[str]]
    article_words: Mapping[str, list[frozenset[str]]]

    @classmethod
    def of(cls, task: Task, tokenizer: tokenizers.Tokenizer) -> Encoded:
        """Tokenise a task, each text once."""
        asked = [one for some in task.claims.values() for one in some]
        claims = dict(zip((one.id for one in asked), token_ids(tokenizer, [one.text for one in asked]), strict=True))
        stretched = {
            one.id: [Stretch(ids, frozenset(words(piece))) for piece, ids in zip(cut, token_ids(tokenizer, cut), strict=True)]
            for one in asked
            if (cut := stretches(one.text))
        }
        flat = iter(token_ids(tokenizer, [sentence.text for some in task.articles.values() for sentence in some]))
        return cls(
            claims,
            stretched,
            {doc: [next(flat) for _ in some] for doc, some in task.articles.items()},
            Pairing.of(tokenizer),
            {one.id: frozenset(words(one.text[:CLAIM_LETTERS])) for one in asked},
            {doc: [frozenset(words(sentence.text)) for sentence in some] for doc, some in task.articles.items()},
        )

    def quoted(self, claim: str, article: str) -> Array:
        """Count the claim's words that each sentence of an article holds, (N,)."""
        wanted = self.claim_words[claim]
        return np.array([len(wanted & held) for held in self.article_words[article]], np.float32)

    def pair(self, claim: str, article: str, place: int, *, is_stretched: bool = True) -> Pair:
        """Join the stretch of a claim that is most alike, or else its beginning, with one sentence of an article."""
        asked = most_alike(self.stretches[claim], self.article_words[article][place]) if is_stretched else self.claims[claim]
        return self.pairing.join(asked, self.articles[article][place])


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
    """Where key sentences come from, and what they say: tokens, vectors and texts of a task.

    What the encoder says of a text is written to the file `kept` by `keep`, and read from there: all rows of a table ask for the same.
    """

    def __init__(self, task: Task, encoded: Encoded, vectors: Vectors, kept: Path | None = None) -> None:
        self.encoded, self.vectors = encoded, vectors
        self._claims = {one.id: one.text for some in task.claims.values() for one in some}
        self._articles = task.articles
        self._wholes: dict[str, Array] = {}
        self._kept = kept

    @cached_property
    def _meaning(self) -> Remembered:
        return Remembered(Encoder.load(max_tokens=MEANING_TOKENS, threads=1).encode, self._kept)

    @cached_property
    def _known(self) -> Known:
        return Known(Remembered(StaticEncoder.load().encode), self._meaning)

    def known(self, asked: Sequence[tuple[str, str]], nearest: Sequence[Chosen]) -> Array:
        """What is known of each (claim, article) by the nearest sentences, (N, 5)."""
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

    def keep(self) -> None:
        """Write what was encoded, if there is a file to keep it in."""
        self._meaning.keep()


class Remembered:
    """Encodes each text once, over several runs if there is a file."""

    def __init__(self, encode: Encode, file: Path | None = None) -> None:
        self._encode, self._file = encode, file
        self._known: dict[str, Array] = {}
        if file is not None and file.exists():
            with np.load(file) as saved:
                self._known = dict(zip(map(str, saved["texts"]), saved["vectors"], strict=True))

    def __call__(self, texts: Sequence[str]) -> Array:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def keep(self) -> None:
        """Write all that is known, beside what another has written meanwhile."""
        if self._file is None or not self._known:
            return
        both = Remembered(self._encode, self._file)._known | self._known
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = self._file.with_name(f".{os.getpid()}-{self._file.name}")
        np.savez(partial, texts=np.array(list(both)), vectors=np.stack(list(both.values())))
        partial.replace(self._file)


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


def mean_of(x: Tensor, padded: Padded, wanted: Tensor) -> Tensor:
    """Average the packed token rows (T, D) that are wanted: (B, D); 0 where none is."""
    chosen = wanted[padded.mask]  # (T,)
    text = torch.arange(len(wanted))[:, None].expand_as(padded.mask)[padded.mask][chosen]
    total = x.new_zeros(len(wanted), x.shape[1]).index_add(0, text, x[chosen])
    return total / wanted.sum(dim=1, keepdim=True).clamp_min(1)


@dataclass(frozen=True)
class Prepared:
    """A task in tokens, the start with ROT's first layer in it, and the word vectors residuals are made of."""

    task: Task
    encoded: Encoded
    trunk: Trunk
    words: Words
    kept: Path | None = None

    @cached_property
    def source(self) -> Source:
        """Tokens and vectors of the task."""
        return Source(self.task, self.encoded, Vectors.of(self.encoded, self.words), self.kept)
