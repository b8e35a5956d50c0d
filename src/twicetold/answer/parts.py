"""Claims of several parts, answered part by part.

An input of several sentences, or of clauses joined by a semicolon or "and that", is asked whole and then in parts; a part that is matched
by itself brings its fact-check to the front. Texts without such marks are left as they are: nothing is guessed from their meaning.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from twicetold.stage import Stage
from twicetold.text import sentences, tidy, unpost
from twicetold.types import Claim, Lane, Question, Ranking, ranked

_CLAUSE = re.compile(r"\s*;\s+|,?\s+and (?=(?:that|also|then|now)\b)|\s+[–—]\s+", re.IGNORECASE)
_FEWEST_WORDS = 5
_MOST_PARTS = 4


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
