"""The tables of the papers, each published figure beside ours.

Published figures are data (`published.json`); ours are recorded results that say which row they fill. A figure without a counterpart
is "not run"; one that contradicts itself in print is marked suspect.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from twicetold.errors import BadInput
from twicetold.lab.compare import Style, table
from twicetold.lab.results import Result

TITLES = {
    "KnownLie_Shaar2020": "That is a Known Lie (Shaar et al. 2020)",
    "Context_Shaar2022": "The Role of Context (Shaar et al. 2022)",
    "MTM_Sheng2021": "MTM (Sheng et al. 2021)",
    "MythQA_Bai2023": "MythQA (Bai et al. 2023)",
    "CheckThat": "CheckThat labs and later systems on their data",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed figure. `suspect` says why it cannot be right as printed; empty for most."""

    paper: str
    table: str
    row: str
    column: str
    value: float
    unit: str
    suspect: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """A printed figure, and ours if there is one, with the number of its footnote."""

    figure: Figure
    ours: float | None = None
    note: str = ""


@cache
def published() -> tuple[Figure, ...]:
    """Read the published figures."""
    text = resources.files("twicetold.lab").joinpath("published.json").read_text(encoding="utf-8")
    return tuple(Figure(*(row.get(name, "") for name in Figure.__slots__)) for row in json.loads(text)["rows"])


def beside(results: Iterable[Result]) -> list[Beside]:
    """Join every published figure with the recorded result that fills its row, if any."""
    recorded: dict[tuple[str, str], tuple[float, str]] = {}
    for result in results:
        for filled in result.fills:
            if filled.endswith("/*"):
                recorded |= {(f"{filled[:-2]}/{row}", column): (score, result.note) for (row, column), score in _cells(result)}
                continue
            paper_table_row, prefix = _place(filled, result.name)
            # The papers' own definition, where it was measured too, is what their figure is compared with.
            for measure, score in sorted(result.scores.items(), key=lambda pair: "norm=legacy" in pair[0]):
                recorded[paper_table_row, prefix + _column(measure)] = (score, result.note)
    joined = []
    for figure in published():
        ours, note = recorded.get((f"{figure.paper}/{figure.table}/{figure.row}", figure.column), (None, ""))
        joined.append(Beside(figure, ours, note))
    return joined


def _cells(result: Result) -> Iterator[tuple[tuple[str, str], float]]:
    for name, score in result.scores.items():
        row, bar, column = name.partition("|")
        if not bar:
            raise BadInput(f"the result {result.name!r} fills a whole table, so its scores are called 'row|column', not {name!r}")
        yield (row, column), score


def _place(filled: str, name: str) -> tuple[str, str]:
    """Split `paper/table/row/prefix/` into the row it names and the prefix of its columns."""
    for row in {f"{figure.paper}/{figure.table}/{figure.row}" for figure in published()}:
        if filled == row:
            return row, ""
        if filled.startswith(row + "/") and filled.endswith("/"):
            return row, filled[len(row) + 1 :]
    raise BadInput(f"the result {name!r} fills {filled!r}, which is no published row")


def _column(measure: str) -> str:
    """The column a measure stands in: papers print MAP over the whole ranking as MAP@all, and have one norm each."""
    bare = measure.partition("(")[0]
    return "MAP@all" if bare == "MAP" else bare


def papers() -> dict[str, list[str]]:
    """Return the tables of each paper, in printed order."""
    found: dict[str, list[str]] = {}
    for figure in published():
        tables = found.setdefault(figure.paper, [])
        if figure.table not in tables:
            tables.append(figure.table)
    return found


def laid_out(rows: Iterable[Beside], style: Style = "text") -> str:
    """Lay one table out: a line for each figure, with footnotes below."""
    notes: dict[str, int] = {}
    lines = []
    for row in rows:
        figure = row.figure
        remarks = [f"suspect: {figure.suspect}" if figure.suspect else "", row.note]
        marks = ",".join(str(notes.setdefault(remark, len(notes) + 1)) for remark in remarks if remark)
        ours, difference = ("not run", "") if row.ours is None else (_shown(row.ours, figure.unit), f"{row.ours - figure.value:+.3f}")
        lines.append([figure.row, figure.column, _shown(figure.value, figure.unit), ours, difference, marks])
    text = table(["row", "column", "published", "ours", "difference", "note"], lines, style)
    return "\n".join([text, *(f"[{number}] {note}" for note, number in notes.items())])


def _shown(value: float, unit: str) -> str:
    return f"{value:.3f}" if unit == "fraction" else f"{value:g}"


def chosen(name: str, rows: Iterable[Beside]) -> Mapping[tuple[str, str], list[Beside]]:
    """Pick the tables that a name means: a paper, `paper/table`, or everything when empty."""
    picked: dict[tuple[str, str], list[Beside]] = {}
    for row in rows:
        paper, number = row.figure.paper, row.figure.table
        if name.casefold() in ("", paper.casefold(), f"{paper}/{number}".casefold()):
            picked.setdefault((paper, number), []).append(row)
    if not picked:
        known = ", ".join(f"{paper}/{number}" for paper, numbers in papers().items() for number in numbers)
        raise BadInput(f"no published table is called {name!r}; there are {known}")
    return picked
