"""A model of how long a claim takes, what memory it needs and what it costs, from points measured on one machine.

Words: a fixed part and so much for each fact-check, as the measured points lie on a line. Vectors in cells: a fixed part and so much for
each row scanned, a fifth of all. Vectors in a graph, as a cluster keeps them: a + b · log2 of the rows in a segment, for every segment.
Bytes: so many for each fact-check and each vector. It knows nothing of networks, stragglers, writes or deleted rows: a cluster was not
run, and what the model says of one is arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

VECTORS = 2  # of a fact-check: claim and title
DIMENSIONS = 384
SCANNED = 5  # one row in so many, as `index.vectors` has it
SCAN_FROM, CELLS_FROM = 30_000, 500_000
TERMS = 234  # distinct words of a fact-check in its three fields, on average over FactCheckTweet
BUSY = 0.6  # share of a core that may be used before queues grow
SEGMENT = 4_000_000  # rows of vectors in one segment of the cluster: 6 GB, a setting of Milvus
NODE_CORES, NODE_GB = 32, 256
CORE_HOUR, GB_HOUR = 0.04, 0.005  # dollars; put in your own


@dataclass(frozen=True, slots=True)
class Law:
    """What was fitted. Times are seconds of one core."""

    words_fixed: float
    words_a_check: float
    vectors_fixed: float
    vectors_a_row: float
    encode: float
    rest: float
    graph_fixed: float
    graph_a_doubling: float
    text_bytes: float
    store_bytes: float
    base_bytes: float
    vectors: int = VECTORS

    def words(self, count: float) -> float:
        """Seconds to search the fields of so many fact-checks."""
        return self.words_fixed + self.words_a_check * count

    def cells(self, count: float) -> float:
        """Seconds to search their vectors on one machine."""
        return self.vectors_fixed + self.vectors_a_row * _scanned(self.vectors * count)

    def claim(self, count: float) -> float:
        """Seconds from a claim to ten fact-checks on one machine."""
        return self.encode + self.rest + self.words(count) + self.cells(count)

    def resident(self, count: float) -> float:
        """Bytes in memory once everything has been touched: the text index, float16 vectors and their first dimensions twice."""
        return self.base_bytes + count * (self.text_bytes + self.vectors * (2 * DIMENSIONS + 2 * 128))

    def disk(self, count: float) -> float:
        """Bytes on disk: the store, the text index and the vectors."""
        return count * (self.store_bytes + self.text_bytes + self.vectors * (2 * DIMENSIONS + 128))

    def segment(self, rows: float) -> float:
        """Seconds to search a graph of so many rows."""
        return self.graph_fixed + self.graph_a_doubling * math.log2(max(rows, 2))


@dataclass(frozen=True, slots=True)
class Cluster:
    """What a cluster needs for so many fact-checks and claims a second, in cores, bytes, nodes and dollars an hour."""

    documents: float
    claims_a_second: float
    shards: int
    latency: float
    core_seconds: float
    cores: float
    memory: float
    disk: float
    nodes: int
    dollars_an_hour: float

    @property
    def dollars_a_million(self) -> float:
        """Dollars for a million claims."""
        return self.dollars_an_hour / (self.claims_a_second * 3600) * 1e6


def fit(points: Sequence[Mapping[str, Any]], graph: Sequence[Mapping[str, float]], *, vectors: int = VECTORS) -> Law:
    """Fit the law to measured points; a point has `fact_checks`, milliseconds by part, and bytes.

    `vectors` is how many a fact-check has: one where it is a claim alone.
    """
    a_check, words_fixed = _line([point["fact_checks"] for point in points], [point["words_ms"] / 1e3 for point in points])
    # Fewer rows than SCAN_FROM are multiplied whole, which is another law.
    large = [point for point in points if vectors * point["fact_checks"] >= SCAN_FROM]
    a_row, fixed = _line([_scanned(vectors * point["fact_checks"]) for point in large], [point["vectors_ms"] / 1e3 for point in large])
    doubling, start = np.polyfit(np.log2([one["rows"] for one in graph]), [one["ms"] / 1e3 for one in graph], 1)
    last = points[-1]
    return Law(
        words_fixed=words_fixed,
        words_a_check=a_check,
        vectors_fixed=fixed,
        vectors_a_row=a_row,
        encode=float(np.median([point["encode_ms"] for point in points])) / 1e3,
        rest=float(np.median([max(_rest(point), 0.0) for point in points])) / 1e3,
        graph_fixed=float(start),
        graph_a_doubling=float(doubling),
        text_bytes=last["text_bytes"] / last["fact_checks"],
        store_bytes=last["store_bytes"] / last["fact_checks"],
        base_bytes=float(points[0]["resident_bytes"]),
        vectors=vectors,
    )


def _scanned(rows: float) -> float:
    """How many of so many rows of vectors a search scans."""
    return rows / SCANNED if rows >= CELLS_FROM else rows


def _line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Slope and start of a line that neither falls nor starts below zero; through the origin if the best would."""
    slope, start = np.polyfit(x, y, 1) if len(x) > 1 else (0.0, -1.0)
    if slope <= 0 or start < 0:
        return float(np.dot(x, y) / np.dot(x, x)), 0.0
    return float(slope), float(start)


def _rest(point: Mapping[str, Any]) -> float:
    """What is neither encoding nor searching: candidates scored in every field, fetched and sorted."""
    return float(point["claim_p50_ms"] - point["words_ms"] - point["vectors_ms"] - point["encode_ms"])


def cluster(law: Law, documents: float, claims_a_second: float, *, replicas: int = 2) -> Cluster:
    """Spread so many fact-checks over enough shards, keep each twice, and count what a stream of claims needs.

    A claim visits every shard; a shard's words cost what a machine with that many fact-checks was measured to take, its vectors what
    their segments take one after the other on a core.
    """
    # A machine keeps at most half its memory filled with vectors and text, so that segments can be merged and replaced.
    size = server_bytes() * documents
    shards = max(1, math.ceil(size / (NODE_GB * 1e9 / 2)))
    here = documents / shards
    rows = VECTORS * here
    segments = max(1, math.ceil(rows / SEGMENT))
    shard = law.words(here) + segments * law.segment(min(rows, SEGMENT))
    core_seconds = law.encode + law.rest + shards * shard
    cores = claims_a_second * core_seconds / BUSY
    nodes = max(shards * replicas, math.ceil(cores / NODE_CORES))
    memory = size * replicas
    # The segments of a shard are searched by the cores of its node at once.
    latency = law.encode + law.rest + law.words(here) + math.ceil(segments / NODE_CORES) * law.segment(min(rows, SEGMENT))
    dollars = nodes * (NODE_CORES * CORE_HOUR + NODE_GB * GB_HOUR)
    return Cluster(documents, claims_a_second, shards, latency, core_seconds, cores, memory, law.disk(documents), nodes, dollars)


def server_bytes() -> float:
    """Bytes of a fact-check in a cluster's memory: float32 vectors with 32 neighbours each, and a number and a weight for each word."""
    return VECTORS * (4 * DIMENSIONS + 4 * 32 + 16) + 8 * TERMS
