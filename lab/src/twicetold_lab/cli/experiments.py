"""Verbs for researchers: eval, compare, tables, reproduce."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput, OutOfTolerance

if TYPE_CHECKING:
    from twicetold.text import Analysis
    from twicetold_lab.datasets import Dataset
    from twicetold_lab.experiment import Experiment
    from twicetold_lab.measures import Measure
    from twicetold_lab.reports import Report
    from twicetold_lab.runs import Run


_PATH = click.Path(path_type=Path)


def measures_in(text: str) -> tuple[Measure, ...]:
    """Read a list of measures by commas; those inside brackets separate options."""
    from twicetold_lab.measures import DEFAULT, Measure

    names = [name for name in re.split(r",(?![^()]*\))", text) if name.strip()]
    return tuple(dict.fromkeys(map(Measure.parse, names))) if names else DEFAULT


# --- eval ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """What a recipe is judged on, as options name it."""

    on: str | None
    corpus: Path | None
    queries: Path | None
    qrels: Path | None
    transcripts: Path | None
    split: str
    data_root: str | None

    def load(self) -> Dataset:
        """Read the data set that the options mean."""
        from twicetold_lab import bring
        from twicetold_lab.datasets import data_root
        from twicetold_lab.roles import load_part

        if self.on is not None:
            self._refuse("--on names a whole data set", "corpus", "queries", "qrels", "transcripts", "split")
            return load_part(self.on, data_root(self.data_root))
        if self.corpus is not None and self.corpus.is_dir() and not (self.queries or self.qrels):
            self._refuse("a folder brings its own transcripts", "transcripts")
            return bring.folder(self.corpus, self.split)
        if self.corpus is None or self.queries is None or self.qrels is None:
            raise BadInput("say what to judge on: --on SET, or --corpus FILE --queries FILE --qrels FILE, or --corpus FOLDER")
        self._refuse("files of your own have no splits", "split")
        return bring.own(self.corpus, self.queries, self.qrels, self.transcripts)

    def _refuse(self, why: str, *options: str) -> None:
        if given := [f"--{name}" for name in options if getattr(self, name)]:
            raise BadInput(f"{why}, so {' and '.join(given)} cannot be meant; leave that out")

    def without_context(self) -> int:
        """Count the queries that name a transcript which is not given."""
        from twicetold_lab import bring

        return bring.naming_transcripts(self.queries) if self.queries is not None and self.transcripts is None else 0


_JUDGED = (
    click.option("--on", help="A public data set, or a split of it: factchecktweet/dev. See docs/data.md."),
    click.option("--corpus", type=_PATH, help="Your fact-checks: JSON Lines, or a folder in the layout of BEIR or CheckThat."),
    click.option("--queries", type=_PATH, help="Your queries: JSON Lines with id and text, or a table of both."),
    click.option("--qrels", type=_PATH, help="Your judgements, as TREC or BEIR write them."),
    click.option("--transcripts", type=_PATH, help="Folder of the transcripts that queries name: line, speaker, sentence by tabs."),
    click.option("--split", default="", help="With --corpus FOLDER: which split to judge on."),
    click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS)."),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a recipe is run and scored, as options say it."""

    measures: str
    depth: int
    analysis: Analysis
    encoder: str
    collapse_twins: bool
    by_category: bool
    join: str
    cache: Path | None

    def experiment(self, recipe: str) -> Experiment:
        """Keep as many documents as the deepest measure looks at, if that is more than asked for."""
        from twicetold.index.encoder import EncoderChoice
        from twicetold_lab.baselines import WORDS_ONLY
        from twicetold_lab.experiment import Experiment

        chosen = EncoderChoice.parse(self.encoder)
        if chosen.folder is not None and recipe in WORDS_ONLY:
            raise BadInput(f"{recipe} looks at words alone, so --encoder {self.encoder} cannot be meant; leave that out")
        deepest = max([self.depth, *(measure.cutoff or 0 for measure in measures_in(self.measures))])
        encoder = chosen if chosen.folder is None else EncoderChoice(chosen.folder.absolute())
        return Experiment(recipe, self.analysis, encoder, deepest)

    def score(self, dataset: Dataset, run: Run) -> dict[str, Report]:
        """Return the reports by name: the whole under "", and the categories if asked for."""
        from twicetold_lab.reports import by_category, evaluate
        from twicetold_lab.twins import collapse, leaders

        if self.by_category and not dataset.categories:
            raise BadInput(f"{dataset.name} has no categories of pairs; leave --by-category out")
        wanted, qrels = measures_in(self.measures), dataset.qrels
        if self.collapse_twins:
            run, qrels = collapse(run, qrels, leaders(dataset.checks()))
        whole = {"": evaluate(run, qrels, wanted)}
        return whole | (by_category(run, qrels, dataset.categories, wanted) if self.by_category else {})


_PLAN = (
    click.option("--measures", default="", help="By commas: MAP@5, MRR, nDCG@10, HasPositives@3, P@5, Recall@100, MAP@5(norm=min) …"),
    click.option("--depth", default=100, show_default=True, type=click.IntRange(1), help="Documents kept for each query."),
    click.option("--analysis", default="standard", show_default=True, type=click.Choice(["standard", "plain"]), help="How words are made."),
    click.option("--encoder", default="", help="A folder with an ONNX encoder, instead of the shipped one."),
    click.option("--collapse-twins", is_flag=True, help="Count fact-checks of the same claim as one."),
    click.option("--by-category", is_flag=True, help="Also score each category of pairs, where the set has them."),
    click.option("--join", default="", help="Put these fields together as the body, as in title,claim,body, and leave the others empty."),
    click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep the indexed corpus here for the next time."),
)


def gathered(name: str, made: type, options: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    """Add options to a verb, which gets them as one argument of the type `made`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(*args: Any, **given: Any) -> Any:
            value = made(**{field.name: given.pop(field.name) for field in dataclasses.fields(made)})
            return command(*args, **{name: value}, **given)

        decorated: Callable[..., Any] = run
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


@click.command(
    "eval",
    epilog="Examples:\n\n  twicetold eval hybrid --corpus checks.jsonl --queries queries.jsonl --qrels qrels.txt --json\n\n"
    "  twicetold eval bm25 --on factchecktweet/dev --measures MAP@5,MRR --cache ~/.cache/lab --save bm25.jsonl",
)
@click.argument("recipe")
@gathered("judged", Judged, _JUDGED)
@gathered("plan", Plan, _PLAN)
@click.option("--save", "out", type=_PATH, help="Save the run: .jsonl with provenance, any other ending in TREC's format.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line.")
@click.pass_obj
def eval_(console: Console, /, recipe: str, judged: Judged, plan: Plan, out: Path | None, as_json: bool) -> None:
    """Score RECIPE on a data set: every query is asked, every judged query counts.

    MAP@k divides by the number of relevant documents unless told otherwise. Intervals hold 95 % of 1,000 bootstrap means.
    """
    from twicetold_lab.experiment import joined, run
    from twicetold_lab.runs import save

    experiment = plan.experiment(recipe)
    if out is not None and not out.parent.is_dir():
        raise BadInput(f"there is no folder {out.parent} to save the run in; make it first")
    dataset = joined(judged.load(), *plan.join.split(",")) if plan.join else judged.load()
    if unplaced := judged.without_context():
        console.remark(
            f"{unplaced:,} queries name a transcript: give --transcripts DIR, or they are asked without what was said around them."
        )
    with console.progress() as progress:
        made = run(experiment, dataset, cache=plan.cache, progress=progress)
    if out is not None:
        save(made, out)
    _show(console, dataset, plan.score(dataset, made), as_json)


def _show(console: Console, dataset: Dataset, reports: dict[str, Report], as_json: bool) -> None:
    from twicetold_lab.baselines import WORDS_ONLY
    from twicetold_lab.roles import seen

    report = reports[""]
    known = [] if report.run.provenance["recipe"] in WORDS_ONLY else seen(dataset.claims)
    if known:
        console.remark(
            f"{len(known):,} of {len(dataset.claims):,} queries are among those the shipped models may have learnt from: "
            "the scores flatter them. Judge on a test split (docs/data.md)."
        )
    if report.unjudged:
        console.remark(f"{len(report.unjudged):,} queries have no judgement and are in no mean: {', '.join(report.unjudged[:5])}")
    if as_json:
        print_json(_record(report, len(known)) | _categories(reports))
        return
    facts = report.run.provenance
    counts = f"{len(report.queries):,} queries, {report.run.corpus:,} fact-checks"
    click.echo(f"{facts['recipe']} on {facts['on']}: {counts}, {facts['seconds']} s")
    for name, one in reports.items():
        if name:
            click.echo(f"{name} ({len(one.queries):,} queries)")
        width = max(len(str(measure)) for measure in one.measures)
        for measure, interval in one.intervals().items():
            click.echo(f"  {measure!s:<{width}}  {interval.mean:.4f}  [{interval.low:.4f}, {interval.high:.4f}]")


def _record(report: Report, seen: int) -> dict[str, Any]:
    facts = report.run.provenance
    return {
        "recipe": facts["recipe"],
        "on": facts["on"],
        "queries": len(report.queries),
        "unjudged": list(report.unjudged),
        "seen": seen,
        "checks": report.run.corpus,
        "seconds": float(facts["seconds"]),
        "seconds_to_index": float(facts["seconds_to_index"]),
        "cpu_seconds": float(facts["cpu_seconds"]),
        "megabytes": float(facts["megabytes"]),
        "versions": {name: facts[name] for name in ("twicetold", "analysis", "encoder", "depth")},
        "measures": _values(report),
    }


def _values(report: Report) -> dict[str, Any]:
    return {str(m): {"value": interval.mean, "interval": [interval.low, interval.high]} for m, interval in report.intervals().items()}


def _categories(reports: dict[str, Report]) -> dict[str, Any]:
    named = {name: {"queries": len(one.queries), "measures": _values(one)} for name, one in reports.items() if name}
    return {"categories": named} if named else {}


# --- compare, tables, reproduce ------------------------------------------------------------------------------------


@click.command(
    epilog="Examples:\n\n  twicetold compare bm25.jsonl hybrid.jsonl --qrels qrels.txt\n\n"
    "  twicetold compare bm25.run best.run --qrels qrels.txt --measures MAP@5 --changes 10 --style latex"
)
@click.argument("runs", nargs=-1, required=True, type=_PATH)
@click.option("--qrels", type=_PATH, required=True, help="The judgements the runs are scored by.")
@click.option("--queries", type=_PATH, help="The queries, to show their texts where the runs do not hold them.")
@click.option("--measures", default="MAP@5,MRR", show_default=True, help="By commas.")
@click.option(
    "--changes", default=0, show_default=True, type=click.IntRange(0), help="Also show this many gains and losses by the first measure."
)
@click.option("--style", default="text", show_default=True, type=click.Choice(["text", "markdown", "latex"]))
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each run after the first.")
def compare(runs: tuple[Path, ...], qrels: Path, queries: Path | None, measures: str, changes: int, style: Any, as_json: bool) -> None:
    """Hold RUNS against the first of them: paired randomisation test, queries won and lost.

    A judged query that a run does not answer counts 0; a run that answers other queries is refused.
    """
    from twicetold_lab import bring
    from twicetold_lab.compare import compared
    from twicetold_lab.reports import evaluate
    from twicetold_lab.runs import read

    if len(runs) < 2:
        raise BadInput("give two runs or more, the first is what the others are held against")
    judgements = bring.read_qrels(qrels)
    made = [read(path) for path in runs]
    texts = {answer.query: answer.text for run in made for answer in run.answers if answer.text}
    if queries is not None:
        texts |= {claim.id: claim.text for claim in bring.read_queries(queries, None)}
    asked = {query: texts.get(query, "") for query in judgements}
    reports = [evaluate(run.over(asked), judgements, measures_in(measures)) for run in made]
    if as_json:
        _compare_json(reports)
        return
    click.echo(compared(reports, style))
    for other in reports[1:] if changes else []:
        _print_changes(reports[0], other, changes)


def _compare_json(reports: list[Report]) -> None:
    from twicetold_lab.compare import difference

    first, *others = reports
    for other in others:
        found = {str(m): difference(first, other, m) for m in first.measures}
        values = {m: {"difference": d.mean, "p": d.p, "won": d.won, "lost": d.lost} for m, d in found.items()}
        print_json({"first": first.run.name, "run": other.run.name, "queries": len(first.queries), "measures": values})


def _print_changes(first: Report, other: Report, count: int) -> None:
    from twicetold_lab.compare import changes

    found = changes(first, other, first.measures[0])
    gains = [change for change in found if change.after > change.before][:count]
    losses = [change for change in reversed(found) if change.after < change.before][:count]
    for title, some in (("gains", gains), ("losses", losses)):
        click.echo(f"\n{title} of {other.run.name} over {first.run.name} in {first.measures[0]}:")
        for change in some:
            text = " ".join(change.text.split())
            click.echo(f"  {change.before:.3f} → {change.after:.3f}  {change.query}  {text[:160]}")


@click.command(epilog="Examples:\n\n  twicetold tables\n\n  twicetold tables KnownLie_Shaar2020/T5 --style markdown")
@click.argument("name", default="")
@click.option("--results", "folder", type=_PATH, help="Folder of recorded results; ./results unless said.")
@click.option("--style", default="text", show_default=True, type=click.Choice(["text", "markdown", "latex"]))
@click.pass_obj
def tables(console: Console, name: str, folder: Path | None, style: Any) -> None:
    """Print the papers' tables, every published figure beside ours: all, one paper's, or one (PAPER/TABLE)."""
    from twicetold_lab.results import read_results
    from twicetold_lab.tables import TITLES, beside, chosen, laid_out

    place = folder or Path("results")
    known = read_results(place).values() if folder or place.is_dir() else ()
    if not known:
        console.remark("There is no folder of recorded results here, so no row is ours: name one with --results DIR.")
    for (paper, number), rows in chosen(name, beside(known)).items():
        click.secho(f"{TITLES.get(paper, paper)}, {number}", bold=True)
        click.echo(laid_out(rows, style) + "\n")


@click.command(
    epilog="Examples:\n\n  twicetold reproduce known-lie-politifact-bm25-body\n\n  twicetold reproduce --all --data-root datasets"
)
@click.argument("names", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Every recorded result.")
@click.option("--markdown", "is_table", is_flag=True, help="Run nothing: print the recorded results as the README's table.")
@click.option("--results", "folder", default="results", show_default=True, type=_PATH, help="Folder of recorded results.")
@click.option("--data-root", envvar="TWICETOLD_DATASETS", type=_PATH, help="Folder of the public data sets (or TWICETOLD_DATASETS).")
def reproduce(names: tuple[str, ...], is_all: bool, is_table: bool, folder: Path, data_root: Path | None) -> None:
    """Run recorded results again and check them. Out of tolerance is exit code 5; absent data is "not run", and no failure."""
    from twicetold_lab.reproduce import Outcome
    from twicetold_lab.reproduce import reproduce as again
    from twicetold_lab.results import markdown, read_results

    known = read_results(folder)
    if is_table:
        click.echo(markdown(known.values()))
        return
    if bool(names) == is_all:
        raise BadInput(f"name results, or say --all; recorded are {', '.join(known)}")
    if unknown := [name for name in names if name not in known]:
        raise BadInput(f"no result is called {unknown[0]!r}; recorded are {', '.join(known)}")
    astray = []
    for name in names or known:
        done = again(known[name], data_root)
        why = done.absent or done.failure
        click.echo(f"{done.outcome}: {name}" + (f" ({why})" if why else ""))
        width = max((len(line.name) for line in done.lines), default=0)
        for line in done.lines:
            verdict = "" if line.is_within else "  OUT OF TOLERANCE"
            click.echo(f"  {line.name:<{width}}  recorded {line.recorded:.4f}  came {line.came:.4f}{verdict}")
        astray += [name] if done.outcome in (Outcome.DIFFERS, Outcome.FAILED) else []
    if astray:
        raise OutOfTolerance(f"{len(astray)} results did not come out as recorded: {', '.join(astray)}")
