"""JSON as found in the wild, mended where the damage is plain: comments, stray commas, HTML entities, unescaped quotes.

It changes nothing inside well-formed strings. What still cannot be parsed is the caller's to report.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

_OPENED = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!\[CDATA\[|<!--)*+")
_CLOSED = ("//", "/*", "*/", "]]>", "-->")
# What is never closed is looked through once: a comment goes on to the end, and an escaped quote begins no string.
_PIECE = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*+"|(?<!:)//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*+[,}\]])|[}\]"](?=\s*+[{\["])', re.DOTALL)
_OPENING = re.compile(r'\s*["{\[]')
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_MEMBER = re.compile(r'^([^\S\n]*+"[^"\n]*+"\s*+:\s*+")(.*)("[^\S\n]*+,?[^\S\n]*+)$', re.MULTILINE)
_AFTER_STRING = re.compile(r'\s*+(?:$|:|,\s*+["{\[\d\-tfn}\]]|[}\]])')
_LOOSE_QUOTE = re.compile(r'(?<!\\)"')


def loads(text: str) -> Any:
    """Parse JSON, mending what can be mended. Raises ValueError with the first parser's reason if nothing helps.

    >>> loads('{"a": [1, 2,], /* note */ "b": "c",}')
    {'a': [1, 2], 'b': 'c'}
    >>> loads('{&quot;a&quot;: "it\\'s"}')
    {'a': "it's"}
    """
    bare = _unwrapped(text)
    try:
        return _parse(bare)
    except ValueError as error:
        reason = str(error)
    for mended in _attempts(bare):
        try:
            return _parse(mended)
        except ValueError:
            continue
    raise ValueError(reason)


def _unwrapped(text: str) -> str:
    """Drop white space, comment signs and the like from both ends."""
    opened = _OPENED.match(text)
    start, end = opened.end() if opened else 0, len(text)
    while end > start:
        if text[end - 1].isspace() or text[end - 1] == ";":
            end -= 1
        elif mark := next((mark for mark in _CLOSED if text.endswith(mark, start, end)), ""):
            end -= len(mark)
        else:
            break
    return text[start:end]


def _parse(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _attempts(text: str) -> list[str]:
    """The text with one repair after another applied, mildest first."""
    steps: list[Callable[[str], str]] = [
        lambda t: _PIECE.sub(_tidied, t),
        lambda t: _BAD_ESCAPE.sub(lambda found: "" if t[found.end() : found.end() + 1] == "'" else "\\\\\\\\", t),
        _requoted,
        lambda t: _MEMBER.sub(lambda member: member[1] + _LOOSE_QUOTE.sub(r'\\"', member[2]) + member[3], t),
    ]
    attempts = []
    starts = [text, html.unescape(text)] if "&quot;" in text or "&#34;" in text or "&#x22;" in text else [text]
    for start in starts:
        mended = start
        attempts.append(mended)
        for step in steps:
            mended = step(mended)
            attempts.append(mended)
    return attempts[1:]


def _requoted(text: str) -> str:
    """Escape the quotation marks inside strings. One ends its string if what follows goes on as JSON does: `: , } ]` or the end."""
    parts: list[str] = []
    at, is_inside = 0, False
    for quote in _LOOSE_QUOTE.finditer(text):
        parts.append(text[at : quote.start()])
        at = quote.end()
        is_end = is_inside and bool(_AFTER_STRING.match(text, at))
        parts.append('"' if not is_inside or is_end else '\\"')
        is_inside = not is_end
    return "".join([*parts, text[at:]])


def _tidied(piece: re.Match[str]) -> str:
    """Keep a string, drop a comment or a comma before a closing bracket, put the comma that two neighbours lack."""
    found = piece[0]
    if len(found) > 1 and found.startswith('"'):
        return found + ("," if _OPENING.match(piece.string, piece.end()) else "")
    return found + "," if found in ("}", "]") else ""
