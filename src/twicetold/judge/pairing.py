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
    """Pair what agrees, then what conflicts. What one side repeats is counted once and conflicts with nothing."""
    ours, theirs = found[0][:_MOST], found[1][:_MOST]
    alike = [(a, b) for a, one in enumerate(ours) for b, two in enumerate(theirs) if is_alike(one, two)]
    settled = {a for a, _ in alike}, {b for _, b in alike}
    left = [a for a in range(len(ours)) if a not in settled[0]], [b for b in range(len(theirs)) if b not in settled[1]]
    against = [(-_nearness(both, ours[a], theirs[b]), a + b, a, b) for a in left[0] for b in left[1] if conflicts(ours[a], theirs[b])]
    chosen = _greedy(against)
    used = {a for a, _, _ in chosen}, {b for _, b, _ in chosen}
    return Paired(
        min(len(settled[0]), len(settled[1])),
        tuple(Conflict(ours[a], theirs[b], nearness) for a, b, nearness in chosen),
        tuple(ours[a] for a in left[0] if a not in used[0]),
        tuple(theirs[b] for b in left[1] if b not in used[1]),
    )


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
