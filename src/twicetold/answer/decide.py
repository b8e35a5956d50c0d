"""Decide whether the claim was checked before: a calibrated probability, and a lane for the error the user tolerates.

The probability is a logistic model over the first match's signals and its lead over the next that says something else: other publishers'
checks of the same claim, known by their words or by the signal `same`, do not make the first less sure. It is calibrated on claims half
of whose answers were taken out of the corpus, so that "none" is often right. A claim lands in `matched` if its own probability is at
least 1 − risk, or if among calibration claims at least as probable no more than `risk` were wrong; in `no match` if its probability is at
most `risk`, or if among those at most as probable no more than `risk` had been answered; otherwise in `review`. Shares of calibration
claims are upper bounds at 80 % confidence, so that few claims do not pass for certainty. A decision is about the corpus at hand and the
kind of claims it was calibrated on; `docs/reranking.md` says how far it holds elsewhere.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.answer.group import says_same
from twicetold.errors import BadData
from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array, check_finite, matrix
from twicetold.shares import wilson
from twicetold.stage import Stage
from twicetold.types import CHANGED, Decision, Lane, Match, Ranking

KIND = "decide"
SCORE, LEAD = "score", "lead"
"""What is added to the signals: the first match's score, and how far it is above the next one's that says something else."""
_SAMES = (0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1.01)
"""What may be chosen as the least `same` of a match that says the same; the last is none."""
_CONFIDENCE = 0.8416
"""Standard deviations: four in five upper bounds lie above the truth."""


@dataclass(frozen=True)
class Decider:
    """A fitted model. `curve_at` are falling probabilities; the other two bound the error of answering, or of saying none, at each."""

    names: tuple[str, ...]
    mean: Array  # (D,)
    spread: Array  # (D,)
    weights: Array  # (D + 1,), the last is the constant
    curve_at: Array  # (P,)
    wrong_above: Array  # (P,)
    right_below: Array  # (P,)
    floor: Array  # (), the score that stands for the next match where there is none
    same: Array  # (), from which value of the signal `same` on a match says the same as the first

    @classmethod
    def fit(cls, names: Sequence[str], rankings: Sequence[Ranking], is_right: Array, *, ridge: float = 1.0) -> Decider:
        """Learn from rankings and whether the first match of each was right; the curves come from cross-validated probabilities.

        From which nearness on a match says the same as the first is chosen by the likelihood of those probabilities.
        """
        if is_right.all() or not is_right.any():
            raise BadData(f"{int(is_right.sum())} of {len(is_right)} first matches are right; calibration needs right ones and wrong ones")
        trials = [_Trial.of(names, rankings, is_right, same, ridge) for same in _SAMES]
        best = max(trials, key=lambda trial: trial.likelihood(is_right))
        mean, spread = best.scale
        at, above, below = curves(best.held_out, is_right)
        weights = _logistic((best.rows - mean) / spread, is_right, ridge)
        return cls(tuple(names), mean, spread, weights, at, above, below, np.array(best.next_match.floor), np.array(best.next_match.same))

    def probability(self, ranking: Ranking) -> float:
        """Return how probable it is that the first match answers the claim; 0 without a match."""
        if not ranking.matches:
            return 0.0
        row = features(ranking.matches, self.names, NextMatch(float(self.floor), float(self.same)))
        scaled = (row - self.mean) / self.spread
        return float(_probability(self.weights, scaled[None, :])[0])

    def lane(self, probability: float, risk: float) -> Lane:
        """Return the lane of a probability at a tolerated error."""
        if probability >= self.threshold(risk):
            return Lane.MATCHED
        safe = self.curve_at[self.right_below <= risk]
        return Lane.NO_MATCH if probability <= max(risk, safe.max(initial=0.0)) else Lane.REVIEW

    def threshold(self, risk: float) -> float:
        """Return the least probability that is answered at this risk: 1 − risk, or less where the calibration claims allow it."""
        safe = self.curve_at[self.wrong_above <= risk]
        return float(min(1 - risk, safe.min(initial=1.0)))

    def save(self, folder: Path) -> None:
        """Write the model to a folder."""
        arrays = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "names"}
        write_model(folder, KIND, {"signals": list(self.names)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Decider:
        """Read a saved model."""
        record, arrays = read_model(folder, KIND)
        return cls(tuple(record["signals"]), **{"same": np.array(_SAMES[-1]), **arrays})  # models made before `same` go by words alone


def decide(decider: Decider, *, risk: float = 0.05) -> Stage:
    """Give each ranking its decision. A claim that shares a link with its first match is matched whatever its words."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        decided = [dataclasses.replace(ranking, decision=_decision(decider, ranking, risk)) for ranking in rankings]
        return never_by_a_changed_check(decided)

    return run


def never_by_a_changed_check(rankings: Sequence[Ranking], /) -> list[Ranking]:
    """Move rankings out of `matched` into `differs` whose first match is a check of something changed: near, and never the answer."""
    return [_without_changed(ranking) for ranking in rankings]


def _without_changed(ranking: Ranking) -> Ranking:
    decision = ranking.decision
    if decision is None or decision.lane is not Lane.MATCHED or ranking.matches[0].relation not in CHANGED:
        return ranking
    return dataclasses.replace(ranking, decision=dataclasses.replace(decision, lane=Lane.DIFFERS))


def _decision(decider: Decider, ranking: Ranking, risk: float) -> Decision:
    if not ranking.matches:
        return Decision(Lane.NO_MATCH, 0.0, risk)
    probability = decider.probability(ranking)
    is_linked = ranking.matches[0].signals.get("link", 0.0) > 0
    return Decision(Lane.MATCHED if is_linked else decider.lane(probability, risk), probability, risk)


@dataclass(frozen=True, slots=True)
class NextMatch:
    """How the next match that says something else is found: `floor` is its score where there is none, `same` the least nearness of what
    says the same as the first."""

    floor: float
    same: float

    def score(self, matches: Sequence[Match]) -> float:
        """Return the score of the first match that neither words the claim as the very first does nor says the same."""
        return next((match.score for match in matches[1:] if not says_same(matches[0], match, least=self.same)), self.floor)


def features(matches: Sequence[Match], names: Sequence[str], next_match: NextMatch) -> Array:
    """Return the first match's signals, its score, and its lead over the next match that says something else, (D,)."""
    signals = matrix(matches[:1], names)[0]
    return np.append(signals, [matches[0].score, matches[0].score - next_match.score(matches)])


@dataclass(frozen=True)
class _Trial:
    """The rows under one choice of `same`, and the probabilities of each by a model that has not seen it."""

    next_match: NextMatch
    rows: Array  # (N, D)
    held_out: Array  # (N,)

    @classmethod
    def of(cls, names: Sequence[str], rankings: Sequence[Ranking], is_right: Array, same: float, ridge: float) -> _Trial:
        floor = float(np.mean([NextMatch(0.0, same).score(ranking.matches) for ranking in rankings]))
        next_match = NextMatch(floor, same)
        rows = np.stack([features(ranking.matches, names, next_match) for ranking in rankings])
        check_finite(rows, (*names, SCORE, LEAD))
        return cls(next_match, rows, _held_out(rows, is_right, ridge))

    @property
    def scale(self) -> tuple[Array, Array]:
        """The mean and spread of each column; a constant one is left as it is."""
        return _scale(self.rows)

    def likelihood(self, is_right: Array) -> float:
        """Return the mean logarithm of the probability given to what was so."""
        given = np.clip(np.where(is_right, self.held_out, 1 - self.held_out), 1e-6, 1.0)
        return float(np.log(given).mean())


def _scale(rows: Array) -> tuple[Array, Array]:
    spread = rows.std(axis=0)
    return rows.mean(axis=0), np.where(spread > 0, spread, 1.0)


def _held_out(rows: Array, is_right: Array, ridge: float) -> Array:
    """Return the probability of each row by a model fitted on nine tenths of the others."""
    mean, spread = _scale(rows)
    scaled = (rows - mean) / spread
    held_out = np.empty(len(rows))
    folds = np.arange(len(rows)) % min(10, len(rows))
    for fold in np.unique(folds):
        here = folds == fold
        learnt = is_right[~here]
        held_out[here] = (
            _probability(_logistic(scaled[~here], learnt, ridge), scaled[here]) if 0 < learnt.sum() < len(learnt) else is_right.mean()
        )
    return held_out


def curves(probability: Array, is_right: Array) -> tuple[Array, Array, Array]:
    """Return the probabilities, falling, and at each the share of wrong among those at least, and of right among those at most, as high.

    Both shares are upper bounds, by Wilson's interval.
    """
    order = np.argsort(-probability, kind="stable")
    right = is_right[order].astype(float)
    count = np.arange(1, len(order) + 1)
    _, wrong_above = wilson(np.cumsum(1 - right), count, z=_CONFIDENCE)
    _, right_below = wilson(np.cumsum(right[::-1]), count, z=_CONFIDENCE)
    return probability[order], wrong_above, right_below[::-1]


def _logistic(rows: Array, is_right: Array, ridge: float) -> Array:
    """Fit weights and a constant by Newton's method; the constant is not shrunk."""
    full = np.column_stack([rows, np.ones(len(rows))])
    shrink = np.append(np.full(rows.shape[1], ridge), 0.0)
    weights = np.zeros(full.shape[1])
    for _ in range(100):
        probability = 1 / (1 + np.exp(-np.clip(full @ weights, -30, 30)))
        slope = full.T @ (probability - is_right) + shrink * weights
        bend = (full * (probability * (1 - probability))[:, None]).T @ full + np.diag(shrink + 1e-9)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _probability(weights: Array, scaled: Array) -> Array:
    odds = np.einsum("nd,d->n", scaled, weights[:-1]) + weights[-1]
    return np.array([1 / (1 + math.exp(-min(max(value, -30.0), 30.0))) for value in odds])
