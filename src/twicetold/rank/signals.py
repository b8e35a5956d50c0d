"""Signals as rerankers see them: named numbers of the candidates in, a matrix out.

The names are saved with every model, so a model and the recipe that feeds it cannot drift apart. A signal that some candidates lack counts
as 0 for them; one that all of them lack is an error. Nothing here computes a signal except reciprocal ranks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from twicetold.errors import BadData
from twicetold.stage import Stage
from twicetold.types import Match, Ranking, ranked

Array = np.ndarray[Any, Any]
Judged = Mapping[str, Mapping[str, int]]
"""By query id, then fact-check id: the grade; above 0 answers the query."""


class Scorer(Protocol):
    """A fitted reranker: the names of the signals it wants, and a score for each row of them."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def score(self, rows: Array) -> Array: ...


# --- reciprocal ranks ----------------------------------------------------------------------------------------------


def reciprocal_ranks(values: Array) -> Array:
    """Return 1 / rank of each value, the largest first; equal values share the better rank.

    >>> reciprocal_ranks(np.array([3.0, 9.0, 3.0, 1.0])).tolist()
    [0.5, 1.0, 0.5, 0.25]
    """
    ascending = np.sort(values)
    larger = len(values) - np.searchsorted(ascending, values, side="right")
    shares: Array = 1.0 / (1.0 + larger)
    return shares


# --- matrices ------------------------------------------------------------------------------------------------------


def matrix(matches: Sequence[Match], names: Sequence[str]) -> Array:
    """Return the signals of the matches, (N, D), in the order of `names`. Raises BadData for one that none has or that is no number."""
    if not matches:
        return np.zeros((0, len(names)))
    found = set().union(*(match.signals for match in matches))
    absent = [name for name in names if name not in found]
    if absent:
        raise BadData(
            f"the reranker was trained on other signals than it is given: it wants {', '.join(names)}; "
            f"the candidates have {', '.join(sorted(found)) or 'none'}; missing: {', '.join(absent)}"
        )
    rows = np.array([[match.signals.get(name, 0.0) for name in names] for match in matches], np.float64)  # (N, D)
    check_finite(rows, names)
    return rows


def check_finite(rows: Array, names: Sequence[str]) -> None:
    """Raise BadData, naming the signal, if a value is not a finite number."""
    culprits = [name for name, values in zip(names, rows.T, strict=True) if not np.isfinite(values).all()]
    if culprits:
        raise BadData(f"not every value of the signals {', '.join(culprits)} is a finite number; mend the stage that computes them")


def rerank(model: Scorer, *, first: int | None = None) -> Stage:
    """Order the first matches (all by default) by the model's score; any others stay below them in their order."""

    def run(rankings: Sequence[Ranking], /) -> list[Ranking]:
        return [reordered(ranking, lambda matches: model.score(matrix(matches, model.names)), first) for ranking in rankings]

    return run


def reordered(ranking: Ranking, score: Callable[[Sequence[Match]], Array], first: int | None = None) -> Ranking:
    """Give the first matches new scores and sort; the others keep their order, scored just below the least of the first."""
    head = ranking.matches[:first]
    if not head:
        return ranking
    scores = score(head)
    floor = float(scores.min())
    tail = ranking.matches[len(head) :]
    lower = (dataclasses.replace(match, score=floor - place) for place, match in enumerate(tail, start=1))
    upper = (dataclasses.replace(match, score=float(new)) for match, new in zip(head, scores, strict=True))
    return ranked(ranking.query, (*upper, *lower), ranking.decision)


# --- learning ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Examples:
    """What a reranker learns from: rows of signals, whether each answers its query, and the number of the query it belongs to."""

    names: tuple[str, ...]
    rows: Array  # (N, D)
    answers: np.ndarray[Any, np.dtype[np.bool_]]  # (N,)
    queries: np.ndarray[Any, np.dtype[np.int64]]  # (N,)

    def __post_init__(self) -> None:
        check_finite(self.rows, self.names)
        if not len(self.rows) or not self.answers.any():
            raise BadData(f"none of the {len(self.rows)} candidates answers its query, so there is nothing to learn from; check the qrels")
        if self.answers.all():
            raise BadData(
                f"all of the {len(self.rows)} candidates answer their queries, so there is nothing to learn from; check the qrels"
            )

    def pairs(self) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]]:
        """Return the rows (better, worse) of every pair within a query of which only the first answers it."""
        better, worse = [], []
        for query in np.unique(self.queries):
            here = np.flatnonzero(self.queries == query)
            right, wrong = here[self.answers[here]], here[~self.answers[here]]
            better.append(np.repeat(right, len(wrong)))
            worse.append(np.tile(wrong, len(right)))
        return np.concatenate(better), np.concatenate(worse)

    def only(self, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> Examples:
        """Return the rows for which `chosen` holds."""
        return Examples(self.names, self.rows[chosen], self.answers[chosen], self.queries[chosen])


def examples(rankings: Sequence[Ranking], qrels: Judged, names: Sequence[str]) -> Examples:
    """Make examples of rankings and judgements; candidates without a judgement count as wrong."""
    rows = [matrix(ranking.matches, names) for ranking in rankings]
    answers = [qrels.get(ranking.query.id, {}).get(match.doc.id, 0) > 0 for ranking in rankings for match in ranking.matches]
    queries = [number for number, ranking in enumerate(rankings) for _ in ranking.matches]
    stacked = np.concatenate(rows) if rows else np.zeros((0, len(names)))
    return Examples(tuple(names), stacked, np.array(answers, bool), np.array(queries, np.int64))


@dataclass(frozen=True)
class Scale:
    """Maps each signal's range in training to [−1, 1]; later values may fall outside. A constant signal maps to 0."""

    low: Array
    high: Array

    @classmethod
    def fit(cls, rows: Array) -> Scale:
        """Take the ranges of these rows."""
        return cls(rows.min(axis=0), rows.max(axis=0))

    def __call__(self, rows: Array) -> Array:
        span = self.high - self.low
        scaled: Array = np.where(span > 0, 2 * (rows - self.low) / np.where(span > 0, span, 1.0) - 1, 0.0)
        return scaled


def present(rankings: Iterable[Ranking]) -> tuple[str, ...]:
    """Return the names of all signals that some match has, sorted."""
    return tuple(sorted({name for ranking in rankings for match in ranking.matches for name in match.signals}))
