"""LambdaMART: regression trees boosted towards the order that nDCG rewards (Burges 2010).

Each round computes, for every pair of candidates of which only one answers the query, how strongly it should be pulled apart: the logistic
loss's slope times the change in nDCG if the two changed places. A tree is fitted to the pulls, its leaves taking a Newton step. Trees are
grown by scikit-learn (in training only); scores are computed with numpy from plain arrays.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array, Examples

KIND = "boosted"
_LEAF = -1


@dataclass(frozen=True, slots=True)
class Settings:
    """Hyper-parameters. `share` is the part of the rows, and of the signals at each split, that a tree sees."""

    trees: int = 200
    leaves: int = 8
    rate: float = 0.08
    fewest: int = 20
    share: float = 0.7
    seed: int = 0


@dataclass(frozen=True)
class Boosted:
    """Fitted trees, all in the same arrays: node by node its signal (−1 for a leaf), threshold, children and value."""

    names: tuple[str, ...]
    settings: Settings
    roots: np.ndarray[Any, np.dtype[np.int32]]  # (T,)
    signal: np.ndarray[Any, np.dtype[np.int32]]  # (M,)
    threshold: Array  # (M,)
    left: np.ndarray[Any, np.dtype[np.int32]]  # (M,)
    right: np.ndarray[Any, np.dtype[np.int32]]  # (M,)
    value: Array  # (M,)

    @classmethod
    def fit(cls, examples: Examples, settings: Settings | None = None) -> Boosted:
        """Boost trees on these examples. Needs scikit-learn."""
        from sklearn.tree import DecisionTreeRegressor

        chosen = settings or Settings()
        rng = np.random.default_rng(chosen.seed)
        rows = examples.rows.astype(np.float32)
        pairs = _Pairs(examples)
        scores = np.zeros(len(rows))
        grown: list[Any] = []
        for round_ in range(chosen.trees):
            pull, curve = pairs.pulls(scores)
            some = np.flatnonzero(rng.random(len(rows)) < chosen.share)
            tree = DecisionTreeRegressor(
                max_leaf_nodes=chosen.leaves,
                min_samples_leaf=chosen.fewest,
                max_features=chosen.share,
                random_state=chosen.seed * 10_000 + round_,
            )
            # The weighted mean of pull / curve over a leaf is the Newton step: sum of pulls over sum of curves.
            tree.fit(rows[some], pull[some] / curve[some], sample_weight=curve[some])
            scores += chosen.rate * tree.predict(rows)
            grown.append(tree.tree_)
        return cls(examples.names, chosen, *packed(grown, chosen.rate))

    def score(self, rows: Array) -> Array:
        """Return a score for each row, (N,): the sum of the leaves it falls into."""
        # scikit-learn compares in float32, so a value at a threshold must be rounded as in training.
        rows = np.asarray(rows, np.float32)
        place = np.tile(self.roots, (len(rows), 1))  # (N, T)
        numbers = np.arange(len(rows))[:, None]
        while True:
            signal = self.signal[place]
            inner = signal != _LEAF
            if not inner.any():
                return np.asarray(self.value[place].sum(axis=1))
            goes_left = rows[numbers, np.maximum(signal, 0)] <= self.threshold[place]
            place = np.where(inner, np.where(goes_left, self.left[place], self.right[place]), place)

    def save(self, folder: Path) -> None:
        """Write the model to a folder."""
        arrays = {name: getattr(self, name) for name in ("roots", "signal", "threshold", "left", "right", "value")}
        write_model(folder, KIND, {"signals": list(self.names), "settings": asdict(self.settings)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Boosted:
        """Read a saved model."""
        record, arrays = read_model(folder, KIND)
        return cls(tuple(record["signals"]), Settings(**record["settings"]), **arrays)


class _Pairs:
    """Pairs of a right and a wrong candidate, and what nDCG would gain by each being in order."""

    def __init__(self, examples: Examples) -> None:
        self._better, self._worse = examples.pairs()
        self._queries = examples.queries
        self._n = len(examples.rows)
        numbers, counts = np.unique(examples.queries[examples.answers], return_counts=True)
        ideal = np.zeros(int(examples.queries.max()) + 1)
        ideal[numbers] = [(1 / np.log2(np.arange(2, count + 2))).sum() for count in counts]
        self._ideal = ideal[examples.queries[self._better]]

    def pulls(self, scores: Array) -> tuple[Array, Array]:
        """Return each row's pull (upwards is positive) and its curvature."""
        order = np.lexsort((-scores, self._queries))
        rank = np.empty(self._n)
        starts = np.flatnonzero(np.diff(self._queries[order], prepend=-1))
        rank[order] = np.arange(self._n) - np.repeat(starts, np.diff(np.append(starts, self._n)))
        gain = 1 / np.log2(rank + 2)
        swap = np.abs(gain[self._better] - gain[self._worse]) / self._ideal
        doubt = 1 / (1 + np.exp(np.clip(scores[self._better] - scores[self._worse], -50, 50)))
        force, bend = swap * doubt, swap * doubt * (1 - doubt)
        pull = np.bincount(self._better, force, self._n) - np.bincount(self._worse, force, self._n)
        curve = np.bincount(self._better, bend, self._n) + np.bincount(self._worse, bend, self._n)
        return pull, curve + 1e-4  # a row in no pair has neither; it must not divide by nothing


def packed(trees: list[Any], rate: float) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Put scikit-learn's trees end to end in single arrays: roots, signal, threshold, left, right and value times the rate."""
    sizes = [tree.node_count for tree in trees]
    roots = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)
    signal = np.concatenate([np.where(tree.children_left < 0, _LEAF, tree.feature) for tree in trees]).astype(np.int32)
    left = np.concatenate([tree.children_left + root for tree, root in zip(trees, roots, strict=True)]).astype(np.int32)
    right = np.concatenate([tree.children_right + root for tree, root in zip(trees, roots, strict=True)]).astype(np.int32)
    threshold = np.concatenate([tree.threshold for tree in trees])
    value = np.concatenate([tree.value[:, 0, 0] for tree in trees]) * rate
    return roots, signal, threshold, left, right, value
