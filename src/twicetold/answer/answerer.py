"""The one way from claims to answers: find, rank, judge, group, decide, explain.

Every door (command line, API, page, tools, speeches, questions, screening, evaluation) asks an `Answerer`, so that the same claim, recipe
and `Asking` give the same fact-checks in the same order with the same lane everywhere. Nothing here searches or scores by itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache

from twicetold.answer.asking import Asking
from twicetold.answer.decide import Decider, decide, never_by_a_changed_check
from twicetold.answer.explain import explained
from twicetold.answer.group import grouped
from twicetold.answer.heed import decided_by_people, heed
from twicetold.answer.nonsense import never_by_nothing
from twicetold.answer.parts import in_parts
from twicetold.answer.recipes import BEST, Recipe
from twicetold.collection import Collection
from twicetold.judge.grades import Grades
from twicetold.judge.reader import PairReader
from twicetold.judge.stage import judged
from twicetold.models import shipped
from twicetold.stage import Stage, ask, chain, cut
from twicetold.types import Claim, Lane, Question, Ranking

_AS_USUAL = Asking()


class Answerer:
    """Answers claims from one collection by one recipe; `stage` is the whole pipeline, to be joined with others."""

    def __init__(self, collection: Collection, recipe: Recipe = BEST, asking: Asking = _AS_USUAL) -> None:
        self.collection = collection
        self.recipe = recipe
        self.asking = asking
        shown = [] if asking.keys == 0 else [explained(collection, first=asking.top, keys=asking.keys)]
        self.stage: Stage = chain(self._decided(), cut(asking.top), *shown)

    def __call__(self, claims: Sequence[Claim | Question]) -> list[Ranking]:
        """Return the answer to each claim, in their order."""
        return ask(self.stage, claims)

    @property
    def is_judged(self) -> bool:
        """True if the answers come with a decision. That of `best` was calibrated with meanings: words alone cannot be decided by it."""
        return self.recipe.judged and (self.recipe.decides or self.collection.vectors is not None)

    @property
    def unjudged(self) -> Stage:
        """Find, rank and group: what is judged and decided next."""
        return chain(
            self.asking.before or list,
            self.recipe.build(self.collection, self.asking),
            grouped(self.collection, filters=self.asking.filters),
        )

    def _decided(self) -> Stage:
        """Find, rank, group, judge and decide; a claim that is not matched as a whole is decided part by part."""
        people = heed(self.collection, filters=self.asking.filters)
        if not self.is_judged:
            return chain(self.unjudged, people)
        if self.recipe.decides:
            return chain(self.unjudged, people, never_by_a_changed_check, decided_by_people)
        judged = chain(self.unjudged, judge(), people)
        decided = chain(judged, decide(decider(), risk=self.asking.risk), never_by_nothing, self._never_a_rash_none, decided_by_people)
        return chain(in_parts(decided), people, decided_by_people)  # once more: a part may have brought back what was refused

    def _never_a_rash_none(self, rankings: Sequence[Ranking], /) -> list[Ranking]:
        """While part of the collection is not indexed by meaning, nobody can say that a claim was not checked: `review` instead."""
        return [_reviewed(ranking) for ranking in rankings] if self.collection.pending else list(rankings)


def _reviewed(ranking: Ranking) -> Ranking:
    decision = ranking.decision
    if decision is None or decision.lane is not Lane.NO_MATCH or not ranking.matches:
        return ranking
    return dataclasses.replace(ranking, decision=dataclasses.replace(decision, lane=Lane.REVIEW))


@cache
def judge() -> Stage:
    """The stage that reads claim and fact-check together and gives the first matches `relation`, `differences` and `answers`."""
    return judged(PairReader.load(), Grades.load(shipped("grades")))


@cache
def decider() -> Decider:
    """The shipped decision."""
    return Decider.load(shipped("decide"))
