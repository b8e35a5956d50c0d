"""Makes a FactCheck of what a source said: cleaned text, ISO dates, a verdict, an id.

Every reader ends here, so that the same fact-check read from a feed, a page or a table comes out the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from twicetold.errors import BadData
from twicetold.ingest.dates import iso
from twicetold.ingest.identity import check_id
from twicetold.ingest.problems import DATED
from twicetold.ingest.verdict import verdict_of
from twicetold.links import canonical_url
from twicetold.text import whole_letters
from twicetold.types import FactCheck

_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\r")
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9_-]+)?", re.IGNORECASE)
_CODES = {
    "english": "en", "eng": "en", "spanish": "es", "español": "es", "spa": "es", "french": "fr", "français": "fr", "fra": "fr", "fre": "fr",
    "german": "de", "deutsch": "de", "deu": "de", "ger": "de", "portuguese": "pt", "português": "pt", "por": "pt", "italian": "it",
    "italiano": "it", "ita": "it", "hindi": "hi", "hin": "hi", "arabic": "ar", "ara": "ar", "chinese": "zh", "中文": "zh", "zho": "zh",
    "turkish": "tr", "tur": "tr", "polish": "pl", "pol": "pl", "dutch": "nl", "nld": "nl", "russian": "ru", "rus": "ru", "indonesian": "id",
    "ind": "id", "japanese": "ja", "jpn": "ja", "korean": "ko", "kor": "ko",
}  # fmt: skip


def clean(text: str) -> str:
    """Strip the ends and what no store or terminal should meet: control characters go, half an emoji becomes `�`."""
    # Searching a pattern in every article would take longer than all the rest of reading it; deleting bytes is ten times faster.
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raw = whole_letters(text).encode()
        return raw.translate(None, _CONTROLS).decode().strip()
    fit = raw.translate(None, _CONTROLS)
    return (text if len(fit) == len(raw) else fit.decode()).strip()


def assemble(fields: Mapping[str, str], *, appearances: Iterable[str] = (), other: Mapping[str, str] | None = None) -> FactCheck:
    """Make a fact-check of raw texts under FactCheck's own field names; `other` keeps what no field holds.

    A date, language or appearance that cannot be read becomes empty and its original goes to `other` under the field's name.
    Without a publisher's name its site stands in. Raises BadData if there is neither a claim nor a title.
    """
    told = {name: cleaned for name, text in fields.items() if (cleaned := clean(text))}
    if "claim" not in told and "title" not in told:
        raise BadData("has neither a claim nor a title")
    kept = {clean(name): cleaned for name, text in other.items() if (cleaned := clean(text))} if other else {}
    url = told.get("url", "")
    if url and "publisher" not in told:
        told["publisher"] = canonical_url(url).split("/")[0]
    _read_language(told, kept)
    _read_dates(told, kept)
    links = _links(appearances, url, kept)
    id = told.pop("id", "") or check_id(
        url=url,
        claim=told.get("claim", ""),
        title=told.get("title", ""),
        publisher=told.get("publisher", ""),
        body=told.get("body", ""),
    )
    verdict = verdict_of(told.get("rating", ""), told.get("publisher", ""))
    return FactCheck(id, **told, appearances=links, verdict=verdict, other=kept)


def _read_language(told: dict[str, str], kept: dict[str, str]) -> None:
    """Replace the language by its ISO code: `en` for `en-GB`, `English` and `eng`."""
    if "lang" not in told:
        return
    given = told.pop("lang")
    code = _CODE.fullmatch(given)
    lang = _CODES.get(given.casefold(), "") or (_CODES.get(code[1].lower(), code[1].lower()) if code else "")
    if lang:
        told["lang"] = lang
    else:
        kept["lang"] = given


def _read_dates(told: dict[str, str], kept: dict[str, str]) -> None:
    for name in DATED:
        if name in told:
            given = told.pop(name)
            day = iso(given, told.get("lang", ""))
            if day:
                told[name] = day
            else:
                kept[name] = given


def _links(appearances: Iterable[str], url: str, kept: dict[str, str]) -> tuple[str, ...]:
    """The links where a claim appeared, each once, with a scheme; the fact-check's own address is none."""
    found: dict[str, str] = {}
    for given in filter(None, map(clean, appearances)):
        place = canonical_url(given)
        if place == given and ("." not in given or any(character.isspace() for character in given)):
            kept["appearances"] = f"{kept['appearances']} {given}" if "appearances" in kept else given
        elif not url or place != canonical_url(url):
            found.setdefault(place, given if "://" in given else f"https://{given}")
    return tuple(found.values())
