"""/v1/health, /v1/stats and /v1/metrics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import PlainTextResponse, Response

from twicetold.collection import Collection
from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.bodies import json_response
from twicetold.serve.service import service_of

router = APIRouter(prefix="/v1", tags=["server"], route_class=CheckedRoute)


class Health(BaseModel):
    """`waiting` counts records that are stored but not yet indexed."""

    status: str
    fact_checks: int
    waiting: int


class Stats(BaseModel):
    """What the collection holds, as `twicetold stats --json` says it."""

    model_config = ConfigDict(extra="allow")
    fact_checks: int
    waiting: int
    judgements: int
    encoder: str
    publisher: dict[str, int]
    lang: dict[str, int]
    verdict: dict[str, int]
    year: dict[str, int]


@router.get("/health", responses={200: {"model": Health}}, summary="Say whether the server can answer")
async def health(request: Request, _: Reader) -> Response:
    """Opens the collection and counts; an answer other than 200 means that it cannot. Waits for nobody whose claims are looked up."""
    return json_response({"status": "ok", **await service_of(request).pulse(sizes)})


@router.get("/stats", responses={200: {"model": Stats}}, summary="Say what the collection holds")
async def stats(request: Request, _: Reader) -> Response:
    """How many fact-checks there are, by publisher, language, verdict and year."""
    return json_response(await service_of(request).glance(summary))


@router.get("/metrics", response_class=PlainTextResponse, summary="Counts and times for Prometheus")
async def metrics(request: Request, _: Reader) -> PlainTextResponse:
    """In the text format; of this process."""
    service = service_of(request)
    found = await service.pulse(sizes)
    gauges = {
        "twicetold_fact_checks": ("Fact-checks in the collection.", float(found["fact_checks"])),
        "twicetold_waiting": ("Records stored but not yet indexed.", float(found["waiting"])),
        "twicetold_imports_unfinished": ("Imports waiting or going on.", float(service.jobs.unfinished())),
    }
    return PlainTextResponse(service.metrics.text(gauges), media_type="text/plain; version=0.0.4")


def sizes(collection: Collection) -> dict[str, int]:
    """Return how many fact-checks there are and how many of them wait to be indexed."""
    return {"fact_checks": len(collection.store), "waiting": collection.pending}


def summary(collection: Collection) -> dict[str, Any]:
    """Return what the collection holds, by publisher, language, verdict and year."""
    store = collection.store
    encoder = collection.encoder.name if collection.encoder else "none"
    about = {**sizes(collection), "judgements": len(store.judgements()), "encoder": encoder}
    return about | {name: dict(store.counts(name)) for name in ("publisher", "lang", "verdict", "year")}
