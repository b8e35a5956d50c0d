"""The verb `lab known-lie`: one row of Known Lie's Tables 5 and 6, over random splits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twicetold.cli.output import print_json

if TYPE_CHECKING:
    from twicetold_lab.knownlie.measuring import Measured

_PATH = click.Path(path_type=Path)


@click.command(
    "known-lie",
    epilog="Examples:\n\n  twicetold lab known-lie politifact ranksvm-100 --data-root datasets --cache ~/.cache/lab\n\n"
    "  twicetold lab known-lie clef ranksvm-50 best --twins-as-one --json",
)
@click.argument("name", metavar="SET", type=click.Choice(["politifact", "snopes", "clef"]))
@click.argument("rows", metavar="ROW...", nargs=-1, required=True)
@click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
@click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep the scores here for the next row: 1 GB for politifact.")
@click.option("--encoder", default="", help="A folder with an ONNX encoder, in itself or under the data root, instead of the shipped one.")
@click.option("--splits", default=5, show_default=True, type=click.IntRange(1, 5), help="How many random splits.")
@click.option("--twins-as-one", is_flag=True, help="Count near-duplicate fact-checks as one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def known_lie(
    name: str,
    rows: tuple[str, ...],
    data_root: str | None,
    cache: Path | None,
    encoder: str,
    splits: int,
    twins_as_one: bool,
    as_json: bool,
) -> None:
    """Measure each ROW of Known Lie's Table 5 (politifact) or 6 (snopes; clef is CheckThat's own split): mean and spread over splits.

    ROW is bm25.FIELD, dense.FIELD, articles-N (the classifier over N body sentences), ranksvm-N (over the first N candidates; linear-N
    with a linear kernel, exact-N without approximation) or best.
    """
    import tempfile

    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.knownlie.measuring import Rows, kept_scores, splits_of

    root = found(data_root)
    chosen = next((place for place in (Path(encoder), root / encoder) if place.is_dir()), Path(encoder)) if encoder else None
    with tempfile.TemporaryDirectory(prefix="twicetold-") as made:
        work = cache / "known-lie" if cache is not None else Path(made)
        scores = kept_scores(name, root, work, encoder=chosen, twins_as_one=twins_as_one)
        measured = Rows(name, scores, splits_of(name, scores, root, range(splits)))
        for row in rows:
            done = measured.of(row)
            _print_json(name, row, done) if as_json else _print(name, row, done)


def _print_json(name: str, row: str, done: Measured) -> None:
    print_json({"set": name, "row": row, "splits": list(done.splits), "measures": done.mean(), "sd": done.spread()})


def _print(name: str, row: str, done: Measured) -> None:
    click.echo(f"{row} on {name}: {', '.join(done.splits)}")
    spread = done.spread()
    for column, value in done.mean().items():
        click.echo(f"  {column:<16}  {value:.4f}" + (f"  ± {spread[column]:.4f}" if spread else ""))
