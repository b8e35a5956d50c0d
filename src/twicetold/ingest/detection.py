"""Which reader a source needs, told from its first bytes rather than from its name."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from twicetold.errors import BadData, BadInput
from twicetold.ingest import datasets
from twicetold.ingest.feeds import feed, json_lines
from twicetold.ingest.images import is_image
from twicetold.ingest.page import page
from twicetold.ingest.problems import Read
from twicetold.ingest.sources import Source, sources
from twicetold.ingest.tables import rows, table

Place = str | os.PathLike[str] | IO[bytes] | Source
Reader = Callable[[Any], Iterator[Read]]

FORMATS: Mapping[str, Reader] = {
    "claimreview": feed,
    "claims-search": feed,
    "json": feed,
    "jsonl": json_lines,
    "csv": table,
    "tsv": partial(rows, delimiter="\t"),
    "page": page,
    "checkthat2020": datasets.checkthat2020,
    "checkthat2021-2a": datasets.checkthat2021_2a,
    "checkthat2021-2b": datasets.checkthat2021_2b,
    "factchecktweet": datasets.factchecktweet,
    "snopes-table": datasets.snopes_table,
    "politifact-table": datasets.politifact_table,
}
"""Every format by the name `--format` takes."""

_POLITIFACT_URLS = (b"politifact.com/", b"/statements/")


def folder_format(place: Place) -> str | None:
    """The format of a folder that is a research collection as a whole, else None."""
    if not isinstance(place, str | os.PathLike) or not Path(place).is_dir():
        return None
    folder = Path(place)
    if (folder / "verified_claims.docs.tsv").is_file():
        return "checkthat2020"
    if (folder / "fact-check-tweet-vclaims.jsonl").is_file():
        return "factchecktweet"
    for inner, name in (("vclaims", "checkthat2021-2a"), ("politifact-vclaims", "checkthat2021-2b")):
        if (folder / inner).is_dir() or folder.name == inner:
            return name
    return None


def detect(place: Place) -> str:
    """Name the format of a source; of a folder or archive, that of its first file.

    A Source can still be read from its start afterwards. Raises BadInput, saying what the source seems to be, if no format fits.
    """
    whole = folder_format(place)
    return whole or _format_of(next(sources(place)))


def _format_of(source: Source) -> str:
    head = source.head()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise BadData(f"{source.name} is empty")
    if start[:1] == b"<":
        return "page"
    if start[:1] in b"{[":
        return "jsonl" if (found := _json_format(start)) == "json" and source.suffix in (".jsonl", ".ndjson") else found
    if is_image(head) or head.startswith(b"%PDF") or b"\x00" in start.split(b"\n", 1)[0]:
        raise BadInput(f"{source.name} is no text; wanted JSON, JSON Lines, CSV, TSV or a saved page (a spreadsheet: save it as CSV)")
    return _table_format(start)


def _json_format(start: bytes) -> str:
    """JSON Lines if the first line is a whole object and another follows; a research collection by its field names."""
    opening, _, after = start.partition(b"\n")
    try:
        record = json.loads(opening)
    except (ValueError, RecursionError):
        return "json"
    if not isinstance(record, dict):
        return "json"
    if "vclaim_id" in record and "vclaim" in record:
        known = {"truth_label": "checkthat2021-2b", "url": "factchecktweet"}
        return next((format for field, format in known.items() if field in record), "checkthat2021-2a")
    return "jsonl" if after.lstrip()[:1] == b"{" else "json"


def _table_format(start: bytes) -> str:
    header = start.split(b"\n", 1)[0].strip()
    if header == b"vclaim\ttitle":
        return "checkthat2020"
    if header == b"title\tfact":
        return "snopes-table"
    is_headless = header[:1].isdigit() and all(sign in start[:4096] for sign in _POLITIFACT_URLS)
    if header.startswith(b"line_number,speaker,sentence,politifact_statement") or is_headless:
        return "politifact-table"
    return "csv"
