"""How often one client may ask: a bucket of requests that refills at a steady rate."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_BURST_SECONDS = 4.0
"""A client that was quiet may send this many seconds' worth at once."""
_MOST_CLIENTS = 10_000


class RateLimit:
    """`rate` requests a second for each client; 0 lets everything through. The clock is a parameter for tests."""

    def __init__(self, rate: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = max(1.0, rate * _BURST_SECONDS)
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, client: str) -> float:
        """Count one request and return 0, or, if there have been too many, the seconds until the next may come."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        with self._lock:
            left, at = self._left.pop(client, (self._most, now))
            left = min(self._most, left + (now - at) * self._rate)
            is_let_in = left >= 1
            # Taken out and put back, so that the oldest client stands first and is forgotten first.
            self._left[client] = (left - 1 if is_let_in else left, now)
            if len(self._left) > _MOST_CLIENTS:
                self._left.pop(next(iter(self._left)))
        return 0.0 if is_let_in else (1 - left) / self._rate
