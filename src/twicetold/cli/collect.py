"""Verbs that fill a collection: ingest, index, remove."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from twicetold.cli.output import Console, print_json
from twicetold.collection import Collection, Settings, placed
from twicetold.errors import BadData, BadInput, OutOfReach
from twicetold.index.encoder import EncoderChoice
from twicetold.ingest.problems import Report, kept
from twicetold.ingest.sources import require
from twicetold.store import Written

LEAVE_OUT = "leave broken ones out with --skip-broken"
_SHOWN_PROBLEMS = 10


@click.command(epilog="Examples:\n\n  twicetold ingest claimreview-feed.json\n\n  twicetold ingest checks.csv pages/ --skip-broken")
@click.argument("sources", nargs=-1, required=True)
@click.option("--format", "format_", help="How to read the sources, when looking at them is not enough; see docs/ingest.md.")
@click.option("--skip-broken", is_flag=True, help="Leave out records that cannot be read; each is counted and reported with its place.")
@click.option("--no-index", is_flag=True, help="Only store; index later with `twicetold index`.")
@click.option("--encoder", default="", help="For a new collection: a folder with an ONNX encoder, or 'none' for words only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each batch on disk, and one at the end.")
@click.pass_obj
def ingest(
    console: Console, sources: tuple[str, ...], format_: str | None, skip_broken: bool, no_index: bool, encoder: str, as_json: bool
) -> None:
    """Read fact-checks from SOURCES into the collection.

    A source is a file, a folder or - for standard input: ClaimReview feeds and pages, Google Fact Check Tools answers, CSV, TSV or
    JSON Lines with named columns, saved fact-check pages, and the public research sets. Reading the same source twice changes nothing.
    """
    wanted = _encoder(encoder)
    for source in sources:
        require(source)
    with Collection.create(console.location, placed(Settings(encoder=wanted), console.index)) as collection:
        if encoder and collection.settings.encoder != wanted:
            raise BadInput(f"{console.data} has another encoder; change it with: twicetold index --rebuild --encoder {encoder}")
        total = Written()
        try:
            for source in sources:
                for written in _ingest_one(console, collection, source, format_, skip_broken):
                    total += written
                    if as_json:
                        print_json({"added": total.added, "changed": total.changed, "unchanged": total.same})
        except BadData as error:
            raise _with_what_is_kept(error, total, console.data) from None
        if not no_index:
            _index(console, collection)
        if as_json:
            print_json({"added": total.added, "changed": total.changed, "unchanged": total.same, "in_collection": len(collection.store)})
        else:
            click.echo(
                f"{total.added:,} added, {total.changed:,} changed, {total.same:,} unchanged; "
                f"the collection in {console.data} holds {len(collection.store):,} fact-checks."
            )


def _index(console: Console, collection: Collection) -> None:
    """Bring the indexes up to what was stored; say so if they are not those that the collection is searched by when none is named."""
    try:
        with console.progress() as progress:
            collection.index(progress)
    except OutOfReach as error:
        raise OutOfReach(f"{error}. What was read is stored, and can be indexed later: twicetold --data {console.data} index") from None
    here, own = (settings.index or "folder" for settings in (collection.settings, collection.remembered))
    if here != own:
        where = "in its folder" if own == "folder" else f"at {own}"
        console.remark(
            f"indexed at {here}, but without --index this collection is searched {where}. To stay with it: "
            f"twicetold --data {console.data} --index {shlex.quote(here)} index --rebuild"
        )


def _with_what_is_kept(error: BadData, total: Written, data: str) -> BadData:
    told = kept(total.added + total.changed + total.same)
    return BadData(f"{error}{told}; index what is kept with: twicetold --data {data} index") if told else error


def _encoder(named: str) -> EncoderChoice:
    """Return the encoder of an option. One that cannot be opened is refused before anything is written."""
    choice = EncoderChoice.parse(named)
    if choice.folder is None:
        return choice
    choice = EncoderChoice(choice.folder.absolute())
    choice.load()
    return choice


def _ingest_one(console: Console, collection: Collection, source: str, format_: str | None, skip_broken: bool) -> Iterator[Written]:
    from twicetold.ingest import Intake, read

    intake = Intake(read(source, format=format_), skip_broken=skip_broken, leave_out=LEAVE_OUT)
    try:
        with console.progress() as progress:
            stored = 0
            for written in collection.add(intake):
                stored += written.added + written.changed + written.same
                progress(f"reading {Path(source).name or source}", stored, 0)
                yield written
    finally:
        report = intake.report
        if report.unreadable_dates:
            console.remark(f"{source}: {_unreadable(report)}")
        if report.broken and skip_broken:
            for problem in report.problems[:_SHOWN_PROBLEMS]:
                console.remark(f"skipped: {problem}")
            console.remark(f"{source}: {report.broken:,} records left out, {report.read:,} read.")


def _unreadable(report: Report) -> str:
    wanted = f"{report.unreadable_date:.60} (wanted a year, a month and a day)"
    if report.unreadable_dates == 1:
        return f"1 date could not be read and was left empty: {wanted}; the original is kept."
    return f"{report.unreadable_dates:,} dates could not be read and were left empty, the first {wanted}; the originals are kept."


@click.command(epilog="Examples:\n\n  twicetold index\n\n  twicetold index --rebuild --encoder none")
@click.option("--rebuild", is_flag=True, help="Throw the indexes away and make them anew from the store.")
@click.option("--encoder", default=None, help="With --rebuild: another encoder's folder, 'shipped', or 'none' for words only.")
@click.pass_obj
def index(console: Console, rebuild: bool, encoder: str | None) -> None:
    """Bring the indexes up to the store. `ingest` does this by itself unless told not to."""
    if encoder is not None and not rebuild:
        raise BadInput("--encoder changes every vector, so it goes with --rebuild: twicetold index --rebuild --encoder PATH")
    Collection.open(console.location).close()
    with Collection.create(console.location) as collection, console.progress() as progress:
        if rebuild:
            kept = collection.settings
            collection.rebuild(progress, kept if encoder is None else replace(kept, encoder=_encoder(encoder)))
        else:
            collection.index(progress)
        click.echo(f"{len(collection.store):,} fact-checks are indexed.")


@click.command(epilog="Examples:\n\n  twicetold remove vclaim-pol-00017\n\n  cut -f1 outdated.tsv | twicetold remove -")
@click.argument("ids", nargs=-1, required=True)
@click.pass_obj
def remove(console: Console, ids: tuple[str, ...]) -> None:
    """Delete fact-checks by id; - reads ids from standard input, one a line."""
    wanted = [line.strip() for id in ids for line in (sys.stdin if id == "-" else [id]) if line.strip()]
    Collection.open(console.location).close()
    with Collection.create(console.location) as collection:
        removed = collection.remove(wanted)
        collection.index()
    click.echo(f"{removed:,} of {len(set(wanted)):,} removed.")
    if removed == 0:
        click.get_current_context().exit(1)
