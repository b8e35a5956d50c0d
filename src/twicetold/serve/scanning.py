"""Speeches over HTTP: a transcript in, its lines out one by one as they are looked up, as `twicetold scan --json --all` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold.answer import DEBATE, Asking
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.serve.parser import MOST_LINES
from twicetold.types import SCHEMA, Line, to_json

if TYPE_CHECKING:
    from twicetold.ingest.problems import Problem
    from twicetold.ingest.transcripts import Format
    from twicetold.scan.scanner import ScannedLine


@dataclass(frozen=True, slots=True)
class Speech:
    """A transcript as it was handed in. `format` is None where the content tells it; `said_on` is the day (ISO) or empty."""

    content: bytes
    name: str = "speech"
    format: Format | None = None
    said_on: str = ""


def scanned(collection: Collection, speech: Speech, *, top: int = 3) -> Iterator[ScannedLine | Problem]:
    """Yield every line of a speech once it is looked up, and what cannot be read of it before the lines that follow.

    Raises BadInput if there is no line, or more than MOST_LINES. The speech is read here: what a stranger sent is read elsewhere
    (`serve.parsing`) and its lines then handed to `listened`.
    """
    from twicetold.ingest.transcripts import format_of, read_lines

    path = Path(speech.name)
    stream = BufferedReader(BytesIO(speech.content))
    yield from listened(collection, read_lines(stream, name=path.name, format=speech.format or format_of(path)), speech, top=top)


def listened(collection: Collection, read: Iterable[Line | Problem], speech: Speech, *, top: int = 3) -> Iterator[ScannedLine | Problem]:
    """As `scanned`, for a speech whose lines, and what of it cannot be read, are there already."""
    from twicetold.scan.scanner import Settings
    from twicetold.scan.speeches import scanner  # here and below: what a server need not wait for to start

    path = Path(speech.name)
    listener = scanner(collection, DEBATE, Asking(top=top), settings=Settings(id=path.stem or "speech", said_on=speech.said_on))
    unread: list[Problem] = []
    for heard in listener.scan(_lines(read, path.name, unread)):
        yield from unread
        unread.clear()
        yield heard
    yield from unread


def _lines(every: Iterable[Line | Problem], name: str, unread: list[Problem]) -> Iterator[Line]:
    """The lines; what cannot be read is added to `unread`, from where it may be taken at any time."""
    from twicetold.ingest.transcripts import FORMATS

    number = 0
    problem: Problem | None = None
    for read in every:
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


def heard_json(heard: ScannedLine) -> dict[str, Any]:
    """Return the JSON form of a line that was heard, as the command line prints it."""
    return {"schema": SCHEMA, "text": heard.line.text, **to_json(heard)}
