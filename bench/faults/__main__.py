"""Kill writers at random moments and record what survived.

    python -m bench.faults kill [--points 200] [--seed 1] [ingest] [index] [serve] [screen]

The points are spread evenly over the kinds and, within a kind, over the time a whole run takes. After each: the folder is read as it is,
looked over and repaired by `doctor`; nothing acknowledged may be missing, and the answers have to be those of a clean build of the same
records. Writes results/faults.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.faults.judging import Judge, Point
from bench.faults.screening import kill_screen
from bench.faults.serving import kill_serve
from bench.faults.writing import kill_index, kill_ingest
from bench.machine import ROOT, provenance, record

KINDS: dict[str, Callable[[int, int, Judge], Iterator[Point]]] = {
    "ingest": kill_ingest, "index": kill_index, "serve": kill_serve, "screen": kill_screen,
}  # fmt: skip


def kill(kinds: list[str], points: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kill at so many points, and yield what came of each kind."""
    judge = Judge()
    for at, kind in enumerate(kinds):
        share = points // len(kinds) + (at < points % len(kinds))
        started = time.perf_counter()
        seen = []
        for point in KINDS[kind](share, seed, judge):
            seen.append(point)
            if point.wrong:
                print(f"{kind} at {point.at} s: {'; '.join(point.wrong)}", file=sys.stderr, flush=True)
        yield kind, _summed(seen) | {"seconds": round(time.perf_counter() - started, 1)}


def _summed(seen: list[Point]) -> dict[str, Any]:
    wrong = [f"at {point.at} s: {says}" for point in seen for says in point.wrong]
    return {
        "points": len(seen),
        "survived": sum(point.survived for point in seen),
        "killed_while_running": sum(point.was_running for point in seen),
        "acknowledged_records": sum(point.acknowledged for point in seen),
        "readers_told_that_records_wait": sum(point.waited > 0 for point in seen),
        "readers_refused_with_what_to_do": sum(bool(point.refusal) for point in seen),
    } | ({"wrong": wrong[:20]} if wrong else {})


def main() -> None:
    """Kill, and record it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kill"])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"Of {', '.join(KINDS)}; all unless named.")
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kinds = asked.kinds or list(KINDS)
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"there is no kind {', '.join(unknown)}; choose of {', '.join(KINDS)}")
    command = " ".join(["python -m bench.faults kill", *asked.kinds, f"--points {asked.points} --seed {asked.seed}"])
    path = ROOT / "results" / "faults.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["kill"] if path.exists() else {}
    told = provenance(command, "the demo collection")
    survived = True
    for kind, seen in kill(kinds, asked.points, asked.seed):
        kept[kind] = {**seen, "seed": asked.seed, "provenance": told}
        record("faults", {"kill": kept})
        print(f"{kind}: {json.dumps(seen)}", file=sys.stderr, flush=True)
        survived = survived and seen["survived"] == seen["points"]
    if not survived:
        sys.exit(1)


if __name__ == "__main__":
    main()
