"""Ask again as posts arrive, and tell what is new: an answer nobody gave before, or a side that an answer did not have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from twicetold.errors import BadData
from twicetold.mine.answers import same
from twicetold.mine.contest import Contested
from twicetold.mine.miner import NOT_SURE, Asked, Miner
from twicetold.types import Match, Question

Side = Literal["supporting", "refuting"]


@dataclass(frozen=True, slots=True)
class News:
    """A side of an answer that has evidence for the first time; `is_new_answer` if the answer itself is new."""

    question: Question
    answer: str
    claim: str
    side: Side
    is_new_answer: bool
    match: Match


def news(before: Asked, after: Asked) -> list[News]:
    """Return what `after` has and `before` had not, in the order of its answers. Of yes and no only "yes" is told: no is its other side."""
    found = []
    for answer in after.answers:
        if answer.myth.answer == NOT_SURE or (after.kind == "yes-no" and answer.myth.answer == "no" and _given(after, "yes")):
            continue
        old = next((one for one in before.answers if same(one.myth.answer, answer.myth.answer)), None)
        found += [
            News(after.question, answer.myth.answer, answer.myth.claim, side, old is None, first) for side, first in _sides(answer, old)
        ]
    return found


def _given(asked: Asked, answer: str) -> bool:
    return any(one.myth.answer == answer for one in asked.answers)


def _sides(answer: Contested, old: Contested | None) -> Iterator[tuple[Side, Match]]:
    if answer.myth.supporting and not (old and old.myth.supporting):
        yield "supporting", answer.myth.supporting[0]
    if answer.myth.refuting and not (old and old.myth.refuting):
        yield "refuting", answer.myth.refuting[0]


def watch(miner: Miner, question: Question, wait: Callable[[], bool]) -> Iterator[tuple[Asked, list[News]]]:
    """Yield the answer now, and again whenever posts have come; `wait` is called in between and ends the watch by returning False.

    Posts that another process only stored are indexed here if nobody else is writing.
    """
    asked = miner.ask(question)
    yield asked, []
    reached = miner.posts.store.change
    while wait():
        if miner.posts.store.change == reached:
            continue
        if miner.posts.refresh():
            try:
                miner.posts.index()
            except BadData:  # somebody else is writing: what they index is seen next time
                continue
        reached = miner.posts.store.change
        before, asked = asked, miner.ask(question)
        yield asked, news(before, asked)
