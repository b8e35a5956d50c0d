"""*Read a debate*: a transcript or captions in, its lines out with the checked ones marked, as they are found."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.responses import Response

from twicetold.ingest.problems import Problem as Unread
from twicetold.ingest.transcripts import decoded
from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.scan import event, event_stream, listened, speech_asked
from twicetold.serve.limits import SCAN_COST
from twicetold.serve.pages.render import fragment, page
from twicetold.serve.problems import Problem
from twicetold.serve.scanning import Speech, heard_json
from twicetold.serve.service import Service, service_of

if TYPE_CHECKING:
    from twicetold.scan.scanner import ScannedLine

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_TOP = 3
_QUEUED = 20
Upload = Annotated[UploadFile | None, File()]
Text = Annotated[str, Form(max_length=2_000_000)]
Day = Annotated[str, Form(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
Shape = Literal["html", "vtt", "srt", "jsonl"]
_KINDS = {"html": "text/html", "vtt": "text/vtt", "srt": "application/x-subrip", "jsonl": "application/x-ndjson"}


@router.get("/debate")
async def debate(request: Request, _: Reader) -> Response:
    """The form."""
    return page(request, "debate.html", heard=[], said="", queue=[], is_timed=True, text="", said_on="", unread=[])


@router.post("/debate")
async def debate_read(request: Request, _: Reader, file: Upload = None, text: Text = "", said_on: Day = "") -> Response:
    """The whole answer at once, for browsers without scripts."""
    service_of(request).charge(SCAN_COST)
    speech = await speech_asked(file, text, "", said_on)
    every, unread = await _whole(service_of(request), speech)
    shown = await service_of(request).aside(lambda: decoded(speech.content))
    said, queue, is_timed = _said(every), _left(every), _is_timed(every)
    return page(request, "debate.html", heard=every, said=said, queue=queue, is_timed=is_timed, text=shown, said_on=said_on, unread=unread)


@router.post("/debate/lines")
async def debate_lines(request: Request, _: Reader, file: Upload = None, text: Text = "", said_on: Day = "") -> Response:
    """The same as events, each with the HTML of one line and, if it was checked, of its card."""
    service_of(request).charge(SCAN_COST)
    speech = await speech_asked(file, text, "", said_on)
    return event_stream(_fragments(service_of(request), speech))


async def _fragments(service: Service, speech: Speech) -> AsyncIterator[str]:
    every: list[ScannedLine] = []
    unread: list[Unread] = []
    async with aclosing(listened(service, speech, _TOP)) as lines:
        async for one in lines:
            if isinstance(one, Problem):
                yield event("problem", one.record("/debate"))
                return
            if isinstance(one, Unread):
                unread.append(one)
                continue
            every.append(one)
            parts = {"number": one.number, "line": fragment("line.html", one=one), "is_checked": one.is_checked}
            yield event("line", parts | ({"card": fragment("line_card.html", one=one)} if one.has_matches and not one.part_of else {}))
    parts = {"left": fragment("left.html", queue=_left(every)), "unread": fragment("unread.html", unread=unread)}
    yield event("end", {"lines": len(every), "said": _said(every), "is_timed": _is_timed(every)} | parts)


async def _whole(service: Service, speech: Speech) -> tuple[list[ScannedLine], list[Unread]]:
    """Every line, and what could not be read."""
    every: list[ScannedLine] = []
    unread: list[Unread] = []
    async with aclosing(listened(service, speech, _TOP)) as lines:
        async for one in lines:
            if isinstance(one, Problem):
                raise one
            if isinstance(one, Unread):
                unread.append(one)
            else:
                every.append(one)
    return every, unread


@router.post("/debate/export")
async def debate_export(
    request: Request, _: Reader, shape: Annotated[Shape, Form()], file: Upload = None, text: Text = "", said_on: Day = ""
) -> Response:
    """The annotated speech as a file: a report, a caption track or JSON Lines."""
    service_of(request).charge(SCAN_COST)
    speech = await speech_asked(file, text, "", said_on)
    every, _unread = await _whole(service_of(request), speech)
    if shape in ("vtt", "srt") and not _is_timed(every):
        raise Problem("bad-request", "the lines have no times, so they cannot become captions; export a report instead")
    name = Path(speech.name).stem or "speech"
    safe = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name)[:60]
    headers = {"Content-Disposition": f'attachment; filename="{safe}-checked.{shape}"'}
    return Response(_written(shape, name, every).encode("utf-8", "replace"), headers=headers, media_type=_KINDS[shape])


def _written(shape: Shape, name: str, every: Sequence[ScannedLine]) -> str:
    from twicetold.scan.report import html
    from twicetold.scan.tracks import srt, vtt

    if shape == "html":
        return html(name, every, top=_TOP)
    if shape == "jsonl":
        return "".join(json.dumps(heard_json(one), ensure_ascii=False) + "\n" for one in every)
    return "".join(vtt(every) if shape == "vtt" else srt(every))


def _is_timed(every: Sequence[ScannedLine]) -> bool:
    """True if some lines can be shown as captions; those without times are left out of them."""
    return any(one.line.text and one.line.start is not None for one in every)


def _said(every: Sequence[ScannedLine]) -> str:
    """What was read, in a sentence."""
    from twicetold.scan.tally import Tally, counted

    tally = Tally.of(every)
    return f"{counted(tally.lines, 'line')} read: {tally.claims()}."


def _left(every: Sequence[ScannedLine]) -> Sequence[ScannedLine]:
    from twicetold.scan.scanner import queue

    return queue(every)[:_QUEUED]
