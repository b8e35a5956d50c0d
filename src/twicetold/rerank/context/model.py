"""What the debate recipe has learnt: a weight for each signal, and the chance that the first match answers the line.

    score = Σ weight · signal          chance = 1 / (1 + exp(−(bias + Σ coefficient · fact)))

The facts are the first match's score, its lead over the second, and a few of its signals. Trained by `train.debate`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.rerank.context.probe import Array
from twicetold.rerank.saved import read_model, write_model
from twicetold.types import Decision, Lane, Ranking

KIND = "debate"
FACTS = ("score", "lead", "share.claim", "dense.claim", "dense.title", "around.dense.claim", "speaker.same")
MATCHED, REVIEW = 0.5, 0.15
"""Chances from which a line counts as checked before, and as worth a look."""


@dataclass(frozen=True)
class DebateModel:
    """Weights by signal, and coefficients by fact with the bias under ""."""

    weights: Mapping[str, float]
    coefficients: Mapping[str, float]

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
        logit = self.coefficients.get("", 0.0) + sum(self.coefficients.get(name, 0.0) * value for name, value in facts.items())
        return 1 / (1 + math.exp(-max(min(logit, 30.0), -30.0)))

    def decided(self, ranking: Ranking) -> Ranking:
        """Return the ranking with its lane. The risk noted is the chance of being wrong that a match at that chance carries."""
        chance = self.chance(ranking)
        lane = Lane.MATCHED if chance >= MATCHED else Lane.REVIEW if chance >= REVIEW else Lane.NO_MATCH
        return Ranking(ranking.query, ranking.matches, Decision(lane, chance, 1 - MATCHED))

    def save(self, folder: Path, **notes: Any) -> None:
        """Write the model; `notes` go into `model.json`."""
        names = {"signals": list(self.weights), "facts": list(self.coefficients), **notes}
        arrays = {"weights": np.array(list(self.weights.values())), "coefficients": np.array(list(self.coefficients.values()))}
        write_model(folder, KIND, names, arrays)

    @classmethod
    def load(cls, folder: Path) -> DebateModel:
        """Read a saved model. Raises BadData if it is damaged or of another kind."""
        settings, arrays = read_model(folder, KIND)
        weights = dict(zip(settings["signals"], arrays["weights"].tolist(), strict=True))
        return cls(weights, dict(zip(settings["facts"], arrays["coefficients"].tolist(), strict=True)))


def facts_of(ranking: Ranking) -> dict[str, float]:
    """Return what the chance is told from, of a ranking with at least one match."""
    first = ranking.matches[0]
    second = ranking.matches[1].score if len(ranking.matches) > 1 else first.score - 1.0
    own = {"score": first.score, "lead": first.score - second}
    return own | {name: first.signals.get(name, 0.0) for name in FACTS if name not in own}
