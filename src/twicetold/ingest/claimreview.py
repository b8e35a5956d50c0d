"""schema.org ClaimReview, wherever it stands in a JSON value, and the Google Fact Check Tools `claims:search` response.

It finds reviews in single objects, lists, `@graph`, articles and data feeds, follows `@id` references inside one document, and makes
one fact-check for each review and claim. It reads no HTML (see `page`) and no files (see `feeds`).
Formats: https://schema.org/ClaimReview and the Fact Check Tools API, v1alpha1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from twicetold.errors import BadData
from twicetold.ingest.assemble import assemble
from twicetold.ingest.jsonld import MAX_DEPTH, Node, first, inner, kinds, link, links, listed, nodes, text
from twicetold.ingest.problems import Problem, Read
from twicetold.ingest.verdict import score_text
from twicetold.links import canonical_url
from twicetold.types import FactCheck, Verdict

ARTICLES = {
    "Article",
    "NewsArticle",
    "Report",
    "BlogPosting",
    "WebPage",
    "AnalysisNewsArticle",
    "ReportageNewsArticle",
    "ReviewNewsArticle",
}
VERDICT_PROPERTY = "twicetold:verdict"
"""The additional property that carries a verdict other than the one its rating's words give."""


_Make = Callable[[], FactCheck]


@dataclass(frozen=True, slots=True)
class Found:
    """A review with what surrounds it: the article it stands in, and the document's nodes by `@id`."""

    review: Node
    article: Node
    known: Mapping[str, Node]


def is_record(value: Node) -> bool:
    """True if an object looks like a record of a feed or a response, not like a part of one."""
    return any(name in value for name in ("item", "claimReviewed", "claimReview", "itemReviewed", "@graph", "reviewRating"))


def checks_in(value: Any, place: str, page: Mapping[str, str] | None = None) -> Iterator[Read]:
    """Yield a fact-check for every review in a JSON value, or the Problem with it.

    `page` gives, under FactCheck's names, what a review leaves out.
    """
    is_searched = isinstance(value, dict) and "claimReview" in value
    for make in _searched(value) if is_searched else _reviewed(value, page or {}):
        try:
            yield make()
        except BadData as error:
            yield Problem(place, str(error))


def reviews_in(value: Any) -> list[Found]:
    """Return every ClaimReview in a JSON value in the order of the document; one that repeats an `@id` only once."""
    known: dict[str, Node] = {}
    found: list[Found] = []
    stack: list[tuple[Any, Node, int]] = [(value, {}, 0)]
    while stack:
        current, article, depth = stack.pop()
        if isinstance(current, dict):
            id = current.get("@id")
            types = kinds(current)
            is_known = isinstance(id, str) and id in known
            if isinstance(id, str) and len(current) > 1:
                known.setdefault(id, current)
            if "ClaimReview" in types and len(current) > 2 and not is_known:
                found.append(Found(current, article, known))
            if types & ARTICLES:
                article = current
        if depth < MAX_DEPTH:
            stack.extend([(part, article, depth + 1) for part in inner(current)])
    return found


def _reviewed(value: Any, page: Mapping[str, str]) -> Iterator[_Make]:
    for found in reviews_in(value):
        for claim, about in _claims(found):
            yield partial(_check, found, claim, about, page)


def _claims(found: Found) -> list[tuple[str, list[Node]]]:
    """Each claim reviewed with what is told of it; several `itemReviewed` of a single claim are its appearances."""
    reviewed = nodes(found.review.get("itemReviewed"), found.known)
    claims = [claim for raw in listed(found.review.get("claimReviewed")) if (claim := text(raw))]
    if not claims:
        return [(claim, [node]) for node in reviewed if (claim := _claim_named(node))] or [("", reviewed)]
    if len(claims) > 1 and len(claims) == len(reviewed):
        return [(claim, [node]) for claim, node in zip(claims, reviewed, strict=True)]
    return [(claim, reviewed) for claim in claims]


def _claim_named(node: Node) -> str:
    """The claim's words where the review has no `claimReviewed`. Of anything but a Claim only its text: a name may be a page's title."""
    return first([node], *(("text", "name", "description") if "Claim" in kinds(node) else ("text",)))


def _check(found: Found, claim: str, reviewed: list[Node], page: Mapping[str, str]) -> FactCheck:
    review, article = found.review, found.article
    around = [review, article]
    own_url = link(review.get("url")) or link(review.get("mainEntityOfPage"))
    if own_url and page.get("url") and canonical_url(own_url) != canonical_url(page["url"]):
        page = {}  # a list of other pages' reviews: what this page says is not about them
    url = own_url or page.get("url", "") or link(article.get("url"))
    publisher, writer = _publisher(found, page, url)
    properties = dict(_properties(review))
    verdict = properties.pop(VERDICT_PROPERTY, "")
    fields = {
        "id": text(review.get("identifier")),
        "claim": claim or page.get("claim", ""),
        "claimant": ", ".join(dict.fromkeys(_claimants(found, reviewed))),
        "claimed_on": first(reviewed, "datePublished", "dateCreated"),
        "title": first(around, "headline", "name") or page.get("title", ""),
        "body": _body(found, page),
        "rating": _rating(review) or page.get("rating", ""),
        "url": url,
        "publisher": publisher,
        "published": first(around, "datePublished", "dateCreated") or page.get("published", ""),
        "lang": _language(review) or _language(article) or page.get("lang", ""),
    }
    check = assemble(fields, appearances=_appearances(reviewed), other={"author": writer} | properties)
    return dataclasses.replace(check, verdict=Verdict(verdict)) if verdict in list(Verdict) else check


def _body(found: Found, page: Mapping[str, str]) -> str:
    """The longest account there is; a description is only a summary and comes last."""
    written = first([found.review], "reviewBody", "text") or first([found.article], "articleBody", "text")
    return max(written, page.get("body", ""), key=len) or first([found.review, found.article], "description")


def _publisher(found: Found, page: Mapping[str, str], url: str) -> tuple[str, str]:
    """The organisation that published, and the writer where a person is named.

    Publishers put their own name under `author` or `publisher`; a person under `author` is a writer, who
    stands in for the publisher only where there is no address to tell the site.
    """
    people: list[str] = []
    names: list[str] = []
    for source in (found.review, found.article):
        for role in ("publisher", "author", "creator", "sourceOrganization"):
            for node in nodes(source.get(role), found.known):
                name = text(node.get("name")) or text(node.get("alternateName"))
                (people if "Person" in kinds(node) else names).append(name)
    named = next(filter(None, names), "") or page.get("publisher", "")
    writer = next(filter(None, people), "")
    return named or ("" if url else writer), writer


def _claimants(found: Found, reviewed: list[Node]) -> Iterator[str]:
    for about in reviewed:
        for role in ("author", "creator"):
            for node in nodes(about.get(role), found.known):
                if name := text(node.get("name")):
                    yield name


def _appearances(reviewed: list[Node]) -> Iterator[str]:
    for about in reviewed:
        for name in ("firstAppearance", "appearance", "url", "sameAs"):
            yield from links(about.get(name))


def _rating(review: Node) -> str:
    """The publisher's words; where there are none, the score with its ends."""
    ratings = [rating for rating in listed(review.get("reviewRating")) if isinstance(rating, dict)]
    worded = first(ratings, "alternateName", "name")
    if worded or not ratings:
        return worded or text(review.get("reviewRating"))
    value, worst, best = (text(ratings[0].get(name)) for name in ("ratingValue", "worstRating", "bestRating"))
    # Fact-check mark-up tools write -1 where the publisher gives words alone, and here there are none.
    return "" if value in ("-1", "-1.0") and worst in ("", value) else score_text(value, worst, best)


def _language(node: Node) -> str:
    """The language of a node: `en`, `en-GB`, or the code in `{"@type": "Language", "name": "English", "alternateName": "en"}`."""
    for told in listed(node.get("inLanguage")):
        code = first([told], "alternateName", "name") if isinstance(told, dict) else text(told)
        if code:
            return code
    return ""


def _properties(review: Node) -> Iterator[tuple[str, str]]:
    for node in listed(review.get("additionalProperty")):
        if isinstance(node, dict) and text(node.get("name")) and text(node.get("value")):
            yield text(node["name"]), text(node["value"])


def _searched(claim: Node) -> Iterator[_Make]:
    """A claim of a `claims:search` response: as many fact-checks as it has reviews."""
    for review in listed(claim.get("claimReview")):
        if isinstance(review, dict):
            yield partial(_searched_check, claim, review)


def _searched_check(claim: Node, review: Node) -> FactCheck:
    publisher = review.get("publisher")
    return assemble(
        {
            "claim": text(claim.get("text")),
            "claimant": text(claim.get("claimant")),
            "claimed_on": text(claim.get("claimDate")),
            "title": text(review.get("title")),
            "rating": text(review.get("textualRating")),
            "url": text(review.get("url")),
            "publisher": first([publisher], "name", "site") if isinstance(publisher, dict) else text(publisher),
            "published": text(review.get("reviewDate")),
            "lang": text(review.get("languageCode")),
        }
    )
