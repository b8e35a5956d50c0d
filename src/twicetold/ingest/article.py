"""What a fact-check's HTML page says of itself where no ClaimReview does: title, claim, rating, date, publisher, language, text.

Meta tags come first, then elements that their class names give away, then lines with a label ("Verdict: False") in several languages.
A field that no rule finds stays empty; nothing is guessed from the running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from twicetold.ingest import labels
from twicetold.ingest.body import article_text, blocks, strip_furniture
from twicetold.ingest.dates import iso
from twicetold.ingest.verdict import verdict_of
from twicetold.links import canonical_url
from twicetold.types import Verdict

_META = {
    "title": ("og:title", "twitter:title", "dc.title", "headline"),
    "url": ("og:url", "twitter:url"),
    "published": (
        "article:published_time", "datepublished", "date", "pubdate", "publishdate", "publish-date", "dc.date", "dc.date.issued",
        "dcterms.created", "parsely-pub-date", "sailthru.date", "article.published", "og:published_time", "cxenseparse:recs:publishtime",
    ),
    "publisher": ("og:site_name", "application-name", "dc.publisher", "publisher", "twitter:site"),
}  # fmt: skip
_CLAIM = labels.class_pattern(
    "claim|claims?-?_?(?:text|reviewed|body|content|quote|statement)|statement__quote|statement-?text|affirmation|afirmacion|behauptung"
)
_CLAIMANT = labels.class_pattern("statement__name|claimant|claim-?_?(?:author|by|speaker)|speaker|said-?by")
_CLAIMED_ON = labels.class_pattern("statement__desc|statement__date|claim-?_?date|claimed-?on")
_RATING = labels.class_pattern(
    "ruling|truth-?o?-?_?meter|meter|veredicto|calificacion|bewertung|stamp|fact-?check-?_?result|evaluation",
    endings="(?:rating|verdict)",
)
_DATE = labels.class_pattern("date|fecha|datum|published|pub-?date|posted-?on|submitted|created|dateline|byline|timestamp|time")
_NOT_ONE = re.compile(r"claims-list|related|disclaimer|ratings?-(?:scale|guide|list|key)|other-(?:claims|checks)", re.I)
_BETWEEN = re.compile(r"(?<!\s)\s++[|–—\-·•»:]\s++")
_LONGEST = {"claim": 600, "rating": 60, "claimant": 80}


def facts(tree: HtmlElement) -> dict[str, str]:
    """What the page says, under FactCheck's field names; absent where nothing was found. The tree is stripped of its furniture."""
    meta = _meta(tree)
    found = {name: next((meta[key] for key in keys if meta.get(key)), "") for name, keys in _META.items()}
    found["url"] = _canonical(tree) or found["url"]
    found["lang"] = _language(tree, meta)
    found["publisher"] = found["publisher"].lstrip("@") or canonical_url(found["url"]).split("/")[0]
    found["published"] = found["published"] or _written_date(tree, found["lang"])
    strip_furniture(tree)
    found["title"] = _title(tree, found["title"], found["publisher"])
    found["claim"] = _marked(tree, _CLAIM, "claim") or _labelled(tree, "claim")
    found["claimant"] = _marked(tree, _CLAIMANT, "claimant") or _labelled(tree, "claimant")
    found["claimed_on"] = _marked_date(tree, _CLAIMED_ON, found["lang"])
    found["rating"] = _rating(tree, found["publisher"]) or _labelled(tree, "rating") or _rating_in(found["title"], found["publisher"])
    found["body"] = article_text(tree).removeprefix(found["title"]).lstrip()
    return {name: value for name, value in found.items() if value}


def _meta(tree: HtmlElement) -> dict[str, str]:
    """The page's meta tags by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for tag in tree.iter("meta"):
        content = (tag.get("content") or "").strip()
        name = (tag.get("property") or tag.get("name") or tag.get("itemprop") or tag.get("http-equiv") or "").strip().lower()
        if content and name:
            found.setdefault(name, content)
    return found


def _canonical(tree: HtmlElement) -> str:
    for tag in tree.iter("link"):
        if "canonical" in (tag.get("rel") or "").lower().split() and (tag.get("href") or "").startswith("http"):
            return str(tag.get("href")).strip()
    return ""


def _language(tree: HtmlElement, meta: dict[str, str]) -> str:
    told = (
        tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or meta.get("og:locale") or meta.get("content-language")
    )
    code = re.match(r"\s*([a-zA-Z]{2})(?:[-_,\s]|$)", told or "")
    return code[1].lower() if code else ""


def _written_date(tree: HtmlElement, lang: str) -> str:
    """The first `time` element's date, else the first short element named as a date that reads as one."""
    for tag in tree.iter("time"):
        told = tag.get("datetime") or _said(tag)
        if iso(told, lang):
            return told
    return _marked_date(tree, _DATE, lang)


def _marked_date(tree: HtmlElement, pattern: re.Pattern[str], lang: str) -> str:
    for element in _named(tree, pattern):
        told = _said(element)
        if len(told) <= 160 and iso(told, lang):
            return told
    return ""


def _title(tree: HtmlElement, told: str, publisher: str) -> str:
    headings = [heading for tag in tree.iter("h1") if (heading := _said(tag))]
    title = told or next(iter(headings), "") or _said(tree.find(".//title"))
    if len(headings) == 1 and headings[0] in title:
        return headings[0]
    return _without_site(title, publisher)


def _without_site(title: str, publisher: str) -> str:
    """Drop the site's name from the end of a title: "Did it rain frogs? | Some Site"."""
    ends = list(_BETWEEN.finditer(title))
    if not ends:
        return title
    last = re.sub(r"\W", "", title[ends[-1].end() :]).casefold()
    site = re.sub(r"\W", "", publisher).casefold()
    return title[: ends[-1].start()] if last and (last in site or (site and site in last)) else title


def _named(tree: HtmlElement, pattern: re.Pattern[str]) -> Iterator[HtmlElement]:
    for element in tree.iter():
        if isinstance(element.tag, str) and element.tag not in ("html", "body"):
            named = f"{element.get('class') or ''} {element.get('id') or ''}"
            if pattern.search(named) and not _NOT_ONE.search(named):
                yield element


def _marked(tree: HtmlElement, pattern: re.Pattern[str], field: str) -> str:
    """The text of the innermost first element whose class or id tells that it holds the field."""
    found = ""
    for element in _named(tree, pattern):
        said = labels.without(field, _said(element))
        if not said or len(said) > _LONGEST[field] or _is_rating(said):
            continue
        if found and said not in found:
            break
        found = said
    return found


def _is_rating(said: str) -> bool:
    return len(said.split()) < 3 and verdict_of(said) is not Verdict.OTHER


def _rating(tree: HtmlElement, publisher: str) -> str:
    """The first short text, or picture's description, in an element named as a rating; one whose meaning is known is preferred."""
    candidates = [text for element in _named(tree, _RATING) for text in _short_texts(element)]
    known = (text for text in candidates if verdict_of(text, publisher) is not Verdict.OTHER)
    return next(known, "") or next(iter(candidates), "")


def _short_texts(element: HtmlElement) -> Iterator[str]:
    for said in (_said(element), *(image.get("alt") or image.get("title") or "" for image in element.iter("img"))):
        bare = labels.without("rating", said)
        if bare and len(bare) <= _LONGEST["rating"]:
            yield bare


def _labelled(tree: HtmlElement, field: str) -> str:
    """The text after a label: on the same line, or in the block after a heading that is only the label."""
    lines = blocks(tree)
    for place, line in enumerate(lines):
        after = labels.after(field, line)
        if after is None:
            continue
        told = after or (lines[place + 1] if place + 1 < len(lines) else "")
        if told and len(told) <= _LONGEST[field]:
            return told
    return ""


def _rating_in(title: str, publisher: str) -> str:
    """The rating that opens a title: "False: …", "【錯誤】…", "FALSO | …"."""
    opening = re.match(r"^[【\[（(]\s*([^】\]）)]{1,30})[】\]）)]|^([^:：|]{2,30})\s*[:：|]", title)
    told = (opening[1] or opening[2]).strip() if opening else ""
    return told if told and len(told.split()) <= 3 and verdict_of(told, publisher) is not Verdict.OTHER else ""


def _said(element: HtmlElement | None) -> str:
    return "" if element is None else " ".join(element.text_content().split())
