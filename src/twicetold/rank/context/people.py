"""Who made a checked claim, and when, beside who says a line: the signals `speaker.…`, `age.…` and `event.known`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.rank.context.probe import Array
from twicetold.rank.context.speakers import Speakers
from twicetold.types import Claim, Context, Line

_REACH = 400
"""Lines back in which someone who speaks is still there."""
_OPENING = 40
"""Lines at the beginning in which the people of an event are named in full."""


class Made(NamedTuple):
    """Who made a checked claim and when, as a day number; 0 where the day is unknown."""

    by: str
    day: int


class People:
    """Knows the people of a collection and those of the event being heard. What it reads of fact-checks it keeps until they change."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._speakers = Speakers.of(collection)
        self._made: dict[int, Made] = {}
        self._checked: dict[str, list[int]] = {}
        self._change = collection.store.change
        self._opening: tuple[Line, ...] = ()
        self._named: dict[str, str] = {}

    def person(self, label: str, context: Context) -> str:
        """Return whom a label stands for in this event, as the fact-checks name that person; "" for nobody."""
        opening = context.lines[:_OPENING]
        if opening != self._opening:  # the same lines again are told by identity
            self._opening, self._named = opening, {}
        if label not in self._named:
            self._named[label] = self._speakers.person(label, " ".join(line.text for line in opening))
        return self._named[label]

    def checked_before(self, person: str) -> list[int]:
        """Return the numbers of the fact-checks of this person's claims."""
        self._refresh()
        if person not in self._checked:
            self._checked[person] = self._collection.store.allowed(Filters(claimants=(person,))) if person else []
        return self._checked[person]

    def signals(self, claim: Claim, window: str, nums: Sequence[int], *, ahead: int) -> dict[str, Array]:
        """Return who and when of these fact-checks beside the claim, (N,) each; `window` is all that was said around it.

        `event.known` is the same for all: the day is known, and someone who speaks has made claims that were checked.
        """
        person = self.person(claim.said_by, claim.context)
        present = self._present(claim.context, ahead) - {"", person}
        said = window.casefold()
        named: dict[str, bool] = {}
        made = self._made_of(nums)
        day = _day(claim.said_on)
        days = [day - one.day if day and one.day else None for one in made]
        is_known = bool(day) and any(self.checked_before(one) for one in (person, *sorted(present)))
        for one in made:
            if one.by not in named:
                named[one.by] = _last_name(one.by) in said
        rows = {
            "speaker.same": [bool(person) and one.by == person for one in made],
            "speaker.present": [one.by in present for one in made],
            "speaker.named": [named[one.by] for one in made],
            "age.after": [ago is not None and ago < -1 for ago in days],
            "age.same_day": [ago is not None and abs(ago) <= 1 for ago in days],
            "age.month": [ago is not None and 1 < ago <= 30 for ago in days],
            "age.log_months": [math.log1p(max(ago or 0, 0) / 30) for ago in days],
            "event.known": [is_known] * len(made),
        }
        return {name: np.array(values, np.float32) for name, values in rows.items()}

    def _made_of(self, nums: Sequence[int]) -> list[Made]:
        self._refresh()
        fresh = [num for num in nums if num not in self._made]
        for num, check in self._collection.store.fetch(fresh).items() if fresh else ():
            self._made[num] = Made(check.claimant, _day(check.claimed_on or check.published))
        return [self._made.get(num, _NOBODY) for num in nums]

    def _refresh(self) -> None:
        if self._collection.store.change != self._change:
            self._change = self._collection.store.change
            self._made.clear()
            self._checked.clear()

    def _present(self, context: Context, ahead: int) -> set[str]:
        """Who speaks in the lines up to this one and those it looks ahead to."""
        heard = context.lines[max(0, context.at - _REACH) : context.at + ahead + 1]
        return {self.person(label, context) for label in {line.speaker for line in heard}}


_NOBODY = Made("", 0)


def _last_name(claimant: str) -> str:
    words = claimant.casefold().split()
    return words[-1] if len(words) > 1 else "\x00"


def _day(iso: str) -> int:
    try:
        return date.fromisoformat(iso).toordinal()
    except ValueError:
        return 0
