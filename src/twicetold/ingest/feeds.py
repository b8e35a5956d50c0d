"""JSON files, as feeds and as JSON Lines, to fact-checks: ClaimReview in all its wrappings, and records with named columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from twicetold.errors import BadData
from twicetold.ingest import mend
from twicetold.ingest.claimreview import checks_in, is_record
from twicetold.ingest.columns import check_of, plan
from twicetold.ingest.elements import Broken, elements
from twicetold.ingest.jsonld import kinds
from twicetold.ingest.problems import Problem, Read
from twicetold.ingest.sources import Source, lines

LISTS = frozenset({"dataFeedElement", "claims"})
"""The members of a top-level object that hold records: of the Data Commons feed and of a `claims:search` response."""


def feed(source: Source) -> Iterator[Read]:
    """Read a JSON file of any size, record by record; records are numbered from 1.

    After a broken record reading goes on with the next; a file cut off in the middle gives all whole records, then a Problem.
    """
    with source.open() as stream:
        for number, record in enumerate(elements(stream, lists=LISTS, is_record=_is_record), start=1):
            place = f"{source.name}, record {number}"
            if isinstance(record, Broken):
                yield Problem(place, record.reason)
            else:
                yield from checks_of(record, place)


def _is_record(value: dict[str, Any]) -> bool:
    return is_record(value) or plan(tuple(value)).is_usable


def json_lines(source: Source) -> Iterator[Read]:
    """Read JSON Lines: each line a record with named columns, FactCheck's own form, or ClaimReview."""
    with source.open() as stream:
        for number, line in lines(stream):
            if line is None:
                yield Problem(f"{source.name}, line {number}", "is too long for a record")
            elif line.strip():
                yield from _of_line(line, f"{source.name}, line {number}")


def _of_line(line: bytes, place: str) -> Iterator[Read]:
    try:
        told = line.decode("utf-8").lstrip("\ufeff")
        try:
            record = json.loads(told)
        except ValueError:
            record = mend.loads(told)
    except UnicodeDecodeError as error:
        yield Problem(place, f"is not UTF-8: byte {line[error.start]:#04x} at column {error.start + 1}; save the file as UTF-8")
    except (ValueError, RecursionError) as error:
        yield Problem(place, f"is not JSON: {error!s:.120}")
    else:
        yield from checks_of(record, place)


def checks_of(record: Any, place: str) -> Iterator[Read]:
    """Yield the fact-checks of one parsed record, or the Problem with it.

    A JSON-LD node that is no review, such as the publisher's address, is passed over: it is not a broken record.
    """
    if record is None or (isinstance(record, dict) and "item" in record and not record["item"]):
        return  # an empty place in a feed, such as a review that was withdrawn
    if not isinstance(record, dict | list):
        yield Problem(place, f"should be a JSON object, not {record!r:.60}")
        return
    found = False
    for read in [_of_row(record, place)] if _is_row(record) else checks_in(record, place):
        found = True
        yield read
    if not found and (not isinstance(record, dict) or kinds(record) <= {"DataFeedItem"}):
        yield Problem(place, "holds no ClaimReview and no column named claim or title")


def _is_row(record: Any) -> bool:
    """True for a record with named columns: not JSON-LD, not a search response."""
    return isinstance(record, dict) and "@type" not in record and "claimReview" not in record and plan(tuple(record)).is_usable


def _of_row(record: Any, place: str) -> Read:
    try:
        return check_of(record)
    except BadData as error:
        return Problem(place, str(error))
