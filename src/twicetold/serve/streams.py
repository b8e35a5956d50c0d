"""Answers that go on for long: so many at a time, so many of one client. A reader who has stopped reading makes room for one who reads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from twicetold.serve.limits import client
from twicetold.serve.problems import Problem

_LOOK_EVERY = 0.25
_STALLED = 1.0
"""Seconds after which a reader who does not read may be cut off for another's sake."""


class Reader(Protocol):
    """What is on the other end of a stream."""

    @property
    def seconds_stalled(self) -> float: ...

    def abort(self) -> None: ...


reader: ContextVar[Reader | None] = ContextVar("reader", default=None)
"""Who reads the answer that is being made: set by the guard where the connection tells."""


@dataclass(eq=False, slots=True)
class _Stream:
    who: str
    reader: Reader | None

    @property
    def seconds_stalled(self) -> float:
        return self.reader.seconds_stalled if self.reader is not None else 0.0


class Streams:
    """At most `most` streams, `most_each` of one client."""

    def __init__(self, *, most: int, most_each: int, seconds: float) -> None:
        self._most = most
        self._most_each = most_each
        self._seconds = seconds
        self._open: list[_Stream] = []

    def __len__(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Take a place, waiting a little for one. Raises Problem if none becomes free."""
        stream = _Stream(client.get(), reader.get())
        until = asyncio.get_running_loop().time() + self._seconds
        while self._in_the_way(stream):
            if asyncio.get_running_loop().time() > until:
                raise Problem("busy", f"{len(self._open)} answers are being read already", {"Retry-After": "5"})
            await asyncio.sleep(_LOOK_EVERY)
        self._open.append(stream)
        try:
            yield
        finally:
            self._open.remove(stream)

    def _in_the_way(self, stream: _Stream) -> list[_Stream]:
        """The streams that leave no room for one more; the one whose reader has not read for longest is cut off."""
        own = [one for one in self._open if one.who == stream.who]
        others = own if len(own) >= self._most_each else self._open if len(self._open) >= self._most else []
        stalled = max(others, key=lambda one: one.seconds_stalled, default=None)
        if stalled is not None and stalled.reader is not None and stalled.seconds_stalled > _STALLED:
            stalled.reader.abort()
        return others
