"""Import jobs: what was handed in, how far it has come, what was left out; and the one worker process that does them.

A job's progress is written after each batch that is safely in the store, so after a kill it says where it stopped, and goes on from
there when the server starts again. The worker itself is `twicetold.serve.importer`.
"""

from __future__ import annotations

import datetime
import fcntl
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from twicetold.serve.ledger import Ledger
from twicetold.store import Written

LOCK = "importing.lock"
_MOST_RESUMED = 3
_LONGEST_SILENCE = 900.0
"""Seconds without a batch after which the worker is ended; the job is taken up again, and given up on after a few times."""
_COLUMNS = (
    "id, source, format, skip_broken, state, made_at, changed_at, message, read, added, changed, unchanged, broken, "
    "indexed, to_index, resumed"
)


@dataclass(frozen=True, slots=True)
class Job:
    """One import. States: waiting, reading, indexing, done, failed. `read` counts records that are safely in the store."""

    id: str
    source: str
    format: str
    skip_broken: bool
    state: str
    made_at: str
    changed_at: str
    message: str
    read: int
    added: int
    changed: int
    unchanged: int
    broken: int
    indexed: int
    to_index: int
    resumed: int

    @property
    def is_over(self) -> bool:
        """True if nothing more will happen to it."""
        return self.state in ("done", "failed")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that could not be read: its place in the source (`feed.json, record 17`) and the reason."""

    place: str
    reason: str


class Jobs:
    """The jobs of one collection, shared by every process that opens its ledger."""

    def __init__(self, ledger: Ledger, folder: Path, *, index: str = "") -> None:
        self._ledger = ledger
        self._folder = folder
        self._index = index
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._is_wanted = False

    # --- records

    def new_place(self, name: str) -> tuple[str, Path]:
        """Return a new job's id and the file its source is to be written to; `add` then takes it on."""
        id = f"import-{os.urandom(6).hex()}"
        place = self._folder / "imports" / id
        place.mkdir(parents=True)
        return id, place / _safe_name(name)

    def add(self, id: str, path: Path, *, source: str, format: str = "", skip_broken: bool = False) -> Job:
        """Take on the import of a file from `new_place`; it is on record when this returns."""
        self._ledger.run(
            "INSERT INTO jobs (id, source, path, format, skip_broken, state, made_at, changed_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)",
            id, source, path.name, format, int(skip_broken), _now(), _now(),
        )  # fmt: skip
        found = self.get(id)
        assert found is not None
        return found

    def get(self, id: str) -> Job | None:
        """Return a job, or None."""
        row = self._ledger.row(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", id)
        return None if row is None else _job(row)

    def newest(self, limit: int, *, before: int | None = None) -> list[tuple[int, Job]]:
        """Return jobs with their numbers, newest first."""
        rows = self._ledger.rows(f"SELECT num, {_COLUMNS} FROM jobs WHERE num < ? ORDER BY num DESC LIMIT ?", before or 1 << 62, limit)
        return [(row["num"], _job(row)) for row in rows]

    def problems(self, id: str, limit: int, *, after: int = 0) -> list[tuple[int, LeftOut]]:
        """Return records that were left out, with their numbers, in the order of the source."""
        rows = self._ledger.rows(
            "SELECT num, place, reason FROM job_problems WHERE job = ? AND num > ? ORDER BY num LIMIT ?", id, after, limit
        )
        return [(row["num"], LeftOut(row["place"], row["reason"])) for row in rows]

    def unfinished(self) -> int:
        """Return how many jobs wait or are going on."""
        [row] = self._ledger.rows("SELECT count(*) FROM jobs WHERE state NOT IN ('done', 'failed')")
        return int(row[0])

    # --- progress, told by the worker

    def next(self) -> tuple[Job, Path] | None:
        """Return the oldest unfinished job and its file."""
        row = self._ledger.row(f"SELECT path, {_COLUMNS} FROM jobs WHERE state NOT IN ('done', 'failed') ORDER BY num LIMIT 1")
        if row is None:
            return None
        # By its name in this folder, wherever the folder is now and however the row was written.
        return _job(row), self._folder / "imports" / row["id"] / Path(row["path"]).name

    def begin(self, job: Job) -> None:
        """Note that the worker has taken it up, for the first time or again."""
        again = int(job.state != "waiting" or job.read > 0)
        self._ledger.run(
            "UPDATE jobs SET state = 'reading', message = '', resumed = resumed + ?, changed_at = ? WHERE id = ?", again, _now(), job.id
        )

    def wrote(self, id: str, written: Written, broken: int, problems: Sequence[LeftOut]) -> None:
        """Note a batch that is on disk, and the broken records met so far."""
        count = written.added + written.changed + written.same
        with self._ledger.together() as db:
            db.execute(
                "UPDATE jobs SET read = read + ?, added = added + ?, changed = changed + ?, unchanged = unchanged + ?, broken = ?, "
                "changed_at = ? WHERE id = ?",
                (count, written.added, written.changed, written.same, broken, _now(), id),
            )
            db.executemany(
                "INSERT OR IGNORE INTO job_problems (job, place, reason) VALUES (?, ?, ?)", [(id, p.place, p.reason) for p in problems]
            )

    def indexing(self, id: str, done: int, total: int, what: str) -> None:
        """Note how far the indexes have followed."""
        self._ledger.run(
            "UPDATE jobs SET state = 'indexing', indexed = ?, to_index = ?, message = ?, changed_at = ? WHERE id = ?",
            done, total, what, _now(), id,
        )  # fmt: skip

    def end(self, id: str, state: str, message: str) -> None:
        """Note that it is done, has failed, or waits for the next start."""
        self._ledger.run("UPDATE jobs SET state = ?, message = ?, changed_at = ? WHERE id = ?", state, message, _now(), id)
        if state in ("done", "failed"):
            shutil.rmtree(self._folder / "imports" / id, ignore_errors=True)

    # --- the worker process

    def wake(self) -> None:
        """Have the worker look for something to do: a job, or records the indexes lag behind."""
        with self._lock:
            self._is_wanted = True
        self.keep()

    def keep(self) -> None:
        """Start the worker if it is wanted and no process is doing the work; called now and then."""
        with self._lock:
            if self._worker is not None and self._is_stuck():
                self._worker.kill()
                self._worker.wait()
            if self._worker is not None and self._worker.poll() is not None:
                self._close_worker()
            if self._worker is not None or not (self._is_wanted or self.unfinished()) or self._is_held():
                return
            self._give_up_on_the_hopeless()
            self._is_wanted = False
            command = [sys.executable, "-m", "twicetold.serve.importer", str(self._folder), *filter(None, [self._index])]
            self._worker = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def stop(self) -> None:
        """Tell the worker to stop after its batch, and wait for it."""
        with self._lock:
            if self._worker is None:
                return
            assert self._worker.stdin is not None
            self._worker.stdin.close()  # the worker takes the end of its input as the end of its employer
            try:
                self._worker.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self._worker.kill()
                self._worker.wait()
            self._close_worker()

    def _close_worker(self) -> None:
        assert self._worker is not None
        if self._worker.stdin is not None:
            self._worker.stdin.close()
        self._worker = None

    def _is_stuck(self) -> bool:
        """True if the worker has been reading for long without a batch to show for it: a source that keeps a reader busy for ever."""
        row = self._ledger.row("SELECT changed_at FROM jobs WHERE state = 'reading' ORDER BY num LIMIT 1")
        if row is None:
            return False
        silence = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(row["changed_at"].replace("Z", "+00:00"))
        return silence.total_seconds() > _LONGEST_SILENCE

    def _is_held(self) -> bool:
        with open(self._folder / LOCK, "a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
        return False

    def _give_up_on_the_hopeless(self) -> None:
        for row in self._ledger.rows("SELECT id, read FROM jobs WHERE state NOT IN ('done', 'failed') AND resumed >= ?", _MOST_RESUMED):
            self.end(
                row["id"],
                "failed",
                f"the import was cut short {_MOST_RESUMED} times; it stopped after {row['read']:,} records, which are kept",
            )


def _job(row: sqlite3.Row) -> Job:
    values = {name: row[name] for name in Job.__slots__}
    return Job(**{**values, "skip_broken": bool(values["skip_broken"])})


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _safe_name(name: str) -> str:
    """The end of a path with nothing in it that a file system could take amiss; its ending tells the readers what it is."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(".-")
    return plain[-100:] or "upload"
