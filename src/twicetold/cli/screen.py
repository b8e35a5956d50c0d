"""The verb screen: look up every post of many files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from twicetold.answer import RECIPES
from twicetold.answer.asking import check_risk
from twicetold.cli.output import Console

if TYPE_CHECKING:
    from twicetold.batch.drive import State

_EVERY = 10.0  # seconds between two lines of progress where there is no terminal to rewrite one on
_SHOWN = 10  # broken records named


@click.command(
    epilog="Examples:\n\n  twicetold screen posts/ --out screened\n\n"
    "  twicetold screen s3://bucket/2020-05 --out s3://bucket/screened --language en --ray auto --json"
)
@click.argument("posts", nargs=-1, required=True)
@click.option("--out", required=True, help="Folder or bucket for the answers; new, or that of the same run stopped before.")
@click.option("--recipe", default="best", show_default=True, type=click.Choice([*RECIPES, "quick"]), help="How to search.")
@click.option("--risk", default=0.05, show_default=True, type=float, help="With --recipe best: the error you tolerate among matched posts.")
@click.option("--top", default=3, show_default=True, type=click.IntRange(1, 100), help="How many fact-checks to write for a post.")
@click.option("--language", "langs", multiple=True, help="Skip posts in other languages than this (en, es …); may be repeated.")
@click.option(
    "--worth", default=0.0, type=click.FloatRange(0, 1), help="Skip posts less worth checking, by their form, than this (0 to 1)."
)
@click.option("--near", default=0.0, type=click.FloatRange(0, 1), help="Skip posts whose chance of an answer, at a quick look, is less.")
@click.option("--text", default="", metavar="COLUMN", help="The column of the texts, if it has no usual name.")
@click.option("--id", "id_", default="", metavar="COLUMN", help="The column of the ids; used with --text.")
@click.option("--lang-column", default="", metavar="COLUMN", help="The column of the language codes; used with --text.")
@click.option("--skip-broken", is_flag=True, help="Write records that cannot be read to lane=skipped instead of stopping at the first.")
@click.option("--workers", default=0, type=click.IntRange(0), help="Processes on this machine; one for each core unless said.")
@click.option("--rows", default=0, type=click.IntRange(0), help="Rows of a partition, the piece of work done again after a crash.")
@click.option("--ray", default="", metavar="ADDRESS", help="Work on the Ray cluster at this address (auto, host:port, ray://…).")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@click.pass_obj
def screen(
    console: Console, /, posts: tuple[str, ...], out: str, text: str, id_: str, lang_column: str,
    workers: int, rows: int, ray: str, as_json: bool, **asked: Any,
) -> None:  # fmt: skip
    """Look up every post in POSTS and write the answers to a folder, by lane: matched, differs, review, no match, skipped.

    POSTS are files or folders, here or in a bucket (s3://, gs://, hdfs:// …): Parquet, JSON Lines, CSV. The answers are those of
    `match`, as Parquet with the place of each post and the collection that answered; `--recipe quick`, which `match` has not, goes
    by words and token vectors alone and is many times as fast. A run that was stopped or killed goes on where it was if it is started
    again in the same way.
    """
    from twicetold.batch.drive import ROWS, Crewing
    from twicetold.batch.drive import screen as run
    from twicetold.batch.ledger import Screening
    from twicetold.batch.partitions import Columns

    screening = Screening(columns=Columns(text, id_, lang_column), **asked)
    check_risk(screening.risk)
    crewing = Crewing(workers, ray, rows or ROWS)
    console.open(to_match=True).close()  # brings the indexes up to the store, or says that they lag behind
    summary = run(posts, out, console.location, screening, crewing, _reporter(console))
    if as_json:
        click.echo(json.dumps({"out": out, **summary}, ensure_ascii=False))
    else:
        _tell(console, out, summary)


def _tell(console: Console, out: str, summary: dict[str, Any]) -> None:
    lanes = ", ".join(f"{count:,} {lane}" for lane, count in summary["lanes"].items())
    click.echo(f"{summary['posts']:,} posts in {out}: {lanes}.")
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in summary["skipped"].items())
    if reasons:
        console.remark(f"skipped: {reasons}")
    if summary["copies"]:
        console.remark(f"{summary['copies']:,} of them are copies of another post and have its answer")
    for name in summary["broken"][:_SHOWN]:
        console.remark(f"broken: {name}")
    if summary["lanes"].get("ranked"):
        console.remark(f"the recipe {summary['recipe']} does not decide: its answers are in lane=ranked")


def _reporter(console: Console) -> Callable[[State], None]:
    """A line of progress on stderr: rewritten on a terminal, now and then a new one elsewhere, none if quiet."""
    is_terminal = sys.stderr.isatty()
    last = [time.monotonic()]

    def report(state: State) -> None:
        now = time.monotonic()
        if console.is_quiet or now - last[0] < (0.2 if is_terminal else _EVERY):
            return
        last[0] = now
        line = _line(state)
        click.echo(f"\r\x1b[K{line}" if is_terminal else line, err=True, nl=not is_terminal)

    return report


def _line(state: State) -> str:
    share = f" of {state.posts:,}" if state.posts else ""
    pace = f", {state.fresh / state.seconds:,.0f} a second" if state.fresh and state.seconds else ""
    left = state.left
    end = "" if left is None else f", done at {time.strftime('%H:%M', time.localtime(time.time() + left))} (in {_span(left)})"
    return f"screened {state.done:,}{share} posts, partition {state.partitions} of {state.of_partitions}{pace}{end}"


def _span(seconds: float) -> str:
    """A time in words.

    >>> _span(42), _span(4000), _span(200_000)
    ('42 s', '67 min', '56 h')
    """
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
