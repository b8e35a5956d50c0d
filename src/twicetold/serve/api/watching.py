"""/v1/watches, and the feeds of what came up: /v1/feed.json (JSON Feed 1.1) and /v1/feed.rss (RSS 2.0)."""

from __future__ import annotations

import dataclasses
import datetime
import re
import secrets
from email.utils import format_datetime
from typing import Annotated, Any
from urllib.parse import quote
from xml.sax.saxutils import escape

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute, Seer, SeerByAddress, Writer
from twicetold.serve.api.bodies import Text, json_response
from twicetold.serve.fetch import anywhere, is_public_web, is_web_link
from twicetold.serve.problems import Problem
from twicetold.serve.service import Service, service_of
from twicetold.serve.watcher import call, looked_up
from twicetold.serve.watches import Sighting, Watch
from twicetold.text import tidy, whole_letters

router = APIRouter(prefix="/v1", tags=["watch list"], route_class=CheckedRoute)
_IN_FEED = 100
_TRY_SECONDS = 30.0
_TAG = re.compile(r"<[^<>]*+>|[<>]")
Only = Annotated[str, Query(max_length=100, description="Only this watch's news.")]


class WatchBody(BaseModel):
    """A claim to save, and where to send what comes up."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "Bleach cures autism", "webhook": "https://newsroom.example/hooks/checks"}]},
    )
    text: Text
    lang: Annotated[str, Field(max_length=10)] = ""
    webhook: Annotated[str, Field(max_length=2000)] = ""


class WatchMade(BaseModel):
    """The saved claim and, if it has a webhook, the secret its calls are signed with; it is not shown again."""

    id: str
    text: str
    lang: str
    webhook: str
    made_at: str
    broken: str
    secret: str


class WatchList(BaseModel):
    """Saved claims, oldest first."""

    watches: list[Watch]


@router.post("/watches", status_code=201, responses={201: {"model": WatchMade}}, summary="Save a claim to be looked up again and again")
async def add_watch(request: Request, body: WatchBody, _: Writer) -> Response:
    """Fact-checks that answer it now are no news; those that come later are, once each.

    A webhook is called once while it is saved, with the id `test`, and has to take the call.
    """
    watch, secret = await save_watch(service_of(request), body.text, body.lang, body.webhook)
    return json_response({**_shown(watch), "secret": secret}, 201, {"Location": f"/v1/watches/{watch.id}"})


async def save_watch(service: Service, text: str, lang: str, webhook: str) -> tuple[Watch, str]:
    """Save a claim, and note what answers it already. Raises Problem for a blank claim, and for a webhook that does not take a call."""
    text = tidy(text)
    if not any(letter.isalnum() for letter in text):
        raise Problem("bad-request", "the claim is blank: it has no letter and no digit; say what should be watched")
    secret = secrets.token_urlsafe(24) if webhook else ""
    if webhook:
        rule = anywhere if service.options.allow_private else is_public_web
        about = {"id": "test", "watch": "", "claim": "", "seen_at": "", "match": None}
        await service.aside(lambda: call(webhook, secret, about, "test", may_reach=rule), _TRY_SECONDS)
    watch = service.watches.add(text, lang=lang, webhook=webhook, secret=secret)
    ranking = await service.read(lambda collection: looked_up(collection, watch))
    service.watches.note(watch, ranking, is_news=False)
    return watch, secret


@router.get("/watches", responses={200: {"model": WatchList}}, summary="List saved claims")
async def list_watches(request: Request, _: Seer) -> Response:
    """Without their secrets, and with what may be one in a webhook's address left out. Needs a key, also on loopback."""
    return json_response({"watches": [_shown(watch) for watch in service_of(request).watches.every()]})


def _shown(watch: Watch) -> dict[str, Any]:
    return {**dataclasses.asdict(watch), "webhook": watch.webhook_shown}


@router.delete("/watches/{id}", status_code=204, summary="Forget a saved claim")
async def remove_watch(request: Request, id: Annotated[str, Path(max_length=100)], _: Writer) -> Response:
    """And everything that was seen of it."""
    if not service_of(request).watches.remove(id):
        raise Problem("not-found", f"there is no watch {id!r:.120}")
    return Response(status_code=204)


_FEED: dict[int | str, dict[str, Any]] = {200: {"content": {"application/feed+json": {}}}}
_RSS: dict[int | str, dict[str, Any]] = {200: {"content": {"application/rss+xml": {}}}}


@router.get("/feed.json", responses=_FEED, response_class=Response, summary="What came up, as a JSON Feed")
async def json_feed(request: Request, _: SeerByAddress, watch: Only = "") -> Response:
    """The newest hundred. Feed readers cannot send headers, so the key may stand in the address (`key=`)."""
    service = service_of(request)
    claims = {one.id: one.text for one in service.watches.every()}
    entries = [_entry(request, sighting, claims) for sighting in service.watches.news(_IN_FEED, watch=watch)]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "New fact-checks of watched claims", "items": entries}
    answer = json_response(feed | {"home_page_url": str(request.base_url), "feed_url": _without_key(request)})
    answer.headers["content-type"] = "application/feed+json"
    return answer


def _entry(request: Request, sighting: Sighting, claims: dict[str, str]) -> dict[str, Any]:
    check = sighting.check
    entry: dict[str, Any] = {
        "id": sighting.id,
        "url": f"{request.base_url}fact-checks/{quote(whole_letters(check.id))}",
        "title": _plain(f"{check.rating or 'Checked'}: {check.claim or check.title}"),
        "content_text": _plain(
            f"Watched claim: {claims.get(sighting.watch, '')}\nBy {check.publisher or 'unknown'}: {check.title or check.claim}"
        ),
        "date_published": sighting.seen_at,
    }
    return entry | ({"external_url": check.url} if is_web_link(check.url) else {})


@router.get("/feed.rss", responses=_RSS, response_class=Response, summary="What came up, as RSS")
async def rss_feed(request: Request, _: SeerByAddress, watch: Only = "") -> Response:
    """The same as the JSON Feed."""
    service = service_of(request)
    claims = {one.id: one.text for one in service.watches.every()}
    entries = [_entry(request, sighting, claims) for sighting in service.watches.news(_IN_FEED, watch=watch)]
    channel = f"<title>New fact-checks of watched claims</title><link>{request.base_url}</link><description>From twicetold</description>"
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>{channel}{"".join(map(_rss, entries))}</channel></rss>\n'
    return Response(text.encode("utf-8", "replace"), media_type="application/rss+xml")


def _rss(entry: dict[str, Any]) -> str:
    when = format_datetime(datetime.datetime.fromisoformat(entry["date_published"].replace("Z", "+00:00")))
    told = {"title": entry["title"], "link": entry["url"], "description": entry["content_text"], "pubDate": when}
    inner = "".join(f"<{name}>{escape(_plain(text))}</{name}>" for name, text in told.items())
    return f'<item><guid isPermaLink="false">{escape(entry["id"])}</guid>{inner}</item>'


def _plain(text: str) -> str:
    """A text without tags, which many feed readers would run, and without control characters, which XML does not take."""
    bare = _TAG.sub("", whole_letters(text))
    return "".join(
        letter for letter in bare if letter in "\n\t" or (letter >= " " and not "\x7f" <= letter <= "\x9f" and letter not in "\ufffe\uffff")
    )


def _without_key(request: Request) -> str:
    return str(request.url.remove_query_params("key"))
