"""How far a statement reaches: all or some, only, the first or largest, ever; causes or is linked to; wanted, voted for or done.

Each text gets a set of marks by group, with the token that makes it; `reach` compares two texts group by group. English only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from twicetold.judge.lists import SETS, pairs
from twicetold.judge.tokens import Words

GROUPS = ("degree", "only", "rank", "ever", "cause", "stage")
"""How many, "only", superlatives and "first", "ever", how one thing leads to another, how far something has come."""
_RANKS = SETS["quantifiers.ranks"]
_EVER = SETS["quantifiers.ever"]
_CAUSES = SETS["quantifiers.causes"]
_LINKS = SETS["quantifiers.links"]
_PLANS = SETS["quantifiers.plans"]
_VOTES = SETS["quantifiers.votes"]
_WILL = SETS["quantifiers.will"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A word that says how far a statement reaches: its group, its value there, and its tokens."""

    group: str
    value: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Reach:
    """How the marks of one group stand to each other: the marks that each side has alone. Either may be empty, not both."""

    group: str
    ours: tuple[Mark, ...]
    theirs: tuple[Mark, ...]


@lru_cache(maxsize=2_048)
def marks(words: Words) -> tuple[Mark, ...]:
    """Return the marks of a text in order."""
    return tuple(_marks(words))


def _marks(words: Words) -> Iterator[Mark]:
    place = 0
    while place < len(words.tokens):
        found = _degree(words, place) or _other(words, place)
        if found is None:
            place += 1
            continue
        yield found
        place = found.last + 1


def reach(ours: Words, theirs: Words) -> list[Reach]:
    """Return the groups in which the two texts reach differently."""
    found = []
    for group in GROUPS:
        mine = [mark for mark in marks(ours) if mark.group == group]
        its = [mark for mark in marks(theirs) if mark.group == group]
        values = {mark.value for mark in mine}, {mark.value for mark in its}
        alone = tuple(m for m in mine if m.value not in values[1]), tuple(m for m in its if m.value not in values[0])
        if any(alone):
            found.append(Reach(group, *alone))
    return found


@cache
def _degrees() -> Mapping[tuple[str, ...], str]:
    return {tuple(word.split("_")): level for level, several in pairs("quantifiers.txt") for word in several}


@cache
def _openings() -> frozenset[str]:
    return frozenset(parts[0] for parts in _degrees())


def _degree(words: Words, place: int) -> Mark | None:
    if words.tokens[place].low not in _openings():
        return None
    known = _degrees()
    for length in (3, 2, 1):
        lows = tuple(token.low for token in words.tokens[place : place + length])
        level = known.get(lows) if len(lows) == length else None
        if level is None or _is_idle(words, place, lows):
            continue
        group = "only" if level == "only" else "degree"
        return Mark(group, level, place, place + length - 1)
    return None


def _is_idle(words: Words, place: int, lows: tuple[str, ...]) -> bool:
    """True for "at all", "first of all", "most dangerous", "all over", "only" after "not", "some 40"."""
    before = words.tokens[place - 1].low if place else ""
    following = words.tokens[place + 1].low if place + 1 < len(words.tokens) else ""
    low = lows[0]
    if low == "all":
        return before in ("at", "of", "after", "above") or following in ("over", "right", "along")
    if low == "only":
        return before == "not"
    if low == "some":
        return following[:1].isdigit()
    if low == "most":
        return before in ("the", "at") and following != "of"
    if low == "any":
        return following == "more" or before in ("not", "without", "hardly")
    return False


def _other(words: Words, place: int) -> Mark | None:
    low = words.tokens[place].low
    if low in _RANKS and not _is_named(words, place):
        is_one_of = [token.low for token in words.tokens[max(0, place - 3) : place]][-3:-1] == ["one", "of"]
        return Mark("rank", "one of " + low if is_one_of else low, place, place)
    if low in _EVER:
        return Mark("ever", "ever", place, place)
    if low in _CAUSES:
        return Mark("cause", "causes", place, place)
    if low in _LINKS:
        return Mark("cause", "linked", place, place)
    stage = "planned" if low in _PLANS else "voted" if low in _VOTES else "will" if low in _WILL else ""
    return Mark("stage", stage, place, place) if stage else None


def _is_named(words: Words, place: int) -> bool:
    """True for "first lady", "last year", "top" of something, "First Amendment"."""
    following = words.tokens[place + 1] if place + 1 < len(words.tokens) else None
    if following is None:
        return False
    low = words.tokens[place].low
    if low in ("last", "first", "latest") and following.low in SETS["quantifiers.named"]:
        return True
    return low in ("first", "last") and following.is_capital and not words.is_headline and not words.is_shouted
