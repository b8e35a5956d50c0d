"""Makes a FactCheck of what a source said: cleaned text, ISO dates, a verdict, an id.

Every reader ends here, so that the same fact-check read from a feed, a page or a table comes out the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from twicetold.errors import BadData
from twicetold.ingest.dates import iso
from twicetold.ingest.identity import check_id
from twicetold.ingest.verdict import verdict_of
from twicetold.types import FactCheck

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_DATED = ("published", "claimed_on")


def clean(text: str) -> str:
    """Strip the ends and what no store or terminal should meet: control characters go, half an emoji becomes `�`."""
    if _UNFIT.search(text):
        text = _UNFIT.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", text)
    return text.strip()


def assemble(fields: Mapping[str, str], *, appearances: Iterable[str] = (), other: Mapping[str, str] | None = None) -> FactCheck:
    """Make a fact-check of raw texts under FactCheck's own field names; `other` keeps what no field holds.

    A date that cannot be read becomes empty and its original goes to `other` under the field's name. Raises BadData if there
    is neither a claim nor a title.
    """
    told = {name: cleaned for name, text in fields.items() if (cleaned := clean(text))}
    if not told.get("claim") and not told.get("title"):
        raise BadData("has neither a claim nor a title")
    kept = {clean(name): clean(text) for name, text in other.items() if clean(text)} if other else {}
    lang = told.get("lang", "")
    for name in _DATED:
        if name in told:
            day = iso(told[name], lang)
            if not day:
                kept[name] = told.pop(name)
            else:
                told[name] = day
    id = told.pop("id", "") or check_id(
        url=told.get("url", ""), claim=told.get("claim", ""), title=told.get("title", ""), publisher=told.get("publisher", "")
    )
    verdict = verdict_of(told.get("rating", ""), told.get("publisher", ""))
    links = tuple(dict.fromkeys(link for raw in appearances if (link := clean(raw))))
    return FactCheck(id, **told, appearances=links, verdict=verdict, other=kept)
