"""Captions, SubRip (.srt) and WebVTT (.vtt), turned into timed sentences.

A caption shows what fits on a screen, not a sentence: cues are joined until a sentence ends, the speaker changes, or a pause comes,
and a sentence inside a cue gets its share of the cue's time. Lines that roll up (shown again in the next cue) are read once.
Styling, positions and regions are dropped. W3C WebVTT; SubRip has no standard, the common form is read.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from twicetold.ingest.problems import Problem
from twicetold.text import sentences, tidy
from twicetold.types import Line

_ARROW = "-->"
_IN_CODE = "0123456789:.,"
_CODE = re.compile(r"(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?")
# A tag that is never closed ends at the next one: looking for its end to the end of the file, from each of them, takes forever.
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s([^<>]++)>")
_TAG = re.compile(r"<[^<>]*+>|\{\\[^{}]*+\}")
_NEXT_VOICE = re.compile(r"(?=<v[.\s])")
_LABEL = re.compile(
    r"(?:>>+\s*)?(?P<who>[A-Z][A-Z.'’\-]+(?: [A-Z.'’\-]+){0,3}|[A-Z][\w.'’]+(?: [A-Z][\w.'’]+){1,2}|"
    r"(?:(?![我你他她它们的是说了这那])[\u3400-\u9fff·]){2,6}(?=\s*：))\s*(?::\s+|：\s*)(?P<said>.*)"
)
_SKIPPED = ("NOTE", "STYLE", "REGION", "WEBVTT")
_PAUSE = 3.0
"""Seconds of silence that end a sentence, whatever its punctuation."""
_MOST_WORDS = 45
"""Automatic captions often have no punctuation at all; a sentence is cut here then."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One caption: when it is shown, who speaks ("" if the captions do not say, ">>" for somebody else), and the words."""

    start: float | None
    end: float | None
    speaker: str
    text: str


def read_captions(source: Iterable[tuple[int, str]], name: str) -> Iterator[Line | Problem]:
    """Yield sentences, each when the cue that ends it has been read."""
    pending: list[Cue] = []
    for cue in _cues(source, name):
        if isinstance(cue, Problem):
            yield cue
            continue
        if pending and _is_break(pending[-1], cue):
            yield from _flushed(pending)
            pending = []
        if not cue.speaker and pending:
            cue = Cue(cue.start, cue.end, pending[-1].speaker, cue.text)
        pending.append(cue)
        whole, pending = _taken(pending)
        yield from whole
    yield from _flushed(pending)


def seconds(code: str) -> float | None:
    """Return the seconds a time code names, None if it is none.

    >>> seconds("01:02:03,500"), seconds("02:03.5"), seconds("noon")
    (3723.5, 123.5, None)
    """
    found = _CODE.fullmatch(code.strip())
    if not found or int(found[2]) > 59 or int(found[3]) > 59:
        return None
    return int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3]) + int((found[4] or "0").ljust(3, "0")) / 1000


# --- cues ----------------------------------------------------------------------------------------------------------


def _cues(source: Iterable[tuple[int, str]], name: str) -> Iterator[Cue | Problem]:
    """Read blocks separated by blank lines. A block without times is a header, a note or broken; the last is named."""
    speaker, latest, shown = "", 0.0, frozenset[str]()
    for number, block in _blocks(source):
        place = f"{name}, line {number}"
        at = next((i for i, text in enumerate(block[:2]) if _ARROW in text), None)
        if at is None:
            if not block[0].startswith(_SKIPPED) and not (len(block) == 1 and block[0].isdecimal()):
                yield Problem(place, f"wanted a caption with its times (00:01:02.000 --> 00:01:04.000), found {block[0]!r:.60}")
            continue
        start, end, trouble = _times(block[at], latest)
        if trouble:
            yield Problem(f"{name}, line {number + at}", trouble)
        latest = max(latest, start or 0.0)
        said = [(text, _plain(text)) for text in _by_voice(block[at + 1 :])]
        fresh = [(raw, text) for raw, text in said if text and text not in shown]
        shown = frozenset(text for _, text in said)
        for raws, texts in _turns(fresh):
            speaker, text = _speaker(raws, " ".join(texts), speaker)
            yield Cue(start, end, speaker, text)


def _by_voice(block: list[str]) -> list[str]:
    """The lines of a caption, cut where another voice begins."""
    return [part for text in block for part in _NEXT_VOICE.split(text) if part.strip()]


def _turns(said: list[tuple[str, str]]) -> Iterator[tuple[list[str], list[str]]]:
    """What each voice of a caption says, as it was written and in plain words; without voices all of it is one."""
    raws, texts = list[str](), list[str]()
    for raw, text in said:
        if texts and _VOICE.search(raw):
            yield raws, texts
            raws, texts = [], []
        raws.append(raw)
        texts.append(text)
    if texts:
        yield raws, texts


def _blocks(source: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    started, block = 0, list[str]()
    for number, text in source:
        if "-->" in text and any("-->" in line for line in block):  # the blank line before it is missing
            name = [block.pop()] if block[-1].isdecimal() and len(block) > 2 else []
            yield started, block
            started, block = number - len(name), [*name, text.strip()]
        elif text.strip():
            started = started if block else number
            block.append(text.strip())
        elif block:
            yield started, block
            block = []
    if block:
        yield started, block


def _times(text: str, latest: float) -> tuple[float | None, float | None, str]:
    """The times of a cue and what is wrong with them. Overlapping cues are common and fine; a cue keeps its words whatever its times."""
    before, _, after = (part.strip() for part in text.partition(_ARROW))
    start = seconds(before[len(before.rstrip(_IN_CODE)) :])
    end = seconds(after[: len(after) - len(after.lstrip(_IN_CODE))])
    if start is None or end is None:
        return None, None, f"the times {text!r:.60} cannot be read; wanted 00:01:02.000 --> 00:01:04.000"
    if end < start:
        return start, start, f"the caption ends ({end:g} s) before it starts ({start:g} s); its end is ignored"
    if start < latest:
        return start, end, f"the caption starts at {start:g} s, before the one above it ({latest:g} s)"
    return start, end, ""


def _plain(text: str) -> str:
    return tidy(html.unescape(_TAG.sub("", text)).lstrip("-–— "))


def _speaker(raw: list[str], text: str, before: str) -> tuple[str, str]:
    voice = next((found[1].strip() for found in map(_VOICE.search, raw) if found), "")
    if voice:
        return tidy(voice), text
    label = _LABEL.fullmatch(text)
    if label:
        return label["who"], label["said"]
    if text.startswith(">>"):
        return "", text.lstrip("> ")
    return before, text


# --- sentences -----------------------------------------------------------------------------------------------------


def _is_break(last: Cue, cue: Cue) -> bool:
    is_pause = last.end is not None and cue.start is not None and cue.start - last.end > _PAUSE
    return is_pause or cue.speaker != last.speaker


def _taken(pending: list[Cue]) -> tuple[list[Line], list[Cue]]:
    """Cut off the sentences that are whole; what is left waits for the next cue."""
    text, places = _laid_out(pending)
    spans = sentences(text)
    if not spans:
        return [], []
    is_ended = text[-1] in '.!?…"”’)]。！？' or len(text[spans[-1][0] :].split()) >= _MOST_WORDS
    ready = spans if is_ended else spans[:-1]
    if not ready:
        return [], pending
    lines = [_timed(pending, places, text, span) for span in ready]
    if is_ended:
        return lines, []
    at, _ = spans[-1]
    keep = max(i for i, place in enumerate(places) if place <= at)
    cue = pending[keep]
    rest = Cue(_time_at(pending, places, text, at), cue.end, cue.speaker, text[at : places[keep] + len(cue.text)])
    return lines, [rest, *pending[keep + 1 :]]


def _flushed(pending: list[Cue]) -> Iterator[Line]:
    text, places = _laid_out(pending)
    return (_timed(pending, places, text, span) for span in sentences(text))


def _laid_out(cues: list[Cue]) -> tuple[str, list[int]]:
    text, places = "", list[int]()
    for cue in cues:
        text += " " if text else ""
        places.append(len(text))
        text += cue.text
    return text, places


def _timed(cues: list[Cue], places: list[int], text: str, span: tuple[int, int]) -> Line:
    start, end = (_time_at(cues, places, text, at) for at in span)
    return Line(cues[0].speaker, text[span[0] : span[1]], start, end)


def _time_at(cues: list[Cue], places: list[int], text: str, at: int) -> float | None:
    """The moment a character is said, as if a cue's characters were spoken evenly."""
    which = max(i for i, place in enumerate(places) if place <= at)
    cue = cues[which]
    if cue.start is None or cue.end is None:
        return None
    share = min((at - places[which]) / max(len(cue.text), 1), 1.0)
    return round(cue.start + share * (cue.end - cue.start), 3)
