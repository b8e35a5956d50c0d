"""The verb `lab known-lie`: one row of Known Lie's Tables 5 and 6, over random splits."""

from __future__ import annotations

from pathlib import Path

import click

from twicetold.cli.output import print_json

_PATH = click.Path(path_type=Path)


@click.command(
    "known-lie",
    epilog="Examples:\n\n  twicetold lab known-lie politifact ranksvm-100 --data-root datasets --cache ~/.cache/lab\n\n"
    "  twicetold lab known-lie clef ranksvm-50 --twins-as-one --json",
)
@click.argument("name", metavar="SET", type=click.Choice(["politifact", "snopes", "clef"]))
@click.argument("row")
@click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")
@click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep the scores here for the next row: 1 GB for politifact.")
@click.option("--encoder", default="", help="A folder with an ONNX encoder, in itself or under the data root, instead of the shipped one.")
@click.option("--splits", default=5, show_default=True, type=click.IntRange(1, 5), help="How many random splits.")
@click.option("--twins-as-one", is_flag=True, help="Count near-duplicate fact-checks as one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def known_lie(
    name: str, row: str, data_root: str | None, cache: Path | None, encoder: str, splits: int, twins_as_one: bool, as_json: bool
) -> None:
    """Measure ROW of Known Lie's Table 5 (politifact) or 6 (snopes; clef is CheckThat's own split): mean and spread over random splits.

    ROW is bm25.FIELD, dense.FIELD, articles-N (the classifier over N body sentences) or ranksvm-N (over the first N candidates).
    """
    import tempfile

    from twicetold.lab.datasets import data_root as found
    from twicetold.lab.knownlie.measuring import kept_scores, measure

    root = found(data_root)
    chosen = next((place for place in (Path(encoder), root / encoder) if place.is_dir()), Path(encoder)) if encoder else None
    with tempfile.TemporaryDirectory(prefix="twicetold-") as made:
        work = cache / "known-lie" if cache is not None else Path(made)
        scores = kept_scores(name, root, work, encoder=chosen, twins_as_one=twins_as_one)
        done = measure(name, row, scores, root, splits=splits)
    if as_json:
        print_json({"set": name, "row": row, "splits": list(done.splits), "measures": done.mean(), "sd": done.spread()})
        return
    click.echo(f"{row} on {name}: {', '.join(done.splits)}")
    spread = done.spread()
    for column, value in done.mean().items():
        click.echo(f"  {column:<16}  {value:.4f}" + (f"  ± {spread[column]:.4f}" if spread else ""))
