"""The one protocol, and the ways to join stages.

A stage takes rankings and returns better ones. Retrieving, fusing, reranking, deciding and explaining are all this, so joining
stages gives a stage. Its laws are in `twicetold.testing.check_stage`. Nothing here knows an index or a model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

from twicetold.types import Claim, Match, Question, Ranking, ranked


@runtime_checkable
class Stage(Protocol):
    """Takes rankings and returns better ones."""

    def __call__(self, rankings: Sequence[Ranking], /) -> list[Ranking]: ...


def ask(stage: Stage, queries: Iterable[Claim | Question]) -> list[Ranking]:
    """Put plain queries to a stage."""
    return stage([Ranking(query) for query in queries])


def chain(*stages: Stage) -> Stage:
    """Pass the rankings through each stage in turn. No stage at all hands them on as they are."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        current = list(rankings)
        for stage in stages:
            current = stage(current)
        return current

    return run


def cut(depth: int) -> Stage:
    """Keep the first `depth` matches of each ranking."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [dataclasses.replace(ranking, matches=ranking.matches[:depth]) for ranking in rankings]

    return run


def tap(look: Callable[[Sequence[Ranking]], object]) -> Stage:
    """Show the rankings to `look` as they pass; its answer is ignored."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        look(rankings)
        return list(rankings)

    return run


def fuse(*stages: Stage, k: int = 60) -> Stage:
    """Ask every stage the same claims and merge their answers by reciprocal rank.

    A document gains 1 / (k + rank) from each stage that found it (Cormack et al. 2009). Only ranks count, so scores of
    different scales need no normalising. The order of `stages` does not matter; ties go to the smaller id.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        answers = [stage(rankings) for stage in stages]
        return [_merge(asked, [answer[i] for answer in answers], k) for i, asked in enumerate(rankings)]

    return run


def _merge(asked: Ranking, answers: Sequence[Ranking], k: int) -> Ranking:
    found: dict[str, Match] = {}
    gains: dict[str, list[float]] = {}
    for answer in answers:
        for rank, match in enumerate(answer.matches, start=1):
            seen = found.get(match.doc.id)
            found[match.doc.id] = match if seen is None else join(seen, match)
            gains.setdefault(match.doc.id, []).append(1 / (k + rank))
    # Summing in sorted order makes the score, to the last bit, independent of the order of the stages.
    return ranked(asked.query, (dataclasses.replace(m, score=sum(sorted(gains[id]))) for id, m in found.items()))


def join(one: Match, other: Match) -> Match:
    """Put together what two stages know of the same document; the first's score and words win."""
    return dataclasses.replace(
        one,
        signals={**other.signals, **one.signals},
        keys=one.keys or other.keys,
        stance=one.stance or other.stance,
        twins=one.twins or other.twins,
        part=one.part or other.part,
        reasons=tuple(dict.fromkeys(one.reasons + other.reasons)),
        relation=one.relation or other.relation,
        differences=one.differences or other.differences,
        answers=other.answers if one.answers is None else one.answers,
    )
