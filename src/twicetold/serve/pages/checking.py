"""*Check a claim*, and the page of one fact-check."""

from __future__ import annotations

import datetime
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from pydantic import ValidationError
from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from twicetold.answer import BEST, HYBRID, Answerer, Asking, Recipe
from twicetold.answer.group import answering, twins_of
from twicetold.answer.headline import headline, shown_and_folded
from twicetold.collection import Collection
from twicetold.errors import TwicetoldError
from twicetold.filters import Filters
from twicetold.serve.access import CheckedRoute, Reader, Writer, key_of, may_try_to_write
from twicetold.serve.answers import MOST_CHARS
from twicetold.serve.api.bodies import FiltersBody
from twicetold.serve.api.matching import save_judgement, take_back_judgement
from twicetold.serve.api.query import FiltersAsked
from twicetold.serve.limits import cost_of
from twicetold.serve.pages.render import fragment, page, page_around
from twicetold.serve.pictures import can_read_images, text_of
from twicetold.serve.problems import Problem, as_problem
from twicetold.serve.service import service_of
from twicetold.serve.shelf import Shelf
from twicetold.serve.wording import as_claim_review, sides
from twicetold.store import Judgement
from twicetold.types import Claim, FactCheck, Match, Ranking

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_SHOWN = 10
_FIRST, _REFINED = HYBRID, BEST
"""The recipe that answers at once, and the better one that the page asks for after it."""
_LONGEST_ADDRESS = 4000
"""A claim whose permalink would be longer is answered without one."""
_FILTERS = ("lang", "publisher", "verdict", "after", "before")


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands in the form: the claim, the filters as read and as given, and what is wrong in a sentence, empty if nothing is."""

    claim: str
    filters: Filters
    given: Mapping[str, str]
    wrong: str = ""


@router.get("/")
async def check(
    request: Request,
    _: Reader,
    claim: str = "",
    closer: Annotated[bool, Query(description="Answer by the slower, better recipe at once.")] = False,
) -> Response:
    """The form, and below it the answer to the claim in the address."""
    return await _answered(request, _asked(claim, request.query_params), _REFINED if closer else _FIRST)


@router.post("/")
async def check_posted(
    request: Request,
    _: Reader,
    claim: Annotated[str, Form()] = "",
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
    kept = {name: str(form[name]) for name in _FILTERS if form.get(name)}
    address = "/?" + urlencode({"claim": claim.strip(), **kept})
    if len(address) <= _LONGEST_ADDRESS:
        return RedirectResponse(address, 303)
    return await _answered(request, _asked(claim, QueryParams(kept)), _REFINED)


def _asked(claim: str, told: QueryParams) -> Asked:
    """Read the form. What cannot be understood is said, and all else is kept."""
    text = claim.strip()
    repeated = {f"{name}s": [value for value in told.getlist(name) if value] for name in ("lang", "publisher", "verdict", "claimant")}
    given = {name: told.get(name, "").strip() for name in _FILTERS}
    days = {name: given[name] for name in ("after", "before")}
    wrong = f"The claim has {len(text):,} characters; keep its central sentences, {MOST_CHARS:,} at most" if len(text) > MOST_CHARS else ""
    try:
        return Asked(text, FiltersBody.model_validate(repeated | days).value(), given, wrong)
    except ValidationError as error:
        found = error.errors()[0]
        return Asked(text, Filters(), given, wrong or _wrong_filter(str(found["loc"][0]), str(found["input"])))


def _wrong_filter(name: str, given: str) -> str:
    if name in ("after", "before"):
        return f"“{given:.40}” is no date; write a day, a month or a year, such as 2020-05-17, 2020-05 or 2020"
    return f"“{given:.40}” cannot be filtered by; choose one of the list" if name == "verdicts" else f"the filter {name} is too long"


def _unknown(filters: Filters, shelf: Shelf) -> str:
    """Say which publisher the collection holds nothing of; empty if it knows them all."""
    known = {name.casefold() for name in shelf.publishers}
    missing = next((name for name in filters.publishers if name.casefold() not in known), "")
    return f"No fact-check here is by “{missing:.80}”; choose a publisher of the list" if missing and shelf.size else ""


async def _answered(request: Request, asked: Asked, recipe: Recipe) -> Response:
    """The form at once, and the answer when it is there: the browser shows the one while it waits for the other."""
    shelf = await service_of(request).glance(service_of(request).shelf)
    text, filters = asked.claim, asked.filters
    wrong = asked.wrong or _unknown(filters, shelf)
    refine = _refinement(text, filters) if recipe is not _REFINED else ""
    form: dict[str, Any] = {
        "claim": text,
        "shelf": shelf,
        "given": asked.given,
        "is_filtered": any(asked.given.values()),
        "wrong": wrong,
        "can_read_images": can_read_images(),
        "refine": refine,
        "is_answered": bool(text and shelf.size and not wrong),
    }
    if not form["is_answered"]:
        return page(request, "check.html", 422 if wrong else 200, **form)
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
    cost = cost_of([Claim("c1", text)], recipe.name)
    service_of(request).charge(cost)
    looked = await service_of(request).read(lambda collection: _looked_up(collection, text, filters, recipe), cost=cost)
    refine = _refinement(text, filters) if recipe is not _REFINED else ""
    about = {"claim": text, "is_filtered": filters != Filters(), "refine": refine, "can_write": may_try_to_write(request)}
    ranking, held = looked.ranking, looked.held if filters != Filters() else shelf.size
    likely, others = shown_and_folded(ranking)
    said = headline(ranking, held=held, is_filtered=filters != Filters())
    lane = ranking.decision.lane.value.replace(" ", "-") if ranking.decision else "none"
    told = {"said": said, "lane": lane, "hidden": looked.hidden, "likely": likely, "others": others, "sides": sides(ranking)}
    return fragment("answer.html", ranking=ranking, **told, **about)


@dataclass(frozen=True, slots=True)
class Looked:
    """An answer, the fact-checks that answer but do not pass the filters, and how many pass them (0 where there are none)."""

    ranking: Ranking
    hidden: tuple[Match, ...] = ()
    held: int = 0


def _looked_up(collection: Collection, text: str, filters: Filters, recipe: Recipe) -> Looked:
    asked, asking = [Claim("c1", text)], Asking(top=_SHOWN, filters=filters)
    [ranking] = Answerer(collection, recipe, asking)(asked)
    if filters == Filters():
        return Looked(ranking)
    allowed = set(collection.store.allowed(filters))
    if recipe is not _REFINED:
        return Looked(ranking, held=len(allowed))
    [whole] = Answerer(collection, recipe, Asking(top=_SHOWN, keys=0))(asked)
    nums = collection.store.numbers([match.doc.id for match in whole.matches])
    hidden = tuple(match for match in answering(whole) if nums.get(match.doc.id) not in allowed)
    return Looked(ranking, hidden, len(allowed))


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


@router.get("/claim-review")
async def claim_review(request: Request, id: str, _: Reader) -> Response:
    """The schema.org ClaimReview of one fact-check, to be copied into a page."""
    found = await service_of(request).read(lambda collection: collection.store.get(id))
    if found is None:
        raise Problem("not-found", f"no fact-check has the id {id!r:.200}")
    return Response(json.dumps(as_claim_review(found), ensure_ascii=False, indent=1), media_type="application/ld+json")


@router.post("/judgements")
async def judge(
    request: Request,
    key: Writer,
    claim: Annotated[str, Form(min_length=1, max_length=MOST_CHARS)],
    check_id: Annotated[str, Form(min_length=1, max_length=500)],
    grade: Annotated[int, Form(ge=-1, le=1)],
) -> Response:
    """Keep a visitor's word, or take it back (grade -1), and go back to where it was said; a script gets only the words for its form."""
    judgement = Judgement(claim.strip(), check_id, grade, key.name, datetime.datetime.now(datetime.UTC).date().isoformat())
    if grade < 0:
        await service_of(request).read(lambda collection: take_back_judgement(collection, judgement.claim, check_id, key.name))
    else:
        await service_of(request).read(lambda collection: save_judgement(collection, judgement))
    told: dict[str, Any] = {"judgement": judgement, "named": check_id[:60]}
    if "x-part" in request.headers:
        return HTMLResponse(fragment("judged_form.html", **told))
    back = "/?" + urlencode({"claim": judgement.claim[:_LONGEST_ADDRESS], "closer": "true"})
    return page(request, "judged.html", back=back, **told)
