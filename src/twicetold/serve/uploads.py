"""From a form, or a link if links are enabled, to an import job."""

from __future__ import annotations

import os
import shutil
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from starlette.datastructures import UploadFile

from twicetold.serve.fetch import anywhere, fetch, is_public_web
from twicetold.serve.jobs import Job
from twicetold.serve.problems import Problem
from twicetold.serve.service import Service

_FETCH_SECONDS = 90.0


async def import_upload(service: Service, upload: UploadFile, *, format: str, skip_broken: bool) -> Job:
    """Keep an uploaded file and take on its import; both are on disk when this returns."""
    name = upload.filename or "upload"
    if upload.size == 0:
        raise Problem("bad-request", f"the file {name!r:.200} is empty")
    id, path = service.jobs.new_place(name)
    await service.aside(lambda: _keep(upload.file, path))
    job = service.jobs.add(id, path, source=Path(name).name[:200], format=format, skip_broken=skip_broken)
    service.jobs.wake()
    return job


def _keep(stream: BinaryIO, path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(stream, file)
        file.flush()
        os.fsync(file.fileno())


async def import_link(service: Service, url: str, *, format: str, skip_broken: bool) -> Job:
    """Fetch a feed or page and take on its import. Raises Problem unless the server may fetch, or if the link may not be fetched."""
    options = service.options
    if not options.fetch_links:
        raise Problem("not-enabled", "this server does not fetch links; start it with --fetch-links, or upload the file")
    rule = anywhere if options.allow_private else is_public_web
    fetched = await service.aside(lambda: fetch(url, most_bytes=options.max_upload, may_reach=rule), _FETCH_SECONDS)
    id, path = service.jobs.new_place(fetched.name)
    await service.aside(lambda: _keep(BytesIO(fetched.content), path))
    job = service.jobs.add(id, path, source=url[:200], format=format, skip_broken=skip_broken)
    service.jobs.wake()
    return job
