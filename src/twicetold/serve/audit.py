"""Who changed what and when: one line for every request that was meant to change something, without the texts it held.

The lines are in `serve.db`; `twicetold serve log` prints them. The newest hundred thousand are kept.
"""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from starlette.types import Scope

from twicetold.serve.access import WHO
from twicetold.serve.ledger import Ledger
from twicetold.serve.service import Service

_KEPT = 100_000
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_ONLY_READING = ("/v1/match", "/v1/match/batch", "/v1/scan", "/v1/ask", "/v1/images", "/", "/debate", "/debate/lines", "/debate/export")
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Write:
    """A change, or an attempt at one: `what` and `target` are the method and the address, `status` is how it was answered."""

    at: str
    who: str
    what: str
    target: str
    status: int


def audit_of(service: Service) -> Callable[[Scope, int], Awaitable[None]]:
    """Return what the guard tells of every answer."""

    async def audit(scope: Scope, status: int) -> None:
        if scope["method"] in _CHANGING and scope["path"] not in _ONLY_READING and scope.get(WHO):
            written = (scope[WHO], scope["method"], scope["path"][:_LONGEST], status)
            await service.aside(lambda: note(service.ledger, *written))

    return audit


def note(ledger: Ledger, who: str, what: str, target: str, status: int) -> None:
    """Write a line."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    plain = target.encode("utf-8", "replace").decode()
    ledger.run("INSERT INTO writes (at, who, what, target, status) VALUES (?, ?, ?, ?, ?)", now, who, what, plain, status)
    ledger.run("DELETE FROM writes WHERE num <= (SELECT max(num) FROM writes) - ?", _KEPT)


def written(ledger: Ledger, limit: int) -> Iterator[Write]:
    """Yield the newest lines, newest first."""
    for row in ledger.rows("SELECT at, who, what, target, status FROM writes ORDER BY num DESC LIMIT ?", limit):
        yield Write(*row)
