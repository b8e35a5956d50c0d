"""Rows of MTM's tables: every method scores the same candidates of the same claims, and is measured the same way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from twicetold.errors import BadInput
from twicetold.rank.mtm.model import Mtm
from twicetold.rank.mtm.recipe import named_model
from twicetold.types import natural
from twicetold_lab.measures import Measure
from twicetold_lab.mtm import baselines
from twicetold_lab.mtm.baselines import Scorer
from twicetold_lab.mtm.candidates import Setup, Task
from twicetold_lab.reports import Report, evaluate
from twicetold_lab.runs import Answered, Run, Scored

MEASURES = tuple(map(Measure.parse, ("MRR", "MAP@1", "MAP@3", "MAP@5", "HIT@3", "HIT@5")))
"""The columns of Tables 2 and 3. MAP@k is divided by the number of right candidates, as published."""

WITHOUT_TORCH = ("BM25", "Sentence-BERT", "RankSVM", "BERT(Transfer)", "shipped")
WITH_BM25 = " + BM25"
PUBLISHED = (
    *("BM25", "BERT", "DuoBERT", "BERT(Transfer)", "Sentence-BERT", "RankSVM", "CTM", "MTM"),
    *("w/o ROUGE guidance", "w/ rand mem init", "w/o mem update", "w/o PMB", "w/ avg. pool", "w/o pattern aggr."),
)


def scorer_of(row: str, setup: Setup) -> Scorer:
    """Teach the method of a row, or read it from `work`. "ROW + BM25" adds the score the candidates were found by."""
    if row == "BM25":
        return baselines.bm25
    if row.endswith(WITH_BM25):
        return baselines.with_bm25(scorer_of(row.removesuffix(WITH_BM25), setup), setup.task)
    if row == "shipped":
        return by_model(setup.task, named_model())
    if row in ("Sentence-BERT", "RankSVM", "BERT(Transfer)"):
        vectors = baselines.cosines(setup.task, setup.work / f"cosines-{setup.task.name}.npz")
        if row == "Sentence-BERT":
            return baselines.sentence_bert(setup.task, vectors, seed=setup.seed)
        if row == "RankSVM":
            return baselines.ranksvm(setup.task, vectors, seed=setup.seed)
        return baselines.transfer(setup.task, vectors)
    return _taught(row, setup)


def by_model(task: Task, model: Mtm) -> Scorer:
    """Score by a model as it ships, int8 and all."""
    return lambda one: [reading.score for reading in model.read(one.text, [task.articles[doc] for doc in one.candidates])]


def _taught(row: str, setup: Setup) -> Scorer:
    from twicetold_lab.train.mtm import rows

    if row not in rows.ROWS:
        raise BadInput(f"no row is called {row!r}; there are {', '.join((*WITHOUT_TORCH, *rows.ROWS))}")
    taught: Scorer = rows.scorer_of(row, setup)
    return taught


def run_of(row: str, scorer: Scorer, task: Task, *, split: str = "test") -> Run:
    """Rank the candidates of every claim of a split; equal scores by id, never by the order of candidates."""
    started = time.perf_counter()
    answers = []
    for one in task.claims[split]:
        before = time.perf_counter()
        scores = scorer(one)
        docs = sorted(zip(one.candidates, scores, strict=True), key=lambda pair: (-pair[1], natural(pair[0])))
        answers.append(Answered(one.id, one.text, tuple(Scored(*pair) for pair in docs), time.perf_counter() - before))
    seconds = f"{time.perf_counter() - started:.1f}"
    return Run(row, tuple(answers), len(task.articles), {"recipe": row, "on": f"{task.name}/{split}", "seconds": seconds})


def record_of(run: Run, task: Task, *, split: str = "test") -> dict[str, Any]:
    """Measure a run: the columns with their intervals, and the decision at a chance above one half."""
    report = evaluate(run, task.qrels(split), MEASURES)
    return {
        "row": run.name,
        "on": run.provenance["on"],
        "queries": len(report.queries),
        "forced": sum(one.is_forced for one in task.claims[split]),
        "seconds": float(run.provenance["seconds"]),
        "measures": {str(m): {"value": found.mean, "interval": [found.low, found.high]} for m, found in _intervals(report)},
        "pairs": _decided(run, task, split),
    }


def _intervals(report: Report) -> Sequence[tuple[Measure, Any]]:
    return list(report.intervals().items())


def _decided(run: Run, task: Task, split: str) -> dict[str, float]:
    """Precision, recall and F1 of saying "answers it" where the log-odds are above 0; meaningless for scores that are no odds."""
    right = {(one.id, doc) for one in task.claims[split] for doc in one.candidates if doc in one.right}
    said = {(answer.query, doc.id) for answer in run.answers for doc in answer.docs if doc.score > 0}
    hits = len(right & said)
    precision, recall = hits / max(len(said), 1), hits / max(len(right), 1)
    return {"precision": precision, "recall": recall, "F1": float(2 * precision * recall / np.maximum(precision + recall, 1e-12))}
