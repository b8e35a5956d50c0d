"""Round-up articles taken apart: an article with at least two numbered or headed claims becomes a fact-check for each.

Texts without such marks are left as they are: nothing is guessed from their meaning.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from twicetold.text import tidy
from twicetold.types import FactCheck

_HEADING = re.compile(
    r"""^[ \t]*(?:
            (?:claim|myth|statement|rumou?r|falsehood) [ \t]*+ (?:no\.?[ \t]*+)?+ \#? (\d{1,2}+)?+ [ \t]*+ [:.)–—-]
          | (\d{1,2}) [.)] [ \t]++ (?=["“'‘]|(?-i:[A-Z]))
        ) [ \t]*+ (\S.*+)$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_RATING = re.compile(r"^[ \t]*+(?:rating|verdict|our ruling|ruling|fact|reality)[ \t]*+[:–—-][ \t]*+(\S.*+)$", re.IGNORECASE | re.MULTILINE)
_LONGEST_HEADING, _LONGEST_RATING = 400, 80
_FEWEST, _MOST = 2, 40
_FEWEST_CHARS = 60
"""Of a part's own text: a table of contents has headings too, but nothing under them."""


def split_roundup(check: FactCheck) -> list[FactCheck]:
    """Return the fact-checks of the claims an article takes up one after the other, or the article alone if it is no round-up.

    Parts are named `ID#1`, `ID#2` …; their title stays the article's, and `other["part of"]` names it. A rating line inside a part is
    its own rating. "Claim 1: …", "Myth: …" and "1. “…”" at the start of a line are headings; numbers must count upwards from 1.
    """
    found = [place for place in _HEADING.finditer(check.body) if 10 <= len(place[3].rstrip()) <= _LONGEST_HEADING]
    if not _FEWEST <= len(found) <= _MOST or not _counts_up(found):
        return [check]
    ends = [place.start() for place in found[1:]] + [len(check.body)]
    texts = [check.body[place.end() : end].strip() for place, end in zip(found, ends, strict=True)]
    if sum(len(text) >= _FEWEST_CHARS for text in texts) < len(texts):
        return [check]
    return [_part(check, number, tidy(place[3]), text) for number, (place, text) in enumerate(zip(found, texts, strict=True), start=1)]


def _counts_up(found: Sequence[re.Match[str]]) -> bool:
    numbers = [int(place[1] or place[2]) for place in found if place[1] or place[2]]
    return not numbers or numbers == list(range(1, len(found) + 1))


def _part(check: FactCheck, number: int, claim: str, text: str) -> FactCheck:
    ratings = (found[1].rstrip(" \t.") for found in _RATING.finditer(text))
    rating = next((said for said in ratings if 2 <= len(said) <= _LONGEST_RATING), "")
    return dataclasses.replace(
        check,
        id=f"{check.id}#{number}",
        claim=claim.strip("\"“”'‘’ "),
        body=text,
        rating=tidy(rating) if rating else check.rating,
        other={**check.other, "part of": check.id},
    )
