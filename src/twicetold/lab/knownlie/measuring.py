"""Measure one row of Known Lie's Tables 5 or 6 on the splits of a set, and sum the splits up.

Sets are politifact, snopes and clef (Snopes, trained on the 800 tweets of CheckThat 2020 and measured on its dev). A row is a measure such
as bm25.body, `articles-N` with N body sentences, or `ranksvm-N` over the best N candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twicetold.errors import BadInput
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


@dataclass(frozen=True, slots=True)
class Measured:
    """The columns of a row on each split."""

    splits: tuple[str, ...]
    rows: tuple[Mapping[str, float], ...]

    def mean(self) -> dict[str, float]:
        """Return the mean of each column over splits."""
        return {column: float(np.mean([row[column] for row in self.rows])) for column in self.rows[0]}

    def spread(self) -> dict[str, float]:
        """Return the standard deviation of each column over splits; nothing for a single split."""
        several = self.rows[0] if len(self.rows) > 1 else ()
        return {column: float(np.std([row[column] for row in self.rows], ddof=1)) for column in several}


def measure(name: str, row: str, scores: Scores, root: Path, *, splits: int = 5) -> Measured:
    """Measure a row on the first `splits` random splits, or on CheckThat's own."""
    chosen = splits_of(name, scores, root, range(splits))
    return Measured(tuple(split.name for split in chosen), tuple(row_of(name, row, scores, split) for split in chosen))


def kept_scores(name: str, root: Path, work: Path, *, encoder: Path | None = None, twins_as_one: bool = False) -> Scores:
    """Score every input of a set against every fact-check; scores are kept in `work` for the next row."""
    dataset = datasets.load(SETS[name], root)
    scores = scores_of(dataset, work, encoder=encoder)
    return collapsed(scores, cases(dataset.checks())) if twins_as_one else scores
