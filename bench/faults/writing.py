"""Kills while records are stored and indexed (`ingest`), and while the indexes of stored records are made or made anew (`index`)."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.faults.judging import CHECKS, Judge, Point, emptied, moments
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import EncoderChoice
from twicetold.types import FactCheck

RECORDS, BATCH = 24, 3
ENCODERS = ("none", "none", "none", "")
"""By words alone in three points of four, with vectors in the fourth."""
# Children are forked from a process that has imported everything, so that a point costs what it writes.
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(["bench.faults.writing", "tantivy", "onnxruntime"])

Work = Callable[[Path, str, Path, int], None]


def ingest(folder: Path, encoder: str, told: Path, seed: int) -> None:
    """Store and index records, batch by batch, telling each that is acknowledged."""
    with _telling(told) as tell, Collection.create(folder, Settings(EncoderChoice.parse(encoder))) as collection:
        remaining = iter(chosen(seed))
        while batch := list(islice(remaining, BATCH)):
            for _ in collection.add(batch):
                tell({check.id: check.claim for check in batch})
            collection.index()


def index(folder: Path, encoder: str, told: Path, seed: int) -> None:
    """Index what is stored: for the first time, or anew."""
    with _telling(told), Collection.create(folder, Settings(EncoderChoice.parse(encoder))) as collection:
        if seed % 2:
            collection.rebuild()
        else:
            collection.index()


def prepared(folder: Path, encoder: str, told: Path, seed: int) -> None:
    """Make what `index` is to work on: records that are stored and acknowledged; for a rebuild, indexed too."""
    with _telling(told) as tell, Collection.create(folder, Settings(EncoderChoice.parse(encoder))) as collection:
        for batch in (chosen(seed)[: RECORDS // 2], chosen(seed)[RECORDS // 2 :]):
            list(collection.add(batch))
            tell({check.id: check.claim for check in batch})
            if seed % 2:
                collection.index()


def chosen(seed: int) -> list[FactCheck]:
    """Some of the demo's fact-checks."""
    return random.Random(seed).sample(CHECKS, RECORDS)


def kill_ingest(points: int, seed: int, judge: Judge) -> Iterator[Point]:
    """Kill `ingest` at so many random moments."""
    yield from _kill("ingest", None, ingest, points, seed, judge)


def kill_index(points: int, seed: int, judge: Judge) -> Iterator[Point]:
    """Kill `index` at so many random moments."""
    yield from _kill("index", prepared, index, points, seed, judge)


def _kill(kind: str, before: Work | None, work: Work, points: int, seed: int, judge: Judge) -> Iterator[Point]:
    rng = random.Random(f"{kind} {seed}")
    with TemporaryDirectory() as place:
        for number, encoder in enumerate(sorted(set(ENCODERS))):
            whole = _whole(Path(place), encoder, before, work, seed)
            mine = [at for at in range(points) if ENCODERS[at % len(ENCODERS)] == encoder]
            # A little beyond the end too: a kill just after the last acknowledgement is the one that tells of durability.
            for nth, moment in enumerate(moments(len(mine), 1.1 * whole, [rng.random() for _ in mine])):
                yield _one(Path(place), kind, encoder, before, work, moment, 10_000 * seed + 1000 * number + nth, judge)


def _whole(place: Path, encoder: str, before: Work | None, work: Work, seed: int) -> float:
    """Seconds of a run that nobody kills, from its first word."""
    seconds = []
    for nth in range(2):
        folder, told = emptied(place / "whole"), place / f"whole-{encoder or 'dense'}-{nth}"
        if before is not None:
            _run(before, folder, encoder, told.with_suffix(".before"), seed + nth).join()
        process = _run(work, folder, encoder, told, seed + nth)
        started = _heard(told, process)
        process.join()
        seconds.append(time.monotonic() - started)
    return min(seconds)


def _one(place: Path, kind: str, encoder: str, before: Work | None, work: Work, moment: float, seed: int, judge: Judge) -> Point:
    folder = emptied(place / "folder")
    told, told_before = place / f"told-{seed}", place / f"before-{seed}"
    if before is not None:
        _run(before, folder, encoder, told_before, seed).join()
    process = _run(work, folder, encoder, told, seed)
    started = _heard(told, process)
    time.sleep(max(0.0, moment - (time.monotonic() - started)))
    was_running = process.is_alive()
    process.kill()
    process.join()
    acknowledged = _acknowledged(told_before) | _acknowledged(told)
    return judge.look(folder, acknowledged, Point(kind, round(moment, 3), was_running, len(acknowledged)))


def _run(work: Work, folder: Path, encoder: str, told: Path, seed: int) -> multiprocessing.Process:
    process = _FORKED.Process(target=work, args=(folder, encoder, told, seed))
    process.start()
    return process  # type: ignore[return-value]


@contextmanager
def _telling(told: Path) -> Iterator[Callable[[dict[str, str]], None]]:
    """Tell by whole lines in a file: what is written there outlives the process."""
    file = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, b"{}\n")
    try:
        yield lambda records: _said(file, records)
    finally:
        os.close(file)


def _said(file: int, records: dict[str, str]) -> None:
    os.write(file, json.dumps(records).encode() + b"\n")


def _heard(told: Path, process: multiprocessing.Process) -> float:
    """Wait for a process's first word; return the moment."""
    while not (told.exists() and told.stat().st_size):
        if not process.is_alive() and not told.exists():
            raise SystemExit("the writer did not start")
        time.sleep(0.002)
    return time.monotonic()


def _acknowledged(told: Path) -> dict[str, str | None]:
    lines: Sequence[str] = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    found: dict[str, str | None] = {}
    for line in lines:
        found |= json.loads(line)
    return found
