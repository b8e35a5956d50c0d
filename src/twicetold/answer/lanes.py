"""Decide whether anyone has checked a claim, from what was judged of each pair: a calibrated chance, and a lane for the error tolerated.

The chance that *any* of the matches answers is a logistic model over the chances of the pairs: the largest, the second, all together (1 −
the product of what is left), how far the nearest speaks of something changed, and how near anything is at all. The number of fact-checks
in the collection is not among them. A second model over the same gives the chance that the nearest checks speak of something changed.

    matched    the chance is at least 1 − risk, or among calibration claims at least as probable no more than `risk` were wrong, and
               the likeliest answer is not a check of something changed
    differs    not matched, and the nearest checks speak of something changed
    no match   the chance is at most `risk`, or among calibration claims at most as probable no more than `risk` had been answered, and
               everything near was read
    review     everything else: among it claims in a language that is not read, and collections that are not wholly indexed

Shares of calibration claims are upper bounds (Wilson 1927), so that few claims do not pass for certainty; how sure they are is fitted. A
claim that shares a link with its first match is matched whatever its words. Fitted in the laboratory.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

from twicetold.errors import BadData
from twicetold.judge.stage import CHANGED_SIGNAL, FIRST, VERBATIM, is_unrelated
from twicetold.rank.saved import read_model, write_model
from twicetold.rank.signals import Array
from twicetold.stage import Stage
from twicetold.types import ANSWERING, CHANGED, Decision, Lane, Match, Ranking, Relation

KIND = "lanes"
FEATURES = (
    "answers.most",
    "answers.second",
    "answers.any",
    "answers.first",
    "changed.most",
    "changed.first",
    "changed.of_most",
    "cosine.most",
    "share.most",
    "cosine.of_most",
    "length",
)
"""Chances as log odds: of the likeliest answer, the second, any, and the first match; that the likeliest change, the first match, and the
likeliest answer are of something changed; the largest cosine and share of words, the cosine of the likeliest answer; the claim's length."""
_LEAST_CHANCE = 1e-4
_MOST_ODDS = 30.0


@dataclass(frozen=True)
class Lanes:
    """Fitted models and the curves that bound errors: of calling claims matched from a chance on, and checked by nobody up to one."""

    mean: Array  # (D,)
    spread: Array  # (D,)
    answered: Array  # (D + 1,), the last is the constant
    changed: Array  # (D + 1,)
    matched_at: Array  # (P,)
    wrong_above: Array  # (P,), among claims that may be matched and are at least as probable
    none_at: Array  # (Q,)
    right_below: Array  # (Q,), among claims that neither are matched nor differ and are at most as probable
    differs_from: Array  # (), the least chance of a change from which on a claim that is not matched differs

    def chances(self, ranking: Ranking) -> tuple[float, float]:
        """Return how probable it is that any match answers the claim, and that the nearest speak of something changed."""
        if not any(match.answers is not None for match in ranking.matches):
            return 0.0, 0.0
        scaled = (features(ranking) - self.mean) / self.spread
        return _chance(self.answered, scaled), _chance(self.changed, scaled)

    def least_matched(self, risk: float) -> float:
        """Return the least chance that is matched at this risk: 1 − risk, or less where the calibration claims allow it."""
        return float(min(1 - risk, self.matched_at[self.wrong_above <= risk].min(initial=1.0)))

    def most_unmatched(self, risk: float) -> float:
        """Return the largest chance at which a claim is called checked by nobody: the risk, or more where the calibration allows it."""
        return float(max(risk, self.none_at[self.right_below <= risk].max(initial=0.0)))

    def save(self, folder: Path) -> None:
        """Write the models to a folder."""
        arrays = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        write_model(folder, KIND, {"signals": list(FEATURES)}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Lanes:
        """Read saved models. Raises BadData if they are missing, damaged or made for other features."""
        record, arrays = read_model(folder, KIND)
        if tuple(record["signals"]) != FEATURES:
            raise BadData(f"the model in {folder} was made for the features {record['signals']}, not {list(FEATURES)}; train it again")
        return cls(**arrays)


def in_lanes(lanes: Lanes, *, risk: float = 0.05, is_whole: Callable[[], bool] = lambda: True) -> Stage:
    """Give each judged ranking its decision. Unless the collection `is_whole`, nothing is called checked by nobody."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        may_say_none = is_whole()
        return [dataclasses.replace(ranking, decision=_decision(lanes, ranking, risk, may_say_none)) for ranking in rankings]

    return run


def _decision(lanes: Lanes, ranking: Ranking, risk: float, may_say_none: bool) -> Decision:
    answered, changed = lanes.chances(ranking)
    if ranking.matches and ranking.matches[0].signals.get("link", 0.0) > 0:
        return Decision(Lane.MATCHED, max(answered, 1 - risk), risk)
    if is_verbatim(ranking) and risk >= 1 - VERBATIM:
        return Decision(Lane.MATCHED, max(answered, VERBATIM), risk)
    if answered >= lanes.least_matched(risk) and may_be_matched(ranking):
        return Decision(Lane.MATCHED, answered, risk)
    if tells_a_change(ranking) and (changed >= float(lanes.differs_from) or answered >= lanes.least_matched(risk)):
        return Decision(Lane.DIFFERS, answered, risk)
    is_none = may_say_none and answered <= lanes.most_unmatched(risk) and all_near_were_read(ranking)
    return Decision(Lane.NO_MATCH if is_none else Lane.REVIEW, answered, risk)


def tells_a_change(ranking: Ranking) -> bool:
    """True if a match speaks of something changed and none was judged to answer."""
    told = {match.relation for match in ranking.matches}
    return bool(told & CHANGED) and not told & (ANSWERING | {Relation.PART})


def is_verbatim(ranking: Ranking) -> bool:
    """True if the likeliest answer checks the claim word for word."""
    best = _best(ranking.matches)
    return best is not None and (best.answers or 0.0) >= VERBATIM


def may_be_matched(ranking: Ranking) -> bool:
    """True if the likeliest answer is not a check of something changed."""
    best = _best(ranking.matches)
    return best is not None and best.relation not in CHANGED


def all_near_were_read(ranking: Ranking) -> bool:
    """True if every one of the first matches was read that is not clearly unrelated, and the claim is in a language that is read."""
    if ranking.query.lang not in ("", "en"):
        return False
    return all(match.answers is not None or is_unrelated(match) for match in ranking.matches[:FIRST])


def features(ranking: Ranking) -> Array:
    """Return the features of a judged ranking, (D,), in the order of FEATURES."""
    read = [match for match in ranking.matches if match.answers is not None]
    answers = sorted((match.answers or 0.0 for match in read), reverse=True)
    best, first = _best(read), read[0]
    assert best is not None  # a ranking without a match that was read has no chances
    nobody = math.prod(1 - chance for chance in answers)
    row = (
        _odds(answers[0]),
        _odds(answers[1]) if len(answers) > 1 else _odds(0.0),
        _odds(1 - nobody),
        _odds(first.answers or 0.0),
        _odds(max(map(_changed, read))),
        _odds(_changed(first)),
        _odds(_changed(best)),
        max(map(_cosine, ranking.matches)),
        max(match.signals.get("share.best", 0.0) for match in ranking.matches),
        _cosine(best),
        math.log1p(len(ranking.query.text.split())),
    )
    return np.array(row)


def _best(matches: Sequence[Match]) -> Match | None:
    """Return the match that is likeliest to answer, the first of equals."""
    return max((match for match in matches if match.answers is not None), key=lambda match: match.answers or 0.0, default=None)


def _changed(match: Match) -> float:
    return match.signals.get(CHANGED_SIGNAL, 0.0)


def _cosine(match: Match) -> float:
    return max(match.signals.get("dense.claim", 0.0), match.signals.get("dense.title", 0.0))


def _odds(chance: float) -> float:
    kept = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return math.log(kept / (1 - kept))


def _chance(weights: Array, scaled: Array) -> float:
    value = float(np.dot(scaled, weights[:-1]) + weights[-1])
    return 1 / (1 + math.exp(-min(max(value, -_MOST_ODDS), _MOST_ODDS)))


def error_from(chance: Array, is_right: Array, *, confidence: float) -> tuple[Array, Array]:
    """Return the chances, falling, and a bound of the share of wrong among those at least as high, above the truth with this confidence."""
    order = np.argsort(-chance, kind="stable")
    count = np.arange(1, len(order) + 1)
    return chance[order], upper_bound(np.cumsum(~is_right[order]) / count, count, confidence)


def upper_bound(share: Array, count: Array, confidence: float) -> Array:
    """Return Wilson's upper bound of a share of so many."""
    square = NormalDist().inv_cdf(confidence) ** 2 / count
    middle = share + square / 2
    return np.asarray((middle + np.sqrt(square * share * (1 - share) + square**2 / 4)) / (1 + square))
