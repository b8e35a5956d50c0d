"""Fit the decision whether anyone has checked a claim, on claims all of whose first matches were judged by people or models.

A claim is `answered` if one of its matches answers it, and `changed` if none does and one speaks of the same with one thing changed. Its
ranking must have gone through the judging stage with models that have not learnt from it. Thresholds come from chances by models that
have not seen the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twicetold.answer.lanes import FEATURES, Lanes, error_from, features, may_be_matched
from twicetold.errors import BadData
from twicetold.rank.signals import Array, check_finite
from twicetold.types import Ranking
from twicetold_lab.train.grades import newton

Flags = np.ndarray[Any, np.dtype[np.bool_]]
FOLDS = 10
CONFIDENCE = 0.6
"""How often an upper bound of an error lies above the truth."""
_RIDGE = 1.0
_FEWEST = 20


@dataclass(frozen=True)
class Fitted:
    """The decision, and for each claim both chances by a model that has not seen it."""

    lanes: Lanes
    answered: Array  # (N,)
    changed: Array  # (N,)


def fit_lanes(rankings: Sequence[Ranking], answered: Flags, changed: Flags, *, confidence: float = CONFIDENCE, seed: int = 0) -> Fitted:
    """Fit on judged rankings, each with at least one match that was read. Raises BadData where there is too little to learn from."""
    for name, flags in (("answered", answered), ("changed", changed)):
        if len(rankings) < _FEWEST or flags.all() or not flags.any():
            raise BadData(f"{int(flags.sum())} of {len(rankings)} claims are {name}; fitting needs at least {_FEWEST}, of both kinds")
    rows = np.stack([features(ranking) for ranking in rankings])
    check_finite(rows, FEATURES)
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    scaled = (rows - mean) / spread
    folds = np.random.default_rng(seed).permutation(len(rows)) % FOLDS
    held = [_held_out(scaled, flags, folds) for flags in (answered, changed)]
    differs_from = best_threshold(held[1], changed)
    may_match = np.array([may_be_matched(ranking) for ranking in rankings])
    may_be_none = held[1] < differs_from
    lanes = Lanes(
        mean,
        spread,
        _weights(scaled, answered),
        _weights(scaled, changed),
        *error_from(held[0][may_match], answered[may_match], confidence=confidence),
        *_right_up_to(held[0][may_be_none], answered[may_be_none], confidence),
        np.array(differs_from),
    )
    return Fitted(lanes, held[0], held[1])


def _right_up_to(chance: Array, answered: Flags, confidence: float) -> tuple[Array, Array]:
    """Return the chances, rising, and a bound of the share of answered among those at most as high."""
    at, bound = error_from(1 - chance, ~answered, confidence=confidence)
    return 1 - at, bound


def _weights(scaled: Array, flags: Flags) -> Array:
    full = np.column_stack([scaled, np.ones(len(scaled))])
    return newton(full, flags, np.append(np.full(scaled.shape[1], _RIDGE), 0.0))


def _held_out(scaled: Array, flags: Flags, folds: Array) -> Array:
    found = np.empty(len(scaled))
    for fold in np.unique(folds):
        here = folds == fold
        learnt = flags[~here]
        if learnt.all() or not learnt.any():
            found[here] = learnt.mean()
            continue
        weights = _weights(scaled[~here], learnt)
        found[here] = 1 / (1 + np.exp(-np.clip(scaled[here] @ weights[:-1] + weights[-1], -30, 30)))
    return found


def best_threshold(chance: Array, flags: Flags) -> float:
    """Return the threshold of the largest F1, the harmonic mean of precision and recall; the largest of equals."""
    order = np.argsort(-chance, kind="stable")
    hits = np.cumsum(flags[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + flags.sum())
    return float(chance[order][int(np.argmax(f1))])
