"""Annotated captions: the speech again as a WebVTT or SubRip track, each checked line with its verdict under it.

Lines without times cannot be shown in a track and are an error. Text of fact-checks is escaped, since a VTT cue may hold mark-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from twicetold.errors import BadInput
from twicetold.reasons import graded
from twicetold.scan.scanner import Heard
from twicetold.text import tidy
from twicetold.types import FactCheck

_MARKS = {"false": "✗", "misleading": "≈", "mixed": "≈", "true": "✓", "unproven": "?", "other": "•"}
_LEAST = 1.0
"""Seconds a caption stays, also where the source gave it no length."""
_CLIP = 120


def vtt(heard: Iterable[Heard]) -> Iterator[str]:
    """Yield the blocks of a WebVTT file, the header first. Raises BadInput at the first line without times."""
    yield "WEBVTT - annotated by twicetold\n\nSTYLE\n::cue(.checked) { color: gold }\n::cue(.look) { color: silver }\n\n"
    for one in heard:
        if one.line.text:
            start, end = _times(one)
            voice = f"<v {_escaped(one.line.speaker)}>" if one.line.speaker else ""
            note = f"\n<c.{_kind(one)}>{_escaped(annotation(one))}</c>" if one.has_matches else ""
            yield f"{one.number}\n{_code(start, '.')} --> {_code(end, '.')}\n{voice}{_escaped(one.line.text)}{note}\n\n"


def srt(heard: Iterable[Heard]) -> Iterator[str]:
    """Yield the blocks of a SubRip file. Raises BadInput at the first line without times."""
    number = 0
    for one in heard:
        if one.line.text:
            number += 1
            start, end = _times(one)
            speaker = f"{one.line.speaker}: " if one.line.speaker else ""
            note = f"\n[{annotation(one)}]" if one.has_matches else ""
            yield f"{number}\n{_code(start, ',')} --> {_code(end, ',')}\n{speaker}{tidy(one.line.text)}{note}\n\n"


def annotation(heard: Heard) -> str:
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


def _kind(heard: Heard) -> str:
    return "checked" if heard.is_checked else "look"


def _doubt(heard: Heard) -> str:
    return "nearest, not decided" if heard.is_undecided else f"{graded(heard.probability).lower()} ({heard.probability:.0%})"


def _times(heard: Heard) -> tuple[float, float]:
    if heard.line.start is None:
        raise BadInput(
            f"line {heard.number} has no times, so it cannot be shown in a track; give captions (SRT, VTT), or use --format html or json"
        )
    end = heard.line.end if heard.line.end is not None else heard.line.start
    return heard.line.start, max(end, heard.line.start + _LEAST)


def _code(seconds: float, point: str) -> str:
    """
    >>> _code(3723.5, ",")
    '01:02:03,500'
    """
    millis = round(seconds * 1000)
    return f"{millis // 3_600_000:02d}:{millis // 60_000 % 60:02d}:{millis // 1000 % 60:02d}{point}{millis % 1000:03d}"


def _escaped(text: str) -> str:
    return tidy(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
