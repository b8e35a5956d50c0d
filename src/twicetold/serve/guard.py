"""What every request passes before any of our code sees it: host name, size, rate; and what every answer carries.

Plain ASGI, so that it costs microseconds and also holds for streams and for addresses that do not exist.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from twicetold.serve.limits import RateLimit
from twicetold.serve.metrics import Metrics
from twicetold.serve.options import Options, is_loopback
from twicetold.serve.problems import Problem

_LOG = logging.getLogger(__name__)
_UPLOADS = ("", "/v1/imports", "/collection/imports", "/v1/images", "/v1/scan", "/debate", "/debate/lines", "/debate/export")
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Show = Callable[[Request, Problem], Response]


class Guard:
    """Wraps the application. `show` turns a problem into an answer for a person or a program."""

    def __init__(self, app: ASGIApp, *, options: Options, metrics: Metrics, show: Show) -> None:
        self._app = app
        self._options = options
        self._metrics = metrics
        self._show = show
        self._rate = RateLimit(options.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        answer = _Answer(send, is_shared=bool(self._options.origins))
        try:
            self._check(scope)
            await self._app(scope, self._counted(scope, receive), answer)
        except Problem as problem:
            await self._tell(problem, scope, receive, answer)
        except Exception:
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            await self._tell(Problem("failed", "the server met something it was not made for"), scope, receive, answer)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.note(scope["method"], route, answer.status, time.perf_counter() - started)

    async def _tell(self, problem: Problem, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if answer.status == 0:  # once an answer has begun, nothing else can be said in its place
            await self._show(Request(scope), problem)(scope, receive, answer)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        name = _host(headers.get("host", ""))
        if not is_loopback(name) and name not in self._options.names and is_loopback(self._options.host):
            raise Problem("wrong-host", f"this server answers to localhost{_also(self._options.names)}, not to {name[:100]!r}")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._limit(scope):
            raise Problem("too-large", _too_large(self._limit(scope)))
        wait = self._rate.wait(scope["client"][0] if scope.get("client") else "")
        if wait:
            raise Problem("too-many", f"more than {self._options.rate:g} requests a second", {"Retry-After": str(math.ceil(wait))})

    def _limit(self, scope: Scope) -> int:
        is_upload = scope["method"] == "POST" and scope["path"].rstrip("/") in _UPLOADS
        return self._options.max_upload if is_upload else self._options.max_body

    def _counted(self, scope: Scope, receive: Receive) -> Callable[[], Awaitable[Message]]:
        """Count a body as it comes, for those that do not say their length or lie about it."""
        left = self._limit(scope)

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise Problem("too-large", _too_large(self._limit(scope)))
            return message

        return counted


class _Answer:
    """Sends an answer on, adding what every answer carries and remembering its status."""

    def __init__(self, send: Send, *, is_shared: bool) -> None:
        self._send = send
        self._is_shared = is_shared
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            self._secure(message)
        await self._send(message)

    def _secure(self, message: Message) -> None:
        headers = MutableHeaders(raw=message.setdefault("headers", []))
        for name, text in SECURITY.items():
            headers.setdefault(name, text)
        if self._is_shared:
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        message["headers"] = headers.raw


def _host(header: str) -> str:
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()


def _also(names: tuple[str, ...]) -> str:
    return f" and {', '.join(names)}" if names else ""


def _too_large(limit: int) -> str:
    return f"at most {limit / (1 << 20):g} MB are taken here"
