"""How long a debate takes to scan, and how soon a live line is answered, against the 19,250 fact-checks of CheckThat 2021 task 2B.

    TWICETOLD_DATASETS=… TWICETOLD_CACHE=… python -m bench.debates [whole] [live]

`whole`: the first 1,500 lines of a two-hour debate as a file. `live`: its first 300 lines one by one; the time of a line is from the
moment its look-ahead line is there to its answer. Processor times stand beside the clock's: on a shared machine the clock also counts
what others do. Written to results/scan.json.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.machine import ROOT, provenance, record
from twicetold.collection import Collection, Settings
from twicetold.ingest.transcripts import read_transcript
from twicetold.scan.scanner import Settings as Listening
from twicetold.scan.speeches import scanner
from twicetold.types import Line
from twicetold_lab import datasets
from twicetold_lab.experiment import collection_of

DEBATE = "20160225_GOP_Texas"
SAID_ON = "2016-02-25"


def whole(collection: Collection, lines: Sequence[Line]) -> dict[str, Any]:
    """Scan 1,500 lines that are all there."""
    listener = scanner(collection, settings=Listening(id=DEBATE, said_on=SAID_ON))
    list(listener.scan(lines[:5]))  # models and indexes are opened by the first lines
    started, spent = time.perf_counter(), time.process_time()
    heard = list(listener.scan(lines[:1500]))
    return {
        "lines": len(heard),
        "looked_up": sum(one.ranking is not None for one in heard),
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_seconds": round(time.process_time() - spent, 1),
        "limit_seconds": 60,
    }


def live(collection: Collection, lines: Sequence[Line]) -> dict[str, Any]:
    """Answer 300 lines as they come."""
    listener = scanner(collection, settings=Listening(id=DEBATE, said_on=SAID_ON))
    list(listener.scan(lines[:5]))
    given: list[tuple[float, float]] = []

    def coming() -> Iterator[Line]:
        for line in lines[400:700]:
            given.append((time.perf_counter(), time.process_time()))
            yield line

    times, spent = [], []
    for one in listener.scan(coming()):
        if one.ranking is not None:
            times.append((time.perf_counter() - given[-1][0]) * 1000)
            spent.append((time.process_time() - given[-1][1]) * 1000)
    at_95 = int(len(times) * 0.95)
    return {
        "lines_looked_up": len(times),
        "p50_ms": round(sorted(times)[len(times) // 2], 1),
        "p95_ms": round(sorted(times)[at_95], 1),
        "cpu_p50_ms": round(sorted(spent)[len(spent) // 2], 1),
        "cpu_p95_ms": round(sorted(spent)[at_95], 1),
        "limit_ms": 500,
    }


PARTS: dict[str, Callable[[Collection, Sequence[Line]], dict[str, Any]]] = {"whole": whole, "live": live}


def main(asked: Sequence[str]) -> None:
    named = [os.environ.get(name, "") for name in ("TWICETOLD_DATASETS", "TWICETOLD_CACHE")]
    if not all(named):
        sys.exit("wanted two folders: set TWICETOLD_DATASETS to the research sets and TWICETOLD_CACHE to where indexed corpora are kept")
    root, cache = map(Path, named)
    dataset = datasets.load("checkthat-2021-task2b", datasets.data_root(str(root)))
    transcript, _ = read_transcript(root / "checkthat-2021-task2b" / "transcripts" / f"{DEBATE}.tsv")
    path = ROOT / "results" / "scan.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    with collection_of(dataset, Settings(), cache=cache) as collection:
        for part in asked or PARTS:
            known[part] = PARTS[part](collection, transcript.lines)
            print(part, known[part])
    said = provenance("python -m bench.debates", f"CheckThat 2021 task 2B: 19,250 fact-checks; {DEBATE}")
    said["load_average"] = round(os.getloadavg()[1], 1)  # how busy the machine was with all that ran on it
    record("scan", said | {part: known[part] for part in PARTS if part in known})


if __name__ == "__main__":
    main(sys.argv[1:])
