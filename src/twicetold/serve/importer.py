"""The worker process that carries out import jobs: `python -m twicetold.serve.importer FOLDER [INDEX]`.

It runs beside the server at a low priority, so that readers keep the processor, and ends when there is nothing left to do or when its
standard input is closed, which happens by itself if the server dies. One worker at a time: a second finds the lock held and leaves.
"""

from __future__ import annotations

import fcntl
import os
import sys
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TypeVar

from twicetold.collection import Collection, Location, Parts
from twicetold.database import portions
from twicetold.errors import Locked, TwicetoldError
from twicetold.ingest import Intake, read
from twicetold.ingest.problems import Problem, kept
from twicetold.serve.jobs import LOCK, Job, Jobs, LeftOut
from twicetold.serve.ledger import Ledger
from twicetold.store import Written
from twicetold.types import FactCheck

T = TypeVar("T")

_BATCH = 500
_LEAVE_OUT = "import again and leave out records that cannot be read (skip_broken)"
_WAIT_FOR_WRITER = 0.5


class Stopped(Exception):
    """The server has gone, or told the worker to stop."""


class Worker:
    """Carries out the jobs of one collection. `is_stopping` is looked at between batches."""

    def __init__(self, location: Location, is_stopping: threading.Event) -> None:
        self._is_stopping = is_stopping
        self._ledger = Ledger(location.folder)
        self._jobs = Jobs(self._ledger, location.folder, index=location.index)
        self._collection = Collection.create(location, parts=Parts(threads=1))

    def run(self) -> None:
        """Do every job, then bring the indexes up to the store."""
        while (found := self._jobs.next()) is not None:
            self._do(*found)
        self._index(None)

    def close(self) -> None:
        """Close the collection and the ledger."""
        self._collection.close()
        self._ledger.close()

    def _do(self, job: Job, path: Path) -> None:
        self._jobs.begin(job)
        try:
            self._read(job, path)
            self._index(job)
            now = self._jobs.get(job.id)
            left_out = f"{now.broken:,} could not be read and were left out" if now and now.broken else ""
            self._jobs.end(job.id, "done", left_out)
        except Stopped:
            self._jobs.end(job.id, "waiting", "stopped; it goes on when the server starts again")
            raise
        except (TwicetoldError, OSError) as error:
            now = self._jobs.get(job.id)
            self._index(None)
            self._jobs.end(job.id, "failed", _without_folder(str(error), path) + kept(now.read if now else 0))

    def _read(self, job: Job, path: Path) -> None:
        intake = Intake(read(path, format=job.format or None), skip_broken=job.skip_broken, leave_out=_LEAVE_OUT)
        # The source reads the same each time, so what an earlier attempt stored is passed over by counting.
        checks = islice(intake, job.read, None)
        noted = 0
        try:
            for batch in portions(checks, _BATCH):
                written = self._when_free(lambda batch=batch: self._put(batch))  # type: ignore[misc]
                self._jobs.wrote(job.id, written, intake.report.broken, _placed(intake.report.problems[noted:], path))
                noted = len(intake.report.problems)
                self._stop_if_told()
        finally:
            self._jobs.wrote(job.id, Written(), intake.report.broken, _placed(intake.report.problems[noted:], path))

    def _put(self, batch: list[FactCheck]) -> Written:
        return sum(self._collection.add(batch), start=Written())

    def _index(self, job: Job | None) -> None:
        def progress(what: str, done: int, total: int) -> None:
            if job is not None:
                self._jobs.indexing(job.id, done, total, what)
            self._stop_if_told()

        self._when_free(lambda: self._collection.index(progress))

    def _when_free(self, write: Callable[[], T]) -> T:
        """Write as soon as no other process is writing."""
        while True:
            try:
                return write()
            except Locked:
                self._stop_if_told()
                time.sleep(_WAIT_FOR_WRITER)

    def _stop_if_told(self) -> None:
        if self._is_stopping.is_set():
            raise Stopped


def _placed(problems: tuple[Problem, ...], path: Path) -> list[LeftOut]:
    return [LeftOut(_without_folder(problem.place, path), _without_folder(problem.reason, path)) for problem in problems]


def _without_folder(text: str, path: Path) -> str:
    """Name the upload as its sender does: where the server keeps it is nobody's business."""
    return text.replace(f"{path.parent}{os.sep}", "")


def main(location: Location) -> None:
    """Work until there is nothing left to do."""
    os.nice(10)
    is_stopping = threading.Event()

    def listen() -> None:
        while os.read(0, 1024):  # not through sys.stdin, whose lock a thread may not hold while the interpreter ends
            pass
        is_stopping.set()

    with open(location.folder / LOCK, "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        threading.Thread(target=listen, daemon=True).start()
        worker = Worker(location, is_stopping)
        try:
            worker.run()
        except Stopped:
            pass
        finally:
            worker.close()


if __name__ == "__main__":
    main(Location(Path(sys.argv[1]), *sys.argv[2:]))
