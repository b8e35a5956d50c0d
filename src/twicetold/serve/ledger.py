"""What the server itself remembers, beside the fact-checks: keys, sessions, import jobs, the watch list. One SQLite file, `serve.db`.

Each table is described by the module that uses it. Only the owner of the file may read it: webhook secrets and claims that people watch
are in it. The store of fact-checks is another file and is not touched here.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from twicetold.database import together
from twicetold.errors import BadData

TABLES = """
CREATE TABLE IF NOT EXISTS keys (
    digest BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, hint TEXT NOT NULL, made_on TEXT NOT NULL,
    ends_on TEXT NOT NULL DEFAULT '', used_at TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS sessions (
    num INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, key TEXT NOT NULL, kind TEXT NOT NULL, ends_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS writes (
    num INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, target TEXT NOT NULL,
    status INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
    num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, path TEXT NOT NULL, format TEXT NOT NULL,
    skip_broken INTEGER NOT NULL, state TEXT NOT NULL, made_at TEXT NOT NULL, changed_at TEXT NOT NULL, message TEXT NOT NULL DEFAULT '',
    read INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
    unchanged INTEGER NOT NULL DEFAULT 0, broken INTEGER NOT NULL DEFAULT 0, indexed INTEGER NOT NULL DEFAULT 0,
    to_index INTEGER NOT NULL DEFAULT 0, resumed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS job_problems (
    num INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL, place TEXT NOT NULL, reason TEXT NOT NULL, UNIQUE (job, place, reason));
CREATE TABLE IF NOT EXISTS watches (
    num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, lang TEXT NOT NULL, webhook TEXT NOT NULL,
    secret TEXT NOT NULL, made_at TEXT NOT NULL, broken TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS sightings (
    num INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL, check_id TEXT NOT NULL, seen_at TEXT NOT NULL, is_news INTEGER NOT NULL,
    ranking TEXT NOT NULL, lane TEXT NOT NULL DEFAULT 'matched',
    tries INTEGER NOT NULL DEFAULT 0, next_try REAL NOT NULL DEFAULT 0, delivered_at TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '', UNIQUE (watch, check_id));
"""

_ADDED = {"keys": {"ends_on": "", "used_at": ""}, "watches": {"broken": ""}, "sightings": {"lane": "matched"}}
"""Columns that a file made by an earlier version lacks, and what stands in them to begin with; all are texts."""


class Ledger:
    """Two connections, shared by the threads of a process behind locks; processes share the file.

    One only reads, so that whoever looks up a key never waits for someone else's write to reach the disk.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "serve.db"
        self._lock = threading.Lock()
        self._reading_lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _make_private(self.path)
            self._db = _connected(self.path)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(TABLES)
            self._upgrade()
            self._reading = _connected(self.path)
        except (sqlite3.Error, OSError) as error:
            raise BadData(f"cannot use {self.path}: {error}; the server must be able to write to the folder given with --data") from None

    def _upgrade(self) -> None:
        """Add the columns that files of earlier versions lack."""
        for table, columns in _ADDED.items():
            known = {row["name"] for row in self._db.execute(f"PRAGMA table_info({table})")}
            for column, default in columns.items():
                if column not in known:
                    self._db.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT NOT NULL DEFAULT '{default}'")

    def close(self) -> None:
        """Close the file."""
        with self._lock, self._reading_lock:
            self._db.close()
            self._reading.close()

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return every row of a query."""
        with self._reading_lock:
            return self._reading.execute(query, values).fetchall()

    def row(self, query: str, *values: Any) -> sqlite3.Row | None:
        """Return the first row of a query, or None."""
        with self._reading_lock:
            found: sqlite3.Row | None = self._reading.execute(query, values).fetchone()
            return found

    def run(self, statement: str, *values: Any) -> int:
        """Carry out one statement, durably, and return how many rows it touched."""
        with self._lock:
            return self._db.execute(statement, values).rowcount

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """Carry out several statements, all or none."""
        with self._lock, together(self._db):
            yield self._db


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    db.row_factory = sqlite3.Row
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")  # a damaged letter should not hide the row it stands in
    return db


def _make_private(path: Path) -> None:
    """Make the file if it is not there; in any case only its owner may read it. SQLite's files beside it follow."""
    # Never opened where it is there already: to close a file that SQLite has open in this process is to lose SQLite's locks on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for name in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + name)
        if beside.exists() and beside.stat().st_mode & 0o077:
            beside.chmod(0o600)
