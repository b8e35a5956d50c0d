"""Dense search over the vectors of claims and titles.

Rows are kept as float16 in segments that are written once and named by a manifest, which is replaced in one step: a crash leaves the
old manifest or the new one. Small collections are searched exactly. From `SCAN_FROM` rows on, the vectors are turned so that the first
dimensions carry most of their length; a scan over those, as bytes, picks candidates whose exact products are then taken. Above
`GRAPH_FROM` rows a usearch graph picks the candidates. It does not make vectors: `encoder` does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numkong
import numpy as np

from twicetold.errors import BadData
from twicetold.index.rows import FIELDS, Array, Change, Encode, Field, Row, texts_of

FORMAT = 3
SCAN_FROM = 30_000
GRAPH_FROM = 1_000_000
HEAD = 128
"""Dimensions of the scan. Of the hundred nearest of 157,176 vectors it keeps 96 among its four hundred candidates."""
_POOL, _LEAST_POOL = 4, 100  # candidates of the scan: per result wanted, and at least
_MOST_SEGMENTS = 12
_FEW = 50  # a filter that leaves one row in so many is scanned by fetching those rows


class VectorIndex:
    """Unit vectors by fact-check number and field."""

    def __init__(self, folder: Path, *, dim: int, encoder: str, scan_from: int = SCAN_FROM, graph_from: int = GRAPH_FROM) -> None:
        self.folder = folder
        self.dim = dim
        self._encoder = encoder
        self._scan_from = scan_from
        self._graph_from = graph_from
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    def _load(self) -> None:
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
                "graph": "",
            }
        self._manifest: dict[str, Any] = manifest
        self.reached = int(manifest["reached"])
        kept = {segment.stamp: segment for segment in getattr(self, "_segments", [])}
        self._segments = [kept.get(_stamp(self.folder / name)) or _Segment(self.folder / name, self.dim) for name in manifest["segments"]]
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
        self._graph = _open_graph(self.folder, self._manifest["graph"])

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
        _Segment.write(self.folder / name, every, block, is_removed, self._manifest["scale"])
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
        """True when there are enough rows for the next way of searching, or too many behind the graph."""
        total = len(self._nums) + more
        if self._turn is None:
            return total >= self._scan_from
        behind = total - (len(self._graph) if self._graph is not None else 0)
        return total >= self._graph_from and behind > total // 5

    def _compact(self) -> None:
        """Write the live rows as one segment; when there are enough of them, turned by their principal directions, with a graph."""
        live = np.flatnonzero(self._is_live)
        live = live[np.lexsort((self._fields[live], self._nums[live]))]
        block = self._rows(live)
        is_turned, scale = self._turn is not None, float(self._manifest["scale"])
        if not is_turned and len(live) >= self._scan_from:
            turn = _principal_directions(block)
            _save(self.folder / "turn.npy", turn)
            block, is_turned = block @ turn, True
            scale = 127 / max(float(np.abs(block[:, :HEAD]).max()), 1e-6)
        texts = [int(self._segment_value(int(at), "texts")) for at in live]
        rows = [Row(int(num), FIELDS[field], text) for num, field, text in zip(self._nums[live], self._fields[live], texts, strict=True)]
        name = f"segment-{self.reached:012d}-whole-{int(is_turned)}"
        while (self.folder / f"{name}.rows.npy").exists():
            name += "x"
        _Segment.write(self.folder / name, rows, block, np.zeros(len(rows), bool), scale)
        graph = _build_graph(self.folder / f"{name}.usearch", block) if len(live) >= self._graph_from else ""
        old, old_graph = self._manifest["segments"], self._manifest["graph"]
        self._commit(self._manifest | {"segments": [name], "is_turned": is_turned, "scale": scale, "graph": graph})
        for gone in old:
            _Segment.delete(self.folder / gone)
        if old_graph:
            (self.folder / old_graph).unlink(missing_ok=True)

    def _gather_small(self) -> None:
        """Write all segments but the first, which is large, as one: what was added, changed and removed since."""
        at = np.arange(len(self._segments[0].nums), len(self._nums))
        last = len(at) - 1 - np.unique((self._nums[at].astype(np.int64) * len(FIELDS) + self._fields[at])[::-1], return_index=True)[1]
        at = at[np.sort(last)]
        rows = [Row(int(self._nums[i]), FIELDS[self._fields[i]], int(self._segment_value(int(i), "texts"))) for i in at]
        is_removed = np.array([bool(self._segment_value(int(i), "is_removed")) for i in at])
        first, *old = self._manifest["segments"]
        name = f"{old[-1]}-small"
        _Segment.write(self.folder / name, rows, self._rows(at), is_removed, self._manifest["scale"])
        self._commit(self._manifest | {"segments": [first, name]})
        for gone in old:
            _Segment.delete(self.folder / gone)

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

    def search(self, vector: Array, *, depth: int, allowed: Sequence[int] | None = None) -> list[int]:
        """Return the numbers of the `depth` fact-checks whose nearer vector is nearest, best first."""
        if not len(self._nums):
            return []
        query = self._turned(vector)
        mask = self._is_live
        if allowed is not None:
            inside = np.zeros(self._row_of.shape[1], bool)
            some = np.asarray(allowed, np.int64)
            inside[some[some < len(inside)]] = True
            mask = mask & inside[self._nums]
        rows = self._candidates(query, mask, depth)
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
        # A filter that leaves few rows would leave few of the graph's answers: those rows are scanned instead.
        if self._graph is None or int(mask.sum()) < 20 * pool:
            return self._scanned(query, mask, pool, start=0)
        near = np.asarray(self._graph.search(query.astype(np.float16), pool * 2).keys, np.int64)
        rows = np.concatenate([near[mask[near]], self._scanned(query, mask, pool, start=len(self._graph))])
        return np.sort(rows)

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
        head = query[:HEAD]
        small = np.round(head * (127 / max(float(np.abs(head).max()), 1e-6))).astype(np.int8)[None]
        parts = [segment.products(small) for segment, first in zip(self._segments, self._starts, strict=False) if first >= start]
        return _joined(parts, np.int32)

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


class _Segment:
    """Rows written together, mapped from disk: `.rows.npy` (num, field, is removed, text digest), `.vectors.npy`, `.heads.npy`."""

    def __init__(self, path: Path, dim: int) -> None:
        self.stamp = _stamp(path)
        self._packed: Any = None
        try:
            table = np.load(f"{path}.rows.npy")
            self.vectors = np.load(f"{path}.vectors.npy", mmap_mode="r")  # (N, D) float16
            self.heads = np.load(f"{path}.heads.npy", mmap_mode="r")  # (N, HEAD) int8; (N, 0) before the vectors are turned
        except (OSError, ValueError) as error:
            raise BadData(f"the vector index at {path.parent} is damaged ({error}); run: twicetold index --rebuild") from None
        if self.vectors.shape != (len(table), dim):
            raise BadData(f"the vector index at {path.parent} is damaged (rows do not fit); run: twicetold index --rebuild")
        self.nums, self.fields, self.is_removed, self.texts = table["num"], table["field"], table["is_removed"], table["text"]

    def products(self, small: Array) -> Array:
        """The product of every row's bytes with the query's, (N,)."""
        if self._packed is None:
            self._packed = numkong.dots_pack(np.ascontiguousarray(self.heads))
        products: Array = np.array(numkong.dots_packed(small, self._packed))[0]
        return products

    @staticmethod
    def write(path: Path, rows: Sequence[Row], block: Array, is_removed: Array, scale: float) -> None:
        table = np.empty(len(rows), [("num", "u4"), ("field", "u1"), ("is_removed", "?"), ("text", "u8")])
        table["num"] = [row.num for row in rows]
        table["field"] = [FIELDS.index(row.field) for row in rows]
        table["is_removed"] = is_removed
        table["text"] = [row.text for row in rows]
        heads = np.clip(np.round(block[:, : HEAD if scale else 0] * scale), -127, 127).astype(np.int8)
        _save(Path(f"{path}.heads.npy"), heads)
        _save(Path(f"{path}.vectors.npy"), block.astype(np.float16))
        _save(Path(f"{path}.rows.npy"), table)

    @staticmethod
    def delete(path: Path) -> None:
        for part in ("rows", "vectors", "heads"):
            Path(f"{path}.{part}.npy").unlink(missing_ok=True)


def _stamp(path: Path) -> tuple[str, int, int]:
    """What tells a segment from another that was written under the same name after a rebuild."""
    try:
        found = Path(f"{path}.vectors.npy").stat()
    except OSError:
        return path.name, 0, 0  # to open it will say what is wrong
    return path.name, found.st_ino, found.st_mtime_ns


def _principal_directions(block: Array) -> Array:
    """Return the (D, D) rotation that sorts directions by how much of the vectors' length they carry."""
    sample = block[:: max(1, len(block) // 20_000)].astype(np.float64)
    _, directions = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(directions[:, ::-1]).astype(np.float32)


def _build_graph(path: Path, block: Array) -> str:
    from usearch.index import Index

    graph = Index(ndim=block.shape[1], metric="ip", dtype="f16", connectivity=16, expansion_add=96, expansion_search=128)
    graph.add(np.arange(len(block)), block.astype(np.float16))
    fresh = path.with_suffix(".new")
    graph.save(str(fresh))
    fresh.replace(path)
    return path.name


def _open_graph(folder: Path, name: str) -> Any:
    if not name:
        return None
    from usearch.index import Index

    try:
        return Index.restore(str(folder / name), view=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadData(f"the vector index at {folder} is damaged ({error}); run: twicetold index --rebuild") from None


def _save(path: Path, array: Array) -> None:
    """Write beside and rename: a reader that has the old file mapped keeps it, where writing over it would kill the reader."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        np.save(file, array)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


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
