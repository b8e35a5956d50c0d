"""Times in a text: years, decades, days, months, and words such as "last year", made years where the day of speaking is known.

Two times are alike if neither says anything that the other contradicts: "May 2019" and "2019" are, "May 2019" and "May 2018" are not.
English only; a bare "may" is no month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from twicetold.judge.lists import SETS
from twicetold.judge.tokens import Words

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sept sep",
            "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_DAYS = {name: number for number, name in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])}
_RELATIVE = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_SPANS = ("year", "month", "week", "decade", "century", "summer", "winter", "spring", "fall", "autumn", "election")
_ALONE = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_BEFORE_A_YEAR = SETS["dates.before_a_year"]
_NOT_COUNTED = SETS["dates.not_counted"]
_FIRST_YEAR, _LAST_YEAR = 1600, 2100
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z")


@dataclass(frozen=True, slots=True)
class When:
    """A time named in a text: what is known of it, and its tokens. `relative` is a word such as "last year"; 0 or "" is unknown."""

    first: int
    last: int
    year: int = 0
    month: int = 0
    day: int = 0
    decade: bool = False
    relative: str = ""

    def is_alike(self, other: When) -> bool:
        """True if both may be the same time."""
        if self.relative or other.relative:
            return self.relative == other.relative or bool(self.year and other.year and self.year == other.year)
        if self.year and other.year and not self._same_year(other):
            return False
        if not (self.year and other.year) and not (self.month and other.month):
            return False
        return all(not mine or not theirs or mine == theirs for mine, theirs in ((self.month, other.month), (self.day, other.day)))

    def contradicts(self, other: When) -> bool:
        """True if both say the same part of a time, and say it differently."""
        if self.relative and other.relative:
            return self.relative != other.relative and self.relative.split()[-1] == other.relative.split()[-1]
        if self.year and other.year:
            return not self._same_year(other) or not self.is_alike(other)
        return bool(self.month and other.month) and not self.is_alike(other)

    def _same_year(self, other: When) -> bool:
        if self.decade or other.decade:
            return self.year // 10 == other.year // 10
        return self.year == other.year


def times(words: Words, spoken: str = "") -> list[When]:
    """Return the times of a text in order. `spoken` is the ISO date it was said on, by which "last year" becomes a year."""
    found = []
    place = 0
    while place < len(words.tokens):
        time = _at(words, place)
        if time is None:
            place += 1
            continue
        found.append(_resolved(time, year_of(spoken)))
        place = time.last + 1
    return found


def year_of(day: str) -> int:
    """Return the year of an ISO date, 0 if there is none."""
    head = day[:4]
    return int(head) if len(head) == 4 and head.isascii() and head.isdecimal() else 0


def _at(words: Words, place: int) -> When | None:
    for parse in (_iso, _month, _attack, _year, _said, _weekday):
        found = parse(words, place)
        if found is not None:
            return found
    return None


def _iso(words: Words, place: int) -> When | None:
    start = words.tokens[place].start
    found = _ISO.match(words.text[start : start + 10])
    if found is None or place + 2 >= len(words.tokens):
        return None
    return When(place, place + 2, int(found[1]), int(found[2]), int(found[3]))


def _month(words: Words, place: int) -> When | None:
    """Read "May 4", "4 May 2019", "May 2019", "in May"."""
    first, day = place, 0
    if _is_day(words, place) and _month_at(words, place + 1 + _has_ending(words, place)):
        day = int(words.tokens[place].text)
        place += 1 + _has_ending(words, place)
    month = _month_at(words, place)
    if not month:
        return None
    last = place
    if not day and _is_day(words, place + 1) and words.gap(place).strip() in ("", "."):
        day = int(words.tokens[place + 1].text)
        last = place + 1 + _has_ending(words, place + 1)
    is_near = words.gap(last).strip() in ("", ",", ".", "of")
    year = _as_year(words, last + 1) if is_near else 0
    last += bool(year)
    if not day and not year and not _is_plainly_a_month(words, place):
        return None
    return When(first, last, year, month, day)


def _month_at(words: Words, place: int) -> int:
    token = words.tokens[place] if place < len(words.tokens) else None
    if token is None or not (token.is_capital or len(token.text) > 5):
        return 0
    return _MONTHS.get(token.low, 0)


def _is_plainly_a_month(words: Words, place: int) -> bool:
    low = words.tokens[place].low
    before = words.tokens[place - 1].low if place else ""
    return (low not in ("may", "march", "mar", "jan", "dec", "sep") and not words.tokens[place].is_first) or before in (
        "in", "since", "by", "until", "last", "next", "this", "early", "late", "of", "during",
    )  # fmt: skip


def _is_day(words: Words, place: int) -> bool:
    token = words.tokens[place] if place < len(words.tokens) else None
    return token is not None and token.text.isascii() and token.text.isdecimal() and len(token.text) <= 2 and 1 <= int(token.text) <= 31


def _has_ending(words: Words, place: int) -> int:
    """1 if a day is written "4th"."""
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    return int(following in ("st", "nd", "rd", "th") and words.gap(place) == "")


def _attack(words: Words, place: int) -> When | None:
    """Read "9/11"."""
    is_it = words.tokens[place].text == "9" and words.gap(place) == "/" and words.tokens[place + 1].text == "11"
    return When(place, place + 1, 2001, 9, 11) if is_it else None


def _as_year(words: Words, place: int) -> int:
    token = words.tokens[place] if place < len(words.tokens) else None
    if token is None or len(token.text) != 4 or not token.text.isascii() or not token.text.isdecimal():
        return 0
    year = int(token.text)
    return year if _FIRST_YEAR <= year <= _LAST_YEAR else 0


def _year(words: Words, place: int) -> When | None:
    year = _as_year(words, place)
    if not year or _is_an_amount(words, place):
        return None
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    if following == "s" and words.gap(place) in ("", "'", "’"):
        return When(place, place + 1, year, decade=True)
    if words.gap(place) in ("-", "–", "/") and following.isdecimal() and len(following) == 2:
        return When(place, place + 1, year)
    return When(place, place, year)


def _is_an_amount(words: Words, place: int) -> bool:
    before = words.tokens[place - 1].low if place else ""
    if before in ("$", "€", "£", "than", "about", "over", "nearly", "almost", "roughly", "approximately", "least", "some", "#"):
        return True
    if words.ends_clause(place) or before in _BEFORE_A_YEAR:
        return False
    low = words.tokens[place + 1].low
    return low in ("%", "percent", "million", "people", "women", "men", "children") or (
        low.endswith("s") and len(low) > 2 and low not in _NOT_COUNTED and not words.tokens[place + 1].is_capital
    )


def _said(words: Words, place: int) -> When | None:
    """Read "last year", "this week", "yesterday"."""
    low = words.tokens[place].low
    if low in _ALONE:
        return When(place, place, relative=low)
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    if low in _RELATIVE and following in _SPANS:
        word = {-1: "last", 0: "this", 1: "next"}[_RELATIVE[low]]
        return When(place, place + 1, relative=f"{word} {following}")
    return None


def _weekday(words: Words, place: int) -> When | None:
    token = words.tokens[place]
    return When(place, place, relative=f"on {token.low} day") if token.low in _DAYS and token.is_capital else None


def _resolved(time: When, year: int) -> When:
    steps = {"last year": -1, "this year": 0, "next year": 1}
    return replace(time, year=year + steps[time.relative]) if year and time.relative in steps else time
