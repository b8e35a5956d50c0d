"""What every verb shares: where the collection is, progress on standard error, and rankings as words or JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console as RichConsole
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from twicetold.answer.headline import agreeing, shown_and_folded
from twicetold.answer.headline import headline as in_a_line
from twicetold.answer.phrases import NEAREST, differing, sure, why
from twicetold.answer.ratings import publisher_of, rating_of
from twicetold.cli.terminal import shown_safely, spelt_out
from twicetold.collection import Collection, Location
from twicetold.errors import MissingExtra, OutOfReach
from twicetold.marking import clipped, shown
from twicetold.progress import Progress as Report
from twicetold.progress import silent
from twicetold.types import SCHEMA, FactCheck, Lane, Match, Post, Ranking, to_json

_PATIENCE = 1.0
"""Seconds before a progress bar is shown at all."""
_LINE_EVERY = 5.0
"""Seconds between two lines of progress where there is no terminal."""
_STYLED = (("\x1b[1m", "\x1b[22m"), ("\x1b[4m", "\x1b[24m"))
"""Around quoted words, and around typical ones: bold and underlined."""
_PLAIN = (("*", "*"), ("_", "_"))
_COLOURS = {"false": "red", "misleading": "yellow", "mixed": "yellow", "true": "green", "unproven": "magenta", "other": "white"}


@dataclass(frozen=True, slots=True)
class Console:
    """The terminal as a verb sees it: answers on stdout, remarks and progress on stderr."""

    data: str
    index: str = ""
    is_quiet: bool = False

    @property
    def location(self) -> Location:
        """Where the collection is."""
        return Location(Path(self.data), self.index)

    def open(self, *, to_match: bool = False) -> Collection:
        """Open the collection for reading, and say so if its indexes lag behind or if there is nothing `to_match` with."""
        collection = Collection.open(self.location)
        waiting = collection.refresh()
        if waiting:
            self._say_that_some_wait(collection, waiting)
        elif to_match and not len(collection.store):
            self.warn(
                f"the collection in {self.data} is empty, nothing can be found; fill it with: twicetold --data {self.data} ingest SOURCE"
            )
        return collection

    def look(self) -> tuple[Collection, int | None]:
        """Open the collection for what its store can tell, with how many records wait to be indexed.

        None if the index is on a server that cannot be asked here: that is said, and the store answers without it.
        """
        collection = Collection.open(self.location)
        try:
            waiting = collection.refresh()
        except (OutOfReach, MissingExtra) as error:
            self.warn(str(error))
            return collection, None
        if waiting:
            self._say_that_some_wait(collection, waiting)
        return collection, waiting

    def warn(self, text: str) -> None:
        """Say something beside the answers without which they mislead; also to those who want no remarks."""
        click.echo(shown_safely(text), err=True)

    def remark(self, text: str) -> None:
        """Say something beside the answers."""
        if not self.is_quiet:
            click.echo(shown_safely(text), err=True)

    def _say_that_some_wait(self, collection: Collection, waiting: int) -> None:
        """Words are indexed first: some records, or all that wait, may be found by these already."""
        nowhere = min(collection.store.pending(collection.text.reached), waiting)
        by_words = waiting - nowhere
        said = [f"{nowhere:,} records are not indexed yet and cannot be found"] if nowhere else []
        said += [f"{by_words:,} records are found by their words alone until their meanings are indexed too"] if by_words else []
        self.warn(f"{', '.join(said)}; unless another process is indexing, run: twicetold --data {self.data} index")

    @contextmanager
    def progress(self) -> Iterator[Report]:
        """Progress on stderr of whatever turns out to take long: a bar on a terminal, a line now and then elsewhere."""
        if self.is_quiet:
            yield silent
            return
        if not sys.stderr.isatty():
            yield _line_by_line()
            return
        started = time.monotonic()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=RichConsole(stderr=True), transient=True) as bars:
            tasks = {}

            def report(what: str, done: int, total: int) -> None:
                if time.monotonic() - started < _PATIENCE:
                    return
                if what not in tasks:
                    tasks[what] = bars.add_task(what, total=total or None)
                bars.update(tasks[what], completed=done, total=total or None)

            yield report


def _line_by_line() -> Report:
    """Progress as lines, for a log: none in the first seconds, then one every so often."""
    said_at = time.monotonic()

    def report(what: str, done: int, total: int) -> None:
        nonlocal said_at
        if time.monotonic() - said_at >= _LINE_EVERY:
            said_at = time.monotonic()
            click.echo(f"{what}: {done:,}{f' of {total:,}' if total else ''}", err=True)

    return report


def print_json(value: object) -> None:
    """Print one JSON object on one line, at once."""
    record = to_json(value)
    if isinstance(value, Ranking):
        record = {"schema": SCHEMA, **record}
    # Some signs end a line for many readers though not for JSON, or steer a terminal; escaped, an object is one plain line for all.
    click.echo(spelt_out(json.dumps(record, ensure_ascii=False)))
    sys.stdout.flush()


def print_ranking(ranking: Ranking, *, top: int, held: int = 0, is_filtered: bool = False, is_all: bool = False) -> None:
    """Print a claim, the answer in a line, and the matches that are about it, or all; `held` is how many were looked through."""
    click.secho(clip(ranking.query.text, 200), bold=True)
    said = NEAREST if ranking.decision is None and ranking.matches else in_a_line(ranking, held=held, is_filtered=is_filtered)
    click.echo(f"  {click.style(said, bold=True)}{_how_sure(ranking)}.")
    likely, others = shown_and_folded(ranking)
    for rank, match in enumerate((ranking.matches if is_all else likely)[:top], start=1):
        _print_match(rank, match)
    left = min(len(others), max(0, top - len(likely)))
    if left and not is_all and not ranking.is_empty:
        click.secho(f"  {left} less likely, probably unrelated: not shown (--all shows them).", dim=True)
    click.echo()


def _how_sure(ranking: Ranking) -> str:
    decision = ranking.decision
    if decision is None or ranking.is_empty or decision.lane not in (Lane.MATCHED, Lane.REVIEW) or ranking.matches[0].part:
        return ""
    return f" ({sure(decision)})" if decision.probability else ""


def _print_match(rank: int, match: Match) -> None:
    check = match.doc
    if isinstance(check, Post):
        click.echo(f"  {rank}. {clip(check.text, 300)}")
        return
    rating = click.style(rating_of(check) or "no rating given", fg=_COLOURS[check.verdict.value], bold=True)
    where = " · ".join(part for part in (publisher_of(check), check.published, f"id {check.id}") if part)
    click.echo(f"  {rank}. {rating}  {where}")
    click.echo(f"     {clip(headline(check), 200)}")
    if match.part:
        click.echo(f"     answers the part: {clip(match.part, 200)}")
    for difference in differing(match):
        click.echo(f"     differs: {difference}")
    for key in match.keys:
        click.echo(f"     “{shown(clipped(key, 320), *(_STYLED if sys.stdout.isatty() else _PLAIN))}”")
    if match.twins:
        click.echo(f"     also checked: {', '.join(twin.url or twin.id for twin in match.twins)}")
    click.echo(f"     why: {' '.join([*filter(None, [agreeing(match)]), *why(match)])}")
    if check.url:
        click.echo(f"     {check.url}")


def headline(check: FactCheck) -> str:
    """Return the claim that was checked, or the title where the source gives no claim."""
    return check.claim or check.title


def clip(text: str, chars: int) -> str:
    """Return a text on one line, cut at so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= chars else text[: chars - 1] + "…"
