"""Workers on this machine: one process for each core, each with its own models, fed one partition at a time.

A worker that dies (killed, out of memory) is replaced and its partition given out again, a few times; a worker whose driver dies ends
itself at once. An error that a worker can name ends the run: the same partition would meet it again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from twicetold.batch.ledger import Manifest
from twicetold.batch.partitions import Partition
from twicetold.batch.screener import Screener
from twicetold.errors import BadData, TwicetoldError

MOST_DEATHS = 3
"""How often a partition may take its worker with it before it is given up."""
_IMPATIENCE = 0.5  # seconds between looks at the workers


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life: so many posts of a partition are answered."""

    number: int
    posts: int


Told = Manifest | Beat
Open = Callable[[], Screener]


def work_here(open_screener: Open, partitions: Sequence[Partition], *, workers: int) -> Iterator[Told]:
    """Screen the partitions with so many processes, and yield what they tell: beats, and a manifest for each partition."""
    crew = _Crew(open_screener, partitions)
    try:
        yield from crew.run(workers)
    finally:
        crew.stop()


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    busy: Partition | None = None


@dataclass
class _Crew:
    open_screener: Open
    waiting: Sequence[Partition]
    workers: list[_Worker] = field(default_factory=list)
    deaths: dict[int, int] = field(default_factory=dict)

    def run(self, size: int) -> Iterator[Told]:
        queue = list(reversed(self.waiting))
        self.workers = [self._hire() for _ in range(min(size, len(queue)))]
        while queue or any(worker.busy for worker in self.workers):
            for worker in self.workers:
                if worker.busy is None and queue:
                    worker.busy = queue.pop()
                    _send(worker, worker.busy)
            ready = wait([worker.pipe for worker in self.workers], timeout=_IMPATIENCE)
            for worker in [worker for worker in self.workers if worker.pipe in ready or not worker.process.is_alive()]:
                try:
                    told = worker.pipe.recv()
                except (EOFError, OSError):
                    queue += self._bury(worker)
                    continue
                if isinstance(told, TwicetoldError):
                    raise told
                if isinstance(told, str):
                    raise BadData(f"a worker failed on {_named(worker.busy)}: {told}")
                if isinstance(told, Manifest):
                    worker.busy = None
                yield told

    def _hire(self) -> _Worker:
        # A forked child would share the parent's threads and locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self.open_screener, theirs, os.getpid()), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _bury(self, worker: _Worker) -> list[Partition]:
        """Replace a dead worker; return the partition it left."""
        worker.process.join()
        worker.pipe.close()
        self.workers[self.workers.index(worker)] = self._hire()
        if worker.busy is None:
            return []
        number = worker.busy.number
        self.deaths[number] = self.deaths.get(number, 0) + 1
        if self.deaths[number] >= MOST_DEATHS:
            raise BadData(
                f"{MOST_DEATHS} workers in turn died on {_named(worker.busy)} (the last with exit code {worker.process.exitcode}); "
                "is there enough memory for so many --workers?"
            )
        return [worker.busy]

    def stop(self) -> None:
        """End every worker, whatever it does: what it has not committed is done anew by the next run."""
        for worker in self.workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _named(partition: Partition | None) -> str:
    return "nothing" if partition is None else f"{partition.path}, rows from {partition.first:,}"


def _send(worker: _Worker, partition: Partition) -> None:
    try:
        worker.pipe.send(partition)
    except OSError:
        return  # it has died; the next look at it finds that out


def _serve(open_screener: Open, pipe: Connection, driver: int) -> None:
    """A worker's life: open the models, then screen what comes until the driver is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver hears the user and ends us
    threading.Thread(target=_end_with, args=(driver,), daemon=True).start()
    screener: Screener | None = None
    while True:
        try:
            partition = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            screener = screener or open_screener()
            number = partition.number
            pipe.send(screener.run(partition, lambda posts, number=number: pipe.send(Beat(number, posts))))  # type: ignore[misc]
        except BrokenPipeError:
            return  # the driver has died, and whoever comes after it does this partition again
        except TwicetoldError as error:
            pipe.send(error)
        except Exception:  # told to the driver, which ends the run with it
            pipe.send(traceback.format_exc())


def _end_with(driver: int) -> None:
    """End this process when the driver has died: by then it has another parent."""
    pause = threading.Event()
    while os.getppid() == driver:
        pause.wait(_IMPATIENCE)
    os._exit(1)


def one_thread() -> None:
    """Keep the libraries of this process and its children to one thread each: there is a process for each core."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
        os.environ[name] = "false" if name == "TOKENIZERS_PARALLELISM" else "1"


def cores() -> int:
    """Return how many cores this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
