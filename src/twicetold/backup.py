"""A copy of what a collection cannot do without, taken while others read and write.

Each store is copied as it was at one moment, with the settings and what the server remembers. Indexes are left out: they are derived.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from twicetold.database import connect
from twicetold.errors import BadData, NoCollection

Progress = Callable[[str, int, int], None]

_STORES = ("store.db", "posts.db", "serve.db")
_SETTINGS = ("settings.json", "posts.json")
_CACHE = 2_000
_PAGES = 2_000
"""How many pages of a store are copied between two reports."""


def back_up(folder: Path, to: Path, progress: Progress = lambda what, done, total: None) -> list[str]:
    """Copy the collection in `folder` to a new folder, whole or not at all, and return the names of the files in it.

    Only its owner may read the copy: it holds the secrets of webhooks. Raises NoCollection, or BadData if `to` is there already,
    cannot be written, or a store turns out to be damaged.
    """
    if not any((folder / name).is_file() for name in ("store.db", "posts.db")):
        raise NoCollection(f"there is nothing to copy in {folder}; name the folder of a collection with --data")
    if to.exists():
        raise BadData(f"{to} exists and is kept as it is; name a new folder")
    half_done = to.with_name(f".{to.name}.half-done")
    shutil.rmtree(half_done, ignore_errors=True)
    try:
        half_done.parent.mkdir(parents=True, exist_ok=True)
        half_done.mkdir(mode=0o700)
        names = [name for name in (*_STORES, *_SETTINGS) if (folder / name).is_file()]
        for name in names:
            if name in _STORES:
                _copy_store(folder / name, half_done / name, progress)
            else:
                shutil.copyfile(folder / name, half_done / name)
        for path in (*(half_done / name for name in names), half_done):
            _flush(path)
        half_done.rename(to)
        _flush(to.parent)
    except OSError as error:
        raise BadData(f"cannot write to {to}: {error.strerror}; nothing was kept of the copy") from None
    finally:
        shutil.rmtree(half_done, ignore_errors=True)
    return names


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
            # Opened again, the copy makes its own journal: one file is easier to carry about than three.
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise BadData(f"cannot copy {source}: {error}; nothing was kept of the copy") from None
    if said != ["ok"]:
        raise BadData(
            f"{source} is damaged ({'; '.join(said)}), and nothing was kept of its copy; see: twicetold --data {source.parent} doctor"
        )


def _flush(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
