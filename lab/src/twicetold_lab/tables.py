"""The tables of the papers, each published figure beside ours.

Published figures are data (`published.json`); ours are recorded results that say which row they fill. A figure without a counterpart
is "not run"; one that contradicts itself in print is marked suspect. Rows that only we have come last in their table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from twicetold.errors import BadInput
from twicetold_lab.compare import Style, table
from twicetold_lab.results import Result

TITLES = {
    "KnownLie_Shaar2020": "That is a Known Lie (Shaar et al. 2020)",
    "Context_Shaar2022": "The Role of Context (Shaar et al. 2022)",
    "MTM_Sheng2021": "MTM (Sheng et al. 2021)",
    "MythQA_Bai2023": "MythQA (Bai et al. 2023)",
    "CheckThat": "CheckThat labs and later systems on their data",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A place in a table and what is printed there: None in a row that only we have.

    `suspect` says why the figure cannot be right as printed; empty for most.
    """

    paper: str
    table: str
    row: str
    column: str
    value: float | None
    unit: str
    suspect: str = ""


@dataclass(frozen=True, slots=True)
class Ours:
    """A recorded score: its standard deviation where there are several splits, where our definition differs, its 95 % interval."""

    value: float
    spread: float | None = None
    note: str = ""
    ends: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """A printed figure and ours, where there is one."""

    figure: Figure
    ours: Ours | None = None


@cache
def published() -> tuple[Figure, ...]:
    """Read the published figures."""
    text = resources.files("twicetold_lab").joinpath("published.json").read_text(encoding="utf-8")
    return tuple(Figure(*(row.get(name, "") for name in Figure.__slots__)) for row in json.loads(text)["rows"])


def beside(results: Iterable[Result]) -> list[Beside]:
    """Join every published figure with the recorded result that fills its row, if any; then come the rows that only we have."""
    known = list(results)
    recorded = {place: ours for result in known for place, ours in _filled(result)}
    printed = [Beside(f, recorded.get((f"{f.paper}/{f.table}/{f.row}", f.column))) for f in published()]
    return printed + [row for result in known for row in _added(result)]


def _filled(result: Result) -> Iterator[tuple[tuple[str, str], Ours]]:
    """Yield the published places a result fills: (paper/table/row, column), and what stands there."""
    for filled in result.fills:
        if not filled.endswith("/*"):
            place, prefix = _place(filled, result.name)
            yield from (((place, prefix + column), ours) for column, ours in _scores(result).items())
            continue
        for name in result.scores:
            row, bar, column = name.partition("|")
            if not bar:
                raise BadInput(f"the result {result.name!r} fills a whole table, so its scores are called 'row|column', not {name!r}")
            yield (f"{filled[:-2]}/{row}", column), _of(result, name)


def _added(result: Result) -> Iterator[Beside]:
    """Yield the rows of ours, `paper/table/row/prefix`, as far as the table prints their measures."""
    for added in result.adds:
        paper, number, row, prefix = (*added.split("/", 3), "", "", "")[:4]
        if not row or number not in papers().get(paper, ()):
            raise BadInput(f"the result {result.name!r} adds {added!r}, which names no row of a published table")
        printed = {figure.column.rpartition("/")[2] for figure in published() if (figure.paper, figure.table) == (paper, number)}
        for column, ours in _scores(result).items():
            if column in printed:
                yield Beside(Figure(paper, number, row, prefix + column, None, "fraction"), ours)


def _of(result: Result, name: str) -> Ours:
    ends = result.intervals.get(name)
    return Ours(result.scores[name], result.spread.get(name), result.note, (ends[0], ends[1]) if ends else None)


def _scores(result: Result) -> dict[str, Ours]:
    """Return a result's scores by column. The papers' own definition, where it was measured too, is what stands beside theirs."""
    ordered = sorted(result.scores, key=lambda measure: "norm=legacy" in measure)
    return {_column(name): _of(result, name) for name in ordered}


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
        figure, ours = row.figure, row.ours
        remarks = [f"suspect: {figure.suspect}" if figure.suspect else "", ours.note if ours else ""]
        marks = ",".join(str(notes.setdefault(remark, len(notes) + 1)) for remark in remarks if remark)
        printed = "–" if figure.value is None else _shown(figure.value, figure.unit)
        difference = "" if figure.value is None or ours is None else _shown(ours.value - figure.value, figure.unit, sign="+")
        lines.append([figure.row, figure.column, printed, _ours(ours, figure.unit), difference, marks])
    text = table(["row", "column", "published", "ours", "difference", "note"], lines, style)
    return "\n".join([text, *(f"[{number}] {note}" for note, number in notes.items())])


def _ours(ours: Ours | None, unit: str) -> str:
    if ours is None:
        return "not run"
    spread = f" ±{_shown(ours.spread, unit)}" if ours.spread is not None else ""
    ends = f" [{_shown(ours.ends[0], unit)}, {_shown(ours.ends[1], unit)}]" if ours.ends is not None else ""
    return _shown(ours.value, unit) + spread + ends


def _shown(value: float, unit: str, sign: str = "") -> str:
    return f"{value:{sign}.3f}" if unit == "fraction" else f"{round(value, 3):{sign}.6g}"


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
