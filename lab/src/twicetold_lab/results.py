"""Recorded results: what a command scored, on which data, at which commit, so that it can be checked and shown.

A file `results/NAME.toml` holds any number of

    [[result]]
    name = "known-lie-politifact-bm25-body"       # what `twicetold reproduce` calls it
    command = "twicetold eval … --json"           # prints one JSON object last
    data = ["known-lie", "checkthat-2021-task2b"] # folders it needs under the data root
    commit = "0a1b2c3"                            # at which the scores were measured
    tolerance = 0.002                             # how far a score may lie from the one recorded
    fills = ["KnownLie_Shaar2020/T5/IR:Body/PolitiFact/"]   # the published row it stands beside: paper/table/row, and a column prefix;
                                                  # or "paper/table/*" if the scores are called "row|column"
    adds = ["KnownLie_Shaar2020/T5/our encoder/PolitiFact/"]    # a row of ours that the published table does not have
    note = "over all 639 inputs"                  # a footnote: where the definition differs from the paper's
    scores = { MRR = 0.550, "MAP@5" = 0.519 }     # a measure, or a path into the JSON (`queries`, `a.b`)
    intervals = { MRR = [0.516, 0.583] }          # 95 % bootstrap intervals, shown beside the scores
    spread = { MRR = 0.031 }                      # standard deviation over splits, shown beside the scores
    limits = { seconds = 60 }                     # values that may not be exceeded
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, BadInput
from twicetold_lab.compare import table


@dataclass(frozen=True, slots=True)
class Result:
    """One recorded result. `shown` is its name in the README's table; without it the result is not shown there."""

    name: str
    command: str
    scores: Mapping[str, float]
    data: tuple[str, ...] = ()
    commit: str = ""
    tolerance: float = 0.0
    fills: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    note: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    machine: str = ""
    shown: str = ""


def read_results(folder: Path) -> dict[str, Result]:
    """Read every result under a folder, by name."""
    found: dict[str, Result] = {}
    for path in sorted(folder.glob("*.toml")):
        for result in read_file(path):
            if result.name in found:
                raise BadData(f"{path}: a result called {result.name!r} is recorded twice; give it another name")
            found[result.name] = result
    if not found:
        raise BadInput(f"{folder} records no results; run this in the project's folder, or name one with --results")
    return found


def read_file(path: Path) -> list[Result]:
    """Read one file of results."""
    try:
        records = tomllib.loads(path.read_text(encoding="utf-8")).get("result", [])
    except (OSError, ValueError, RecursionError) as error:
        raise BadData(f"{path} cannot be read: {error}") from None
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise BadData(f"{path}: wanted tables that begin with [[result]]")
    return [_result(record, path) for record in records]


def _result(record: Mapping[str, Any], path: Path) -> Result:
    known = {one.name for one in dataclasses.fields(Result)}
    unknown = record.keys() - known
    missing = {"name", "command", "scores"} - record.keys()
    if unknown or missing:
        trouble = f"unknown {sorted(unknown)}" if unknown else f"missing {sorted(missing)}"
        raise BadData(f"{path}, result {record.get('name', '?')!r}: {trouble}; the fields are {', '.join(sorted(known))}")
    unfit = [name for name in ("data", "fills", "adds") if not isinstance(record.get(name, []), list)]
    unfit += [name for name in ("scores", "limits", "spread", "intervals") if not isinstance(record.get(name, {}), dict)]
    if unfit:
        raise BadData(f"{path}, result {record['name']!r}: {', '.join(unfit)} is no list, or no table, as it should be")
    lists = {name: tuple(record.get(name, ())) for name in ("data", "fills", "adds")}
    return Result(**{**record, **lists})


def looked_up(printed: Mapping[str, Any], name: str) -> float | None:
    """Find a score in what a command printed: a measure's value, or a path such as `a.b` into the object; None if it is not there."""
    measures = printed.get("measures", {})
    if name in measures:
        measured = measures[name]
        return float(measured["value"] if isinstance(measured, Mapping) else measured)
    value: Any = printed
    for step in [name] if name in printed else name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


_MANY, _COMMON = 5, ("MRR", "MAP", "MAP@5", "HIT@5", "HasPositives@5")


def markdown(results: Iterable[Result]) -> str:
    """Lay out the results that have a name to be shown by as a Markdown table, for the README."""
    shown = [result for result in results if result.shown]
    rows = [[result.shown, _scores(result), f"`{result.name}`"] for result in shown]
    return table(["what", "scores", "reproduce with `twicetold reproduce`"], rows, "markdown")


def _scores(result: Result) -> str:
    """The first score with its interval, then the others; of many only those that every paper has."""
    told = {name: value for name, value in result.scores.items() if name in _COMMON} if len(result.scores) > _MANY else result.scores
    (chief, score), *others = (told or result.scores).items()
    low_high = "[{:.3f}, {:.3f}]".format(*result.intervals[chief]) if chief in result.intervals else ""
    return ", ".join([f"{chief} {score:.3f} {low_high}".rstrip(), *(f"{name} {value:.3f}" for name, value in others)])
