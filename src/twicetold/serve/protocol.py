"""One HTTP connection that does not wait for ever: for headers, for a reader who stops reading, for a client with nothing more to ask.

uvicorn waits without end for the rest of a request's headers and for the reader of an answer. Here each of these waits has a limit, and
there are at most as many connections as the process has descriptors for: one too many ends the one that has been idle longest. How long a
body may take is the guard's business, which knows what it is for. Plain HTTP/1.1 only; WebSockets are not spoken.
"""

from __future__ import annotations

import asyncio
import resource
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
"""From the first moment of a connection, or the first byte of a later request, to the end of the headers."""
WRITE_SECONDS = 20.0
"""How long an answer may wait for its reader to take some of it; one who reads slowly but reads is waited for."""
CLOSE_SECONDS = 3.0
"""The same for a connection that is being closed, and how long it throws away what was still being sent."""
LARGEST_HEAD = 96 * 1024
"""Bytes of a request line and headers together; the guard allows less and says so, this is for what never ends."""
EXTENSION = "twicetold.connection"
_KEPT_DESCRIPTORS = 64
"""Left for files, indexes, the ledger and the worker."""
_MOST_CONNECTIONS = 1000


def most_connections() -> int:
    """Return how many connections this process can hold and still open its files."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    return max(8, min(_MOST_CONNECTIONS, allowed - _KEPT_DESCRIPTORS))


class Connection(H11Protocol):
    """A connection with limits on every wait. The application finds it in the scope's extensions under EXTENSION."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._wrapped = self.app
        self.app = self._introduced
        self._header_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._paused_at = 0.0
        self._quiet_since = time.monotonic()
        self._is_leaving = False

    @property
    def seconds_stalled(self) -> float:
        """How long the reader has not taken what waits for it."""
        return time.monotonic() - self._paused_at if self._paused_at else 0.0

    def abort(self) -> None:
        """Cut the connection off, whatever is on its way."""
        if self.transport is not None:
            self.transport.abort()

    async def _introduced(self, scope: Any, receive: Any, send: Any) -> None:
        scope.setdefault("extensions", {})[EXTENSION] = self
        await self._wrapped(scope, receive, send)

    # --- the transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a client in, if need be in the place of the one that has been quiet longest."""
        super().connection_made(_Leaving(transport, self))  # type: ignore[arg-type]
        self._wait_for_headers()
        if len(self.connections) > most_connections():
            quiet = [one for one in self.connections if isinstance(one, Connection) and one is not self and one.is_idle]
            (min(quiet, key=lambda one: one._quiet_since) if quiet else self).abort()

    @property
    def is_idle(self) -> bool:
        """True if no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget every limit with the connection."""
        for timer in (self._header_timer, self._write_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what comes after the last answer is thrown away."""
        if self._is_leaving:
            return
        if self.is_idle and self._header_timer is None:
            self._wait_for_headers()
        super().data_received(data)

    def handle_events(self) -> None:
        """Stop the clock of the headers when they are whole."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def on_response_complete(self) -> None:
        """Note when the connection fell quiet."""
        self._quiet_since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give the reader some time to take what waits."""
        super().pause_writing()
        self._paused_at = time.monotonic()
        self._expect_reading(WRITE_SECONDS)

    def resume_writing(self) -> None:
        """The reader reads."""
        super().resume_writing()
        self._paused_at = 0.0
        if self._write_timer is not None and not self._is_leaving:
            self._write_timer.cancel()
            self._write_timer = None

    def _expect_reading(self, seconds: float) -> None:
        """Cut off a reader who takes nothing for so long; look again as long as something is taken."""
        before = self.transport.get_write_buffer_size()

        def look() -> None:
            if before and self.transport.get_write_buffer_size() < before:
                self._expect_reading(seconds)
            else:
                self.abort()

        if self._write_timer is not None:
            self._write_timer.cancel()
        self._write_timer = self.loop.call_later(seconds, look)

    def _wait_for_headers(self) -> None:
        self._header_timer = self.loop.call_later(HEADER_SECONDS, self._headers_never_came)

    def _headers_never_came(self) -> None:
        self._header_timer = None
        self.abort()

    def leave(self, transport: asyncio.Transport) -> None:
        """Close without losing the answer: a client still sending when it is refused must not find the connection reset."""
        self._is_leaving = True
        is_sending = self.conn.their_state in (h11.SEND_BODY, h11.ERROR)
        self._expect_reading(CLOSE_SECONDS)
        if is_sending and transport.can_write_eof():
            transport.write_eof()
            transport.resume_reading()
        else:
            transport.close()

    def eof_received(self) -> None:
        """The client has nothing more to send."""
        if self._is_leaving:
            self.transport.abort()


class _Leaving:
    """The transport as uvicorn sees it: closing goes by way of `Connection.leave`."""

    def __init__(self, transport: asyncio.Transport, connection: Connection) -> None:
        self._transport = transport
        self._connection = connection
        self._is_closing = False

    def close(self) -> None:
        if not self.is_closing():
            self._is_closing = True
            self._connection.leave(self._transport)

    def is_closing(self) -> bool:
        return self._is_closing or self._transport.is_closing()

    def resume_reading(self) -> None:
        # Reading goes on while the connection is being left; asyncio refuses to resume what is not paused any more.
        if not self._transport.is_closing() and not self._transport.is_reading():
            self._transport.resume_reading()

    def pause_reading(self) -> None:
        if not self._is_closing and not self._transport.is_closing() and self._transport.is_reading():
            self._transport.pause_reading()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
