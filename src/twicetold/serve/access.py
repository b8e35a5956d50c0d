"""Who may do what. Looking things up is free for whoever can reach a server on loopback; everything else wants a key.

A program sends its key as `Authorization: Bearer KEY`; a browser that signed in has a session in a cookie that no script and no other site
can use. Feed readers and clients of the Fact Check Tools layout cannot send headers, so their addresses also take `key=`. What people
watch is shown to key holders only. All of this is settled before the body of a request is read (`CheckedRoute`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.responses import Response

from twicetold.serve.keys import Key
from twicetold.serve.limits import client
from twicetold.serve.middleware import SESSION
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.serve.spool import SpoolingRequest

WHO = "twicetold.who"
"""Where the scope holds the name of the key that a request was sent with."""
_PROXIED = (
    "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-server", "x-forwarded-port", "x-real-ip",
    "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip", "fastly-client-ip",
)  # fmt: skip
_bearer = HTTPBearer(auto_error=False, description="A key made with `twicetold serve key new`. Not needed for reading on loopback.")


def may_read(request: Request) -> Key | None:
    """Let a reader in, or raise Problem."""
    key = _key(request, request.headers.get("authorization", ""))
    if key is None and not _is_free(request):
        raise Problem("no-key", "this server answers only to those with a key", {"WWW-Authenticate": "Bearer"})
    return key


def may_read_by_address(request: Request) -> Key | None:
    """As `may_read`, with the key also taken from the address (`?key=`)."""
    given = request.query_params.get("key")
    if given and "authorization" not in request.headers:
        key = service_of(request).keys.find(given)
        if key is None:
            raise Problem("no-key", "the key in the address is not a key of this server")
        return _noted(request, key)
    return may_read(request)


def may_see(request: Request) -> Key:
    """Let in whoever has a key, also on loopback: for what other people watch. Raises Problem otherwise."""
    key = may_read(request)
    if key is None:
        raise Problem("no-key", "what is watched is shown to those with a key, also on loopback", {"WWW-Authenticate": "Bearer"})
    return key


def may_see_by_address(request: Request) -> Key:
    """As `may_see`, with the key also taken from the address (`?key=`)."""
    return may_read_by_address(request) or may_see(request)


def may_write(request: Request) -> Key:
    """Let in whoever may change things, or raise Problem."""
    header = request.headers.get("authorization", "")
    key = _key(request, header)
    if key is None:
        raise Problem("no-key", "changing things needs a key, also on loopback", {"WWW-Authenticate": "Bearer"})
    if not key.may_write:
        raise Problem("no-right", f"the key {key.name!r} may only read")
    if not header:
        _refuse_other_sites(request)
    return key


def may_try_to_write(request: Request) -> bool:
    """True if the page should offer what changes things: the visitor has signed in with a key that writes."""
    key = key_of(request)
    return key is not None and key.may_write


def key_of(request: Request) -> Key | None:
    """Return the key that a request was sent with, or None."""
    return _found(request, request.headers.get("authorization", ""))


def _key(request: Request, header: str) -> Key | None:
    key = _found(request, header)
    if key is None and header:
        raise Problem("no-key", "the key sent is not a key of this server", {"WWW-Authenticate": "Bearer"})
    return _noted(request, key)


def _noted(request: Request, key: Key | None) -> Key | None:
    """From here on the request counts as its key's, wherever it comes from."""
    if key is not None:
        request.scope[WHO] = key.name
        client.set(f"key {key.name}")
    return key


def _found(request: Request, header: str) -> Key | None:
    scheme, _, sent = header.partition(" ")
    if scheme.lower() == "bearer":
        return service_of(request).keys.find(sent.strip())
    return service_of(request).sessions.find(request.scope.get(SESSION, "")) if not header else None


def _is_free(request: Request) -> bool:
    # A proxy on the same machine makes the whole world look like loopback; its headers give it away.
    return service_of(request).options.is_open and not any(name in request.headers for name in _PROXIED)


def _refuse_other_sites(request: Request) -> None:
    """A cookie is sent by the browser itself, so make sure that one of our own pages asked for this."""
    if request.headers.get("sec-fetch-site") == "same-origin":
        return
    origin = request.headers.get("origin", "")
    if origin.partition("://")[2] == request.headers.get("host", "") != "":
        return
    raise Problem("wrong-site", "a signed-in browser may change things from this server's own pages only")


# The bearer scheme only tells the OpenAPI description how keys are sent; the header is read above. Plain functions would each be called
# in a thread of their own, which takes longer than what they do.
async def _reader(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key | None:
    return may_read(request)


async def _reader_by_address(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key | None:
    return may_read_by_address(request)


async def _seer(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key:
    return may_see(request)


async def _seer_by_address(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key:
    return may_see_by_address(request)


async def _writer(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key:
    return may_write(request)


Reader = Annotated[Key | None, Depends(_reader)]
ReaderByAddress = Annotated[Key | None, Depends(_reader_by_address)]
Seer = Annotated[Key, Depends(_seer)]
SeerByAddress = Annotated[Key, Depends(_seer_by_address)]
Writer = Annotated[Key, Depends(_writer)]
_CHECKS: dict[object, Callable[[Request], object]] = {
    _reader: may_read, _reader_by_address: may_read_by_address, _seer: may_see, _seer_by_address: may_see_by_address, _writer: may_write,
}  # fmt: skip


class CheckedRoute(APIRoute):
    """A route whose visitors show what they may do before their bodies are read; the framework reads bodies first."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return what answers a request."""
        answer = super().get_route_handler()
        checks = [_CHECKS[needed.call] for needed in self.dependant.dependencies if needed.call in _CHECKS]

        async def checked(request: Request) -> Response:
            for check in checks:
                check(request)
            return await answer(SpoolingRequest(request.scope, request.receive))

        return checked
