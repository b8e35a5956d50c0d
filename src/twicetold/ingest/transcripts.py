"""Speeches and debates from files and live streams: tables, "SPEAKER: text", captions, JSON, plain text.

Every reader is a generator that gives a line as soon as it is whole, so a file and a live stream are read by the same code. What
cannot be read is given as a `Problem` with its line number, and reading goes on. Sound is not transcribed here.
"""

from __future__ import annotations

import codecs
import io
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain as joined
from pathlib import Path
from typing import Any, BinaryIO, Literal

from twicetold.errors import BadInput
from twicetold.ingest.captions import read_captions
from twicetold.ingest.problems import Problem
from twicetold.text import sentences, tidy
from twicetold.types import Line, Transcript

Format = Literal["tsv", "dialogue", "srt", "vtt", "json"]
FORMATS: tuple[Format, ...] = ("tsv", "dialogue", "srt", "vtt", "json")
Numbered = Iterable[tuple[int, str]]
"""The lines of a source, counted from 1, without their ends."""

_ENDINGS: dict[str, Format] = {".tsv": "tsv", ".srt": "srt", ".vtt": "vtt", ".json": "json", ".jsonl": "json", ".ndjson": "json"}
_ROW = re.compile(r"\d+\t[^\t]*\t")
_PLACE = re.compile(r"\d{1,18}")
_LABEL = re.compile(r"(?:>>\s*)?(?P<who>[^\W\d_][\w.'’·\-]*(?: \(?[\w.'’,\-]+\)?){0,5})\s*(?::(?:\s+|$)|：\s*)(?P<said>.*)", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u9fff]")
_MOST_CHARS = 100_000
"""A longer line of a source is no line of speech; it is named and left out."""


def read_transcript(path: Path, *, format: Format | None = None) -> tuple[Transcript, list[Problem]]:
    """Read a file whole. Returns the transcript and what in it could not be read. Raises BadInput if there is nothing in it."""
    lines: list[Line] = []
    problems: list[Problem] = []
    try:
        with path.open("rb") as stream:
            for read in read_lines(stream, name=path.name, format=format or format_of(path)):
                if isinstance(read, Line):
                    lines.append(read)
                else:
                    problems.append(read)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    if not lines:
        reason = f" (first: {problems[0]})" if problems else ""
        raise BadInput(f"{path} holds no line of speech{reason}; wanted a transcript: {', '.join(FORMATS)}")
    return Transcript(path.stem, path.stem.replace("_", " "), tuple(lines)), problems


def format_of(path: Path) -> Format | None:
    """Return the format that a file's ending tells, None if it tells none."""
    return _ENDINGS.get(path.suffix.lower())


def read_lines(stream: BinaryIO, *, name: str = "standard input", format: Format | None = None) -> Iterator[Line | Problem]:
    """Yield the lines of a stream as they become whole; without a format, the first line that is not blank tells it."""
    problems: list[Problem] = []
    source = _decoded(stream, name, problems.append)
    opening: list[tuple[int, str]] = []
    for number, text in source:
        opening.append((number, text))
        if text.strip():
            break
    wanted = format or _sniffed(opening[-1][1] if opening else "")
    for read in _READERS[wanted](joined(opening, source), name):
        yield from problems
        problems.clear()
        yield read
    yield from problems


def _sniffed(first: str) -> Format:
    first = first.strip()
    if first.startswith("WEBVTT"):
        return "vtt"
    if first.startswith(("{", "[{", "[\n")) or first == "[":
        return "json"
    if first.isdecimal() or "-->" in first:
        return "srt"
    return "tsv" if _ROW.match(first) else "dialogue"


# --- bytes to text -------------------------------------------------------------------------------------------------


def _decoded(stream: BinaryIO, name: str, note: Callable[[Problem], None]) -> Iterator[tuple[int, str]]:
    """Decode line by line: UTF-8, or UTF-16 by its mark. A line that is neither is read as Windows-1252, and named.

    Raises BadInput if the stream begins with what is no text; later on such a line is named and left out.
    """
    opening = stream.peek(_OPENING)[:_OPENING] if isinstance(stream, io.BufferedReader) else b""
    first = stream.readline()
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = (first + stream.read()).decode("utf-16", "replace")
        yield from enumerate(text.splitlines(), start=1)
        return
    if not is_text(opening or first[:_OPENING]):
        raise BadInput(f"{name} is no text; wanted a transcript: {', '.join(FORMATS)}")
    for number, raw in enumerate(joined([first] if first else [], stream), start=1):
        if len(raw) > _MOST_CHARS * 4:
            note(Problem(f"{name}, line {number}", f"{len(raw):,} bytes without a line break are no line of speech; left out"))
            yield number, ""
            continue
        if not is_text(raw):
            note(Problem(f"{name}, line {number}", "holds signs that no text has; left out"))
            yield number, ""
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            text = raw.decode("cp1252", "replace")
            note(Problem(f"{name}, line {number}", f"not UTF-8 (byte {error.start + 1}); read as Windows-1252"))
        yield number, text.rstrip("\r\n")


def decoded(content: bytes) -> str:
    """Return a transcript's text as its lines are read, each with a line break; raises BadInput if it is no text."""
    return "".join(f"{text}\n" for _, text in _decoded(io.BytesIO(content), "the transcript", lambda problem: None))


_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_OPENING = 4096


def is_text(content: bytes) -> bool:
    """Tell text from what is none: a picture, a program, a document of some application. Text holds no NUL and hardly any control signs.

    >>> is_text("It’s a café.".encode()), is_text(b"PK\\x03\\x04\\x14\\x00")
    (True, False)
    """
    return b"\x00" not in content and 10 * len(_CONTROL.findall(content)) <= len(content)


# --- tables and plain text -----------------------------------------------------------------------------------------


def _read_tsv(source: Numbered, name: str) -> Iterator[Line | Problem]:
    """CheckThat's tables: number, speaker, sentence, and perhaps a mark, by tabs. A broken row keeps its place as an empty line."""
    wanted = 1
    for number, text in source:
        if not text.strip():
            continue
        place, *cells = text.split("\t")
        place = place.strip()
        if len(cells) < 2 or not _PLACE.fullmatch(place):
            yield Problem(f"{name}, line {number}", f"wanted number, speaker and sentence by tabs, found {text.strip()!r:.60}")
            yield Line("", "")
        else:
            if int(place) != wanted:
                yield Problem(f"{name}, line {number}", f"is numbered {place}, but is line {wanted} of the speech")
            yield Line(tidy(cells[0]), tidy(cells[1]))
        wanted += 1


def _read_dialogue(source: Numbered, name: str) -> Iterator[Line | Problem]:
    """Text with or without "SPEAKER:" before it, a line of it cut into sentences. Without a new label the speaker goes on."""
    speaker = ""
    for _, text in source:
        who, said = split_label(tidy(text))
        speaker = who or speaker
        yield from (Line(speaker, said[start:end]) for start, end in sentences(said))


def split_label(text: str) -> tuple[str, str]:
    """Split "SPEAKER: text" into both; the speaker is "" where the text before the colon does not look like a name.

    >>> split_label("SEN. SANDERS: Let me be clear."), split_label("Here is the thing: taxes rose.")
    (('SEN. SANDERS', 'Let me be clear.'), ('', 'Here is the thing: taxes rose.'))
    >>> split_label("张三：疫苗会导致自闭症。")
    ('张三', '疫苗会导致自闭症。')
    """
    found = _LABEL.fullmatch(text)
    if not found or not _looks_like_name(found["who"]):
        return "", text.removeprefix(">>").strip()
    return found["who"].strip(), found["said"].strip()


def _looks_like_name(label: str) -> bool:
    words = label.split()
    if _HAN.search(label):
        # No capitals tell a name: it is short, and none of the words by which a sentence leads up to its colon.
        return len(label) <= _MOST_HAN and not _HAN_SENTENCE.search(label)
    return all(word.strip("(").upper() == word.strip("(") or word[0].isupper() or word.lower() in _PARTICLES for word in words) and (
        len(words) > 1 or label.isupper() or label not in _NO_NAMES
    )


_MOST_HAN = 10
_HAN_SENTENCE = re.compile(r"[我你他她它们的是说道了吗呢这那]|结果|结论|原因|例如|比如|注意|首先|其次|最后|因此|所以|但是|第.")
_PARTICLES = frozenset({"de", "da", "del", "di", "van", "von", "la", "le", "bin", "al", "of", "the"})
_NO_NAMES = frozenset({"Note", "Remember", "Look", "Well", "Here", "Now", "So", "But", "And", "Because", "First", "Second", "Third"})


# --- JSON ----------------------------------------------------------------------------------------------------------


def _read_json(source: Numbered, name: str) -> Iterator[Line | Problem]:
    """One object a line, or one document: a list of lines, or an object with `lines` or (as speech recognisers write) `segments`.

    A row that is broken is named and keeps its place; a document that is cut off gives what is whole.
    """
    rows = ((number, text) for number, text in source if text.strip())
    timed = _Times()
    opening = list(itertools.islice(rows, 1))
    if opening and not _is_row(opening[0][1]):
        # Half an object may be the first line of a document, or a broken row before whole ones: the next line tells.
        opening += itertools.islice(rows, 1)
    if any(_is_row(text) for _, text in opening):
        for number, text in joined(opening, rows):
            yield from _from_row(text, f"{name}, line {number}", timed)
    elif opening:
        yield from _from_document("\n".join(text for _, text in joined(opening, rows)), name, timed)


def _is_row(text: str) -> bool:
    """True if this is a line of JSON Lines, though it may not be one of speech."""
    record = _loaded(text)
    return isinstance(record, dict) and not ({"lines", "segments"} & set(record))


def _from_row(text: str, place: str, timed: _Times) -> Iterator[Line | Problem]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Problem(place, f"is no JSON ({error}), found {text.strip()!r:.60}")
        yield Line("", "")
        return
    yield from _from_record(record, place, timed)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _from_document(text: str, name: str, timed: _Times) -> Iterator[Line | Problem]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield from _from_broken(text, name, timed, error)
        return
    spoken = document.get("lines", document.get("segments")) if isinstance(document, dict) else document
    if not isinstance(spoken, list):
        yield Problem(name, "wanted a list of lines, or an object with `lines` or `segments`")
        return
    for at, record in enumerate(spoken, start=1):
        yield from _from_record(record, f"{name}, line {at} of the speech", timed)


_LIST = re.compile(r"\s*\[|\s*\{.*?\"(?:lines|segments)\"\s*:\s*\[", re.DOTALL)
_BETWEEN = re.compile(r"[\s,]*")
_NEXT = re.compile(r"[,\n]\s*(?=\{)")
_MOST_TRIES = 1000
"""How often the next whole row is looked for behind a broken one."""


def _from_broken(text: str, name: str, timed: _Times, error: Exception) -> Iterator[Line | Problem]:
    """The rows of a document that is not whole JSON: those that are whole, and an empty line for what stands broken between them."""
    opened = _LIST.match(text)
    at, number = opened.end() if opened else len(text), 0
    decoder = json.JSONDecoder()
    while at < len(text):
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == "]":
            break
        number += 1
        place = f"{name}, line {number} of the speech"
        try:
            record, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            found = _next_row(text, at, decoder)
            if found is None:
                break
            yield Problem(place, f"is no JSON, found {text[at:found].strip()!r:.60}")
            yield Line("", "")
            at = found
        else:
            yield from _from_record(record, place, timed)
    yield Problem(
        name, f"starts like JSON but is not: {error}; {'what could be read of it was' if number else 'nothing of it could be read'}"
    )


def _next_row(text: str, at: int, decoder: json.JSONDecoder) -> int | None:
    """Where the next row that can be read begins, None if there is none: the document is cut off."""
    for found in itertools.islice(_NEXT.finditer(text, at), _MOST_TRIES):
        try:
            record, _ = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("text"), str):
            return found.end()
    return None


def _from_record(record: Any, place: str, timed: _Times) -> Iterator[Line | Problem]:
    text = record.get("text") if isinstance(record, dict) else record
    if not isinstance(text, str):
        yield Problem(place, f'wanted {{"speaker": …, "text": …}}, found {str(record)!r:.80}')
        yield Line("", "")
        return
    if not isinstance(record, dict):
        yield Line("", tidy(text))
        return
    start, end, trouble = timed.of(record)
    if trouble:
        yield Problem(place, trouble)
    yield Line(tidy(str(record.get("speaker") or "")), tidy(text), start, end)


class _Times:
    """Reads the times of one line after another. A line keeps its words whatever its times."""

    def __init__(self) -> None:
        self._latest = 0.0

    def of(self, record: dict[str, Any]) -> tuple[float | None, float | None, str]:
        """The start, the end, and what is wrong with them."""
        start, end = (_seconds(record.get(key)) for key in ("start", "end"))
        strange = [key for key in ("start", "end") if record.get(key) is not None and _seconds(record[key]) is None]
        if strange:
            told = " and ".join(f"its {key} {record[key]!r:.40}" for key in strange)
            return start, end, f"{told} cannot be read as seconds of the speech; ignored"
        if start is not None and end is not None and end < start:
            return start, start, f"ends ({end:g} s) before it starts ({start:g} s); its end is ignored"
        if start is not None and start < self._latest:
            return start, end, f"starts at {start:g} s, before the one above it ({self._latest:g} s)"
        self._latest = start if start is not None else self._latest
        return start, end, ""


def _seconds(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= _LONGEST else None  # type: ignore[arg-type, operator]


_LONGEST = 1e7
"""Seconds; what claims to be later than four months into a speech is no time."""


_READERS: dict[Format, Callable[[Numbered, str], Iterator[Line | Problem]]] = {
    "tsv": _read_tsv,
    "dialogue": _read_dialogue,
    "srt": read_captions,
    "vtt": read_captions,
    "json": _read_json,
}
