"""One text put to a collection: what it finds, and its signals against any fact-check found by whatever way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any

import numpy as np

from twicetold.collection import Collection
from twicetold.find import prepare
from twicetold.index.text import FIELDS, Field
from twicetold.types import Claim

Array = np.ndarray[Any, np.dtype[np.float32]]
WORDS = tuple(f"bm25.{field}" for field in FIELDS)
SHARES = tuple(f"share.{field}" for field in FIELDS)
MEANINGS = ("dense.claim", "dense.title")

_KEPT = 4096
"""Texts kept as they are searched: a debate's worth of lines."""


@lru_cache(maxsize=_KEPT)
def plain(text: str) -> str:
    """Return the text as it is searched and encoded."""
    return prepare(Claim("", text, lang="en")).text


class Probe:
    """A text ready to be compared; what it finds is looked up when first needed and kept."""

    def __init__(self, collection: Collection, text: str, *, pool: int = 100) -> None:
        self._collection = collection
        self._pool = pool
        self._text = plain(text)
        self.is_blank = not any(map(str.isalnum, self._text))

    @cached_property
    def _words_found(self) -> dict[str, list[int]]:
        search = self._collection.text.search
        return {field: [num for num, _ in search(field, self._text, "en", depth=self._pool)] for field in FIELDS}

    @cached_property
    def _meaning_found(self) -> list[int]:
        if self._collection.vectors is None or self.is_blank:
            return []
        return self._collection.vectors.search(self._collection.query_vectors(self._text), depth=self._pool)

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
        return [] if self.is_blank else self._words_found["body"]

    def signals(self, nums: Sequence[int], fields: Sequence[Field] = FIELDS) -> dict[str, Array]:
        """Return each signal of these fact-checks, (N,): BM25 by field, its share of the most possible, cosines."""
        signals = {name: np.zeros(len(nums), np.float32) for name in (*WORDS, *SHARES, *MEANINGS)}
        if self.is_blank:
            return signals
        text = self._collection.text
        for field in fields:
            scores = text.score(field, self._text, "en", nums)
            signals[f"bm25.{field}"] = np.fromiter(map(scores.get, nums, repeat(0.0)), np.float32, len(nums))
            most = text.most(field, self._text, "en")
            signals[f"share.{field}"] = signals[f"bm25.{field}"] / np.float32(most) if most else signals[f"bm25.{field}"]
        if self._collection.vectors is not None:
            for side, cosines in self._collection.vectors.score(self._collection.query_vectors(self._text), nums).items():
                signals[f"dense.{side}"] = cosines
        return signals
