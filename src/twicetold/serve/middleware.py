"""What every request passes before any of our code sees it: host name, headers, size, rate, time; and what every answer carries.

Plain ASGI, so that it costs microseconds and also holds for streams and for addresses that do not exist. It also settles who asks: the
address of the connection, or what a proxy says if that proxy was named; and it takes the cookie out, so that nothing else reads it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from twicetold.serve.limits import Pot, RateLimit, client, network_of
from twicetold.serve.metrics import Metrics
from twicetold.serve.options import Options, is_loopback
from twicetold.serve.problems import Problem
from twicetold.serve.protocol import EXTENSION
from twicetold.serve.sessions import cookie_in
from twicetold.serve.streams import reader

_LOG = logging.getLogger(__name__)
_IMPORTS = ("/v1/imports", "/collection/imports")
_SPEECHES = ("", "/v1/images", "/v1/scan", "/debate", "/debate/lines", "/debate/export")
SESSION = "twicetold.session"
"""Where the scope holds what the session cookie held."""
_MOST_HEADERS = 100
_LARGEST_HEADERS = 32 * 1024
_LONGEST_ADDRESS = 64 * 1024
_BODY_SECONDS = 15.0
_SLOWEST_BODY = 32 * 1024.0
"""Bytes a second, beyond the first seconds; who sends more slowly is not waited for."""
_MOST_HELD = 128 << 20
"""Bytes of the bodies of all requests that are in memory at once."""
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
Audit = Callable[[Scope, int], Awaitable[None]]


class Guard:
    """Wraps the application. `show` turns a problem into an answer for a person or a program, `audit` is told of every answer."""

    def __init__(self, app: ASGIApp, *, options: Options, metrics: Metrics, rate: RateLimit, show: Show, audit: Audit) -> None:
        self._app = app
        self._options = options
        self._metrics = metrics
        self._show = show
        self._audit = audit
        self._rate = rate
        self._proxies = tuple(ipaddress.ip_network(named, strict=False) for named in options.proxies)
        self._memory = Pot(_MOST_HELD, "the memory for requests")
        self._disk = Pot(options.max_spool, "the room for uploads")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        body = _Body(receive, Headers(scope=scope), self._limit(scope), self._disk if _is_upload(scope) else self._memory)
        answer = _Answer(send, body, is_shared=bool(self._options.origins))
        try:
            self._check(scope)
            await self._app(scope, body, answer)
        except Problem as problem:
            await self._tell(problem, scope, receive, answer)
        except sqlite3.DatabaseError as error:
            _LOG.error("%s %s failed: a file of the collection cannot be read: %s", scope["method"], scope["path"], error)
            await self._tell(
                Problem("failed", "a file of the collection cannot be read; its owner should run `twicetold doctor`"),
                scope,
                receive,
                answer,
            )
        except Exception:
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            await self._tell(Problem("failed", "the server met something it was not made for"), scope, receive, answer)
        finally:
            body.forget()
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.note(scope["method"], route, answer.status, time.perf_counter() - started)
        await self._audit(scope, answer.status)

    async def _tell(self, problem: Problem, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if answer.status == 0:  # once an answer has begun, nothing else can be said in its place
            await self._show(Request(scope), problem)(scope, receive, answer)

    def _check(self, scope: Scope) -> None:
        check_sizes(scope)
        headers = Headers(scope=scope)
        self._settle_who_asks(scope, headers)
        name = _host(headers.get("host", ""))
        if not is_loopback(name) and name not in self._options.names and is_loopback(self._options.host):
            raise Problem("wrong-host", f"this server answers to localhost{_also(self._options.names)}, not to {name[:100]!r}")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > self._limit(scope):
            raise Problem("too-large", _too_large(self._limit(scope)))
        self._rate.charge(client.get())

    def _settle_who_asks(self, scope: Scope, headers: Headers) -> None:
        peer = scope["client"][0] if scope.get("client") else ""
        if self._is_named(peer):
            told = _told_by_proxy(headers, self._is_named)
            peer = told or peer
            scope["client"] = (peer, 0)
            proto = headers.get("x-forwarded-proto", "").lower()
            scope["scheme"] = proto if proto in ("http", "https") else scope["scheme"]
        client.set(network_of(peer))
        reader.set(scope.get("extensions", {}).get(EXTENSION))
        scope[SESSION] = cookie_in(scope["headers"])
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]

    def _is_named(self, address: str) -> bool:
        if not self._proxies:
            return False
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(ip in network for network in self._proxies)

    def _limit(self, scope: Scope) -> int:
        if scope["method"] != "POST":
            return self._options.max_body
        path = scope["path"].rstrip("/")
        most = self._options.max_upload if path in _IMPORTS else self._options.max_speech if path in _SPEECHES else 0
        return max(most, self._options.max_body)


def _is_upload(scope: Scope) -> bool:
    return scope["method"] == "POST" and scope["path"].rstrip("/") in (*_IMPORTS, *_SPEECHES)


def check_sizes(scope: Scope) -> None:
    """Raise Problem for headers or an address beyond all measure."""
    sizes = [len(name) + len(value) for name, value in scope["headers"]]
    sent = sum(sizes)
    if len(sizes) > _MOST_HEADERS or sent > _LARGEST_HEADERS:
        raise Problem(
            "headers-too-large", f"{len(sizes)} headers of {sent:,} bytes; at most {_MOST_HEADERS} of {_LARGEST_HEADERS:,} bytes are taken"
        )
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > _LONGEST_ADDRESS:
        raise Problem("address-too-long", f"an address of at most {_LONGEST_ADDRESS:,} bytes is taken; send a long claim as a POST")


class _Body:
    """The body of a request as it comes: counted, for those that do not say their length or lie about it, and not waited for for ever."""

    def __init__(self, receive: Receive, headers: Headers, limit: int, pot: Pot) -> None:
        self._receive = receive
        self._limit = limit
        self._pot = pot
        self._size = 0
        self._until = time.monotonic() + _BODY_SECONDS
        self.is_whole = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers

    async def __call__(self) -> Message:
        message = await self._timed() if not self.is_whole else await self._receive()
        size = len(message.get("body", b""))
        self._pot.take(size)
        self._size += size
        self.is_whole = self.is_whole or not message.get("more_body", False)
        if self._size > self._limit:
            raise Problem("too-large", _too_large(self._limit))
        return message

    async def _timed(self) -> Message:
        try:
            async with asyncio.timeout(self._until + self._size / _SLOWEST_BODY - time.monotonic()):
                return await self._receive()
        except TimeoutError:
            raise Problem("too-slow-request", f"only {self._size:,} bytes of the body came in the time there is for them") from None

    def forget(self) -> None:
        """The request is over, and its body not held any more."""
        self._pot.give(self._size)
        self._size = 0


class _Answer:
    """Sends an answer on, adding what every answer carries and remembering its status."""

    def __init__(self, send: Send, body: _Body, *, is_shared: bool) -> None:
        self._send = send
        self._body = body
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
        if not self._body.is_whole:  # what was not read would be taken for the next request
            headers["Connection"] = "close"
        message["headers"] = headers.raw


def _told_by_proxy(headers: Headers, is_named: Callable[[str], bool]) -> str:
    """The address that named proxies say a request comes from: the last one that is not theirs; "" if they say none."""
    told = headers.get("x-forwarded-for") or headers.get("x-real-ip", "")
    for address in reversed([part.strip() for part in told.split(",")][-20:]):
        try:
            ipaddress.ip_address(address)
        except ValueError:
            return ""
        if not is_named(address):
            return address
    return ""


def _host(header: str) -> str:
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()


def _also(names: tuple[str, ...]) -> str:
    return f" and {', '.join(names)}" if names else ""


def _too_large(limit: int) -> str:
    return f"at most {limit / (1 << 20):g} MB are taken here"
