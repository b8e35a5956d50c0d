"""Annotated captions: the speech again as a WebVTT or SubRip track, each checked line with its verdict under it.

Lines without times cannot be shown in a track and are left out; a speech without any makes none. Text of fact-checks is escaped, since a
VTT cue may hold mark-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from twicetold.answer.phrases import graded
from twicetold.errors import BadInput
from twicetold.progress import silent
from twicetold.scan.scanner import ScannedLine
from twicetold.text import tidy
from twicetold.types import FactCheck, Line

_MARKS = {"false": "✗", "misleading": "≈", "mixed": "≈", "true": "✓", "unproven": "?", "other": "•"}
_LEAST = 1.0
"""Seconds a caption stays, also where the source gave it no length."""
_CLIP = 120
_PATIENCE = 10
"""How many lines of a stream may come without times before any comes with them."""


LeaveOut = Callable[[ScannedLine], None]
"""Told of each line that has words but no times."""


def vtt(heard: Iterable[ScannedLine], *, leave_out: LeaveOut = silent) -> Iterator[str]:
    """Yield the blocks of a WebVTT file, the header first. Raises BadInput before the first block if no line has times.

    Captions are in order of time: lines that are all there (a list) are sorted; one late in a stream starts when the one above ends.
    """
    for number, (one, start, end) in enumerate(_timed(heard, leave_out), start=1):
        if number == 1:
            yield "WEBVTT - annotated by twicetold\n\nSTYLE\n::cue(.checked) { color: gold }\n::cue(.look) { color: silver }\n\n"
        voice = f"<v {_escaped(one.line.speaker)}>" if one.line.speaker else ""
        note = f"\n<c.{_kind(one)}>{_escaped(annotation(one))}</c>" if one.has_matches else ""
        yield f"{one.number}\n{_code(start, '.')} --> {_code(end, '.')}\n{voice}{_escaped(one.line.text)}{note}\n\n"


def srt(heard: Iterable[ScannedLine], *, leave_out: LeaveOut = silent) -> Iterator[str]:
    """Yield the blocks of a SubRip file, as `vtt` does."""
    for number, (one, start, end) in enumerate(_timed(heard, leave_out), start=1):
        speaker = f"{one.line.speaker}: " if one.line.speaker else ""
        note = f"\n[{annotation(one)}]" if one.has_matches else ""
        yield f"{number}\n{_code(start, ',')} --> {_code(end, ',')}\n{speaker}{tidy(one.line.text)}{note}\n\n"


def check_timed(lines: Sequence[Line]) -> None:
    """Raise BadInput unless some of these lines can be shown in a track."""
    if not any(line.text and line.start is not None for line in lines):
        raise BadInput("no line has times, so there is no track to write; give captions (SRT, VTT), or use --format html or json")


def _timed(heard: Iterable[ScannedLine], leave_out: LeaveOut) -> Iterator[tuple[ScannedLine, float, float]]:
    """The lines that have times, each with its start and end."""
    if isinstance(heard, Sequence):
        check_timed([one.line for one in heard])
        heard = sorted(heard, key=lambda one: one.line.start or 0.0)
    latest, waiting = None, list[ScannedLine]()
    starts = iter(_next_starts(heard) if isinstance(heard, Sequence) else ())
    for one in heard:
        if not one.line.text:
            continue
        if one.line.start is None:
            # A stream whose first lines have no times will not have any: better said now than when it is over.
            if latest is None and len(waiting) + 1 >= _PATIENCE:
                check_timed([one.line])
            waiting.append(one)
            continue
        start = max(one.line.start, latest or 0.0)
        following = next(starts, None)
        end = max(one.line.end or 0.0, start + _LEAST)
        if following is not None and following > start:
            end = min(end, following)
        latest = end  # two captions are never shown at once: a player would put one upon the other
        while waiting:
            leave_out(waiting.pop(0))
        yield one, start, end
    if latest is None:
        check_timed([one.line for one in waiting])
    for one in waiting:
        leave_out(one)


def _next_starts(heard: Sequence[ScannedLine]) -> list[float | None]:
    """For each line that can be shown, when the next one starts."""
    starts = [one.line.start for one in heard if one.line.text and one.line.start is not None]
    return [*starts[1:], None]


def annotation(heard: ScannedLine) -> str:
    """Return one line for a claim that has matches: a mark, the publisher's rating, who checked it when, and the claim as it was checked.

    Where that does not answer the line for certain, how sure it is stands before the rating instead of a mark.
    """
    assert heard.ranking is not None
    check = heard.ranking.matches[0].doc
    assert isinstance(check, FactCheck)
    mark = _MARKS[check.verdict.value] if heard.is_checked else f"… {_doubt(heard)}:"
    where = ", ".join(part for part in (check.publisher, check.published) if part)
    said = tidy(check.claim or check.title)
    clipped = said if len(said) <= _CLIP else said[: _CLIP - 1] + "…"
    return f"{mark} {check.rating or 'checked'}{f' ({where})' if where else ''}: {clipped}"


def _kind(heard: ScannedLine) -> str:
    return "checked" if heard.is_checked else "look"


def _doubt(heard: ScannedLine) -> str:
    if heard.is_changed:
        return "close, but not the same"
    return "nearest, not decided" if heard.is_undecided else f"{graded(heard.probability).lower()} ({heard.probability:.0%})"


def _code(seconds: float, point: str) -> str:
    """
    >>> _code(3723.5, ",")
    '01:02:03,500'
    """
    millis = round(seconds * 1000)
    return f"{millis // 3_600_000:02d}:{millis // 60_000 % 60:02d}:{millis // 1000 % 60:02d}{point}{millis % 1000:03d}"


def _escaped(text: str) -> str:
    return tidy(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
