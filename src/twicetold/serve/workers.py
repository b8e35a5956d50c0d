"""Threads that do the readers' work, shared fairly: short work never waits behind long work, and no client behind another's many.

There are two queues. Long work (batches, slow recipes) is done by all threads but one, so that a thread is always there for the short. In
each queue the clients take turns. Work that nobody waits for any more is not begun. Work that has begun cannot be interrupted: whoever
hands in long work hands it in piece by piece.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from twicetold.serve.limits import client
from twicetold.serve.problems import Problem

T = TypeVar("T")
Piece = tuple["Future[Any]", Callable[[], Any]]


class Workers:
    """So many threads; more than `most_waiting` pieces of work are refused."""

    def __init__(self, threads: int, *, name: str, most_waiting: int = 256) -> None:
        self._most_waiting = most_waiting
        self._most_long = max(1, threads - 1)
        self._short, self._long = _Turns(), _Turns()
        self._long_running = 0
        self._is_long_next = False
        self._is_over = False
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True) for number in range(threads)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many pieces wait for a thread."""
        return len(self._short) + len(self._long)

    async def do(self, work: Callable[[], T], seconds: float, *, is_long: bool = False) -> T:
        """Do a piece of work. Raises Problem if too much waits already, or if it is not done in time: it is dropped then."""
        pending = asyncio.wrap_future(self.submit(work, is_long=is_long))
        try:
            return await asyncio.wait_for(pending, seconds)
        except TimeoutError:
            raise Problem("too-slow", f"no answer within {seconds:g} seconds") from None

    def submit(self, work: Callable[[], T], *, is_long: bool = False) -> Future[T]:
        """Hand in a piece of work. Raises Problem if too much waits already."""
        future: Future[T] = Future()
        context = contextvars.copy_context()
        with self._changed:
            if self._is_over or self.waiting >= self._most_waiting:
                raise Problem("busy", f"{self.waiting} requests are waiting already", {"Retry-After": "1"})
            (self._long if is_long else self._short).put(client.get(), (future, lambda: context.run(work)))
            self._changed.notify()
        return future

    def stop(self) -> None:
        """Let the pieces at hand come to their end, drop the others, and wait."""
        with self._changed:
            self._is_over = True
            for turns in (self._short, self._long):
                while (piece := turns.take()) is not None:
                    piece[0].cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=30)

    def _work(self) -> None:
        while (chosen := self._next()) is not None:
            (future, work), is_long = chosen
            try:
                if future.set_running_or_notify_cancel():
                    _settle(future, work)
            finally:
                if is_long:
                    with self._changed:
                        self._long_running -= 1
                        self._changed.notify()
                del future, work, chosen  # a thread that waits should not hold on to what it did last

    def _next(self) -> tuple[Piece, bool] | None:
        with self._changed:
            while not self._is_over:
                may_be_long = bool(len(self._long)) and self._long_running < self._most_long
                is_long = may_be_long and (self._is_long_next or not len(self._short))
                piece = (self._long if is_long else self._short).take()
                if piece is not None:
                    self._is_long_next = not is_long
                    self._long_running += is_long
                    return piece, is_long
                self._changed.wait()
        return None


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # whatever it is, it belongs to whoever waits, and the thread goes on
        future.set_exception(error)


class _Turns:
    """Pieces of work by client; the clients take turns, the pieces of one come in their order."""

    def __init__(self) -> None:
        self._clients: OrderedDict[str, deque[Piece]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, who: str, piece: Piece) -> None:
        self._clients.setdefault(who, deque()).append(piece)
        self._count += 1

    def take(self) -> Piece | None:
        """The next piece that is still waited for."""
        while self._clients:
            who, pieces = next(iter(self._clients.items()))
            piece = pieces.popleft()
            self._count -= 1
            if pieces:
                self._clients.move_to_end(who)
            else:
                del self._clients[who]
            if not piece[0].cancelled():
                return piece
        return None
