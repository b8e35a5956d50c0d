"""Measure one row of Known Lie's Tables 5 or 6 on the splits of a set, and sum the splits up.

Sets are politifact, snopes and clef (Snopes, trained on the 800 tweets of CheckThat 2020 and measured on its dev). A row is a measure such
as bm25.body, `articles-N` with N body sentences, `ranksvm-N` over the best N candidates (`linear-N` with a
linear kernel, `exact-N` with the whole RBF kernel matrix, however large), or `best`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from twicetold.answer.group import cases
from twicetold.errors import BadInput
from twicetold.rank.ranksvm import Settings
from twicetold_lab import datasets
from twicetold_lab.knownlie import best
from twicetold_lab.knownlie.rows import POLITIFACT, SNOPES, Candidates, Split, article_row, best_by, by_score, ranksvm_row
from twicetold_lab.knownlie.scores import Scores, collapsed, scores_of

DEEPEST = 200
LEARNING = {
    "ranksvm": Settings(cost=0.1, landmarks=800),
    "exact": Settings(cost=0.1, exact=1_000_000),
    "linear": Settings(kernel="linear", cost=0.01),
}
"""Settings by the name of a row. The paper left the cost at 1; on the training inputs of the first split a tenth, or less, is better."""
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


class Rows:
    """Measures rows of one set on these splits; what rows and splits have in common is made once."""

    def __init__(self, name: str, scores: Scores, splits: Sequence[Split]) -> None:
        self._measures: tuple[str, ...] = POLITIFACT if name == "politifact" else SNOPES
        self._first = "bm25.body" if name == "politifact" else "bm25.all"
        self._scores = scores
        self._splits = splits

    def of(self, row: str) -> Measured:
        """Measure one row on every split."""
        return Measured(tuple(split.name for split in self._splits), tuple(self._on(row, split) for split in self._splits))

    @cached_property
    def _candidates(self) -> Candidates:
        return best_by(self._scores, self._measures, self._first, DEEPEST)

    @cached_property
    def _for_best(self) -> Candidates:
        return best.gathered(self._scores)

    def _on(self, row: str, split: Split) -> dict[str, float]:
        scores = self._scores
        if row in scores.tables:
            return by_score(scores, scores[row], split.test)
        if row == "best":
            return best.best_row(scores, split, self._for_best)
        kind, _, number = row.partition("-")
        if not number.isdecimal() or kind not in ("articles", *LEARNING) or not 0 < int(number) <= DEEPEST:
            known = ", ".join([*scores.tables, "articles-N", *(f"{kind}-N" for kind in LEARNING)])
            raise BadInput(f"no row is called {row!r}; there are {known} and best, with N up to {DEEPEST}")
        if kind == "articles":
            return article_row(scores, split, int(number))[0]
        return ranksvm_row(scores, split, self._candidates, int(number), LEARNING[kind])


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


def kept_scores(name: str, root: Path, work: Path, *, encoder: Path | None = None, twins_as_one: bool = False) -> Scores:
    """Score every input of a set against every fact-check; scores are kept in `work` for the next row."""
    dataset = datasets.load(SETS[name], root)
    scores = scores_of(dataset, work, encoder=encoder)
    return collapsed(scores, cases(dataset.checks())) if twins_as_one else scores
