"""/v1/fact-checks: list, get, put, delete.

Writes go to the store at once and are durable when answered; the indexes follow within seconds, or after the import that is going on.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from twicetold.answer.group import twins_of
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.serve.access import CheckedRoute, Reader, Writer
from twicetold.serve.api.bodies import json_response
from twicetold.serve.api.query import Cursor, FiltersAsked, Limit, cursor_of, number_in
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.store import Store
from twicetold.text import language
from twicetold.types import FactCheck, Verdict, to_json

router = APIRouter(prefix="/v1/fact-checks", tags=["fact-checks"], route_class=CheckedRoute)
Id = Annotated[str, Path(min_length=1, max_length=500, description="As `doc.id` of a match.")]
Field20k = Annotated[str, Field(max_length=20_000)]
CHECK: dict[int | str, dict[str, Any]] = {200: {"model": FactCheck}}


@dataclasses.dataclass(frozen=True)
class WholeCheck(FactCheck):
    """A fact-check, and the others that check the same claim in the same words."""

    twins: tuple[FactCheck, ...] = ()


class CheckPage(BaseModel):
    """Some fact-checks in the order they came in; `next` is the cursor of the next page, empty on the last."""

    fact_checks: list[FactCheck]
    next: str


class CheckBody(BaseModel):
    """A fact-check to store. It needs a claim or a title; the verdict is read from the rating unless given."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "claim": "A photo shows a shark on a flooded highway.",
                    "rating": "Altered photo",
                    "verdict": "false",
                    "url": "https://example.org/checks/shark",
                    "publisher": "Example Desk",
                    "published": "2022-10-05",
                }
            ]
        },
    )
    claim: Field20k = ""
    claimant: Field20k = ""
    claimed_on: Annotated[str, Field(max_length=100)] = ""
    appearances: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=1000)] = []
    title: Field20k = ""
    body: Annotated[str, Field(max_length=1_000_000)] = ""
    rating: Field20k = ""
    verdict: Verdict | None = None
    url: Annotated[str, Field(max_length=2000)] = ""
    publisher: Annotated[str, Field(max_length=1000)] = ""
    published: Annotated[str, Field(max_length=100)] = ""
    lang: Annotated[str, Field(max_length=50)] = ""
    other: Annotated[dict[str, Field20k], Field(max_length=100)] = {}

    def value(self, id: str) -> FactCheck:
        """Return it as every source's records are made: cleaned, dated, its verdict read and its language named."""
        from twicetold.ingest.assemble import assemble  # its readers take a quarter of a second to load, the server should start before

        told = {name: text for name, text in self.model_dump().items() if isinstance(text, str) and name != "verdict"}
        check = assemble({**told, "id": id}, appearances=self.appearances, other=self.other)
        lang = check.lang or language(f"{check.claim} {check.title} {check.body[:300]}")
        return dataclasses.replace(check, lang=lang, verdict=self.verdict or check.verdict)


@router.get("", responses={200: {"model": CheckPage}}, summary="List fact-checks")
async def list_checks(request: Request, filters: FiltersAsked, _: Reader, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """In the order they came in. Take `next` as the `cursor` of the next request until it is empty."""
    after = number_in(cursor)
    return json_response(await service_of(request).read(lambda collection: _page(collection, filters, after, limit)))


def _page(collection: Collection, filters: Filters, after: int, limit: int) -> dict[str, Any]:
    nums = [num for num in collection.store.allowed(filters) if num > after]
    checks = collection.store.fetch(nums[:limit])
    return {
        "fact_checks": [to_json(checks[num]) for num in nums[:limit] if num in checks],
        "next": cursor_of(nums[limit - 1]) if len(nums) > limit else "",
    }


@router.get("/{id:path}", responses={200: {"model": WholeCheck}}, summary="Get one fact-check in full")
async def get_check(request: Request, id: Id, _: Reader) -> Response:
    """The same JSON as `twicetold show ID --json`: `twins` are the other fact-checks of its case."""
    check, twins = await service_of(request).read(lambda collection: (collection.store.get(id), twins_of(collection, id)))
    if check is None:
        raise Problem("not-found", f"no fact-check has the id {id!r:.200}")
    return json_response({**to_json(check), "twins": to_json(twins)})


@router.put(
    "/{id:path}", responses={**CHECK, 201: {"model": FactCheck, "description": "It is new."}}, summary="Add or replace a fact-check"
)
async def put_check(request: Request, id: Id, body: CheckBody, _: Writer) -> Response:
    """It is stored when this answers. Matches find it once it is indexed, usually within seconds."""
    service = service_of(request)
    if not (body.claim.strip() or body.title.strip()):
        raise Problem("bad-request", "a fact-check needs a claim or a title; both are empty")
    check = body.value(id)
    if check.id != id:
        raise Problem("bad-request", f"the id {id!r:.200} holds characters that cannot be stored")
    is_new = await service.read(lambda collection: _put(collection, check))
    service.jobs.wake()
    return json_response(to_json(check), 201 if is_new else 200)


def _put(collection: Collection, check: FactCheck) -> bool:
    store = Store(collection.folder / "store.db")
    try:
        return store.put([check]).added == 1
    finally:
        store.close()


@router.delete("/{id:path}", status_code=204, summary="Delete a fact-check")
async def delete_check(request: Request, id: Id, _: Writer) -> Response:
    """It is gone from every answer at once."""
    service = service_of(request)
    if not await service.read(lambda collection: _remove(collection, id)):
        raise Problem("not-found", f"no fact-check has the id {id!r:.200}")
    service.jobs.wake()
    return Response(status_code=204)


def _remove(collection: Collection, id: str) -> bool:
    store = Store(collection.folder / "store.db")
    try:
        return store.remove([id]) == 1
    finally:
        store.close()
