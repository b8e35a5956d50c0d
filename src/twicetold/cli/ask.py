"""The verb ask: what posts say of a question, as words, JSON, a page, a queue or a watch."""

from __future__ import annotations

import dataclasses
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadData, BadInput
from twicetold.types import SCHEMA, FactCheck, Match, Post, Question, to_json

if TYPE_CHECKING:
    from twicetold.mine.contest import Contested
    from twicetold.mine.miner import Asked, Effort, Miner
    from twicetold.mine.watch import News
    from twicetold.posts import Posts


@click.command(
    epilog="Examples:\n\n  twicetold ask 'Can shoes spread COVID-19?'\n\n  twicetold ask 'Who invented the light bulb?' --html report.html"
)
@click.argument("questions", nargs=-1)
@click.option("--top", default=3, show_default=True, type=click.IntRange(1, 100), help="How many posts to show on each side.")
@click.option("--answers", type=click.IntRange(1, 50), help="How many answers to weigh; without it, as many as stand out.")
@click.option(
    "--depth", type=click.IntRange(1, 10_000), help="Posts whose stance is read: 200 for a yes/no question, 30 an answer unless said."
)
@click.option("--queue", is_flag=True, help="All claims of all questions, most contested and unchecked first: a queue for fact-checkers.")
@click.option("--watch", is_flag=True, help="Keep asking as posts arrive, and tell of new answers and sides. Ends with Ctrl-C.")
@click.option(
    "--every", default=30.0, show_default=True, type=click.FloatRange(min=0, min_open=True), help="With --watch: seconds between two looks."
)
@click.option("--html", "page", type=click.Path(dir_okay=False, writable=True), help="Write a report with both sides to this file.")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines: one object for each question, with every post read on either side.")
@click.option("--stance", "stance_folder", type=click.Path(), help="Another stance or NLI model's folder.")
@click.pass_obj
def ask(
    console: Console,
    questions: tuple[str, ...],
    top: int,
    answers: int | None,
    depth: int | None,
    queue: bool,
    watch: bool,
    every: float,
    page: str | None,
    as_json: bool,
    stance_folder: str | None,
) -> None:
    """Ask the posts QUESTIONS: every contested answer, with what speaks for and against it.

    A question is words, a file or - for standard input, one a line. What posts say is shown, not what is true; answers that a known
    fact-check already deals with say so. Exit code 1: no post answers.
    """
    from twicetold.mine.miner import Effort

    asked_for = _questions(questions)
    if watch and len(asked_for) > 1:
        raise BadInput(f"--watch follows one question, not {len(asked_for)}; start one watch for each")
    plain = Effort()
    effort = Effort(depth or plain.posts_a_question, depth or plain.posts_an_answer, plain.posts_read, answers)
    with _open(console) as posts, console.progress() as progress:
        miner = dataclasses.replace(_miner(posts, effort, stance_folder), progress=progress)
        if watch:
            _watch(console, miner, asked_for, every, top, as_json)
            return
        done = []
        for question in asked_for:
            done.append(_checked(console, miner.ask(question)))
            if not queue:
                _show(done[-1], top, as_json)
        if queue:
            _print_queue(done, as_json)
    if page is not None:
        from twicetold.mine.page import page as report

        Path(page).write_text(report(done, top=max(top, 5)), encoding="utf-8")
        console.remark(f"The report is in {page}.")
    if not any(_is_answered(one) for one in done):
        click.get_current_context().exit(1)


def _questions(arguments: tuple[str, ...]) -> list[Question]:
    from twicetold.mine.question import kind_of

    if not arguments and sys.stdin.isatty():
        raise BadInput("no question given; type one: twicetold ask 'Can shoes spread COVID-19?'")
    lines: list[str] = []
    for argument in arguments or ("-",):
        if argument == "-":
            lines += sys.stdin.read().splitlines()
        elif " " not in argument.strip() and Path(argument).is_file():
            lines += Path(argument).read_text(encoding="utf-8").splitlines()
        else:
            lines.append(argument)
    found = [Question(f"q{at}", line.strip()) for at, line in enumerate((line for line in lines if line.strip()), start=1)]
    if not found:
        raise BadInput("the question is empty; ask something, such as: twicetold ask 'Can shoes spread COVID-19?'")
    for question in found:
        kind_of(question.text)  # whatever is no question is said before anything is loaded
    return found


def _open(console: Console) -> Posts:
    from twicetold.posts import Posts

    posts = Posts.open(console.data)
    if posts.refresh():
        try:
            with console.progress() as progress:
                posts.index(progress)
        except BadData:
            console.warn(f"{posts.pending:,} posts are not indexed yet and cannot be found; somebody else is writing.")
    return posts


def _miner(posts: Posts, effort: Effort, stance_folder: str | None) -> Miner:
    from twicetold.mine.miner import Miner
    from twicetold.mine.nli import load_stance
    from twicetold.mine.reader import SpanReader
    from twicetold.models import is_shipped

    # A reader is needed for questions that want names; `Miner` says so where there is none.
    reader = SpanReader.load() if is_shipped("reader") else None
    return Miner(posts, load_stance(stance_folder), reader, effort)


def _checked(console: Console, asked: Asked) -> Asked:
    """Look the answers up among the fact-checks of the same folder, if it holds any."""
    from twicetold.collection import Collection
    from twicetold.mine.contest import with_checks

    if not (Path(console.data) / "store.db").is_file() or not asked.answers:
        return asked
    with Collection.open(console.location) as collection:
        return dataclasses.replace(asked, answers=with_checks(asked.answers, collection))


def _watch(console: Console, miner: Miner, questions: list[Question], every: float, top: int, as_json: bool) -> None:
    from twicetold.mine.watch import watch

    def wait() -> bool:
        time.sleep(every)
        return True

    for at, (asked, news) in enumerate(watch(miner, questions[0], wait)):
        if at == 0:
            _show(_checked(console, asked), top, as_json)
        for one in news:
            _print_news(one, as_json)


# --- printing ------------------------------------------------------------------------------------------------------------


def _is_answered(asked: Asked) -> bool:
    return any(answer.myth.supporting or answer.myth.refuting for answer in asked.answers)


def _show(asked: Asked, top: int, as_json: bool) -> None:
    if as_json:
        print_json({"schema": SCHEMA, **to_json(asked)})
        return
    click.secho(asked.question.text, bold=True)
    unread = f"; {asked.unread:,} in languages that are not read" if asked.unread else ""
    click.echo(f"  {asked.found:,} posts found, {asked.read:,} read{unread}")
    if not _is_answered(asked):
        nothing = "NOT SURE: no post takes either side." if asked.kind == "yes-no" else "No post gives an answer."
        click.echo(f"  {nothing}\n")
        return
    for answer in asked.answers[:1] if asked.kind == "yes-no" else asked.answers:
        _print_answer(answer, top)


def _print_answer(answer: Contested, top: int) -> None:
    myth = answer.myth
    names = {"yes": ("YES", "NO"), "no": ("NO", "YES")}.get(myth.answer, ("supporting", "refuting"))
    if myth.answer not in ("yes", "no"):
        click.secho(f"\n  {myth.answer}", bold=True)
    click.echo(f"  {myth.claim} · contested {answer.score:.0%}")
    for label, match in answer.near:
        _print_check(label, match)
    for name, colour, matches in zip(names, ("green", "red"), (myth.supporting, myth.refuting), strict=True):
        _print_side(name, colour, matches, answer, top)
    click.echo()


def _print_side(name: str, colour: str, matches: tuple[Match, ...], answer: Contested, top: int) -> None:
    from twicetold.mine.evidence import exemplars

    copies = sum(answer.copies.get(match.doc.id, 0) for match in matches)
    more = f" and {copies:,} copies" if copies else ""
    click.echo(f"    {click.style(name, fg=colour, bold=True)}: {len(matches):,} {'post' if len(matches) == 1 else 'posts'}{more}")
    for match in exemplars(matches, top=top):
        post = match.doc
        assert isinstance(post, Post)
        where = " · ".join(part for part in (post.author, post.posted[:10], post.url or post.id) if part)
        click.echo(f"      {match.score:>4.0%}  {' '.join(post.text.split())[:280]}\n            {where}")


def _print_check(label: str, match: Match) -> None:
    check = match.doc
    assert isinstance(check, FactCheck)
    where = " · ".join(part for part in (check.publisher, check.published, check.url or check.id) if part)
    click.echo(f"    {label}: {click.style(check.rating or 'no rating given', bold=True)} · {check.claim or check.title}\n      {where}")


def _print_queue(asked: list[Asked], as_json: bool) -> None:
    """One line a claim: unchecked before checked, then by how contested it is."""
    rows = [answer for one in asked for answer in (one.answers[:1] if one.kind == "yes-no" else one.answers)]
    rows.sort(key=lambda answer: (bool(answer.checked), -answer.score, answer.myth.claim))
    for answer in rows:
        myth = answer.myth
        if as_json:
            print_json({"claim": myth.claim, "contested": answer.score, "supporting": len(myth.supporting), "refuting": len(myth.refuting),
                        "checked": [match.doc.id for match in answer.checked]})  # fmt: skip
            continue
        checked = f" · already checked: {answer.checked[0].doc.id}" if answer.checked else ""
        click.echo(f"{answer.score:>4.0%}  {myth.claim}  ({len(myth.supporting)} for, {len(myth.refuting)} against){checked}")


def _print_news(news: News, as_json: bool) -> None:
    if as_json:
        print_json(news)
        return
    what = "new answer" if news.is_new_answer else f"now also {news.side}"
    click.echo(f"{what}: {news.answer} · {news.claim}\n  {news.side}: {' '.join(getattr(news.match.doc, 'text', '').split())[:280]}")
    sys.stdout.flush()
