"""Runs side by side: are they different, and on which queries?

The test is a paired randomisation: under the null hypothesis each query's two values could as well be swapped, so the signs of the
differences are flipped at random and the p-value is how often the mean is then as far from 0 as the one seen (Smucker et al. 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from twicetold.errors import BadData
from twicetold_lab.measures import Measure
from twicetold_lab.reports import Report

FLIPS = 10_000
Style = Literal["text", "markdown", "latex"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a run differs from the first in one measure: mean of (it − first), p-value, queries won and lost."""

    mean: float
    p: float
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class Change:
    """A query on which two runs differ."""

    query: str
    text: str
    before: float
    after: float


def randomisation(differences: NDArray[np.float64], *, flips: int = FLIPS, seed: int = 0) -> float:
    """Return the two-sided p-value of paired differences; at least 1 / (flips + 1), as the order seen is one of those possible."""
    seen = abs(float(differences.mean()))
    moved = differences[differences != 0]
    if len(moved) == 0:
        return 1.0
    rng = np.random.default_rng(seed)
    far = 0
    for start in range(0, flips, 1000):
        signs = rng.integers(0, 2, size=(min(1000, flips - start), len(moved)), dtype=np.int8) * 2 - 1
        means = np.abs(signs @ moved) / len(differences)
        far += int((means >= seen - 1e-12).sum())
    return (far + 1) / (flips + 1)


def difference(first: Report, other: Report, measure: Measure) -> Difference:
    """Compare two reports over the same queries, in one measure."""
    if first.queries != other.queries:
        raise BadData(f"{first.run.name!r} and {other.run.name!r} are judged over different queries and cannot be compared")
    gained = other.of(measure) - first.of(measure)
    return Difference(float(gained.mean()), randomisation(gained), int((gained > 1e-12).sum()), int((gained < -1e-12).sum()))


def changes(first: Report, other: Report, measure: Measure) -> list[Change]:
    """List the queries on which the reports differ: the largest gain of `other` first, its largest loss last."""
    texts = {answer.query: answer.text for answer in first.run.answers}
    pairs = zip(first.queries, first.of(measure).tolist(), other.of(measure).tolist(), strict=True)
    moved = [Change(query, texts[query], before, after) for query, before, after in pairs if abs(after - before) > 1e-12]
    return sorted(moved, key=lambda change: change.before - change.after)


# --- tables --------------------------------------------------------------------------------------------------------


_LATEX = str.maketrans(
    {**{c: "\\" + c for c in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"−": "$-$", "<": "$<$", ">": "$>$"}
)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], style: Style = "text") -> str:
    """Lay out a table: the first column left, the others right."""
    if style == "markdown":
        lines = [_piped(head), _piped([":--"] + ["--:"] * (len(head) - 1)), *map(_piped, rows)]
    elif style == "latex":
        top, *body = (" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in (head, *rows))
        columns = "l" + "r" * (len(head) - 1)
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", top, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    else:
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
        lines = [_spaced(row, widths) for row in (head, *rows)]
    return "\n".join(lines)


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _spaced(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True)))
    return "  ".join([first, *rest]).rstrip()


def compared(reports: Sequence[Report], style: Style = "text") -> str:
    """Lay reports out as a table: means, and for each run after the first the p-value of its difference from the first."""
    first, *others = reports
    measures = [str(measure) for measure in first.measures]
    rows = [[first.run.name, *(f"{first.mean(measure):.3f}" for measure in first.measures)]]
    for other in others:
        cells = []
        for measure in first.measures:
            change = difference(first, other, measure)
            chance = "p<0.001" if change.p < 0.001 else f"p={change.p:.3f}"
            cells.append(f"{other.mean(measure):.3f} ({chance}, +{change.won} −{change.lost})")
        rows.append([other.run.name, *cells])
    return table(["run", *measures], rows, style)
