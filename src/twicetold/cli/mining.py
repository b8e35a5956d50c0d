"""The group mine: collect posts for people to label, and suggest questions worth asking."""

from __future__ import annotations

import json
from pathlib import Path

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput
from twicetold.types import to_json

_MOST_CLAIMS = 300
"""Fact-checks on a topic that suggestions are made of."""


@click.group(epilog="Examples:\n\n  twicetold mine suggest COVID-19\n\n  twicetold mine annotate --help")
def mine() -> None:
    """Collect contested questions: suggest them from fact-checks, and put posts on a sheet for people to label."""


@mine.command(
    epilog="Examples:\n\n  twicetold mine annotate 'Can TOPIC_ENTITY spread COVID-19?' --alias shoes --alias footwear --out sheet.csv\n\n"
    "  twicetold mine annotate --labels sheet.csv --out questions.jsonl"
)
@click.argument("template", required=False)
@click.option("--alias", "aliases", multiple=True, help="The topic's name, then its other names; may be repeated.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, writable=True), help="The sheet (.csv or .jsonl), or the questions.")
@click.option("--labels", type=click.Path(), help="A labelled sheet to turn into questions in TweetMythQA's layout, added to --out.")
@click.option("--clusters", default=5, show_default=True, type=click.IntRange(1, 50), help="How many ways of speaking to tell apart.")
@click.option("--each", default=20, show_default=True, type=click.IntRange(1, 1000), help="Posts of each cluster on the sheet.")
@click.pass_obj
def annotate(
    console: Console, template: str | None, aliases: tuple[str, ...], out: str, labels: str | None, clusters: int, each: int
) -> None:
    """Put the posts about TEMPLATE on a sheet, to be labelled supporting, refuting or neutral.

    TEMPLATE is a question with TOPIC_ENTITY in the topic's place. The 1,000 posts nearest to it are cut into clusters, and the first
    of each are written to the sheet. With --labels, a labelled sheet becomes questions with their evidence.
    """
    from twicetold.mine.annotate import read_sheet, save_sheet, sheet, to_mythqa
    from twicetold.posts import Posts

    if labels is not None:
        records = to_mythqa(read_sheet(Path(labels)))
        with Path(out).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        click.echo(f"{len(records):,} questions added to {out}.")
        return
    if template is None:
        raise BadInput("give a template such as 'Can TOPIC_ENTITY spread COVID-19?', or a labelled sheet with --labels")
    with Posts.open(console.data) as posts:
        posts.refresh()
        rows = sheet(posts, template, aliases, clusters=clusters, each=each)
    save_sheet(rows, Path(out))
    click.echo(f"{len(rows):,} posts in {len({row.cluster for row in rows})} clusters are in {out}; fill its label column.")


@mine.command(epilog="Examples:\n\n  twicetold mine suggest COVID-19\n\n  twicetold mine suggest vaccines --json")
@click.argument("topic")
@click.option("--least", default=2, show_default=True, type=click.IntRange(1, 100), help="Answers a question must have.")
@click.option("--json", "as_json", is_flag=True, help="One object for each question, with the ids of the fact-checks it came from.")
@click.pass_obj
def suggest(console: Console, topic: str, least: int, as_json: bool) -> None:
    """Suggest questions about TOPIC, with their short answers, from the claims of known fact-checks."""
    from twicetold.answer import HYBRID
    from twicetold.mine.suggest import suggest as suggested

    with console.open() as collection:
        found = suggested(collection, topic, HYBRID.stage(collection, depth=_MOST_CLAIMS), least=least)
    for one in found:
        if as_json:
            print_json(to_json(one))
        else:
            click.echo(f"{one.question}\n    {' · '.join(one.answers)}")
    if not found:
        click.echo(f"No claims about {topic!r} say different things of one aspect.", err=True)
        click.get_current_context().exit(1)
