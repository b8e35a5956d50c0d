"""Read publishers' files: tables with or without quoting, JSON, TREC judgements.

Errors name the file, and the line where there is one. Nothing here knows any particular data set.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from twicetold.errors import BadData
from twicetold.ingest.problems import Problem, Read
from twicetold.types import FactCheck

Qrels = Mapping[str, Mapping[str, int]]
"""Query id → document id → grade; a grade above 0 is relevant."""

_LONGEST_CELL = 1 << 26
"""Characters: an article is longer than the csv module allows by itself."""


def needed(path: Path) -> Path:
    """Return `path` if it is there; otherwise say what is missing."""
    if not path.exists():
        raise BadData(f"{path} is missing: unpack the data set there, or point --data-root (TWICETOLD_DATASETS) to where it is")
    return path


@contextmanager
def opened(path: Path, *, encoding: str = "utf-8-sig", newline: str | None = None) -> Iterator[TextIO]:
    """Open a text file; what keeps it from being read, a wrong encoding among it, is an error that names the file."""
    try:
        with needed(path).open(encoding=encoding, newline=newline) as file:
            yield file
    except UnicodeDecodeError as error:
        wanted = encoding.removesuffix("-sig").upper()
        raise BadData(f"{path} is not {wanted} text ({error.reason} at byte {error.start}); save it as {wanted} and try again") from None
    except (OSError, csv.Error) as error:
        raise BadData(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def files_in(folder: Path, pattern: str) -> list[Path]:
    """List the files of a folder by name; none at all is an error."""
    found = sorted(needed(folder).glob(pattern))
    if not found:
        raise BadData(f"{folder} holds no {pattern}: is it the unpacked data set?")
    return found


def quoted(path: Path, delimiter: str = "\t", *, columns: int, encoding: str = "utf-8-sig") -> Iterator[list[str]]:
    """Yield the rows of a table whose cells may be quoted and hold newlines. Rows that are wholly blank are passed over."""
    with opened(path, encoding=encoding, newline="") as file:
        csv.field_size_limit(_LONGEST_CELL)
        reader = csv.reader(file, delimiter=delimiter)
        for row in reader:
            if row:
                yield _checked(row, columns, path, reader.line_num)


def plain(path: Path, *, columns: int, encoding: str = "utf-8-sig") -> Iterator[list[str]]:
    """Yield the tab-separated cells of each line; quotation marks are text like any other."""
    with opened(path, encoding=encoding, newline="\n") as file:
        for number, line in enumerate(file, start=1):
            text = line.rstrip("\r\n")
            if text:
                yield _checked(text.split("\t"), columns, path, number)


def _checked(row: list[str], columns: int, path: Path, line: int) -> list[str]:
    if len(row) != columns:
        raise BadData(f"{path}, line {line}: expected {columns} columns, got {len(row)}: {row!r:.120}")
    return row


def records(path: Path, delimiter: str = ",", *, encoding: str = "utf-8-sig") -> Iterator[dict[str, str]]:
    """Yield the rows of a quoted table with a header, by column name."""
    with opened(path, encoding=encoding, newline="") as file:
        csv.field_size_limit(_LONGEST_CELL)
        reader = csv.DictReader(file, delimiter=delimiter)
        for row in reader:
            if None in row or None in row.values():
                raise BadData(f"{path}, line {reader.line_num}: the row does not fit the header {reader.fieldnames}")
            yield row


def json_file(path: Path) -> Any:
    """Read one JSON document."""
    try:
        with opened(path) as file:
            return json.load(file)
    except (ValueError, RecursionError) as error:
        raise BadData(f"{path} is not JSON: {error}") from None


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one JSON object a line; blank lines are passed over."""
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise BadData(f"{path}, line {number} is not JSON: {error}") from None
                if not isinstance(record, dict):
                    raise BadData(f"{path}, line {number}: expected an object, got {line.strip():.80}")
                yield record


def field(record: Mapping[str, Any], name: str, path: Path) -> str:
    """Return a text field that must be there; null is the empty text."""
    if name not in record:
        raise BadData(f"{path}: no field {name!r} in {sorted(record)}")
    value = record[name]
    return "" if value is None else str(value)


def qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read TREC judgements: query, ignored, document, grade, separated by white space.

    The same pair twice with one grade is read once; with two grades it is an error.
    """
    judged: dict[str, dict[str, int]] = {}
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            cells = line.split()
            if not cells:
                continue
            if len(cells) != 4 or not re.fullmatch(r"-?\d+", cells[3]):
                raise BadData(f"{path}, line {number}: expected 'query 0 document grade', got {line.strip()!r:.120}")
            query, _, doc, grade = cells
            known = judged.setdefault(query, {}).setdefault(doc, int(grade))
            if known != int(grade):
                raise BadData(f"{path}, line {number}: {query} {doc} is graded {known} and {grade}")
    return judged


def strict(reads: Iterator[Read]) -> Iterator[FactCheck]:
    """Pass fact-checks on; the first record that could not be read is an error, since judgements may name it."""
    for read in reads:
        if isinstance(read, Problem):
            raise BadData(str(read))
        yield read
