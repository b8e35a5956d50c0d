"""What a screening has written: the run it belongs to, and a manifest for every partition that is done.

    OUT/lane=matched/part-000012.parquet    the answers, one file for each lane and partition
    OUT/_screen/run.json                    what was asked of which collection, and the partitions
    OUT/_screen/done/part-000012.json       partition 12 is done: its files, their sizes, what was counted
    OUT/_screen/summary.json                written last, when every partition is done

A partition is done when its manifest is there and the files it names are as large as it says. Its files are written first, the manifest
last, each in one step; a worker killed in between leaves files without a manifest, which the next run writes again under the same names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from twicetold.batch.partitions import USUAL, Columns, Partition
from twicetold.batch.storage import Place
from twicetold.errors import BadData, BadInput, NewerFormat
from twicetold.lock import held
from twicetold.types import Lane

FORMAT = 2
RUN, DONE, SUMMARY = "_screen/run.json", "_screen/done", "_screen/summary.json"

_NOT_ASKED = ("skip_broken",)
"""Options that change what becomes of a run that stops, not what is answered: a run goes on under its name with them or without."""

RANKED, SKIPPED = "ranked", "skipped"
"""Lanes that only screening has: found by a recipe that does not decide, and not looked up."""
LANES = (*(lane.value for lane in Lane), RANKED, SKIPPED)


@dataclass(frozen=True, slots=True)
class Screening:
    """What is asked: how to search, the error tolerated, and which posts are not worth a search."""

    recipe: str = "best"
    risk: float = 0.05
    top: int = 3
    langs: tuple[str, ...] = ()
    worth: float = 0.0
    near: float = 0.0
    columns: Columns = USUAL
    skip_broken: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which collection and models answered. Two runs with the same provenance and screening give the same answers."""

    collection: str
    counter: int
    encoder: str
    models: str
    twicetold: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A partition that is done: its files with their sizes, and how many posts went where."""

    number: int
    files: Mapping[str, int]
    lanes: Mapping[str, int]
    skipped: Mapping[str, int] = field(default_factory=dict)
    copies: int = 0
    broken: Sequence[str] = ()
    seconds: float = 0.0

    @property
    def posts(self) -> int:
        """How many posts the partition held, broken records among them."""
        return sum(self.lanes.values())


class Ledger:
    """The folder a screening writes to."""

    def __init__(self, out: Place) -> None:
        self.out = out

    def begin(self, screening: Screening, provenance: Provenance, partitions: Sequence[Partition]) -> None:
        """Record the run, or find the same one begun. A run of which no partition is done gives way.

        Raises BadInput if the folder holds answers of another run, or something else.
        """
        wanted = _record(screening, provenance, partitions)
        kept = self.out.read(RUN)
        if kept is None:
            self._refuse_strangers()
        else:
            differing = _differing(_parsed(kept, self.out.address), wanted)
            if not differing:
                return
            if list(self.out.names(DONE)):  # a damaged manifest too: someone waited for those answers
                raise BadInput(
                    f"{self.out.address} holds the answers of another run (other {', '.join(differing)}); name a new folder with --out, "
                    "or ask again just as that run did to go on with it"
                )
            self._clear()
        self.out.write(RUN, json.dumps(wanted, indent=1, ensure_ascii=False).encode() + b"\n")

    def _clear(self) -> None:
        """Delete what killed workers left: the partitions of the next run may bear other names, and would not overwrite it."""
        for folder in (DONE, *(f"lane={lane}" for lane in LANES)):
            for name, _ in list(self.out.names(folder)):
                self.out.remove(f"{folder}/{name}")

    def _refuse_strangers(self) -> None:
        strangers = [] if not self.out.is_local or not os.path.isdir(self.out.root) else sorted(os.listdir(self.out.root))
        strangers = [name for name in strangers if name != "_screen"]
        if strangers:
            raise BadInput(f"{self.out.address} is not empty (it holds {strangers[0]}); name a new or empty folder with --out")

    def done(self, partitions: Sequence[Partition]) -> dict[int, Manifest]:
        """Return the manifests of the partitions that are done, by number."""
        names = {partition.name: partition for partition in partitions}
        sizes = {f"lane={lane}/{name}": size for lane in LANES for name, size in self.out.names(f"lane={lane}")}
        found: dict[int, Manifest] = {}
        for name, _ in self.out.names(DONE):
            partition = names.get(name.removesuffix(".json"))
            manifest = None if partition is None else self._manifest(name)
            if manifest is not None and all(sizes.get(file) == size for file, size in manifest.files.items()):
                found[manifest.number] = manifest
        return found

    def _manifest(self, name: str) -> Manifest | None:
        content = self.out.read(f"{DONE}/{name}")
        try:
            record = json.loads(content or b"")
            return Manifest(**{f.name: record[f.name] for f in fields(Manifest)})
        except (ValueError, KeyError, TypeError):
            return None  # not one of ours, or damaged: the partition is done again

    def commit(self, partition: Partition, files: Mapping[str, bytes], manifest: Manifest) -> None:
        """Write a partition's files, then its manifest. Doing it twice gives the same files."""
        for lane in LANES:
            stale = f"lane={lane}/{partition.name}.parquet"
            if stale not in files:
                self.out.remove(stale)
        for name, content in files.items():
            self.out.write(name, content)
        self.out.write(f"{DONE}/{partition.name}.json", json.dumps(asdict(manifest), ensure_ascii=False).encode() + b"\n")

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Write the summary: the sign that every partition is done."""
        self.out.write(SUMMARY, json.dumps(summary, indent=1, ensure_ascii=False).encode() + b"\n")

    def held(self) -> AbstractContextManager[None]:
        """Hold the folder for one driver. In a bucket nothing can be held; there two drivers would only do the same work twice."""
        if not self.out.is_local:
            return nullcontext()
        return held(
            Path(self.out.root, "_screen", "lock"),
            busy=f"another screening is writing to {self.out.address}; wait for it to finish, or name another folder with --out",
            elsewhere="name another folder with --out",
        )


def _record(screening: Screening, provenance: Provenance, partitions: Sequence[Partition]) -> dict[str, Any]:
    asked = asdict(screening)
    for name in _NOT_ASKED:
        del asked[name]
    record = {
        "format": FORMAT,
        "screening": asked,
        "collection and models": asdict(provenance),
        "partitions": [asdict(partition) for partition in partitions],
    }
    return dict(json.loads(json.dumps(record)))  # as it reads back: tuples are lists


def _differing(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Name what is not the same in two records of runs: options one by one, the rest as a whole."""
    before, now = found.get("screening"), wanted["screening"]
    if not isinstance(before, dict):
        return ["screening"]
    options = [name for name in {**now, **before} if name not in _NOT_ASKED and before.get(name) != now.get(name)]
    return options + [name for name in wanted if name != "screening" and found.get(name) != wanted[name]]


def _parsed(content: bytes, address: str) -> dict[str, Any]:
    try:
        found = dict(json.loads(content))
    except (ValueError, TypeError):
        raise BadData(f"{address}/{RUN} is damaged; name a new folder with --out") from None
    if found.get("format", FORMAT) > FORMAT:
        raise NewerFormat(f"{address} was written by a later version (format {found['format']}); upgrade twicetold")
    return found
