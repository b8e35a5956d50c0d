"""*Collection*: what is indexed, adding to it, and how an import is getting on."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from twicetold import demo
from twicetold.serve.access import CheckedRoute, Reader, Writer
from twicetold.serve.api.imports import found_job
from twicetold.serve.api.status import summary
from twicetold.serve.pages.render import may_fetch_links, page
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.serve.uploads import import_link, import_upload
from twicetold.serve.wording import language_name

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_SHOWN_BARS = 10
_SHOWN_YEARS = 10
_SHOWN_JOBS = 10
_SHOWN_PROBLEMS = 200


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: its name, how many, its length in percent of the longest, where it leads, and the verdict it stands for."""

    name: str
    count: int
    percent: float
    to: str = ""
    kind: str = ""


@router.get("/collection")
async def collection(request: Request, _: Reader) -> Response:
    """What is indexed, with small charts, and the latest imports."""
    service = service_of(request)
    about = await service.read(summary)
    charts = {
        "Publishers": _bars(about["publisher"], "publisher"),
        "Languages": [dataclasses.replace(bar, name=language_name(bar.name)) for bar in _bars(about["lang"], "lang")],
        "Verdicts": [dataclasses.replace(bar, kind=bar.name) for bar in _bars(about["verdict"], "verdict")],
    }
    years = _years(about["year"])
    jobs = [job for _, job in service.jobs.newest(_SHOWN_JOBS)]
    return page(
        request,
        "collection.html",
        about=about,
        charts=charts,
        years=years,
        jobs=jobs,
        may_fetch=may_fetch_links(request),
        data=service.folder,
    )


def _years(counts: dict[str, int]) -> list[Bar]:
    """The latest years in their order, all before them in one bar."""
    dated = sorted((year, count) for year, count in counts.items() if year)
    shown, before = dict(dated[-_SHOWN_YEARS:]), sum(count for _, count in dated[:-_SHOWN_YEARS])
    longest = max([before, *shown.values()], default=1)
    earlier = [_bar("earlier", before, longest, f"before={int(min(shown)) - 1}")] if before else []
    return [*earlier, *(_bar(year, count, longest, f"after={year}&before={year}") for year, count in shown.items())]


def _bars(counts: dict[str, int], filter: str) -> list[Bar]:
    shown = dict(list(counts.items())[:_SHOWN_BARS])
    rest = sum(counts.values()) - sum(shown.values())
    longest = max([rest, *shown.values()], default=1)
    bars = [_bar(name or "unknown", count, longest, urlencode({filter: name}) if name else "") for name, count in shown.items()]
    return [*bars, _bar(f"{len(counts) - len(shown)} others", rest, longest, "")] if rest else bars


def _bar(name: str, count: int, longest: int, query: str) -> Bar:
    return Bar(name, count, round(100 * count / max(longest, 1), 2), f"/collection/checks?{query}" if query else "")


@router.post("/collection/imports")
async def start_import(
    request: Request,
    _: Writer,
    file: Annotated[UploadFile | None, File()] = None,
    url: Annotated[str, Form(max_length=2000)] = "",
    skip_broken: Annotated[bool, Form()] = False,
) -> Response:
    """Take on an upload or a link, and show how it is getting on."""
    service = service_of(request)
    if file is not None and file.filename:
        job = await import_upload(service, file, format="", skip_broken=skip_broken)
    elif url:
        job = await import_link(service, url.strip(), format="", skip_broken=skip_broken)
    else:
        raise Problem("bad-request", "no file was chosen")
    return RedirectResponse(f"/collection/imports/{job.id}", 303)


@router.post("/collection/demo")
async def fill_with_demo(request: Request, _: Writer) -> Response:
    """Take on the import of the demo, and show how it is getting on."""
    service = service_of(request)
    content = "\n".join(json.dumps(record, ensure_ascii=False) for record in demo.checks())
    job = await import_upload(service, UploadFile(BytesIO(content.encode()), filename="demo.jsonl"), format="", skip_broken=False)
    return RedirectResponse(f"/collection/imports/{job.id}", 303)


@router.get("/collection/imports/{id}")
async def import_page(request: Request, id: str, _: Reader) -> Response:
    """How an import is getting on and what it left out."""
    service = service_of(request)
    job = found_job(service, id)
    problems = [problem for _, problem in service.jobs.problems(id, _SHOWN_PROBLEMS)]
    values: dict[str, Any] = {"job": job, "problems": problems, "fields": dataclasses.asdict(job)}
    return page(request, "import.html", **values)
