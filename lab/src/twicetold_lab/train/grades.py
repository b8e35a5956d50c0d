"""Fit the two chances of a judged pair: that the check answers the claim, and that one thing was changed between them.

Rows are features of pairs (`twicetold.judge.grades.features`), with what a judge said of each. Pairs of one claim, and of one checked
claim, belong to one group: the calibration is made on pairs whose group a model has not seen. Needs scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.judge.grades import Grade, Grades
from twicetold.rank.boosted import Boosted, Settings, packed
from twicetold.rank.signals import Array, check_finite

Flags = np.ndarray[Any, np.dtype[np.bool_]]

FOLDS = 5
TREES = Settings(trees=250, leaves=8, rate=0.06, fewest=15, share=0.6)
FEW_TREES = Settings(trees=90, leaves=5, rate=0.06, fewest=12, share=0.4)
"""For the pairs that are near, which are few."""
_RIDGE, _STRONG_RIDGE = 0.02, 0.3
"""Strength of the logistic model's shrinking, of a sum of squares of weights for columns of unit spread, for each row."""


@dataclass(frozen=True)
class Fitted:
    """The model, and for each row both chances by a model that has not seen its group."""

    grades: Grades
    answers: Array  # (N,)
    changed: Array  # (N,)


def fit_grades(rows: Array, names: Sequence[str], answers: Flags, changed: Flags, groups: Sequence[str], *, seed: int = 0) -> Fitted:
    """Fit both chances on rows (N, D) whose columns are `names`.

    Raises BadData for a value that is not finite, and where fewer than two groups are given or a target has only one value.
    """
    check_finite(rows, names)
    folds = _folds(groups, seed)
    near, near_held = _target(rows, tuple(names), answers | changed, _Fitting(folds, np.ones(len(rows), bool), TREES, _RIDGE, seed))
    faithful, faithful_held = _target(rows, tuple(names), answers, _Fitting(folds, answers | changed, FEW_TREES, _STRONG_RIDGE, seed))
    return Fitted(Grades(tuple(names), near, faithful), near_held * faithful_held, near_held * (1 - faithful_held))


def _folds(groups: Sequence[str], seed: int) -> Array:
    """Return each row's fold; all rows of a group are in the same."""
    known = sorted(set(groups))
    if len(known) < 2:
        raise BadData(f"{len(known)} group of pairs cannot be held out from the others; give pairs of at least two claims")
    shuffled = np.random.default_rng(seed).permutation(len(known))
    fold = {group: int(place) % min(FOLDS, len(known)) for group, place in zip(known, shuffled, strict=True)}
    return np.array([fold[group] for group in groups])


@dataclass(frozen=True)
class _Fitting:
    """How a target is learnt: each row's fold, which rows teach, the trees, the ridge of the logistic model, and the seed."""

    folds: Array
    teaches: Flags
    trees: Settings
    ridge: float
    seed: int


def _target(rows: Array, names: tuple[str, ...], target: Flags, how: _Fitting) -> tuple[Grade, Array]:
    if target[how.teaches].all() or not target[how.teaches].any():
        raise BadData(f"{int(target.sum())} of {int(how.teaches.sum())} pairs are positive; fitting needs both kinds")
    odds = np.empty(len(rows))
    for fold in np.unique(how.folds):
        here, taught = how.folds == fold, (how.folds != fold) & how.teaches
        odds[here] = _uncalibrated(rows[taught], names, target[taught], how).odds(rows[here])
    slope, shift = _calibration(odds[how.teaches], target[how.teaches])
    held_out = 1 / (1 + np.exp(-np.clip(slope * odds + shift, -30, 30)))
    return replace(_uncalibrated(rows[how.teaches], names, target[how.teaches], how), slope=slope, shift=shift), held_out


def _uncalibrated(rows: Array, names: tuple[str, ...], target: Flags, how: _Fitting) -> Grade:
    if not len(target) or target.all() or not target.any():
        return _constant(rows, names, bool(target.all()))
    trees, prior = _boosted(rows, names, target, replace(how.trees, seed=how.seed))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    return Grade(trees, prior, mean, spread, _logistic((rows - mean) / spread, target, how.ridge))


def _constant(rows: Array, names: tuple[str, ...], value: bool) -> Grade:
    """A model for rows of one kind only, as a fold may leave them."""
    leaf = (np.array([0]), np.array([-1]), np.array([-2.0]), np.array([-1]), np.array([-1]), np.array([0.0]))
    weights = np.append(np.zeros(rows.shape[1]), 3.0 if value else -3.0)
    return Grade(Boosted(names, TREES, *leaf), weights[-1], np.zeros(rows.shape[1]), np.ones(rows.shape[1]), weights)


def _boosted(rows: Array, names: tuple[str, ...], target: Flags, settings: Settings) -> tuple[Boosted, float]:
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=settings.trees,
        max_leaf_nodes=settings.leaves,
        max_depth=None,
        learning_rate=settings.rate,
        min_samples_leaf=settings.fewest,
        subsample=settings.share,
        max_features=settings.share,
        random_state=settings.seed,
    ).fit(rows.astype(np.float32), target)
    share = target.mean()
    grown = [tree.tree_ for tree in model.estimators_[:, 0]]
    return Boosted(names, settings, *packed(grown, settings.rate)), float(np.log(share / (1 - share)))


def _logistic(scaled: Array, target: Flags, ridge: float) -> Array:
    """Fit weights and a constant by Newton's method; the constant is not shrunk."""
    full = np.column_stack([scaled, np.ones(len(scaled))])
    shrink = np.append(np.full(scaled.shape[1], ridge * len(scaled)), 0.0)
    return newton(full, target, shrink)


def newton(full: Array, target: Flags, shrink: Array) -> Array:
    """Return the weights that make the target likeliest, each shrunk by its own strength."""
    weights = np.zeros(full.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(full @ weights, -30, 30)))
        slope = full.T @ (chance - target) + shrink * weights
        bend = (full * (chance * (1 - chance))[:, None]).T @ full + np.diag(shrink + 1e-9)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _calibration(odds: Array, target: Flags) -> tuple[float, float]:
    """Return slope and shift that make the held-out log odds true (Platt 1999), without ever turning the order round."""
    slope, shift = newton(np.column_stack([np.clip(odds, -15, 15), np.ones(len(odds))]), target, np.array([1e-3, 0.0]))
    return (float(slope), float(shift)) if slope > 0 else (1.0, 0.0)
