"""A logistic model over scaled columns, fitted by Newton's method with a ridge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from twicetold.rerank.signals import Array


@dataclass(frozen=True)
class Logistic:
    """A fitted model; the last weight is the constant."""

    mean: Array  # (D,)
    spread: Array  # (D,)
    weights: Array  # (D + 1,)

    @classmethod
    def fit(cls, rows: Array, is_so: Array, *, ridge: float = 1.0) -> Logistic:
        """Fit; a constant column is left as it is, the constant is not shrunk."""
        spread = rows.std(axis=0)
        mean, spread = rows.mean(axis=0), np.where(spread > 0, spread, 1.0)
        full = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
        shrink = np.append(np.full(rows.shape[1], ridge), 0.0)
        weights = np.zeros(full.shape[1])
        for _ in range(100):
            chance = 1 / (1 + np.exp(-np.clip(full @ weights, -30, 30)))
            slope = full.T @ (chance - is_so) + shrink * weights
            bend = (full * (chance * (1 - chance))[:, None]).T @ full + np.diag(shrink + 1e-9)
            step = np.linalg.solve(bend, slope)
            weights = weights - step
            if np.abs(step).max() < 1e-8:
                break
        return cls(mean, spread, weights)

    def odds(self, row: Array) -> float:
        """Return the log-odds of one row, between −30 and 30."""
        # A sum of its own for each row: a matrix product's last bits depend on the rows beside it.
        found = math.fsum(((row - self.mean) / self.spread * self.weights[:-1]).tolist()) + float(self.weights[-1])
        return min(max(found, -30.0), 30.0)

    def chance(self, row: Array) -> float:
        """Return the chance of one row."""
        return 1 / (1 + math.exp(-self.odds(row)))
