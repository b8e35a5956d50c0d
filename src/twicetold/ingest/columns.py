"""Records with named columns, whatever their publisher calls them, to fact-checks.

Names are compared without case, spaces and punctuation. A column that means nothing here is kept in `FactCheck.other`.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from twicetold.errors import BadData
from twicetold.ingest.assemble import assemble
from twicetold.ingest.entities import resolved_fields
from twicetold.ingest.jsonld import text
from twicetold.types import FactCheck, Verdict

_NAMES = {
    "id": "id identifier guid uuid checkid factcheckid vclaimid",
    "claim": "claim claimreviewed claimreviewclaimreviewed claimtext statement verifiedclaim vclaim claimchecked afirmacion "
    "behauptung affirmation",
    "title": "title headline extratitle articletitle reviewtitle titulo titre titel",
    "body": "body extrabody articlebody reviewbody content fulltext text article articletext",
    "rating": "rating ratingalternatename reviewratingalternatename ratingname label truthvalue truthlabel truthrating textualrating "
    "alternatename veracity ruling conclusion "
    "reviewrating ratingtext calificacion note",
    "url": "url link claimreviewurl reviewurl factcheckurl articleurl permalink checkurl",
    "publisher": "publisher claimreviewauthorname claimreviewsource claimreviewauthor publishername site organization organisation "
    "outlet factchecker reviewpublisher",
    "published": "published claimreviewdatepublished publishedon publisheddate publishedat datepublished date reviewdate pubdate "
    "publicationdate checkdate",
    "claimant": "claimant creativeworkauthorname itemreviewedauthorname speaker claimauthor saidby claimedby person",
    "claimed_on": "claimedon creativeworkdatepublished itemrevieweddatepublished claimdate dateclaimed saidon statementdate dateofclaim",
    "appearances": "appearances appearance claimurl claimurls firstappearance claimlink claimlinks",
    "lang": "lang language languagecode inlanguage",
}
_FIELD_OF = {name: field for field, names in _NAMES.items() for name in names.split()}
_OWN = {"kind", "verdict", "other"}
_BETWEEN_LINKS = re.compile(r"\s+|[|,;](?=https?://)|\s*\|\s+")


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """Which column fills which field: `fields` by column, `others` the columns that no field takes."""

    fields: Mapping[str, str]
    others: tuple[str, ...]

    @property
    def is_usable(self) -> bool:
        """True if there is a column for the claim or the title."""
        return not {"claim", "title"}.isdisjoint(self.fields.values())


@lru_cache(maxsize=1024)
def plan(columns: tuple[str, ...]) -> Plan:
    """Decide which column means what. A field's own name beats a synonym; of two synonyms the first column wins."""
    fields: dict[str, str] = {}
    for field in _NAMES:
        named = [column for column in columns if _FIELD_OF.get(_squeezed(column)) == field]
        exact = [column for column in named if column == field]
        if named:
            fields[(exact or named)[0]] = field
    judged = next((column for column in columns if _squeezed(column) == "verdict"), "")
    if "rating" not in fields.values() and judged and "kind" not in columns:
        fields[judged] = "rating"
    others = tuple(column for column in columns if column not in fields and column not in _OWN and column.strip())
    return Plan(fields, others)


def _squeezed(column: str) -> str:
    return "".join(character for character in column.casefold() if character.isalnum())


def check_of(record: Mapping[str, Any]) -> FactCheck:
    """Make a fact-check of a record with named columns, or of FactCheck's own JSON form, whose verdict and `other` are kept.

    Raises BadData if no column holds a claim or a title, or the one that does is empty.
    """
    chosen = plan(tuple(record))
    if not chosen.is_usable:
        raise BadData(f"has no claim and no title, only {', '.join(map(str, record)) or 'nothing':.120}")
    fields: dict[str, str] = {}
    appearances: Iterable[str] = ()
    for column, field in chosen.fields.items():
        value = record[column]
        if field == "appearances":
            appearances = _links(value)
        else:
            fields[field] = value if isinstance(value, str) else text(value)
    other = {column: _kept(record[column]) for column in chosen.others}
    other |= {str(name): _kept(value) for name, value in _inside(record.get("other")).items()}
    check = assemble(fields, appearances=appearances, other=other)
    if not _is_own(record) and (plain := resolved_fields(fields)) != fields:
        # The id stays that of the text as it came: records that are stored already are changed, not doubled.
        check = dataclasses.replace(assemble(plain, appearances=appearances, other=other), id=check.id)
    verdict = record.get("verdict")
    if isinstance(verdict, str) and verdict in list(Verdict):
        return dataclasses.replace(check, verdict=Verdict(verdict))
    return check


def _is_own(record: Mapping[str, Any]) -> bool:
    """True for FactCheck's own JSON form and the table that `export` writes: their texts are what they are."""
    return "kind" in record or ("verdict" in record and "other" in record)


def _inside(other: Any) -> Mapping[str, Any]:
    """The field `other` of FactCheck's own form: an object, or in a table its JSON text."""
    if isinstance(other, str) and other.startswith("{"):
        try:
            other = json.loads(other)
        except (ValueError, RecursionError):
            return {"other": other}
    return other if isinstance(other, Mapping) else {}


def _links(value: Any) -> list[str]:
    """Links from a list, or from a text that separates them by white space, bars, or commas before the next one."""
    if isinstance(value, list):
        return [text(link) for link in value]
    return [link for link in _BETWEEN_LINKS.split(text(value)) if link]


def _kept(value: Any) -> str:
    return value if isinstance(value, str) else text(value)
