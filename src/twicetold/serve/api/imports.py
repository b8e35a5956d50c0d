"""/v1/imports: hand in a source, follow its import, read what was left out."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Path, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute, Reader, Writer
from twicetold.serve.api.bodies import json_response
from twicetold.serve.api.query import Cursor, Limit, cursor_of, number_in
from twicetold.serve.jobs import Job, LeftOut
from twicetold.serve.problems import Problem
from twicetold.serve.service import Service, service_of
from twicetold.serve.uploads import import_link, import_upload

router = APIRouter(prefix="/v1/imports", tags=["imports"], route_class=CheckedRoute)
Id = Annotated[str, Path(max_length=100)]
FormatName = Annotated[str, Form(max_length=50, description="How to read it, when looking at it is not enough; as `ingest --format`.")]
SkipBroken = Annotated[bool, Form(description="Leave out records that cannot be read instead of failing at the first.")]


class JobPage(BaseModel):
    """Imports, newest first; `next` is the cursor of the next page, empty on the last."""

    imports: list[Job]
    next: str


class ProblemPage(BaseModel):
    """Records that were left out, in the order of the source."""

    problems: list[LeftOut]
    next: str


@router.post("", status_code=202, responses={202: {"model": Job}}, summary="Import fact-checks from a file or a link")
async def start_import(
    request: Request,
    _: Writer,
    file: Annotated[UploadFile | None, File(description="A feed, table or saved page; also gzip or zip.")] = None,
    url: Annotated[str, Form(max_length=2000, description="Instead of a file, if the server was started with --fetch-links.")] = "",
    format: FormatName = "",
    skip_broken: SkipBroken = False,
) -> Response:
    """The source is kept when this answers; reading and indexing go on by themselves, also over a restart of the server."""
    service = service_of(request)
    if (file is None) == (not url):
        raise Problem("bad-request", "wanted either a `file` or a `url`, one of them")
    if file is not None:
        job = await import_upload(service, file, format=format, skip_broken=skip_broken)
    else:
        job = await import_link(service, url, format=format, skip_broken=skip_broken)
    return json_response(dataclasses.asdict(job), 202, {"Location": f"/v1/imports/{job.id}"})


@router.get("", responses={200: {"model": JobPage}}, summary="List imports")
async def list_imports(request: Request, _: Reader, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """Newest first."""
    jobs = service_of(request).jobs.newest(limit + 1, before=number_in(cursor) or None)
    more = cursor_of(jobs[limit - 1][0]) if len(jobs) > limit else ""
    return json_response({"imports": [dataclasses.asdict(job) for _, job in jobs[:limit]], "next": more})


@router.get("/{id}", responses={200: {"model": Job}}, summary="See how far an import has come")
async def get_import(request: Request, id: Id, _: Reader) -> Response:
    """`read` counts the records that are safely in the store."""
    return json_response(dataclasses.asdict(found_job(service_of(request), id)))


@router.get("/{id}/problems", responses={200: {"model": ProblemPage}}, summary="List the records an import left out")
async def list_problems(request: Request, id: Id, _: Reader, cursor: Cursor = "", limit: Limit = 50) -> Response:
    """Each with its place in the source and the reason. The first thousand are kept; `broken` of the import counts them all."""
    service = service_of(request)
    found_job(service, id)
    problems = service.jobs.problems(id, limit + 1, after=number_in(cursor))
    more = cursor_of(problems[limit - 1][0]) if len(problems) > limit else ""
    told: list[dict[str, Any]] = [dataclasses.asdict(problem) for _, problem in problems[:limit]]
    return json_response({"problems": told, "next": more})


def found_job(service: Service, id: str) -> Job:
    """Return a job. Raises Problem if there is none."""
    job = service.jobs.get(id)
    if job is None:
        raise Problem("not-found", f"there is no import {id!r:.120}")
    return job
