"""The pattern memory bank: typical ways in which a fact-check's sentence differs from the claim.

A text's vector is the mean of its tokens' word vectors; the residual of a sentence is its vector minus the claim's. Each pattern is a
typical residual ("there is no evidence that …" added to the claim). Making and updating patterns is in `twicetold_lab.train.mtm.patterns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

VECTOR_TOKENS = 180
"""A text's vector is the mean of this many tokens at most."""

_TINY = 1e-8


@dataclass(frozen=True, slots=True)
class Nearest:
    """For each residual: the number of the nearest pattern and the Euclidean distance to it."""

    pattern: Array  # (N,), int
    distance: Array  # (N,)


@dataclass(frozen=True, slots=True)
class Words:
    """Word vectors as integers (V, D) with one scale a word (V,)."""

    integers: Array
    scales: Array

    @classmethod
    def of(cls, table: Array) -> Words:
        """Round a table of vectors to int8, the largest value of each row at 127."""
        scales = np.maximum(np.abs(table).max(axis=1), _TINY) / 127
        return cls(np.rint(table / scales[:, None]).astype(np.int8), scales.astype(np.float32))

    def rows(self, ids: Sequence[int]) -> Array:
        """Return the vectors of these tokens, (L, D)."""
        return self.integers[list(ids)] * self.scales[list(ids), None]

    def means(self, texts: Sequence[list[int]]) -> Array:
        """Return each text's vector, (N, D): the mean over its first tokens, 0 for a text without tokens."""
        vectors = np.zeros((len(texts), self.integers.shape[1]), np.float32)
        for row, ids in enumerate(texts):
            if ids:
                read = ids[:VECTOR_TOKENS]
                # A product for each text: it takes half the time of scaling rows, and no text is rounded in the company of others.
                vectors[row] = self.scales[read] @ self.integers[read] / np.float32(len(read))
        return vectors


def nearest(patterns: Array, residuals: Array) -> Nearest:
    """Find the nearest of `patterns` (K, D) to each of `residuals` (N, D)."""
    # Differences rather than products of matrices: a row's answer must not depend on the rows beside it.
    apart = np.stack([_lengths(residuals - pattern) for pattern in patterns], axis=1)  # (N, K)
    best = apart.argmin(axis=1)
    return Nearest(best, apart[np.arange(len(residuals)), best])


def _lengths(rows: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("nd,nd->n", rows, rows)))
