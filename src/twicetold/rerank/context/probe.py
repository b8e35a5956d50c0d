"""One text put to a collection: what it finds, and its signals against any fact-check found by whatever way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from twicetold.collection import Collection
from twicetold.find import prepare
from twicetold.index.text import FIELDS
from twicetold.types import Claim

Array = np.ndarray[Any, np.dtype[np.float32]]
WORDS = tuple(f"bm25.{field}" for field in FIELDS)
SHARES = tuple(f"share.{field}" for field in FIELDS)
MEANINGS = ("dense.claim", "dense.title")
RANKS = tuple(f"rr.{name}" for name in (*WORDS, *MEANINGS))


class Probe:
    """A text ready to be compared. Its vector is made when first needed and kept, so a line that is the neighbour of several claims is
    encoded once."""

    def __init__(self, collection: Collection, text: str, *, pool: int = 100) -> None:
        self._collection = collection
        self._pool = pool
        self._query = prepare(Claim("", text, lang="en"))
        self.is_blank = not any(map(str.isalnum, self._query.text))

    @cached_property
    def _vector(self) -> Array:
        assert self._collection.encoder is not None
        [vector] = self._collection.encoder.encode([self._query.text])
        return np.asarray(vector, np.float32)

    @cached_property
    def _words_found(self) -> dict[str, dict[int, float]]:
        search = self._collection.text.search
        return {f"bm25.{field}": dict(search(field, self._query.text, self._query.lang, depth=self._pool)) for field in FIELDS}

    @cached_property
    def _meaning_found(self) -> list[int]:
        if self._collection.vectors is None or self.is_blank:
            return []
        return self._collection.vectors.search(self._vector, depth=self._pool)

    def ranks(self) -> dict[int, float]:
        """Return what the text finds: for each fact-check Σ 1 / (20 + rank) over the ways of searching that found it."""
        gains: dict[int, float] = {}
        if self.is_blank:
            return gains
        for found in (*self._words_found.values(), self._meaning_found):
            for rank, num in enumerate(found, start=1):
                gains[num] = gains.get(num, 0.0) + 1 / (20 + rank)
        return gains

    def found_in_bodies(self) -> list[int]:
        """Return what the text's words find in bodies alone, best first."""
        return [] if self.is_blank else list(self._words_found["bm25.body"])

    def signals(self, nums: Sequence[int]) -> dict[str, Array]:
        """Return each signal of these fact-checks, (N,): BM25 by field, its share of the most possible, cosines, reciprocal ranks.

        A reciprocal rank is 0 for fact-checks outside the text's own best `pool`.
        """
        signals = {name: np.zeros(len(nums), np.float32) for name in (*WORDS, *SHARES, *MEANINGS, *RANKS)}
        if self.is_blank:
            return signals
        text, query = self._collection.text, self._query
        for field in FIELDS:
            scores = text.score(field, query.text, query.lang, nums)
            signals[f"bm25.{field}"] = np.array([scores.get(num, 0.0) for num in nums], np.float32)
            most = text.most(field, query.text, query.lang)
            signals[f"share.{field}"] = signals[f"bm25.{field}"] / np.float32(most) if most else signals[f"bm25.{field}"]
        if self._collection.vectors is not None:
            for side, cosines in self._collection.vectors.score(self._vector, nums).items():
                signals[f"dense.{side}"] = cosines
        for name, found in self._found_by_name().items():
            place = {num: 1 / rank for rank, num in enumerate(found, start=1)}
            signals[f"rr.{name}"] = np.array([place.get(num, 0.0) for num in nums], np.float32)
        return signals

    def _found_by_name(self) -> dict[str, list[int]]:
        found = {name: list(scores) for name, scores in self._words_found.items()}
        if self._meaning_found:
            nums = self._meaning_found
            assert self._collection.vectors is not None
            for name, cosines in self._collection.vectors.score(self._vector, nums).items():
                order = np.lexsort((np.array(nums), -cosines))
                found[f"dense.{name}"] = [nums[i] for i in order]
        return found
