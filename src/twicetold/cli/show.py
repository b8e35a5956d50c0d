"""Verbs that look at a collection: show, stats, export."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from twicetold.answer.group import twins_of
from twicetold.cli.filters import filter_options
from twicetold.cli.output import Console, print_json
from twicetold.collection import Collection
from twicetold.errors import BadInput
from twicetold.filters import Filters
from twicetold.text import tidy
from twicetold.types import FactCheck, to_json


@click.command(epilog="Examples:\n\n  twicetold show demo-health-garlic-covid\n\n  twicetold show vclaim-pol-00017 --json")
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def show(console: Console, id: str, as_json: bool) -> None:
    """Show one fact-check in full, and the others that check the same claim in the same words."""
    collection, _ = console.look()
    with collection:
        check = collection.store.get(id)
        twins = twins_of(collection, id)
    if check is None:
        raise BadInput(f"no fact-check has the id {id!r}; ids stand beside each answer of `match`")
    if as_json:
        print_json({**to_json(check), "twins": twins})
    else:
        _print_check(check, twins)


def _print_check(check: FactCheck, twins: Sequence[FactCheck]) -> None:
    click.secho(check.title or check.claim, bold=True)
    for name, text in (
        ("Claim", check.claim),
        ("Said by", " ".join(part for part in (check.claimant, check.claimed_on) if part)),
        ("Rating", f"{check.rating or 'none given'} (read as: {check.verdict.value})"),
        ("Publisher", check.publisher),
        ("Published", check.published),
        ("Link", check.url),
        ("Seen at", ", ".join(check.appearances)),
        ("Language", check.lang),
        *((f"Source's {name}", text) for name, text in check.other.items()),
    ):
        if text:
            click.echo(f"{name + ':':<11} {tidy(text)}")
    for twin in twins:
        where = " · ".join(part for part in (twin.publisher, twin.published, f"id {twin.id}", twin.url) if part)
        click.echo(f"{'Same case:':<11} {tidy(twin.rating) or 'no rating given'}  {where}")
    if check.body:
        click.echo(f"\n{check.body.strip()}")


@click.command(epilog="Examples:\n\n  twicetold stats\n\n  twicetold stats --json")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def stats(console: Console, as_json: bool) -> None:
    """Say what the collection holds: how many, by publisher, language, verdict and year."""
    collection, waiting = console.look()
    with collection:
        store = collection.store
        facets = {name: store.counts(name) for name in ("publisher", "lang", "verdict", "year")}
        summary = {
            "fact_checks": len(store),
            "waiting": waiting,
            "judgements": len(store.judgements()),
            "encoder": collection.encoder.name if collection.encoder else "none",
        }
    if as_json:
        print_json(summary | {name: dict(counts) for name, counts in facets.items()})
        return
    to_come = "" if waiting is None else f"{waiting:,} waiting to be indexed, "
    click.echo(f"{summary['fact_checks']:,} fact-checks, {to_come}{summary['judgements']:,} judgements.")
    for name, counts in facets.items():
        shown = ", ".join(f"{value or 'unknown'} {count:,}" for value, count in counts[:10])
        more = f" and {len(counts) - 10} more" if len(counts) > 10 else ""
        click.echo(f"By {name}: {shown}{more}")


@click.command(
    epilog="Examples:\n\n  twicetold export --format claimreview > feed.json\n\n  twicetold export --format csv --lang es > es.csv"
)
@click.option("--format", "format_", default="jsonl", show_default=True, type=click.Choice(["claimreview", "jsonl", "csv"]))
@filter_options
@click.pass_obj
def export(console: Console, format_: str, filters: Filters) -> None:
    """Write the collection to standard output; `ingest` reads each of these forms back."""
    from twicetold.export import WRITERS

    with Collection.open(console.location) as collection:  # the store has all there is, indexed or not
        store = collection.store
        wanted = None if filters == Filters() else store.allowed(filters)
        WRITERS[format_](iter(store) if wanted is None else store.fetch(wanted).values(), sys.stdout)
