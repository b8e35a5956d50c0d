"""Claims as people hand them over: words, a file, standard input, one a line, JSON Lines, or NUL-separated posts."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import click

from twicetold.errors import BadInput, TwicetoldError
from twicetold.text import has_half_letters
from twicetold.types import Claim, Ranking, from_json

_FILE_NAME = re.compile(r"\S+\.(?:txt|jsonl?|ndjson|csv|tsv)", re.IGNORECASE)
_TABLES = {".csv": ",", ".tsv": "\t"}
_CLAIM_COLUMNS = (
    "claim", "text", "claim_text", "claimreviewed", "statement", "tweet", "tweet_text", "post", "post_text", "content", "message",
    "full_text",
)  # fmt: skip
MOST_CHARS = 20_000
"""The longest claim. More is an article or a transcript, and wants another verb."""


def read_claims(arguments: tuple[str, ...], *, separator: bytes = b"\n", column: str = "") -> Iterator[Claim | TwicetoldError]:
    """Yield claims in order, and for each that is none the error that says why and where."""
    if not arguments:
        if sys.stdin.isatty():
            raise BadInput("no claim given; type one: twicetold match 'the claim', or pipe claims in, one a line")
        arguments = ("-",)
    for number, argument in enumerate(arguments, start=1):
        if argument == "-":
            yield from _from_stream(sys.stdin.buffer, "standard input", separator)
        elif _is_path(argument):
            yield from _from_file(Path(argument), separator, column)
        elif _FILE_NAME.fullmatch(argument):
            raise BadInput(f"there is no file {argument}; name a file of claims, or write the claim in words")
        else:
            yield _guarded(argument, f"c{number}", f"claim {number}")


def _is_path(argument: str) -> bool:
    try:
        return bool(argument.strip()) and " " not in argument.strip() and len(argument) < 1000 and Path(argument).exists()
    except (OSError, ValueError):
        return False


def _from_file(path: Path, separator: bytes, column: str) -> Iterator[Claim | TwicetoldError]:
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file of claims, or - for standard input")
    try:
        if path.suffix.lower() in _TABLES and separator == b"\n":
            yield from _from_table(path, column)
            return
        with path.open("rb") as file:
            yield from _from_stream(file, str(path), separator)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None


def _from_table(path: Path, column: str) -> Iterator[Claim | TwicetoldError]:
    """The column of claims: the one named, one with a name we know, or the only one there is."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file, delimiter=_TABLES[path.suffix.lower()])
        header = next(rows, [])
        at = _column_of_claims(header, column, path)
        if at is None:  # one column without a name: its first row is a claim
            yield from (_guarded(text, "c1", f"{path}, line 1") for text in header)
            at = 0
        by_id = {name.strip().lower(): place for place, name in enumerate(header)}.get("id")
        for number, row in enumerate(rows, start=1):
            if any(cell.strip() for cell in row):
                id = row[by_id] if by_id is not None and by_id < len(row) and row[by_id] else f"c{number}"
                yield _guarded(row[at] if at < len(row) else "", id, f"{path}, line {rows.line_num}")


def _column_of_claims(header: list[str], column: str, path: Path) -> int | None:
    names = [name.strip().lower() for name in header]
    if column:
        if column.lower() not in names:
            raise BadInput(f"{path} has no column {column!r}; it has {', '.join(header)}")
        return names.index(column.lower())
    known = next((name for name in _CLAIM_COLUMNS if name in names), None)
    if known is not None:
        return names.index(known)
    if len(header) == 1:
        return None
    raise BadInput(f"{path}: which column holds the claims? It has {', '.join(header)}; name it: --column NAME")


def _from_stream(stream: BinaryIO, name: str, separator: bytes) -> Iterator[Claim | TwicetoldError]:
    for number, raw in enumerate(_pieces(stream, separator), start=1):
        unit = "line" if separator == b"\n" else "record"
        place = f"{name}, {unit} {number}"
        if not raw.strip():
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            yield BadInput(f"{place}: not UTF-8 (byte {error.start + 1}); convert the file, or leave such lines out with --skip-broken")
            continue
        yield _guarded(text, f"c{number}", place)


def _pieces(stream: BinaryIO, separator: bytes) -> Iterable[bytes]:
    if separator == b"\n":
        yield from stream
        return
    rest = b""
    while block := stream.read1(65536) if hasattr(stream, "read1") else stream.read(65536):
        *whole, rest = (rest + block).split(separator)
        yield from whole
    yield rest


def _guarded(text: str, id: str, place: str) -> Claim | TwicetoldError:
    try:
        return _claim(text, id, place)
    except TwicetoldError as error:
        return error


def _claim(text: str, id: str, place: str) -> Claim:
    stripped = text.strip()
    if stripped.startswith("{"):
        return _from_record(stripped, id, place)
    if "\x00" in text:
        raise BadInput(f"{place}: holds a NUL character; with -0 NUL separates posts, otherwise remove it")
    if not stripped:
        raise BadInput(f"{place}: the claim is empty; give some words")
    if has_half_letters(stripped):
        raise BadInput(f"{place}: not UTF-8; write the claim in your terminal's own encoding, or put it into a file in UTF-8")
    if len(stripped) > MOST_CHARS:
        raise BadInput(f"{place}: {len(stripped):,} characters; a claim has at most {MOST_CHARS:,}: cut it to what is claimed")
    return Claim(id, stripped)


def _from_record(text: str, id: str, place: str) -> Claim:
    """A JSON line: a claim, a ranking (its query is asked again), or any object with a `text`."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{place}: starts like JSON but is not ({error}); put one whole object on a line") from None
    if not isinstance(record.get("text", ""), str):
        raise BadInput(f'{place}: wanted words in "text", found {json.dumps(record["text"])[:60]}')
    if not ("text" in record or "query" in record):
        raise BadInput(f'{place}: wanted {{"id": …, "text": …}}, found the fields {sorted(record)[:8]}')
    try:
        if "query" in record:
            query = from_json(Ranking, record).query
            return query if isinstance(query, Claim) else Claim(query.id, query.text, lang=query.lang)
        known = {**record, "id": str(record.get("id", id)), "text": record["text"].strip()}
        claim = from_json(Claim, known)
    except TwicetoldError as error:
        raise BadInput(f"{place}: {error}") from None
    if has_half_letters(claim.text):
        raise BadInput(f"{place}: the text holds half of a character (\\ud8…), which cannot be searched; take it out")
    if not claim.text or len(claim.text) > MOST_CHARS:
        raise BadInput(f"{place}: the text has {len(claim.text):,} characters; a claim has 1 to {MOST_CHARS:,}")
    return claim


def only_claims(asked: Iterator[Claim | TwicetoldError], *, skip_broken: bool) -> Iterator[Claim]:
    """Pass the claims on. The first that is none ends it with its error, unless `skip_broken`: then each is named on stderr."""
    is_any = False
    for claim in asked:
        is_any = True
        if isinstance(claim, Claim):
            yield claim
        elif skip_broken:
            click.echo(f"skipped: {claim}", err=True)
        else:
            raise claim
    if not is_any and not skip_broken:
        raise BadInput("no claim came in; wanted words, or a file or standard input with one claim a line")
