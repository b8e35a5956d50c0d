"""Fact-checks from feeds, pages and tables: `read` looks at a source, picks its reader and streams what it holds.

    for record in read("feed.json"):        # FactCheck or Problem
        ...

Readers never stop at a broken record: it comes as a Problem with its place. `Intake` counts, and stops at problems unless told otherwise.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

from twicetold.errors import BadData, BadInput
from twicetold.ingest.detection import FORMATS, Place, detect, folder_format
from twicetold.ingest.problems import Intake, Problem, Read, Report
from twicetold.ingest.sources import CutOff, Source, sources
from twicetold.types import FactCheck

__all__ = ["FORMATS", "Intake", "Problem", "Read", "Report", "detect", "read"]


def read(source: Place, *, format: str | None = None) -> Iterator[Read]:
    """Stream the fact-checks and problems of a file, folder, zip archive, binary stream, or `-` for standard input.

    `format` is one of FORMATS; without it each file is looked at. The language is detected where the source does not name it.
    Raises BadInput or BadData if the source cannot be read at all; inside a folder or archive that is a Problem of the one file.
    """
    if format is not None and format not in FORMATS:
        raise BadInput(f"there is no format {format!r}; choose one of {', '.join(FORMATS)}, or leave it out to have it detected")
    read_any = False
    for record in _read(source, format):
        read_any = True
        yield _with_language(record) if isinstance(record, FactCheck) else record
    if not read_any:
        raise BadData(f"{source} holds no fact-checks: nothing with a claim or a title was found in it")


def _read(source: Place, format: str | None) -> Iterator[Read]:
    whole = folder_format(source) if format is None else None
    if whole is not None:
        yield from FORMATS[whole](source)
        return
    several = sources(source)
    first = next(several)
    second = next(several, None)
    if second is None:
        yield from _of_one(first, format)
        return
    for one in itertools.chain((first, second), several):
        yield from _of_many(one, format)


def _of_many(source: Source, format: str | None) -> Iterator[Read]:
    try:
        yield from _of_one(source, format)
    except (BadInput, BadData) as error:
        yield Problem(source.name, str(error))


def _of_one(source: Source, format: str | None) -> Iterator[Read]:
    try:
        yield from FORMATS[format or detect(source)](source)
    except CutOff as error:
        yield Problem(source.name, str(error))


def _with_language(check: FactCheck) -> FactCheck:
    if check.lang:
        return check
    from twicetold.text import language

    lang = language(f"{check.claim}\n{check.title}\n{check.body[:500]}")
    return dataclasses.replace(check, lang=lang) if lang else check
