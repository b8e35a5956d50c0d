"""The group `lab mining`: score mining on known questions, and choose its constants."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twicetold.cli.output import print_json
from twicetold.errors import BadInput

if TYPE_CHECKING:
    from twicetold.posts import Posts
    from twicetold_lab.mining.benchmark import Benchmark
    from twicetold_lab.mining.tables import Row

_ROOT = click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
_ON = click.option(
    "--on",
    default="rumoureval/test",
    show_default=True,
    type=click.Choice(["rumoureval/test", "rumoureval/traindev", "demo", "tweetmythqa"]),
    help="Which questions.",
)
_CORPUS = click.option("--corpus", type=click.Path(exists=True, path_type=Path), help="For tweetmythqa: the posts, as JSON or JSON Lines.")
_VECTORS = click.option("--vectors", default="static", show_default=True, help="Vectors of the posts: static, encoder or none.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object with every measure.")


@click.group()
def mining() -> None:
    """Score mining on questions whose evidence is known, and choose its constants."""


@mining.command(
    epilog="Examples:\n\n  twicetold lab mining evidence --data-root datasets\n\n  twicetold lab mining evidence --on demo --all --json"
)
@_ROOT
@_ON
@_CORPUS
@_VECTORS
@click.option("--all", "is_all", is_flag=True, help="Also questions with evidence on one side only.")
@click.option(
    "--legacy", "is_legacy", is_flag=True, help="Add the paper's pipeline with its released code's slips, and its code's measure."
)
@_JSON
def evidence(data_root: str | None, on: str, corpus: Path | None, vectors: str, is_all: bool, is_legacy: bool, as_json: bool) -> None:
    """F1_CONTRO of yes/no questions for k posts considered: ours beside the paper's pipeline, with the same stance model."""
    from twicetold.mine.stance import StanceReader
    from twicetold.mine.statements import concatenation, statement
    from twicetold_lab.mining import tables
    from twicetold_lab.mining.benchmark import contested_only
    from twicetold_lab.mining.pipelines import Legacy, Ours, Paper

    benchmark = _benchmark(data_root, on, corpus)
    benchmark = benchmark if is_all else contested_only(benchmark)
    stance = StanceReader.load()
    with tables.opened(_only_yes_no(benchmark), vectors_by=vectors) as (posts, ready):
        pipelines: dict[str, Any] = {"paper": Paper(posts, stance), "ours": Ours(posts, stance)}
        pipelines["paper, our claim"] = Paper(posts, stance, make_claim=statement)
        pipelines["ours, paper's claim"] = Ours(posts, stance, make_claim=concatenation)
        if is_legacy:
            pipelines["paper, as released"] = Paper(posts, stance, Legacy(string_sort=True, misaligned=True))
        rows, each = tables.evidence(ready, pipelines)
        if is_legacy:
            more, _ = tables.evidence(ready, {"paper, as released and measured": pipelines["paper, as released"]}, is_legacy=True)
            rows += more
    ours = each["ours"]
    for peer in ("paper", "paper, our claim"):
        rows += [
            dataclasses.replace(tables.difference(ours[name], each[peer][name]), name=f"ours less {peer}", measure=name) for name in ours
        ]
    _show(rows, as_json)


@mining.command(
    epilog="Examples:\n\n  twicetold lab mining retrieval --data-root datasets\n\n  twicetold lab mining retrieval --on demo --json"
)
@_ROOT
@_ON
@_CORPUS
@_VECTORS
@_JSON
def retrieval(data_root: str | None, on: str, corpus: Path | None, vectors: str, as_json: bool) -> None:
    """Hits and MHits of finding posts by words, by meaning and by both (the paper's Table 4)."""
    from twicetold.mine.retrieve import by_both, by_meaning, by_words
    from twicetold_lab.mining import tables

    with tables.opened(_benchmark(data_root, on, corpus), vectors_by=vectors) as (posts, ready):
        stages = {"words": by_words(posts), "meaning": by_meaning(posts), "both": by_both(posts)}
        _show(tables.retrieval(ready, stages), as_json)


@mining.command(
    epilog="Examples:\n\n  twicetold lab mining answers --on demo\n\n  twicetold lab mining answers --on tweetmythqa --corpus posts/ --json"
)
@_ROOT
@_ON
@_CORPUS
@_VECTORS
@_JSON
def answers(data_root: str | None, on: str, corpus: Path | None, vectors: str, as_json: bool) -> None:
    """F1 of answers, alone and with both sides' evidence, as `ask` gives them (the paper's Tables 6 and 8)."""
    from twicetold.mine.miner import Miner
    from twicetold.mine.reader import SpanReader
    from twicetold.mine.stance import StanceReader
    from twicetold_lab.mining import answering, tables

    with tables.opened(_benchmark(data_root, on, corpus), vectors_by=vectors) as (posts, ready):
        miner = Miner(posts, StanceReader.load(), SpanReader.load())
        rows = answering.yes_no(ready, miner)
        if any(question.kind == "entity" for question in ready.questions):
            rows += answering.intrinsic(ready, miner) + answering.extrinsic(ready, miner)
        _show(rows, as_json)


@mining.command(
    epilog="Examples:\n\n  twicetold lab mining stance rumoureval --split test\n\n  twicetold lab mining stance fnc-1 --most 2000 --json"
)
@click.argument("name")
@_ROOT
@click.option("--split", default="", help="Only the pairs of this split.")
@click.option("--most", default=5_000, show_default=True, help="Read this many pairs, evenly spread over the set.")
@click.option("--legacy-label-order", is_flag=True, help="Swap supports and refutes, as the paper's released code may.")
@_JSON
def stance(name: str, data_root: str | None, split: str, most: int, legacy_label_order: bool, as_json: bool) -> None:
    """Precision, recall and F1 of the shipped stance model on a public stance set (the paper's Table 5)."""
    from twicetold.mine.stance import StanceReader
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mining.stances import SETS, macro, score

    if name not in SETS:
        raise BadInput(f"no stance set is called {name!r}; there are {', '.join(SETS)}")
    pairs = [pair for pair in SETS[name](found(data_root)) if pair.stance is not None and split in ("", pair.split)]
    pairs = pairs[:: max(1, -(-len(pairs) // most))]
    scores = score(StanceReader.load(), pairs, legacy_label_order=legacy_label_order)
    if as_json:
        by_stance = {one.stance.value: {"precision": one.precision, "recall": one.recall, "f1": one.f1} for one in scores}
        print_json({"on": name, "pairs": len(pairs), "measures": {"macro_f1": macro(scores)}, **by_stance})
        return
    for one in scores:
        click.echo(f"{one.stance:<9} P {one.precision:6.2f}  R {one.recall:6.2f}  F1 {one.f1:6.2f}  n={one.count:,}")
    click.echo(f"macro F1  {macro(scores):.2f} over {len(pairs):,} pairs")


@mining.command(
    epilog="Examples:\n\n  twicetold lab mining fit about --data-root datasets\n\n  twicetold lab mining fit weights --data-root datasets"
)
@click.argument("what", type=click.Choice(["about", "weights"]))
@_ROOT
@_VECTORS
def fit(what: str, data_root: str | None, vectors: str) -> None:
    """Choose mining's constants again, on RumourEval's training threads and the demo posts."""
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mining import benchmark, fitting

    both = [benchmark.contested_only(benchmark.rumoureval(found(data_root), "traindev")), benchmark.demo()]
    with _all_opened(both, vectors) as ready:
        if what == "about":
            print_json(fitting.fit_about(ready))
            return
        for weights, recalls in fitting.weigh_signals(ready):
            click.echo(f"{weights}  " + "  ".join(f"{one[1].name} {value:.3f}" for one, value in zip(ready, recalls, strict=True)))


@contextmanager
def _all_opened(benchmarks: list[Benchmark], vectors: str) -> Iterator[list[tuple[Posts, Benchmark]]]:
    from twicetold_lab.mining.tables import opened

    with ExitStack() as stack:
        yield [stack.enter_context(opened(one, vectors_by=vectors)) for one in benchmarks]


def _benchmark(data_root: str | None, on: str, corpus: Path | None) -> Benchmark:
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.mining import benchmark

    if on == "demo":
        return benchmark.demo()
    if on == "tweetmythqa":
        if corpus is None:
            raise BadInput("TweetMythQA ships no texts, only ids: name the posts you have with --corpus FILE or FOLDER")
        return benchmark.tweetmythqa(found(data_root), corpus)
    return benchmark.rumoureval(found(data_root), on.partition("/")[2])


def _only_yes_no(benchmark: Benchmark) -> Benchmark:
    kept = tuple(question for question in benchmark.questions if question.kind == "yes-no")
    return dataclasses.replace(benchmark, questions=kept)


def _show(rows: list[Row], as_json: bool) -> None:
    from twicetold_lab.mining.tables import table

    if as_json:
        measures = {
            f"{row.name}: {row.measure}": {"value": round(row.mean, 2), "low": round(row.low, 2), "high": round(row.high, 2)}
            for row in rows
        }
        print_json({"measures": measures, "questions": rows[0].questions})
        return
    table(rows, click.echo)
