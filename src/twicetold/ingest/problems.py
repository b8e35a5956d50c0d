"""What could not be read, and where: a broken record never stops a reader and is never dropped in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from twicetold.errors import BadData
from twicetold.types import FactCheck

DATED = ("published", "claimed_on")
KEPT_PROBLEMS = 1000
"""How many problems an intake remembers in full; all are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that could not be read: its place (`feed.json, record 17`) and the reason."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Read = FactCheck | Problem
"""What a reader yields, in the order of the source."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of reading a source. `problems` holds the first thousand, `broken` counts them all; `unreadable_date` is the first."""

    read: int = 0
    broken: int = 0
    unreadable_dates: int = 0
    problems: tuple[Problem, ...] = ()
    unreadable_date: str = ""


def kept(count: int) -> str:
    """Say how many records before a problem are stored; nothing if there are none.

    >>> kept(3000)
    '; the 3,000 records before it are kept'
    """
    return "" if not count else "; the record before it is kept" if count == 1 else f"; the {count:,} records before it are kept"


class Intake:
    """Iterates over the fact-checks among `records` while counting what is left out.

    The first problem raises BadData, unless `skip_broken`; `leave_out` says to whoever reads the error how to ask for that.
    `report` may be asked at any moment, also after the error.
    """

    def __init__(
        self, records: Iterable[Read], *, skip_broken: bool = False, leave_out: str = "leave broken ones out with skip_broken=True"
    ) -> None:
        self._records = records
        self._skip_broken = skip_broken
        self._leave_out = leave_out
        self._read = self._broken = self._unreadable_dates = 0
        self._unreadable_date = ""
        self._problems: list[Problem] = []

    def __iter__(self) -> Iterator[FactCheck]:
        for record in self._records:
            if isinstance(record, Problem):
                self._note(record)
                continue
            self._read += 1
            for unread in (record.other[name] for name in DATED if name in record.other):
                self._unreadable_dates += 1
                self._unreadable_date = self._unreadable_date or unread
            yield record

    def _note(self, problem: Problem) -> None:
        self._broken += 1
        if len(self._problems) < KEPT_PROBLEMS:
            self._problems.append(problem)
        if not self._skip_broken:
            raise BadData(f"{problem}; mend that record, or {self._leave_out}")

    @property
    def report(self) -> Report:
        """The counts so far."""
        return Report(self._read, self._broken, self._unreadable_dates, tuple(self._problems), self._unreadable_date)
