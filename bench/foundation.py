"""Speed, memory and growth of matching on FactCheckTweet's 86,376 articles, beside peers in the same run.

    TWICETOLD_DATASETS=… python -m bench.foundation [part …]

Parts: build, latency, peers, memory, grow, sentence. Without any, all. The collection is kept in .bench/ and made once.
The peers rank_bm25, sentence-transformers, LanceDB and bm25s come with `pip install '.[bench]'`.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.machine import ROOT, provenance, record, spread
from twicetold.answer import BEST, HYBRID, Answerer, Asking
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import NO_ENCODER
from twicetold.ingest.datasets import factchecktweet
from twicetold.stage import ask
from twicetold.text import sentences
from twicetold.types import Claim, FactCheck
from twicetold_lab import datasets

FOLDER = ROOT / ".bench" / "fct"
HALF = ROOT / ".bench" / "fct-half"


def data_root() -> Path:
    """The folder of research sets, from TWICETOLD_DATASETS."""
    place = os.environ.get("TWICETOLD_DATASETS", "")
    if not (Path(place) / "factchecktweet").is_dir():
        sys.exit("wanted the research sets: set TWICETOLD_DATASETS to the folder that holds factchecktweet/")
    return Path(place)


def checks() -> Iterator[FactCheck]:
    """The articles as `ingest` reads them."""
    place = data_root() / "factchecktweet" / "fact-check-tweet-vclaims.jsonl"
    return (check for check in factchecktweet(place) if isinstance(check, FactCheck))


def tweets(count: int) -> list[Claim]:
    """The first tweets of the dev split."""
    found = datasets.load("factchecktweet", data_root())
    wanted = set(found.splits["dev"])
    return [claim for claim in found.claims if claim.id in wanted][:count]


def make() -> None:
    """Ingest and index the whole set, vectors included: an hour on two cores."""
    with Collection.create(FOLDER) as collection:
        list(collection.add(checks()))
        collection.index()


def build() -> dict[str, Any]:
    """Ingest and index the words of the whole set, and encode some of its sentences, beside the same model in torch."""
    folder = ROOT / ".bench" / "fct-build"
    shutil.rmtree(folder, ignore_errors=True)
    with Collection.create(folder, Settings(encoder=NO_ENCODER)) as collection:
        start = time.perf_counter()
        count = sum(written.added for written in collection.add(checks()))
        stored = time.perf_counter() - start
        start = time.perf_counter()
        collection.index()
        worded = time.perf_counter() - start
    shutil.rmtree(folder)
    found = [check.body[a:b] for check in itertools.islice(checks(), 0, None, 400) for a, b in sentences(check.body)[:5]][:800]
    ours, theirs = _sentences_a_core_second(found)
    return {
        "articles": count,
        "store_articles_a_second": round(count / stored),
        "text_articles_a_second": round(count / worded),
        "encoder_sentences": len(found),
        "encoder_sentences_a_core_second": ours,
        "torch_fp32_sentences_a_core_second": theirs,
        "encoder_to_torch": round(ours / theirs, 2),
    }


def _sentences_a_core_second(texts: list[str]) -> tuple[float, float]:
    """Ours and sentence-transformers in fp32, by turns on one thread each; the better of two rounds."""
    import torch
    from sentence_transformers import SentenceTransformer

    from bench.peers import weights
    from twicetold.index.encoder import Encoder

    torch.set_num_threads(1)
    ours, theirs = Encoder.load(threads=1), SentenceTransformer(str(weights()))
    theirs.max_seq_length = 128
    rates: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(2):
        for name, encode in (("ours", ours.encode), ("theirs", theirs.encode)):
            start = time.process_time()
            encode(texts)
            rates[name].append(round(len(texts) / (time.process_time() - start), 1))
    return max(rates["ours"]), max(rates["theirs"])


def best(collection: Collection) -> Any:
    """All that `match` does for a claim: search, fuse, ten results fetched, their key sentences."""
    answerer = Answerer(collection, HYBRID, Asking(top=10))
    return lambda claim: answerer([claim])


def _only_found(collection: Collection) -> Any:
    stage = HYBRID.stage(collection, depth=10)
    return lambda claim: ask(stage, [claim])


def _decided(collection: Collection) -> Any:
    """What `match` does unless told otherwise: the recipe `best`, twins, the decision, parts, and the key sentences of three."""
    answerer = Answerer(collection, BEST, Asking(top=3))
    return lambda claim: answerer([claim])


def latency() -> dict[str, Any]:
    """One claim, everything included; and how many a second with two processes."""
    claims = tweets(300)
    collection = Collection.open(FOLDER)
    parts = {
        "match_all_included": spread(best(collection), claims),
        "hybrid_ten_results": spread(_only_found(collection), _renamed(claims)),
        "best_decided_first_three_explained": spread(_decided(collection), _renamed(claims[:100], "and ")),
    }
    context = get_context("spawn")
    with context.Pool(2, initializer=_open_worker) as pool:
        pool.map(_answer, claims[:20])
        start = time.perf_counter()
        pool.map(_answer, _renamed(claims, "again "), chunksize=10)
        parts["two_processes_queries_a_second"] = round(len(claims) / (time.perf_counter() - start), 1)
    return parts


def _renamed(claims: list[Claim], prefix: str = "so ") -> list[Claim]:
    """The same claims with a word before them, so that no vector is remembered from the run before."""
    return [Claim(claim.id, prefix + claim.text) for claim in claims]


def _open_worker() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    global _worker
    _worker = best(Collection.open(FOLDER))


def _answer(claim: Claim) -> int:
    return len(_worker(claim)[0].matches)


def peers() -> dict[str, Any]:
    """The same corpus and claims through rank_bm25 + sentence-transformers, LanceDB and bm25s."""
    from bench.peers import bm25s_numba, lancedb_text, rank_bm25_and_torch

    claims = tweets(100)
    collection = Collection.open(FOLDER)
    corpus = list(checks())
    ours = spread(lambda claim: collection.text.search("body", claim.text, "en", depth=10), claims)
    found: dict[str, Any] = {"ours_text_body_top10": ours, "ours_match_all_included": spread(best(collection), claims)}
    found["bm25s_numba_body_top10"] = bm25s_numba(corpus, claims)
    found["lancedb_body_top10"] = lancedb_text(corpus, claims, ROOT / ".bench" / "lance")
    found["rank_bm25_and_sentence_transformers"] = rank_bm25_and_torch(corpus, claims[:10])
    found["ratios"] = {
        "lancedb_to_ours": round(found["lancedb_body_top10"]["p50_ms"] / ours["p50_ms"], 1),
        "ours_to_bm25s": round(ours["p50_ms"] / found["bm25s_numba_body_top10"]["p50_ms"], 1),
        "rank_bm25_and_torch_to_ours": round(
            found["rank_bm25_and_sentence_transformers"]["p50_ms"] / found["ours_match_all_included"]["p50_ms"], 1
        ),
    }
    return found


def memory() -> dict[str, Any]:
    """A cold process: seconds to the first answer, resident memory after a hundred; and sizes on disk."""
    code = (
        "import time; start = time.perf_counter()\n"
        "import json, resource, sys\n"
        "from bench.foundation import FOLDER, best, Collection, Claim\n"
        "answer = best(Collection.open(FOLDER))\n"
        "answer(Claim('c', 'Garlic cures the coronavirus'))\n"
        "first = time.perf_counter() - start\n"
        "from bench.foundation import tweets\n"
        "for claim in tweets(100): answer(claim)\n"
        "print(json.dumps({'first_answer_s': round(first, 2), 'resident_mb': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))"
    )
    colds = [
        json.loads(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    text = sum(len((check.claim + check.title + check.body).encode()) for check in Collection.open(FOLDER).store)
    index = sum(file.stat().st_size for name in ("text", "vectors") for file in (FOLDER / name).rglob("*") if file.is_file())
    return {"cold_processes": colds, "text_mb": text // 2**20, "index_mb": index // 2**20, "index_to_text": round(index / text, 2)}


def grow() -> dict[str, Any]:
    """One more fact-check added and found; half the corpus beside the whole."""
    claims = tweets(200)
    copy = ROOT / ".bench" / "fct-copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(FOLDER, copy)
    added = []
    with Collection.create(copy) as collection:
        answer = best(collection)
        answer(claims[0])
        for at in range(12):
            start = time.perf_counter()
            list(collection.add([FactCheck(f"new-{at}", claim=f"A purple zebra number {at} was elected mayor of Springfield", lang="en")]))
            collection.index()
            [ranking] = answer(Claim("c", f"purple zebra number {at} elected mayor in Springfield"))
            assert ranking.matches[0].doc.id == f"new-{at}"
            added.append(round((time.perf_counter() - start) * 1000, 1))
    shutil.rmtree(copy)
    _make_half()
    whole = spread(best(Collection.open(FOLDER)), claims)
    half = spread(best(Collection.open(HALF)), claims)
    return {
        "add_one_and_find_it_ms": sorted(added),
        "half_corpus": half,
        "whole_corpus": whole,
        "whole_to_half": round(whole["p50_ms"] / half["p50_ms"], 2),
    }


def _make_half() -> None:
    """Every other article, with the vectors of the whole, which need not be made again."""
    if HALF.exists():
        return
    whole = Collection.open(FOLDER)
    half = Collection.create(HALF)
    list(half.add(check for at, check in enumerate(whole.store) if at % 2 == 0))
    with half.writing():
        half._follow_text(lambda *_: None)
    assert whole.vectors is not None
    assert half.vectors is not None
    half.vectors.take_from(whole.vectors, {2 * at + 1: at + 1 for at in range(len(half.store))}, reached=half.store.change)


def sentence() -> dict[str, Any]:
    """How often the cheap choice of key sentence is the sentence that the transformer finds nearest of the whole body."""
    claims = tweets(120)
    collection = Collection.open(FOLDER)
    assert collection.encoder is not None
    same = near = total = 0
    lost: list[float] = []
    for [ranking] in (best(collection)(claim) for claim in claims):
        match = ranking.matches[0]
        spans = sentences(match.doc.body)[:80]  # type: ignore[union-attr]
        if len(spans) < 5 or not match.keys:
            continue
        texts = [match.doc.body[a:b] for a, b in spans]  # type: ignore[union-attr]
        cosines = collection.encoder.encode(texts) @ collection.encoder.encode([ranking.query.text])[0]
        chosen = float(collection.encoder.encode([match.keys[0].text])[0] @ collection.encoder.encode([ranking.query.text])[0])
        total += 1
        same += match.keys[0].at == spans[int(cosines.argmax())][0]
        near += sum(cosine > chosen for cosine in cosines.tolist()) < 3
        lost.append(float(cosines.max()) - chosen)
    return {
        "claims": total,
        "same_sentence": round(same / total, 3),
        "in_its_top_3": round(near / total, 3),
        "mean_cosine_lost": round(sum(lost) / total, 3),
    }


PARTS = {"build": build, "latency": latency, "peers": peers, "memory": memory, "grow": grow, "sentence": sentence}


def main(wanted: list[str]) -> None:
    """Run the parts asked for and merge them into results/foundation.json."""
    path = ROOT / "results" / "foundation.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if not FOLDER.exists():
        make()
    for name in wanted or list(PARTS):
        print(f"{name} …", file=sys.stderr, flush=True)
        kept[name] = PARTS[name]() | {"provenance": provenance(f"python -m bench.foundation {name}", "FactCheckTweet, 86,376 articles")}
        record("foundation", kept)
        print(json.dumps(kept[name], indent=1), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
