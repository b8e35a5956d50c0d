"""The posts of a partition, each with its row; a record that is no post comes as a `Broken` with its row and the reason."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from typing import Any

from twicetold.batch.partitions import Columns, Kind, Partition, is_packed, kind_of, read_footer
from twicetold.batch.storage import Found, Place, arrow
from twicetold.errors import BadData, BadInput
from twicetold.ingest.platforms import ID_FIELDS, LANG_FIELDS, TEXT_FIELDS, Unreadable, from_named
from twicetold.ingest.posts import posts_of
from twicetold.ingest.sources import BEYOND, is_beyond_measure
from twicetold.types import Post

_DELIMITERS = {"csv": ",", "tsv": "\t"}
_BLOCK = 8 << 20
MOST_CHARS = 20_000
"""The longest post, as the longest claim of `match`; more is an article."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A post and the row it stands in."""

    row: int
    post: Post


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that is no post."""

    row: int
    reason: str


def read(partition: Partition, columns: Columns) -> Iterator[Sighting | Broken]:
    """Yield the posts of a partition in the order of their rows. Likes, follows and other records that are no posts are passed over."""
    place = Place(partition.place)
    if partition.kind == "parquet":
        records = _parquet_rows(place, partition, columns)
    elif partition.kind == "jsonl":
        records = _json_lines(place, partition)
    else:
        records = _csv_records(place, partition)
    for row, record in records:
        yield from _posts(row, record, columns)


def check_columns(place: Place, file: Found, columns: Columns) -> None:
    """Raise BadInput if a Parquet or CSV file has no column of text; JSON Lines are seen record by record."""
    kind = kind_of(file.path)
    if kind in (None, "jsonl"):
        return
    names = list(read_footer(place, file.path).schema_arrow.names) if kind == "parquet" else _header(place, file.path, kind)
    for option, wanted, usual in (("--text", columns.text, TEXT_FIELDS), ("--id", columns.id, ()), ("--lang-column", columns.lang, ())):
        known = {name.strip().lower() for name in names}
        is_there = wanted in names if wanted else not usual or bool(known & set(usual))
        if not is_there:
            sought = f"a column {wanted!r}" if wanted else f"a column of texts ({', '.join(usual[:4])} …)"
            raise BadInput(f"{file.path} has the columns {', '.join(names[:12]) or 'none'}; wanted {sought}: name it with {option} COLUMN")


def _posts(row: int, record: Any, columns: Columns) -> Iterator[Sighting | Broken]:
    if isinstance(record, Broken):
        yield record
        return
    try:
        for post in [_by_columns(record, columns)] if columns.text else posts_of(record):
            if len(post.text) > MOST_CHARS:
                raise Unreadable(f"the text has {len(post.text):,} characters; a post has at most {MOST_CHARS:,}")
            yield Sighting(row, post)
    except Unreadable as error:
        yield Broken(row, str(error))


def _by_columns(record: Any, columns: Columns) -> Post:
    text = record.get(columns.text) if isinstance(record, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        raise Unreadable(f"no text in {columns.text!r}: found {text!r:.60}")
    rest = {name: value for name, value in record.items() if name != columns.text}
    found = from_named({**rest, "text": text})
    named = record.get(columns.id) if columns.id else None
    id = str(named) if named is not None else found.id
    return Post(id, text.strip(), found.author, found.posted, str(record.get(columns.lang) or "")[:2] if columns.lang else found.lang)


# --- kinds of files ------------------------------------------------------------------------------------------------------


def _parquet_rows(place: Place, partition: Partition, columns: Columns) -> Iterator[tuple[int, Any]]:
    pa = arrow()
    file = read_footer(place, partition.path)
    usual = {*TEXT_FIELDS, *ID_FIELDS, *LANG_FIELDS, columns.text, columns.id, columns.lang, "author", "created_at"}
    wanted = [name for name in file.schema_arrow.names if name in usual or name.strip().lower() in usual]
    first, last = partition.first - 1, partition.first - 1 + partition.rows  # counted from 0, the last left out
    groups, at = _groups(file.metadata, first, last)
    try:
        for batch in file.iter_batches(batch_size=4096, row_groups=groups, columns=wanted):
            start, end = max(first - at, 0), max(min(last - at, batch.num_rows), 0)
            for row, record in enumerate(batch.slice(start, max(end - start, 0)).to_pylist(), start=at + start + 1):
                yield row, {name: value for name, value in record.items() if value is not None}
            at += batch.num_rows
    except (pa.ArrowInvalid, OSError) as error:
        raise BadData(f"{partition.path} is damaged from row {at + 1:,} on ({error}); restore the file") from None


def _groups(metadata: Any, first: int, last: int) -> tuple[list[int], int]:
    """Return the row groups that hold rows from `first` to before `last`, and the number of the first row in them."""
    sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    starts = list(accumulate(sizes, initial=0))[:-1]
    groups = [group for group, start in enumerate(starts) if start < last and start + sizes[group] > first]
    return groups, starts[groups[0]] if groups else 0


def _json_lines(place: Place, partition: Partition) -> Iterator[tuple[int, Any]]:
    for row, line in enumerate(_lines(place, partition), start=partition.first):
        if not line.strip():
            continue
        try:
            yield row, json.loads(line.decode("utf-8-sig" if row == 1 else "utf-8"))
        except UnicodeDecodeError as error:
            yield row, Broken(row, f"not UTF-8 (byte {error.start + 1})")
        except (ValueError, RecursionError) as error:
            yield row, Broken(row, f"not JSON ({error})")


def _lines(place: Place, partition: Partition) -> Iterable[bytes]:
    return io.BytesIO(_bytes(place, partition))


def _bytes(place: Place, partition: Partition) -> bytes:
    pa = arrow()
    try:
        if is_packed(partition.path):
            return _unpacked(place, partition.path)
        with place.system.open_input_file(partition.path) as file:
            return bytes(file.read_at(partition.size, partition.offset))
    except (pa.ArrowInvalid, OSError) as error:
        raise BadData(f"{partition.path} cannot be read ({error}); restore the file, or take it out of the folder") from None


def _unpacked(place: Place, path: str) -> bytes:
    size = place.system.get_file_info(path).size or 0
    found = bytearray()
    with place.system.open_input_stream(path, compression="detect") as stream:
        while chunk := stream.read(_BLOCK):
            found += chunk
            if is_beyond_measure(len(found), size):
                raise BadData(f"{path} {BEYOND}")
    return bytes(found)


def _csv_records(place: Place, partition: Partition) -> Iterator[tuple[int, Any]]:
    csv.field_size_limit(64 << 20)
    delimiter = _DELIMITERS[partition.kind]
    names = _header(place, partition.path, partition.kind)
    text = _bytes(place, partition).decode("utf-8", "replace").removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    if is_packed(partition.path):
        next(reader, None)
    row = partition.first
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield row, Broken(row, f"not CSV ({error})")
            row += 1
            continue
        if fields:
            is_whole = len(fields) == len(names)
            yield (
                row,
                dict(zip(names, fields, strict=True)) if is_whole else Broken(row, f"{len(fields)} fields under {len(names)} columns"),
            )
        row += 1


def _header(place: Place, path: str, kind: Kind) -> list[str]:
    with place.system.open_input_stream(path, compression="detect" if is_packed(path) else None) as stream:
        head = bytes(stream.read(1 << 20)).decode("utf-8", "replace").removeprefix("\ufeff")
    csv.field_size_limit(64 << 20)
    try:
        names = next(csv.reader(io.StringIO(head, newline=""), delimiter=_DELIMITERS[kind]), [])
    except csv.Error as error:
        raise BadData(f"{path} is not a table: its first line cannot be read ({error})") from None
    if not names:
        raise BadData(f"{path} is empty; wanted a first line that names the columns")
    return names


def fallback_id(path: str, row: int) -> str:
    """Return an id for a record that could not be read."""
    return f"row-{blake2b(f'{path}:{row}'.encode(), digest_size=6).hexdigest()}"
