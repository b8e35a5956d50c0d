"""Files of posts cut into partitions: runs of rows of one file that one worker reads, screens and commits.

Parquet is cut by rows, JSON Lines and CSV by bytes at ends of records, which takes one pass over the file. A compressed file cannot be
entered in the middle and is one partition. Rows count from 1; of JSON Lines they are the lines, of CSV the records below the header.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from twicetold.batch.storage import Found, Place, arrow
from twicetold.errors import BadData, BadInput

Kind = Literal["parquet", "jsonl", "csv", "tsv"]
KINDS: dict[str, Kind] = {
    ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv",
}  # fmt: skip
PACKED = (".gz", ".bz2", ".zst", ".lz4")
_BLOCK = 8 << 20


@dataclass(frozen=True, slots=True)
class Partition:
    """Rows `first` to `first + rows - 1` of a file. `offset` and `size` are their bytes; size 0 means the whole of a packed file."""

    number: int
    place: str
    path: str
    kind: Kind
    first: int
    rows: int
    offset: int = 0
    size: int = 0

    @property
    def name(self) -> str:
        """The stem of the files that are written for it."""
        return f"part-{self.number:06d}"


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns that hold text, id and language; "" for the usual ones."""

    text: str = ""
    id: str = ""
    lang: str = ""


USUAL = Columns()


def find_files(places: Sequence[Place]) -> list[tuple[Place, Found]]:
    """Return every file of posts at these places, once. A named file of another kind is an error, one in a folder is not read."""
    found: dict[tuple[str, str], tuple[Place, Found]] = {}
    for place in places:
        files = place.files()
        kept = [(place, file) for file in files if kind_of(file.path) is not None]
        if not kept and len(files) == 1 and files[0].path.rstrip("/").endswith(place.root.strip("/")):
            raise BadInput(f"{place.address} is none of the files read here; wanted {_wanted()}")
        if not kept:
            raise BadInput(f"there are no posts in {place.address}: {len(files)} files, none of them {_wanted()}")
        for _, file in kept:
            found.setdefault((place.system.type_name, file.path), (place, file))
    return list(found.values())


def _wanted() -> str:
    return "Parquet (.parquet), JSON Lines (.jsonl, .ndjson) or CSV (.csv, .tsv), the latter also packed (.gz, .bz2, .zst)"


def kind_of(path: str) -> Kind | None:
    """Return what a file's name says it is."""
    name = path.lower()
    packed = next((ending for ending in PACKED if name.endswith(ending)), "")
    kind = next((kind for ending, kind in KINDS.items() if name.removesuffix(packed).endswith(ending)), None)
    return None if packed and kind == "parquet" else kind


def is_packed(path: str) -> bool:
    """True if the file's name says that it is compressed."""
    return path.lower().endswith(PACKED)


def cut(files: Iterable[tuple[Place, Found]], *, rows: int) -> Iterator[Partition]:
    """Cut files into partitions of at most `rows` rows, numbered from 0 in the order of the files."""
    number = 0
    for place, file in files:
        kind = kind_of(file.path)
        assert kind is not None
        for piece in _pieces(place, file, kind, rows):
            yield dataclasses.replace(piece, number=number)
            number += 1


def _pieces(place: Place, file: Found, kind: Kind, rows: int) -> Iterator[Partition]:
    if kind == "parquet":
        total = read_footer(place, file.path).metadata.num_rows
        for first in range(0, total, rows):
            yield Partition(0, place.address, file.path, kind, first + 1, min(rows, total - first))
        return
    if is_packed(file.path):
        yield Partition(0, place.address, file.path, kind, 1, 0)
        return
    first, start = 1, 0
    with place.system.open_input_stream(file.path) as stream:
        ends = _ends(stream, _line_ends if kind == "jsonl" else _record_ends)
        if kind != "jsonl":
            start = next(ends, 0)  # past the header
        for here, end in _every(ends, rows):
            yield Partition(0, place.address, file.path, kind, first, here, start, end - start)
            first, start = first + here, end


def read_footer(place: Place, path: str) -> Any:
    """Open a Parquet file; BadData if it is none."""
    pa = arrow()
    try:
        return pa.parquet.ParquetFile(path, filesystem=place.system)
    except (pa.ArrowInvalid, OSError) as error:
        raise BadData(f"{path} cannot be read as Parquet ({error}); restore the file, or take it out of the folder") from None


def _every(ends: Iterator[int], rows: int) -> Iterator[tuple[int, int]]:
    """Yield (how many records, where they end) for each run of `rows` records."""
    count = end = 0
    for end in ends:
        count += 1
        if count == rows:
            yield count, end
            count = 0
    if count:
        yield count, end


def _ends(stream: Any, find: Callable[[bytes, int, bool], tuple[list[int], bool]]) -> Iterator[int]:
    """Yield the place after each record of a stream, the last one's too if it lacks its line break."""
    at, last, is_quoted = 0, 0, False
    while block := stream.read(_BLOCK):
        found, is_quoted = find(block, at, is_quoted)
        yield from found
        last = found[-1] if found else last
        at += len(block)
    if at > last:
        yield at


def _line_ends(block: bytes, at: int, is_quoted: bool) -> tuple[list[int], bool]:
    found, place = [], block.find(b"\n")
    while place >= 0:
        found.append(at + place + 1)
        place = block.find(b"\n", place + 1)
    return found, is_quoted


def _record_ends(block: bytes, at: int, is_quoted: bool) -> tuple[list[int], bool]:
    """Line breaks outside quotes. A doubled quote inside a quoted field leaves the parity as it was, so counting quotes is enough."""
    found, last, place = [], 0, block.find(b"\n")
    while place >= 0:
        is_quoted ^= bool(block.count(b'"', last, place) & 1)
        if not is_quoted:
            found.append(at + place + 1)
        last, place = place, block.find(b"\n", place + 1)
    is_quoted ^= bool(block.count(b'"', last) & 1)
    return found, is_quoted
