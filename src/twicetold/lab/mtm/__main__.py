"""`python -m twicetold.lab.mtm ROW`: teach and measure one row of MTM's Tables 2 or 3 and print it as JSON.

ROW is a row's published name, such as "BM25", "Sentence-BERT" or "w/o PMB"; `MTM compared` is the method as it ships, and `shipped` the
model of the package, in int8. Rows with a transformer to teach need the extra `train` and a trained encoder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from twicetold.errors import TwicetoldError
from twicetold.lab.mtm.candidates import Plan, read_task
from twicetold.lab.mtm.rows import Setup, record_of, run_of, scorer_of
from twicetold.lab.runs import save_jsonl

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("row")
@click.option("--on", "name", default="volee2020", show_default=True, type=click.Choice(["volee2020", "factchecktweet"]))
@click.option("--data-root", envvar="TWICETOLD_DATASETS", required=True, type=_PATH, help="Folder of research data.")
@click.option("--work", default=".cache/mtm", show_default=True, type=_PATH, help="Where vectors, checkpoints and runs are kept.")
@click.option("--cache", type=_PATH, help="Where collections are kept; in WORK unless said.")
@click.option("--encoder-training", type=_PATH, help="The folder `train encoder` left its checkpoint in, to start from.")
@click.option("--claims", default=200, show_default=True, help="Test claims.")
@click.option("--steps", type=int, help="Steps to teach; the row's own number unless said.")
@click.option("--seed", default=0, show_default=True)
@click.option("--without-images", is_flag=True, help="Vo & Lee's tweets without the text read from their images.")
def main(
    row: str,
    name: str,
    data_root: Path,
    work: Path,
    cache: Path | None,
    encoder_training: Path | None,
    claims: int,
    steps: int | None,
    seed: int,
    without_images: bool,
) -> None:
    """Print one row."""
    most = {"test": claims} if name == "volee2020" else {"test": claims, "train": 1600, "dev": 200}
    task = read_task(name, data_root, Plan(most=most, images=not without_images, cache=cache or work / "collections"))
    run = run_of(row, scorer_of(row, Setup(task, work, encoder_training, steps, seed)), task)
    work.mkdir(parents=True, exist_ok=True)
    save_jsonl(run, work / f"{name}{'-plain' * without_images}-{row.replace('/', '').replace(' ', '-')}-{seed}.jsonl")
    click.echo(json.dumps(record_of(run, task)))


if __name__ == "__main__":
    try:
        main()
    except TwicetoldError as error:
        click.echo(f"twicetold: {error}", err=True)
        sys.exit(error.exit_code)
