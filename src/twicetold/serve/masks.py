"""Field masks: which members of an answer are wanted, as Google's APIs write them: `claims(text,claimReview/url),nextPageToken`.

A mask names members; a list is looked through. `a/b` and `a(b)` are the same, `*` is all. What is not there is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from twicetold.serve.problems import Problem

Mask = Mapping[str, Any]
_TOKEN = re.compile(r"\s*([\w*.:@-]+|[(),/])")
_MOST_CHARS = 2000
_DEEPEST = 12


def parse(text: str) -> dict[str, Any]:
    """Return the mask as nested dicts, empty where all of a member is wanted. Raises Problem if it cannot be understood.

    >>> parse("claims(text,claimReview/url),nextPageToken")
    {'claims': {'text': {}, 'claimReview': {'url': {}}}, 'nextPageToken': {}}
    """
    if len(text) > _MOST_CHARS:
        raise Problem("bad-request", f"`fields` has {len(text):,} characters; {_MOST_CHARS:,} at most")
    tokens = iter([*_tokens(text), ""])
    mask, end = _members(tokens, 0)
    if end:
        raise Problem("bad-request", f"`fields` has a {end!r} too many: {text!r:.80}")
    return mask


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Problem("bad-request", f"`fields` cannot be read at {text[at : at + 20]!r}; wanted names, as in a(b,c/d)")
        yield found[1]
        at = found.end()


def _members(tokens: Iterator[str], depth: int) -> tuple[dict[str, Any], str]:
    """Read members up to a closing bracket or the end; return them and what ended them."""
    if depth > _DEEPEST:
        raise Problem("bad-request", "`fields` is nested too deeply")
    mask: dict[str, Any] = {}
    while True:
        name, inside, token = next(tokens, ""), mask, "/"
        while token == "/":
            if not name or name in "(),/":
                raise Problem("bad-request", "`fields` lacks a name; wanted names, as in matches(doc/id,doc/rating)")
            inside = inside.setdefault(name, {})
            token = next(tokens, "")
            name = next(tokens, "") if token == "/" else ""
        if token == "(":
            within, end = _members(tokens, depth + 1)
            if end != ")":
                raise Problem("bad-request", "`fields` lacks a closing bracket")
            inside.update(within)
            token = next(tokens, "")
        if token != ",":
            return mask, token


def masked(value: Any, mask: Mask) -> Any:
    """Return the value with only the members that the mask names; all of it for an empty mask."""
    if not mask or "*" in mask:
        return value
    if isinstance(value, list):
        return [masked(one, mask) for one in value]
    if isinstance(value, dict):
        return {name: masked(value[name], inner) for name, inner in mask.items() if name in value}
    return value
