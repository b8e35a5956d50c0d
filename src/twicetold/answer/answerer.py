"""The one way from claims to answers: find, rank, judge, group, decide, explain.

Every door (command line, API, page, tools, speeches, questions, screening, evaluation) asks an `Answerer`, so that the same claim, recipe
and `Asking` give the same fact-checks in the same order with the same lane everywhere. Nothing here searches or scores by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from twicetold.answer.asking import Asking
from twicetold.answer.decide import Decider, decide, never_by_a_changed_check
from twicetold.answer.explain import explained
from twicetold.answer.group import grouped
from twicetold.answer.heed import decided_by_people, heed
from twicetold.answer.lanes import Lanes, in_lanes
from twicetold.answer.nonsense import never_by_nothing
from twicetold.answer.parts import in_parts
from twicetold.answer.recipes import BEST, Recipe
from twicetold.collection import Collection
from twicetold.judge.grades import Grades
from twicetold.judge.reader import PairReader
from twicetold.judge.stage import judged
from twicetold.models import is_shipped, shipped
from twicetold.stage import Stage, ask, chain, cut
from twicetold.types import Claim, Question, Ranking

_AS_USUAL = Asking()
READER, GRADES, LANES = "pairs", "grades", "lanes"
"""The models that judge: the pair reader, and what turns its readings into chances."""


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
        asking = self.asking
        return chain(asking.before or list, self.recipe.build(self.collection, asking), grouped(self.collection, filters=asking.filters))

    def _decided(self) -> Stage:
        """Find, rank, group, judge and decide; a claim that is not matched as a whole is decided part by part."""
        people = heed(self.collection, filters=self.asking.filters)
        if not self.is_judged:
            return chain(self.unjudged, people)
        if self.recipe.decides:
            return chain(self.unjudged, people, never_by_a_changed_check, decided_by_people)
        read = chain(self.unjudged, judge(self.collection.threads), people)
        decided = chain(read, decision(self.collection, self.asking.risk), never_by_nothing, decided_by_people)
        return chain(in_parts(decided), people, decided_by_people)  # once more: a part may have brought back what was refused


@cache
def judge(threads: int = 0) -> Stage:
    """The stage that reads claim and fact-check together and gives the first matches `relation`, `differences` and `answers`.

    The reader uses so many threads, 0 for all. Without its weights the rankings pass as they are.
    """
    if not (is_shipped(READER) and is_shipped(GRADES)):
        return list
    return judged(PairReader.load(threads=threads), Grades.load(shipped(GRADES)))


def decision(collection: Collection, risk: float) -> Stage:
    """The stage that decides: by what was judged of each pair, or, without the weights for that, by the first match's signals."""
    if is_shipped(READER) and is_shipped(GRADES) and is_shipped(LANES):
        return in_lanes(lanes(), risk=risk, is_whole=lambda: collection.pending == 0)
    return decide(decider(), risk=risk)


@cache
def lanes() -> Lanes:
    """The shipped lanes."""
    return Lanes.load(shipped(LANES))


@cache
def decider() -> Decider:
    """The shipped decision."""
    return Decider.load(shipped("decide"))
