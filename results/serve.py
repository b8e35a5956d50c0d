"""How fast the server answers: `python -m results.serve --data FOLDER --claims FILE`. Writes results/serve.json.

Times of the match endpoint for one client and for 32, beside the library's own speed on the same claims; the first byte and weight of the
page; the time from start to the first answer; and what an import of 10,000 records does to those who read meanwhile. Everything runs on
loopback on the machine at hand; client and server share its processors. The collection is copied, as the server writes beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

BARS = {
    "one_client.p50": 0.040, "many_clients.p99": 1.5, "many_clients.errors": 0, "share_of_library": 0.8, "page.first_byte": 0.050,
    "page.bytes": 150_000, "start_to_first_answer": 2.0, "during_import.errors": 0, "during_import.p95_ratio": 2.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds, and how many answers came in how long."""

    answers: int
    errors: int
    p50: float
    p95: float
    p99: float
    a_second: float

    @classmethod
    def of(cls, seconds: Sequence[float], errors: int, elapsed: float) -> Times:
        ordered = sorted(seconds) or [float("nan")]
        at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]  # noqa: E731
        return cls(len(seconds), errors, at(0.5), at(0.95), at(0.99), len(seconds) / elapsed)


@contextmanager
def server(folder: Path, *options: str) -> Iterator[tuple[int, str, float]]:
    """A server on a copy; yields its port, a key that writes, and the seconds from start to the first answer."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "twicetold.cli", "--data", str(folder), "serve", "--port", str(port), "--rate", "0", *options]
    log = folder.parent / "serve.log"
    started = time.perf_counter()
    with log.open("w") as stream:
        process = subprocess.Popen(command, stderr=stream)
    try:
        while True:
            try:
                _, status = asyncio.run(_ask_once(port, "a first question"))
                if status == 200:
                    break
            except OSError:
                if process.poll() is not None:
                    raise SystemExit(log.read_text()) from None
                time.sleep(0.02)
        first = time.perf_counter() - started
        [key] = re.findall(r"key=(\S+)", log.read_text())
        yield port, key, first
    finally:
        process.terminate()
        process.wait()


def request(text: str, recipe: str) -> bytes:
    """The bytes of a match request on a connection that stays open."""
    body = json.dumps({"text": text, "top": 5, "recipe": recipe}).encode()
    return b"POST /v1/match HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )


async def _answered(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    [length] = re.findall(rb"content-length: (\d+)", head.lower())
    await reader.readexactly(int(length))
    return int(head[9:12])


async def _ask_once(port: int, text: str) -> tuple[float, int]:
    started = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request(text, "hybrid"))
    status = await _answered(reader)
    writer.close()
    return time.perf_counter() - started, status


async def load(port: int, claims: Sequence[str], *, clients: int, seconds: float, recipe: str = "hybrid", until_over: str = "") -> Times:
    """Have so many clients ask one claim after another for so long, or, with the id of an import, until that is over."""
    until = time.perf_counter() + seconds
    times: list[float] = []
    errors = 0

    async def ask(start: int) -> None:
        nonlocal errors
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        at = start
        while time.perf_counter() < until:
            sent = time.perf_counter()
            writer.write(request(claims[at % len(claims)], recipe))
            errors += await _answered(reader) != 200
            times.append(time.perf_counter() - sent)
            at += clients
        writer.close()

    async def stop_with_the_import() -> None:
        nonlocal until
        while time.perf_counter() < until:
            await asyncio.sleep(0.5)
            if (await asyncio.to_thread(_import, port, until_over))["state"] in ("done", "failed"):
                until = 0.0

    started = time.perf_counter()
    watching = [stop_with_the_import()] if until_over else []
    await asyncio.gather(*(ask(number) for number in range(clients)), *watching)
    return Times.of(times, errors, time.perf_counter() - started)


def _import(port: int, id: str) -> dict[str, object]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/imports/{id}") as answer:
        found: dict[str, object] = json.load(answer)
        return found


def library(folder: Path, claims: Sequence[str], *, seconds: float, recipe: str = "hybrid") -> Times:
    """The same claims through the library in one process, one after another."""
    from twicetold.collection import Collection
    from twicetold.index.encoder import Encoder
    from twicetold.serve.answers import Asking, answer, ranking_json
    from twicetold.types import Claim

    times: list[float] = []
    with Collection.open(folder) as collection:
        collection.encoder = Encoder.load(threads=1)
        answer(collection, [Claim("warm", "a first question")], Asking(recipe=recipe))
        started = time.perf_counter()
        while (sent := time.perf_counter()) < started + seconds:
            [ranking] = answer(collection, [Claim("c1", claims[len(times) % len(claims)])], Asking(recipe=recipe))
            json.dumps(ranking_json(ranking), ensure_ascii=False)
            times.append(time.perf_counter() - sent)
        return Times.of(times, 0, time.perf_counter() - started)


def page(port: int) -> dict[str, float]:
    """The first byte of the empty form and of an answer, and the bytes of everything a first visit loads."""
    base = f"http://127.0.0.1:{port}"
    waits, text = [], b""
    for _ in range(20):
        started = time.perf_counter()
        with urllib.request.urlopen(f"{base}/") as answer:
            first = answer.read(1)
            waits.append(time.perf_counter() - started)
            text = first + answer.read()
    answered = urllib.request.urlopen(f"{base}/?claim=vaccines+cause+autism").read()
    assets = {name.decode() for name in re.findall(rb'(?:href|src)="(/static/[^"]+)"', text)}
    weight = len(answered) + sum(len(urllib.request.urlopen(base + name).read()) for name in assets)
    return {"first_byte": statistics.median(waits), "bytes": weight}


def during_import(port: int, key: str, claims: Sequence[str], *, records: int, seconds: float) -> dict[str, object]:
    """One client before and during an import of so many new records, indexing included."""
    before = asyncio.run(load(port, claims, clients=1, seconds=seconds))
    id = _upload(port, key, records)
    during = asyncio.run(load(port, claims, clients=1, seconds=seconds * 30, until_over=id))
    job = _import(port, id)
    told = {"before": asdict(before), "during": asdict(during), "errors": during.errors, "p95_ratio": during.p95 / before.p95}
    return told | {"records": records, "state_at_end": job["state"], "stored": job["read"]}


def _upload(port: int, key: str, records: int) -> str:
    rows = (json.dumps({"id": f"bench-{n}", "claim": f"Village {n} has {n * 7} wells and no water.", "lang": "en"}) for n in range(records))
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="bench.jsonl"\r\n\r\n' + "\n".join(rows).encode() + b"\r\n--x--\r\n"
    )
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "multipart/form-data; boundary=x"}
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/v1/imports", body, headers)) as answer:
        return str(json.load(answer)["id"])


def measure(folder: Path, claims: Sequence[str], *, seconds: float, recipes: Sequence[str]) -> Iterator[dict[str, object]]:
    """Measure part by part, yielding each as it is known; `recipes` beyond hybrid are timed for one client only."""
    own = library(folder, claims, seconds=seconds / 3)
    yield {"library": asdict(own)}
    with server(folder) as (port, key, first):
        yield {"start_to_first_answer": first}
        asyncio.run(load(port, claims, clients=1, seconds=2))
        yield {"one_client": asdict(asyncio.run(load(port, claims, clients=1, seconds=seconds / 3)))}
        for name in recipes:
            yield {f"one_client_{name}": asdict(asyncio.run(load(port, claims, clients=1, seconds=seconds / 3, recipe=name)))}
        many = asyncio.run(load(port, claims, clients=32, seconds=seconds))
        yield {"many_clients": asdict(many), "share_of_library": many.a_second / own.a_second}
        yield {"page": page(port)}
        yield {"during_import": during_import(port, key, claims, records=10_000, seconds=seconds / 3)}
    with server(folder, "--workers", "2") as (port, _, _):
        asyncio.run(load(port, claims, clients=4, seconds=3))
        yield {"many_clients_two_workers": asdict(asyncio.run(load(port, claims, clients=32, seconds=seconds / 2)))}


def _claims(path: Path) -> list[str]:
    if path.suffix == ".tsv":
        with path.open(encoding="utf-8", newline="") as table:
            return [row[-1] for row in list(csv.reader(table, delimiter="\t"))[1:]]
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] if line.startswith("{") else line for line in lines if line.strip()]


def main() -> None:
    """Measure and write results/serve.json."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server started here is stopped as well
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True, help="An indexed collection; it is copied.")
    asked.add_argument(
        "--claims", type=Path, required=True, help="Claims: one a line, JSON Lines with a `text`, or a TSV whose last column they are."
    )
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--recipe", action="append", default=[], help="Another recipe to time for one client.")
    asked.add_argument("--to", type=Path, default=Path(__file__).with_suffix(".json"))
    chosen = asked.parse_args()
    claims = _claims(chosen.claims)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    about = {
        "commit": commit,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "claims": len(claims),
        "load": os.getloadavg()[0],
    }
    found: dict[str, object] = {"about": about, "bars": BARS}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(shutil.copytree(chosen.data, Path(place) / "data", ignore=shutil.ignore_patterns("serve.db*", "imports")))
        for part in measure(folder, claims, seconds=chosen.seconds, recipes=chosen.recipe):
            found |= part
            chosen.to.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            sys.stdout.write(json.dumps(part) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
