"""Look a data folder over: store, indexes, posts, models, room on the disk; say what is wrong, and make anew what is derived.

The store is the truth, and nothing here writes to it. Indexes are derived: one that is damaged, ahead of the store or of other texts than
the store's is thrown away and made again. What cannot be had back (a damaged store) is said, with what to do.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from twicetold.collection import Collection, Location
from twicetold.errors import MissingExtra, NoCollection, OutOfReach, TwicetoldError
from twicetold.index.checksums import damaged
from twicetold.index.rows import texts_of
from twicetold.index.text import TextIndex
from twicetold.index.vectors import VectorIndex
from twicetold.models import REINSTALL, check_sums, weights
from twicetold.posts import Posts
from twicetold.progress import Progress
from twicetold.store import salvaged
from twicetold.types import to_json

_SAMPLE = 20
"""Texts that are encoded again and compared with their kept vectors."""
_LEAST_ROOM = 500_000_000
_PACKAGES = ("twicetold", "tantivy", "numpy", "onnxruntime", "tokenizers", "numkong")


class State(StrEnum):
    """WELL needs nothing. BEHIND is mended by `index`, BROKEN and derived by a repair.

    CARE wants a person though nothing is damaged: a server that does not answer, a folder that may not be written. LOST is damage that no
    repair undoes.
    """

    WELL = "well"
    BEHIND = "behind"
    BROKEN = "broken"
    CARE = "care"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part, and what to do about it."""

    part: str
    state: State
    says: str
    remedy: str = ""


def examine(folder: Path, *, index: str = "") -> Iterator[Finding]:
    """Look at every part of a data folder, the models and the versions; yield one finding each, in that order.

    `index` says where the indexes are, if not where the collection's settings do.
    """
    yield _versions()
    yield from _models()
    yield from examine_folder(folder, index=index)


def examine_folder(folder: Path, *, index: str = "") -> Iterator[Finding]:
    """Look at the data folder alone."""
    yield _room(folder)
    if (folder / "store.db").is_file():
        yield from _collection(Location(folder, index))
    if (folder / "posts.db").is_file():
        yield from _posts(folder)


def repair(folder: Path, findings: Iterable[Finding], progress: Progress, *, index: str = "") -> list[str]:
    """Make anew every index that was found broken, bring those behind up to the store, and return what was done.

    Where one of them is out of reach nothing is done: making it anew could take over an index that is another collection's.
    """
    ill = [finding for finding in findings if finding.state in (State.BROKEN, State.BEHIND, State.CARE)]
    done = []
    makers: tuple[tuple[str, str, Callable[[], Collection | Posts]], ...] = (
        ("fact-checks", "index of ", lambda: Collection.create(Location(folder, index))),
        ("posts", "posts' ", lambda: Posts.create(folder)),
    )
    for whose, part, make in makers:
        found = {finding.state for finding in ill if finding.part.startswith(part)}
        if not found or State.CARE in found:
            continue
        with make() as opened:
            if State.BROKEN in found:
                opened.rebuild(progress)
                done.append(f"the indexes of the {whose} were made anew")
            else:
                opened.index(progress)
                done.append(f"the indexes of the {whose} were brought up to the store")
    return done


def salvage(folder: Path, out: Path) -> tuple[int, int]:
    """Write every fact-check that can still be read to `out` as JSON Lines; return how many, and how many rows could not be read."""
    saved = lost = 0
    with out.open("x", encoding="utf-8") as file:
        for check in salvaged(folder / "store.db"):
            if check is None:
                lost += 1
            else:
                file.write(json.dumps(to_json(check), ensure_ascii=False) + "\n")
                saved += 1
    return saved, lost


# --- what is looked at


def _versions() -> Finding:
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            return Finding("versions", State.LOST, f"{name} is not installed", "pip install --force-reinstall twicetold")
    return Finding("versions", State.WELL, ", ".join([*found, f"SQLite {sqlite3.sqlite_version}"]))


def _models() -> Iterator[Finding]:
    try:
        folder = weights()
    except TwicetoldError as error:
        yield Finding("models", State.LOST, str(error), "pip install --upgrade twicetold twicetold-models")
    else:
        yield from _model_folders(folder)


def _model_folders(folder: Path) -> Iterator[Finding]:
    looked_at = sorted(sums.parent for sums in folder.rglob("SHA256SUMS"))
    ill = []
    for place in looked_at:
        try:
            check_sums(place)
        except TwicetoldError as error:
            ill.append(Finding("models", State.LOST, str(error), REINSTALL))
    yield from ill or [Finding("models", State.WELL, f"{len(looked_at)} models are what they were when shipped")]


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    told = f"{free / 1e9:.1f} GB are free on the disk of {folder}"
    if not os.access(folder, os.W_OK):
        said = f"{folder} can be read but not written to: it is searched, but nothing can be added or indexed"
        return Finding("disk", State.CARE, said, "to add to it, give yourself the right to write, or copy the folder")
    return Finding("disk", State.WELL if free > _LEAST_ROOM else State.CARE, told, "" if free > _LEAST_ROOM else "make room")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A store as the doctor speaks of it: the part's name, what it holds, and what to do if it is damaged."""

    part: str
    holds: str
    remedy: str


_Opened = TypeVar("_Opened", Collection, Posts)


def _examined(kind: _Kind, opening: Callable[[], _Opened], indexes: Callable[[_Opened], Iterator[Finding]]) -> Iterator[Finding]:
    """Look at every record of a store, and if all are well at its indexes."""
    try:
        opened = opening()
    except NoCollection as error:
        yield Finding(kind.part, State.WELL, str(error))
        return
    except TwicetoldError as error:
        yield Finding(kind.part, State.LOST, str(error), kind.remedy)
        return
    with opened:
        faults = list(islice(_faults(opened.store), 5))
        if faults:
            yield Finding(kind.part, State.LOST, "damaged: " + "; ".join(faults), kind.remedy)
            return
        yield Finding(kind.part, State.WELL, f"{len(opened.store):,} {kind.holds}, every one as it was stored")
        yield from indexes(opened)


def _collection(location: Location) -> Iterator[Finding]:
    folder = location.folder
    remedy = f"restore {folder}/store.db from a copy, or save what can be read: twicetold --data {folder} doctor --salvage saved.jsonl"
    kind = _Kind("store", "fact-checks", remedy)
    return _examined(
        kind, lambda: Collection.open(location), lambda opened: (_index(name, opened) for name in ("cases", "text", "vectors"))
    )


def _posts(folder: Path) -> Iterator[Finding]:
    kind = _Kind("posts", "posts", f"restore {folder}/posts.db, or ingest the posts again")
    return _examined(kind, lambda: Posts.open(folder), _indexes_of_posts)


def _faults(store: Any) -> Iterator[str]:
    try:
        yield from store.faults()
    except (sqlite3.DatabaseError, TwicetoldError) as error:
        yield str(error)


def _index(name: str, collection: Collection) -> Finding:
    part = f"index of {name}"
    remedy = f"twicetold --data {collection.folder} doctor --repair"
    try:
        index = getattr(collection, name)
        if index is None:
            return Finding(part, State.WELL, "none: this collection is searched by words alone")
        reached, change = index.reached, collection.store.change
        if reached > change:
            said = f"it knows change {reached} and the store only {change}: the store was put back, or has lost its last records"
            return Finding(part, State.BROKEN, said, f"{remedy}; then ingest again what came last")
        if reached < change:
            waiting = collection.store.pending(reached)
            return Finding(part, State.BEHIND, f"{waiting:,} records wait", f"twicetold --data {collection.folder} index")
        wrong = _wrong_texts(index, collection) if isinstance(index, VectorIndex) else _wrong_count(index, collection)
    except (OutOfReach, MissingExtra) as error:
        return Finding(part, State.CARE, str(error))
    except (TwicetoldError, OSError, ValueError, KeyError, sqlite3.DatabaseError) as error:
        return Finding(part, State.BROKEN, f"it cannot be read ({error})", remedy)
    return Finding(part, State.BROKEN, wrong, remedy) if wrong else Finding(part, State.WELL, "up to the store, and of its texts")


def _wrong_count(index: Any, collection: Collection) -> str:
    if not isinstance(index, TextIndex):
        return ""
    if torn := list(damaged(index.folder)):
        return f"{torn[0]} is missing or not what was written" + (f", and {len(torn) - 1} more files" if torn[1:] else "")
    return "" if len(index) == len(collection.store) else f"it holds {len(index):,} of {len(collection.store):,} fact-checks"


def _wrong_texts(index: VectorIndex, collection: Collection) -> str:
    """Say if a text of the store has no vector of its own, or a sample of vectors is not what the encoder gives."""
    assert collection.encoder is not None
    sample: dict[tuple[int, Any], str] = {}
    rng = np.random.default_rng(0)
    for change in collection.store.since(0):
        wanted, _ = texts_of([change])
        for row, text in wanted.items():
            if not index.known(row):
                return f"the {row.field} of record {row.num} has no vector of its present text"
            if len(sample) < _SAMPLE or rng.random() < 0.01:
                sample[row.num, row.field] = text
    chosen = list(sample.items())[-_SAMPLE:]
    fresh = collection.encoder.encode([text for _, text in chosen])
    kept = [index.vectors(field, [num])[0] for (num, field), _ in chosen]
    with np.errstate(invalid="ignore", over="ignore"):  # bytes at random are no numbers, either
        far = [1 for one, other in zip(fresh, kept, strict=True) if not float(one @ other) >= 0.99]
    return f"{len(far)} of {len(chosen)} vectors tried are not their texts'" if far else ""


def _indexes_of_posts(posts: Posts) -> Iterator[Finding]:
    remedy = f"twicetold --data {posts.folder} doctor --repair"
    try:
        reached = [index.reached for index in posts.followers()]
    except (TwicetoldError, OSError, ValueError) as error:
        yield Finding("posts' indexes", State.BROKEN, str(error), remedy)
        return
    change = posts.store.change
    if max(reached) > change:
        yield Finding("posts' indexes", State.BROKEN, f"they know change {max(reached)}, the store only {change}", remedy)
    elif min(reached) < change:
        yield Finding("posts' indexes", State.BEHIND, "posts wait to be indexed", remedy)
    else:
        yield Finding("posts' indexes", State.WELL, "up to the store")
