"""Answers for other programs: a table, CSV, and one line for each claim. JSON Lines are in `output`."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click
from rich.console import Console as RichConsole
from rich.table import Table

from twicetold.answer.headline import headline, shown_and_folded
from twicetold.answer.ratings import publisher_of, rating_of
from twicetold.cli.output import clip, print_json
from twicetold.types import FactCheck, Ranking

COLUMNS = (
    "claim_id", "claim", "lane", "probability", "rank", "rating", "verdict", "publisher", "published", "checked_claim", "relation", "url",
    "check_id",
)  # fmt: skip
_WIDTH = 160


def rows(ranking: Ranking, *, top: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each match worth showing; a claim without one has a row that says so."""
    decision = ranking.decision
    about: dict[str, Any] = {
        "claim_id": ranking.query.id,
        "claim": ranking.query.text,
        "lane": decision.lane.value if decision else ("ranked" if ranking.matches else "no match"),
        "probability": f"{decision.probability:.3f}" if decision else "",
    }
    found = False
    for rank, match in enumerate(shown_and_folded(ranking)[0][:top], start=1):
        check = match.doc
        if isinstance(check, FactCheck):
            found = True
            told = {"rating": rating_of(check), "verdict": check.verdict.value, "publisher": publisher_of(check)}
            told |= {"published": check.published, "checked_claim": check.claim or check.title, "url": check.url, "check_id": check.id}
            yield about | told | {"rank": rank, "relation": match.relation.value if match.relation else ""}
    if not found:
        yield about


def print_all(rankings: Iterable[Ranking], format: str, *, top: int, held: int) -> bool:
    """Print every answer as it comes, a table at the end; return whether any was found."""
    return _PRINTERS[format](rankings, top, held)


def _as_csv(rankings: Iterable[Ranking], top: int, held: int) -> bool:
    writer = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    is_any = False
    for ranking in rankings:
        is_any |= not ranking.is_empty
        writer.writerows(rows(ranking, top=top))
        sys.stdout.flush()
    return is_any


def _as_json_lines(rankings: Iterable[Ranking], top: int, held: int) -> bool:
    is_any = False
    for ranking in rankings:
        is_any |= not ranking.is_empty
        print_json(ranking)
    return is_any


def _as_lines(rankings: Iterable[Ranking], top: int, held: int) -> bool:
    is_any = False
    for ranking in rankings:
        is_any |= not ranking.is_empty
        [first, *_] = rows(ranking, top=1)
        parts = [clip(ranking.query.text, 80), headline(ranking, held=held), first.get("url", "")]
        click.echo("\t".join(part for part in parts if part))
    return is_any


def _as_table(rankings: Iterable[Ranking], top: int, held: int) -> bool:
    table = Table("claim", "answer", "rating", "publisher", "published", "checked claim", "url", show_lines=False, header_style="bold")
    is_any = False
    for ranking in rankings:
        is_any |= not ranking.is_empty
        for row in rows(ranking, top=top):
            cells = (clip(row["claim"], 60), row["lane"], *(row.get(name, "") for name in ("rating", "publisher", "published")))
            table.add_row(*cells, clip(row.get("checked_claim", ""), 80), row.get("url", ""))
    RichConsole(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH, markup=False, highlight=False).print(table)
    return is_any


_PRINTERS: dict[str, Callable[[Iterable[Ranking], int, int], bool]] = {
    "jsonl": _as_json_lines,
    "csv": _as_csv,
    "line": _as_lines,
    "table": _as_table,
}
