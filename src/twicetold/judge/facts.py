"""What is found in a claim and in what was checked, side by side: what agrees, what conflicts, what only one of them has.

`counted` puts it into numbers for a model, `candidates` into differences for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twicetold.judge.dates import When, times
from twicetold.judge.edits import Edits, edits
from twicetold.judge.lists import words_of
from twicetold.judge.names import PLACE, Name, names, without_speakers
from twicetold.judge.negation import Denial, denials, scopes
from twicetold.judge.numbers import Quantity, quantities, with_single
from twicetold.judge.opposites import Reversal, reversals
from twicetold.judge.pairing import Paired, paired
from twicetold.judge.quantifiers import Reach, reach
from twicetold.judge.roles import Exchange, exchanged
from twicetold.judge.tokens import Words, lemma

_GROUP_WORDS = frozenset(lemma(word) for word in words_of("groups.txt"))


@dataclass(frozen=True)
class Facts:
    """What was found in the two texts, before it is put into numbers."""

    ours: Words
    theirs: Words
    numbers: Paired[Quantity]
    times: Paired[When]
    names: Paired[Name]
    places: Paired[Name]
    denials: tuple[tuple[Denial, ...], tuple[Denial, ...]]
    reversals: Sequence[Reversal]
    reach: Sequence[Reach]
    exchange: Exchange | None
    edits: Edits
    rest: float
    is_stated: bool


def gather(ours: Words, theirs: Words, *, said_on: str = "", published: str = "", is_stated: bool = True) -> Facts:
    """Find everything in two texts; the dates are those on which they were said and published.

    Unless `is_stated`, theirs is a headline, whose denials are the publisher's verdict: "Mayor Did NOT Resign" checks that he did.
    """
    both = (ours, theirs)
    denied = denials(ours), denials(theirs)
    when = times(ours, said_on), times(theirs, published)
    taken = [{place for time in some for place in range(time.first, time.last + 1)} for some in when]
    amounts = with_single([quantities(words, used) for words, used in zip(both, taken, strict=True)], both)
    named = without_speakers(ours, names(ours, theirs)), without_speakers(theirs, names(theirs, ours))
    kinds = [[[name for name in side if (name.kind == PLACE) is is_place] for side in named] for is_place in (False, True)]
    numbers_ = paired(both, (amounts[0], amounts[1]), Quantity.is_alike, lambda one, two: one.kind == two.kind)
    times_ = paired(both, when, When.is_alike, When.contradicts)
    names_ = _without_mentioned(both, paired(both, (kinds[0][0], kinds[0][1]), Name.is_alike, lambda one, two: True))
    places_ = paired(both, (kinds[1][0], kinds[1][1]), Name.is_alike, lambda one, two: True)
    turned, reached = reversals(ours, theirs, (denied[0], denied[1] if is_stated else ())), reach(ours, theirs)
    rest = _rest(both, [numbers_, times_, names_, places_], turned, reached)
    exchange, aligned = exchanged(ours, theirs), edits(ours, theirs)
    return Facts(ours, theirs, numbers_, times_, names_, places_, denied, turned, reached, exchange, aligned, rest, is_stated)


def _without_mentioned(both: tuple[Words, Words], found: Paired[Name]) -> Paired[Name]:
    """Leave out names whose words stand in the other text anyway, in lower case or at the start of a sentence."""
    lows = [{token.low.removesuffix("'s").replace(".", "") for token in words.tokens} for words in both]

    def is_absent(name: Name, side: int) -> bool:
        return not all(part in lows[side] or (not name.is_sure and lemma(part) in both[side].lemmas) for part in name.parts)

    conflicts = [one for one in found.conflicts if is_absent(one.ours, 1) and is_absent(one.theirs, 0)]
    apart = [one for one in found.conflicts if one not in conflicts]
    alone = [
        [*[name for name in found.ours if is_absent(name, 1)], *[one.ours for one in apart if is_absent(one.ours, 1)]],
        [*[name for name in found.theirs if is_absent(name, 0)], *[one.theirs for one in apart if is_absent(one.theirs, 0)]],
    ]
    return Paired(found.shared, tuple(conflicts), tuple(alone[0]), tuple(alone[1]))


def _rest(both: tuple[Words, Words], apart: Sequence[Paired[Any]], reversed_: Sequence[Reversal], reach_: Sequence[Reach]) -> float:
    """Return the shared content words as a share of all but those that were found to differ; ½ where none are left."""
    used: tuple[set[int], set[int]] = (set(), set())
    for found in apart:
        for conflict in found.conflicts:
            used[0].update(range(conflict.ours.first, conflict.ours.last + 1))
            used[1].update(range(conflict.theirs.first, conflict.theirs.last + 1))
    used[0].update(one.ours for one in reversed_)
    used[1].update(one.theirs for one in reversed_)
    used[0].update(mark.first for one in reach_ for mark in one.ours)
    used[1].update(mark.first for one in reach_ for mark in one.theirs)
    one, two = ({w.lemmas[place] for place in w.content if place not in used[side]} for side, w in enumerate(both))
    return len(one & two) / len(one | two) if one or two else 0.5


def other_groups(facts: Facts) -> tuple[list[int], list[int]]:
    """Return the places of kinds of people or things that the other text does not speak of."""
    one, two = (
        [place for place, its in enumerate(words.lemmas) if its in _GROUP_WORDS and its not in other.lemmas]
        for words, other in ((facts.ours, facts.theirs), (facts.theirs, facts.ours))
    )
    return one, two


@dataclass(frozen=True, slots=True)
class DeniedAlone:
    """A word that one side denies and the other asserts: the denial's first token and the word's place here, its place there."""

    first: int
    last: int
    there: int


def denied_by_us(facts: Facts) -> list[DeniedAlone]:
    """Return what the claim denies and the check asserts."""
    return _denied_alone((facts.ours, facts.theirs), facts.denials)


def denied_by_them(facts: Facts) -> list[DeniedAlone]:
    """Return what the check denies and the claim asserts; nothing if the check states no claim, as the denial is its verdict then."""
    if not facts.is_stated:
        return []
    return _denied_alone((facts.theirs, facts.ours), (facts.denials[1], facts.denials[0]))


def _denied_alone(both: tuple[Words, Words], denied: tuple[tuple[Denial, ...], tuple[Denial, ...]]) -> list[DeniedAlone]:
    here, other = both
    there = scopes(other, denied[1], is_wide=True)
    found = []
    for denial in denied[0]:
        scope = {here.lemmas[place] for place in denial.scope}
        if scope and not scope & there and here.lemmas[denial.reaches] in other.lemmas:
            found.append(DeniedAlone(denial.first, denial.reaches, other.lemmas.index(here.lemmas[denial.reaches])))
    return found


def denial_differs(facts: Facts) -> float:
    """Return 1 if one side denies a word that the other asserts, ½ if only one denies something the other does not mention."""
    if denied_by_us(facts) or denied_by_them(facts):
        return 1.0
    undone = [one for one in facts.reversals if one.is_undone]
    under = [scopes(words, some, is_wide=True) for words, some in zip((facts.ours, facts.theirs), facts.denials, strict=True)]
    mine = _has_unmatched(facts.ours, facts.denials[0], under[1], {one.ours for one in undone})
    its = facts.is_stated and _has_unmatched(facts.theirs, facts.denials[1], under[0], {one.theirs for one in undone})
    return 0.5 if mine != its else 0.0


def _has_unmatched(words: Words, denied: Sequence[Denial], there: frozenset[str], undone: set[int]) -> bool:
    """True if something is denied here that the other text does not deny, but for words whose reverse it asserts."""
    return any(denial.reaches not in undone and not there.intersection(words.lemmas[place] for place in denial.scope) for denial in denied)


def shared_near(facts: Facts, ours: int, theirs: int) -> float:
    """Return the share of the words around two tokens that both texts have."""
    one, two = facts.ours.near(ours, ours), facts.theirs.near(theirs, theirs)
    return len(one & two) / max(len(one | two), 1)
