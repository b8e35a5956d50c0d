"""Speeches over HTTP: a transcript in, its lines out one by one as they are looked up, as `twicetold scan --json --all` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from twicetold.answer import DEBATE, Asking
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.types import SCHEMA, Line, to_json

if TYPE_CHECKING:
    from twicetold.ingest.problems import Problem
    from twicetold.ingest.transcripts import Format
    from twicetold.scan.scanner import Heard

MOST_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Speech:
    """A transcript as it was handed in. `format` is None where the content tells it; `said_on` is the day (ISO) or empty."""

    content: bytes
    name: str = "speech"
    format: Format | None = None
    said_on: str = ""


def scanned(collection: Collection, speech: Speech, *, top: int = 3) -> Iterator[Heard | Problem]:
    """Yield every line of a speech once it is looked up, and what cannot be read of it before the lines that follow.

    Raises BadInput if there is no line, or more than MOST_LINES.
    """
    from twicetold.ingest.transcripts import format_of
    from twicetold.scan.scanner import Settings
    from twicetold.scan.speeches import scanner  # here and below: what a server need not wait for to start

    path = Path(speech.name)
    listener = scanner(collection, DEBATE, Asking(top=top), settings=Settings(id=path.stem or "speech", said_on=speech.said_on))
    unread: list[Problem] = []
    for heard in listener.scan(_lines(BufferedReader(BytesIO(speech.content)), path.name, speech.format or format_of(path), unread)):
        yield from unread
        unread.clear()
        yield heard
    yield from unread


def _lines(stream: BinaryIO, name: str, format: Format | None, unread: list[Problem]) -> Iterator[Line]:
    """The lines of a stream; what cannot be read is added to `unread`, from where it may be taken at any time."""
    from twicetold.ingest.transcripts import FORMATS, read_lines

    number = 0
    problem: Problem | None = None
    for read in read_lines(stream, name=name, format=format):
        if not isinstance(read, Line):
            problem = problem or read
            unread.append(read)
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
