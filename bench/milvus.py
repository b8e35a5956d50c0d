"""Whether an index on a Milvus server answers as the one in the folder does, on real claims; and how fast Milvus Lite is.

    TWICETOLD_DATASETS=… python -m bench.milvus [part …]

Parts: claims (CheckThat 2020: 10,375 Snopes claims, by claim, title and meaning), bodies (3,000 FactCheckTweet articles, by body). The
server is Milvus Lite, started for the run on a free port. Both indexes are filled from the same store; vectors are encoded once.
Written to results/milvus.json. A cluster was not run.
"""

from __future__ import annotations

import itertools
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.foundation import checks, data_root, tweets
from bench.machine import ROOT, provenance, record, spread
from twicetold.collection import Collection, Parts, Settings
from twicetold.find import prepare
from twicetold.index.encoder import NO_ENCODER
from twicetold.types import Claim
from twicetold_lab import datasets
from twicetold_lab.experiment import collection_of

CLAIMS, ARTICLES = 60, 3_000


@contextmanager
def server() -> Iterator[str]:
    """A Milvus Lite server of our own; gives the address up to the name."""
    place = ROOT / ".bench" / "milvus"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "milvus_lite.cmdline", "server", "--host", "127.0.0.1", "--port", str(port), "--data-dir", str(place)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield f"milvus://127.0.0.1:{port}"
    finally:
        process.kill()  # what it holds is thrown away
        process.wait()
        shutil.rmtree(place, ignore_errors=True)


def remote(folder: Path, here: Collection, address: str) -> Collection:
    """The same fact-checks with their indexes on the server; what is encoded already is not encoded again."""
    shutil.rmtree(folder, ignore_errors=True)
    known: dict[str, Any] = {}
    if here.vectors is not None:
        numbered = {num: check for num, _, check in here.store.since(0) if check is not None}
        for field in ("claim", "title"):
            rows = here.vectors.vectors(field, list(numbered))
            known |= {getattr(check, field): row for check, row in zip(numbered.values(), rows, strict=True)}
    encoder: Any = None if here.vectors is None else _Remembering(known, here.encoder)
    there = Collection.create(folder, Settings(encoder=here.settings.encoder, index=address), parts=Parts(encoder=encoder))
    list(there.add(here.store))
    there.index()
    return there


class _Remembering:
    """An encoder that looks first among vectors made before."""

    def __init__(self, known: dict[str, Any], encoder: Any) -> None:
        self._known, self._encoder = known, encoder
        self.dim, self.version = encoder.dim, encoder.version

    def encode(self, texts: Sequence[str]) -> Any:
        return [self._known[text] if text in self._known else self._encoder.encode([text])[0] for text in texts]


def overlap(asked: Sequence[Claim], ours: Callable[[Claim], list[int]], theirs: Callable[[Claim], list[int]]) -> dict[str, Any]:
    """How many of our first ten are among theirs, on average, and how often the first is the same."""
    shares, firsts = [], []
    for claim in asked:
        here, there = ours(claim), theirs(claim)
        if here:
            shares.append(len(set(here) & set(there)) / len(here))
            firsts.append(here[0] == there[0])
    return {
        "queries": len(shares),
        "top_10_overlap": round(sum(shares) / len(shares), 3),
        "same_first": round(sum(firsts) / len(firsts), 3),
    }


def _by_words(collection: Collection, field: Any) -> Callable[[Claim], list[int]]:
    def run(claim: Claim) -> list[int]:
        query = prepare(claim)
        return [num for num, _ in collection.text.search(field, query.text, query.lang, depth=10)]

    return run


def _by_meaning(collection: Collection, encoder: Any) -> Callable[[Claim], list[int]]:
    def run(claim: Claim) -> list[int]:
        assert collection.vectors is not None
        return collection.vectors.search(encoder.encode([prepare(claim).text])[0], depth=10)

    return run


def claims() -> dict[str, Any]:
    """CheckThat 2020's tweets against its 10,375 claims."""
    dataset = datasets.load("checkthat-2020-task2", data_root())
    asked = [claim for claim in dataset.claims if claim.id in set(dataset.splits["test"])][:CLAIMS]
    with server() as address, collection_of(dataset, Settings(), cache=ROOT / ".cache-lab") as here:
        start = time.perf_counter()
        there = remote(ROOT / ".bench" / "milvus-claims", here, f"{address}/claims")
        found: dict[str, Any] = {"fact_checks": len(here.store), "index_s": round(time.perf_counter() - start, 1)}
        for field in ("claim", "title"):
            found[field] = overlap(asked, _by_words(here, field), _by_words(there, field))
        found["meaning"] = overlap(asked, _by_meaning(here, here.encoder), _by_meaning(there, here.encoder))
        found["milvus_lite_claim_search"] = spread(_by_words(there, "claim"), asked[:20])
        there.close()
    return found


def bodies() -> dict[str, Any]:
    """Tweets against the words of whole articles."""
    with server() as address, Collection.create(ROOT / ".bench" / "milvus-bodies", Settings(encoder=NO_ENCODER)) as here:
        list(here.add(itertools.islice(checks(), 0, None, 86_376 // ARTICLES)))
        here.index()
        there = remote(ROOT / ".bench" / "milvus-bodies-there", here, f"{address}/bodies")
        found: dict[str, Any] = {"fact_checks": len(here.store)}
        for field in ("claim", "title", "body"):
            found[field] = overlap(tweets(CLAIMS), _by_words(here, field), _by_words(there, field))
        there.close()
    return found


PARTS = {"claims": (claims, "CheckThat 2020 Task 2, test tweets"), "bodies": (bodies, "FactCheckTweet, every 28th article, dev tweets")}


def main(wanted: list[str]) -> None:
    """Run the parts asked for and merge them into results/milvus.json."""
    path = ROOT / "results" / "milvus.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name in wanted or list(PARTS):
        part, data = PARTS[name]
        made = provenance(f"python -m bench.milvus {name}", data)
        kept[name] = part() | {"server": "Milvus Lite 3.2.2", "bar": "top_10_overlap at least 0.9", "provenance": made}
        record("milvus", kept)
        print(json.dumps(kept[name], indent=1), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
