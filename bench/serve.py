"""How fast the server answers on FactCheckTweet's 86,376 articles, beside the library in the same run.

    TWICETOLD_DATASETS=… python -m bench.serve [part …]

Parts: start, match, best, load, workers, page, shift, ingest, kill. Without any, all. Each takes a minute or two. The collection is that
of `bench.foundation`; the server gets a copy. `shift` needs playwright and Debian's chromium.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.foundation import FOLDER, make, tweets
from bench.load import Clients, Server, Times
from bench.machine import ROOT, provenance, record
from twicetold.collection import Collection

BARS: dict[str, dict[str, tuple[str, float]]] = {
    "start": {"first_answer_s": ("at most", 2.0)},
    "match": {"p50_ms": ("at most", 40.0)},
    "best": {"p50_ms": ("at most", 450.0)},
    "load": {"errors": ("at most", 0), "p99_ms": ("at most", 1500.0), "to_library": ("at least", 0.8)},
    "workers": {"errors": ("at most", 0), "to_library": ("at least", 0.8)},
    "page": {"first_byte_ms": ("at most", 50.0), "bytes": ("at most", 150_000)},
    "shift": {"largest_shift": ("at most", 0.0)},
    "ingest": {"errors": ("at most", 0), "p95_to_before": ("at most", 2.0)},
    "kill": {"lost": ("at most", 0), "missing_at_end": ("at most", 0)},
}
"""What each part should reach."""

RECORDS = 10_000
CLIENTS = 32
_WARM = 3.0


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the collection, for a server to write beside and into."""
    if not FOLDER.exists():
        make()
    place = ROOT / ".bench" / "served"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(FOLDER, place / "fct", ignore=shutil.ignore_patterns("serve.db*", "imports"))
    try:
        yield place / "fct"
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    """A server on a copy, warm."""
    with copied() as folder, Server(folder, *options) as server:
        Clients(server, texts("warm"), count=2).ask(_WARM)
        yield server


def texts(before: str) -> list[str]:
    """A thousand tweets, each behind a word of its own, so that no vector is remembered from another run."""
    return [f"{before} {claim.text}" for claim in tweets(1000)]


def start() -> dict[str, Any]:
    """From the command to the first answer, in fresh processes."""
    seconds = []
    with copied() as folder:
        for _ in range(5):
            with Server(folder) as server:
                seconds.append(round(server.first_answer, 2))
    return {"first_answer_s": statistics.median(seconds), "every_s": seconds}


def match() -> dict[str, Any]:
    """One client, and the library alone on the same claims."""
    own = library(texts("alone"), seconds=15)
    with serving() as server:
        seen = Clients(server, texts("one"), count=1).ask(30)
    return asdict(seen) | {"library": asdict(own), "added_ms": round(seen.p50_ms - own.p50_ms, 2)}


def best() -> dict[str, Any]:
    """One client with the recipe `best`."""
    with serving() as server:
        Clients(server, texts("warm"), count=1, recipe="best").ask(_WARM)
        return asdict(Clients(server, texts("best"), count=1, recipe="best").ask(30))


def load() -> dict[str, Any]:
    """32 clients for a minute, beside the library in one process that asks one claim after another."""
    own = library(texts("alone"), seconds=20)
    with serving() as server:
        seen = Clients(server, texts("many"), count=CLIENTS).ask(60)
    return asdict(seen) | {"clients": CLIENTS, "library_a_second": own.a_second, "to_library": round(seen.a_second / own.a_second, 2)}


def workers() -> dict[str, Any]:
    """The same with two processes on either side, for half a minute.

    Connections that open all at once, as these do, go to whichever process is awake, so some wait longer than with one process.
    """
    own = library_twice(texts("twice"), seconds=20)
    with serving("--workers", "2") as server:
        Clients(server, texts("both"), count=CLIENTS).ask(2 * _WARM)  # each worker gets some, the one that started later too
        seen = Clients(server, texts("shared"), count=CLIENTS).ask(30)
    return asdict(seen) | {"clients": CLIENTS, "library_a_second": own, "to_library": round(seen.a_second / own, 2)}


def library(claims: Sequence[str], *, seconds: float) -> Times:
    """The same claims through the library in this process, one after another, each to its JSON."""
    from twicetold.answer import HYBRID, Answerer
    from twicetold.serve.answers import ranking_json
    from twicetold.types import Claim

    times: list[float] = []
    with Collection.open(FOLDER) as collection:
        Answerer(collection, HYBRID)([Claim("c0", "a first question")])
        started = time.perf_counter()
        while (sent := time.perf_counter()) < started + seconds:
            [ranking] = Answerer(collection, HYBRID)([Claim("c1", claims[len(times) % len(claims)])])
            json.dumps(ranking_json(ranking), ensure_ascii=False).encode()
            times.append(time.perf_counter() - sent)
        return Times.of(times, 0, time.perf_counter() - started)


def library_twice(claims: Sequence[str], *, seconds: float) -> float:
    """Answers a second of the library in two processes."""
    with get_context("spawn").Pool(2) as pool:
        both = pool.starmap(_library, [(claims[half::2], seconds) for half in range(2)], chunksize=1)
    return round(sum(both), 1)


def _library(claims: Sequence[str], seconds: float) -> float:
    return library(claims, seconds=seconds).a_second


def page() -> dict[str, Any]:
    """The first byte of the form and of a page with an answer, and the bytes of everything that page loads."""
    with serving() as server:
        claims = texts("page")[:40]
        form = [_first_byte(server, "/")[0] for _ in claims]
        answered = [_first_byte(server, "/?" + urllib.parse.urlencode({"claim": claim})) for claim in claims]
        assets = {name for _, text in answered for name in re.findall(r'(?:href|src)="(/static/[^"]+)"', text)}
        fixed = sum(len(_first_byte(server, name)[1].encode()) for name in assets)
    return {
        "first_byte_ms": _median_ms(form),
        "first_byte_of_an_answer_ms": _median_ms([seconds for seconds, _ in answered]),
        "bytes": max(len(text.encode()) for _, text in answered) + fixed,
    }


def _first_byte(server: Server, path: str) -> tuple[float, str]:
    started = time.perf_counter()
    with urllib.request.urlopen(server.address + path) as answer:
        first = answer.read(1)
        return time.perf_counter() - started, (first + answer.read()).decode()


def _median_ms(seconds: Sequence[float]) -> float:
    return round(1000 * statistics.median(seconds), 1)


def shift() -> dict[str, Any]:
    """How far anything moves while pages load and answers are refined, on a desktop and on a phone: cumulative layout shift."""
    from bench.browser import shifts

    with serving() as server:
        paths = ["/", "/debate", "/collection", *("/?" + urllib.parse.urlencode({"claim": claim}) for claim in texts("shift")[:12])]
        found = {name: shifts(server.address, paths, width=width) for name, width in (("desktop", 1200), ("phone", 390))}
    return {"largest_shift": max(max(each) for each in found.values()), "pages": len(paths), **found}


def ingest() -> dict[str, Any]:
    """One reader before and during an import of 10,000 records, their indexing included."""
    with serving() as server:
        before = Clients(server, texts("before"), count=1).ask(15)
        started = time.perf_counter()
        job = server.upload([_new_record(number) for number in range(RECORDS)])
        during = Clients(server, texts("during"), count=1).ask(240, until_over=job)
        told = server.get(f"/v1/imports/{job}")
        seconds = round(time.perf_counter() - started, 1)
    about = {"state": told["state"], "stored": told["read"], "indexed": told["indexed"], "seconds": seconds}
    ratio = round(during.p95_ms / before.p95_ms, 2)
    return {"errors": during.errors, "p95_to_before": ratio, "before": asdict(before), "during": asdict(during), "import": about}


def _new_record(number: int) -> dict[str, Any]:
    claim = f"Village {number} has {number * 7} wells and no water."
    return {"id": f"bench-{number}", "claim": claim, "rating": "False", "publisher": "Bench", "lang": "en"}


def kill() -> dict[str, Any]:
    """Kill the server during an import, twice, and start it again: what was acknowledged is there, and the import goes on."""
    records = RECORDS // 5
    with copied() as folder:
        shutil.rmtree(folder)  # a small collection of its own: the import should be over within a minute
        lost = 0
        with Server(folder) as server:
            job = server.upload([_new_record(number) for number in range(records)])
            told = _killed(server, job, at=records // 4)
        lost += max(0, told - _stored(folder))
        with Server(folder) as server:
            told = _killed(server, job, at=records // 2)
        lost += max(0, told - _stored(folder))
        with Server(folder) as server:
            final = _over(server, job)
        stored = _stored(folder)
    return {"lost": lost, "missing_at_end": records - stored, "records": records, "state": final["state"], "resumed": final["resumed"]}


def _killed(server: Server, job: str, *, at: int) -> int:
    """Kill it once so many records are acknowledged; return the last number it told."""
    while (told := int(server.get(f"/v1/imports/{job}")["read"])) < at:
        time.sleep(0.01)
    server.kill()
    return told


def _over(server: Server, job: str) -> dict[str, Any]:
    while (told := server.get(f"/v1/imports/{job}"))["state"] not in ("done", "failed"):
        time.sleep(0.2)
    return dict(told)


def _stored(folder: Path) -> int:
    with Collection.open(folder) as collection:
        return len(collection.store)


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "start": start, "match": match, "best": best, "load": load, "workers": workers, "page": page, "shift": shift, "ingest": ingest,
    "kill": kill,
}  # fmt: skip


@contextmanager
def others_share() -> Iterator[Callable[[], float]]:
    """Within, count what programs not started here take of all processors' time; times measured beside them are too long."""

    def spent() -> tuple[float, float]:
        user, nice, system, idle, waiting, *rest = map(int, Path("/proc/stat").read_text().split()[1:9])
        busy = (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")
        ours = sum(os.times()[:4])
        return busy - ours, busy + (idle + waiting) / os.sysconf("SC_CLK_TCK")

    before = spent()
    share: list[float] = []
    yield lambda: share[0]
    after = spent()
    share.append(round(max(0.0, after[0] - before[0]) / max(after[1] - before[1], 1e-9), 3))


def judged(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """Say of each bar of a part whether it was reached."""
    return {
        number: {
            sense: limit,
            "found": found[number],
            "is_reached": found[number] <= limit if sense == "at most" else found[number] >= limit,
        }
        for number, (sense, limit) in BARS[name].items()
    }


def main(wanted: Sequence[str]) -> None:
    """Run the parts asked for and merge them into results/serve.json."""
    path = ROOT / "results" / "serve.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name in wanted or list(PARTS):
        print(f"{name} …", file=sys.stderr, flush=True)
        with others_share() as others:
            found = PARTS[name]()
        kept[name] = {"bars": judged(name, found)} | found | {"processors_taken_by_others": others()}
        kept[name] |= {"provenance": provenance(f"python -m bench.serve {name}", "FactCheckTweet, 86,376 articles")}
        record("serve", kept)
        print(json.dumps(kept[name], indent=1), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
