"""MTM ready for use: key sentences in a millisecond or two, an article's score from reading three of them. onnxruntime and numpy.

Word vectors choose the key sentences of every article; only those go through the layers, with the claim. A claim's answer does not
depend on what is asked beside it: pairs of exactly the same length go through the graph together, and nothing is padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from twicetold.errors import BadData
from twicetold.models import ModelFolder, open_folder, shipped
from twicetold.models.textmodel import equal_lengths, open_session
from twicetold.rank.mtm.article import Sentence
from twicetold.rank.mtm.chooser import KIND, Chooser, Key, distinct, named, whole_texts
from twicetold.rank.mtm.keys import KEYS, Chosen
from twicetold.rank.mtm.known import NAMES, NEAREST, Known, Seen
from twicetold.rank.mtm.memory import Array
from twicetold.rank.mtm.pairing import Pair, Pairing, Stretch, most_alike
from twicetold.rank.mtm.stretches import stretches
from twicetold.text import words

if TYPE_CHECKING:
    import tokenizers

__all__ = ["KIND", "Key", "Mtm", "Reading"]

WITHOUT_SENTENCES = -30.0
"""The log-odds of an article without a sentence to read: below any that was read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was made of one article: log-odds that it answers the claim, and the best sentences this came from, none said twice."""

    score: float
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Switches:
    """How the saved model was trained: see `twicetold_lab.train.mtm.variants`."""

    is_weighted: bool
    is_compared: bool
    is_told: bool
    is_stretched: bool
    is_legacy: bool


class Mtm(Chooser):
    """A trained MTM: it chooses key sentences, and reads them."""

    def __init__(self, folder: ModelFolder, tokenizer: tokenizers.Tokenizer, *, threads: int = 0) -> None:
        super().__init__(folder, tokenizer)
        self.version = folder.version
        self._threads = threads
        self._session = open_session(folder.file("model.onnx"), threads)

    def _set_up(self, record: dict[str, Any], arrays: dict[str, Array], tokenizer: tokenizers.Tokenizer) -> None:
        super()._set_up(record, arrays, tokenizer)
        self.switches = Switches(**{name: bool(record[name]) for name in Switches.__slots__})
        self._pairing = Pairing.of(tokenizer, record["claim_tokens"], record["sentence_tokens"])
        self._layers = [
            (arrays[f"matrix{i}"].astype(np.float32), arrays.get(f"bias{i}"))
            for i in range(sum(name.startswith("matrix") for name in arrays))
        ]
        if self.switches.is_compared:
            self._balance, self._shift = arrays["balance"], float(arrays["shift"])
            if self._balance.shape != (len(NAMES),):
                raise BadData(
                    f"the model {self.name} was made by another version: it begins with {len(self._balance)} numbers of an article where "
                    f"this one knows {len(NAMES)}; train it again: twicetold train mtm"
                )

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 0) -> Self:
        """Open the shipped model, or the one in a folder. Raises BadData, saying what to do, for a missing or damaged file."""
        folder = open_folder(shipped("mtm") if path is None else Path(path))
        return cls(folder, whole_texts(folder), threads=threads)

    def read(self, claim: str, articles: Sequence[Sequence[Sentence]]) -> list[Reading]:
        """Score each article by its key sentences."""
        tokens = self._tokens(claim, articles)
        nearest = self._chosen(tokens, NEAREST)
        chosen = [near.first(KEYS) for near in nearest]
        stretched = self._stretches(claim)
        pairs = [
            self._pairing.join(most_alike(stretched, set(words(articles[row][place].text))), tokens.articles[row][place])
            for row, keys in enumerate(chosen)
            for place in keys.place.tolist()
        ]
        seen = iter(self._run(pairs))
        scores = [self._score([next(seen) for _ in keys.place], keys) if len(keys.place) else WITHOUT_SENTENCES for keys in chosen]
        if self.switches.is_compared:
            readable = [row for row, keys in enumerate(chosen) if len(keys.place)]
            odds = self._odds(claim, [self._seen(articles[row], nearest[row], tokens.quotes.shares(row)) for row in readable])
            for row, begun in zip(readable, odds, strict=True):
                scores[row] += begun
        shown = [distinct(some, near, KEYS) for some, near in zip(articles, nearest, strict=True)]
        return [Reading(score, named(some, keys)) for score, some, keys in zip(scores, articles, shown, strict=True)]

    def _stretches(self, claim: str) -> list[Stretch]:
        """What of the claim a sentence may be read with."""
        cut = stretches(claim) if self.switches.is_stretched else [claim]
        return [Stretch(ids, frozenset(words(piece))) for piece, ids in zip(cut, self._pieces.ids(cut), strict=True)]

    @cached_property
    def _known(self) -> Known:
        return Known.load(threads=self._threads)

    def _seen(self, article: Sequence[Sentence], nearest: Chosen, shares: Array) -> Seen:
        texts, keys = [sentence.text for sentence in article], nearest.first(KEYS)
        return Seen([texts[place] for place in nearest.place], keys.weight, shares[keys.place], self._known.whole(texts))

    def _odds(self, claim: str, articles: Sequence[Seen]) -> list[float]:
        """The log-odds that the classifier adds to."""
        return [float(row @ self._balance) + self._shift for row in self._known.rows(claim, articles)] if articles else []

    def _run(self, pairs: Sequence[Pair]) -> list[tuple[Array, Array]]:
        """Return the mean vectors of claim and sentence for each pair."""
        answers: list[tuple[Array, Array]] = [(np.empty(0), np.empty(0))] * len(pairs)
        for places in equal_lengths([(list(pair.ids), pair.types) for pair in pairs]):
            claims, sentences = self._session.run(["claim", "sentence"], self._feed([pairs[place] for place in places]))
            for row, place in enumerate(places):
                answers[place] = (claims[row], sentences[row])
        return answers

    def _feed(self, pairs: Sequence[Pair]) -> dict[str, Array]:
        types = np.array([pair.types for pair in pairs], np.int64)  # (B, L)
        claim, sentence = np.zeros((2, len(pairs), 1, types.shape[1]), np.float32)
        for row, pair in enumerate(pairs):
            for share, span in ((claim, pair.claim_span), (sentence, pair.sentence_span)):
                share[row, 0, span] = 1 / max(1, span.stop - span.start)
        vectors = np.stack([self._words.rows(pair.ids) for pair in pairs])  # (B, L, D)
        return {
            "word_vectors": vectors,
            "token_type_ids": types,
            "attention_mask": np.ones_like(types),
            "claim_share": claim,
            "sentence_share": sentence,
        }

    def _score(self, seen: Sequence[tuple[Array, Array]], keys: Chosen) -> float:
        weights = keys.weight.astype(np.float32)
        pooled = sum(
            weight * self._features(claim, sentence, pattern)
            for (claim, sentence), weight, pattern in zip(seen, weights, keys.pattern.tolist(), strict=True)
        )
        # One article at a time: a matrix of several would round its rows in the company of others.
        for place, (matrix, bias) in enumerate(self._layers):
            pooled = np.asarray(pooled @ matrix + (0 if bias is None else bias), np.float32)
            if place + 1 < len(self._layers) and not self.switches.is_legacy:
                pooled = gelu(pooled)
        if self.switches.is_legacy:
            pooled = gelu(gelu(pooled))
        return float(pooled[1] - pooled[0])

    def _features(self, claim: Array, sentence: Array, pattern: int) -> Array:
        columns = [claim, sentence]
        if self.switches.is_told and self.patterns is not None:
            columns.append(self.patterns[pattern])
        return np.concatenate(columns).astype(np.float32)


def gelu(x: Array) -> Array:
    """x · Φ(x), with the normal distribution's own Φ, as in torch."""
    from math import erf

    return np.asarray(x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2.0))), np.float32)
