"""Kills of `screen`: of its driver, of a worker, or of all; what is marked as done has to be right, and the whole right in the end."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from bench.faults.judging import CHECKS, Judge, Point, moments
from twicetold import demo
from twicetold.batch.ledger import DONE, SUMMARY
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import NO_ENCODER

POSTS, ROWS = 600, 10
TARGETS = ("driver", "all", "worker")
Rows = dict[int, tuple[Any, ...]]


@dataclass
class Run:
    """A screening that is killed again and again until it is done."""

    place: Path
    right: Rows
    starting: float
    """Seconds until the first partition is done, where nobody kills."""
    screening: float
    """Seconds from there to the end."""
    number: int = 0
    done: set[str] = field(default_factory=set)

    @property
    def out(self) -> Path:
        """Where it writes."""
        return self.place / f"out-{self.number}"

    @property
    def seconds(self) -> float:
        """How long it has still to go."""
        return self.starting + self.screening * (1 - len(self.done) * ROWS / POSTS)

    def start(self) -> subprocess.Popen[bytes]:
        """Begin it, or go on with it."""
        return _start(self.place, self.out)

    def look(self, point: Point) -> Point:
        """Note what is wrong with the partitions that are marked as done; take a new folder when all are."""
        manifests = {path.name: json.loads(path.read_bytes()) for path in sorted((self.out / DONE).glob("*.json"))}
        point.acknowledged = len(manifests)
        point.wrong += [f"a finished partition is gone: {name}" for name in sorted(self.done - set(manifests))]
        found: Rows = {}
        for name, manifest in manifests.items():
            rows = rows_of([self.out / file for file in manifest["files"]])
            found |= rows
            if any(self.right.get(row) != said for row, said in rows.items()) or len(rows) != sum(manifest["lanes"].values()):
                point.wrong.append(f"{name} is marked as done and not right")
        self.done |= set(manifests)
        if (self.out / SUMMARY).exists():
            if found != self.right:
                point.wrong.append(f"{len(found)} rows of {len(self.right)} in a finished run")
            self.number, self.done = self.number + 1, set()
        return point


def kill_screen(points: int, seed: int, _: Judge) -> Iterator[Point]:
    """Kill at so many random moments."""
    rng = random.Random(f"screen {seed}")
    with TemporaryDirectory() as place:
        _prepare(Path(place), rng)
        starting, screening = _whole(Path(place))
        run = Run(Path(place), rows_of((Path(place) / "clean").glob("lane=*/*.parquet")), starting, screening)
        shares = moments(points, 1.0, [rng.random() for _ in range(points)])
        rng.shuffle(shares)
        for number, share in enumerate(shares):
            yield _one(run, TARGETS[number % len(TARGETS)], share * run.seconds)
        # Whatever the kills have left, one more start has to bring it to its end.
        last = Point("screen", 0.0, False, 0)
        if run.start().wait() != 0:
            last.wrong.append("the last start failed")
        if run.look(last).wrong:
            yield last


def _whole(place: Path) -> tuple[float, float]:
    """Screen without a kill into `clean`; return the seconds to the first partition that is done, and from there to the end."""
    started = time.monotonic()
    process = _start(place, place / "clean")
    while process.poll() is None and not any((place / "clean" / DONE).glob("*.json")):
        time.sleep(0.02)
    first = time.monotonic()
    if process.wait() != 0:
        raise SystemExit("a screening that nobody killed failed")
    return first - started, time.monotonic() - first


def _one(run: Run, target: str, moment: float) -> Point:
    process = run.start()
    time.sleep(moment)
    workers = children(process.pid)
    while target == "worker" and not workers and process.poll() is None:
        time.sleep(0.02)
        workers = children(process.pid)
    was_running = process.poll() is None and (target != "worker" or bool(workers))
    for pid in workers if target != "driver" else []:
        os.kill(pid, signal.SIGKILL)
    point = Point("screen", round(moment, 3), was_running, 0)
    if target == "worker":
        if process.wait() != 0:
            point.wrong.append("the driver did not get over the death of a worker")
    else:
        process.kill()
        process.wait()
    until = time.monotonic() + 20
    while any(is_there(pid) for pid in workers):
        if time.monotonic() > until:
            point.wrong.append("a worker outlived its driver")
            break
        time.sleep(0.02)
    return run.look(point)


def rows_of(files: Any) -> Rows:
    """What is said of each post, by its row."""
    found: Rows = {}
    for path in files:
        for row in pq.read_table(path, partitioning=None).to_pylist():
            said = (row["id"], path.parent.name, row["check"], row["same_as"], row["score"] and round(row["score"], 5))
            if row["row"] in found:
                raise SystemExit(f"row {row['row']} was written twice")
            found[row["row"]] = said
    return found


def _prepare(place: Path, rng: random.Random) -> None:
    with Collection.create(place / "data", Settings(encoder=NO_ENCODER)) as collection:
        list(collection.add(CHECKS))
        collection.index()
    texts = [str(query["text"]) for query in demo.queries()]
    with (place / "posts.jsonl").open("w", encoding="utf-8") as file:
        for at in range(POSTS):
            said = f"{rng.choice(texts)} {rng.choice(texts)}"
            file.write(json.dumps({"id": f"p{at}", "text": said}) + "\n")


def _start(place: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "twicetold.cli", "-q", "--data", str(place / "data"), "screen", str(place / "posts.jsonl")]
    options = ["--out", str(out), "--recipe", "bm25", "--rows", str(ROWS), "--workers", "1"]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL)


def children(parent: int) -> list[int]:
    """Return the workers that a driver has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
            command = path.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and b"spawn_main" in command:
            found.append(int(path.parent.name))
    return found


def is_there(pid: int) -> bool:
    """True while a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
