"""How a collection behaves from ten thousand to a million fact-checks, and what a model makes of it for a billion.

    TWICETOLD_DATASETS=… python -m bench.scale make [SIZE …]      make the recombined collections (hours, or minutes on a free machine)
    TWICETOLD_DATASETS=… python -m bench.scale measure [SIZE …]   measure them: results/scale.json
    python -m bench.scale page                                    write the tables of docs/scale.md from it

The corpus is that of `bench.recombined`. A size with c at its end ("10000000c") has claims alone, without titles and bodies.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.machine import ROOT, provenance, record
from bench.recombined import folder_of, make_vectors, make_words, open_vectors, real_vectors
from bench.scaling import VECTORS, Law, cluster, fit

SIZES = ("10000", "100000", "1000000")
PAGE = ROOT / "docs" / "scale.md"
RESULTS = ROOT / "results" / "scale.json"
BARS = {"p50_ms": 60, "resident_gb": 3.0, "growth_from_100k": 3.0}
_ROUNDS = 3
_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _read(size: str) -> tuple[int, bool]:
    return int(size.removesuffix("c")), size.endswith("c")


def make(sizes: list[str]) -> None:
    """Make the collections that are not there yet."""
    for count, is_short in map(_read, sizes):
        make_words(count, is_short=is_short)
        make_vectors(count, is_short=is_short)


def measure(sizes: list[str]) -> None:
    """Measure each size in a process of its own, and merge the points into results/scale.json."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"points": {}}
    for size in sizes:
        run = subprocess.run([sys.executable, "-m", "bench.scale", "point", size], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        made = provenance(f"python -m bench.scale measure {size}", "recombined from FactCheckTweet, see bench/recombined.py")
        kept["points"][size] = json.loads(run.stdout) | {"provenance": made}
        record("scale", kept)
        print(json.dumps(kept["points"][size], indent=1), flush=True)


def point(size: str) -> dict[str, Any]:
    """One size, in this process: times by part for a hundred tweets, memory, bytes on disk, and how many of the nearest are found."""
    import resource

    from bench.foundation import tweets
    from twicetold.answer import HYBRID
    from twicetold.collection import Collection, Parts
    from twicetold.find import prepare
    from twicetold.index.encoder import Encoder
    from twicetold.stage import ask

    count, is_short = _read(size)
    folder = folder_of(count, is_short=is_short)
    claims = tweets(100)
    encoder = Encoder.load()
    vectors = open_vectors(count, encoder.dim, is_short=is_short)
    with Collection.open(folder, parts=Parts(encoder=encoder, vectors=vectors)) as collection:

        def forgotten(claim: Any) -> Any:
            collection.query_vectors.forget()  # a claim asked again is encoded again
            return ask(stage, [claim])

        queries = {claim.id: prepare(claim) for claim in claims}
        encoded = {claim.id: encoder.encode([queries[claim.id].text])[0] for claim in claims}
        stage = HYBRID.stage(collection, depth=10)
        for claim in claims[:10]:  # the first questions map files
            ask(stage, [claim])
        found = {
            "claim": best_of(forgotten, claims),
            "words": best_of(
                lambda claim: [
                    collection.text.search(field, queries[claim.id].text, queries[claim.id].lang, depth=20)
                    for field in (("claim",) if is_short else ("claim", "title", "body"))
                ],
                claims,
            ),
            "vectors": best_of(lambda claim: vectors.search(encoded[claim.id], depth=20), claims),
            "encode": best_of(lambda claim: encoder.encode([queries[claim.id].text]), claims[:40]),
        }
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        recall = _recall(vectors, np.stack([encoded[claim.id] for claim in claims[:20]]))
    return {
        "fact_checks": count,
        "has_bodies": not is_short,
        "claim_p50_ms": found["claim"]["p50"],
        "claim_p95_ms": found["claim"]["p95"],
        "claim_p50_by_clock_ms": found["claim"]["p50_by_clock"],
        **{f"{part}_ms": found[part]["p50"] for part in ("words", "vectors", "encode")},
        "queries": len(claims),
        "rounds": _ROUNDS,
        "resident_bytes": resident,
        "text_bytes": _size(folder / "text"),
        "vector_bytes": _size(folder / "vectors"),
        "store_bytes": (folder / "store.db").stat().st_size,
        "recall_at_10": recall,
    }


def best_of(run: Callable[[Any], object], inputs: Sequence[Any]) -> dict[str, float]:
    """Go through the inputs some times over; of each one's best times return the p50 and p95 in milliseconds, by processor and by clock.

    The processor's time is what one claim costs, whatever else the machine does meanwhile; the clock's is that on a free machine.
    """
    times = np.full((2, _ROUNDS, len(inputs)), np.inf)
    for turn in range(_ROUNDS):
        for at, one in enumerate(inputs):
            start, begun = time.perf_counter(), time.process_time()
            run(one)
            times[:, turn, at] = time.process_time() - begun, time.perf_counter() - start
    spent, waited = times.min(axis=1) * 1000
    return {
        "p50": round(float(np.median(spent)), 2),
        "p95": round(float(np.quantile(spent, 0.95)), 2),
        "p50_by_clock": round(float(np.median(waited)), 2),
    }


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _recall(vectors: Any, queries: np.ndarray[Any, Any]) -> float:
    """The share of the ten nearest fact-checks, by all products, that a search finds."""
    turned = np.stack([vectors._turned(query) for query in queries])
    scores = np.concatenate([np.asarray(block, np.float32) @ turned.T for block in _blocks(vectors)])
    scores[~vectors._is_live] = -np.inf
    share = 0.0
    for at, query in enumerate(queries):
        rows = np.argpartition(scores[:, at], -30)[-30:]
        nearest = dict.fromkeys(int(num) for num in vectors._nums[rows[np.argsort(-scores[rows, at])]])
        share += len(set(list(nearest)[:10]) & set(vectors.search(query, depth=10))) / 10
    return round(share / len(queries), 3)


def _blocks(vectors: Any) -> Any:
    for segment in vectors._segments:
        for start in range(0, len(segment.vectors), 100_000):
            yield segment.vectors[start : start + 100_000]


def graph() -> None:
    """Time a graph of neighbours (faiss, as Milvus Lite keeps it; M 16, ef 128) at growing sizes, for the model of a cluster."""
    import faiss

    faiss.omp_set_num_threads(1)
    real = real_vectors()
    index = faiss.IndexHNSWFlat(real.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 100
    asked, rows = real[-200:], []
    for start, end in ((0, 2_500), (2_500, 5_000), (5_000, 10_000), (10_000, 20_000), (20_000, 40_000)):
        index.add(real[start:end])
        index.hnsw.efSearch = 128
        spent = []
        for query in asked:
            begun = time.perf_counter()
            index.search(query[None], 100)
            spent.append(time.perf_counter() - begun)
        rows.append({"rows": end, "ms": round(float(np.median(spent)) * 1000, 3)})
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"points": {}}
    kept["graph"] = {"sizes": rows, "provenance": provenance("python -m bench.scale graph", "FactCheckTweet's claim and title vectors")}
    record("scale", kept)
    print(json.dumps(rows), flush=True)


# --- the page


def rendered() -> str:
    """docs/scale.md with its tables made anew."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    points = sorted(kept["points"].values(), key=lambda point: point["fact_checks"])
    whole, short = ([point for point in points if point["has_bodies"] is has_bodies] for has_bodies in (True, False))
    law = fit(whole, kept["graph"]["sizes"])
    alone = fit(short, kept["graph"]["sizes"], vectors=1) if len(short) > 1 else None
    blocks = {
        "points": _points(points, law, alone),
        "law": _law(law, whole, kept["graph"]["sizes"]) + _law_alone(alone, short, kept["graph"]["sizes"]),
        "clusters": _clusters(law),
    }
    return _BLOCK.sub(lambda found: found[1] + blocks[found[2]] + found[3], PAGE.read_text(encoding="utf-8"))


def _points(points: list[dict[str, Any]], law: Law, alone: Law | None) -> str:
    head = _head(
        "fact-checks", "", "claim p50", "p95", "by clock", "words", "vectors", "encoding", "memory", "on disk", "recall@10", "model's p50"
    )
    lines = []
    for one in points:
        disk = one["text_bytes"] + one["vector_bytes"] + one["store_bytes"]
        said = "claim, title, body" if one["has_bodies"] else "claims alone"
        model = law if one["has_bodies"] else alone
        foretold = "" if model is None else f"{model.claim(one['fact_checks']) * 1e3:.1f} ms"
        times = [one[f"{name}_ms"] for name in ("claim_p50", "claim_p95", "claim_p50_by_clock", "words", "vectors", "encode")]
        cells = [f"{one['fact_checks']:,}", said, *(f"{ms:.1f} ms" for ms in times), f"{one['resident_bytes'] / 1e9:.2f} GB"]
        lines.append(f"| {' | '.join([*cells, f'{disk / 1e9:.2f} GB', format(one['recall_at_10'], '.2f'), foretold])} |\n")
    return head + "".join(lines) + "\n" + _bars(points)


def _head(*names: str) -> str:
    return f"| {' | '.join(names)} |\n|{'--:|' * len(names)}\n"


def _bars(points: list[dict[str, Any]]) -> str:
    whole = {one["fact_checks"]: one for one in points if one["has_bodies"]}
    last = whole[max(whole)]
    if last["fact_checks"] < 900_000:
        return "A million fact-checks have not been measured yet; the model says what to expect.\n"
    growth = last["claim_p50_ms"] / whole[10**5]["claim_p50_ms"]
    at, memory = f"{last['fact_checks']:,}", last["resident_bytes"] / 1e9
    return (
        f"At {at}: p50 {last['claim_p50_ms']:.0f} ms (wanted: at most {BARS['p50_ms']}), memory {memory:.2f} GB "
        f"(at most {BARS['resident_gb']:.0f}), {growth:.2f} times the latency of a hundred thousand "
        f"(at most {BARS['growth_from_100k']:.0f}).\n"
    )


def _law(law: Law, whole: list[dict[str, Any]], sizes: list[dict[str, float]]) -> str:
    said = (
        f"- words: {law.words_fixed * 1e3:.1f} ms + {law.words_a_check * 1e9:.1f} ns a fact-check, three fields\n"
        f"- vectors in cells: {law.vectors_fixed * 1e3:.1f} ms + {law.vectors_a_row * 1e9:.1f} ns a row scanned\n"
        f"- vectors in a graph: {law.graph_a_doubling * 1e3:.3f} ms · log2(rows) {law.graph_fixed * 1e3:+.2f} ms "
        f"(measured from {sizes[0]['rows']:,} to {sizes[-1]['rows']:,})\n"
        f"- encoding {law.encode * 1e3:.0f} ms, scoring, fetching and sorting candidates {law.rest * 1e3:.0f} ms, whatever the size\n"
        f"- a fact-check: {law.text_bytes:,.0f} bytes of text index, {law.store_bytes:,.0f} bytes of store\n"
    )
    return said + _foretold(whole, sizes, VECTORS)


def _law_alone(law: Law | None, short: list[dict[str, Any]], sizes: list[dict[str, float]]) -> str:
    """The same for claims without titles and bodies."""
    if law is None:
        return ""
    said = (
        f"\nClaims alone: words {law.words_fixed * 1e3:.1f} ms + {law.words_a_check * 1e9:.1f} ns a claim, vectors "
        f"{law.vectors_fixed * 1e3:.1f} ms + {law.vectors_a_row * 1e9:.1f} ns a row scanned; {law.text_bytes:,.0f} bytes of text index, "
        f"{law.store_bytes:,.0f} bytes of store.\n"
    )
    return said + _foretold(short, sizes, 1)


def _foretold(points: list[dict[str, Any]], sizes: list[dict[str, float]], vectors: int) -> str:
    """How far the model is off at the largest point when it is fitted to the others."""
    if len(points) < 3:
        return ""
    last = points[-1]
    wrong = fit(points[:-1], sizes, vectors=vectors).claim(last["fact_checks"]) * 1e3 / last["claim_p50_ms"] - 1
    where = f"the largest point ({last['fact_checks']:,})"
    return f"\nFitted without {where}, the model is {abs(wrong):.0%} {'above' if wrong > 0 else 'below'} it.\n"


def _clusters(law: Law) -> str:
    head = _head(
        "documents", "claims a second", "shards", "nodes", "memory", "disk", "cores busy", "latency", "core-seconds a claim", "$ an hour",
        "$ a million claims",
    )  # fmt: skip
    lines = []
    for documents in (1e7, 1e8, 1e9):
        for claims in (100, 10_000):
            one = cluster(law, documents, claims)
            lines.append(
                f"| 10{'⁷⁸⁹'[round(np.log10(documents)) - 7]} | {claims:,} | {one.shards} | {one.nodes:,} | {one.memory / 1e12:.2f} TB "
                f"| {one.disk / 1e12:.2f} TB | {one.cores * 0.6:,.0f} | {one.latency * 1e3:,.0f} ms | {one.core_seconds:.2f} "
                f"| {one.dollars_an_hour:,.0f} | {one.dollars_a_million:,.2f} |\n"
            )
    return head + "".join(lines)


def main(arguments: list[str]) -> None:
    """Run a part."""
    part, *sizes = arguments or ["page"]
    wanted = sizes or list(SIZES)
    if part == "make":
        make(wanted)
    elif part == "measure":
        measure(wanted)
    elif part == "point":
        print(json.dumps(point(sizes[0])))
    elif part == "graph":
        graph()
    elif part == "page":
        PAGE.write_text(rendered(), encoding="utf-8")
    else:
        sys.exit(f"no part is called {part!r}: make, measure, graph or page")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
