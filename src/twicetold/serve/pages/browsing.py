"""*Collection, browsed*: every fact-check by words, publisher, verdict, language and date, newest first."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from twicetold.collection import Collection
from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.query import FiltersAsked
from twicetold.serve.pages.render import page
from twicetold.serve.service import Service, service_of
from twicetold.serve.shelf import Shelf
from twicetold.store import Found

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_EACH = 25
_FURTHEST = 1_000_000


@router.get("/collection/checks")
async def browse(
    request: Request,
    filters: FiltersAsked,
    _: Reader,
    words: Annotated[str, Query(max_length=500)] = "",
    oldest: bool = False,
    start: Annotated[int, Query(ge=0, le=_FURTHEST)] = 0,
) -> Response:
    """A page of the fact-checks that hold the words and pass the filters."""

    def work(collection: Collection) -> Found:
        return collection.store.browse(filters, words.split(), newest_first=not oldest, start=start, count=_EACH)

    service = service_of(request)
    found = await service.read(work)
    shelf = await asyncio.to_thread(_shelf, service)
    given = {name: request.query_params.get(name, "") for name in ("lang", "publisher", "verdict", "after", "before")}
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "start" and value]
    told: dict[str, Any] = {"found": found, "shelf": shelf, "given": given, "words": words, "oldest": oldest, "start": start, "each": _EACH}
    return page(request, "browse.html", kept=urlencode(kept), **told)


def _shelf(service: Service) -> Shelf:
    with service.readers.lane() as collection:
        return service.shelf(collection)
