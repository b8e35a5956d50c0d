"""Speeches over HTTP: a transcript in, its lines out one by one as they are looked up, as `twicetold scan --json --all` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from twicetold.collection import Collection
from twicetold.debates import scanner
from twicetold.errors import BadInput
from twicetold.ingest.problems import Problem
from twicetold.ingest.transcripts import FORMATS, Format, read_lines
from twicetold.scan import Heard, Settings
from twicetold.types import SCHEMA, Line, to_json

MOST_LINES = 20_000


def scanned(
    collection: Collection, stream: BinaryIO, *, name: str = "speech", format: Format | None = None, top: int = 3, said_on: str = ""
) -> Iterator[Heard]:
    """Yield every line of a transcript once it is looked up. Raises BadInput if there is none, or more than MOST_LINES."""
    listener = scanner(collection, top=top, settings=Settings(id=name, said_on=said_on))
    return listener.scan(_lines(stream, name, format))


def _lines(stream: BinaryIO, name: str, format: Format | None) -> Iterator[Line]:
    number = 0
    problem: Problem | None = None
    for read in read_lines(stream, name=name, format=format):
        if isinstance(read, Problem):
            problem = problem or read
            continue
        number += 1
        if number > MOST_LINES:
            raise BadInput(f"{name} has more than {MOST_LINES:,} lines; scan it in parts")
        yield read
    if number == 0:
        reason = f" (first: {problem})" if problem else ""
        raise BadInput(f"{name} holds no line of speech{reason}; wanted a transcript: {', '.join(FORMATS)}")


def heard_json(heard: Heard) -> dict[str, Any]:
    """Return the JSON form of a line that was heard, as the command line prints it."""
    return {"schema": SCHEMA, "text": heard.line.text, **to_json(heard)}
