"""Find fact-checks for a claim inside a speech: by its own words, by the lines around it, and among what its speaker was checked for.

Every candidate gets the signals of every view of the claim **against that same candidate** (Shaar et al. 2022, eq. 1):

    bm25.claim …             the line as said
    resolved.bm25.claim …    the line with pronouns replaced, where a resolver is given
    fc[-1].bm25.claim …      the line before, fc[+1] the line after: FC(k, l) has k before and l after
    around.bm25.claim …      all those lines together
    speaker.… age.…          who made the checked claim, and when

Lines beyond the ends of the transcript give zeros (`pad`) or repeat the first or last line (`clamp`). Cost: one encoding for each
line and about 15 word searches for each view.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import numpy as np

from twicetold.collection import Collection
from twicetold.rerank.context.probe import Array, Probe
from twicetold.rerank.context.speakers import Speakers
from twicetold.stage import Stage
from twicetold.store import Filters
from twicetold.types import Claim, Context, FactCheck, Line, Match, Question, Ranking, ranked

Resolve = Callable[[Claim], str]
"""Returns the claim's text with its pronouns replaced by what they stand for in its context."""

Rank = Callable[[dict[str, Array]], Any]
"""Scores candidates from their signals, (N,)."""

_KEPT_PROBES = 64
WHOLE = ("said", "around", "resolved")
NEIGHBOUR = 0.4
"""What a view that does not hold the claim itself weighs in choosing candidates."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which lines around a claim count, `behind` before it and `ahead` after it, and as which views.

    Each of the `lines` by itself, all `around` the claim together, the claim `resolved`. `candidates_from` says whether the views find
    candidates too, or only the line as said does, or (as published) only its words in bodies.
    """

    behind: int = 3
    ahead: int = 1
    edge: Literal["pad", "clamp"] = "pad"
    views: tuple[Literal["lines", "around", "resolved"], ...] = ("lines", "around", "resolved")
    candidates_from: Literal["body", "said", "context"] = "context"
    pool: int = 100
    shortlist: int = 300
    """How many candidates, the best over all views by reciprocal rank, get all signals."""


class Finder:
    """A stage that finds candidates in context. `rank` scores them from all signals; the best `depth` are kept."""

    def __init__(self, collection: Collection, rank: Rank, *, scope: Scope | None = None, resolve: Resolve | None = None) -> None:
        self.collection = collection
        self.rank = rank
        self.scope = scope or Scope()
        self.resolve = resolve
        self.speakers = Speakers.of(collection)
        self._probes: dict[str, Probe] = {}
        self._checked: dict[str, list[int]] = {}
        self._viewed: tuple[Claim, dict[str, str]] | None = None
        self._people_of: dict[tuple[str, tuple[Line, ...]], str] = {}

    def stage(self, *, depth: int = 100, filters: Filters | None = None) -> Stage:
        """Return the stage; with `filters`, only these fact-checks may answer."""

        def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
            allowed = None if filters is None or filters == Filters() else frozenset(self.collection.store.allowed(filters))
            return [self._answer(asked, depth, allowed) for asked in rankings]

        return run

    def _answer(self, asked: Ranking, depth: int, allowed: frozenset[int] | None) -> Ranking:
        claim = as_claim(asked.query)
        nums = self.candidates(claim, allowed)
        if not nums:
            return Ranking(asked.query)
        checks = self.collection.store.fetch(nums)
        signals = self.signals(claim, nums, checks)
        scores = np.asarray(self.rank(signals), np.float64)
        names = list(signals)
        table = np.stack([signals[name] for name in names], axis=1).tolist()  # (N, D)
        order = sorted(range(len(nums)), key=lambda i: -scores[i])
        last = scores[order[depth - 1]] if len(order) > depth else -np.inf
        matches = [
            Match(checks[nums[i]], float(scores[i]), signals=dict(zip(names, table[i], strict=True))) for i in order if scores[i] >= last
        ]
        ranking = ranked(asked.query, matches)
        return dataclasses.replace(ranking, matches=ranking.matches[:depth])

    # --- candidates

    def candidates(self, claim: Claim, allowed: frozenset[int] | None = None) -> list[int]:
        """Return the numbers of the fact-checks that the views of the claim find best, ascending."""
        if self.scope.candidates_from == "body":
            found = self._probe(claim.text).found_in_bodies()
            return sorted(num for num in found if allowed is None or num in allowed)
        gains: dict[int, float] = {}
        views = self.views(claim) if self.scope.candidates_from == "context" else {}
        for view, text in {"said": claim.text, **views}.items():
            weight = 1.0 if view in WHOLE else NEIGHBOUR
            for num, gain in self._probe(text).ranks().items():
                gains[num] = gains.get(num, 0.0) + weight * gain
        for rank, num in enumerate(self._said_before(claim) if views else [], start=1):
            gains[num] = gains.get(num, 0.0) + 2 / (20 + rank)
        permitted = (num for num in gains if allowed is None or num in allowed)
        return sorted(sorted(permitted, key=lambda num: (-gains[num], num))[: self.scope.shortlist])

    def _said_before(self, claim: Claim) -> list[int]:
        """What this speaker was checked for, nearest to the claim first, as far as a search goes."""
        person = self.person(claim)
        if person not in self._checked:
            self._checked[person] = self.collection.store.allowed(Filters(claimants=(person,))) if person else []
        nums = self._checked[person]
        if not nums:
            return []
        total = np.zeros(len(nums), np.float64)
        for text in {claim.text, self.views(claim).get("around", claim.text)}:
            signals = self._probe(text).signals(nums)
            total += signals["share.claim"] + signals["share.body"] + signals["dense.claim"] + signals["dense.title"]
        best = np.argsort(-total, kind="stable")[: self.scope.pool]
        return [nums[i] for i in best]

    def views(self, claim: Claim) -> dict[str, str]:
        """Return the texts put to the collection besides the claim's own, by name, oldest line first."""
        # Asked for several times while one claim is answered, and resolving costs: the last claim's views are kept.
        if self._viewed is None or self._viewed[0] is not claim:
            self._viewed = (claim, self._views(claim))
        return self._viewed[1]

    def _views(self, claim: Claim) -> dict[str, str]:
        views: dict[str, str] = {}
        lines = {offset: self._line(claim.context, offset) for offset in self._offsets()}
        if "lines" in self.scope.views:
            views |= {f"fc[{offset:+d}]": text for offset, text in lines.items() if offset}
        if "around" in self.scope.views and len(lines) > 1:
            views["around"] = " ".join(text if offset else claim.text for offset, text in lines.items()).strip()
        if "resolved" in self.scope.views and self.resolve is not None:
            views["resolved"] = self.resolve(claim)
        return views

    def _offsets(self) -> range:
        return range(-self.scope.behind, self.scope.ahead + 1)

    def _line(self, context: Context, offset: int) -> str:
        at = context.at + offset
        if self.scope.edge == "clamp" and context.lines:
            at = min(max(at, 0), len(context.lines) - 1)
        return context.lines[at].text if 0 <= at < len(context.lines) else ""

    # --- signals

    def signals(self, claim: Claim, nums: Sequence[int], checks: dict[int, FactCheck]) -> dict[str, Array]:
        """Return every signal of these candidates by name, each (N,)."""
        signals = dict(self._probe(claim.text).signals(nums))
        for view, text in self.views(claim).items():
            signals |= {f"{view}.{name}": values for name, values in self._probe(text).signals(nums).items()}
        return signals | self._people(claim, [checks[num] for num in nums])

    def _people(self, claim: Claim, checks: Sequence[FactCheck]) -> dict[str, Array]:
        """Who made the checked claims, and how long before this line."""
        person = self.person(claim)
        present = self._present(claim.context) - {"", person}
        window = " ".join([claim.text, *self.views(claim).values()]).casefold()
        days = [_days(claim, check) for check in checks]
        rows = {
            "speaker.same": [bool(person) and check.claimant == person for check in checks],
            "speaker.present": [check.claimant in present for check in checks],
            "speaker.named": [_last_name(check.claimant) in window for check in checks],
            "age.after": [ago is not None and ago < -1 for ago in days],
            "age.same_day": [ago is not None and abs(ago) <= 1 for ago in days],
            "age.month": [ago is not None and 1 < ago <= 30 for ago in days],
            "age.log_months": [math.log1p(max(ago or 0, 0) / 30) for ago in days],
        }
        return {name: np.array(values, np.float32) for name, values in rows.items()}

    def _present(self, context: Context) -> set[str]:
        """Who speaks in the lines up to this one and those it looks ahead to."""
        heard = context.lines[max(0, context.at - 400) : context.at + self.scope.ahead + 1]
        return {self._person(label, context) for label in {line.speaker for line in heard}}

    def person(self, claim: Claim) -> str:
        """Return who says the claim, as the fact-checks name that person."""
        return self._person(claim.said_by, claim.context)

    def _person(self, label: str, context: Context) -> str:
        opening = context.lines[:40]
        if (label, opening) not in self._people_of:
            self._people_of[label, opening] = self.speakers.person(label, " ".join(line.text for line in opening))
        return self._people_of[label, opening]

    def _probe(self, text: str) -> Probe:
        if text not in self._probes:
            if len(self._probes) >= _KEPT_PROBES:
                del self._probes[next(iter(self._probes))]
            self._probes[text] = Probe(self.collection, text, pool=self.scope.pool)
        return self._probes[text]


def as_claim(asked: Claim | Question) -> Claim:
    """Return a query as a claim; a question is one said by nobody."""
    return asked if isinstance(asked, Claim) else Claim(asked.id, asked.text, lang=asked.lang)


def _last_name(claimant: str) -> str:
    words = claimant.casefold().split()
    return words[-1] if len(words) > 1 else "\x00"


def _days(claim: Claim, check: FactCheck) -> int | None:
    """Days from the checked claim to this one; None where either day is unknown."""
    try:
        return (date.fromisoformat(claim.said_on) - date.fromisoformat(check.claimed_on or check.published)).days
    except ValueError:
        return None
