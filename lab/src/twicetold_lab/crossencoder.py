"""Rerank by reading claim and fact-check together: a small cross-encoder.

Only the first `depth` matches are read, since each costs about ten milliseconds; the others keep their order below. The score goes into
the signal `cross` as well. A pair's score does not depend on the pairs read beside it. The product reads pairs by `twicetold.judge`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from twicetold.models import shipped
from twicetold.models.textmodel import TextModel
from twicetold.stage import Stage
from twicetold.text import sentences, tidy, unpost
from twicetold.types import FactCheck, Match, Post, Ranking, ranked

SIGNAL = "cross"
MAX_TOKENS = 96
_OPENING = 300


class CrossEncoder:
    """Scores (claim, fact-check) pairs; larger is likelier to be answered by it. Scores are logits: 0 is even odds."""

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self.name = model.folder.name
        self.version = model.folder.version

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 0) -> CrossEncoder:
        """Open the shipped reranker, or the one in a folder. Raises BadData for a missing or damaged file."""
        place = shipped("reranker") if path is None else Path(path)
        return cls(TextModel.load(place, max_tokens=MAX_TOKENS, threads=threads))

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return a score for each (claim, wording of a fact-check)."""
        return [float(outputs[0][0]) for outputs in self._model.run(pairs)]


def wording(doc: FactCheck | Post) -> str:
    """Return what the reranker reads of a document: title and claim, or title and opening where no claim is stated."""
    if isinstance(doc, Post):
        return tidy(doc.text)
    title, claim = tidy(doc.title), tidy(doc.claim) or opening(doc.body)
    return f"{title}. {claim}" if title and claim else title or claim


def opening(body: str, *, chars: int = _OPENING) -> str:
    """Return the first sentences of a body, up to `chars` characters, at least one (cut if it is longer)."""
    start = tidy(body[: 4 * chars])
    fitting = [end for _, end in sentences(start) if end <= chars]
    return start[: fitting[-1]] if fitting else start[:chars]


def rerank(model: CrossEncoder, *, depth: int = 20, share: float = 0.3) -> Stage:
    """Order the first `depth` matches by `share` of the reranker's score and the rest of the score they came with.

    Both are scaled to the unit interval within the list first. Matches beyond `depth` follow in their old order, scored below 0.
    """

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [_reordered(_with_scores(model, ranking, depth), depth, share) for ranking in rankings]

    return run


def _with_scores(model: CrossEncoder, ranking: Ranking, depth: int) -> Ranking:
    asked = unpost(ranking.query.text) or ranking.query.text
    read = ranking.matches[:depth]
    scores = model.score([(asked, wording(match.doc)) for match in read])
    scored = [_noted(match, score) for match, score in zip(read, scores, strict=True)]
    return dataclasses.replace(ranking, matches=(*scored, *(_noted(match, 0.0) for match in ranking.matches[depth:])))


def _noted(match: Match, score: float) -> Match:
    return dataclasses.replace(match, signals={**match.signals, SIGNAL: score})


def _reordered(ranking: Ranking, depth: int, share: float) -> Ranking:
    read, rest = ranking.matches[:depth], ranking.matches[depth:]
    cross, before = _unit([match.signals[SIGNAL] for match in read]), _unit([match.score for match in read])
    mixed = [share * new + (1 - share) * old for new, old in zip(cross, before, strict=True)]
    first = [dataclasses.replace(match, score=score) for match, score in zip(read, mixed, strict=True)]
    last = [dataclasses.replace(match, score=-1.0 - place) for place, match in enumerate(rest)]
    return ranked(ranking.query, [*first, *last], ranking.decision)


def _unit(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]
