"""Filters and cursors as they stand in an address."""

from __future__ import annotations

import base64
from typing import Annotated

from fastapi import Depends, Query

from twicetold.filters import Filters
from twicetold.serve.api.bodies import IsoDate, Name
from twicetold.serve.problems import Problem
from twicetold.types import Verdict

Some = Annotated[list[Name] | None, Query(max_length=100)]


async def filters_asked(
    lang: Some = None,
    publisher: Some = None,
    verdict: Annotated[list[Verdict] | None, Query(max_length=6)] = None,
    claimant: Some = None,
    after: Annotated[IsoDate, Query()] = "",
    before: Annotated[IsoDate, Query()] = "",
) -> Filters:
    """Return the filters named in an address; each but the dates may be repeated."""
    return Filters(tuple(lang or ()), tuple(publisher or ()), tuple(verdict or ()), tuple(claimant or ()), after, before)


FiltersAsked = Annotated[Filters, Depends(filters_asked)]
Cursor = Annotated[str, Query(max_length=100, description="Where to go on: `next` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many to return at most.")]


def cursor_of(num: int) -> str:
    """Return the cursor of the page that follows this number."""
    return base64.urlsafe_b64encode(str(num).encode()).decode().rstrip("=")


def number_in(cursor: str) -> int:
    """Return the number in a cursor, 0 for an empty one. Raises Problem for anything not made by `cursor_of`."""
    if not cursor:
        return 0
    try:
        num = int(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii"))
    except ValueError:
        num = -1
    if num < 0 or num >= 1 << 62 or cursor_of(num) != cursor:
        raise Problem("bad-request", "the cursor is not one of this server's; take `next` of the page before, or leave it out")
    return num
