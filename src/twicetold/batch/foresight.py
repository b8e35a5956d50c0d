"""A collection that is asked thousands of claims in a row: it encodes and searches them together, and remembers what comes back.

`foresee` puts these in the place of a collection's parts; each answers as the part itself does. Vectors are the same to the bit, since
the encoder never pads. The nearest fact-checks come from products of whole blocks of claims with all vectors instead of one claim at a
time; candidates are then scored one by one as ever, so only ties at the very edge of the candidates could fall otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twicetold.collection import Collection
from twicetold.find import think_ahead
from twicetold.index.encoder import Vectors
from twicetold.index.text import Field
from twicetold.index.vectors import VectorIndex
from twicetold.stage import Stage
from twicetold.types import FactCheck, Ranking

_MOST_CHECKS = 20_000
_MOST_WORDS = 500_000
Array = np.ndarray[Any, Any]


def foresee(collection: Collection) -> Stage:
    """Make the collection ready for many claims; return the stage that must see them first, and hands them on as they are."""
    collection.store = RememberedStore(collection.store)  # type: ignore[assignment]
    collection.text = RememberedWords(collection.text)
    if collection.encoder is None or collection.vectors is None:
        return list
    nearest = NearestAhead(collection.vectors)
    collection.vectors = nearest

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        nearest.look_ahead(think_ahead(collection, [ranking.query for ranking in rankings]))
        return list(rankings)

    return run


class NearestAhead:
    """A vector index that has searched the vectors before. What it was not shown, and all else, it asks the index."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self._shown: list[Vectors] = []
        self._found: dict[tuple[bytes, int], list[int]] = {}

    def look_ahead(self, vectors: Sequence[Vectors]) -> None:
        """See what is going to be asked; it is searched when it is known how deep."""
        self._shown, self._found = list(vectors), {}

    def search(self, vector: Array, *, depth: int, allowed: Sequence[int] | None = None) -> list[int]:
        """Return the numbers of the `depth` fact-checks whose nearer vector is nearest, best first."""
        if allowed is not None or not isinstance(self._index, VectorIndex):
            return list(self._index.search(vector, depth=depth, allowed=allowed))
        if self._shown and (self._shown[0].tobytes(), depth) not in self._found:
            many = self._index.search_many(np.stack(self._shown), depth=depth)
            self._found |= {(shown.tobytes(), depth): nums for shown, nums in zip(self._shown, many, strict=True)}
        found = self._found.get((vector.tobytes(), depth))
        return self._index.search(vector, depth=depth) if found is None else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def __len__(self) -> int:
        return len(self._index)


class RememberedWords:
    """A full-text index that remembers the weights of words: every claim asks for those of all words of its candidates."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self._weights: dict[tuple[Field, str, float], float] = {}

    def weight(self, field: Field, word: str, *, most: float) -> float:
        """Return the inverse document frequency of an analysed word, or 0 if it stands in more than the share `most` of documents."""
        found = self._weights.get((field, word, most))
        if found is None:
            if len(self._weights) >= _MOST_WORDS:
                self._weights.clear()
            found = self._weights[(field, word, most)] = self._index.weight(field, word, most=most)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def __len__(self) -> int:
        return len(self._index)


class RememberedStore:
    """A store that remembers the fact-checks it gave out last."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._checks: dict[int, FactCheck] = {}

    def fetch(self, nums: Sequence[int]) -> Mapping[int, FactCheck]:
        """Return the fact-checks with these numbers; one removed meanwhile is absent."""
        absent = [num for num in nums if num not in self._checks]
        if len(self._checks) + len(absent) > _MOST_CHECKS:
            self._checks.clear()
            absent = list(nums)
        self._checks |= self._store.fetch(absent)
        return {num: self._checks[num] for num in nums if num in self._checks}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def __len__(self) -> int:
        return len(self._store)
