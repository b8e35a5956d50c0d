"""The tables of mining: retrieval (the paper's Table 4), evidence for k posts considered (Tables 7 and 8), as rows with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from twicetold.mine.statements import statement
from twicetold.posts import Posts
from twicetold.stage import Stage, ask
from twicetold.types import Claim
from twicetold_lab.datasets.mythqa import Contested, GoldAnswer
from twicetold_lab.measures.contested import f1_contro, f1_contro_legacy, hits, mhits
from twicetold_lab.mining.benchmark import Benchmark
from twicetold_lab.mining.pipelines import Ours, Paper, yes_no
from twicetold_lab.reports import bootstrap

KS = (5, 10, 100, 500, 1000)
ES = (1, 10, 100)


@dataclass(frozen=True, slots=True)
class Row:
    """A mean over questions in hundredths, with the middle 95 % of bootstrap resamples."""

    name: str
    measure: str
    mean: float
    low: float
    high: float
    questions: int


@contextmanager
def opened(benchmark: Benchmark, *, vectors_by: str = "static", folder: Path | None = None) -> Iterator[tuple[Posts, Benchmark]]:
    """Index the benchmark's posts (in `folder`, or for the time being) and yield them with the gold moved from copies to first posts."""
    with TemporaryDirectory(prefix="twicetold-") as temporary, Posts.create(folder or Path(temporary), vectors_by=vectors_by) as posts:
        for _ in posts.add(benchmark.posts):
            pass
        posts.index()
        yield posts, replace(benchmark, questions=tuple(_on_firsts(question, posts) for question in benchmark.questions))


def _on_firsts(question: Contested, posts: Posts) -> Contested:
    def moved(ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(posts.store.firsts(ids).values()))

    answers = tuple(GoldAnswer(a.text, moved(a.supporting), moved(a.refuting), moved(a.neutral)) for a in question.answers)
    return replace(question, answers=answers)


def retrieval(benchmark: Benchmark, stages: dict[str, Stage], ks: Sequence[int] = (10, 100, 1000)) -> list[Row]:
    """Hits@k and MHits@k of ways to find posts; the query is the question as a statement, or the question itself if it wants names."""
    queries = [
        Claim(q.question.id, statement(q.question.text) if q.kind == "yes-no" else q.question.text, lang="en") for q in benchmark.questions
    ]
    rows = []
    for name, stage in stages.items():
        found = [[match.doc.id for match in ranking.matches] for ranking in ask(stage, queries)]
        for measure, function in (("Hits", hits), ("MHits", mhits)):
            for k in ks:
                values = [function(ids, q, k) for ids, q in zip(found, benchmark.questions, strict=True)]
                rows.append(row(name, f"{measure}@{k}", values))
        for k in ks:
            shares = [_denials(ids, q, k) for ids, q in zip(found, benchmark.questions, strict=True)]
            rows.append(row(name, f"denials found@{k}", [share for share in shares if share is not None]))
    return rows


def _denials(ids: Sequence[str], question: Contested, k: int) -> float | None:
    """The share of the refuting posts that were found; None if there are none to find."""
    refuting = {id for answer in question.answers for id in answer.refuting if answer.text != "no"}
    return len(refuting & set(ids[:k])) / len(refuting) if refuting else None


def evidence(
    benchmark: Benchmark, pipelines: dict[str, Paper | Ours], *, ks: Sequence[int] = KS, es: Sequence[int] = ES, is_legacy: bool = False
) -> tuple[list[Row], dict[str, dict[str, list[float]]]]:
    """F1_CONTRO@e of yes/no questions when k posts are considered; also each question's value, by pipeline and measure."""
    score = f1_contro_legacy if is_legacy else f1_contro
    rows, each = [], {}
    for name, pipeline in pipelines.items():
        by_question = [(question, pipeline.evidence(question.question.text)) for question in benchmark.questions]
        values: dict[str, list[float]] = {}
        for k in ks:
            predicted = [(yes_no(read(k)), question) for question, read in by_question]
            for e in es:
                values[f"F1_CONTRO@{e} k={k}"] = [score(answers, question, e) for answers, question in predicted]
        each[name] = values
        rows += [row(name, measure, some) for measure, some in values.items()]
    return rows, each


def difference(one: Sequence[float], other: Sequence[float], *, seed: int = 0) -> Row:
    """The mean difference of two pipelines over the same questions, with its interval."""
    return row("difference", "", [a - b for a, b in zip(one, other, strict=True)], seed=seed)


def row(name: str, measure: str, values: Sequence[float], *, seed: int = 0) -> Row:
    """The mean of per-question values with its interval."""
    means = bootstrap(np.asarray(values, np.float64)[:, None], seed=seed)[:, 0]
    low, high = np.quantile(means, (0.025, 0.975))
    return Row(name, measure, 100 * float(np.mean(values)), 100 * float(low), 100 * float(high), len(values))


def table(rows: Sequence[Row], show: Callable[[str], object]) -> None:
    """Print rows, one a line, through `show`."""
    width = max(len(row.name) for row in rows)
    for row in rows:
        show(f"{row.name:<{width}}  {row.measure:<22} {row.mean:6.2f}  [{row.low:.2f}, {row.high:.2f}]  n={row.questions}")
