"""HTML entities in texts that are otherwise plain, as spreadsheets made of web pages hold them: `&#8217;`, `&amp;`.

Only whole entities that HTML knows are read; `AT&T`, `&copy of this` and a text with tags are left as they stand.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from html.entities import html5

_ENTITY = re.compile(r"&(?:#\d{2,7}|#[xX][0-9a-fA-F]{2,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TEXTS = frozenset(["claim", "title", "body", "claimant", "publisher", "rating"])


def resolved(text: str) -> str:
    """Return a plain text with its entities read.

    >>> resolved("The mayor&#8217;s R&D &lt; AT&amp;T")
    'The mayor’s R&D < AT&T'
    """
    if "&" not in text or _TAG.search(text):
        return text
    return _ENTITY.sub(_character, text)


def resolved_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a fact-check with the entities of its texts read; links, ids and dates are left."""
    return {name: resolved(text) if name in _TEXTS else text for name, text in fields.items()}


def _character(found: re.Match[str]) -> str:
    name = found[0][1:]
    if not name.startswith("#"):
        return html5.get(name, found[0])
    read = html.unescape(found[0])
    # A number that stands for no character is read as one that says so, or as nothing: then what was written says more.
    return found[0] if read in ("", "\ufffd") else read
