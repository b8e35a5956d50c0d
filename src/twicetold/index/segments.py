"""Rows of vectors written together and mapped from disk.

`.rows.npy` has number, field, is removed and text digest of each row, `.vectors.npy` the vectors, `.heads.npy` their first dimensions.
A segment is written once, beside its place, and renamed into it: a reader that has an old file mapped keeps it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numkong
import numpy as np

from twicetold.errors import BadData
from twicetold.index.rows import FIELDS, Row

Array = np.ndarray[Any, Any]
TABLE = np.dtype([("num", "u4"), ("field", "u1"), ("is_removed", "?"), ("text", "u8")])


class Segment:
    """Vectors as float16, and their first dimensions as bytes, cut into pieces that can be scanned one by one."""

    def __init__(self, path: Path, dim: int, starts: Array | None = None) -> None:
        self.stamp = stamp(path)
        try:
            self.table = np.load(f"{path}.rows.npy")
            self.vectors = np.load(f"{path}.vectors.npy", mmap_mode="r")  # (N, D) float16
            self.heads = np.load(f"{path}.heads.npy", mmap_mode="r")  # (N, HEAD) int8; (N, 0) before the vectors are turned
        except (OSError, ValueError) as error:
            raise BadData(f"the vector index at {path.parent} is damaged ({error}); run: twicetold index --rebuild") from None
        if self.vectors.shape != (len(self.table), dim):
            raise BadData(f"the vector index at {path.parent} is damaged (rows do not fit); run: twicetold index --rebuild")
        self.nums, self.fields, self.is_removed, self.texts = (self.table[name] for name in ("num", "field", "is_removed", "text"))
        self._starts = np.array([0, len(self.table)]) if starts is None else starts
        self._packed: dict[int, Any] = {}

    def products(self, small: Array, pieces: Iterable[int] | None = None) -> Array:
        """The products of the bytes of every row, or of the rows of these pieces, with those of the queries, (B, HEAD): (B, N)."""
        wanted = range(len(self._starts) - 1) if pieces is None else pieces
        parts = [np.array(numkong.dots_packed(small, self._pack(piece))) for piece in wanted if self._size(piece)]
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(small), 0), np.int32)

    def rows_of(self, pieces: Iterable[int]) -> Array:
        """The rows of these pieces, in the order of `products`."""
        return np.concatenate([np.arange(self._starts[piece], self._starts[piece + 1]) for piece in pieces])

    def _size(self, piece: int) -> int:
        return int(self._starts[piece + 1] - self._starts[piece])

    def _pack(self, piece: int) -> Any:
        if piece not in self._packed:
            self._packed[piece] = numkong.dots_pack(np.ascontiguousarray(self.heads[self._starts[piece] : self._starts[piece + 1]]))
        return self._packed[piece]

    @staticmethod
    def write(path: Path, table: Array, blocks: Iterable[Array], *, head: int, scale: float) -> None:
        """Write rows whose vectors come block by block; their first `head` dimensions also as bytes, multiplied by `scale`."""
        wide = head if scale else 0
        blocks = iter(blocks)
        first = next(blocks)
        with (
            _array(f"{path}.vectors.npy", (len(table), first.shape[1]), np.float16) as vectors,
            _array(f"{path}.heads.npy", (len(table), min(wide, first.shape[1])), np.int8) as heads,
        ):
            start = 0
            for block in _again(first, blocks):
                end = start + len(block)
                vectors[start:end] = block
                heads[start:end] = np.clip(np.round(block[:, :wide] * scale), -127, 127)
                start = end
        save(Path(f"{path}.rows.npy"), table)

    @staticmethod
    def delete(path: Path) -> None:
        """Remove the files of a segment."""
        for part in ("rows", "vectors", "heads"):
            Path(f"{path}.{part}.npy").unlink(missing_ok=True)


def table_of(rows: Sequence[Row], is_removed: Array) -> Array:
    """Return the rows as a table."""
    table = np.empty(len(rows), TABLE)
    table["num"] = [row.num for row in rows]
    table["field"] = [FIELDS.index(row.field) for row in rows]
    table["is_removed"] = is_removed
    table["text"] = [row.text for row in rows]
    return table


def stamp(path: Path) -> tuple[str, int, int]:
    """Return what tells a segment from another that was written under the same name after a rebuild."""
    try:
        found = Path(f"{path}.vectors.npy").stat()
    except OSError:
        return path.name, 0, 0  # to open it will say what is wrong
    return path.name, found.st_ino, found.st_mtime_ns


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes the place of `path`, safe on disk, when it is done.

    Written over, the old one would change under a reader that has it mapped, and kill it.
    """
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def save(path: Path, array: Array) -> None:
    """Write an array in one step."""
    with replaced(path) as file:
        np.save(file, array)


@contextmanager
def _array(name: str, shape: tuple[int, int], kind: Any) -> Iterator[Array]:
    """An array to fill piece by piece that takes its place on disk when it is full."""
    fresh = Path(f"{name}.new")
    mapped: Any = np.lib.format.open_memmap(fresh, mode="w+", dtype=kind, shape=shape) if shape[0] and shape[1] else np.zeros(shape, kind)
    yield mapped
    if isinstance(mapped, np.memmap):
        mapped.flush()
        fresh.replace(name)
    else:
        save(Path(name), mapped)


def _again(first: Array, rest: Iterator[Array]) -> Iterator[Array]:
    yield first
    yield from rest
