"""The text of an article in an HTML page, without menus, notices and lists of other articles.

Paragraphs vote for the element they stand in, with their length and against their share of links; the element with most votes holds
the article. It does not run scripts: a page that is drawn by them has no text here.
"""

from __future__ import annotations

import re
from collections import defaultdict

from lxml import etree
from lxml.html import HtmlElement

_DROPPED = ("script", "style", "noscript", "template", "nav", "footer", "form", "iframe", "svg", "button", "select", "aside", "dialog")
_BLOCKS = frozenset({
    "address", "article", "blockquote", "dd", "div", "dl", "dt", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "li", "main", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
})  # fmt: skip
_BESIDE = re.compile(
    r"(?:^|[-_\s])(?:related|recommend\w*|shar(?:e|ing)|social|newsletter|subscri\w+|cookies?|consent|comments?|sidebar|breadcrumbs?|"
    r"advert\w*|ads?|promo\w*|tags?|menu|footer|banner|popup|modal|author-?bio|donat\w+|support-us|skip-link|read-?more|more-(?:stories|articles|news)|"
    r"pagination|widget|toolbar|masthead|site-header)(?:$|[-_\s])",
    re.IGNORECASE,
)
_BESIDE_TAG = "{twicetold}beside"
_IS_BODY = re.compile(
    r"article-?_?(?:body|text|content)|entry-content|post-?_?(?:body|content)|story-?body|field--name-body", re.IGNORECASE
)
_KEPT_WHOLE = {"html", "body", "main", "article"}
_MIN_CHARS = 25


def strip_furniture(tree: HtmlElement) -> None:
    """Remove from the tree what is beside the article. An element that holds most of the page's text is kept whatever its name."""
    etree.strip_elements(tree, *_DROPPED, with_tail=False)
    whole = len(tree.text_content())
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.tag in _KEPT_WHOLE or element.getparent() is None:
            continue
        named = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"
        if _BESIDE.search(named) and len(element.text_content()) * 2 < whole:
            element.tag = _BESIDE_TAG
    # Not by drop_tree: that would write the text after an element anew, and lxml refuses to write control characters it has read.
    etree.strip_elements(tree, _BESIDE_TAG, with_tail=False)


def article_text(tree: HtmlElement) -> str:
    """The article's blocks, one a line. The tree should have been stripped of its furniture."""
    return "\n".join(blocks(_container(tree)))


def _container(tree: HtmlElement) -> HtmlElement:
    votes: dict[HtmlElement, float] = defaultdict(float)
    for paragraph in tree.iter("p", "pre", "blockquote"):
        said = len(" ".join(paragraph.text_content().split()))
        parent = paragraph.getparent()
        if said < _MIN_CHARS or parent is None:
            continue
        vote = said * (1 - _linked(paragraph, said))
        votes[parent] += vote
        grandparent = parent.getparent()
        if grandparent is not None:
            votes[grandparent] += vote / 2
    marked = [e for e in tree.iter() if isinstance(e.tag, str) and _is_marked(e) and len(e.text_content().strip()) > 4 * _MIN_CHARS]
    if marked:
        return max(marked, key=lambda element: (votes.get(element, 0.0), len(element.text_content())))
    return max(votes, key=votes.__getitem__) if votes else tree


def _is_marked(element: HtmlElement) -> bool:
    return (
        element.get("itemprop") == "articleBody" or _IS_BODY.search(f"{element.get('class') or ''} {element.get('id') or ''}") is not None
    )


def _linked(element: HtmlElement, chars: int) -> float:
    return min(1.0, sum(len(a.text_content()) for a in element.iter("a")) / max(chars, 1))


def blocks(container: HtmlElement) -> list[str]:
    """The texts of an element's blocks, in order; a block that is only links is left out."""
    found: list[str] = []
    words: list[str] = []
    linked = 0
    depth = 0

    def close() -> None:
        nonlocal linked
        said = " ".join("".join(words).split())
        if said and linked * 10 < len(said) * 9:
            found.append(said)
        words.clear()
        linked = 0

    for event, element in etree.iterwalk(container, events=("start", "end")):
        is_break = element.tag in _BLOCKS or element.tag == "br"
        if is_break:
            close()
        depth += (element.tag == "a") * (1 if event == "start" else -1)
        told = (element.text if event == "start" else element.tail if element is not container else "") or ""
        if isinstance(element.tag, str) or event == "end":
            words.append(told)
            linked += len(told.strip()) if depth else 0
    close()
    return found
