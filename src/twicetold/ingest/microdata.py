"""HTML microdata, which older fact-checks use instead of JSON-LD, as JSON-LD-like nodes.

Format: https://html.spec.whatwg.org/multipage/microdata.html, without `itemref`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml.html import HtmlElement

_ADDRESS = {"a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src", "source": "src"}
_MAX_DEPTH = 12


def nodes_of_type(tree: HtmlElement, kind: str) -> Iterator[dict[str, Any]]:
    """Yield every item of a type (`ClaimReview`) as a node."""
    for element in tree.iter():
        if isinstance(element.tag, str) and element.get("itemscope") is not None and kind in (element.get("itemtype") or ""):
            yield _node(element, 0)


def _node(element: HtmlElement, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"@type": (element.get("itemtype") or "").split() or ["Thing"]}
    stack = list(reversed(element))
    while stack:
        inside = stack.pop()
        if not isinstance(inside.tag, str):
            continue
        is_node = inside.get("itemscope") is not None
        value = _node(inside, depth + 1) if is_node and depth < _MAX_DEPTH else _value(inside)
        for name in (inside.get("itemprop") or "").split():
            node.setdefault(name, []).append(value)
        if not is_node:
            stack.extend(reversed(inside))
    return node


def _value(element: HtmlElement) -> str:
    written = element.get("content") or element.get("datetime") or element.get(_ADDRESS.get(str(element.tag), "content"))
    return written if written is not None else " ".join(element.text_content().split())
