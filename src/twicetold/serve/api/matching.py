"""POST and GET /v1/match, POST /v1/match/batch, POST /v1/judgements."""

from __future__ import annotations

import datetime
from contextlib import closing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from twicetold.answer import RECIPES, Answerer, Asking, Recipe
from twicetold.collection import Collection
from twicetold.serve.access import CheckedRoute, Reader, Writer
from twicetold.serve.answers import compact_json, ranking_json
from twicetold.serve.api.bodies import BatchBody, MatchBody, Name, RecipeName, Text, Top, json_response
from twicetold.serve.api.query import FiltersAsked
from twicetold.serve.limits import cost_of
from twicetold.serve.masks import Mask, masked, parse
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.store import Judgement, Store
from twicetold.types import Claim, Ranking, to_json

router = APIRouter(prefix="/v1", tags=["claims"], route_class=CheckedRoute)
RANKING: dict[int | str, dict[str, Any]] = {200: {"model": Ranking, "description": "The fact-checks that answer the claim, best first."}}


Fields = Annotated[str, Query(max_length=2000, description="Only these members of each ranking: `decision,matches(doc/id,doc/rating)`.")]
Compact = Annotated[bool, Query(description="In short: the answer in a line, and of each match who checked what and rated it how.")]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a ranking is wanted: short or whole, with all its members or some."""

    is_compact: bool
    mask: Mask

    def of(self, ranking: Ranking) -> Any:
        """Return the ranking so."""
        return masked(compact_json(ranking) if self.is_compact else ranking_json(ranking), self.mask)


class Rankings(BaseModel):
    """One ranking for each claim, in the order asked."""

    rankings: list[Ranking]


@router.post("/match", responses=RANKING, summary="Find the fact-checks that answer a claim")
async def match(request: Request, body: MatchBody, _: Reader, fields: Fields = "", compact: Compact = False) -> Response:
    """An empty `matches`, or the decision `no match`, says that the collection holds no answer.

    A match says that something was checked, not that the check is right.
    """
    return await _one(request, body.value(), body.by(), body.asking(), _Form(compact, parse(fields) if fields else {}))


@router.get("/match", responses=RANKING, summary="The same, asked in an address")
async def match_by_address(
    request: Request,
    text: Annotated[Text, Query()],
    filters: FiltersAsked,
    _: Reader,
    top: Top = 5,
    recipe: RecipeName = "best",
    fields: Fields = "",
    compact: Compact = False,
) -> Response:
    """For claims with links, a speaker or lines around them send a POST."""
    return await _one(
        request,
        Claim("c1", text.strip()),
        RECIPES[recipe],
        Asking(top=top, filters=filters),
        _Form(compact, parse(fields) if fields else {}),
    )


async def _one(request: Request, claim: Claim, recipe: Recipe, asking: Asking, form: _Form) -> Response:
    cost = cost_of([claim], recipe.name)
    service_of(request).charge(cost)
    [ranking] = await service_of(request).read(lambda collection: Answerer(collection, recipe, asking)([claim]), cost=cost)
    return json_response(form.of(ranking))


@router.post("/match/batch", responses={200: {"model": Rankings}}, summary="Find the fact-checks that answer each of several claims")
async def match_batch(request: Request, body: BatchBody, _: Reader, fields: Fields = "", compact: Compact = False) -> Response:
    """The answers are in the order of the claims and the same as those of single requests. Counts as so many requests."""
    recipe, asking, claims = body.by(), body.asking(), body.values()
    service = service_of(request)
    service.charge(cost_of(claims, recipe.name))
    rankings = await service.read_each(claims, recipe.name, lambda collection, some: Answerer(collection, recipe, asking)(some))
    form = _Form(compact, parse(fields) if fields else {})
    return json_response({"rankings": [form.of(ranking) for ranking in rankings]})


class TakenBack(BaseModel):
    """Whether there was a word to take back."""

    taken_back: bool


class JudgementBody(BaseModel):
    """A person's word on whether a fact-check answers a claim: grade 1 yes, 0 no."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"claim": "Garlic cures COVID-19", "check_id": "fc-17", "grade": 0}]}
    )
    claim: Text
    check_id: Name
    grade: Literal[0, 1]


@router.post("/judgements", status_code=201, responses={201: {"model": Judgement}}, summary="Say whether a fact-check answers a claim")
async def judge(request: Request, body: JudgementBody, key: Writer) -> Response:
    """The same key's later word on the same pair replaces the earlier. `twicetold judge --export` writes them as qrels."""
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    judgement = Judgement(body.claim.strip(), body.check_id, body.grade, key.name, day)
    await service_of(request).read(lambda collection: save_judgement(collection, judgement))
    return json_response(to_json(judgement), 201)


@router.delete("/judgements", responses={200: {"model": TakenBack}}, summary="Take back what was said of a fact-check and a claim")
async def unjudge(request: Request, claim: Annotated[Text, Query()], check_id: Annotated[Name, Query()], key: Writer) -> Response:
    """Only the word of the same key is taken back."""
    gone = await service_of(request).read(lambda collection: take_back_judgement(collection, claim.strip(), check_id, key.name))
    return json_response({"taken_back": gone})


def take_back_judgement(collection: Collection, claim: str, check_id: str, annotator: str) -> bool:
    """Delete a judgement from the store; True if there was one."""
    with closing(Store(collection.folder / "store.db")) as store:
        return store.unjudge(claim, check_id, annotator)


def save_judgement(collection: Collection, judgement: Judgement) -> None:
    """Write a judgement to the store. Raises Problem if there is no such fact-check."""
    if collection.store.get(judgement.check_id) is None:
        raise Problem("not-found", f"no fact-check has the id {judgement.check_id!r:.200}")
    with closing(Store(collection.folder / "store.db")) as store:
        store.judge(judgement)
