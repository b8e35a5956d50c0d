"""How contested an answer is, and what goes with it: copies, counts over time, fact-checks that already answer it."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from twicetold.answer import BEST, Answerer, Asking
from twicetold.answer.group import answering
from twicetold.answer.phrases import doubt
from twicetold.collection import Collection
from twicetold.posts import Posts
from twicetold.types import Claim, Match, Myth, Post, Ranking


@dataclass(frozen=True, slots=True)
class Period:
    """How many posts, copies included, took either side in a month (`2020-04`), or on a day where all fall into two months."""

    when: str
    supporting: int
    refuting: int


@dataclass(frozen=True, slots=True)
class Contested:
    """An answer with both sides, how contested it is (0 to 1), and the fact-checks that already deal with it.

    `copies` counts, by post id, the shares and near-copies of a post beyond itself. `also` are other spellings of the answer met. `known`
    is what the fact-checks have for the answer's claim, as `match` says it; None if they were not asked.
    """

    myth: Myth
    score: float
    over_time: tuple[Period, ...] = ()
    copies: Mapping[str, int] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    known: Ranking | None = None

    @property
    def checked(self) -> tuple[Match, ...]:
        """The fact-checks that answer this claim; none unless it was decided so."""
        return () if self.known is None else answering(self.known)

    @property
    def near(self) -> list[tuple[str, Match]]:
        """The fact-checks to show with this answer, each with what it is: those that answer, else the nearest if one may."""
        if self.checked:
            return [("Already checked", match) for match in self.checked]
        if self.known is None or self.known.is_empty:
            return []
        return [(doubt(self.known), match) for match in self.known.matches[:1]]


def contested(myth: Myth, posts: Posts, *, also: Sequence[str] = ()) -> Contested:
    """Weigh an answer's two sides and count their posts over time."""
    ids = [match.doc.id for match in (*myth.supporting, *myth.refuting)]
    copies = posts.store.copies(ids)
    counts = {id: len(some) for id, some in copies.items()}
    times = over_time(
        [time for match in myth.supporting for time in _times(match, copies)],
        [time for match in myth.refuting for time in _times(match, copies)],
    )
    return Contested(myth, contradiction(myth.supporting, myth.refuting), times, counts, tuple(s for s in also if s != myth.answer))


def contradiction(supporting: Iterable[Match], refuting: Iterable[Match]) -> float:
    """Return how contested a claim is: 0 if a side is empty, near 1 if both are strong and even.

    With S and R the summed evidence of each side, 4SR / (S + R)² says how even they are and 1 - exp(-min(S, R)) how much there is on the
    weaker side: one doubtful reply does not make a claim contested.
    """
    s, r = sum(match.score for match in supporting), sum(match.score for match in refuting)
    return 4 * s * r / (s + r) ** 2 * (1 - math.exp(-min(s, r))) if s > 0 and r > 0 else 0.0


def _times(match: Match, copies: Mapping[str, Sequence[Post]]) -> list[str]:
    post = match.doc
    assert isinstance(post, Post)
    return [one.posted for one in (post, *copies.get(post.id, ())) if one.posted]


def over_time(supporting: Sequence[str], refuting: Sequence[str]) -> tuple[Period, ...]:
    """Count times by month, or by day if all fall into at most two months; times without a month are left out."""
    months = {time[:7] for time in (*supporting, *refuting) if len(time) >= 7}
    length = 10 if len(months) <= 2 else 7
    yes = Counter(time[:length] for time in supporting if len(time) >= length)
    no = Counter(time[:length] for time in refuting if len(time) >= length)
    return tuple(Period(when, yes[when], no[when]) for when in sorted(yes.keys() | no.keys()))


def with_checks(answers: Sequence[Contested], collection: Collection, *, top: int = 2) -> tuple[Contested, ...]:
    """Look every answer's claim up among known fact-checks, as `match` does."""
    claims = [Claim(f"answer-{at}", answer.myth.claim, lang="en") for at, answer in enumerate(answers)]
    rankings = Answerer(collection, BEST, Asking(top=top))(claims)
    return tuple(dataclasses.replace(answer, known=ranking) for answer, ranking in zip(answers, rankings, strict=True))
