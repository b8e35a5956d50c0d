"""MinHash keys under which sets that are alike meet.

The least value of a random hash over a set is shared by two sets with the probability of their Jaccard similarity (Broder 1997). A key
mixes `rows` such values, so sets must agree in all of them to meet under it; each set has `bands` keys. What the members of the sets are,
and whether two sets that meet are alike, is for those who use the keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Hashes = np.ndarray[Any, np.dtype[np.uint64]]


class MinHash:
    """The same random hashes in every process and on every machine: keys are kept on disk."""

    def __init__(self, bands: int, rows: int) -> None:
        self._bands, self._rows = bands, rows
        self._odd = np.random.default_rng(1997).integers(1, 2**63, bands * rows, dtype=np.uint64) | np.uint64(1)
        self._add = np.random.default_rng(2010).integers(0, 2**63, bands * rows, dtype=np.uint64)
        self._mix = np.random.default_rng(97).integers(1, 2**63, rows, dtype=np.uint64) | np.uint64(1)

    def mixed(self, sets: Sequence[Hashes]) -> tuple[list[int], Hashes]:
        """Return the places of the sets that have a member, and their keys, (T, bands); a thousand at once cost little more than one."""
        sizes = np.array([len(one) for one in sets])
        places = np.flatnonzero(sizes)
        mixed = np.zeros((len(places), self._bands), np.uint64)
        if not len(places):
            return [], mixed
        joined = np.concatenate(sets)  # (S,) of all sets, one after the other
        starts = np.concatenate([[0], np.cumsum(sizes[places])[:-1]])
        for row in range(self._bands * self._rows):
            least = np.minimum.reduceat((joined * self._odd[row] + self._add[row]) >> np.uint64(32), starts)  # (T,)
            mixed[:, row // self._rows] += least * self._mix[row % self._rows]
        return places.tolist(), mixed
