"""Decide whether any match answers the claim: a calibrated probability, and a lane for the error the user tolerates.

The pair reader gave the first matches the chance that each answers the claim, and the chance that it speaks of the same statement with
one thing changed. A logistic model over the best of these gives the chance that *any* answers; a second one the chance that the nearest
checks differ. A claim lands in `matched` if its probability is at least 1 − risk, or if among calibration claims at least as probable no
more than `risk` were wrong; in `differs` if the second model says so; in `no match` if its probability is at most `risk`, or if among those
at most as probable no more than `risk` had been answered; otherwise in `review`. Shares of calibration claims are upper bounds, so that
few claims do not pass for certainty. Where no match could be read (another language), nearness alone gives a probability, and the lane is
`review`. A decision is about the collection at hand and the kind of claims it was calibrated on; `docs/reranking.md` says how it holds.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.errors import BadData
from twicetold.rerank.logistic import Logistic
from twicetold.rerank.saved import read_model, write_model
from twicetold.rerank.signals import Array, check_finite
from twicetold.shares import wilson
from twicetold.stage import Stage
from twicetold.types import CHANGED, Decision, Lane, Match, Ranking

KIND = "decide"
SIGNALS = ("answers.best", "answers.second", "answers.any", "changed.most", "changed.best", "dense.best", "share.best", "cover", "length")
"""What the models see of a ranking: chances as log-odds, and how near the best match is by meaning and by words."""
NEARNESS = ("dense.best", "share.best", "cover", "length")
"""What is left where nothing could be read."""
CONFIDENCE = 0.2533
"""Standard deviations of the bounds on shares of calibration claims: three in five lie above the truth."""
_FOLDS = 10
_DIFFERS = np.linspace(0.15, 0.85, 71)
_MODELS = ("any", "changed", "near")
_ARRAYS = ("curve_at", "wrong_above", "right_below", "differs_at")


@dataclass(frozen=True)
class Decider:
    """Fitted models. `curve_at` are falling probabilities; the other two bound the error of answering, or of saying none, at each."""

    any: Logistic
    changed: Logistic
    near: Logistic
    curve_at: Array  # (P,)
    wrong_above: Array  # (P,)
    right_below: Array  # (P,)
    differs_at: Array  # (), the least chance of a change that is told as one

    @classmethod
    def fit(cls, rankings: Sequence[Ranking], kinds: Sequence[str], is_right_first: Array) -> Decider:
        """Learn from judged rankings; `kinds` are answered, changed or unchecked. The curves come from cross-validated probabilities.

        `is_right_first` tells whether the first match does answer: what is matched wrongly is either unanswered, or shown with a check
        that does not answer.
        """
        answered, changed = (np.array([kind == one for kind in kinds]) for one in ("answered", "changed"))
        if answered.all() or not answered.any() or not changed.any():
            raise BadData(f"{int(answered.sum())} of {len(kinds)} claims are answered, {int(changed.sum())} changed; both are needed")
        rows = np.stack([features(ranking.matches) for ranking in rankings])
        check_finite(rows, SIGNALS)
        held, held_changed = held_out(rows, answered), held_out(rows, changed)
        at, above, below = curves(held, answered & is_right_first, answered)
        models = [Logistic.fit(rows, answered), Logistic.fit(rows, changed), Logistic.fit(_nearness(rows), answered)]
        return cls(*models, at, above, below, np.array(_best_threshold(held_changed, changed)))

    def probability(self, ranking: Ranking) -> float:
        """Return how probable it is that any match answers the claim; 0 without a match."""
        if not ranking.matches:
            return 0.0
        row = features(ranking.matches)
        return self.near.chance(_nearness(row)) if is_unread(ranking.matches) else self.any.chance(row)

    def lane(self, ranking: Ranking, probability: float, risk: float) -> Lane:
        """Return the lane of a ranking with this probability at a tolerated error."""
        if is_unread(ranking.matches):
            return Lane.REVIEW
        if probability >= self.threshold(risk):
            return Lane.MATCHED
        if has_change(ranking.matches) and self.changed.chance(features(ranking.matches)) >= float(self.differs_at):
            return Lane.DIFFERS
        safe = self.curve_at[self.right_below <= risk]
        return Lane.NO_MATCH if probability <= max(risk, safe.max(initial=0.0)) else Lane.REVIEW

    def threshold(self, risk: float) -> float:
        """Return the least probability that is answered at this risk: 1 − risk, or less where the calibration claims allow it."""
        safe = self.curve_at[self.wrong_above <= risk]
        return float(min(1 - risk, safe.min(initial=1.0)))

    def save(self, folder: Path) -> None:
        """Write the model to a folder."""
        arrays = {f"{name}.{part}": getattr(getattr(self, name), part) for name in _MODELS for part in ("mean", "spread", "weights")}
        arrays |= {name: getattr(self, name) for name in _ARRAYS}
        write_model(folder, KIND, {"signals": list(SIGNALS)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Decider:
        """Read a saved model."""
        record, arrays = read_model(folder, KIND)
        if tuple(record["signals"]) != SIGNALS:
            raise BadData(
                f"the decision in {folder} was made for other signals; reinstall twicetold-models, or type: twicetold train decide"
            )
        models = [Logistic(*(arrays[f"{name}.{part}"] for part in ("mean", "spread", "weights"))) for name in _MODELS]
        return cls(*models, *(arrays[name] for name in _ARRAYS))


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
    return Decision(Lane.MATCHED if is_linked else decider.lane(ranking, probability, risk), probability, risk)


def is_unread(matches: Sequence[Match]) -> bool:
    """True if there are matches and the pair reader could read none of them."""
    return bool(matches) and all(match.answers is None for match in matches)


def has_change(matches: Sequence[Match]) -> bool:
    """True if a match speaks of the same statement with one thing changed."""
    return any(match.relation in CHANGED for match in matches)


def features(matches: Sequence[Match]) -> Array:
    """Return the values of SIGNALS of a ranking's matches, (D,)."""
    read = [match for match in matches if match.answers is not None]
    answers = sorted((match.answers or 0.0 for match in read), reverse=True)
    changed = {match.doc.id: match.signals.get("judge.changed", 0.0) for match in read}
    best = max(read or matches, key=lambda match: match.answers or 0.0)
    return np.array([
        _odds(answers[0] if answers else 0.0),
        _odds(answers[1] if len(answers) > 1 else 0.0),
        _odds(1 - math.prod(1 - chance for chance in answers)),
        _odds(max(changed.values(), default=0.0)),
        _odds(changed.get(best.doc.id, 0.0)),
        *(_most(matches, name) for name in ("dense.best", "share.best")),
        max(_most(matches, "cover.claim"), _most(matches, "cover.title")),
        best.signals.get("length", 0.0),
    ])  # fmt: skip


def _most(matches: Sequence[Match], name: str) -> float:
    return max(match.signals.get(name, 0.0) for match in matches)


def _nearness(rows: Array) -> Array:
    return rows[..., [SIGNALS.index(name) for name in NEARNESS]]


def _odds(chance: float) -> float:
    kept = min(max(chance, 0.002), 0.998)
    return math.log(kept / (1 - kept))


# --- fitting -------------------------------------------------------------------------------------------------------


def held_out(rows: Array, is_so: Array) -> Array:
    """Return the chance of each row by a model fitted on nine tenths of the others."""
    chances = np.empty(len(rows))
    folds = np.arange(len(rows)) % min(_FOLDS, len(rows))
    for fold in np.unique(folds):
        here = folds == fold
        model = Logistic.fit(rows[~here], is_so[~here])
        chances[here] = [model.chance(row) for row in rows[here]]
    return chances


def curves(probability: Array, is_right: Array, is_answered: Array | None = None) -> tuple[Array, Array, Array]:
    """Return the probabilities, falling, and at each the share of wrong among those at least, and of answered among those at most, as high.

    Both shares are upper bounds, by Wilson's interval.
    """
    order = np.argsort(-probability, kind="stable")
    right = is_right[order].astype(float)
    answered = right if is_answered is None else is_answered[order].astype(float)
    count = np.arange(1, len(order) + 1)
    wrong_above = wilson(np.cumsum(1 - right), count, z=CONFIDENCE)[1]
    right_below = wilson(np.cumsum(answered[::-1]), count, z=CONFIDENCE)[1][::-1]
    return probability[order], wrong_above, right_below


def _best_threshold(chance: Array, is_so: Array) -> float:
    """Return the threshold of the best F1."""

    def f1(least: float) -> float:
        told = chance >= least
        return 2 * float((told & is_so).sum()) / max(1.0, float(told.sum() + is_so.sum()))

    return float(max(_DIFFERS, key=f1))
