"""*Watch list*: claims to keep an eye on, and what came up."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from twicetold.serve.access import CheckedRoute, Seer, Writer
from twicetold.serve.answers import MOST_CHARS
from twicetold.serve.api.watching import save_watch
from twicetold.serve.pages.render import page
from twicetold.serve.service import service_of
from twicetold.serve.watches import Watch

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_SHOWN = 50


@router.get("/watch")
async def watch_list(request: Request, _: Seer) -> Response:
    """The saved claims and the news."""
    return await _shown(request)


async def _shown(request: Request, made: Watch | None = None, secret: str = "") -> Response:
    service = service_of(request)
    every, news = service.watches.every(), service.watches.news(_SHOWN)
    ids = [sighting.check_id for sighting in news]
    alive = await service.read(lambda collection: set(collection.store.numbers(ids)))
    claims = {watch.id: watch.text for watch in every}
    return page(request, "watch.html", watches=every, news=news, claims=claims, alive=alive, made=made, secret=secret)


@router.post("/watch")
async def add(
    request: Request,
    _: Writer,
    text: Annotated[str, Form(min_length=1, max_length=MOST_CHARS)],
    webhook: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Save a claim; the secret of a webhook is shown on the page that answers, and never again."""
    service = service_of(request)
    watch, secret = await save_watch(service, text, "", webhook.strip())
    if not secret:
        return RedirectResponse("/watch", 303)
    return await _shown(request, watch, secret)


@router.post("/watch/{id}/remove")
async def remove(request: Request, id: str, _: Writer) -> Response:
    """Forget a saved claim."""
    service_of(request).watches.remove(id)
    return RedirectResponse("/watch", 303)
