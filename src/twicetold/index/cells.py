"""Vectors sorted into cells, so that a search scans the cells near the query instead of every row.

The cells are those of k-means on the sphere: a row belongs to the centre with which its product is largest (Dhillon and Modha 2001).
There are as many cells as the root of the rows: for two million they are made in a minute, where a graph of neighbours takes most of an
hour on one core; a search then costs what a scan over a fifth of the rows costs. It does not hold the rows: the segment does, in the
order of the cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.index.segments import replaced

Array = np.ndarray[Any, Any]

_ROUNDS = 6
_SAMPLED = 40  # rows a cell that the centres are learnt from
_ASSIGNED = 20_000  # rows compared with the centres at once
_SEED = 7


class Cells:
    """Centres, (C, W), and where each cell's rows start in the segment, (C + 1,)."""

    def __init__(self, centres: Array, starts: Array) -> None:
        self.centres = centres
        self.starts = starts

    def __len__(self) -> int:
        """The rows that are in cells."""
        return int(self.starts[-1])

    @classmethod
    def make(cls, read: Callable[[Array], Array], count: int) -> tuple[Cells, Array]:
        """Sort `count` rows, which `read` gives by their numbers as (N, W) float32, and return the cells and the order of the rows."""
        wanted = math.isqrt(count)
        rng = np.random.default_rng(_SEED)
        centres = _centres(read(np.sort(rng.choice(count, min(count, _SAMPLED * wanted), replace=False))), wanted, rng)
        labels = np.empty(count, np.int32)
        for start in range(0, count, _ASSIGNED):
            at = np.arange(start, min(start + _ASSIGNED, count))
            labels[at] = (read(at) @ centres.T).argmax(axis=1)
        starts = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=wanted))])
        return cls(centres, starts), np.argsort(labels, kind="stable")

    def near(self, query: Array, rows: int) -> Array:
        """Return the cells nearest to the query that hold at least so many rows together, ascending."""
        nearest = np.argsort(-np.einsum("cw,w->c", self.centres, query), kind="stable")
        held = np.cumsum(np.diff(self.starts)[nearest])
        return np.sort(nearest[: int(np.searchsorted(held, rows)) + 1])

    def save(self, path: Path) -> None:
        """Write the file in one step."""
        with replaced(path) as file:
            np.savez(file, centres=self.centres, starts=self.starts)

    @classmethod
    def load(cls, path: Path) -> Cells:
        """Read what `save` wrote."""
        try:
            with np.load(path) as arrays:
                return cls(arrays["centres"], arrays["starts"])
        except (OSError, ValueError, KeyError) as error:
            raise BadData(f"the vector index at {path.parent} is damaged ({error}); run: twicetold index --rebuild") from None


def _centres(sample: Array, count: int, rng: np.random.Generator) -> Array:
    centres: Array = sample[rng.choice(len(sample), count, replace=len(sample) < count)].copy()
    for _ in range(_ROUNDS):
        labels = np.concatenate([(some @ centres.T).argmax(axis=1) for some in np.array_split(sample, max(1, len(sample) // _ASSIGNED))])
        sums = np.zeros_like(centres)
        np.add.at(sums, labels, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centres)  # an empty cell stays where it was
    return centres.astype(np.float32)
