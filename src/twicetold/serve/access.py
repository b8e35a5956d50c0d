"""Who may do what. Reading is free for whoever can reach a server on loopback; everything else wants a key.

A program sends its key as `Authorization: Bearer KEY`; a browser that signed in has it in a cookie that no script and no other site can
use. Feed readers and clients of the Fact Check Tools layout cannot send headers, so their addresses also take `key=`.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from twicetold.serve.keys import Key
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of

COOKIE = "twicetold_key"
_PROXIED = ("forwarded", "x-forwarded-for", "via")
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
        return key
    return may_read(request)


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
    key = _found(request, request.headers.get("authorization", ""))
    return key is not None and key.may_write


def _key(request: Request, header: str) -> Key | None:
    key = _found(request, header)
    if key is None and header:
        raise Problem("no-key", "the key sent is not a key of this server", {"WWW-Authenticate": "Bearer"})
    return key


def _found(request: Request, header: str) -> Key | None:
    scheme, _, sent = header.partition(" ")
    if scheme.lower() == "bearer":
        return service_of(request).keys.find(sent.strip())
    return service_of(request).keys.find(request.cookies.get(COOKIE, "")) if not header else None


def _is_free(request: Request) -> bool:
    # A proxy on the same machine makes the whole world look like loopback; its headers give it away.
    return service_of(request).options.is_open and not any(name in request.headers for name in _PROXIED)


def _refuse_other_sites(request: Request) -> None:
    """A cookie is sent by the browser itself, so make sure that one of our own pages asked for this."""
    if request.headers.get("sec-fetch-site") == "same-origin":
        return
    if urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host", "") != "":
        return
    raise Problem("wrong-site", "a signed-in browser may change things from this server's own pages only")


# The bearer scheme only tells the OpenAPI description how keys are sent; the header is read above. Plain functions would each be called
# in a thread of their own, which takes longer than what they do.
async def _reader(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key | None:
    return may_read(request)


async def _reader_by_address(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key | None:
    return may_read_by_address(request)


async def _writer(request: Request, _: Annotated[object, Depends(_bearer)]) -> Key:
    return may_write(request)


Reader = Annotated[Key | None, Depends(_reader)]
ReaderByAddress = Annotated[Key | None, Depends(_reader_by_address)]
Writer = Annotated[Key, Depends(_writer)]
