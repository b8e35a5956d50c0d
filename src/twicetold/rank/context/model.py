"""What the debate recipe has learnt: a weight for each signal, and the chance that the first match answers the line.

    score = Σ weight · signal          chance = 1 / (1 + exp(−(bias + Σ coefficient · fact)))

The facts are the first match's score, its lead over the second, and a few of its signals. There are two sets of coefficients: one for lines
said on a known day where someone speaks whose claims the collection holds, one for all others, whose scores lack what that adds. Trained by
`train.debate`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.rank.context.probe import Array
from twicetold.rank.saved import read_model, write_model
from twicetold.types import Decision, Lane, Ranking

KIND = "debate"
FACTS = ("score", "lead", "share.claim", "dense.claim", "dense.title", "around.dense.claim", "speaker.same")
MATCHED, REVIEW = 0.5, 0.15
"""Chances from which a line counts as checked before, and as worth a look."""


@dataclass(frozen=True)
class DebateModel:
    """Weights by signal, and coefficients by fact with the bias under "": of lines whose day and speakers are known, and of `others`."""

    weights: Mapping[str, float]
    coefficients: Mapping[str, float]
    others: Mapping[str, float] = field(default_factory=dict)

    def score(self, signals: Mapping[str, Array]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Score candidates, (N,); a signal that is absent counts as 0."""
        some = next(iter(signals.values()))
        # Signal by signal, so that a candidate's score does not depend on those beside it.
        total = np.zeros(len(some), np.float64)
        for name, weight in self.weights.items():
            if name in signals:
                total += weight * signals[name].astype(np.float64)
        return total

    def chance(self, ranking: Ranking) -> float:
        """Return the chance that the first match answers the query; 0 without a match."""
        if not ranking.matches:
            return 0.0
        facts = facts_of(ranking)
        told = self.coefficients if is_placed(ranking) or not self.others else self.others
        logit = told.get("", 0.0) + sum(told.get(name, 0.0) * value for name, value in facts.items())
        return 1 / (1 + math.exp(-max(min(logit, 30.0), -30.0)))

    def decided(self, ranking: Ranking) -> Ranking:
        """Return the ranking with its lane. The risk noted is the chance of being wrong that a match at that chance carries."""
        chance = self.chance(ranking)
        lane = Lane.MATCHED if chance >= MATCHED else Lane.REVIEW if chance >= REVIEW else Lane.NO_MATCH
        return Ranking(ranking.query, ranking.matches, Decision(lane, chance, 1 - MATCHED))

    def save(self, folder: Path, **notes: Any) -> None:
        """Write the model; `notes` go into `model.json`."""
        names = {"signals": list(self.weights), "facts": list(self.coefficients), **notes}
        columns = {"weights": self.weights, "coefficients": self.coefficients, "others": self.others}
        write_model(folder, KIND, names, {name: np.array(list(column.values())) for name, column in columns.items()})

    @classmethod
    def load(cls, folder: Path) -> DebateModel:
        """Read a saved model. Raises BadData if it is damaged or of another kind."""
        settings, arrays = read_model(folder, KIND)
        weights = dict(zip(settings["signals"], arrays["weights"].tolist(), strict=True))
        facts = settings["facts"]
        others = dict(zip(facts, arrays["others"].tolist(), strict=True)) if "others" in arrays and len(arrays["others"]) else {}
        return cls(weights, dict(zip(facts, arrays["coefficients"].tolist(), strict=True)), others)


def is_placed(ranking: Ranking) -> bool:
    """Return whether a line was said on a known day, with someone speaking whose claims the collection holds."""
    return bool(ranking.matches) and ranking.matches[0].signals.get("event.known", 0.0) > 0


def facts_of(ranking: Ranking) -> dict[str, float]:
    """Return what the chance is told from, of a ranking with at least one match."""
    first = ranking.matches[0]
    second = ranking.matches[1].score if len(ranking.matches) > 1 else first.score - 1.0
    own = {"score": first.score, "lead": first.score - second}
    return own | {name: first.signals.get(name, 0.0) for name in FACTS if name not in own}
