"""Signing in with a key, so that a browser may do what the key allows."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from twicetold.serve.access import COOKIE
from twicetold.serve.pages.render import page
from twicetold.serve.service import service_of

router = APIRouter(include_in_schema=False)
_DAYS = 30


@router.get("/sign-in")
async def sign_in(
    request: Request, key: Annotated[str, Query(max_length=200)] = "", to: Annotated[str, Query(max_length=4000)] = "/"
) -> Response:
    """The form; with a key in the address, as `twicetold serve` prints it, the browser is signed in at once."""
    if key:
        return _signed_in(request, key, to)
    return page(request, "sign_in.html", to=to, is_wrong=False)


@router.post("/sign-in")
async def sign_in_posted(
    request: Request, key: Annotated[str, Form(max_length=200)] = "", to: Annotated[str, Form(max_length=4000)] = "/"
) -> Response:
    """From the form."""
    return _signed_in(request, key.strip(), to)


def _signed_in(request: Request, key: str, to: str) -> Response:
    if service_of(request).keys.find(key) is None:
        return page(request, "sign_in.html", 401, to=to, is_wrong=True)
    answer = RedirectResponse(_own_address(to), 303)
    is_secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, key, max_age=_DAYS * 86_400, httponly=True, samesite="strict", secure=is_secure)
    return answer


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """Forget the key in this browser."""
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _own_address(to: str) -> str:
    """Only ever send the browser to a page of ours: `//elsewhere` and `/\\elsewhere` lead away."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) and "\n" not in to and "\r" not in to else "/"
