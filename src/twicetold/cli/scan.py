"""The verb for speeches: scan."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from twicetold.answer import DEBATE, RECIPES, Asking
from twicetold.cli.filters import filter_options
from twicetold.cli.output import Console, clip, print_json, print_ranking
from twicetold.cli.speech import Speech
from twicetold.errors import BadInput
from twicetold.filters import Filters
from twicetold.ingest.transcripts import FORMATS, Format
from twicetold.scan.days import days_in, eve_of, is_day
from twicetold.scan.report import clock, html
from twicetold.scan.scanner import ScannedLine, Scanner, Settings, continuations, queue
from twicetold.scan.speeches import scanner
from twicetold.scan.tally import Tally, counted
from twicetold.scan.tracks import check_timed, srt, vtt
from twicetold.types import SCHEMA, Line, to_json

_QUEUED, _CLIP = 20, 200


@click.command(
    epilog="Examples:\n\n  twicetold scan debate.tsv\n\n  live-captions | twicetold scan - --json | jq .text\n\n"
    "  twicetold scan debate.vtt --format vtt > annotated.vtt"
)
@click.argument("file", default="-")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json", "vtt", "srt", "html"]),
    help="What comes out; text unless said.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json: JSON Lines as lines are heard.")
@click.option("--from", "source_format", type=click.Choice(list(FORMATS)), help="What goes in, where it cannot be told by itself.")
@click.option("--said-on", default="", help="The day of the speech (2016-10-19); otherwise one found in the file's name.")
@click.option("--only-earlier", is_flag=True, help="Only fact-checks published before that day may answer.")
@click.option("--top", default=3, show_default=True, type=click.IntRange(1, 100), help="How many fact-checks to show for a line.")
@click.option("--recipe", default=DEBATE.name, show_default=True, type=click.Choice(list(RECIPES)), help="How to search.")
@click.option(
    "--least-worth", default=0.25, show_default=True, type=click.FloatRange(0, 1), help="Look up lines from this worth on; 0 is every line."
)
@click.option("--all", "is_all", is_flag=True, help="With --json: every line, also those not looked up.")
@filter_options
@click.pass_obj
def scan(console: Console, /, file: str, filters: Filters, **given: Any) -> None:
    """Find the checked claims in a speech or debate: FILE, or - for lines as they come on standard input.

    Reads tables (line, speaker, sentence), "SPEAKER: text", captions (SRT, VTT), JSON and plain text. Lines are counted as they are
    heard, from 1: the rows of a table or of JSON, elsewhere the sentences of the speech, whatever row of the file they stand in.

    Each line gets a worth from 0 to 1: how plainly it states something that can be checked, not how doubtful that is. Lines from
    --least-worth on are looked up in their context. Those that nobody has checked are listed at the end, most worthy first.

    Ctrl-C ends a stream as its end does: what was heard is answered, the summary follows, and the exit code is 130.

    Exit code 1 if no fact-check was found for any line, or none that may answer it; else 0, also where something is only worth a look.
    """
    options = _Options(**given)
    speech = Speech(console, file, options.source_format)
    choice = _Choice(console, speech.name, options)
    with console.open(to_match=True) as collection:
        allowed = choice.only(filters)
        listener = scanner(collection, RECIPES[options.recipe], Asking(top=options.top, filters=allowed), settings=choice.settings())
        # A file is there as a whole, so many of its lines can be looked up at once; a stream is answered line by line.
        lines = speech.lines() if speech.is_live else list(speech.lines())
        is_any = choice.write(lines, listener, is_filtered=allowed != Filters())
    if speech.is_stopped:
        console.remark("twicetold: stopped; all that was heard before is answered")
        click.get_current_context().exit(130)
    if not is_any:
        click.get_current_context().exit(1)


@dataclasses.dataclass(frozen=True, slots=True)
class _Options:
    """The options of `scan` as they were typed."""

    shape: str | None
    as_json: bool
    source_format: Format | None
    said_on: str
    only_earlier: bool
    top: int
    recipe: str
    least_worth: float
    is_all: bool


class _Choice:
    """The options of `scan`, checked, and the ways to print what is heard."""

    def __init__(self, console: Console, name: str, options: _Options) -> None:
        if options.as_json and options.shape not in (None, "json"):
            raise BadInput(f"--json and --format {options.shape} want two things at once; leave one of them out")
        self.shape = "json" if options.as_json else options.shape or "text"
        if options.is_all and self.shape != "json":
            raise BadInput("--all goes with --json: the other formats do not list lines by whether they were looked up")
        if options.said_on and not is_day(options.said_on):
            raise BadInput(f"--said-on wants a day such as 2016-10-19, not {options.said_on!r}")
        self._options, self._console, self._name = options, console, name
        self._said_on = options.said_on or _day_in(console, name)

    def settings(self) -> Settings:
        """What the scanner is told."""
        return Settings(id=self._name, said_on=self._said_on, least_worth=self._options.least_worth)

    def only(self, filters: Filters) -> Filters:
        """The filters, with the day of the speech as the last on which a fact-check may have been published."""
        if not self._options.only_earlier:
            return filters
        if not self._said_on:
            raise BadInput("--only-earlier needs the day of the speech: add --said-on 2016-10-19")
        # Before the first day there is, nothing was published: a day that no fact-check reaches.
        return dataclasses.replace(filters, before=min(filters.before or "9", eve_of(self._said_on) or "0000"))

    def write(self, lines: Iterable[Line], listener: Scanner, *, is_filtered: bool) -> bool:
        """Print what is heard; True if there are fact-checks to show for any of it."""
        is_track = self.shape in ("vtt", "srt")
        if is_track and isinstance(lines, list):
            check_timed(lines)
        noted = _Noted(listener.scan(lines))
        if self.shape == "html":
            click.echo(html(self._name, list(noted), top=self._options.top, is_filtered=is_filtered), nl=False)
        elif is_track:
            # What is there as a whole is put in order of time first.
            self._write_track(list(noted) if isinstance(lines, list) else noted)
        elif self.shape == "json":
            _write_json(noted, is_all=self._options.is_all)
        else:
            _write_text(noted, top=self._options.top, least_worth=self._options.least_worth, is_filtered=is_filtered)
        return noted.is_any_found

    def _write_track(self, heard: Iterable[ScannedLine]) -> None:
        def leave_out(one: ScannedLine) -> None:
            self._console.warn(f"line {one.number} has no times and is left out of the track: {clip(one.line.text, 60)}")

        for block in vtt(heard, leave_out=leave_out) if self.shape == "vtt" else srt(heard, leave_out=leave_out):
            click.echo(block, nl=False)
            sys.stdout.flush()


class _Noted:
    """Lines on their way to be printed, and whether there are fact-checks to show for any of them."""

    def __init__(self, heard: Iterator[ScannedLine]) -> None:
        self._heard = heard
        self.is_any_found = False

    def __iter__(self) -> Iterator[ScannedLine]:
        for one in self._heard:
            self.is_any_found = self.is_any_found or one.has_matches
            yield one


def _day_in(console: Console, name: str) -> str:
    """The first day of the calendar in a file's name, "" without one; one that the calendar does not have is named and passed over."""
    found = days_in(name)
    day = next(filter(is_day, found), "")
    if found and not day:
        console.warn(f"{found[0]} in the file's name is no day of the calendar and is ignored; --said-on gives the day of the speech")
    return day


def _write_json(heard: Iterable[ScannedLine], *, is_all: bool) -> None:
    for one in heard:
        if is_all or one.ranking is not None:
            # `text` at the top makes the output of this verb an input of `match`.
            print_json({"schema": SCHEMA, "text": one.line.text, **to_json(one)})


def _write_text(heard: Iterable[ScannedLine], *, top: int, least_worth: float, is_filtered: bool) -> None:
    every: list[ScannedLine] = []
    shown: set[int] = set()
    for one in heard:
        every.append(one)
        if one.part_of in shown or (one.has_matches and not one.part_of):
            _print_heard(one, top)
            sys.stdout.flush()
            shown.add(one.part_of or one.number)
    left, tally, more = queue(every), Tally.of(every), continuations(every)
    click.secho(
        f"{counted(tally.lines, 'line')} heard, {tally.looked_up:,} worth looking up (from worth {least_worth:g} on, --least-worth).",
        bold=True,
    )
    if tally.left_out:
        left_out = f"{counted(tally.left_out, 'line')} {'was' if tally.left_out == 1 else 'were'} not looked up"
        click.echo(f"{left_out}: --least-worth 0 looks up every line, --json --all shows which they are.")
    click.secho(f"{tally.claims(is_filtered=is_filtered)}{', most worthy first:' if left else '.'}", bold=True)
    for one in left[:_QUEUED]:
        said = clip(" … ".join(other.line.text for other in [one, *more.get(one.number, [])]), _CLIP)
        click.echo(f"  worth {one.worth:.2f}  {_where(one)}: {said}")
    if len(left) > _QUEUED:
        click.echo(f"  … and {len(left) - _QUEUED} more; --json gives all, in the order heard and each with its worth")


def _where(one: ScannedLine) -> str:
    """Where a line stands: its number, its time where it has one, who speaks."""
    parts = [f"line {one.number}", clock(one.line.start) if one.line.start is not None else "", one.line.speaker]
    return ", ".join(part for part in parts if part)


def _print_heard(one: ScannedLine, top: int) -> None:
    where = _where(one)
    if one.part_of:
        click.echo(f"{where} goes on with line {one.part_of}: {clip(one.line.text, _CLIP)}\n")
        return
    assert one.ranking is not None
    click.secho(where, dim=True)
    if one.resolution.replaced:
        click.secho(f"  {one.resolution}", dim=True)
    print_ranking(one.ranking, top=top)
