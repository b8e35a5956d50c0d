"""What posts say of a claim: their stance, read by a model, and the order in which they count as evidence.

A post is evidence for a side in so far as it is about the claim *and* takes that side, so the two probabilities are multiplied. Ranking
by the stance alone (Bai et al. 2023) puts ever less related posts first as more are retrieved: among a thousand there is always one that
sounds sure of something else.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence

from twicetold.mine.protocols import StanceModel
from twicetold.posts import Posts
from twicetold.posts.clean import readable
from twicetold.posts.sketch import are_copies
from twicetold.types import Match, Post, Ranking, Stance, ranked

ORDER = (Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL)
"""The order of a stance model's columns."""

# How likely a post is about the claim: a logistic regression on the retrieval signals of RumourEval's training threads, made by
# `python results/mythqa.py about`.
ABOUT = {"bias": -4.0, "share.text": 6.0, "share.context": 5.0, "dense.text": 3.0}

READ_LANGUAGES = ("en", "")
_ALIKE = 0.6
_LONGEST_PARENT = 300

Progress = Callable[[str, int, int], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Sides:
    """The posts on either side of a claim, best evidence first; copies of a post are in `twins_of` of none: they are dropped here."""

    supporting: tuple[Match, ...] = ()
    refuting: tuple[Match, ...] = ()
    read: int = 0
    unread: int = 0
    """Posts found but written in a language the model does not read."""


def about(signals: Mapping[str, float]) -> float:
    """Return how likely a post with these retrieval signals is about the claim, 0 to 1."""
    total = ABOUT["bias"] + sum(weight * signals.get(name, 0.0) for name, weight in ABOUT.items() if name != "bias")
    return 1 / (1 + math.exp(-total))


def spoken(post: Post, posts: Posts | None) -> str:
    """Return a post as the stance model reads it: a reply after what it replies to, since "No way." says nothing by itself."""
    text = readable(post.text)
    above = posts.store.ancestors(post.parent)[:1] if posts is not None and post.parent else []
    if not above:
        return text
    return f"{readable(above[0].text)[:_LONGEST_PARENT]} — {text}"


def read_stances(ranking: Ranking, claim: str, model: StanceModel, posts: Posts | None = None) -> Ranking:
    """Return the posts of a ranking with their stance on `claim`, ranked by how good evidence for either side they are.

    Signals gained: `stance.supports`, `stance.refutes`, `stance.neutral` and `about`. The likelier of the two sides scores; a post that
    is neutral more likely than either side has the stance NEUTRAL and comes where its weaker claim to a side puts it.
    """
    pairs = [(claim, spoken(match.doc, posts)) for match in ranking.matches if isinstance(match.doc, Post)]
    if not pairs:
        return ranked(ranking.query, ())
    rows = model.read(pairs)
    return ranked(ranking.query, (_with_stance(match, row.tolist()) for match, row in zip(ranking.matches, rows, strict=True)))


def _with_stance(match: Match, row: Sequence[float]) -> Match:
    by_stance = dict(zip(ORDER, row, strict=True))
    stance = max(ORDER, key=lambda side: by_stance[side])
    relevance = about(match.signals)
    score = relevance * max(by_stance[Stance.SUPPORTS], by_stance[Stance.REFUTES])
    signals = {**match.signals, **{f"stance.{side.value}": by_stance[side] for side in ORDER}, "about": relevance}
    return dataclasses.replace(match, score=score, signals=signals, stance=stance)


def sides(ranking: Ranking, *, least: float = 0.0) -> tuple[tuple[Match, ...], tuple[Match, ...]]:
    """Return the supporting and the refuting posts of a ranking with stances; `least` is the score below which none counts."""
    kept = [match for match in ranking.matches if match.score >= least]
    supporting = tuple(match for match in kept if match.stance is Stance.SUPPORTS)
    refuting = tuple(match for match in kept if match.stance is Stance.REFUTES)
    return supporting, refuting


def readable_only(ranking: Ranking) -> tuple[Ranking, int]:
    """Leave out posts in languages that the model does not read, and say how many those are."""
    kept = tuple(match for match in ranking.matches if match.doc.lang in READ_LANGUAGES)
    return dataclasses.replace(ranking, matches=kept), len(ranking.matches) - len(kept)


def exemplars(matches: Sequence[Match], *, top: int) -> tuple[Match, ...]:
    """Return the first `top` posts that say something the ones before did not, in order."""
    kept: list[Match] = []
    for match in matches:
        if len(kept) == top:
            break
        if not any(are_copies(_text(match), _text(other), alike=_ALIKE) for other in kept):
            kept.append(match)
    return tuple(kept)


def _text(match: Match) -> str:
    assert isinstance(match.doc, Post)
    return match.doc.text
