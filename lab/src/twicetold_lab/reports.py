"""A report: what a run scored, query by query; means and intervals are derived.

Every judged query counts: one without answers scores 0. Queries without any judgement cannot be scored; they are listed in
`unjudged`, never dropped without a word. Intervals are percentile bootstraps over queries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twicetold.errors import BadData
from twicetold_lab.datasets.layout import Qrels
from twicetold_lab.measures import Judged, Measure, value
from twicetold_lab.runs import Answered, Run

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """`values[q, m]` is what query q scored in measure m."""

    run: Run
    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    values: NDArray[np.float64]  # (Q, M)
    unjudged: tuple[str, ...] = ()

    def of(self, measure: Measure) -> NDArray[np.float64]:
        """Return the values of one measure, in the order of `queries`."""
        column: NDArray[np.float64] = self.values[:, self.measures.index(measure)]
        return column

    def mean(self, measure: Measure) -> float:
        """Return the mean over queries."""
        return float(self.of(measure).mean())

    def intervals(self, *, seed: int = 0) -> dict[Measure, Interval]:
        """Return every measure's mean and 95 % interval from 1,000 resamples; the same seed gives the same interval."""
        low, high = np.percentile(bootstrap(self.values, seed=seed), [2.5, 97.5], axis=0)
        means = self.values.mean(axis=0)
        return {m: Interval(float(means[i]), float(low[i]), float(high[i])) for i, m in enumerate(self.measures)}


def bootstrap(values: NDArray[np.float64], *, seed: int = 0, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """Return the column means of resampled rows, (resamples, M): each resample draws as many rows as there are, with replacement."""
    rng = np.random.default_rng(seed)
    size = len(values)
    means = np.empty((resamples, values.shape[1]))
    for i in range(resamples):
        # How often each row is drawn, rather than which: a product then sums them without copying rows.
        times = np.bincount(rng.integers(size, size=size), minlength=size)
        means[i] = times @ values / size
    return means


def evaluate(run: Run, qrels: Qrels, measures: Sequence[Measure]) -> Report:
    """Score a run over the queries it was asked; its own queries without a judgement are listed as unjudged.

    Judged queries that the run was never asked are an error here: complete it with `Run.over` first if they are meant to count 0.
    """
    asked = {answer.query for answer in run.answers}
    forgotten = [query for query in qrels if query not in asked]
    if forgotten:
        raise BadData(
            f"the judgements name {len(forgotten)} queries that were not asked, the first is {forgotten[0]!r}; "
            "give the queries the judgements belong to"
        )
    judged = [answer for answer in run.answers if qrels.get(answer.query)]
    if not judged:
        raise BadData("no query has a judgement: are these the judgements of these queries?")
    unjudged = tuple(answer.query for answer in run.answers if not qrels.get(answer.query))
    values = np.array([_values(answer, qrels[answer.query], measures, run.corpus) for answer in judged])
    return Report(run, tuple(measures), tuple(answer.query for answer in judged), values, unjudged)


def _values(answer: Answered, grades: Mapping[str, int], measures: Sequence[Measure], corpus: int) -> list[float]:
    judged = Judged.of([(doc.id, doc.score) for doc in answer.docs], grades)
    return [value(measure, judged, corpus=corpus) for measure in measures]


def by_category(run: Run, qrels: Qrels, categories: Mapping[str, Mapping[str, str]], measures: Sequence[Measure]) -> dict[str, Report]:
    """Score each category of pairs apart.

    Only a category's own documents are relevant to it, and only queries that have one count; the other right answers of such a query
    are held against it, as in Shaar et al. 2022.
    """
    names = sorted({name for pairs in categories.values() for name in pairs.values()})
    return {name: evaluate(*_restricted(run, qrels, categories, name), measures) for name in names}


def _restricted(run: Run, qrels: Qrels, categories: Mapping[str, Mapping[str, str]], name: str) -> tuple[Run, Qrels]:
    kept: dict[str, dict[str, int]] = {}
    for query, judged in qrels.items():
        kinds = categories.get(query, {})
        of_kind = {doc: grade for doc, grade in judged.items() if kinds.get(doc) == name}
        if of_kind:
            kept[query] = of_kind
    answers = tuple(answer for answer in run.answers if answer.query in kept)
    return Run(run.name, answers, run.corpus, run.provenance), kept
