"""Pairing what two texts name of one kind: what agrees, what stands against each other, and what only one of them has.

Pairs are taken greedily, those whose neighbouring words agree most first. Equal ones go by their places, in a way that does not depend on
which text is called the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from twicetold.judge.tokens import Words

_MOST = 60
"""Of one kind in one text; a text with more is a table."""
_NEAR_ENOUGH = 0.5


class Placed(Protocol):
    """Something found in a text, from one token to another."""

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int: ...


T = TypeVar("T", bound=Placed)


@dataclass(frozen=True, slots=True)
class Conflict(Generic[T]):
    """Two that stand against each other, and the share of the words around them that both have."""

    ours: T
    theirs: T
    nearness: float


@dataclass(frozen=True, slots=True)
class Paired(Generic[T]):
    """What agrees, counted; what conflicts, nearest first; and what only one side has."""

    shared: int
    conflicts: tuple[Conflict[T], ...]
    ours: tuple[T, ...]
    theirs: tuple[T, ...]

    @property
    def context(self) -> float:
        """The nearness of the nearest conflict, 0 without one."""
        return max((conflict.nearness for conflict in self.conflicts), default=0.0)


def paired(
    both: tuple[Words, Words],
    found: tuple[Sequence[T], Sequence[T]],
    is_alike: Callable[[T, T], bool],
    conflicts: Callable[[T, T], bool],
) -> Paired[T]:
    """Pair what agrees, then what conflicts.

    What one side repeats conflicts only where the words around it agree: "built in ten years, and now it takes ten" against "built in one
    year, and now it takes ten".
    """
    ours, theirs = found[0][:_MOST], found[1][:_MOST]
    scored = [(-_nearness(both, one, two), a + b, a, b) for a, one in enumerate(ours) for b, two in enumerate(theirs)]
    alike = [one for one in scored if is_alike(ours[one[2]], theirs[one[3]])]
    repeated = {a for *_, a, _ in alike}, {b for *_, b in alike}
    settled = _greedy(alike)
    left = _left(ours, {a for a, _, _ in settled}), _left(theirs, {b for _, b, _ in settled})
    against = [
        (cost, order, a, b)
        for cost, order, a, b in scored
        if a in left[0] and b in left[1] and conflicts(ours[a], theirs[b]) and not is_alike(ours[a], theirs[b])
        if -cost >= _NEAR_ENOUGH or not (a in repeated[0] or b in repeated[1])
    ]
    chosen = _greedy(against)
    used = {a for a, _, _ in chosen} | repeated[0], {b for _, b, _ in chosen} | repeated[1]
    return Paired(
        len(settled),
        tuple(Conflict(ours[a], theirs[b], nearness) for a, b, nearness in chosen),
        tuple(ours[a] for a in left[0] if a not in used[0]),
        tuple(theirs[b] for b in left[1] if b not in used[1]),
    )


def _left(found: Sequence[object], used: set[int]) -> list[int]:
    return [place for place in range(len(found)) if place not in used]


def _greedy(scored: list[tuple[float, int, int, int]]) -> list[tuple[int, int, float]]:
    used: tuple[set[int], set[int]] = (set(), set())
    chosen = []
    for cost, _, a, b in sorted(scored):
        if a not in used[0] and b not in used[1]:
            used[0].add(a)
            used[1].add(b)
            chosen.append((a, b, -cost))
    return chosen


def _nearness(both: tuple[Words, Words], one: Placed, two: Placed) -> float:
    here, there = both[0].near(one.first, one.last), both[1].near(two.first, two.last)
    return len(here & there) / max(len(here | there), 1)
