"""What posts say of a claim: their stance, read by a model, and the order in which they count as evidence.

A post is evidence for a side in so far as it is about the claim *and* takes that side, so the two probabilities are multiplied. Ranking
by the stance alone (Bai et al. 2023) puts ever less related posts first as more are retrieved: among a thousand there is always one that
sounds sure of something else.

A reply is read with what it replies to. "No way." says nothing of a claim by itself; but it refutes the post above it, and if that one
supports the claim, the reply refutes the claim.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np

from twicetold.mine.protocols import Probabilities, StanceModel
from twicetold.posts import Posts
from twicetold.posts.clean import readable
from twicetold.posts.sketch import are_copies
from twicetold.progress import Progress, silent
from twicetold.types import Match, Post, Ranking, Stance, ranked

ORDER = (Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL)
"""The order of a stance model's columns."""

# How likely a post is about the claim: a logistic regression on the retrieval signals of RumourEval's training threads and the demo posts,
# each set counting the same, made by `twicetold lab mining fit about`. `near` is the larger of the two shares.
ABOUT = {"bias": -7.2, "near": 17.8, "dense.text": 5.0}
DIRECT = 0.5
"""How much a reply's own words count for its stance, against what it says of the post above it."""

READ_LANGUAGES = ("en", "")
_ALIKE = 0.6
_BATCH = 64
_LONGEST = 600

Pair = tuple[str, str]


def about(signals: Mapping[str, float]) -> float:
    """Return how likely a post with these retrieval signals is about the claim, 0 to 1."""
    near = max(signals.get("share.text", 0.0), signals.get("share.context", 0.0))
    return 1 / (1 + math.exp(-(ABOUT["bias"] + ABOUT["near"] * near + ABOUT["dense.text"] * signals.get("dense.text", 0.0))))


def worth_reading(ranking: Ranking, least: float) -> Ranking:
    """Keep the posts that can score `least` at all: a post's score is never above its relevance, so the others need not be read."""
    return dataclasses.replace(ranking, matches=tuple(match for match in ranking.matches if about(match.signals) >= least))


def read_stances(ranking: Ranking, claim: str, model: StanceModel, posts: Posts, *, progress: Progress = silent) -> Ranking:
    """Return the posts of a ranking with their stance on `claim`, ranked by how good evidence for either side they are.

    Signals gained: `stance.supports`, `stance.refutes`, `stance.neutral` and `about`. The score is that of the likelier side, also for a
    post whose likeliest stance is NEUTRAL.
    """
    own = {match.doc.id: _said(match.doc) for match in ranking.matches}
    above = {match.doc.id: _said(parent) for match in ranking.matches for parent in _parents(match.doc, posts)}
    wanted = [(claim, text) for text in (*own.values(), *above.values())] + [(above[id], own[id]) for id in above]
    rows = _read(list(dict.fromkeys(wanted)), model, progress)
    read = []
    for match in ranking.matches:
        id = match.doc.id
        row = rows[claim, own[id]]
        if id in above:
            row = DIRECT * row + (1 - DIRECT) * composed(rows[claim, above[id]], rows[above[id], own[id]])
        read.append(_with_stance(match, row.tolist()))
    return ranked(ranking.query, read)


def composed(upper: Probabilities, lower: Probabilities) -> Probabilities:
    """Return the stance on a claim of a reply with the stance `lower` on a post that has the stance `upper` on the claim.

    To refute who refutes is to support; what is said of a neutral post says nothing of the claim.
    """
    supports = upper[0] * lower[0] + upper[1] * lower[1]
    refutes = upper[0] * lower[1] + upper[1] * lower[0]
    return np.array([supports, refutes, 1 - supports - refutes], np.float32)


def _said(doc: object) -> str:
    assert isinstance(doc, Post)
    return readable(doc.text)[:_LONGEST]


def _parents(doc: object, posts: Posts) -> list[Post]:
    assert isinstance(doc, Post)
    return posts.store.ancestors(doc.parent)[:1] if doc.parent else []


def _read(pairs: Sequence[Pair], model: StanceModel, progress: Progress) -> dict[Pair, Probabilities]:
    rows: dict[Pair, Probabilities] = {}
    for start in range(0, len(pairs), _BATCH):
        some = pairs[start : start + _BATCH]
        rows.update(zip(some, model.read(some), strict=True))
        progress("reading stances", len(rows), len(pairs))
    return rows


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
    """Leave out posts in languages that the models do not read, and say how many those are."""
    kept = tuple(match for match in ranking.matches if match.doc.lang in READ_LANGUAGES)
    return dataclasses.replace(ranking, matches=kept), len(ranking.matches) - len(kept)


def exemplars(matches: Sequence[Match], *, top: int) -> tuple[Match, ...]:
    """Return the first `top` posts that say something the ones before did not, in order."""
    kept: list[Match] = []
    for match in matches:
        if len(kept) == top:
            break
        if not any(are_copies(match.doc.text, other.doc.text, alike=_ALIKE) for other in kept):  # type: ignore[union-attr]
            kept.append(match)
    return tuple(kept)
