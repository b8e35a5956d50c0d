"""A saved HTML page to fact-checks: by its ClaimReview (JSON-LD or microdata) where it has one, completed from the page itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from twicetold.errors import BadData
from twicetold.ingest import mend
from twicetold.ingest.article import facts
from twicetold.ingest.assemble import assemble
from twicetold.ingest.claimreview import ARTICLES, checks_in
from twicetold.ingest.jsonld import by_id, first, kinds, nodes, objects
from twicetold.ingest.microdata import nodes_of_type
from twicetold.ingest.problems import Problem, Read
from twicetold.ingest.roundups import split_roundup
from twicetold.ingest.sources import Source

MAX_PAGE = 32 << 20
_NOT_ARTICLES = frozenset([
    "Apartment", "Book", "Course", "Event", "Festival", "Hotel", "JobPosting", "LocalBusiness", "Movie", "MusicAlbum", "MusicEvent",
    "MusicGroup", "Product", "ProductGroup", "RealEstateListing", "Recipe", "Restaurant", "ScreeningEvent", "SoftwareApplication",
    "SportsEvent", "TheaterEvent", "Vehicle",
])  # fmt: skip
"""Types of pages about things for sale and things to go to."""
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*+=\s*+[\"']?\s*+([\w.:-]+)", re.IGNORECASE)


def page(source: Source) -> Iterator[Read]:
    """Read one page: as many fact-checks as it has reviews; if it has none the article itself, or the parts of a round-up.

    A JSON-LD block that mentions ClaimReview and cannot be mended is a Problem, named with the page's address; the article is then
    still read from the page.
    """
    with source.open() as stream:
        raw = stream.read(MAX_PAGE + 1)
    if len(raw) > MAX_PAGE:
        yield Problem(source.name, f"is longer than {MAX_PAGE >> 20} MB, too long for a page")
        return
    try:
        tree = parsed(raw)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        yield Problem(source.name, f"is not HTML that can be read: {error!s:.100}")
        return
    yield from checks_on(tree, source.name)


def checks_on(tree: HtmlElement, name: str) -> Iterator[Read]:
    """Yield what a parsed page holds. The tree is used up."""
    blocks, broken = _linked_data(tree)
    marked_up = list(nodes_of_type(tree, "ClaimReview"))
    told = facts(tree)
    place = f"{name} ({told['url']})" if told.get("url") else name
    yield from (Problem(f"{place}, JSON-LD block {number}", reason) for number, reason in broken)
    about = told | _article_facts(blocks)
    found: set[str] = set()
    for read in checks_in([*blocks, *marked_up], place, about):
        if isinstance(read, Problem) or read.id not in found:
            found.add("" if isinstance(read, Problem) else read.id)
            yield read
    if not found and (other := _something_else(blocks, about)):
        yield Problem(place, f"is no fact-check: the page says that it is a {other}")
    elif not found:
        try:
            yield from split_roundup(assemble(about))
        except BadData as error:
            yield Problem(place, str(error))


def _something_else(blocks: list[Any], about: dict[str, str]) -> str:
    """What a page without a review says it is, if that is something for sale or to go to, and nothing on it is a rating."""
    told = frozenset().union(*(kinds(node) for node in objects(blocks)))
    if about.get("rating") or about.get("claim") or told & ARTICLES - {"WebPage"}:
        return ""
    return next(iter(sorted(told & _NOT_ARTICLES)), "")


def parsed(raw: bytes) -> HtmlElement:
    """Parse a page in the encoding it declares, else UTF-8, else Windows-1252. Raises LxmlError or ValueError."""
    utf8 = _decoded(raw).encode("utf-8", "replace")
    return document_fromstring(utf8, parser=HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True))


def _decoded(raw: bytes) -> str:
    declared = _CHARSET.search(raw[:4096])
    for encoding in ("utf-8-sig", declared[1].decode("ascii", "replace") if declared else ""):
        try:
            if encoding:
                return raw.decode(encoding)
        except (LookupError, ValueError):
            continue
    return raw.decode("cp1252", "replace")


def _linked_data(tree: HtmlElement) -> tuple[list[Any], list[tuple[int, str]]]:
    """The page's JSON-LD values, and the number and reason of each block about a ClaimReview that cannot be parsed."""
    values: list[Any] = []
    broken: list[tuple[int, str]] = []
    scripts = (tag for tag in tree.iter("script") if "ld+json" in (tag.get("type") or "").lower())
    for number, script in enumerate(scripts, start=1):
        written = script.text or ""
        try:
            values.append(mend.loads(written))
        except ValueError as error:
            if "ClaimReview" in written:
                broken.append((number, f"is not JSON: {error}"))
    return values, broken


def _article_facts(values: list[Any]) -> dict[str, str]:
    """What JSON-LD says of the article itself: more exact than meta tags where it is there."""
    known = by_id(values)
    for node in objects(values):
        if kinds(node) & ARTICLES and first([node], "headline"):
            publisher = first(nodes(node.get("publisher"), known), "name")
            told = {
                "title": first([node], "headline"),
                "published": first([node], "datePublished"),
                "publisher": publisher,
            }
            return {name: value for name, value in told.items() if value}
    return {}
