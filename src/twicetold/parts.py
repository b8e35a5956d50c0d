"""Texts that hold several claims: round-up articles taken apart at ingest, compound inputs matched part by part.

A round-up is an article with at least two numbered or headed claims; each becomes a fact-check of its own that keeps the article's url.
An input of several sentences, or of clauses joined by a semicolon or "and that", is asked whole and then in parts; a part that is matched
by itself brings its fact-check to the front. Texts without such marks are left as they are: nothing is guessed from their meaning.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from twicetold.stage import Stage
from twicetold.text import sentences, tidy, unpost
from twicetold.types import Claim, FactCheck, Lane, Question, Ranking, ranked

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
_CLAUSE = re.compile(r"\s*;\s+|,?\s+and (?=(?:that|also|then|now)\b)|\s+[–—]\s+", re.IGNORECASE)
_FEWEST_WORDS = 5
_MOST_PARTS = 4


# --- fact-checks ---------------------------------------------------------------------------------------------------


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


# --- inputs --------------------------------------------------------------------------------------------------------


def parts_of(text: str) -> list[str]:
    """Return the claims a text makes one after the other; none if it makes only one.

    >>> parts_of("The bridge was closed for a year; the mayor sold it to his brother")
    ['The bridge was closed for a year', 'the mayor sold it to his brother']
    >>> parts_of("The bridge was closed.")
    []
    """
    plain = unpost(text)
    pieces = [tidy(piece) for start, end in sentences(plain) for piece in _CLAUSE.split(plain[start:end])]
    kept = [piece for piece in pieces if len(piece.split()) >= _FEWEST_WORDS][:_MOST_PARTS]
    return kept if len(kept) > 1 else []


def in_parts(stage: Stage) -> Stage:
    """Ask the stage a claim whole and, unless that is matched, in its parts; what a part is matched with comes first, with the part.

    `stage` must decide its answers. A part's scores cannot be merged with the whole's: three words found in full say less than thirty
    found by half. So a part counts only where it is matched by itself, and then the whole is worth a look, not matched. A claim of one
    part costs nothing more.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        wholes = stage(rankings)
        parts = [_unanswered(asked.query, whole) for asked, whole in zip(rankings, wholes, strict=True)]
        answers = iter(stage([Ranking(part) for some in parts for part in some]))  # all at once: a stage may be faster with many
        return [_with_parts(whole, some, [next(answers) for _ in some]) for whole, some in zip(wholes, parts, strict=True)]

    return run


def _unanswered(query: Claim | Question, whole: Ranking) -> list[Claim | Question]:
    """Return the parts to be asked: none if the whole is matched."""
    if whole.decision is None or whole.decision.lane is Lane.MATCHED:
        return []
    return [_as_part(query, text, number) for number, text in enumerate(parts_of(query.text), start=1)]


def _with_parts(whole: Ranking, parts: Sequence[Claim | Question], answers: Sequence[Ranking]) -> Ranking:
    found = [
        (answer.decision, dataclasses.replace(answer.matches[0], part=part.text))
        for part, answer in zip(parts, answers, strict=True)
        if answer.matches and answer.decision is not None and answer.decision.lane is Lane.MATCHED
    ]
    if not found:
        return whole
    surest = max((decision for decision, _ in found), key=lambda decision: decision.probability)
    top = whole.matches[0].score if whole.matches else 0.0
    first = {match.doc.id: match for _, match in sorted(found, key=lambda pair: pair[0].probability)}
    lifted = [dataclasses.replace(match, score=max(top, match.score) + 1e-6 * place) for place, match in enumerate(first.values(), start=1)]
    rest = [match for match in whole.matches if match.doc.id not in first]
    merged = ranked(whole.query, [*lifted, *rest], dataclasses.replace(surest, lane=Lane.REVIEW))
    return dataclasses.replace(merged, matches=merged.matches[: max(len(whole.matches), len(lifted))])


def _as_part(query: Claim | Question, text: str, number: int) -> Claim | Question:
    return dataclasses.replace(query, id=f"{query.id}/part-{number}", text=text)
