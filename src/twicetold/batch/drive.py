"""The driver: finds the posts, plans the partitions, sets the workers to it, and tells how far they are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from twicetold.batch.ledger import LANES, RANKED, Ledger, Manifest, Provenance, Screening
from twicetold.batch.partitions import Partition, cut, find_files
from twicetold.batch.processes import Beat, Told, cores, one_thread, work_here
from twicetold.batch.provenance import provenance_of
from twicetold.batch.reading import check_columns
from twicetold.batch.screener import Screener
from twicetold.batch.storage import Place
from twicetold.collection import Collection, Where, located
from twicetold.errors import BadInput
from twicetold.progress import silent

ROWS = 10_000
"""Rows of a partition unless said: some minutes of one core, which is what a killed worker loses."""


@dataclass(frozen=True, slots=True)
class Crewing:
    """Who does the work: so many processes here (0 for one a core), or the Ray cluster at an address."""

    workers: int = 0
    ray: str = ""
    rows: int = ROWS


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is. `posts` is 0 where the files do not tell how many they hold."""

    done: int
    posts: int
    partitions: int
    of_partitions: int
    seconds: float
    fresh: int

    @property
    def left(self) -> float | None:
        """Seconds to the end at the pace so far; None until there is one."""
        return self.seconds * (self.posts - self.done) / self.fresh if self.fresh and self.posts else None


Report = Callable[[State], None]


def screen(posts: Sequence[str], out: str, data: Where, screening: Screening, crewing: Crewing, report: Report = silent) -> dict[str, Any]:
    """Screen every post at these places against the collection in `data`, write the answers to `out` and return the summary.

    A run that was stopped goes on where it was. Raises BadInput if `out` holds another run, or a file has no texts.
    """
    partitions, provenance = plan(posts, data, screening, crewing.rows)
    ledger = Ledger(Place(out))
    with ledger.held():
        ledger.begin(screening, provenance, partitions)
        tally = _Tally(partitions, ledger.done(partitions), report)
        if tally.waiting:
            for told in _workers(out, data, screening, provenance, crewing)(tally.waiting):
                tally.hear(told)
        summary = tally.summary(screening, provenance)
        ledger.finish(summary)
    return summary


def plan(posts: Sequence[str], data: Where, screening: Screening, rows: int) -> tuple[list[Partition], Provenance]:
    """Find the files, look at their columns and cut them; nothing is written."""
    files = find_files([Place(address) for address in posts])
    for place, file in files:
        check_columns(place, file, screening.columns)
    partitions = list(cut(files, rows=rows))
    if not partitions:
        raise BadInput(f"there is no post in {', '.join(posts)}: the files are empty")
    with Collection.open(data) as collection:
        if not len(collection.store):
            folder = collection.folder
            raise BadInput(f"the collection in {folder} is empty; fill it with: twicetold --data {folder} ingest SOURCE")
        return partitions, provenance_of(collection)


def _workers(
    out: str, data: Where, screening: Screening, provenance: Provenance, crewing: Crewing
) -> Callable[[Sequence[Partition]], Iterable[Told]]:
    opening = partial(Screener, replace(located(data), folder=located(data).folder.absolute()), Place(out).address, screening, provenance)
    if crewing.ray:
        from twicetold.batch.cluster import work_there

        return partial(work_there, opening, address=crewing.ray)
    one_thread()
    return partial(work_here, opening, workers=crewing.workers or cores())


@dataclass
class _Tally:
    """What has been heard from the workers."""

    partitions: Sequence[Partition]
    done: dict[int, Manifest]
    report: Report
    beats: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.waiting = [partition for partition in self.partitions if partition.number not in self.done]
        self._before = sum(manifest.posts for manifest in self.done.values())
        self._resumed = len(self.done)
        self._started = time.monotonic()
        self._known = 0 if any(partition.rows == 0 for partition in self.partitions) else sum(one.rows for one in self.partitions)
        self.report(self._state())

    def hear(self, told: Told) -> None:
        if isinstance(told, Beat):
            self.beats[told.number] = told.posts
        else:
            self.beats.pop(told.number, None)
            self.done[told.number] = told
        self.report(self._state())

    def _state(self) -> State:
        posts = sum(manifest.posts for manifest in self.done.values()) + sum(self.beats.values())
        seconds = time.monotonic() - self._started
        return State(posts, self._known, len(self.done), len(self.partitions), seconds, posts - self._before)

    def summary(self, screening: Screening, provenance: Provenance) -> dict[str, Any]:
        manifests = [self.done[number] for number in sorted(self.done)]
        lanes = sum((Counter(manifest.lanes) for manifest in manifests), Counter[str]())
        skipped = sum((Counter(manifest.skipped) for manifest in manifests), Counter[str]())
        return {
            "posts": sum(lanes.values()),
            "lanes": {lane: lanes[lane] for lane in LANES if lane != RANKED or lanes[lane]},
            "skipped": dict(sorted(skipped.items())),
            "copies": sum(manifest.copies for manifest in manifests),
            "broken": [name for manifest in manifests for name in manifest.broken],
            "partitions": len(manifests),
            "partitions_done_before": self._resumed,
            "worker_seconds": round(sum(manifest.seconds for manifest in manifests), 3),
            "recipe": screening.recipe,
            "risk": screening.risk,
            "collection": provenance.collection,
            "counter": provenance.counter,
            "encoder": provenance.encoder,
        }
