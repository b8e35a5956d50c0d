"""Score a row on one of the paper's four splits, or by cross-validation over the training debates.

Splits: `chrono` (the shipped one: 120 test lines), `semi-chrono`, `debate-random` and `random` (by sentence); the last two are the mean
over five seeds, since the paper's are not published. `folds` ranks each training debate by what the others taught: choices are made on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from twicetold.errors import BadInput
from twicetold_lab.context.gathering import Array, Gathered, gathered
from twicetold_lab.context.hops import posteriors
from twicetold_lab.context.recipe import EARLIER, recipe_run, unanswerable
from twicetold_lab.context.recipe import ROWS as RECIPE_ROWS
from twicetold_lab.context.rows import PUBLISHED, Learner, Row, learnt, parse, ranked, signals_of
from twicetold_lab.datasets import Dataset
from twicetold_lab.datasets.splits import SEEDS
from twicetold_lab.measures import Measure
from twicetold_lab.reports import Interval, Report, by_category, evaluate
from twicetold_lab.runs import Answered, Run

SplitName = Literal["chrono", "semi-chrono", "debate-random", "random", "folds"]
SPLITS: tuple[SplitName, ...] = get_args(SplitName)
TABLE_3 = {"chrono": "Debate-Level Chrono", "semi-chrono": "Debate-Level Semi-chrono", "debate-random": "Debate-Level Random",
           "random": "Sentence-Level Random"}  # fmt: skip
"""What the paper's Table 3, which has the baseline alone, calls the splits."""
FOLDS = 5
COLUMNS = {"CLEAN": "clean", "CLEAN_HARD": "clean-hard", "PART_OF": "part-of", "CONTEXT_DEPENDENT": "context-dep"}
_MAP, _RECALL = Measure("MAP"), Measure("Recall", 100)


@dataclass(frozen=True)
class Measured:
    """The mean average precision of a row, over all queries and by category: one mapping for each part (seed) of the split."""

    parts: tuple[Mapping[str, Interval], ...]
    queries: int
    unanswerable: int = 0
    """Queries whose answers the row may not give, all of which count 0."""

    def _values(self) -> dict[str, list[float]]:
        """By column, the value of each part that has lines of that category."""
        columns = dict.fromkeys(column for part in self.parts for column in part)
        return {column: [part[column].mean for part in self.parts if column in part] for column in columns}

    def mean(self) -> dict[str, float]:
        """Return the mean over parts."""
        return {column: float(np.mean(values)) for column, values in self._values().items()}

    def spread(self) -> dict[str, float]:
        """Return the standard deviation over parts; nothing for a single one."""
        several = self._values() if len(self.parts) > 1 else {}
        return {column: float(np.std(values, ddof=min(1, len(values) - 1))) for column, values in several.items()}

    def intervals(self) -> dict[str, tuple[float, float]]:
        """Return the 95 % bootstrap interval over queries; nothing for several parts."""
        return {column: (one.low, one.high) for column, one in self.parts[0].items()} if len(self.parts) == 1 else {}


def measure(
    name: str, dataset: Dataset, cache: Path, *, split: SplitName = "chrono", hops: Path | None = None, by: Learner = PUBLISHED
) -> Measured:
    """Measure the row of this name, learnt `by` that learner. `hops` is the folder of a multi-hop reader, for rows that have one."""
    if name in RECIPE_ROWS:
        if split != "chrono":
            raise BadInput(f"{name} was learnt from the training debates of the split chrono, so it is not measured on {split}")
        if by != PUBLISHED:
            raise BadInput(f"{name} is our recipe with the weights it ships with, so no other learner can be asked for")
        run = recipe_run(name, dataset, cache)
        misses = unanswerable(dataset, cache) if name == EARLIER else 0
        return Measured((_columns(run, dataset),), len(run.answers), misses)
    row = parse(name)
    found = gathered(dataset, cache, source=row.source, target=row.target)
    told = posteriors(dataset, found, cache, row=row, reader=hops) if row.sentences else None
    signals = signals_of(row, found, told)
    task = _Task(row, signals, found, dataset, by)
    runs = list(_runs(task, split))
    return Measured(tuple(_columns(run, dataset) for run in runs), sum(len(run.answers) for run in runs))


@dataclass(frozen=True, slots=True)
class _Task:
    """A row, its signals, and who learns it."""

    row: Row
    signals: Array
    found: Gathered
    dataset: Dataset
    by: Learner

    def run(self, learning: Sequence[str], testing: Sequence[str]) -> Run:
        """Learn from some queries and order the candidates of others."""
        model = learnt(self.row, self.signals, self.found, self.dataset, learning, by=self.by)
        return ranked(model, self.signals, self.found, testing)


def _runs(task: _Task, split: SplitName) -> Iterator[Run]:
    if split == "folds":
        yield _out_of_fold(task)
        return
    names = {"chrono": [""], "semi-chrono": ["semi-chrono/"]}.get(split, [f"{split}-{seed}/" for seed in SEEDS])
    for name in names:
        yield task.run(*(task.dataset.splits[f"{name}{part}"] for part in ("train", "test")))


def _out_of_fold(task: _Task) -> Run:
    """Rank the training lines, each debate by what the debates of the other folds taught."""
    ids = task.dataset.splits["train"]
    debates = sorted({_debate(id) for id in ids})
    fold_of = {debate: number % FOLDS for number, debate in enumerate(debates)}
    answers: list[Answered] = []
    for fold in range(FOLDS):
        learning, testing = ([id for id in ids if (fold_of[_debate(id)] == fold) is held] for held in (False, True))
        answers += task.run(learning, testing).answers
    return Run("context", tuple(answers), len(task.found.checks))


def _debate(id: str) -> str:
    return id.rpartition("_")[0]


def _columns(run: Run, dataset: Dataset) -> dict[str, Interval]:
    part = dataset.only(answer.query for answer in run.answers)
    whole = evaluate(run, part.qrels, (_MAP, _RECALL))
    kinds = by_category(run, part.qrels, part.categories, (_MAP,))
    own = {"Overall": _of(whole, _MAP), "Recall@100": _of(whole, _RECALL)}
    return own | {column: _of(kinds[kind], _MAP) for kind, column in COLUMNS.items() if kind in kinds}


def _of(report: Report, measure: Measure) -> Interval:
    return report.intervals()[measure]
