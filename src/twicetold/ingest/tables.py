"""CSV and TSV with named columns, to fact-checks.

Quoted newlines are read as spreadsheets write them. A row that is broken, by a stray quotation mark, wrong bytes or missing columns,
costs itself and no other row. The delimiter is found from the header; there must be one.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from twicetold.errors import BadData
from twicetold.ingest.columns import check_of, plan
from twicetold.ingest.problems import Problem, Read
from twicetold.ingest.sources import MAX_LINE, Source, lines

DELIMITERS = ",\t;|"
MAX_ROW = 4 << 20
"""A row of more characters is taken for a quotation mark that was never closed."""


def table(source: Source) -> Iterator[Read]:
    """Read a table whose first row names its columns; the delimiter is the one that names most of them."""
    head = source.head().decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    yield from rows(source, delimiter_of(re.split(r"[\r\n]", head, maxsplit=1)[0]))


def delimiter_of(header: str) -> str:
    """The delimiter under which a header names most of the columns known here, then most columns."""
    return max(DELIMITERS, key=lambda delimiter: _named(header, delimiter))


def _named(header: str, delimiter: str) -> tuple[int, int]:
    columns = _leniently(header, delimiter)
    return len(plan(_names(columns)).fields), len(columns)


def _names(row: list[str]) -> tuple[str, ...]:
    return tuple(column.strip() for column in row)


def rows(source: Source, delimiter: str) -> Iterator[Read]:
    """Read a table with a known delimiter. Raises BadData if its header has neither a claim nor a title."""
    has_old_ends = b"\r" in source.head() and b"\n" not in source.head()
    with source.open() as stream:
        records = _records(_cr_lines(stream) if has_old_ends else lines(stream), delimiter)
        _, header, wrong = next(records, (0, [], ""))
        columns = _names(header)
        if wrong or not plan(columns).is_usable:
            raise BadData(f"{source.name} should have a first row that names a column claim or title; {_shown(wrong, columns)}")
        for line, row, reason in records:
            place = f"{source.name}, line {line}"
            if reason:
                yield Problem(place, reason)
            elif len(row) != len(columns):
                yield Problem(place, f"has {len(row)} columns, the header {len(columns)}")
            else:
                yield _check(dict(zip(columns, row, strict=True)), place)


def _shown(wrong: str, columns: tuple[str, ...]) -> str:
    return f"it {wrong}" if wrong else f"it has {', '.join(columns)[:120] or 'nothing'}; add one, or say --format"


def _check(record: dict[str, str], place: str) -> Read:
    try:
        return check_of(record)
    except BadData as error:
        return Problem(place, str(error))


def _cr_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Lines that end in a carriage return alone, as spreadsheets' "CSV (Macintosh)" has them."""
    text = io.TextIOWrapper(stream, "latin-1", newline="\r")
    for number, line in enumerate(text, start=1):
        yield number, line.removesuffix("\r").encode("latin-1") + b"\n"


def _records(numbered: Iterator[tuple[int, bytes | None]], delimiter: str) -> Iterator[tuple[int, list[str], str]]:
    """Yield each record with the line it starts on; a broken one is empty and has a reason. Empty lines are passed over."""
    csv.field_size_limit(MAX_LINE)
    feed = _Feed(numbered)
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        feed.begin()
        try:
            row = next(reader)
        except StopIteration:
            return
        except (csv.Error, _Endless) as error:
            reader = csv.reader(feed, delimiter=delimiter, strict=True)
            yield feed.first, *_reread(feed, delimiter, error)
            continue
        if feed.wrong:
            yield feed.first, [], feed.wrong
        elif any(row):
            yield feed.first, row, ""


def _reread(feed: _Feed, delimiter: str, error: Exception) -> tuple[list[str], str]:
    """Read a broken record's first line leniently and give the other lines back, as they may be rows of their own."""
    opening = feed.give_back_all_but_first()
    row = _leniently(opening, delimiter)
    is_whole = len(row) > 1 and opening.count('"') % 2 == 0
    return (row, feed.wrong) if is_whole else ([], feed.wrong or f"is not a row: {error}")


def _leniently(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


class _Endless(Exception):
    """A quotation mark was opened and not closed in sight."""


class _Feed:
    """Lines for a csv reader, which remembers those of the current record so that they can be given back."""

    def __init__(self, numbered: Iterator[tuple[int, bytes | None]]) -> None:
        self._lines = numbered
        self._returned: deque[tuple[int, str, str]] = deque()
        self._taken: list[tuple[int, str, str]] = []
        self._chars = 0

    @property
    def first(self) -> int:
        """The line on which the current record starts."""
        return self._taken[0][0] if self._taken else 0

    @property
    def wrong(self) -> str:
        """What is wrong with the bytes of the current record, or an empty string."""
        return next((wrong for _, _, wrong in self._taken if wrong), "")

    def begin(self) -> None:
        """Forget the lines of the record before."""
        self._taken, self._chars = [], 0

    def give_back_all_but_first(self) -> str:
        self._returned.extendleft(reversed(self._taken[1:]))
        del self._taken[1:]
        return self._taken[0][1]

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        if self._chars > MAX_ROW:
            raise _Endless("a quotation mark is opened and never closed")
        line = self._returned.popleft() if self._returned else _decoded(*next(self._lines))
        self._taken.append(line)
        self._chars += len(line[1])
        return line[1]


def _decoded(number: int, line: bytes | None) -> tuple[int, str, str]:
    """The line's number, its text and what is wrong with it."""
    if line is None:
        return number, "", "is too long for a row"
    told = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
    wrong = "holds a NUL byte; the file is damaged or no text" if b"\x00" in line else ""
    try:
        return number, told.decode("utf-8"), wrong
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8: byte {told[error.start]:#04x} at column {error.start + 1}; save the file as UTF-8"
        return number, told.decode("utf-8", "replace"), reason
