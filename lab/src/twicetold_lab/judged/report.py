"""Score answers by judged pairs: can "checked" and "not checked" be trusted, and is what differs told rightly?

Answers are rankings as `match --json` writes them. A claim is *answered* if a judged check answers it, *changed* if none does but one says
the same with one thing changed, otherwise *unchecked*. A first match that nobody judged counts as wrong. Intervals are 95 %: Wilson's for
shares, bootstrap over claims for areas.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twicetold.shares import wilson
from twicetold.types import Difference, Lane, Match, Ranking
from twicetold_lab.judged.files import JudgedPair

Array = np.ndarray[Any, np.dtype[np.float64]]
_LEAST_F1 = 0.5


@dataclass(frozen=True)
class Case:
    """A judged claim with its answer: the judgements by check, and what was said."""

    pairs: Mapping[str, JudgedPair]
    ranking: Ranking

    @property
    def kind(self) -> str:
        """answered, changed or unchecked, by every judged check of the claim."""
        if any(pair.answers for pair in self.pairs.values()):
            return "answered"
        return "changed" if any(pair.is_changed for pair in self.pairs.values()) else "unchecked"

    @property
    def lane(self) -> Lane | None:
        return self.ranking.decision.lane if self.ranking.decision else None

    @property
    def probability(self) -> float:
        return self.ranking.decision.probability if self.ranking.decision else 0.0

    @property
    def is_right_first(self) -> bool:
        """Whether the first match, or a twin of it, answers."""
        return bool(self.ranking.matches) and any(self._answers(id) for id in _ids(self.ranking.matches[0]))

    @property
    def family(self) -> tuple[int, int]:
        """How many of the checks that answer are among the first ten, and how many there are."""
        right = {id for id, pair in self.pairs.items() if pair.answers}
        found = {id for match in self.ranking.matches[:10] for id in _ids(match)}
        return len(right & found), len(right)

    @property
    def told(self) -> tuple[Match, JudgedPair] | None:
        """The first match said to differ whose pair was judged as changed."""
        for match in self.ranking.matches:
            pair = self.pairs.get(match.doc.id)
            if match.differences and pair is not None and pair.is_changed:
                return match, pair
        return None

    @property
    def is_right_kind(self) -> bool:
        return self.lane is Lane.DIFFERS and self.told is not None and self.told[0].relation is self.told[1].relation

    @property
    def is_right_words(self) -> bool:
        if self.lane is not Lane.DIFFERS or self.told is None:
            return False
        match, pair = self.told
        return any(_overlaps(difference, pair) for difference in match.differences)

    def _answers(self, id: str) -> bool:
        pair = self.pairs.get(id)
        return pair is not None and bool(pair.answers)


def cases(pairs: Iterable[JudgedPair], rankings: Iterable[Ranking], part: str) -> list[Case]:
    """Join the answers with the judgements of one part."""
    by_claim: dict[str, dict[str, JudgedPair]] = {}
    for pair in pairs:
        if pair.part == part:
            by_claim.setdefault(pair.claim, {}).setdefault(pair.check, pair)
    return [Case(by_claim[ranking.query.id], ranking) for ranking in rankings if ranking.query.id in by_claim]


def report(told: Sequence[Case]) -> dict[str, Any]:
    """Return every figure of the page, with intervals and counts."""
    by_kind = {kind: [case for case in told if case.kind == kind] for kind in ("answered", "changed", "unchecked")}
    answered, changed, unchecked = by_kind.values()
    matched = [case for case in told if case.lane is Lane.MATCHED]
    found, all_ = (sum(case.family[i] for case in answered) for i in (0, 1))
    return {
        "claims": {kind: len(some) for kind, some in by_kind.items()},
        "lanes": {kind: dict(Counter(str(case.lane) for case in some)) for kind, some in by_kind.items()},
        "area": {
            "any answers": area_with_interval(answered, [*changed, *unchecked]),
            "against changed": area_with_interval(answered, changed),
            "against unchecked": area_with_interval(answered, unchecked),
        },
        "answered: matched": share(answered, lambda case: case.lane is Lane.MATCHED),
        "matched: wrong": share(matched, lambda case: not case.is_right_first),
        "changed: matched": share(changed, lambda case: case.lane is Lane.MATCHED),
        "changed: differs": share(changed, lambda case: case.lane is Lane.DIFFERS),
        "changed: differs, right kind": share(changed, lambda case: case.is_right_kind),
        "changed: differs, right words": share(changed, lambda case: case.is_right_words),
        "answered: differs": share(answered, lambda case: case.lane is Lane.DIFFERS),
        "unchecked: no match": share(unchecked, lambda case: case.lane is Lane.NO_MATCH),
        "unchecked: matched": share(unchecked, lambda case: case.lane is Lane.MATCHED),
        "answered: no match": share(answered, lambda case: case.lane is Lane.NO_MATCH),
        "answered: right check first": share(answered, lambda case: case.is_right_first),
        "answered: family in the first ten": _share(found, all_),
        "unjudged in the first ten": sum(match.doc.id not in case.pairs for case in told for match in case.ranking.matches[:10]),
    }


def share(some: Sequence[Case], holds: Callable[[Case], bool]) -> dict[str, Any]:
    """Return the share of cases for which something holds, with Wilson's interval."""
    return _share(sum(map(holds, some)), len(some))


def _share(count: int, of: int) -> dict[str, Any]:
    low, high = (round(float(end), 4) for end in wilson(count, of))
    return {"share": round(count / of, 4) if of else None, "low": low, "high": high, "count": count, "of": of}


def area(positive: Array, negative: Array) -> float:
    """Return the area under the ROC curve: the chance that a positive lies above a negative, ties counting half.

    >>> area(np.array([3.0, 2.0]), np.array([1.0, 2.0]))
    0.875
    """
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, "left") + np.searchsorted(ordered, positive, "right")
    return float(below.mean() / (2 * len(negative))) if len(positive) and len(negative) else math.nan


def area_with_interval(positive: Sequence[Case], negative: Sequence[Case], *, draws: int = 2000, seed: int = 0) -> dict[str, float]:
    """Return the area by the stated probability, with a bootstrap interval over claims of either kind."""
    one, other = (np.array([case.probability for case in some]) for some in (positive, negative))
    rng = np.random.default_rng(seed)
    drawn = [area(rng.choice(one, len(one)), rng.choice(other, len(other))) for _ in range(draws)] if len(one) and len(other) else []
    low, high = np.percentile(drawn, [2.5, 97.5]) if drawn else (math.nan, math.nan)
    return {"area": round(area(one, other), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def _ids(match: Match) -> tuple[str, ...]:
    return (match.doc.id, *(twin.id for twin in match.twins))


def _overlaps(difference: Difference, pair: JudgedPair) -> bool:
    return token_f1(difference.ours.text, pair.ours) >= _LEAST_F1 and token_f1(difference.theirs.text, pair.theirs) >= _LEAST_F1


def token_f1(one: str, other: str) -> float:
    """Return the F1 of the words that two spans share.

    >>> round(token_f1("60 percent", "about 60 percent"), 2)
    0.8
    """
    ours, theirs = (Counter(re.findall(r"\w+|%", text.casefold())) for text in (one, other))
    shared = sum((ours & theirs).values())
    return 2 * shared / (sum(ours.values()) + sum(theirs.values())) if shared else 0.0
