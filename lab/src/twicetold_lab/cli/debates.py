"""The verbs `lab debates`, one row of Role of Context's Tables 3 and 4 with intervals, and `lab lanes`, how sure answers hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput

if TYPE_CHECKING:
    from twicetold_lab.context.measuring import SplitName

_PATH = click.Path(path_type=Path)


@click.command(
    epilog="Examples:\n\n  twicetold lab debates 'src-coref+FC(3,1)' --data-root datasets --cache ~/.cache/lab\n\n"
    "  twicetold lab debates 'FC(5,1)' --split folds --json"
)
@click.argument("row")
@click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
@click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep collection and signals here for the next row: 1 GB.")
@click.option(
    "--split",
    default="chrono",
    show_default=True,
    type=click.Choice(["chrono", "semi-chrono", "debate-random", "random", "folds"]),
    help="What to learn from and to measure on; folds is cross-validation over the training debates.",
)
@click.option("--hops", type=_PATH, help="The folder of a multi-hop reader for rows with xh, if not the shipped one.")
@click.option(
    "--learner",
    default="rbf",
    show_default=True,
    help="Other settings than the published ones: rbf,cost=0.1 or linear,cost=0.001,neighbours=0.5.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def debates(row: str, data_root: str | None, cache: Path | None, split: SplitName, hops: Path | None, learner: str, as_json: bool) -> None:
    """Measure ROW of Role of Context's Table 4: mean average precision over all lines and by category.

    ROW is a sum of baseline, FC(k,l), legacy-FC(k,l), src-coref, tgt-coref and xh-N (the multi-hop reader over the N best sentences);
    or our recipe: debate, debate-text (without who spoke and when), debate-earlier (only fact-checks published before the debate).
    """
    import tempfile

    from twicetold_lab import datasets
    from twicetold_lab.context import rows
    from twicetold_lab.context.measuring import TABLE_3, measure

    by = rows.learner(learner)
    dataset = datasets.load("role-of-context", datasets.data_root(data_root))
    with tempfile.TemporaryDirectory(prefix="twicetold-") as made:
        done = measure(row, dataset, cache or Path(made), split=split, hops=hops, by=by)
    ends, spread = done.intervals(), done.spread()
    if as_json:
        named = {f"{TABLE_3[split]}|MAP": done.mean()["Overall"]} if row == "baseline" and split in TABLE_3 else {}
        measures = done.mean() | named
        counts = {"queries": done.queries, "unanswerable": done.unanswerable}
        print_json({"row": row, "split": split, "learner": learner, **counts, "measures": measures, "intervals": ends, "sd": spread})
        return
    click.echo(f"{row} on {split}: {done.queries} lines, mean average precision")
    for column, value in done.mean().items():
        shown = f"  [{ends[column][0]:.3f}, {ends[column][1]:.3f}]" if ends else f"  ± {spread[column]:.3f}"
        click.echo(f"  {column:<12}  {value:.3f}{shown}")
    if done.unanswerable:
        click.echo(f"{done.unanswerable} of {done.queries} lines have no answer that was published before the debate; they count as misses")


@click.command(
    epilog="Examples:\n\n  twicetold lab lanes --judged results/debate-lanes-judged.json --data-root datasets --cache ~/.cache/lab\n\n"
    "  twicetold lab lanes --units units.csv"
)
@click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
@click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep the indexed corpus here for the next time.")
@click.option(
    "--judged", "judgements", type=_PATH, help="Labels by people: what `twicetold lab judge agree --task same-claim --json` prints."
)
@click.option("--units", type=_PATH, help="Write the lines to be judged here, for `twicetold lab judge assign --task same-claim`.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def lanes(console: Console, data_root: str | None, cache: Path | None, judgements: Path | None, units: Path | None, as_json: bool) -> None:
    """Scan the test debates of Role of Context whole, and count how many lines come out matched, worth a look or not checked before.

    Lines that the data set answers (annotated), those next to them (beside) and all others (elsewhere) are counted apart. How often a lane
    is right, over all lines together, is told with --judged, since a line without an answer in the data may have been checked all the same.
    """
    from twicetold_lab import annotate, datasets
    from twicetold_lab.context import lanes as lab

    if units is not None and units.exists():
        raise BadInput(f"{units} is there already and may be filled in; name another file")
    judged = {} if judgements is None else lab.read_judged(judgements)
    dataset = datasets.load("role-of-context", datasets.data_root(data_root)).split("test")
    with console.progress() as progress:
        lines = lab.told(dataset, cache, progress=progress)
    if units is not None:
        rows = lab.units(lab.to_judge(lines))
        annotate.write_sheet(units, rows, list(lab.COLUMNS))
        console.remark(f"{units}: {len(rows):,} lines; next: twicetold lab judge assign {units} --task {lab.TASK}")
    found = lab.figures(lines, judged)
    if as_json:
        print_json(found)
        return
    _print_lanes(found)


def _print_lanes(found: dict[str, Any]) -> None:
    """One row for each kind of line, then how often matched and worth a look were right."""
    for kind, counts in found["counts"].items():
        click.echo(f"{kind:<10} " + ", ".join(f"{count:,} {name}" for name, count in counts.items()))
    for lane, told in found["judged"].items():
        low, high = told["right interval"]
        known = told["lines"] - told["not judged"]
        click.echo(
            f"{lane:<10} {known:,} judged: {told['yes']:,} yes, {told['partly']:,} partly, {told['no']:,} no; "
            f"right {told['right']:.3f} [{low:.3f}, {high:.3f}], stated chance {told['mean chance']:.3f}"
        )
