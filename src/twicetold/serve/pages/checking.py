"""*Check a claim*, and the page of one fact-check."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from pydantic import ValidationError
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from twicetold.answer import BEST, HYBRID, Answerer, Asking, Recipe
from twicetold.answer.group import twins_of
from twicetold.collection import Collection
from twicetold.errors import TwicetoldError
from twicetold.filters import Filters
from twicetold.serve.access import CheckedRoute, Reader, Writer, key_of, may_try_to_write
from twicetold.serve.answers import MOST_CHARS
from twicetold.serve.api.bodies import FiltersBody
from twicetold.serve.api.matching import save_judgement
from twicetold.serve.api.query import FiltersAsked
from twicetold.serve.limits import cost_of
from twicetold.serve.pages.render import fragment, page, page_around
from twicetold.serve.pictures import can_read_images, text_of
from twicetold.serve.problems import Problem, as_problem
from twicetold.serve.service import service_of
from twicetold.serve.shelf import Shelf
from twicetold.serve.wording import sides, split
from twicetold.store import Judgement
from twicetold.types import Claim, FactCheck, Verdict

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_SHOWN = 10
_FIRST, _REFINED = HYBRID, BEST
"""The recipe that answers at once, and the better one that the page asks for after it."""
_LONGEST_ADDRESS = 4000
"""A claim whose permalink would be longer is answered without one."""


@router.get("/")
async def check(
    request: Request,
    filters: FiltersAsked,
    _: Reader,
    claim: Annotated[str, Query(max_length=MOST_CHARS)] = "",
    closer: Annotated[bool, Query(description="Answer by the slower, better recipe at once.")] = False,
) -> Response:
    """The form, and below it the answer to the claim in the address."""
    return await _answered(request, claim.strip(), filters, _REFINED if closer else _FIRST)


@router.post("/")
async def check_posted(
    request: Request,
    _: Reader,
    claim: Annotated[str, Form(max_length=MOST_CHARS)] = "",
    image: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """From the form, which may hold a picture of the claim instead of its words.

    Most claims fit into an address that can be kept and shared, so the browser is sent there. A longer one is looked at closely at once,
    for the page could not ask for that later.
    """
    if image is not None and image.filename and not claim.strip():
        claim = await text_of(service_of(request), image)
        if not claim.strip():
            raise Problem("bad-request", "no text was found in the picture; paste or type the claim instead")
    form = await request.form()
    kept = {name: str(form[name]) for name in ("lang", "publisher", "verdict", "after", "before") if form.get(name)}
    address = "/?" + urlencode({"claim": claim.strip(), **kept})
    if len(address) <= _LONGEST_ADDRESS:
        return RedirectResponse(address, 303)
    return await _answered(request, claim.strip(), _filters_in(kept), _REFINED)


def _filters_in(kept: dict[str, str]) -> Filters:
    """Return the filters chosen in the form. Raises Problem for a verdict or a date that is none."""
    repeated = {f"{name}s": [kept[name]] for name in ("lang", "publisher", "verdict") if name in kept}
    try:
        return FiltersBody.model_validate(repeated | {name: kept.get(name, "") for name in ("after", "before")}).value()
    except ValidationError as error:
        raise Problem("bad-request", f"the filters cannot be understood: {error.errors()[0]['msg']}") from None


async def _answered(request: Request, text: str, filters: Filters, recipe: Recipe) -> Response:
    """The form at once, and the answer when it is there: the browser shows the one while it waits for the other."""
    shelf = await service_of(request).glance(service_of(request).shelf)
    form: dict[str, Any] = {
        "claim": text,
        "shelf": shelf,
        "filters": filters,
        "is_filtered": filters != Filters(),
        "verdicts": list(Verdict),
    }
    form |= {"can_read_images": can_read_images(), "refine": _refinement(text, filters) if recipe is not _REFINED else ""}
    if not text or not shelf.size:
        return page(request, "check.html", **form)
    before, after = page_around(request, "check.html", **form)

    async def parts() -> AsyncIterator[str]:
        yield before
        try:
            yield await _answer(request, text, filters, recipe, shelf)
        except (Problem, TwicetoldError) as error:  # the page has begun, so what went wrong can only be said within it
            yield fragment("unanswered.html", problem=error if isinstance(error, Problem) else as_problem(error))
        yield after

    return StreamingResponse(parts(), media_type="text/html")


async def _answer(request: Request, text: str, filters: Filters, recipe: Recipe, shelf: Shelf) -> str:
    """The answer as a part of the page."""
    asked, asking = [Claim("c1", text)], Asking(top=_SHOWN, filters=filters)
    cost = cost_of(asked, recipe.name)
    service_of(request).charge(cost)
    [ranking] = await service_of(request).read(lambda collection: Answerer(collection, recipe, asking)(asked), cost=cost)
    refine = _refinement(text, filters) if recipe is not _REFINED else ""
    about = {"claim": text, "shelf": shelf, "is_filtered": filters != Filters(), "refine": refine, "can_write": may_try_to_write(request)}
    likely, others = split(ranking)
    return fragment("answer.html", ranking=ranking, likely=likely, others=others, sides=sides(ranking), **about)


def _refinement(text: str, filters: Filters) -> str:
    return "/refined?" + urlencode([("claim", text), *_address(filters)])


@router.get("/refined")
async def refined(request: Request, filters: FiltersAsked, _: Reader, claim: Annotated[str, Query(max_length=MOST_CHARS)]) -> Response:
    """The answer of the slower, better recipe, as a part of a page: the page asks for it once it has shown the quick answer."""
    shelf = await service_of(request).glance(service_of(request).shelf)
    return HTMLResponse(await _answer(request, claim.strip(), filters, _REFINED, shelf))


def _address(filters: Filters) -> list[tuple[str, str]]:
    repeated = (("lang", filters.langs), ("publisher", filters.publishers), ("verdict", filters.verdicts), ("claimant", filters.claimants))
    pairs = [(name, str(value)) for name, values in repeated for value in values]
    return pairs + [(name, day) for name, day in (("after", filters.after), ("before", filters.before)) if day]


@router.get("/fact-checks/{id:path}")
async def fact_check(request: Request, id: str, _: Reader) -> Response:
    """One fact-check in full, with the watched claims it answers and those that people said it does or does not answer."""

    def work(collection: Collection) -> tuple[object, tuple[FactCheck, ...], list[Judgement]]:
        judged = [judgement for judgement in collection.store.judgements() if judgement.check_id == id]
        return collection.store.get(id), twins_of(collection, id), judged

    found, twins, judgements = await service_of(request).read(work)
    if found is None:
        raise Problem("not-found", f"no fact-check has the id {id!r:.200}")
    watched = service_of(request).watches.answered_by(id) if key_of(request) is not None else []
    return page(request, "fact_check.html", check=found, twins=twins, judgements=judgements, watched=watched)


@router.post("/judgements")
async def judge(
    request: Request,
    key: Writer,
    claim: Annotated[str, Form(min_length=1, max_length=MOST_CHARS)],
    check_id: Annotated[str, Form(min_length=1, max_length=500)],
    grade: Annotated[int, Form(ge=0, le=1)],
) -> Response:
    """Keep a visitor's word, and go back to where it was said."""
    judgement = Judgement(claim.strip(), check_id, grade, key.name, datetime.datetime.now(datetime.UTC).date().isoformat())
    await service_of(request).read(lambda collection: save_judgement(collection, judgement))
    return page(request, "judged.html", judgement=judgement, back="/?" + urlencode({"claim": judgement.claim[:_LONGEST_ADDRESS]}))
