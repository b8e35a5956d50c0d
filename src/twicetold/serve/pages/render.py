"""Templates to answers. Everything that comes from claims and fact-checks is escaped by the template engine."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from twicetold.answer import phrases, ratings
from twicetold.answer.headline import agreeing
from twicetold.serve import wording
from twicetold.serve.access import may_try_to_write
from twicetold.serve.problems import KINDS, Problem, problem_response
from twicetold.serve.service import service_of

_FOLDER = Path(__file__).parent.parent
_GAP = f"<!-- {secrets.token_hex(16)} -->"
"""Stands for an answer that is still being looked up; no one can guess it, so no text can hold it."""
NAVIGATION: list[tuple[str, str]] = [
    ("/", "Check a claim"),
    ("/debate", "Read a debate"),
    ("/contested", "Contested"),
    ("/watch", "Watch list"),
    ("/collection", "Collection"),
]
"""Addresses and names of the pages in the header."""


@cache
def _environment() -> Environment:
    engine = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    engine.filters.update(
        marked=wording.marked,
        why=phrases.why,
        placed_by=phrases.placed_by,
        differing=phrases.differing,
        agreeing=agreeing,
        day=ratings.day,
        rating=ratings.rating_of,
        publisher=ratings.publisher_of,
        language=wording.language_name,
        as_text=wording.as_text,
        count=lambda number: f"{number:,}",
        safe_link=safe_link,
    )
    engine.globals.update(assets=_assets(), gist=phrases.gist, doubt=phrases.doubt, sure=phrases.sure)
    return engine


def _assets() -> str:
    """A short digest of the static files, so that browsers may keep them until they change."""
    digest = hashlib.sha256()
    for file in sorted((_FOLDER / "static").iterdir()):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


def safe_link(url: str) -> str:
    """Return the url if a browser may follow it from our page, else an empty string: `javascript:` and its like are not links."""
    return url if url.lower().startswith(("https://", "http://")) else ""


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template. Each gets the address it stands at, the navigation, and whether the visitor may change things."""
    known = {"here": request.url.path, "navigation": _navigation(request), "can_write": may_try_to_write(request)}
    return HTMLResponse(_environment().get_template(template).render(**known, **values), status)


def page_around(request: Request, template: str, **values: Any) -> tuple[str, str]:
    """Render a template that has an `answer`, and return what comes before the answer and what comes after it."""
    before, _, after = page(request, template, answer=Markup(_GAP), **values).body.decode().partition(_GAP)  # type: ignore[union-attr]
    return before, after


def _navigation(request: Request) -> list[tuple[str, str]]:
    """The pages that can be used here: without posts there is nothing to contest."""
    return NAVIGATION if service_of(request).asking.is_possible else [(to, name) for to, name in NAVIGATION if to != "/contested"]


def fragment(template: str, **values: Any) -> str:
    """Render a part of a page, to be put into a page that is already shown."""
    return _environment().get_template(template).render(**values)


def show_problem(request: Request, problem: Problem) -> Response:
    """Answer with a page where a person asked in a browser, with problem details elsewhere."""
    if request.url.path.endswith("/claims:search"):
        return _for_google(problem)
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/v1", "/openapi"))
    if not wants_page:
        return problem_response(problem, request.url.path)
    kind = KINDS[problem.kind]
    known = {"here": request.url.path, "navigation": _navigation(request), "can_write": False}
    text = _environment().get_template("problem.html").render(**known, kind=kind, problem=problem)
    return HTMLResponse(text, kind.status, problem.headers)


def _for_google(problem: Problem) -> Response:
    """The error as clients of Google's APIs read it."""
    status = 400 if problem.status == 422 else problem.status
    named = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
    told = {"code": status, "message": problem.detail, "status": named.get(status, "UNAVAILABLE" if status == 503 else "INTERNAL")}
    return JSONResponse({"error": told}, status, problem.headers)


def mount_static(app: FastAPI) -> None:
    """Serve style and script."""
    app.mount("/static", StaticFiles(directory=_FOLDER / "static"), name="static")


def may_fetch_links(request: Request) -> bool:
    """True if the server was told that it may fetch links."""
    return service_of(request).options.fetch_links
