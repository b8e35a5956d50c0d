"""Exchanged roles: the same words around the same verb, with doer and done-to the other way round ("A sued B" / "B sued A").

A passive turns the order once more ("B was sued by A" is "A sued B"), and so does nothing where the verb looks the same from both sides
("met", "married"). Also how far the order of shared words differs at all. English only.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from twicetold.judge.lists import SETS
from twicetold.judge.tokens import Words, lemma

_BE = SETS["roles.be"]
_SYMMETRIC = frozenset(map(lemma, SETS["roles.symmetric"]))
_NOT_PARTICIPLES = frozenset({"percent", "government", "president", "amount", "account", "child", "gold", "night", "right"})
_MOST_SHARED = 25
_NEAR = 4


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two words around a verb that changed places: the places of the word before, of the verb and of the word after, in each text."""

    ours: tuple[int, int, int]
    theirs: tuple[int, int, int]


def exchanged(ours: Words, theirs: Words) -> Exchange | None:
    """Return the exchange of roles whose words stand closest together, if there is one."""
    mine, its = _once(ours), _once(theirs)
    shared = sorted((one for one in mine if one in its), key=lambda one: (mine[one] + its[one], one))[:_MOST_SHARED]
    found = [
        (_spread(mine, its, verb, one, two), verb, one, two)
        for verb in shared
        if verb not in _SYMMETRIC and _is_inner(ours, mine[verb]) and _is_inner(theirs, its[verb])
        for one, two in itertools.combinations([other for other in shared if other != verb], 2)
        if _is_exchange(ours, theirs, (mine[one], mine[verb], mine[two]), (its[one], its[verb], its[two]))
    ]
    if not found:
        return None
    _, verb, one, two = min(found)
    return Exchange(_in_order(mine[one], mine[verb], mine[two]), _in_order(its[one], its[verb], its[two]))


def _spread(mine: dict[str, int], its: dict[str, int], verb: str, one: str, two: str) -> int:
    return sum(abs(places[verb] - places[other]) for places in (mine, its) for other in (one, two))


def _in_order(one: int, verb: int, two: int) -> tuple[int, int, int]:
    return min(one, two), verb, max(one, two)


def _is_exchange(ours: Words, theirs: Words, here: tuple[int, int, int], there: tuple[int, int, int]) -> bool:
    """True if two words around a verb, all near it, have changed places, or have not where one of the two texts says "was … by"."""
    sides = [(one - verb, two - verb) for one, verb, two in (here, there)]
    if any(abs(step) > _NEAR for side in sides for step in side) or any(one * two > 0 for one, two in sides):
        return False
    mine, its = _agents(ours, here[1]), _agents(theirs, there[1])
    if sides[0][0] * sides[1][0] < 0:
        return bool(mine) == bool(its) and _is_passive(ours, here[1]) == _is_passive(theirs, there[1])
    return bool(mine) != bool(its) and (max(here[0], here[2]) in mine or max(there[0], there[2]) in its)


def disorder(ours: Words, theirs: Words) -> float:
    """Return the share of pairs of shared words that stand in another order, 0 with fewer than three of them."""
    mine, its = _once(ours), _once(theirs)
    places = [(mine[one], its[one]) for one in sorted(mine, key=lambda one: mine[one]) if one in its][:_MOST_SHARED]
    n = len(places)
    if n < 3:
        return 0.0
    turned = sum(places[i][1] > places[j][1] for i in range(n) for j in range(i + 1, n))
    return turned / (n * (n - 1) / 2)


def _once(words: Words) -> dict[str, int]:
    """Return the places of content words that a text holds once."""
    found: dict[str, int] = {}
    twice: set[str] = set()
    for place in words.content:
        its = words.lemmas[place]
        if its in found:
            twice.add(its)
        found[its] = place
    return {its: place for its, place in found.items() if its not in twice}


def _is_inner(words: Words, place: int) -> bool:
    return 0 < place < len(words.tokens) - 1 and not words.tokens[place].is_number


def _is_passive(words: Words, place: int) -> bool:
    """True for "was sued", "has been given"."""
    before = [token.low for token in words.tokens[max(0, place - 2) : place]]
    return _is_participle(words, place) and any(one in _BE for one in before)


def _is_participle(words: Words, place: int) -> bool:
    low = words.tokens[place].low
    return low.endswith(("ed", "en", "wn", "rn", "ht", "lt", "nt", "ld", "id", "ade")) and low not in _NOT_PARTICIPLES


def _agents(words: Words, verb: int) -> range:
    """Return the places right after "by" where a verb's doer stands in a passive; none if no "by" follows a participle."""
    after = words.tokens[verb + 1 : verb + 3]
    is_by = len(after) == 2 and after[0].low == "by" and after[1].is_word and _is_participle(words, verb)
    return range(verb + 2, verb + 4) if is_by else range(0)
