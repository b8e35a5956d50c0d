"""What a fact-check can be filtered by, kept beside its words and its vectors on the server, and filters as the server reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from twicetold.filters import Allowed, Filters
from twicetold.types import FactCheck

_FACETS = {"lang": 16, "publisher": 1_024, "claimant": 1_024, "verdict": 32, "published": 64}
"""Each facet and the most bytes it may have on the server."""


def add_facets(schema: Any) -> None:
    """Add the fields of the facets to a Milvus schema."""
    from pymilvus import DataType

    for name, most in _FACETS.items():
        schema.add_field(name, DataType.VARCHAR, max_length=most)


def facets_of(check: FactCheck) -> dict[str, str]:
    """Return the facets of a fact-check, names in lower case; a longer one than the server takes is cut."""
    values = {
        "lang": check.lang.lower(),
        "publisher": check.publisher.lower(),
        "claimant": check.claimant.lower(),
        "verdict": check.verdict.value,
        "published": check.published,
    }
    return {name: _fitting(value, _FACETS[name]) for name, value in values.items()}


def expression(allowed: Sequence[int]) -> str | None:
    """Return what the server should filter by, or None when nothing can pass."""
    if isinstance(allowed, Allowed):
        return _told(allowed.filters)
    return f"num in {[int(num) for num in allowed]}" if len(allowed) else None


def _told(filters: Filters) -> str:
    parts = []
    for name, wanted in (("lang", filters.langs), ("publisher", filters.publishers), ("claimant", filters.claimants)):
        if wanted:
            parts.append(f"{name} in [{', '.join(_quoted(_fitting(value.lower(), _FACETS[name])) for value in wanted)}]")
    if filters.verdicts:
        parts.append(f"verdict in [{', '.join(_quoted(verdict.value) for verdict in filters.verdicts)}]")
    if filters.after:
        parts.append(f"published >= {_quoted(filters.after)}")
    if filters.before:
        # A day of a month is inside when the month is: "~" comes after everything that a date may go on with.
        parts.append(f'(published != "" and published <= {_quoted(filters.before + "~")})')
    return " and ".join(parts)


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fitting(value: str, most: int) -> str:
    return value.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
