"""Which fact-checks may answer a claim: what the user chose, and the numbers of those that pass. The store looks them up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import overload

from twicetold.types import Verdict

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def is_date(text: str) -> bool:
    """True for a day, month or year of the calendar, as filters take them.

    >>> is_date("2020-05-17"), is_date("2020-05"), is_date("2020"), is_date("2020-13")
    (True, True, True, False)
    """
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return _DATE.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Filters:
    """Which fact-checks may answer; an empty field allows all. Dates are ISO; both ends count as inside."""

    langs: tuple[str, ...] = ()
    publishers: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    claimants: tuple[str, ...] = ()
    after: str = ""
    before: str = ""


class Allowed(Sequence[int]):
    """The numbers of the fact-checks that pass filters, ascending. They are looked up when first needed: an index on a server reads
    the filters themselves."""

    def __init__(self, filters: Filters, look_up: Callable[[Filters], list[int]]) -> None:
        self.filters = filters
        self._look_up = look_up

    @cached_property
    def _nums(self) -> list[int]:
        return self._look_up(self.filters)

    def __len__(self) -> int:
        return len(self._nums)

    def __iter__(self) -> Iterator[int]:
        return iter(self._nums)

    def __contains__(self, num: object) -> bool:
        return num in self._nums

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: int | slice) -> int | list[int]:
        return self._nums[at]
