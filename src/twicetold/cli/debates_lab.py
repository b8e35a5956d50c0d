"""The verb `lab debates`: one row of Role of Context's Tables 3 and 4, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twicetold.cli.output import print_json

if TYPE_CHECKING:
    from twicetold.lab.context.measuring import SplitName

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
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def debates(row: str, data_root: str | None, cache: Path | None, split: SplitName, hops: Path | None, as_json: bool) -> None:
    """Measure ROW of Role of Context's Table 4: mean average precision over all lines and by category.

    ROW is a sum of baseline, FC(k,l), legacy-FC(k,l), src-coref, tgt-coref and xh-N (the multi-hop reader over the N best sentences);
    or our recipe: debate, debate-text (without who spoke and when), debate-earlier (only fact-checks published before the debate).
    """
    import tempfile

    from twicetold.lab import datasets
    from twicetold.lab.context.measuring import TABLE_3, measure

    dataset = datasets.load("role-of-context", datasets.data_root(data_root))
    with tempfile.TemporaryDirectory(prefix="twicetold-") as made:
        done = measure(row, dataset, cache or Path(made), split=split, hops=hops)
    ends, spread = done.intervals(), done.spread()
    if as_json:
        named = {f"{TABLE_3[split]}|MAP": done.mean()["Overall"]} if row == "baseline" and split in TABLE_3 else {}
        measures = done.mean() | named
        print_json({"row": row, "split": split, "queries": done.queries, "measures": measures, "intervals": ends, "sd": spread})
        return
    click.echo(f"{row} on {split}: {done.queries} lines, mean average precision")
    for column, value in done.mean().items():
        shown = f"  [{ends[column][0]:.3f}, {ends[column][1]:.3f}]" if ends else f"  ± {spread[column]:.3f}"
        click.echo(f"  {column:<12}  {value:.3f}{shown}")
