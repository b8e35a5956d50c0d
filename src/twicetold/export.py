"""Fact-checks out again, as a ClaimReview feed, JSON Lines or CSV, streamed; each is read back by `ingest` as it was.

The ClaimReview feed has the layout of the Data Commons feed. Nothing here reads or searches a collection.
"""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, TextIO

from twicetold.ingest.claimreview import VERDICT_PROPERTY
from twicetold.ingest.jsonld import without_markup
from twicetold.ingest.verdict import verdict_of
from twicetold.types import FactCheck, to_json

Writer = Callable[[Iterable[FactCheck], TextIO], int]

COLUMNS = tuple(field.name for field in fields(FactCheck))


def write_jsonl(checks: Iterable[FactCheck], stream: TextIO) -> int:
    """Write one JSON object a line, in the form that the API and `--json` use. Returns how many were written, as all writers do."""
    written = 0
    for check in checks:
        stream.write(json.dumps(to_json(check), ensure_ascii=False) + "\n")
        written += 1
    return written


def write_csv(checks: Iterable[FactCheck], stream: TextIO) -> int:
    """Write a table with FactCheck's fields as columns: links separated by spaces, `other` as JSON. Open the file with newline=""."""
    table = csv.writer(stream)
    table.writerow(COLUMNS)
    written = 0
    for check in checks:
        table.writerow([_cell(getattr(check, name)) for name in COLUMNS])
        written += 1
    return written


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False) if value else ""
    return " ".join(value) if isinstance(value, tuple) else str(value)


def write_claimreview(checks: Iterable[FactCheck], stream: TextIO) -> int:
    """Write a schema.org DataFeed of ClaimReviews, one a line."""
    stream.write('{"@context": "https://schema.org", "@type": "DataFeed", "dataFeedElement": [')
    written = 0
    for check in checks:
        element = {"@type": "DataFeedItem", "item": [claim_review(check)]}
        stream.write(("," if written else "") + "\n" + json.dumps(element, ensure_ascii=False))
        written += 1
    stream.write("\n]}\n")
    return written


def claim_review(check: FactCheck) -> dict[str, Any]:
    """The schema.org ClaimReview of a fact-check, without empty members. It stands in a feed, or in a page beside an `@context`.

    Our verdict is not part of ClaimReview; it is added as a property only where the rating's words do not give it.
    """
    properties = [_property(name, value) for name, value in check.other.items()]
    if check.verdict is not verdict_of(check.rating, check.publisher):
        properties.append(_property(VERDICT_PROPERTY, check.verdict.value))
    return _filled(
        {
            "@type": "ClaimReview",
            "identifier": check.id,
            "url": check.url,
            "headline": check.title,
            "claimReviewed": check.claim,
            "reviewBody": check.body,
            "author": _named("Organization", check.publisher),
            "datePublished": check.published,
            "inLanguage": check.lang,
            "itemReviewed": _filled(
                {
                    "@type": "Claim",
                    "author": _named("Person", check.claimant),
                    "datePublished": check.claimed_on,
                    "appearance": [{"@type": "CreativeWork", "url": link} for link in check.appearances],
                }
            ),
            "reviewRating": _filled({"@type": "Rating", "alternateName": check.rating}),
            "additionalProperty": properties,
        }
    )


def _named(kind: str, name: str) -> dict[str, Any]:
    return _filled({"@type": kind, "name": name})


def _property(name: str, value: str) -> dict[str, Any]:
    return _filled({"@type": "PropertyValue", "name": name, "value": value})


def _filled(node: Mapping[str, Any]) -> dict[str, Any]:
    """The node without empty members; nothing if only its type is left."""
    told = {name: _marked_up(value) if isinstance(value, str) else value for name, value in node.items() if value}
    return told if len(told) > 1 else {}


def _marked_up(text: str) -> str:
    """Escape a text that would be taken for HTML, as readers of ClaimReview resolve tags and entities."""
    return text if without_markup(text) == text else html.escape(text, quote=False)


WRITERS: Mapping[str, Writer] = {"claimreview": write_claimreview, "jsonl": write_jsonl, "csv": write_csv}
"""The formats of `export`, by name."""
