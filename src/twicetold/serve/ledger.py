"""What the server itself remembers, beside the fact-checks: keys, import jobs, the watch list. One SQLite file, `serve.db`.

Each table is described by the module that uses it. The store of fact-checks is another file and is not touched here.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twicetold.database import together
from twicetold.errors import BadData

TABLES = """
CREATE TABLE IF NOT EXISTS keys (
    digest BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, hint TEXT NOT NULL, made_on TEXT NOT NULL);
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
    secret TEXT NOT NULL, made_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sightings (
    num INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL, check_id TEXT NOT NULL, seen_at TEXT NOT NULL, is_news INTEGER NOT NULL,
    ranking TEXT NOT NULL, lane TEXT NOT NULL DEFAULT 'matched',
    tries INTEGER NOT NULL DEFAULT 0, next_try REAL NOT NULL DEFAULT 0, delivered_at TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL DEFAULT '', UNIQUE (watch, check_id));
"""


class Ledger:
    """One connection, shared by the threads of a process behind a lock; processes share the file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "serve.db"
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(TABLES)
            self._upgrade()
        except (sqlite3.Error, OSError) as error:
            raise BadData(f"cannot use {self.path}: {error}; the server must be able to write to the folder given with --data") from None

    def _upgrade(self) -> None:
        """Add the columns that files of earlier versions lack."""
        if not any(row["name"] == "lane" for row in self._db.execute("PRAGMA table_info(sightings)")):
            self._db.execute("ALTER TABLE sightings ADD COLUMN lane TEXT NOT NULL DEFAULT 'matched'")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return every row of a query."""
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def row(self, query: str, *values: Any) -> sqlite3.Row | None:
        """Return the first row of a query, or None."""
        with self._lock:
            found: sqlite3.Row | None = self._db.execute(query, values).fetchone()
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
