"""Find fact-checks for a claim inside a speech: by its own words, by the lines around it, and among what its speaker was checked for.

Every candidate gets the signals of every view of the claim **against that same candidate** (Shaar et al. 2022, eq. 1):

    bm25.claim …             the line as said
    resolved.bm25.claim …    the line with pronouns replaced, where a resolver is given
    fc[-1].bm25.claim …      the line before, fc[+1] the line after: FC(k, l) has k before and l after
    around.bm25.claim …      all those lines together
    speaker.… age.…          who made the checked claim, and when

Lines beyond the ends of the transcript give zeros (`pad`) or repeat the first or last line (`clamp`). Cost: one encoding and six word
searches for each view; claims asked together are encoded together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.rank.context.people import People
from twicetold.rank.context.probe import Array, Probe, plain
from twicetold.stage import Stage
from twicetold.types import Claim, Context, Match, Question, Ranking, ranked

Resolve = Callable[[Claim], str]
"""Returns the claim's text with its pronouns replaced by what they stand for in its context."""

Rank = Callable[[dict[str, Array]], Any]
"""Scores candidates from their signals, (N,)."""

Views = Mapping[str, str]
"""The texts of a claim that are put to the collection, by name."""

_KEPT_PROBES = 64
SAID = "said"
WHOLE = (SAID, "around", "resolved")
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
        self.people = People(collection)
        self._probes: dict[str, Probe] = {}

    def stage(self, *, depth: int = 100, filters: Filters | None = None) -> Stage:
        """Return the stage; with `filters`, only these fact-checks may answer."""

        def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
            allowed = None if filters is None or filters == Filters() else frozenset(self.collection.store.allowed(filters))
            viewed = [self.views(as_claim(asked.query)) for asked in rankings]
            if self.collection.vectors is not None:
                texts = (plain(text) for views in viewed for text in views.values())
                self.collection.query_vectors.prepare([text for text in texts if any(map(str.isalnum, text))])
            return [self._answer(asked, views, depth, allowed) for asked, views in zip(rankings, viewed, strict=True)]

        return run

    def _answer(self, asked: Ranking, views: Views, depth: int, allowed: frozenset[int] | None) -> Ranking:
        claim = as_claim(asked.query)
        nums = self.candidates(claim, views, allowed)
        if not nums:
            return Ranking(asked.query)
        signals = self.signals(claim, views, nums)
        scores = np.asarray(self.rank(signals), np.float64)
        order = np.argsort(-scores, kind="stable")
        last = scores[order[depth - 1]] if len(order) > depth else -np.inf
        kept = order[scores[order] >= last]  # ties at the cut are decided by id, which only the store knows
        checks = self.collection.store.fetch([nums[i] for i in kept])
        table = np.stack([values[kept] for values in signals.values()], axis=1).tolist()  # (K, D)
        matches = [
            Match(checks[nums[i]], float(scores[i]), signals=dict(zip(signals, row, strict=True)))
            for i, row in zip(kept.tolist(), table, strict=True)
            if nums[i] in checks
        ]
        ranking = ranked(asked.query, matches)
        return dataclasses.replace(ranking, matches=ranking.matches[:depth])

    # --- candidates

    def candidates(self, claim: Claim, views: Views, allowed: frozenset[int] | None = None) -> list[int]:
        """Return the numbers of the fact-checks that the views of the claim find best, ascending."""
        if self.scope.candidates_from == "body":
            found = self._probe(claim.text).found_in_bodies()
            return sorted(num for num in found if allowed is None or num in allowed)
        is_wide = self.scope.candidates_from == "context"
        gains: dict[int, float] = {}
        for view, text in views.items() if is_wide else [(SAID, claim.text)]:
            weight = 1.0 if view in WHOLE else NEIGHBOUR
            for num, gain in self._probe(text).ranks().items():
                gains[num] = gains.get(num, 0.0) + weight * gain
        for rank, num in enumerate(self._said_before(claim, views) if is_wide and len(views) > 1 else [], start=1):
            gains[num] = gains.get(num, 0.0) + 2 / (20 + rank)
        permitted = (num for num in gains if allowed is None or num in allowed)
        return sorted(sorted(permitted, key=lambda num: (-gains[num], num))[: self.scope.shortlist])

    def _said_before(self, claim: Claim, views: Views) -> list[int]:
        """What this speaker was checked for, nearest to the claim first, as far as a search goes."""
        nums = self.people.checked_before(self.people.person(claim.said_by, claim.context))
        if not nums:
            return []
        total = np.zeros(len(nums), np.float64)
        for text in {claim.text, views.get("around", claim.text)}:
            signals = self._probe(text).signals(nums, ("claim", "body"))
            total += signals["share.claim"] + signals["share.body"] + signals["dense.claim"] + signals["dense.title"]
        best = np.argsort(-total, kind="stable")[: self.scope.pool]
        return [nums[i] for i in best]

    def views(self, claim: Claim) -> Views:
        """Return the texts put to the collection by name: the claim as said, then what is around it, the oldest line first."""
        views = {SAID: claim.text}
        lines = {offset: self._line(claim.context, offset) for offset in range(-self.scope.behind, self.scope.ahead + 1)}
        if "lines" in self.scope.views:
            views |= {f"fc[{offset:+d}]": text for offset, text in lines.items() if offset}
        if "around" in self.scope.views and len(lines) > 1:
            views["around"] = " ".join(text if offset else claim.text for offset, text in lines.items()).strip()
        if "resolved" in self.scope.views and self.resolve is not None:
            views["resolved"] = self.resolve(claim)
        return views

    def _line(self, context: Context, offset: int) -> str:
        at = context.at + offset
        if self.scope.edge == "clamp" and context.lines:
            at = min(max(at, 0), len(context.lines) - 1)
        return context.lines[at].text if 0 <= at < len(context.lines) else ""

    # --- signals

    def signals(self, claim: Claim, views: Views, nums: Sequence[int]) -> dict[str, Array]:
        """Return every signal of these candidates by name, each (N,)."""
        signals: dict[str, Array] = {}
        for view, text in views.items():
            prefix = "" if view == SAID else f"{view}."
            signals |= {prefix + name: values for name, values in self._probe(text).signals(nums).items()}
        return signals | self.people.signals(claim, " ".join(views.values()), nums, ahead=self.scope.ahead)

    def _probe(self, text: str) -> Probe:
        if text not in self._probes:
            if len(self._probes) >= _KEPT_PROBES:
                del self._probes[next(iter(self._probes))]
            self._probes[text] = Probe(self.collection, text, pool=self.scope.pool)
        return self._probes[text]


def as_claim(asked: Claim | Question) -> Claim:
    """Return a query as a claim; a question is one said by nobody."""
    return asked if isinstance(asked, Claim) else Claim(asked.id, asked.text, lang=asked.lang)
