"""Candidate differences: what was found to differ, with the words on both sides and how plainly it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from twicetold.judge.dates import When
from twicetold.judge.facts import Facts, denied_by_them, denied_by_us, other_groups, shared_near
from twicetold.judge.names import Name
from twicetold.judge.negation import with_auxiliary
from twicetold.judge.numbers import Quantity
from twicetold.judge.quantifiers import Mark, Reach
from twicetold.judge.tokens import Words
from twicetold.types import Difference, Relation, Span

_LONGEST_SPAN = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A difference that was counted, with how plainly, from 0 to 1."""

    difference: Difference
    strength: float


def candidates(facts: Facts, values: Mapping[str, float]) -> list[Candidate]:
    """Return the differences found, the plainest first; `values` are the counted numbers."""
    found = [*_opposites(facts, values), *_named(facts), *_numbered(facts), *_reached(facts)]
    kinds = list(Relation)
    return sorted(
        found, key=lambda one: (-one.strength, kinds.index(one.difference.kind), one.difference.ours.at + one.difference.theirs.at)
    )


def _candidate(facts: Facts, kind: Relation, ours: tuple[int, int], theirs: tuple[int, int], strength: float) -> Candidate:
    spans = span(facts.ours, *ours), span(facts.theirs, *theirs)
    return Candidate(Difference(kind, *spans), strength * (0.3 + 0.7 * facts.rest))


def replaced_words(facts: Facts) -> tuple[tuple[Span, Span], ...]:
    """Return the words that stand in each other's place, ours and theirs."""
    return tuple((span(facts.ours, *one.ours), span(facts.theirs, *one.theirs)) for one in facts.edits.replaced)


def span(words: Words, first: int, last: int) -> Span:
    """Return the words from one token to another, at most six of them."""
    last = min(last, first + _LONGEST_SPAN - 1)
    start, end = words.tokens[first].start, words.tokens[last].end
    return Span(words.text[start:end], start)


def _opposites(facts: Facts, values: Mapping[str, float]) -> list[Candidate]:
    weight = 1.0 if values["flips"] else 0.3  # two flips cancel: "less … than" against "more … than" with the sides exchanged
    found = []
    for denied in denied_by_us(facts):
        theirs = (with_auxiliary(facts.theirs, denied.there), denied.there)
        found.append(_candidate(facts, Relation.OPPOSITE, (denied.first, denied.last), theirs, 0.9 * weight))
    for denied in denied_by_them(facts):
        ours = (with_auxiliary(facts.ours, denied.there), denied.there)
        found.append(_candidate(facts, Relation.OPPOSITE, ours, (denied.first, denied.last), 0.9 * weight))
    for one in facts.reversals:
        if not one.is_undone:
            strength = weight * (0.5 + 0.5 * shared_near(facts, one.ours, one.theirs))
            found.append(_candidate(facts, Relation.OPPOSITE, (one.ours, one.ours), (one.theirs, one.theirs), strength))
    if facts.exchange is not None:
        mine, its = facts.exchange.ours, facts.exchange.theirs
        found.append(_candidate(facts, Relation.OPPOSITE, (mine[0], mine[2]), (its[0], its[2]), 0.7 * weight))
    return found


def _named(facts: Facts) -> list[Candidate]:
    found = []
    for name in facts.names.conflicts:
        sure = 0.8 if name.ours.is_sure and name.theirs.is_sure else 0.5
        strength = sure * (0.4 + 0.6 * name.nearness)
        found.append(_candidate(facts, Relation.WHO, _tokens(name.ours), _tokens(name.theirs), strength))
    for place in facts.places.conflicts:
        found.append(_candidate(facts, Relation.WHERE, _tokens(place.ours), _tokens(place.theirs), 0.5 + 0.5 * place.nearness))
    mine, its = other_groups(facts)
    if mine and its:
        strength = 0.4 + 0.4 * shared_near(facts, mine[0], its[0])
        found.append(_candidate(facts, Relation.WHO, (mine[0], mine[0]), (its[0], its[0]), strength))
    return found


def _numbered(facts: Facts) -> list[Candidate]:
    found = []
    for number in facts.numbers.conflicts:
        strength = 0.6 + 0.4 * number.nearness
        found.append(_candidate(facts, Relation.NUMBER, _tokens(number.ours), _tokens(number.theirs), strength))
    for time in facts.times.conflicts:
        strength = 0.7 + 0.3 * time.nearness
        found.append(_candidate(facts, Relation.WHEN, _tokens(time.ours), _tokens(time.theirs), strength))
    return found


def _tokens(one: Quantity | When | Name) -> tuple[int, int]:
    return one.first, one.last


def _reached(facts: Facts) -> list[Candidate]:
    found = []
    for one in facts.reach:
        strength = 0.6 if one.group in ("degree", "cause") else 0.4
        if one.ours and one.theirs:
            mine, its = one.ours[0], one.theirs[0]
            found.append(_candidate(facts, _kind(one), (mine.first, mine.last), (its.first, its.last), strength))
        elif one.ours and (pair := _with_head(facts.ours, one.ours[0], facts.theirs)):
            found.append(_candidate(facts, _kind(one), pair[0], pair[1], strength / 2))
        elif one.theirs and (pair := _with_head(facts.theirs, one.theirs[0], facts.ours)):
            found.append(_candidate(facts, _kind(one), pair[1], pair[0], strength / 2))
    return found


def _kind(reach: Reach) -> Relation:
    """A forecast against an outcome is another time; any other reach another scope."""
    return Relation.WHEN if any(mark.value == "will" for mark in (*reach.ours, *reach.theirs)) else Relation.SCOPE


def _with_head(words: Words, mark: Mark, other: Words) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return a mark with the content word after it, and that word in the other text: "wants to ban" / "banned"."""
    head = next((place for place in words.content if mark.last < place <= mark.last + 3), None)
    if head is None or words.lemmas[head] not in other.lemmas:
        return None
    there = other.lemmas.index(words.lemmas[head])
    return (mark.first, head), (there, there)
