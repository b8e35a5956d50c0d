"""Where records come from: files, folders, archives and standard input, opened as streams of bytes.

gzip is undone wherever it is met and zip archives are walked without unpacking to disk, both within limits. Nothing is fetched.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from twicetold.errors import BadData, BadInput

HEAD = 1 << 16
MAX_EXPANDED = 64 << 30
"""A compressed source may expand to this many bytes; the rest is taken for an attack and refused."""
MAX_RATIO = 200
"""So many times its size a compressed source may expand: texts do to 5 or 20 times, what does more is made to."""
FREE = 64 << 20
"""Up to so many bytes it may expand whatever its size."""
MAX_LINE = 64 << 20
MAX_MEMBERS = 1_000_000
READABLE = (".html", ".htm", ".xhtml", ".json", ".jsonld", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab")
_UNPACKED_HERE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)  # LZMA takes as much memory as a member asks for
_GZIP, _ZIP, _ZSTD = b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"


_UNZIPPING = (OSError, zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, struct.error)
"""What opening an archive, or a member of one, may fail with."""


class CutOff(BadData):
    """A source ended, or broke, in the middle. What came before is good."""


BEYOND = f"expands to more than {MAX_RATIO} times its size, which no text does; if you know what is in it, unpack it first"


def is_beyond_measure(expanded: int, packed: int) -> bool:
    """True if so many bytes are too many to have come of so few."""
    return expanded > FREE and expanded > MAX_RATIO * packed


class Source:
    """One stream of bytes with a name for messages, the file's `path` or its name inside an archive, `part`, where it has one.

    It may be opened many times, standard input only once.
    """

    def __init__(self, name: str, opener: Callable[[], BinaryIO], *, path: Path | None = None, part: str = "") -> None:
        self.name = name
        self.path = path
        self.part = part
        self._opener = opener
        self._held: tuple[bytes, BinaryIO] | None = None

    @property
    def suffix(self) -> str:
        """The ending of the name, without `.gz`, in lower case: `.csv`."""
        name = self.name.lower().removesuffix(".gz")
        return os.path.splitext(name)[1]

    def head(self) -> bytes:
        """The first 64 kB, uncompressed; the stream is kept and continued by the next `open`."""
        if self._held is None:
            stream = self._opened()
            self._held = (stream.read(HEAD), stream)
        return self._held[0]

    def open(self) -> BinaryIO:
        """Return the uncompressed bytes from the start. Raises BadData if that is impossible, CutOff while reading."""
        if self._held is None:
            return self._opened()
        (start, rest), self._held = self._held, None
        return _buffered(_Joined(start, rest))

    def _opened(self) -> BinaryIO:
        try:
            stream = self._opener()
        except (*_UNZIPPING, RuntimeError) as error:
            raise BadData(f"{self.name} cannot be opened: {_reason(error)}") from None
        return _expanded(stream, self.name)


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _expanded(stream: BinaryIO, name: str) -> BinaryIO:
    """The stream, with gzip undone and its failures told as CutOff."""
    guarded = _buffered(_Guarded(stream, name, sys.maxsize))
    start = guarded.read(4)
    joined = _Joined(start, guarded)
    whole = _buffered(joined)
    if start.startswith(_GZIP):
        packed = cast(BinaryIO, gzip.GzipFile(fileobj=whole))
        return _buffered(_Guarded(packed, name, MAX_EXPANDED, of=joined))
    if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return _buffered(_Transcoded(whole))
    if start == _ZSTD:
        raise BadInput(f"{name} is compressed with zstd, which is not read here: unpack it first (unzstd {name})")
    return whole


def _buffered(raw: io.RawIOBase) -> BinaryIO:
    return io.BufferedReader(raw, buffer_size=HEAD)


class _Joined(io.RawIOBase):
    """Bytes already taken from a stream, then the rest of it."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self.given = 0
        self._start = io.BytesIO(start)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        chunk = self._start.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(chunk)] = chunk
        self.given += len(chunk)
        return len(chunk)

    def close(self) -> None:
        self._rest.close()
        super().close()


class _Guarded(io.RawIOBase):
    """A stream that stops at a limit, or beyond measure of the compressed stream it comes `of`, and turns its failures into CutOff."""

    def __init__(self, stream: BinaryIO, name: str, limit: int, *, of: _Joined | None = None, closes: bool = True) -> None:
        self._stream = stream
        self._name = name
        self._limit = limit
        self._given = 0
        self._of = of
        self._closes = closes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            chunk = self._stream.read(len(buffer))
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError) as error:
            raise CutOff(f"{self._name} cannot be read to its end: {_reason(error)}") from None
        self._given += len(chunk)
        if self._given > self._limit:
            raise CutOff(f"{self._name} expands to more than {MAX_EXPANDED >> 30} GB; unpack it and read the parts")
        if self._of is not None and is_beyond_measure(self._given, self._of.given):
            raise CutOff(f"{self._name} {BEYOND}")
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        if self._closes:
            self._stream.close()
        super().close()


class _Transcoded(io.RawIOBase):
    """UTF-16, as spreadsheets save their text tables, given as UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._waiting = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._waiting:
            chunk = self._stream.read(HEAD)
            # A lone surrogate has no UTF-8 form.
            self._waiting = self._decoder.decode(chunk, final=not chunk).encode("utf-8", "replace")
            if not chunk:
                break
        given, self._waiting = self._waiting[: len(buffer)], self._waiting[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)

    def close(self) -> None:
        self._stream.close()
        super().close()


def file_source(path: Path) -> Source:
    """A file as one source, whatever is in it."""
    return Source(str(path), lambda: open(path, "rb"), path=path)


def stream_source(stream: IO[bytes], name: str = "standard input") -> Source:
    """A stream as one source; it can be read once and is left open, as it is its owner's to close."""
    return Source(name, lambda: _buffered(_Guarded(cast(BinaryIO, stream), name, sys.maxsize, closes=False)))


def sources(where: str | os.PathLike[str] | IO[bytes] | Source) -> Iterator[Source]:
    """Yield the sources in a file, folder, zip archive, stream or `-` (standard input).

    Folders and archives are walked in the order of their names and only files of a known kind are taken: a saved page's
    pictures and scripts, and its `…_files` folder, are left aside. A folder without any such file raises BadData.
    """
    if isinstance(where, Source):
        yield where
    elif not isinstance(where, str | os.PathLike):
        yield stream_source(where)
    elif str(where) == "-":
        yield stream_source(sys.stdin.buffer)
    else:
        yield from _path_sources(Path(where))


def require(where: str) -> None:
    """Raise BadInput unless there is such a file or folder; - is standard input."""
    path = Path(where)
    try:
        is_there = where == "-" or path.exists()
    except (OSError, ValueError) as error:
        raise BadInput(f"{str(path)!r:.200} is not a file name: {_reason(error)}") from None
    if not is_there:
        raise BadInput(f"there is no file or folder {path}; name a feed, table, saved page or a folder of them")


def _path_sources(path: Path) -> Iterator[Source]:
    require(str(path))
    if path.is_dir():
        yield from _folder(path)
    elif _starts_as_zip(path):
        yield from _archive(path)
    else:
        yield file_source(path)


def _folder(path: Path) -> Iterator[Source]:
    found = False
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and not name.endswith("_files"))
        for name in sorted(names):
            if _is_readable(name):
                found = True
                yield file_source(Path(folder) / name)
    if not found:
        raise BadData(f"the folder {path} holds none of the kinds read here: {' '.join(READABLE)}, each also as .gz")


def _is_readable(name: str) -> bool:
    return not name.startswith(".") and name.lower().removesuffix(".gz").endswith(READABLE)


def _starts_as_zip(path: Path) -> bool:
    try:
        with open(path, "rb") as stream:
            return stream.read(4) == _ZIP
    except OSError as error:
        raise BadData(f"{path} cannot be opened: {_reason(error)}") from None


def _archive(path: Path) -> Iterator[Source]:
    members = archive_members(path, _is_readable)
    if not members:
        raise BadData(f"the archive {path} holds none of the kinds read here: {' '.join(READABLE)}")
    yield from members


def archive_members(path: Path, is_wanted: Callable[[str], bool]) -> list[Source]:
    """Return the members of a zip archive whose names, without their folders, are wanted, in the order of their names.

    Nothing is unpacked to disk, so it does not matter where a name would lead. Raises BadData if it cannot be read or is too large.
    """
    try:
        archive = zipfile.ZipFile(path)
        size = path.stat().st_size
    except _UNZIPPING as error:
        raise BadData(f"{path} looks like a zip archive but cannot be read: {_reason(error)}") from None
    # It is closed when the last of its sources is let go: they are opened long after they were named.
    members = [m for m in archive.infolist() if is_wanted(os.path.basename(m.filename))]
    expanded = sum(m.file_size for m in members)
    if len(members) > MAX_MEMBERS or expanded > MAX_EXPANDED:
        raise BadData(f"{path} holds more than {MAX_MEMBERS} files or {MAX_EXPANDED >> 30} GB; unpack it and read the parts")
    if is_beyond_measure(expanded, size):
        raise BadData(f"{path} {BEYOND}")
    return [_member(path, archive, member) for member in sorted(members, key=lambda m: m.filename)]


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Source:
    def opened() -> BinaryIO:
        if member.compress_type not in _UNPACKED_HERE:
            raise BadData(f"{path}/{member.filename} is packed in a way that is not read here; unpack it first")
        return cast(BinaryIO, archive.open(member))

    return Source(f"{path}/{member.filename}", opened, part=member.filename)


def lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line with its number, from 1; None stands for a line too long to be a record."""
    number = 0
    while line := stream.readline(MAX_LINE):
        number += 1
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            while (more := stream.readline(MAX_LINE)) and not more.endswith(b"\n"):
                pass
            yield number, None
        else:
            yield number, line
