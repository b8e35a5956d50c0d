"""From what was read and counted of a pair to two calibrated chances: that the check answers the claim, and that one thing was changed.

Two questions, each with a model of its own: does the check speak of this statement at all (`near`), and if so, of the same (`faithful`)
or with one thing changed? The chances of answering and of a change are products of the two.

Each chance is the mean, in log odds, of boosted trees and of a logistic model over the same named features, put through a calibration (a
slope and a shift). The names are saved with the model, so a feature that a later version adds is not read by an earlier model. Fitted in
the laboratory; here only numpy is needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.errors import BadData
from twicetold.judge.counted import NAMES, Counted
from twicetold.judge.reader import RELATIONS, STANCES, Reading
from twicetold.rank.boosted import Boosted, Settings
from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array, check_finite
from twicetold.types import ANSWERING, CHANGED, Relation

KIND = "grades"
SIGNALS = (
    *("dense.claim", "dense.title", "dense.best", "share.claim", "share.title", "share.body", "share.best", "cover.claim", "cover.title"),
    *("body.1", "body.2", "body.3", "link", "lang", "length"),
)
"""What finding and ranking know of a pair; 0 where they do not."""
FEATURES: tuple[str, ...] = (
    *(f"reader.{relation.value}" for relation in RELATIONS),
    "reader.answers",
    *(f"reader.{stance.value}" for stance in STANCES),
    "reader.differs",
    *("reader.changed", "back.answers", "back.changed", "back.opposite"),
    *(f"counted.{name}" for name in NAMES),
    *SIGNALS,
    "stated",
)
"""All features that are computed: log chances and logits of the reader, what was counted, signals, and whether the check states a claim."""
TARGETS = ("near", "faithful")
_TREES = ("roots", "signal", "threshold", "left", "right", "value")
_LEAST_CHANCE = 1e-4
_MOST_ODDS = 30.0

Row = Mapping[str, float]
"""The features of one pair, by name."""


def features(reading: Reading, back: Reading, counted: Counted, signals: Mapping[str, float], *, is_stated: bool) -> dict[str, float]:
    """Return the features of a pair. `back` is the pair read the other way round, `is_stated` whether the check states a claim itself."""
    found = {f"reader.{relation.value}": _log(chance) for relation, chance in zip(RELATIONS, reading.relation, strict=True)}
    found["reader.answers"] = reading.answers
    found |= {f"reader.{stance.value}": _log(chance) for stance, chance in zip(STANCES, reading.stance, strict=True)}
    found["reader.differs"] = reading.differs
    found["reader.changed"], found["back.changed"] = changed_odds(reading), changed_odds(back)
    found["back.answers"], found["back.opposite"] = back.answers, _log(back.relation[RELATIONS.index(Relation.OPPOSITE)])
    found |= {f"counted.{name}": value for name, value in counted.values.items()}
    found |= {name: signals.get(name, 0.0) for name in SIGNALS}
    found["stated"] = float(is_stated)
    return found


def changed_odds(reading: Reading) -> float:
    """Return the log odds of a changed statement against a faithful one, by the relations alone."""
    chances = dict(zip(RELATIONS, reading.relation, strict=True))
    changed = sum(chances[relation] for relation in sorted(CHANGED))
    faithful = sum(chances[relation] for relation in sorted((*ANSWERING, Relation.PART)))
    return math.log((changed + _LEAST_CHANCE) / (faithful + _LEAST_CHANCE))


def _log(chance: float) -> float:
    return math.log(max(chance, _LEAST_CHANCE))


@dataclass(frozen=True)
class Grade:
    """One chance: trees and a logistic model over the same columns, and the calibration of their mean in log odds."""

    trees: Boosted
    prior: float
    mean: Array  # (D,)
    spread: Array  # (D,)
    weights: Array  # (D + 1,), the last is the constant
    slope: float = 1.0
    shift: float = 0.0

    def odds(self, rows: Array) -> Array:
        """Return the log odds of each row before calibration, (N,)."""
        # Row by row, so that a chance does not depend on the rows beside it.
        linear = np.einsum("nd,d->n", (rows - self.mean) / self.spread, self.weights[:-1]) + self.weights[-1]
        return np.asarray((self.prior + self.trees.score(rows) + linear) / 2)

    def chance(self, rows: Array) -> Array:
        """Return the calibrated chance of each row, (N,)."""
        calibrated = np.clip(self.slope * self.odds(rows) + self.shift, -_MOST_ODDS, _MOST_ODDS)
        return np.array([1 / (1 + math.exp(-value)) for value in calibrated])


@dataclass(frozen=True)
class Grades:
    """Both chances, over the features of these names."""

    names: tuple[str, ...]
    near: Grade
    faithful: Grade

    def grade(self, rows: Sequence[Row]) -> tuple[Array, Array]:
        """Return, for each pair, the chance that the check answers the claim and that one thing was changed between them."""
        columns = np.array([[row[name] for name in self.names] for row in rows], np.float64).reshape(len(rows), len(self.names))  # (N, D)
        check_finite(columns, self.names)
        near, faithful = self.near.chance(columns), self.faithful.chance(columns)
        return near * faithful, near * (1 - faithful)

    def save(self, folder: Path) -> None:
        """Write the model to a folder."""
        arrays: dict[str, Array] = {}
        for target in TARGETS:
            grade: Grade = getattr(self, target)
            arrays |= {f"{target}.{name}": getattr(grade.trees, name) for name in _TREES}
            arrays |= {f"{target}.{name}": getattr(grade, name) for name in ("mean", "spread", "weights")}
            arrays[f"{target}.scalars"] = np.array([grade.prior, grade.slope, grade.shift])
        write_model(folder, KIND, {"signals": list(self.names)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Grades:
        """Read a saved model. Raises BadData if it is missing, damaged or wants features that this version does not compute."""
        record, arrays = read_model(folder, KIND)
        names = tuple(record["signals"])
        unknown = [name for name in names if name not in FEATURES]
        if unknown:
            wanted = ", ".join(unknown)
            raise BadData(f"the model in {folder} wants the features {wanted}, which this version does not compute; train it again")
        return cls(names, *(_grade(names, target, arrays) for target in TARGETS))


def _grade(names: tuple[str, ...], target: str, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Grade:
    trees = Boosted(names, Settings(), **{name: arrays[f"{target}.{name}"] for name in _TREES})
    prior, slope, shift = (float(value) for value in arrays[f"{target}.scalars"])
    mean, spread, weights = (arrays[f"{target}.{name}"] for name in ("mean", "spread", "weights"))
    return Grade(trees, prior, mean, spread, weights, slope, shift)
