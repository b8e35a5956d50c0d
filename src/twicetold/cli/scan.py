"""The verb for speeches: scan."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from twicetold.cli.filters import filter_options
from twicetold.cli.output import Console, print_json, print_ranking
from twicetold.errors import BadInput
from twicetold.filters import Filters
from twicetold.ingest.transcripts import FORMATS, Format, format_of, read_lines
from twicetold.recipes import RECIPES
from twicetold.scan.report import clock, html
from twicetold.scan.scanner import Heard, Settings, queue
from twicetold.scan.speeches import DEFAULT, scanner
from twicetold.scan.tracks import srt, vtt
from twicetold.types import SCHEMA, Line, to_json

_DAY = re.compile(r"(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)")
_QUEUED = 20


@click.command(
    epilog="Examples:\n\n  twicetold scan debate.tsv\n\n  live-captions | twicetold scan - --json | jq .text\n\n"
    "  twicetold scan debate.vtt --format vtt > annotated.vtt"
)
@click.argument("file", default="-")
@click.option(
    "--format",
    "shape",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json", "vtt", "srt", "html"]),
    help="What comes out.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json: JSON Lines as lines are heard.")
@click.option("--from", "source_format", type=click.Choice(list(FORMATS)), help="What goes in, where it cannot be told by itself.")
@click.option("--said-on", default="", help="The day of the speech (2016-10-19); otherwise one found in the file's name.")
@click.option("--only-earlier", is_flag=True, help="Only fact-checks published before that day may answer.")
@click.option("--top", default=3, show_default=True, type=click.IntRange(1, 100), help="How many fact-checks to show for a line.")
@click.option("--recipe", default=DEFAULT, show_default=True, type=click.Choice(list(RECIPES)), help="How to search.")
@click.option(
    "--least-worth", default=0.25, show_default=True, type=click.FloatRange(0, 1), help="Look up lines from this worth on; 0 is every line."
)
@click.option("--all", "is_all", is_flag=True, help="With --json: every line, also those not looked up.")
@filter_options
@click.pass_obj
def scan(console: Console, /, file: str, filters: Filters, **options: object) -> None:
    """Find the checked claims in a speech or debate: FILE, or - for lines as they come on standard input.

    Reads tables (line, speaker, sentence), "SPEAKER: text", captions (SRT, VTT), JSON and plain text. Lines are counted as they are
    heard, from 1: the rows of a table or of JSON, elsewhere the sentences of the speech, whatever row of the file they stand in.

    Each line gets a worth from 0 to 1: how plainly it states something that can be checked, not how doubtful that is. Lines from
    --least-worth on are looked up in their context. Those that nobody has checked are listed at the end, most worthy first.

    Exit code 0 if any line was checked before, 1 if none was.
    """
    choice = _Choice(file, options)
    with console.open(to_match=True) as collection:
        listener = scanner(collection, recipe=choice.recipe, top=choice.top, filters=choice.only(filters), settings=choice.settings())
        lines = _lines(console, file, choice.source_format)
        # A file is there as a whole, so many of its lines can be looked up at once; a stream is answered line by line.
        is_any = choice.write(listener.scan(lines if file == "-" else list(lines)))
    if not is_any:
        click.get_current_context().exit(1)


class _Choice:
    """The options of `scan`, checked."""

    def __init__(self, file: str, options: dict[str, object]) -> None:
        self.shape = "json" if options["as_json"] else str(options["shape"])
        self.source_format: Format | None = options["source_format"]  # type: ignore[assignment]
        self.recipe, self.top = str(options["recipe"]), int(str(options["top"]))
        self._least_worth = float(str(options["least_worth"]))
        self._is_all, self._is_earlier = bool(options["is_all"]), bool(options["only_earlier"])
        self._name = "speech" if file == "-" else Path(file).stem
        self._said_on = str(options["said_on"]) or _day_in(self._name)
        if self._said_on and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", self._said_on):
            raise BadInput(f"--said-on wants a day such as 2016-10-19, not {self._said_on!r}")

    def settings(self) -> Settings:
        """What the scanner is told."""
        return Settings(id=self._name, said_on=self._said_on, least_worth=self._least_worth)

    def only(self, filters: Filters) -> Filters:
        """The filters, with the day of the speech as the last on which a fact-check may have been published."""
        if not self._is_earlier:
            return filters
        if not self._said_on:
            raise BadInput("--only-earlier needs the day of the speech: add --said-on 2016-10-19")
        import dataclasses
        import datetime

        eve = datetime.date.fromisoformat(self._said_on) - datetime.timedelta(days=1)
        return dataclasses.replace(filters, before=min(filters.before or "9", eve.isoformat()))

    def write(self, heard: Iterator[Heard]) -> bool:
        """Print what is heard; True if anything was found."""
        if self.shape == "html":
            every = list(heard)
            click.echo(html(self._name, every, top=self.top), nl=False)
            return any(one.is_found for one in every)
        if self.shape in ("vtt", "srt"):
            return _write_track(vtt if self.shape == "vtt" else srt, heard)
        if self.shape == "json":
            return _write_json(heard, is_all=self._is_all)
        return _write_text(heard, top=self.top, least_worth=self._least_worth)


def _day_in(name: str) -> str:
    found = _DAY.search(name)
    return "-".join(found.groups()) if found and found[2] <= "12" and found[3] <= "31" else ""


def _lines(console: Console, file: str, source_format: Format | None) -> Iterator[Line]:
    """The lines of the speech; what cannot be read is named on standard error and passed over."""
    if file == "-" and sys.stdin.isatty():
        raise BadInput("no speech given; name a file: twicetold scan debate.tsv, or pipe lines in: … | twicetold scan -")
    path = Path(file)
    if file != "-" and not path.is_file():
        raise BadInput(f"there is no file {file}; name a transcript, or - for standard input")
    is_any = False
    with sys.stdin.buffer if file == "-" else path.open("rb") as stream:
        for read in read_lines(stream, name=path.name if file != "-" else "standard input", format=source_format or format_of(path)):
            if isinstance(read, Line):
                is_any = True
                yield read
            else:
                console.warn(str(read))
    if not is_any:
        raise BadInput(f"{file} holds no line of speech; wanted a transcript: {', '.join(FORMATS)}")


def _write_track(track: Callable[[Iterable[Heard]], Iterator[str]], heard: Iterator[Heard]) -> bool:
    found = False

    def noted() -> Iterator[Heard]:
        nonlocal found
        for one in heard:
            found = found or one.is_found
            yield one

    for block in track(noted()):
        click.echo(block, nl=False)
        sys.stdout.flush()
    return found


def _write_json(heard: Iterator[Heard], *, is_all: bool) -> bool:
    found = False
    for one in heard:
        found = found or one.is_found
        if is_all or one.ranking is not None:
            # `text` at the top makes the output of this verb an input of `match`.
            print_json({"schema": SCHEMA, "text": one.line.text, **to_json(one)})
    return found


def _write_text(heard: Iterator[Heard], *, top: int, least_worth: float) -> bool:
    every: list[Heard] = []
    for one in heard:
        every.append(one)
        if one.is_found:
            _print_heard(one, top)
            sys.stdout.flush()
    left = queue(every)
    asked = sum(one.ranking is not None for one in every)
    found = sum(one.is_found and not one.part_of for one in every)
    click.secho(f"{len(every)} lines heard, {asked} worth looking up (from worth {least_worth:g} on, --least-worth).", bold=True)
    click.secho(f"{found} claims were checked before; {len(left)} nobody has checked{', most worthy first:' if left else '.'}", bold=True)
    for one in left[:_QUEUED]:
        click.echo(f"  worth {one.worth:.2f}  {_where(one)}: {one.line.text}")
    if len(left) > _QUEUED:
        click.echo(f"  … and {len(left) - _QUEUED} more; --json gives all of them")
    return found > 0


def _where(one: Heard) -> str:
    """Where a line stands: its number, its time where it has one, who speaks."""
    parts = [f"line {one.number}", clock(one.line.start) if one.line.start is not None else "", one.line.speaker]
    return ", ".join(part for part in parts if part)


def _print_heard(one: Heard, top: int) -> None:
    assert one.ranking is not None
    where = _where(one)
    if one.part_of:
        click.echo(f"{where} goes on with line {one.part_of}: {one.line.text}\n")
        return
    click.secho(where, dim=True)
    if one.resolution.replaced:
        click.secho(f"  {one.resolution}", dim=True)
    print_ranking(one.ranking, top=top)
