"""The day of a speech: given, or found in the name of its file."""

from __future__ import annotations

import datetime
import re

_DAY = re.compile(r"(?<!\d)(\d{4})(-?)(\d{2})\2(\d{2})(?!\d)")


def is_day(text: str) -> bool:
    """True for a day of the calendar, written in full.

    >>> is_day("2016-10-19"), is_day("2016-02-31"), is_day("20161019")
    (True, False, False)
    """
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def days_in(name: str) -> list[str]:
    """Return what looks like a day in a file's name, in order, whether or not the calendar has it.

    Eight digits in a row are taken for one only if they may begin with the year of a speech that was written down.

    >>> days_in("2016-02-31_debate_20161019"), days_in("video_48151623")
    (['2016-02-31', '2016-10-19'], [])
    """
    found = _DAY.finditer(name)
    return [f"{one[1]}-{one[3]}-{one[4]}" for one in found if one[2] or "1700" <= one[1] < "2200"]


def eve_of(day: str) -> str:
    """Return the day before; "" before the first day there is."""
    date = datetime.date.fromisoformat(day)
    return "" if date == datetime.date.min else (date - datetime.timedelta(days=1)).isoformat()
