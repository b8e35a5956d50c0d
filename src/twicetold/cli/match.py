"""Verbs about claims: match, and judge what was found."""

from __future__ import annotations

import dataclasses
import datetime
import getpass
from collections.abc import Iterable, Iterator
from itertools import chain as both

import click

from twicetold.answer import RECIPES, Answerer, Asking
from twicetold.cli.claims import only_claims, read_claims
from twicetold.cli.filters import filter_options
from twicetold.cli.formats import print_all
from twicetold.cli.output import Console, print_json, print_ranking
from twicetold.collection import Collection
from twicetold.errors import BadInput, TwicetoldError
from twicetold.filters import Filters
from twicetold.store import Judgement
from twicetold.text import whole_letters
from twicetold.types import Claim, Decision, Lane, Ranking


@click.command(
    epilog="Examples:\n\n  twicetold match 'Garlic cures COVID-19'\n\n  cat posts.jsonl | twicetold match --json --top 3 > answers.jsonl"
)
@click.argument("claims", nargs=-1)
@click.option("--top", default=5, show_default=True, type=click.IntRange(1, 1000), help="How many fact-checks to show for a claim.")
@click.option("--recipe", default="best", show_default=True, type=click.Choice(list(RECIPES)), help="How to search.")
@click.option(
    "--risk", default=0.05, show_default=True, type=float, help="With --recipe best: the error you tolerate among claims called matched."
)
@click.option("--image", "images", multiple=True, type=click.Path(), help="Read the claim from an image (needs the extra ocr).")
@click.option("-0", "--null", "is_null", is_flag=True, help="Claims are separated by NUL characters, so a post may have several lines.")
@click.option("--skip-broken", is_flag=True, help="Leave out claims that cannot be read, naming each on standard error.")
@click.option("--column", default="", help="The column of a CSV or TSV file that holds the claims, where its name does not tell.")
@click.option("--least", default=0.0, type=click.FloatRange(0, 1), help="Only answers at least this probable; others count as not found.")
@click.option("--all", "is_all", is_flag=True, help="Also show fact-checks that are probably about something else.")
@click.option(
    "--format",
    "format_",
    default="text",
    show_default=True,
    type=click.Choice(["text", "line", "table", "csv", "jsonl"]),
    help="For people; one line for each claim; a table; CSV; JSON Lines with every signal.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
@filter_options
@click.pass_obj
def match(
    console: Console,
    claims: tuple[str, ...],
    top: int,
    recipe: str,
    risk: float,
    images: tuple[str, ...],
    is_null: bool,
    skip_broken: bool,
    column: str,
    least: float,
    is_all: bool,
    format_: str,
    as_json: bool,
    filters: Filters,
) -> None:
    """Find the fact-checks that already answer each of CLAIMS.

    A claim is words, a file or - for standard input: one claim a line, JSON Lines with a `text` field, or a CSV or TSV file with a column
    of claims. The answer shows the publisher's own rating: a match says that this was checked, not that the check is right.
    """
    asked = _asked(claims, images, b"\0" if is_null else b"\n", column)
    with console.open(to_match=True) as collection:
        answerer = Answerer(collection, RECIPES[recipe], Asking(top=top, risk=risk, filters=filters))
        rankings = _answers(answerer, only_claims(asked, skip_broken=skip_broken), least)
        held = len(collection.store) if filters == Filters() else len(collection.store.allowed(filters))
        if format_ == "text" and not as_json:
            found = _print_texts(rankings, answerer.asking, held, is_all=is_all)
        else:
            found = print_all(rankings, "jsonl" if as_json else format_, top=top, held=held)
    if not found:
        click.get_current_context().exit(1)


def _asked(claims: tuple[str, ...], images: tuple[str, ...], separator: bytes, column: str) -> Iterator[Claim | TwicetoldError]:
    if images and not claims:
        return _read_images(images)
    return both(_read_images(images), read_claims(claims, separator=separator, column=column))


def _read_images(images: tuple[str, ...]) -> Iterator[Claim | TwicetoldError]:
    for number, path in enumerate(images, start=1):
        from twicetold.ingest.images import read_image

        text = read_image(path)
        yield Claim(f"image-{number}", text) if text.strip() else BadInput(f"no text could be read in {path}")


def _answers(answerer: Answerer, claims: Iterable[Claim], least: float) -> Iterator[Ranking]:
    for claim in claims:
        [ranking] = answerer([claim])
        decision = ranking.decision
        if decision is not None and decision.probability < least and not ranking.is_empty:
            ranking = dataclasses.replace(ranking, decision=Decision(Lane.NO_MATCH, decision.probability, decision.risk))
        yield ranking


def _print_texts(rankings: Iterable[Ranking], asking: Asking, held: int, *, is_all: bool) -> bool:
    """Print each answer; return whether any was found."""
    is_any = False
    for ranking in rankings:
        is_any = is_any or not ranking.is_empty
        print_ranking(ranking, top=asking.top, held=held, is_filtered=asking.filters != Filters(), is_all=is_all)
    return is_any


@click.command(
    epilog="Examples:\n\n  twicetold judge 'Garlic cures COVID-19' demo-health-garlic-covid yes\n\n  twicetold judge --export > mine.qrels"
)
@click.argument("claim", required=False)
@click.argument("check_id", required=False)
@click.argument("answer", required=False, type=click.Choice(["yes", "no"]))
@click.option("--annotator", default=None, help="Who judges; your user name unless said.")
@click.option("--export", "is_export", is_flag=True, help="Print every judgement as TREC qrels, with the claims as JSON Lines on stderr.")
@click.option("--json", "as_json", is_flag=True, help="With --export: JSON Lines with claim, fact-check, grade, who and when, to train on.")
@click.option("--undo", "is_undo", is_flag=True, help="Take back what was said of CLAIM and CHECK_ID.")
@click.pass_obj
def judge(
    console: Console,
    claim: str | None,
    check_id: str | None,
    answer: str | None,
    annotator: str | None,
    is_export: bool,
    as_json: bool,
    is_undo: bool,
) -> None:
    """Say whether the fact-check CHECK_ID answers CLAIM: yes or no.

    From then on it comes first for this claim and near wordings, or last. The lab reads these judgements as qrels.
    """
    if is_export:
        with console.open() as collection:
            _export_as_json(collection) if as_json else _export_judgements(collection)
        return
    if claim is None or check_id is None or (answer is None and not is_undo):
        raise BadInput("wanted a claim, the id of a fact-check and yes or no: twicetold judge 'the claim' ID yes")
    if not claim.strip():
        raise BadInput("the claim is empty; wanted the words that were looked up: twicetold judge 'the claim' ID yes")
    who = annotator or getpass.getuser()
    Collection.open(console.location).close()
    with Collection.create(console.location) as collection:
        if is_undo:
            click.echo(
                "Taken back."
                if collection.store.unjudge(whole_letters(claim.strip()), check_id, who)
                else f"{who} has said nothing of this pair."
            )
            return
        if collection.store.get(check_id) is None:
            raise BadInput(f"no fact-check has the id {check_id!r}; ids stand beside each answer of `match`")
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        collection.store.judge(Judgement(whole_letters(claim.strip()), check_id, int(answer == "yes"), whole_letters(who), day))
    click.echo(f"Saved: {check_id} {'answers' if answer == 'yes' else 'does not answer'} this claim, says {who}.")


def _export_as_json(collection: Collection) -> None:
    for judgement in collection.store.judgements():
        check = collection.store.get(judgement.check_id)
        if check is not None:
            print_json({"claim": judgement.claim, "check_id": check.id, "checked_claim": check.claim or check.title,
                        "grade": judgement.grade,
                        "annotator": judgement.annotator, "judged_on": judgement.judged_on})  # fmt: skip


def _export_judgements(collection: Collection) -> None:
    names: dict[str, str] = {}
    for judgement in collection.store.judgements():
        name = names.setdefault(judgement.claim, f"judged-{len(names) + 1}")
        click.echo(f"{name} {judgement.annotator.replace(' ', '_')} {judgement.check_id} {judgement.grade}")
    for text, name in names.items():
        click.echo(f'{{"id": "{name}", "text": {_quoted(text)}}}', err=True)


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
