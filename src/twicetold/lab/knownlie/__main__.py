"""`python -m twicetold.lab.knownlie SET ROW`: run one row of Known Lie's Tables 5 or 6 over random splits and print it as JSON.

SET is politifact, snopes or clef (Snopes, trained on the 800 tweets of CheckThat 2020 and measured on its dev). ROW is a measure such as
bm25.body, `articles-N` with N body sentences, or `ranksvm-N` over the best N candidates.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import numpy as np

from twicetold.errors import BadInput, TwicetoldError
from twicetold.lab import datasets
from twicetold.lab.knownlie.rows import POLITIFACT, SNOPES, Split, article_row, by_score, ranksvm_row
from twicetold.lab.knownlie.scores import Scores, collapsed, scores_of
from twicetold.rerank.ranksvm import Settings
from twicetold.twins import cases

SETS = {"politifact": "known-lie-politifact", "snopes": "known-lie-snopes", "clef": "known-lie-snopes"}


def splits_of(name: str, scores: Scores, root: Path, seeds: Sequence[int]) -> list[Split]:
    """Return the splits of a set: random ones by seed, or CheckThat's own."""
    if name == "clef":
        official = datasets.load("checkthat-2020-task2", root)
        place = {claim.text: row for row, claim in enumerate(scores.claims)}
        train, dev = (np.array([place[claim.text] for claim in official.split(part).claims]) for part in ("train", "dev"))
        return [Split("clef", train, dev)]
    parts = datasets.load(SETS[name], root).splits
    place = {claim.id: row for row, claim in enumerate(scores.claims)}
    sides = {seed: [np.array([place[id] for id in parts[f"random-{seed}/{side}"]]) for side in ("train", "test")] for seed in seeds}
    return [Split(f"random-{seed}", *both) for seed, both in sides.items()]


def row_of(name: str, row: str, scores: Scores, split: Split) -> dict[str, float]:
    """Measure one row on one split."""
    kind, _, number = row.partition("-")
    if row in scores.tables:
        return by_score(scores, scores[row], split.test)
    if not number.isdecimal() or kind not in ("articles", "ranksvm"):
        raise BadInput(f"no row is called {row!r}; there are {', '.join(scores.tables)}, articles-N and ranksvm-N")
    if kind == "articles":
        return article_row(scores, split, int(number))[0]
    measures, first = (POLITIFACT, "bm25.body") if name == "politifact" else (SNOPES, "bm25.all")
    return ranksvm_row(scores, split, measures, first, int(number), Settings())


def summary(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the mean and standard deviation of each column over splits."""
    columns = {column: np.array([row[column] for row in rows]) for column in rows[0]}
    spread = {column: float(values.std(ddof=1)) if len(values) > 1 else 0.0 for column, values in columns.items()}
    return {"measures": {column: float(values.mean()) for column, values in columns.items()}, "sd": spread}


@click.command()
@click.argument("name", type=click.Choice(list(SETS)))
@click.argument("row")
@click.option("--data-root", envvar="TWICETOLD_DATASETS", required=True, type=click.Path(path_type=Path), help="Folder of research data.")
@click.option("--work", default=".cache/knownlie", type=click.Path(path_type=Path), help="Where scores are kept between rows.")
@click.option("--encoder", type=click.Path(path_type=Path), help="An encoder that has seen none of the inputs; the shipped one otherwise.")
@click.option("--splits", default=5, show_default=True, type=click.IntRange(1, 5), help="How many random splits.")
@click.option("--collapse-twins", is_flag=True, help="Count near-duplicate fact-checks as one.")
def main(name: str, row: str, data_root: Path, work: Path, encoder: Path | None, splits: int, collapse_twins: bool) -> None:
    """Print the mean and spread of one row over splits."""
    dataset = datasets.load(SETS[name], data_root)
    scores = scores_of(dataset, work, encoder=encoder)
    if collapse_twins:
        scores = collapsed(scores, cases(dataset.checks()))
    chosen = splits_of(name, scores, data_root, range(splits))
    rows = [row_of(name, row, scores, split) for split in chosen]
    click.echo(json.dumps({"set": name, "row": row, "splits": [split.name for split in chosen], **summary(rows)}))


if __name__ == "__main__":
    try:
        main()
    except TwicetoldError as error:
        click.echo(f"twicetold: {error}", err=True)
        sys.exit(error.exit_code)
