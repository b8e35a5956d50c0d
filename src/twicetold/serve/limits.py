"""How much one client may ask for: a bucket of requests that refills at a steady rate, and what each kind of question costs.

A client is a key, or where there is none an address; of version 6 the network it stands in. The costs are in plain requests: a short claim
by the recipe `hybrid` is one. They need only be right to a factor of two or so, to keep one client from taking what it likes.
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar

from twicetold.serve.problems import Problem
from twicetold.types import Claim

_BURST_SECONDS = 4.0
"""A client that was quiet may send this many seconds' worth at once."""
_MOST_CLIENTS = 10_000
_COSTS = {"best": 4.0, "debate": 4.0, "reranked": 4.0, "mtm": 40.0}
"""By recipe, measured; one that is not named costs 1."""
_CHARS_OF_ONE = 4000.0
SCAN_COST = 4.0
"""Of a speech that begins; its lines are paid by waiting for their turn."""
ASK_COST = 40.0
"""Of a question put to posts."""
PICTURE_COST = 20.0

client: ContextVar[str] = ContextVar("client", default="")
"""Who is being answered: set by the guard for every request."""


def cost_of(claims: Iterable[Claim], recipe: str) -> float:
    """Return what it costs to answer claims by a recipe, in plain requests.

    >>> cost_of([Claim("c1", "Garlic cures it")], "hybrid") < 1.1
    True
    """
    return sum(_COSTS.get(recipe, 1.0) * (1 + len(claim.text) / _CHARS_OF_ONE) for claim in claims)


def network_of(address: str) -> str:
    """Return the address as one client has it: a household of version 6 has a whole /64.

    >>> network_of("2001:db8::17") == network_of("2001:db8::18"), network_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address) and not ip.is_loopback:
        return str(ipaddress.ip_network((int(ip) >> 64 << 64, 64)))
    return str(ip)


class RateLimit:
    """`rate` requests a second for each client; 0 lets everything through. The clock is a parameter for tests."""

    def __init__(self, rate: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = max(1.0, rate * _BURST_SECONDS)
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, who: str, cost: float = 1.0) -> float:
        """Count a request of this cost and return 0, or, if there have been too many, the seconds until it may come.

        What costs more than half a bucket may come when the bucket is half full, and leaves a debt to be waited for.
        """
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        needed = min(cost, max(1.0, self._most / 2))
        with self._lock:
            left, at = self._left.pop(who, (self._most, now))
            left = min(self._most, left + (now - at) * self._rate)
            is_let_in = left >= needed
            # Taken out and put back, so that the oldest client stands first and is forgotten first.
            self._left[who] = (left - cost if is_let_in else left, now)
            if len(self._left) > _MOST_CLIENTS:
                self._left.pop(next(iter(self._left)))
        return 0.0 if is_let_in else (needed - left) / self._rate

    def charge(self, who: str, cost: float = 1.0) -> None:
        """Count a request of this cost. Raises Problem, saying when to come back, if there have been too many."""
        wait = self.wait(who, cost)
        if wait:
            detail = f"more than {self._rate:g} requests a second" + (f"; this one counts as {cost:.0f}" if cost >= 2 else "")
            raise Problem("too-many", detail, {"Retry-After": str(math.ceil(wait))})


class Pot:
    """So much of something for all requests together: bytes in memory, bytes on the disk, streams."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self.taken = 0

    def take(self, amount: int) -> None:
        """Take some. Raises Problem if there is not enough left."""
        if self.taken + amount > self._most:
            raise Problem("busy", f"{self._what} is all in use", {"Retry-After": "2"})
        self.taken += amount

    def give(self, amount: int) -> None:
        """Put back what was taken."""
        self.taken -= amount
