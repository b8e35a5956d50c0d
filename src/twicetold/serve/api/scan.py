"""POST /v1/scan: a speech in, its lines out as server-sent events while they are looked up."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response, StreamingResponse

from twicetold.errors import TwicetoldError
from twicetold.ingest.problems import Problem as Unread
from twicetold.scan.days import is_day
from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.limits import SCAN_COST
from twicetold.serve.problems import Problem, as_problem
from twicetold.serve.scanning import Speech, heard_json
from twicetold.serve.scanning import listened as scanned_lines
from twicetold.serve.service import Service, service_of
from twicetold.types import Line, to_json

if TYPE_CHECKING:
    from twicetold.ingest.transcripts import Format
    from twicetold.scan.scanner import ScannedLine

router = APIRouter(prefix="/v1", tags=["speeches"], route_class=CheckedRoute)
_READING_SECONDS = 90.0
_LINE_SECONDS = 300.0
"""For one line when others have their turns too; it only ends what would never end."""
_EVENT = {
    "type": "object",
    "description": "One event of the stream; `data` is JSON.",
    "required": ["event", "data"],
    "properties": {"event": {"enum": ["heard", "unread", "end", "problem"]}, "data": {"type": "string"}},
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events. `heard`: a line with its ranking, as `twicetold scan --json --all` prints it. `unread`: the "
        "`place` of something in the speech that cannot be read and the `reason`; the speech goes on. `end`: how many "
        "lines there were, and how many claims were checked before (decided so, not only near), are worth a look, were not decided by the "
        "recipe, or were not checked. `problem`: what went wrong, as a problem document; nothing follows it.",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


@router.post("/scan", responses=_EVENTS, response_class=StreamingResponse, summary="Find the checked claims in a speech")
async def scan(
    request: Request,
    _: Reader,
    file: Annotated[UploadFile | None, File(description="A transcript or captions.")] = None,
    text: Annotated[str, Form(max_length=2_000_000, description="Instead of a file: lines, which may begin with `SPEAKER:`.")] = "",
    format: Annotated[str, Form(pattern="^(tsv|dialogue|srt|vtt|json)?$", description="What it is; empty to find out.")] = "",
    said_on: Annotated[str, Form(pattern=r"^(\d{4}-\d{2}-\d{2})?$", description="The day of the speech.")] = "",
    top: Annotated[int, Form(ge=1, le=20)] = 3,
) -> Response:
    """The answer begins at once and goes on as long as the speech; each line comes when it has been looked up."""
    service_of(request).charge(SCAN_COST)
    if request.headers.get("content-type", "").startswith("application/json"):
        body = await _body(request)
        text, format, said_on, top = body.text, body.format, body.said_on, body.top
    speech = await speech_asked(file, text, format, said_on)
    return event_stream(_events(service_of(request), speech, top))


class ScanBody(BaseModel):
    """A speech as JSON: its text, and what is known of it."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1, max_length=2_000_000)]
    format: Annotated[str, Field(pattern="^(tsv|dialogue|srt|vtt|json)?$")] = ""
    said_on: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    top: Annotated[int, Field(ge=1, le=20)] = 3


async def _body(request: Request) -> ScanBody:
    try:
        return ScanBody.model_validate_json(await request.body())
    except ValidationError as error:
        found = error.errors()[0]
        place = ".".join(map(str, found["loc"])) or "body"
        raise Problem("bad-request", f"{place}: {found['msg']}") from None


async def speech_asked(file: UploadFile | None, text: str, format: str, said_on: str) -> Speech:
    """Return the speech of a form. Raises Problem unless it holds a file or a text, and a day of the calendar if any."""
    if file is not None and file.filename:
        content, name = await file.read(), file.filename
    elif text.strip():
        content, name = text.encode("utf-8", "replace"), "speech"
    else:
        raise Problem("bad-request", "wanted a `file` or a `text`; both are missing")
    if said_on and not is_day(said_on):
        raise Problem("bad-request", f"said_on: wanted a day such as 2016-10-19, found {said_on!r}")
    wanted: Format | None = format or None  # type: ignore[assignment]
    return Speech(content, name[:200], wanted, said_on)


async def _events(service: Service, speech: Speech, top: int) -> AsyncIterator[str]:
    from twicetold.scan.tally import Tally  # what a server need not wait for to start

    tally, unread = Tally(), 0
    async with aclosing(listened(service, speech, top)) as every:
        async for heard in every:
            if isinstance(heard, Problem):
                yield event("problem", heard.record("/v1/scan"))
                return
            if isinstance(heard, Unread):
                unread += 1
                yield event("unread", to_json(heard))
                continue
            tally += Tally.of([heard])
            yield event("heard", heard_json(heard))
    yield event("end", to_json(tally) | {"unread": unread})


def event_stream(events: AsyncIterator[str]) -> StreamingResponse:
    """Answer with events as they come."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def event(name: str, record: Any) -> str:
    """Return one server-sent event. JSON has no bare line breaks, so it fits one `data` line."""
    return f"event: {name}\ndata: {json.dumps(record, ensure_ascii=False)}\n\n"


async def listened(service: Service, speech: Speech, top: int) -> AsyncGenerator[ScannedLine | Unread | Problem, None]:
    """Yield each line when it has been looked up; a problem, if there is one, comes last.

    There are as many such answers at once as `service.streams` has places. Between two lines others have their turn, so a reader who
    does not read keeps nobody waiting.
    """
    try:
        async with service.streams.one():
            content, name, format = speech.content, speech.name, speech.format or ""
            read = await service.speakers.do(lambda: service.parsing.speech(content, name=name, format=format), _READING_SECONDS)
            listening = _Listening(service, read, speech, top)
            try:
                while (one := await service.speakers.do(listening.next, _LINE_SECONDS, is_long=True)) is not None:
                    yield one
            finally:
                listening.end()
    except TwicetoldError as error:
        yield as_problem(error)
    except Problem as problem:
        yield problem


class _Listening:
    """A speech that is being looked up, with a lane of its own; `end` may be called while a thread is still at a line."""

    def __init__(self, service: Service, read: Sequence[Line | Unread], speech: Speech, top: int) -> None:
        self._lane = service.readers.lane()
        self._collection = self._lane.__enter__()
        self._heard = scanned_lines(self._collection, read, speech, top=top)
        self._lock = threading.Lock()
        self._is_over = False

    def next(self) -> ScannedLine | Unread | None:
        """The next line, or None after the last."""
        with self._lock:
            return None if self._is_over else next(self._heard, None)

    def end(self) -> None:
        """Give the lane back, at the latest when the line at hand is done."""

        def close() -> None:
            with self._lock:
                if not self._is_over:
                    self._is_over = True
                    self._lane.__exit__(None, None, None)

        if self._lock.locked():
            threading.Thread(target=close, name="ending", daemon=True).start()
        else:
            close()
