"""JSON-LD nodes as publishers write them: values that are a text, an object or a list of either, references, types with prefixes.

It gives plain texts, links and names; it does not expand contexts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

Node = Mapping[str, Any]

MAX_DEPTH = 40
_TAG = re.compile(r"</?(?:a|b|blockquote|br|div|em|h\d|i|li|ol|p|q|span|strong|u|ul)\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"(?:<br\s*/?>|</(?:p|div|li|h\d)>)", re.IGNORECASE)


def objects(value: Any) -> Iterator[Node]:
    """Yield every object inside a JSON value, outermost first, in the order of the document."""
    stack = [(value, 0)]
    while stack:
        current, depth = stack.pop()
        if isinstance(current, dict):
            yield current
        if depth < MAX_DEPTH:
            stack.extend((part, depth + 1) for part in inner(current))


def inner(value: Any) -> list[Any]:
    """The objects and lists directly inside a value, last first, as a stack wants them."""
    parts: Collection[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for part in reversed(list(parts)) if isinstance(part, dict | list)]


def by_id(value: Any) -> dict[str, Node]:
    """The described nodes of a document by `@id`; a bare reference describes nothing."""
    return {node["@id"]: node for node in objects(value) if isinstance(node.get("@id"), str) and len(node) > 1}


def kinds(node: Node) -> frozenset[str]:
    """The node's types without the vocabulary's address: `http://schema.org/ClaimReview` is `ClaimReview`."""
    told = node.get("@type")
    if isinstance(told, str):
        return _kind(told)
    return frozenset().union(*(_kind(kind) for kind in listed(told) if isinstance(kind, str)))


@lru_cache(maxsize=4096)
def _kind(told: str) -> frozenset[str]:
    return frozenset({re.split(r"[/:#]", told)[-1]})


def listed(value: Any) -> list[Any]:
    """The value as a list: absent is empty, a single one is a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def nodes(value: Any, known: Mapping[str, Node]) -> list[Node]:
    """The objects a value holds, references followed; a bare text becomes an object of that name."""
    found: list[Node] = []
    for one in listed(value):
        if isinstance(one, dict):
            reference = one.get("@id")
            found.append(known.get(reference, one) if isinstance(reference, str) and len(one) == 1 else one)
        elif isinstance(one, str) and one.strip():
            found.append(known.get(one, {"name": one}))
    return found


def text(value: Any) -> str:
    """The first text in a value, without mark-up: of `{"@value": …}` and `{"name": …}` what they hold."""
    for one in listed(value):
        if isinstance(one, dict):
            one = one.get("@value", one.get("name"))
        if isinstance(one, bool | list | dict) or one is None:
            continue
        if said := without_markup(str(one)):
            return said
    return ""


def without_markup(said: str) -> str:
    """Drop HTML tags and resolve entities, which many publishers leave in their JSON-LD."""
    if "<" in said:
        said = _TAG.sub("", _BREAK.sub("\n", said))
    if "&" in said:
        said = html.unescape(said)
    return said.strip()


def first(candidates: Iterable[Node], *names: str) -> str:
    """The first text under any of `names`, tried in order on each node."""
    for node in candidates:
        for name in names:
            if said := text(node.get(name)):
                return said
    return ""


def links(value: Any) -> Iterator[str]:
    """Yield the web addresses a value holds: texts, or objects with `url`, `@id` or `sameAs`."""
    for one in listed(value):
        if isinstance(one, str) and one.strip().lower().startswith(("http://", "https://")):
            yield one.strip()
        elif isinstance(one, dict):
            for name in ("url", "@id", "sameAs"):
                inside = [link for link in listed(one.get(name)) if isinstance(link, str)]
                yield from links(inside)


def link(value: Any) -> str:
    """The first web address in a value, or an empty string."""
    return next(links(value), "")
