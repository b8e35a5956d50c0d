"""Signing in with a key, or with the link that `twicetold serve` prints, so that a browser may do what the key allows."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from twicetold.serve.access import CheckedRoute
from twicetold.serve.middleware import SESSION
from twicetold.serve.pages.render import page
from twicetold.serve.service import service_of
from twicetold.serve.sessions import COOKIE, DAYS

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)


@router.get("/sign-in")
async def sign_in(
    request: Request, code: Annotated[str, Query(max_length=200)] = "", to: Annotated[str, Query(max_length=4000)] = "/"
) -> Response:
    """The form; with a code in the address, as `twicetold serve` prints it, the browser is signed in at once, and the code used up."""
    if not code:
        return page(request, "sign_in.html", to=to, is_wrong=False)
    return _signed_in(request, service_of(request).sessions.redeem(code), to)


@router.post("/sign-in")
async def sign_in_posted(
    request: Request, key: Annotated[str, Form(max_length=200)] = "", to: Annotated[str, Form(max_length=4000)] = "/"
) -> Response:
    """From the form."""
    service = service_of(request)
    found = service.keys.find(key.strip())
    return _signed_in(request, "" if found is None else service.sessions.begin(found), to)


def _signed_in(request: Request, session: str, to: str) -> Response:
    if not session:
        return page(request, "sign_in.html", 401, to=to, is_wrong=True)
    answer = RedirectResponse(_own_address(to), 303)
    is_secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, session, max_age=DAYS * 86_400, httponly=True, samesite="strict", secure=is_secure)
    return answer


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session."""
    service_of(request).sessions.end(request.scope.get(SESSION, ""))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def _own_address(to: str) -> str:
    """Only ever send the browser to a page of ours: `//elsewhere` and `/\\elsewhere` lead away."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) and "\n" not in to and "\r" not in to else "/"
