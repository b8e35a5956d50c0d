"""Dense search on a Milvus server over the vectors of claims and titles, one row each: id = 2 · number + (0 claim, 1 title).

Candidates come from the server's own index (HNSW unless the address says otherwise); their cosines are taken here from the vectors
themselves, so a signal does not depend on how a candidate was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from twicetold.index.milvus.address import Graph
from twicetold.index.milvus.facets import add_facets, expression, facets_of
from twicetold.index.milvus.server import MOST_HITS, SECONDS, Server
from twicetold.index.rows import FIELDS, Array, Change, Encode, Field, Row, texts_of

_SENT = 1_000  # rows in one request: 1.5 MB of vectors
_LEAST_HITS = 100
_FLUSH_FROM = 5_000  # rows after which the server is asked to write its segment out

_BUILD: dict[Graph, dict[str, Any]] = {
    "HNSW": {"M": 16, "efConstruction": 200},
    "HNSW_SQ": {"M": 16, "efConstruction": 200, "sq_type": "SQ8"},
    "IVF_SQ8": {"nlist": 4_096},
    "DISKANN": {},
    "FLAT": {},
}


class MilvusMeanings:
    """Unit vectors on a server, by fact-check number and field."""

    def __init__(self, server: Server, *, dim: int, encoder: str) -> None:
        self.dim = dim
        self._server = server
        self._made = {"encoder": encoder, "dim": dim}
        self._is_there = False
        self._unflushed = 0
        self._check()

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        return self._server.reached("meanings") if self._check() else 0

    def __len__(self) -> int:
        return self._server.count("meanings") if self._check() else 0

    def refresh(self) -> None:
        """See what has been written since: a server always does."""

    # --- writing

    def take(self, batch: Sequence[Change], encode: Encode) -> None:
        """Write the store's changes of whole counters, encoding only texts that are not here yet."""
        was_empty = not self._check()
        if was_empty:
            self._make()
        wanted, gone = texts_of(batch)
        kept = {} if was_empty else self._kept(wanted)
        fresh = [row for row in wanted if row not in kept]
        vectors = kept | dict(zip(fresh, encode([wanted[row] for row in fresh]), strict=True))
        facets = {num: facets_of(check) for num, _, check in batch if check is not None}
        rows = [
            {"id": _id(row), "num": row.num, "text": _signed(row.text), "vector": vectors[row].tolist(), **facets[row.num]}
            for row in wanted
        ]
        with self._server.plainly():
            for start in range(0, len(rows), _SENT):
                self._server.client.upsert(self._name, rows[start : start + _SENT], timeout=SECONDS)
            if gone and not was_empty:
                self._server.client.delete(self._name, ids=[2 * num + FIELDS.index(field) for num, field in gone], timeout=SECONDS)
            self._unflushed += len(rows)
        if self._unflushed >= _FLUSH_FROM:
            self._server.flush("meanings")
            self._unflushed = 0
        self._server.remember("meanings", self._made, batch[-1][1])

    def _kept(self, rows: Iterable[Row]) -> dict[Row, Array]:
        """The vectors of those rows whose very text is here already."""
        ids = {_id(row): row for row in rows}
        found = self._fetch(list(ids), ["id", "text", "vector"])
        return {ids[one["id"]]: _vector(one) for one in found if int(one["text"]) == _signed(ids[one["id"]].text)}

    def _make(self) -> None:
        self._server.remember("meanings", self._made, 0)
        self._server.make("meanings", *_schema(self._server.client, self.dim, self._server.address.vectors))
        self._is_there = True

    # --- searching

    def expect(self, vectors: Sequence[Array]) -> None:
        """Learn which vectors will be searched for next. A server searches one at a time, so nothing comes of it."""

    def search(self, vector: Array, *, depth: int, allowed: Sequence[int] | None = None) -> list[int]:
        """Return the numbers of the `depth` fact-checks whose nearer vector is nearest, best first."""
        only = "" if allowed is None else expression(allowed)
        if only is None or not self._check():
            return []
        limit = min(max(2 * depth, _LEAST_HITS), MOST_HITS)
        with self._server.plainly():
            [hits] = self._server.client.search(
                self._name,
                data=[np.asarray(vector, np.float32).tolist()],
                anns_field="vector",
                limit=limit,
                filter=only,
                output_fields=["num"],
                search_params={"metric_type": "IP", "params": _reach(self._server.address.vectors, limit)},
                timeout=SECONDS,
            )
        nearest = dict.fromkeys(int(hit["entity"]["num"]) for hit in hits)
        return list(nearest)[:depth]

    def score(self, vector: Array, nums: Sequence[int]) -> dict[Field, Array]:
        """Return, by field, the cosine of each of these fact-checks to the vector; 0 where it has no such vector."""
        scores: dict[Field, Array] = {field: np.zeros(len(nums), np.float32) for field in FIELDS}
        if not len(nums) or not self._check():
            return scores
        place = {int(num): at for at, num in enumerate(nums)}
        query = np.asarray(vector, np.float32)
        for one in self._fetch([2 * num + side for num in place for side in range(len(FIELDS))], ["id", "vector"]):
            num, side = divmod(int(one["id"]), len(FIELDS))
            scores[FIELDS[side]][place[num]] = float(_vector(one) @ query)
        return scores

    def vectors(self, field: Field, nums: Sequence[int]) -> Array:
        """Return the vectors of these fact-checks, (N, D); zeros where there is none."""
        out = np.zeros((len(nums), self.dim), np.float32)
        if len(nums) and self._check():
            place = {2 * int(num) + FIELDS.index(field): at for at, num in enumerate(nums)}
            for one in self._fetch(list(place), ["id", "vector"]):
                out[place[int(one["id"])]] = _vector(one)
        return out

    def _fetch(self, ids: Sequence[int], fields: list[str]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for start in range(0, len(ids), _SENT):
            with self._server.plainly():
                chosen = f"id in {list(ids[start : start + _SENT])}"
                found += self._server.client.query(self._name, filter=chosen, output_fields=fields, timeout=SECONDS)
        return found

    @property
    def _name(self) -> str:
        return self._server.name("meanings")

    def _check(self) -> bool:
        """True once the index is on the server; it is looked for until then."""
        if not self._is_there and self._server.find("meanings", self._made) is not None:
            self._server.load("meanings")
            self._is_there = True
        return self._is_there


def _id(row: Row) -> int:
    return 2 * row.num + FIELDS.index(row.field)


def _signed(digest: int) -> int:
    return digest - (1 << 64) if digest >= 1 << 63 else digest


def _vector(row: dict[str, Any]) -> Array:
    return np.asarray(row["vector"], np.float32)


def _reach(graph: Graph, limit: int) -> dict[str, int]:
    """How widely the server should look for so many hits."""
    if graph in ("HNSW", "HNSW_SQ"):
        return {"ef": max(2 * limit, 128)}
    if graph == "DISKANN":
        return {"search_list": max(2 * limit, 128)}
    return {"nprobe": 64} if graph == "IVF_SQ8" else {}


def _schema(client: Any, dim: int, graph: Graph) -> tuple[Any, Any]:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("num", DataType.INT64)
    schema.add_field("text", DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dim)
    add_facets(schema)
    indexes = client.prepare_index_params()
    indexes.add_index(field_name="vector", index_type=graph, metric_type="IP", params=_BUILD[graph])
    return schema, indexes
