"""A copy of what a collection cannot do without, taken while others read and write.

Each store is copied as it was at one moment, with the settings, what the server remembers and the uploads that it has yet to import.
Indexes are left out: they are derived. An index on a Milvus server stays the original's: the copy forgets its address and the number it
knows the store by, and has its own index in its own folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from twicetold.collection import read_settings, write_settings
from twicetold.database import connect
from twicetold.errors import BadData, Locked, NoCollection
from twicetold.progress import Progress, silent

_STORES = ("serve.db", "store.db", "posts.db")
"""What the server remembers comes first: of an import that ends meanwhile, the store that is copied after it holds the records."""
_UPLOADS = "imports"
_CACHE = 2_000
_PAGES = 2_000
"""How many pages of a store are copied between two reports."""


def back_up(folder: Path, to: Path, progress: Progress = silent) -> list[str]:
    """Copy the collection in `folder` to a new folder, whole or not at all, and return the names of what is in it.

    Only its owner may read the copy: it holds the secrets of webhooks. Raises NoCollection, Locked if another is copying to the same
    place, or BadData if `to` is there already, is inside `folder` or cannot be written, or a store turns out to be damaged.
    """
    if not any((folder / name).is_file() for name in ("store.db", "posts.db")):
        raise NoCollection(f"there is nothing to copy in {folder}; name the folder of a collection with --data")
    if to.resolve().is_relative_to(folder.resolve()):
        raise BadData(f"{to} is inside {folder}, which is copied; name a folder elsewhere")
    if to.exists():
        raise BadData(f"{to} exists and is kept as it is; name a new folder")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with _half_done(to) as place:
            names = list(_copied(folder, place, progress))
            for path in sorted(place.rglob("*"), reverse=True):
                _flush(path)
            _flush(place)
            place.rename(to)
            _flush(to.parent)
    except OSError as error:
        raise BadData(f"cannot write to {to}: {error.strerror}; nothing was kept of the copy") from None
    return names


@contextmanager
def _half_done(to: Path) -> Iterator[Path]:
    """A folder beside `to` that is ours alone, without what one who was killed left in it; gone at the end, unless it was renamed."""
    place = to.with_name(f".{to.name}.half-done")
    place.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(place, os.O_RDONLY)
    try:
        _take(lock, place, to)
        try:
            for left in place.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            yield place
        finally:
            if place.exists() and _is_open(lock, place):
                shutil.rmtree(place, ignore_errors=True)
    finally:
        os.close(lock)


def _take(lock: int, place: Path, to: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Locked(f"another process is copying to {to}; wait for it to finish, or name another folder") from None
    if not place.exists() or not _is_open(lock, place):
        raise Locked(f"another process has just copied to {to}; name another folder")


def _is_open(file: int, path: Path) -> bool:
    return os.path.samestat(os.fstat(file), path.stat())


def _copied(folder: Path, place: Path, progress: Progress) -> Iterator[str]:
    for name in _STORES:
        if (folder / name).is_file():
            _copy_store(folder / name, place / name, progress)
            yield name
            if name == "serve.db":
                yield from _copy_uploads(folder, place)
    if settings := read_settings(folder):
        write_settings(place, replace(settings, index=""))
        yield "settings.json"
    if (folder / "posts.json").is_file():
        shutil.copyfile(folder / "posts.json", place / "posts.json")
        yield "posts.json"


def _copy_store(source: Path, to: Path, progress: Progress) -> None:
    def report(status: int, left: int, total: int) -> None:
        progress(f"copying {source.name}", total - left, total)

    try:
        with closing(connect(source, read_only=True, cache=_CACHE)) as db, closing(sqlite3.connect(to, isolation_level=None)) as copy:
            # A transaction of our own keeps the moment: without it every change elsewhere would send the copy back to its beginning.
            db.execute("BEGIN")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            db.backup(copy, pages=_PAGES, progress=report)
            said = [str(line) for (line,) in copy.execute("PRAGMA quick_check(3)")]
            # An index elsewhere must not take the copy for the store it follows.
            if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
                copy.execute("DELETE FROM meta WHERE name = 'identity'")
            # Opened again, the copy makes its own journal: one file is easier to carry about than three.
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise BadData(f"cannot copy {source}: {error}; nothing was kept of the copy") from None
    if said != ["ok"]:
        remedy = f"see: twicetold --data {source.parent} doctor"
        raise BadData(f"{source} is damaged ({'; '.join(said)}), and nothing was kept of its copy; {remedy}")


def _copy_uploads(folder: Path, place: Path) -> Iterator[str]:
    """Copy the uploads that the copied ledger has yet to import; one whose import has ended since is in the store."""
    with closing(sqlite3.connect(place / "serve.db")) as ledger:
        unfinished = [id for (id,) in ledger.execute("SELECT id FROM jobs WHERE state NOT IN ('done', 'failed')")]
    for id in unfinished:
        try:
            for upload in sorted((folder / _UPLOADS / id).iterdir()):
                (place / _UPLOADS / id).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(upload, place / _UPLOADS / id / upload.name)
        except FileNotFoundError:
            shutil.rmtree(place / _UPLOADS / id, ignore_errors=True)
    if (place / _UPLOADS).exists():
        yield _UPLOADS


def _flush(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
