"""Ways to gather evidence for a question: ours, and the paper's (Bai, Colas & Wang 2023), with the released code's slips as switches.

Both read at most the first 1,000 posts once; the answer for a smaller k is the same reading of the first k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from twicetold.mine.evidence import ORDER, read_stances, sides, worth_reading
from twicetold.mine.miner import Effort
from twicetold.mine.protocols import StanceModel
from twicetold.mine.retrieve import by_both, by_words
from twicetold.mine.statements import concatenation, statement
from twicetold.posts import Posts
from twicetold.posts.clean import readable
from twicetold.stage import ask
from twicetold.types import Claim, Match, Post, Ranking, Stance
from twicetold_lab.datasets.mythqa import Contested
from twicetold_lab.measures.contested import Answer

Evidence = Callable[[int], tuple[tuple[str, ...], tuple[str, ...]]]
"""From k, the number of posts considered, to the ids of the supporting and of the refuting posts, best first."""


@dataclass(frozen=True, slots=True)
class Legacy:
    """What the released code does and the paper does not say.

    `label_order`: the columns of the model are taken for (refutes, supports, neutral) whatever they are; `string_sort`: retrieval scores
    are sorted as words, so "9.9" comes before "12.1"; `misaligned`: after a text that occurs twice, each stance goes to the next post.
    """

    label_order: bool = False
    string_sort: bool = False
    misaligned: bool = False


@dataclass(frozen=True)
class Paper:
    """BM25 over the posts' own words, the claim as question and answer together, evidence ranked by the stance alone."""

    posts: Posts
    stance: StanceModel
    legacy: Legacy = Legacy()
    make_claim: Callable[[str, str], str] = concatenation
    most: int = 1000

    def evidence(self, question: str, answer: str = "yes") -> Evidence:
        """Find and read once; return the evidence for any k."""
        claim = self.make_claim(question, answer)
        [ranking] = ask(by_words(self.posts, depth=self.most), [Claim("q", claim, lang="en")])
        matches = list(ranking.matches)
        if self.legacy.string_sort:
            matches.sort(key=lambda match: str(match.score), reverse=True)
        texts = [_text(match) for match in matches]
        rows = self.stance.read([(claim, text) for text in texts]) if texts else np.zeros((0, 3), np.float32)
        if self.legacy.label_order:
            rows = rows[:, [1, 0, 2]]
        return lambda k: self._ranked(matches[:k], texts[:k], rows[:k])

    def _ranked(self, matches: Sequence[Match], texts: Sequence[str], rows: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
        places = range(len(matches))
        if self.legacy.misaligned:
            first = [place for place in places if texts[place] not in texts[:place]]
            read = [rows[place] for place in first]
        else:
            read = list(rows)
        ranked = sorted(zip(read, places, strict=False), key=lambda pair: (-float(pair[0].max()), pair[1]))
        found: dict[Stance, list[str]] = {side: [] for side in ORDER}
        for row, place in ranked:
            found[ORDER[int(row.argmax())]].append(matches[place].doc.id)
        return tuple(found[Stance.SUPPORTS]), tuple(found[Stance.REFUTES])


@dataclass(frozen=True)
class Ours:
    """Words, meaning and what a reply replies to; a natural statement; evidence ranked by relevance times stance."""

    posts: Posts
    stance: StanceModel
    least: float = Effort().least
    make_claim: Callable[[str, str], str] = statement
    most: int = 1000

    def evidence(self, question: str, answer: str = "yes") -> Evidence:
        """Find and read once; return the evidence for any k."""
        claim = self.make_claim(question, answer)
        [found] = ask(by_both(self.posts, depth=self.most), [Claim("q", claim, lang="en")])
        read = read_stances(worth_reading(found, self.least), claim, self.stance, self.posts)
        place = {match.doc.id: at for at, match in enumerate(found.matches)}

        def cut(k: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
            kept = Ranking(read.query, tuple(match for match in read.matches if place[match.doc.id] < k))
            supporting, refuting = sides(kept, least=self.least)
            return tuple(match.doc.id for match in supporting), tuple(match.doc.id for match in refuting)

        return cut


def yes_no(evidence: tuple[tuple[str, ...], tuple[str, ...]]) -> list[Answer]:
    """Return the answers that the evidence gives to a yes/no question; none if there is none."""
    yes, no = evidence
    return [Answer(text, side, other) for text, side, other in (("yes", yes, no), ("no", no, yes)) if side]


def named(gold: Contested, pipeline: Paper | Ours, k: int) -> list[Answer]:
    """Return the gold answers of an entity question with the evidence found for each: the paper's intrinsic stance mining."""
    return [Answer(answer.text, *pipeline.evidence(gold.question.text, answer.text)(k)) for answer in gold.answers]


def _text(match: Match) -> str:
    assert isinstance(match.doc, Post)
    return readable(match.doc.text)
