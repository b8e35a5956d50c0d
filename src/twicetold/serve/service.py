"""Everything a running server holds, and the one way its work reaches the collection: a small pool of threads with a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from starlette.requests import HTTPConnection

from twicetold.collection import Collection
from twicetold.serve.asking import Mining
from twicetold.serve.fetch import anywhere, is_public_web
from twicetold.serve.jobs import Jobs
from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.serve.metrics import Metrics
from twicetold.serve.opening import open_readers
from twicetold.serve.options import Options
from twicetold.serve.problems import Problem
from twicetold.serve.reading import Readers
from twicetold.serve.shelf import ShelfCounter
from twicetold.serve.watcher import Watcher
from twicetold.serve.watches import Watches

T = TypeVar("T")

_MOST_WAITING = 256
_MOST_SPEECHES = 2
"""How many speeches are scanned at once; each keeps a thread busy for long."""
_LOOK_EVERY = 0.5
"""Seconds between two looks for changed indexes."""


class Service:
    """One per process. `start` opens the collection and follows its changes; `stop` lets go of everything."""

    def __init__(self, options: Options, readers: Readers | None = None) -> None:
        self.options = options
        self.folder = Path(options.data)
        self.ledger = Ledger(self.folder)
        self.keys = Keys(self.ledger)
        self.jobs = Jobs(self.ledger, self.folder, index=options.index)
        self.watches = Watches(self.ledger)
        self.watcher = Watcher(self.folder, self.watches, may_reach=anywhere if options.allow_private else is_public_web)
        self.asking = Mining(self.folder)
        self.shelf = ShelfCounter()
        self.metrics = Metrics()
        self._readers = readers
        self._pool = ThreadPoolExecutor(options.lanes, thread_name_prefix="reader")
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self.speeches = asyncio.Semaphore(_MOST_SPEECHES)
        self.pictures = asyncio.Semaphore(1)
        self._waiting = 0

    @property
    def readers(self) -> Readers:
        """The readers; only after `start`."""
        assert self._readers is not None
        return self._readers

    def start(self) -> None:
        """Open the collection and begin to follow it; unfinished imports go on."""
        if self._readers is None:
            self._readers = open_readers(self.options)
        with self._readers.lend() as collection:
            if collection.pending:
                self.jobs.wake()
        self.watcher.start(self._readers)
        self._keeper.start()

    def stop(self) -> None:
        """Let go of everything; a running import stops after its batch and goes on at the next start."""
        self._stopping.set()
        self._keeper.join(timeout=10)
        self.watcher.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.jobs.stop()
        if self._readers is not None:
            self._readers.close()
        self.ledger.close()

    async def read(self, work: Callable[[Collection], T], *, claims: int = 1) -> T:
        """Do `work` with the collection in a reader thread. Raises Problem when there is too much to do or it takes too long.

        What answers several claims gets a second more for each beyond the first.
        """
        seconds = self.options.seconds + claims - 1
        if self._waiting >= _MOST_WAITING:
            raise Problem("busy", f"{self._waiting} requests are waiting already", {"Retry-After": "1"})
        self._waiting += 1
        try:
            pending = asyncio.get_running_loop().run_in_executor(self._pool, self._lent, work)
            return await asyncio.wait_for(pending, seconds)
        except TimeoutError:
            raise Problem("too-slow", f"no answer within {seconds:g} seconds") from None
        finally:
            self._waiting -= 1

    def _lent(self, work: Callable[[Collection], T]) -> T:
        with self.readers.lend() as collection:
            return work(collection)

    def _keep(self) -> None:
        while not self._stopping.wait(_LOOK_EVERY):
            if self.readers.look():
                self.watcher.changed()
            self.jobs.keep()


def service_of(connection: HTTPConnection) -> Service:
    """Return the service a request belongs to."""
    service = connection.app.state.service
    assert isinstance(service, Service)
    return service
