"""Claims that have nothing in common with what was found: keys hit at random, words of no language. They are not worth a person's look.

The decision's model has met no such text and calls it improbable, not impossible. Here no word, no link and no meaning is shared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from twicetold.types import Decision, Lane, Match, Ranking

_WORDS = ("bm25.claim", "bm25.title", "bm25.body", "share.best", "cover.claim", "cover.title", "link")
_LEAST_MEANING = 0.25
"""Texts that say something similar in two languages have a cosine well above this; random letters stay below."""


def never_by_nothing(rankings: Sequence[Ranking], /) -> list[Ranking]:
    """Move rankings out of `review` into `no match` none of whose matches shares a word, a link or a meaning with the claim."""
    return [_without_nothing(ranking) for ranking in rankings]


def _without_nothing(ranking: Ranking) -> Ranking:
    decision = ranking.decision
    if decision is None or decision.lane is not Lane.REVIEW or any(_has_something(match) for match in ranking.matches):
        return ranking
    return dataclasses.replace(ranking, decision=Decision(Lane.NO_MATCH, decision.probability, decision.risk))


def _has_something(match: Match) -> bool:
    told = match.signals
    return "dense.best" not in told or told["dense.best"] >= _LEAST_MEANING or any(told.get(name, 0.0) > 0 for name in _WORDS)
