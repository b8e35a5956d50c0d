"""Everything a running server holds, and the ways its work reaches the collection: a queue of its own for each kind, each with a limit.

Claims are looked up by `readers`, speeches by `speakers`, questions by `askers`; files and small tables are seen to `aside`. Whether the
server is well is told by a thread that does nothing else.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from starlette.requests import HTTPConnection

from twicetold.collection import Collection
from twicetold.serve.fetch import anywhere, is_public_web
from twicetold.serve.jobs import Jobs
from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.serve.limits import RateLimit, client, cost_of
from twicetold.serve.metrics import Metrics
from twicetold.serve.mining import Mining
from twicetold.serve.options import Options
from twicetold.serve.parsing import Parsing
from twicetold.serve.problems import Problem
from twicetold.serve.reading import Readers
from twicetold.serve.sessions import Sessions
from twicetold.serve.shelf import ShelfCounter
from twicetold.serve.startup import open_readers
from twicetold.serve.streams import Streams
from twicetold.serve.watcher import Watcher
from twicetold.serve.watches import Watches
from twicetold.serve.workers import Workers
from twicetold.types import Claim

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_SPEAKERS = 2
"""How many speeches are scanned at once; each keeps a thread busy for long."""
_MOST_STREAMS, _MOST_STREAMS_EACH, _STREAM_SECONDS = 8, 4, 15.0
_LONG = 16.0
"""The cost from which on work is long; see `limits.cost_of`."""
_PIECE = 8.0
"""The cost of a piece of a batch."""
_ASIDE_SECONDS = 60.0
_HEALTH_SECONDS = 5.0
_LOOK_EVERY = 0.5
"""Seconds between two looks for changed indexes."""


class Service:
    """One per process. `start` opens the collection and follows its changes; `stop` lets go of everything."""

    def __init__(self, options: Options, readers: Readers | None = None) -> None:
        self.options = options
        self.folder = Path(options.data)
        self.ledger = Ledger(self.folder)
        self.keys = Keys(self.ledger)
        self.sessions = Sessions(self.ledger, self.keys)
        self.jobs = Jobs(self.ledger, self.folder, index=options.index)
        self.watches = Watches(self.ledger)
        self.watcher = Watcher(self.folder, self.watches, may_reach=anywhere if options.allow_private else is_public_web)
        self.asking = Mining(self.folder)
        self.shelf = ShelfCounter()
        self.metrics = Metrics()
        self.rate = RateLimit(options.rate)
        self.streams = Streams(most=_MOST_STREAMS, most_each=_MOST_STREAMS_EACH, seconds=_STREAM_SECONDS)
        self.parsing = Parsing()
        self.workers = Workers(options.lanes, name="reader")
        self.speakers = Workers(_SPEAKERS, name="speaker", most_waiting=64)
        self.askers = Workers(1, name="asker", most_waiting=8)
        self._aside = Workers(4, name="aside", most_waiting=128)
        self._pulse = Workers(1, name="pulse", most_waiting=64)
        self._readers = readers
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)

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
        for workers in (self.workers, self.speakers, self.askers, self._aside, self._pulse):
            workers.stop()
        self.parsing.stop()
        self.jobs.stop()
        if self._readers is not None:
            self._readers.close()
        self.ledger.close()

    def charge(self, cost: float) -> None:
        """Count what a request costs beyond the one that every request does. Raises Problem if its client has had too much."""
        if cost > 1:
            self.rate.charge(client.get(), cost - 1)

    async def read(self, work: Callable[[Collection], T], *, cost: float = 1.0) -> T:
        """Do `work` with the collection in a reader thread. Raises Problem when there is too much to do or it takes too long."""
        return await self.workers.do(lambda: self._lent(work), self.options.seconds, is_long=cost >= _LONG)

    async def read_each(self, claims: Sequence[Claim], recipe: str, work: Callable[[Collection, Sequence[Claim]], list[T]]) -> list[T]:
        """Do `work` with some claims after the others, so that other requests come in between. Raises Problem as `read` does.

        All together get a second more for each claim beyond the first; when the time is up nothing more is begun.
        """
        seconds = self.options.seconds + len(claims) - 1
        until = time.monotonic() + seconds
        done: list[T] = []
        for some in _pieces(claims, recipe):
            left = until - time.monotonic()
            try:
                done += await self.workers.do(lambda some=some: self._lent(lambda it: work(it, some)), left, is_long=True)  # type: ignore[misc]
            except Problem as problem:
                if problem.kind == "too-slow":
                    problem.detail = f"no answer within {seconds:g} seconds"
                raise
        return done

    async def aside(self, work: Callable[[], T], seconds: float = _ASIDE_SECONDS) -> T:
        """Do something with files or small tables, not behind those whose claims are being looked up."""
        return await self._aside.do(work, seconds)

    async def glance(self, work: Callable[[Collection], T]) -> T:
        """See something of the collection without queueing behind those whose claims are being looked up; it should be quick."""
        return await self._aside.do(lambda: self._beside(work), _ASIDE_SECONDS)

    async def pulse(self, work: Callable[[Collection], T]) -> T:
        """As `glance`, in a thread that is kept for whether the server is well."""
        return await self._pulse.do(lambda: self._beside(work), _HEALTH_SECONDS)

    def _beside(self, work: Callable[[Collection], T]) -> T:
        with self.readers.lane() as collection:
            return work(collection)

    def _lent(self, work: Callable[[Collection], T]) -> T:
        with self.readers.lend() as collection:
            return work(collection)

    def _keep(self) -> None:
        while not self._stopping.wait(_LOOK_EVERY):
            try:
                if self.readers.look():
                    self.watcher.changed()
                self.jobs.keep()
            except Exception:  # nothing that a user saves or a disk does may end this thread: what went wrong is tried again
                _LOG.exception("following the collection failed; trying again")
                self._stopping.wait(_LOOK_EVERY * 4)


def _pieces(claims: Sequence[Claim], recipe: str) -> list[Sequence[Claim]]:
    """Cut claims into pieces that cost about the same."""
    pieces: list[list[Claim]] = []
    cost = _PIECE
    for claim in claims:
        one = cost_of([claim], recipe)
        if cost + one > _PIECE:
            pieces.append([])
            cost = 0.0
        pieces[-1].append(claim)
        cost += one
    return list(pieces)


def service_of(connection: HTTPConnection) -> Service:
    """Return the service a request belongs to."""
    service = connection.app.state.service
    assert isinstance(service, Service)
    return service
