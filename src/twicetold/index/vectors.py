"""Dense search over the vectors of claims and titles.

Rows are kept as float16 in segments that are written once and named by a manifest, which is replaced in one step: a crash leaves the
old manifest or the new one. Small collections are searched exactly. From `SCAN_FROM` rows on, the vectors are turned so that the first
dimensions carry most of their length; a scan over those, as bytes, picks candidates whose exact products are then taken. From
`CELLS_FROM` rows on they are sorted into cells, and only those near the query are scanned. It does not make vectors: `encoder` does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twicetold.index.cells import Cells
from twicetold.index.rows import FIELDS, Array, Change, Encode, Field, Row, texts_of
from twicetold.index.segments import Segment, save, stamp, table_of

FORMAT = 3
SCAN_FROM = 30_000
CELLS_FROM = 500_000
HEAD = 128
"""Dimensions of the scan. Of the hundred nearest of 157,176 vectors it keeps 96 among its four hundred candidates."""
_POOL, _LEAST_POOL = 4, 100  # candidates of the scan: per result wanted, and at least
_BLOCK = 64  # claims multiplied with all rows at once
_SHARE, _LEAST_SCANNED = 5, 20  # of the rows in cells one in so many is scanned, and at least so many times the candidates
"""Of the ten nearest of 157,176 vectors to a tweet the nearest fifth of the cells holds 96 in a hundred, the nearest tenth 91."""
_PIECE = 50_000  # rows in memory at once while everything is written anew
_MOST_SEGMENTS = 12
_FEW = 50  # a filter that leaves one row in so many is scanned by fetching those rows


class VectorIndex:
    """Unit vectors by fact-check number and field."""

    def __init__(self, folder: Path, *, dim: int, encoder: str, scan_from: int = SCAN_FROM, cells_from: int = CELLS_FROM) -> None:
        self.folder = folder
        self.dim = dim
        self._encoder = encoder
        self._scan_from = scan_from
        self._cells_from = cells_from
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    def _load(self) -> None:
        self._expected: list[Array] = []
        self._found_ahead: dict[tuple[bytes, int], list[int]] = {}
        manifest = _read_manifest(self.folder)
        if manifest.get("encoder") != self._encoder or manifest.get("dim") != self.dim or manifest.get("format") != FORMAT:
            manifest = {
                "format": FORMAT,
                "encoder": self._encoder,
                "dim": self.dim,
                "reached": 0,
                "segments": [],
                "is_turned": False,
                "scale": 0.0,
                "cells": "",
            }
        self._manifest: dict[str, Any] = manifest
        self.reached = int(manifest["reached"])
        kept = {segment.stamp: segment for segment in getattr(self, "_segments", [])}
        cells = manifest.get("cells", "")
        self._cells = Cells.load(self.folder / cells) if cells else None
        starts = [None if self._cells is None else self._cells.starts, *([None] * len(manifest["segments"]))]
        self._segments = [
            kept.get(stamp(self.folder / name)) or Segment(self.folder / name, self.dim, cut)
            for name, cut in zip(manifest["segments"], starts, strict=False)
        ]
        self._turn = np.load(self.folder / "turn.npy") if manifest["is_turned"] else None  # (D, D)
        self._place_rows()

    def _place_rows(self) -> None:
        self._nums = _joined([segment.nums for segment in self._segments], np.uint32)
        self._fields = _joined([segment.fields for segment in self._segments], np.uint8)
        self._starts = np.cumsum([0] + [len(segment.nums) for segment in self._segments])
        most = int(self._nums.max()) if len(self._nums) else 0
        self._row_of = np.full((len(FIELDS), most + 1), -1, np.int64)
        # Later segments win: a changed fact-check's newer row takes the place of the older one, a removal (no vector) empties it.
        for segment, start in zip(self._segments, self._starts, strict=False):
            for field in range(len(FIELDS)):
                here = segment.fields == field
                rows = np.where(segment.is_removed[here], -1, np.flatnonzero(here) + start)
                self._row_of[field, segment.nums[here]] = rows
        self._is_live = np.zeros(len(self._nums), bool)
        live = self._row_of[self._row_of >= 0]
        self._is_live[live] = True
        self._every: Array | None = None  # all rows as float32, while they are few

    def refresh(self) -> None:
        """See what another process has written since."""
        if _read_manifest(self.folder) != self._manifest:
            self._load()

    def __len__(self) -> int:
        return int(self._is_live.sum())

    def known(self, row: Row) -> bool:
        """True if this very text already has its vector here."""
        at = self._at(row.num, FIELDS.index(row.field))
        return at >= 0 and int(self._segment_value(at, "texts")) == row.text

    def _at(self, num: int, field: int) -> int:
        return int(self._row_of[field, num]) if num < self._row_of.shape[1] else -1

    # --- writing

    def take(self, batch: Sequence[Change], encode: Encode) -> None:
        """Write the store's changes of whole counters, encoding only texts that are not here yet."""
        wanted, gone = texts_of(batch)
        fresh = {row: text for row, text in wanted.items() if not self.known(row)}
        self.write(list(fresh), encode(list(fresh.values())), gone, reached=batch[-1][1])

    def write(self, rows: Sequence[Row], vectors: Array, removed: Iterable[tuple[int, Field]], reached: int) -> None:
        """Add rows with their vectors, take away others, and move the change counter, all in one step."""
        gone = [Row(num, field, 0) for num, field in removed if self._at(num, FIELDS.index(field)) >= 0]
        if not rows and not gone:
            self._commit(self._manifest | {"reached": reached})
            self.reached = reached
            return
        every = [*rows, *gone]
        block = np.zeros((len(every), self.dim), np.float32)
        block[: len(rows)] = vectors
        if self._turn is not None:
            block = block @ self._turn
        name = f"segment-{reached:012d}-{len(self._segments):04d}"
        is_removed = np.arange(len(every)) >= len(rows)
        Segment.write(self.folder / name, table_of(every, is_removed), [block], head=HEAD, scale=self._manifest["scale"])
        names = [*self._manifest["segments"], name]
        self._commit(self._manifest | {"reached": reached, "segments": names})
        is_due = self._is_due(len(rows))
        self._load()
        if is_due or len(names) > _MOST_SEGMENTS:
            behind = len(self._nums) - len(self._segments[0].nums)
            self._compact() if is_due or behind * 4 > len(self._nums) else self._gather_small()
            self._load()

    def take_from(self, other: VectorIndex, nums: Mapping[int, int], reached: int) -> None:
        """Copy another index's vectors, made by the same encoder, under new numbers (theirs → ours)."""
        old = np.flatnonzero(other._is_live & np.isin(other._nums, np.fromiter(nums, np.int64)))
        block = other._rows(old) if other._turn is None else other._rows(old) @ other._turn.T
        places = zip(other._nums[old].tolist(), other._fields[old].tolist(), old.tolist(), strict=True)
        rows = [Row(nums[num], FIELDS[field], int(other._segment_value(at, "texts"))) for num, field, at in places]
        self.write(rows, block, [], reached)

    def _is_due(self, more: int) -> bool:
        """True when there are enough rows for the next way of searching, or too many that are in no cell."""
        total = len(self._nums) + more
        if self._turn is None:
            return total >= self._scan_from
        behind = total - (len(self._cells) if self._cells is not None else 0)
        return total >= self._cells_from and behind > total // 5

    def _compact(self) -> None:
        """Write the live rows as one segment; when there are enough of them, turned by their principal directions, in cells."""
        live = np.flatnonzero(self._is_live)
        live = live[np.lexsort((self._fields[live], self._nums[live]))]
        turn, scale = None, float(self._manifest["scale"])
        if self._turn is None and len(live) >= self._scan_from:
            turn = _principal_directions(self._rows(live[:: max(1, len(live) // 20_000)]))
            scale = 127 / max(*(float(np.abs(block[:, :HEAD]).max()) for block in self._pieces(live, turn)), 1e-6)
            save(self.folder / "turn.npy", turn)
        is_turned = self._turn is not None or turn is not None
        name = f"segment-{self.reached:012d}-whole-{int(is_turned)}"
        while (self.folder / f"{name}.rows.npy").exists():
            name += "x"
        cells = ""
        if is_turned and len(live) >= self._cells_from:
            made, order = Cells.make(lambda at: next(self._pieces(live[at], turn, HEAD)), len(live))
            live, cells = live[order], f"{name}.cells.npz"
            made.save(self.folder / cells)
        Segment.write(self.folder / name, self._table(live), self._pieces(live, turn), head=HEAD, scale=scale)
        old = self._manifest
        self._commit({**old, "segments": [name], "is_turned": is_turned, "scale": scale, "cells": cells})
        for gone in old["segments"]:
            Segment.delete(self.folder / gone)
        if old.get("cells"):
            (self.folder / old["cells"]).unlink(missing_ok=True)

    def _pieces(self, at: Array, turn: Array | None, width: int | None = None) -> Iterator[Array]:
        """These rows as float32, some at a time, turned if `turn` is given, and of so many dimensions."""
        size = _PIECE if width is None else max(len(at), 1)
        for start in range(0, len(at), size):
            block = self._rows(at[start : start + size])
            yield block[:, :width] if turn is None else block @ turn[:, :width]

    def _table(self, at: Array) -> Array:
        table: Array = np.concatenate([segment.table for segment in self._segments])[at]
        table["is_removed"] = False
        return table

    def _gather_small(self) -> None:
        """Write all segments but the first, which is large, as one: what was added, changed and removed since."""
        at = np.arange(len(self._segments[0].nums), len(self._nums))
        last = len(at) - 1 - np.unique((self._nums[at].astype(np.int64) * len(FIELDS) + self._fields[at])[::-1], return_index=True)[1]
        at = at[np.sort(last)]
        table = np.concatenate([segment.table for segment in self._segments])[at]
        first, *old = self._manifest["segments"]
        name = f"{old[-1]}-small"
        Segment.write(self.folder / name, table, [self._rows(at)], head=HEAD, scale=self._manifest["scale"])
        self._commit(self._manifest | {"segments": [first, name]})
        for gone in old:
            Segment.delete(self.folder / gone)

    def _commit(self, manifest: dict[str, Any]) -> None:
        path = self.folder / "manifest.json"
        fresh = path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(manifest, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        self._manifest = manifest

    # --- searching

    def expect(self, vectors: Sequence[Array]) -> None:
        """Learn which vectors will be searched for next without a filter: they are searched together when the first of them comes."""
        self._expected, self._found_ahead = list(vectors), {}

    def _searched_ahead(self, vector: Array, depth: int) -> list[int] | None:
        """What was found for a vector that was expected, None for any other."""
        if not self._expected:
            return None
        if (self._expected[0].tobytes(), depth) not in self._found_ahead:
            many = self.search_many(np.stack(self._expected), depth=depth)
            self._found_ahead |= {(one.tobytes(), depth): nums for one, nums in zip(self._expected, many, strict=True)}
        return self._found_ahead.get((vector.tobytes(), depth))

    def search(self, vector: Array, *, depth: int, allowed: Sequence[int] | None = None) -> list[int]:
        """Return the numbers of the `depth` fact-checks whose nearer vector is nearest, best first."""
        found = self._searched_ahead(vector, depth) if allowed is None else None
        return self._search(vector, depth, allowed) if found is None else found

    def _search(self, vector: Array, depth: int, allowed: Sequence[int] | None) -> list[int]:
        if not len(self._nums):
            return []
        query = self._turned(vector)
        mask = self._is_live
        if allowed is not None:
            inside = np.zeros(self._row_of.shape[1], bool)
            some = np.asarray(allowed, np.int64)
            inside[some[some < len(inside)]] = True
            mask = mask & inside[self._nums]
        return self._best(query, self._candidates(query, mask, depth), depth)

    def search_many(self, vectors: Array, *, depth: int) -> list[list[int]]:
        """As `search` for each of the vectors, (B, D), whose candidates are found by products of blocks of them with all rows."""
        pool = max(depth * _POOL, _LEAST_POOL)
        if self._cells is not None or len(self) <= pool:
            return [self._search(vector, depth, None) for vector in vectors]
        queries = np.stack([self._turned(vector) for vector in vectors]) if len(vectors) else np.zeros((0, self.dim), np.float32)
        found = []
        for start in range(0, len(queries), _BLOCK):
            scores = self._products_of_many(queries[start : start + _BLOCK])  # (B, N)
            scores[:, ~self._is_live] = np.iinfo(scores.dtype).min if scores.dtype.kind == "i" else -np.inf
            nearest = np.argpartition(scores, -pool, axis=1)[:, -pool:]  # (B, pool)
            found += [self._best(query, np.sort(rows), depth) for query, rows in zip(queries[start:], nearest, strict=False)]
        return found

    def _best(self, query: Array, rows: Array, depth: int) -> list[int]:
        """The best `depth` fact-checks among these rows by their exact products."""
        scores = _each(self._rows(rows), query)
        nums = self._nums[rows]
        order = np.lexsort((nums, -scores))
        nearer = np.unique(nums[order], return_index=True)[1]  # of a fact-check's two vectors the first in this order
        return [int(num) for num in nums[order][np.sort(nearer)[:depth]]]

    def score(self, vector: Array, nums: Sequence[int]) -> dict[Field, Array]:
        """Return, by field, the cosine of each of these fact-checks to the vector; 0 where it has no such vector."""
        query = self._turned(vector)
        wanted = np.asarray(nums, np.int64)
        inside = wanted < self._row_of.shape[1]
        scores: dict[Field, Array] = {}
        for index, field in enumerate(FIELDS):
            at = np.full(len(wanted), -1, np.int64)
            at[inside] = self._row_of[index, wanted[inside]]
            found = np.zeros(len(wanted), np.float32)
            found[at >= 0] = _each(self._rows(at[at >= 0]), query)
            scores[field] = found
        return scores

    def vectors(self, field: Field, nums: Sequence[int]) -> Array:
        """Return the vectors of these fact-checks, (N, D), as they were written but for float16; zeros where there is none."""
        wanted = np.asarray(nums, np.int64)
        inside = wanted < self._row_of.shape[1]
        at = np.full(len(wanted), -1, np.int64)
        at[inside] = self._row_of[FIELDS.index(field), wanted[inside]]
        out = np.zeros((len(wanted), self.dim), np.float32)
        block = self._rows(at[at >= 0])
        out[at >= 0] = block if self._turn is None else block @ self._turn.T
        return out

    def _turned(self, vector: Array) -> Array:
        vector = np.asarray(vector, np.float32)
        return vector if self._turn is None else _each(self._turn.T, vector)

    def _candidates(self, query: Array, mask: Array, depth: int) -> Array:
        pool = max(depth * _POOL, _LEAST_POOL)
        if self._cells is not None:
            near = self._in_cells(query, mask, pool)
            # A filter may leave too few rows in the cells near the query; then all that it allows are scanned.
            if len(near) == pool:
                return np.sort(np.concatenate([near, self._scanned(query, mask, pool, start=len(self._cells))]))
        return self._scanned(query, mask, pool, start=0)

    def _in_cells(self, query: Array, mask: Array, pool: int) -> Array:
        """The `pool` nearest rows that the mask allows in the cells near the query, or fewer if there are no more."""
        assert self._cells is not None
        pieces = self._cells.near(query[:HEAD], max(len(self._cells) // _SHARE, _LEAST_SCANNED * pool)).tolist()
        first = self._segments[0]
        rows, products = first.rows_of(pieces), first.products(_small(query), pieces)[0]
        allowed = mask[rows]
        if not allowed.all():
            rows, products = rows[allowed], products[allowed]
        return rows if len(rows) <= pool else rows[np.argpartition(products, -pool)[-pool:]]

    def _scanned(self, query: Array, mask: Array, pool: int, *, start: int) -> Array:
        """The `pool` nearest rows among those from `start` on that the mask allows: all of them if they are few."""
        allowed = mask[start:]
        count = int(np.count_nonzero(allowed))
        if count <= pool:
            return np.flatnonzero(allowed) + start
        if self._turn is not None and count * _FEW < len(self._nums):
            wanted = np.flatnonzero(allowed) + start
            scores = self._gather(wanted, min(HEAD, self.dim)) @ query[:HEAD]
            return np.sort(wanted[np.argpartition(scores, -pool)[-pool:]])
        scores = self._products(query, start)
        if count < len(allowed):
            scores[~allowed] = np.iinfo(scores.dtype).min if scores.dtype.kind == "i" else -np.inf
        return np.sort(np.argpartition(scores, -pool)[-pool:]) + start

    def _products(self, query: Array, start: int) -> Array:
        """Products with every row from `start` on; once the vectors are turned of the first dimensions in bytes, good for order alone."""
        if self._turn is None:
            if self._every is None:
                self._every = self._rows(np.arange(len(self._nums)))
            every: Array = self._every @ query
            return every[start:]
        small = _small(query)
        parts = [segment.products(small)[0] for segment, first in zip(self._segments, self._starts, strict=False) if first >= start]
        return _joined(parts, np.int32)

    def _products_of_many(self, queries: Array) -> Array:
        """As `_products` for many queries at once, (B, N)."""
        if self._turn is None:
            if self._every is None:
                self._every = self._rows(np.arange(len(self._nums)))
            every: Array = queries @ self._every.T
            return every
        heads = queries[:, :HEAD]
        scale = 127 / np.maximum(np.abs(heads).max(axis=1, keepdims=True), 1e-6)
        small = np.round(heads * scale).astype(np.int8)
        return np.concatenate([segment.products(small) for segment in self._segments], axis=1)

    def _rows(self, at: Array) -> Array:
        return self._gather(at, self.dim)

    def _gather(self, at: Array, width: int) -> Array:
        """The first `width` dimensions of these rows as float32 (multiplied, if they are the bytes of the scan), from their segments."""
        out = np.empty((len(at), width), np.float32)
        which = np.searchsorted(self._starts, at, side="right") - 1
        for index in np.unique(which):
            here = which == index
            segment = self._segments[index]
            kept = segment.vectors if width == self.dim else segment.heads
            out[here] = kept[at[here] - self._starts[index]]
        return out

    def _segment_value(self, at: int, name: str) -> Any:
        index = int(np.searchsorted(self._starts, at, side="right")) - 1
        return getattr(self._segments[index], name)[at - self._starts[index]]


def _principal_directions(rows: Array) -> Array:
    """Return the (D, D) rotation that sorts directions by how much of the vectors' length they carry."""
    sample = rows.astype(np.float64)
    _, directions = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(directions[:, ::-1]).astype(np.float32)


def _small(query: Array) -> Array:
    """The first dimensions of the query as bytes, (1, HEAD): good for the order of products alone."""
    head = query[:HEAD]
    return np.round(head * (127 / max(float(np.abs(head).max()), 1e-6))).astype(np.int8)[None]


def _each(rows: Array, query: Array) -> Array:
    """The product of each row with the query, row by row: a score does not depend on the rows beside it.

    A matrix product would also leave the threads of the matrix library spinning for milliseconds, in the encoder's way.
    """
    products: Array = np.einsum("nd,d->n", rows, query)
    return products


def _joined(parts: Sequence[Array], kind: type) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, kind)


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
