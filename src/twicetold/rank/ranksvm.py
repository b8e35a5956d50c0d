"""Kernel RankSVM: learns an order from pairs of candidates, one of which answers the query and one of which does not.

    minimise  ½ |w|² + C · Σ max(0, 1 − w·(φ(better) − φ(worse)))²

over all such pairs of the same query (Herbrich et al. 2000; with the squared hinge, Kuo, Lee and Lin 2014). It is solved in the span of
the training rows by Newton's method; each step is a conjugate-gradient solve preconditioned by the kernel (Chapelle and Keerthi 2010), so
only products with the kernel matrix are needed. Up to `exact` rows the RBF matrix is exact, above them it is approximated through
`landmarks` of the rows (Nyström; Williams and Seeger 2001). Signals are scaled to [−1, 1] on the training rows. numpy alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from twicetold.errors import BadData, BadInput
from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array, Examples, Scale

Product = Callable[[Array], Array]
"""Multiplies a vector over the training rows by the kernel matrix."""

KIND = "ranksvm"
_MOST_STEPS = 50
_MOST_TURNS = 200
"""Newton steps, and conjugate-gradient turns in each; the published problems take about 10 and 40."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Hyper-parameters. `gamma` None is 1 / the number of signals. The defaults are those of Shaar et al. 2020."""

    kernel: Literal["rbf", "linear"] = "rbf"
    cost: float = 1.0
    gamma: float | None = None
    tolerance: float = 1e-3
    exact: int = 10_000
    landmarks: int = 1_500
    seed: int = 0


@dataclass(frozen=True)
class RankSVM:
    """A fitted model: score(x) = Σ weight · k(x, centre). For the linear kernel there is one centre, the weight vector."""

    names: tuple[str, ...]
    settings: Settings
    scale: Scale
    centres: Array  # (M, D)
    weights: Array  # (M,)
    steps: int = field(default=0, compare=False)

    @classmethod
    def fit(cls, examples: Examples, settings: Settings | None = None, *, scale: Scale | None = None) -> RankSVM:
        """Learn from these examples, their signals scaled to [−1, 1] unless another `scale` is given.

        Raises BadData where they have no pair to learn from.
        """
        chosen = settings or Settings()
        if chosen.kernel not in ("rbf", "linear") or chosen.cost <= 0 or (chosen.gamma is not None and chosen.gamma <= 0):
            raise BadInput(f"RankSVM wants the kernel rbf or linear and a positive cost and gamma, not {chosen}")
        scale = scale or Scale.fit(examples.rows)
        rows = scale(examples.rows)
        better, worse = examples.pairs()
        if not len(better):
            raise BadData("no query has both a candidate that answers it and one that does not, so there is no pair to learn from")
        if chosen.kernel == "linear":
            return cls._linear(examples.names, chosen, scale, rows, (better, worse))
        gamma = chosen.gamma or 1 / rows.shape[1]
        if len(rows) <= chosen.exact:
            kernel = _whole_kernel(rows, gamma)
            solved = solve(lambda v: (kernel @ v.astype(np.float32)).astype(np.float64), better, worse, len(rows), chosen)
            kept = np.flatnonzero(solved.beta)
            return cls(examples.names, chosen, scale, rows[kept], solved.beta[kept], solved.steps)
        centres = rows[_landmarks(examples, chosen)]
        root = _inverse_root(rbf(centres, centres, gamma))  # (M, M)
        features = _features(rows, centres, root, gamma)  # (N, M)
        solved = solve(lambda v: (features @ (features.T @ v.astype(np.float32))).astype(np.float64), better, worse, len(rows), chosen)
        return cls(examples.names, chosen, scale, centres, root @ (features.T @ solved.beta), solved.steps)

    @classmethod
    def _linear(cls, names: tuple[str, ...], settings: Settings, scale: Scale, rows: Array, pairs: tuple[Any, Any]) -> RankSVM:
        solved = solve(lambda v: rows @ (rows.T @ v), *pairs, len(rows), settings)
        return cls(names, settings, scale, (rows.T @ solved.beta)[None, :], np.ones(1), solved.steps)

    def score(self, rows: Array) -> Array:
        """Return a score for each row of signals, (N,): larger is better, of any sign; only order within a query means anything."""
        scaled = self.scale(rows)
        if self.settings.kernel == "linear":
            return np.asarray(np.einsum("nd,d->n", scaled, self.centres[0]))
        gamma = self.settings.gamma or 1 / scaled.shape[1]
        lengths = (self.centres**2).sum(axis=1)  # (M,)
        # Row by row, so that a candidate's score does not depend on those beside it.
        return np.array([float(_one_rbf(row, self.centres, lengths, gamma) @ self.weights) for row in scaled])

    def save(self, folder: Path) -> None:
        """Write the model to a folder: `model.json` and `weights.npz`."""
        arrays = {"low": self.scale.low, "high": self.scale.high, "centres": self.centres, "weights": self.weights}
        write_model(folder, KIND, {"signals": list(self.names), "settings": asdict(self.settings)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> RankSVM:
        """Read a saved model. Raises BadData if it is damaged or another kind of model."""
        settings, arrays = read_model(folder, KIND)
        scale = Scale(arrays["low"], arrays["high"])
        return cls(tuple(settings["signals"]), Settings(**settings["settings"]), scale, arrays["centres"], arrays["weights"])


def rbf(one: Array, other: Array, gamma: float) -> Array:
    """Return exp(−γ |x − y|²) for all pairs of rows, (N, M)."""
    distance = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None, :] - 2 * one @ other.T
    np.maximum(distance, 0, out=distance)
    distance *= -gamma
    return np.asarray(np.exp(distance, out=distance))


def _one_rbf(row: Array, centres: Array, lengths: Array, gamma: float) -> Array:
    """As `rbf` for one row, (M,); `lengths` are the squared lengths of the centres."""
    distance = lengths + row @ row - 2 * (centres @ row)
    return np.asarray(np.exp(-gamma * np.maximum(distance, 0)))


def _whole_kernel(rows: Array, gamma: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The exact matrix in half the memory of float64, block by block; the solver's own vectors sum in float64."""
    kernel = np.empty((len(rows), len(rows)), np.float32)
    for start in range(0, len(rows), 1024):
        kernel[start : start + 1024] = rbf(rows[start : start + 1024], rows, gamma)
    return kernel


# --- Nyström -------------------------------------------------------------------------------------------------------


def _landmarks(examples: Examples, settings: Settings) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Choose rows at random, but at least a third that answer their queries: they are few, and every pair has one."""
    rng = np.random.default_rng(settings.seed)
    right, wrong = np.flatnonzero(examples.answers), np.flatnonzero(~examples.answers)
    n_right = min(len(right), settings.landmarks // 3)
    n_wrong = min(len(wrong), settings.landmarks - n_right)
    return np.sort(np.concatenate([rng.choice(right, n_right, replace=False), rng.choice(wrong, n_wrong, replace=False)]))


def _inverse_root(kernel: Array) -> Array:
    """Return K^(−½), with directions too weak to be told from rounding left out."""
    values, vectors = np.linalg.eigh(kernel)
    kept = values > values[-1] * 1e-10
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T)


def _features(rows: Array, centres: Array, root: Array, gamma: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    features = np.empty((len(rows), len(centres)), np.float32)
    for start in range(0, len(rows), 4096):
        features[start : start + 4096] = rbf(rows[start : start + 4096], centres, gamma) @ root
    return features


# --- the solver ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Solution:
    """The weights of the training rows, and how many Newton steps they took."""

    beta: Array
    steps: int


def solve(product: Product, better: Any, worse: Any, n_rows: int, settings: Settings) -> Solution:
    """Minimise ½ β·Kβ + C Σ max(0, 1 − ((Kβ)_better − (Kβ)_worse))², K given by its product with a vector.

    Ends when the gradient, in the norm of K, has shrunk by `settings.tolerance`; raises BadData if it does not.
    """
    beta, scores = np.zeros(n_rows), np.zeros(n_rows)
    start = 0.0
    for step in range(_MOST_STEPS):
        slack = 1 - (scores[better] - scores[worse])
        active = np.flatnonzero(slack > 0)
        rows = (better[active], worse[active])
        residual = -beta + 2 * settings.cost * _spread(slack[active], rows, n_rows)  # minus the gradient, before K
        pushed = product(residual)
        size = max(float(residual @ pushed), 0.0) ** 0.5
        start = start if start else size
        if size <= settings.tolerance * start:
            return Solution(np.where(np.abs(beta) > 1e-12, beta, 0.0), step)
        move, shift = _newton_direction(product, residual, pushed, rows, settings.cost)
        length = _line_search(beta, scores, (move, shift), (better, worse), settings.cost)
        beta, scores = beta + length * move, scores + length * shift
    raise BadData(f"RankSVM did not settle in {_MOST_STEPS} steps; use a smaller cost than {settings.cost} or a larger tolerance")


def _spread(values: Array, rows: tuple[Any, Any], n_rows: int) -> Array:
    """Add each pair's value to its better row and take it from its worse one."""
    better, worse = rows
    return np.bincount(better, values, n_rows) - np.bincount(worse, values, n_rows)


def _newton_direction(product: Product, residual: Array, pushed: Array, rows: tuple[Any, Any], cost: float) -> tuple[Array, Array]:
    """Solve (I + H K) d = residual, H = 2C DᵀD over active pairs, by conjugate gradients in the inner product of K: d and K d."""
    better, worse = rows
    move, shift = np.zeros_like(residual), np.zeros_like(residual)
    left, direction, kernelled = residual.copy(), residual.copy(), pushed.copy()
    power = first = float(left @ kernelled)
    for _ in range(_MOST_TURNS):
        curved = direction + 2 * cost * _spread(kernelled[better] - kernelled[worse], rows, len(residual))
        length = power / float(kernelled @ curved)
        move += length * direction
        shift += length * kernelled
        left -= length * curved
        pushed = product(left)
        power, before = float(left @ pushed), power
        if power <= 1e-6 * first:  # (0.001)², as both are squared norms
            break
        direction = left + power / before * direction
        kernelled = pushed + power / before * kernelled
    return move, shift


def _line_search(beta: Array, scores: Array, step: tuple[Array, Array], pairs: tuple[Any, Any], cost: float) -> float:
    """Halve the Newton step until the objective falls."""
    better, worse = pairs
    move, shift = step

    def objective(length: float) -> float:
        at = scores + length * shift
        slack = np.maximum(0, 1 - (at[better] - at[worse]))
        return float(0.5 * (beta + length * move) @ at + cost * slack @ slack)

    now, length = objective(0.0), 1.0
    while objective(length) > now and length > 1e-4:
        length /= 2
    return length
