"""Rows of Known Lie's Tables 5 and 6: rankings by one measure over the whole database, and rerankings of the best BM25 candidates.

Every row is measured on the test inputs of a split; a table gives the mean and spread over splits, since the authors' own is not
published. A reranker learns from the training inputs of the same split only. MAP stands there twice: by its definition, and as the
authors' code computes it (`norm=legacy`), which is what their figures can be compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twicetold.rank.articles import ArticleClassifier, Block
from twicetold.rank.articles import Settings as ArticleSettings
from twicetold.rank.ranksvm import RankSVM, Settings
from twicetold.rank.signals import Array, Examples, Scorer
from twicetold_lab.knownlie.scores import Scores, Table
from twicetold_lab.measures import Judged, Measure, value
from twicetold_lab.measures.formulas import average_precision_of_ranks

Places = np.ndarray[Any, np.dtype[np.int64]]
"""Rows of `Scores`: the inputs of one side of a split."""

Flags = np.ndarray[Any, np.dtype[np.bool_]]

CUTS = (1, 3, 5, 10, 20)
COLUMNS = ("MRR", *(f"MAP@{k}" for k in CUTS), "MAP@all", *(f"HasPositives@{k}" for k in (*CUTS, 50)))

POLITIFACT = ("bm25.claim", "bm25.title", "bm25.body", "dense.claim", "dense.title", "body.1", "body.2", "body.3", "body.4")
SNOPES = ("bm25.title", "bm25.claim", "bm25.all", "dense.title", "dense.claim")
"""The measures the paper's reranker learns from; each gives a score and a reciprocal rank in the full database: 18 and 10 signals."""


@dataclass(frozen=True)
class Split:
    """The inputs to learn from and those to measure on, as rows of `Scores`."""

    name: str
    train: Places
    test: Places


def measured(ranks: Sequence[Places], wanted: Sequence[int]) -> dict[str, float]:
    """Return the table's columns from the ranks (from 1) of each input's answers; one not ranked is left out of its list.

    MAP@k divides by all of an input's answers.

    >>> row = measured([np.array([2, 4])], [2])   # (1/2 + 2/4) / 2
    >>> row["MRR"], row["MAP@3"], row["MAP@all"], row["HasPositives@1"]
    (0.5, 0.25, 0.5, 0.0)
    """
    row = {"MRR": float(np.mean([1 / r.min() if len(r) else 0.0 for r in ranks]))}
    for cut in CUTS:
        row[f"MAP@{cut}"] = _mean_precision(ranks, wanted, cut)
    row["MAP@all"] = _mean_precision(ranks, wanted, 1 << 30)
    for cut in (*CUTS, 50):
        row[f"HasPositives@{cut}"] = float(np.mean([bool(len(r)) and bool(r.min() <= cut) for r in ranks]))
    return row


def _mean_precision(ranks: Sequence[Places], wanted: Sequence[int], cut: int) -> float:
    found = (np.sort(one[one <= cut]) for one in ranks)
    return float(np.mean([average_precision_of_ranks(one, n_answers) for one, n_answers in zip(found, wanted, strict=True)]))


def as_released(rows: Sequence[tuple[Array, Flags]], width: int | None = None) -> dict[str, float]:
    """Return MAP by the authors' code, from the scores of each input and which of them belong to answers, in any order.

    Scores are moved above 0 first: their code puts negative ones below all that was cut off, of which their figures show no trace.
    """
    judged = []
    for values, is_answer in rows:
        order = np.argsort(-values, kind="stable")
        grades = is_answer[order].astype(np.int64)
        judged.append(Judged(grades, (values - min(values.min(), 0.0) + 1e-6)[order].astype(np.float64), grades))
    kinds = [Measure("MAP", cut, norm="legacy", width=width) for cut in (*CUTS, None)]
    return {str(kind): float(np.mean([value(kind, one, corpus=len(one.scores)) for one in judged])) for kind in kinds}


def by_score(scores: Scores, table: Table, inputs: Places) -> dict[str, float]:
    """Rank the whole database by one measure; equal scores in the order of the database."""
    return _ranked_whole(scores, [np.asarray(table[row]) for row in inputs], inputs)


def _ranked_whole(scores: Scores, values: Sequence[Array], inputs: Places) -> dict[str, float]:
    orders = [np.argsort(-one, kind="stable") for one in values]
    ranks = [1 + np.flatnonzero(scores.answers[row][order]) for row, order in zip(inputs, orders, strict=True)]
    columns = measured(ranks, [int(scores.answers[row].sum()) for row in inputs])
    return columns | as_released([(one, scores.answers[row]) for row, one in zip(inputs, values, strict=True)])


# --- reranking -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidates:
    """Each input's candidates, as rows of signals; `places` are columns of `Scores`."""

    names: tuple[str, ...]
    places: tuple[Places, ...]
    rows: tuple[Array, ...]  # (N, D) each

    def examples(self, scores: Scores, inputs: Places, depth: int | None = None) -> Examples:
        """Collect the first `depth` candidates of the inputs, all by default; `Examples.queries` are rows of `scores`."""
        answers = [scores.answers[row][self.places[row][:depth]] for row in inputs]
        queries = [np.full(len(found), row) for row, found in zip(inputs, answers, strict=True)]
        stacked = np.concatenate([self.rows[row][:depth] for row in inputs])
        return Examples(self.names, stacked, np.concatenate(answers), np.concatenate(queries))


def best_by(scores: Scores, measures: Sequence[str], first: str, depth: int) -> Candidates:
    """Take the best `depth` fact-checks of every input by the measure `first`, best first, each measure's score and reciprocal rank."""
    places = [np.argsort(-np.asarray(table_row), kind="stable")[:depth] for table_row in scores[first]]
    rows = [signals_of(scores, measures, row, chosen) for row, chosen in enumerate(places)]
    return Candidates(signal_names(measures), tuple(places), tuple(rows))


def signals_of(scores: Scores, names: Sequence[str], row: int, chosen: Places) -> Array:
    """Return each measure's score and its reciprocal rank in the whole database, for the chosen fact-checks, (N, 2D)."""
    columns: list[Array] = []
    for name in names:
        whole = np.asarray(scores[name][row])
        larger = len(whole) - np.searchsorted(np.sort(whole), whole[chosen], side="right")
        columns += [whole[chosen].astype(np.float64), 1.0 / (1.0 + larger)]
    return np.stack(columns, axis=1)


def signal_names(names: Sequence[str]) -> tuple[str, ...]:
    """Name the columns of `signals_of`."""
    return tuple(full for name in names for full in (name, f"rr.{name}"))


def reranked(scores: Scores, model: Scorer, examples: Examples, inputs: Places, *, width: int | None = None) -> dict[str, float]:
    """Order the candidates in `examples` by the model; answers that are no candidates count as not found.

    `width` is how many candidates the authors' code is told each input has; as many as it has if None.
    """
    values = model.score(examples.rows)
    lists = [np.flatnonzero(examples.queries == row) for row in inputs]
    ranks = [1 + np.flatnonzero(examples.answers[here][np.argsort(-values[here], kind="stable")]) for here in lists]
    columns = measured(ranks, [int(scores.answers[row].sum()) for row in inputs])
    return columns | as_released([(values[here], examples.answers[here]) for here in lists], width=width)


def ranksvm_row(scores: Scores, split: Split, candidates: Candidates, depth: int, settings: Settings | None = None) -> dict[str, float]:
    """Learn a RankSVM over the first `depth` candidates on train, and measure it on test."""
    model = RankSVM.fit(candidates.examples(scores, split.train, depth), settings)
    return reranked(scores, model, candidates.examples(scores, split.test, depth), split.test, width=min(depth, len(scores.checks)))


# --- the article classifier ----------------------------------------------------------------------------------------


def article_row(
    scores: Scores, split: Split, n_sentences: int, settings: ArticleSettings | None = None
) -> tuple[dict[str, float], ArticleClassifier]:
    """Train the article classifier on every pair of a training input and a fact-check, and rank the whole database by it."""
    names = ("dense.claim", "dense.title", *(f"body.{place}" for place in range(1, n_sentences + 1)))

    def pairs(row: int) -> Array:
        return np.stack([np.asarray(scores[name][row], np.float32) for name in names], axis=1)  # (N, D)

    def blocks() -> Iterator[Block]:
        # Sixteen inputs a block, shuffled within: a quarter of a million pairs, 8 MB.
        for start in range(0, len(split.train), 16):
            some = split.train[start : start + 16]
            yield np.concatenate([pairs(int(row)) for row in some]), scores.answers[some].ravel()

    model = ArticleClassifier.fit(names, blocks, settings)
    return _ranked_whole(scores, [model.score(pairs(int(row))) for row in split.test], split.test), model
