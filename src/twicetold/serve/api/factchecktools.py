"""/v1/claims:search in the layout of Google's Fact Check Tools API, so that its clients work with only the address changed.

Parameters and members are those of version v1alpha1, served under that name as well. Twins of a fact-check are further reviews of the
same claim. `offset` and `reviewPublisherSiteFilter` without a query are understood; the image search of that API is not.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from twicetold.answer import HYBRID, Answerer, Asking
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.links import canonical_url
from twicetold.serve.access import CheckedRoute, ReaderByAddress
from twicetold.serve.answers import MOST_CHARS, MOST_TOP
from twicetold.serve.api.bodies import json_response
from twicetold.serve.api.query import cursor_of, number_in
from twicetold.serve.limits import cost_of
from twicetold.serve.masks import masked, parse
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.types import Claim, FactCheck, Match

router = APIRouter(tags=["fact check tools"], route_class=CheckedRoute)
_DEPTH, _DEEPEST = 200, 1000
"""How many fact-checks are ranked for a search, and at most."""
_LEAST_MEANING = 0.35
"""A fact-check that shares no word with the query is about it from this cosine on."""


class Publisher(BaseModel):
    """Who reviewed."""

    name: str = ""
    site: str = ""


class ClaimReview(BaseModel):
    """One review of a claim."""

    publisher: Publisher = Publisher()
    url: str = ""
    title: str = ""
    reviewDate: str = ""
    textualRating: str = ""
    languageCode: str = ""


class ToolsClaim(BaseModel):
    """A claim and its reviews."""

    text: str = ""
    claimant: str = ""
    claimDate: str = ""
    claimReview: list[ClaimReview] = []


class ToolsAnswer(BaseModel):
    """Claims, best first; `nextPageToken` if there are more."""

    claims: list[ToolsClaim] = []
    nextPageToken: str = ""


@router.get("/v1/claims:search", responses={200: {"model": ToolsAnswer}}, summary="Search in the Fact Check Tools layout")
@router.get("/v1alpha1/claims:search", include_in_schema=False)
async def claims_search(
    request: Request,
    _: ReaderByAddress,
    query: Annotated[str, Query(max_length=MOST_CHARS)] = "",
    languageCode: Annotated[str, Query(max_length=20, description="`en`, or `en-US`; only fact-checks in that language.")] = "",
    reviewPublisherSiteFilter: Annotated[str, Query(max_length=300, description="Only this site, such as `example.org`.")] = "",
    maxAgeDays: Annotated[int, Query(ge=0, le=100_000, description="Only reviews of the last so many days; 0 for all.")] = 0,
    pageSize: Annotated[int, Query(ge=1, le=MOST_TOP)] = 10,
    pageToken: Annotated[str, Query(max_length=100)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000, description="Where to begin, without a pageToken.")] = 0,
    fields: Annotated[str, Query(max_length=2000, description="Only these members: `claims(text,claimReview/url)`.")] = "",
) -> Response:
    """Empty members are left out, as there."""
    if not query.strip() and not reviewPublisherSiteFilter:
        raise Problem("bad-request", "wanted a `query`, or a `reviewPublisherSiteFilter`; both are missing")
    start = number_in(pageToken) if pageToken else offset
    asked = Claim("c1", query.strip(), lang="")
    filters = Filters(langs=(languageCode.split("-")[0],) if languageCode else (), after=_since(maxAgeDays))
    site = _bare(canonical_url(reviewPublisherSiteFilter).split("/")[0])
    mask = parse(fields) if fields else {}
    service_of(request).charge(cost_of([asked], HYBRID.name))
    found = await service_of(request).read(lambda collection: _search(collection, asked, filters, site, start + pageSize + 1))
    page = found[start : start + pageSize]
    more = {"nextPageToken": cursor_of(start + pageSize)} if len(found) > start + pageSize else {}
    return json_response(masked(({"claims": page} if page else {}) | more, mask))


def _since(days: int) -> str:
    return (datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=days)).isoformat() if 0 < days < 700_000 else ""


def _search(collection: Collection, claim: Claim, filters: Filters, site: str, count: int) -> list[dict[str, Any]]:
    if not claim.text:
        return [_claim(check, [check]) for check in _of_site(collection, filters, site, count)]
    # All pages are cut from one ranking: one that is asked for deeper has another order, and pages would repeat or lose what is between.
    # A site is not a field of the store, so more is asked for than is shown.
    depth = _DEPTH if count <= _DEPTH and not site else _DEEPEST
    [ranking] = Answerer(collection, HYBRID, Asking(top=depth, depth=depth, filters=filters, keys=0))([claim])
    near = [match for match in ranking.matches if _is_about(match)]
    cases = [[doc for doc in (match.doc, *match.twins) if isinstance(doc, FactCheck)] for match in near]
    kept = [[check for check in case if not site or _site(check) == site] for case in cases]
    return [_claim(case[0], case) for case in kept if case][:count]


def _of_site(collection: Collection, filters: Filters, site: str, count: int) -> list[FactCheck]:
    """The newest fact-checks of a site."""
    nums = collection.store.allowed(filters)
    found: list[FactCheck] = []
    for start in range(0, len(nums), 5000):
        found += [check for check in collection.store.fetch(nums[start : start + 5000]).values() if _site(check) == site]
    return sorted(found, key=lambda check: (check.published, check.id), reverse=True)[:count]


def _is_about(match: Match) -> bool:
    """True if a word or the meaning is shared: of nonsense nothing is found."""
    words = max((number for name, number in match.signals.items() if name.startswith("bm25")), default=0.0)
    meaning = max((number for name, number in match.signals.items() if name.startswith("dense")), default=0.0)
    return words > 0 or meaning >= _LEAST_MEANING or match.signals.get("link", 0.0) > 0


def _site(check: FactCheck) -> str:
    return _bare(canonical_url(check.url).split("/")[0])


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def _claim(check: FactCheck, reviews: Iterable[FactCheck]) -> dict[str, Any]:
    about = {"text": check.claim or check.title, "claimant": check.claimant, "claimDate": _instant(check.claimed_on)}
    return _told(about) | {"claimReview": [_review(review) for review in reviews]}


def _review(check: FactCheck) -> dict[str, Any]:
    publisher = _told({"name": check.publisher, "site": _bare(_host(check.url))})
    about = {"url": check.url, "title": check.title, "reviewDate": _instant(check.published)}
    return ({"publisher": publisher} if publisher else {}) | _told(about | {"textualRating": check.rating, "languageCode": check.lang})


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _instant(day: str) -> str:
    return f"{day}T00:00:00Z" if len(day) == 10 else day


def _told(members: dict[str, str]) -> dict[str, Any]:
    return {name: text for name, text in members.items() if text}
