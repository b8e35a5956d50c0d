"""The verb ingest-posts: read posts into the collection."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twicetold.cli.output import Console
from twicetold.errors import BadData
from twicetold.types import Post

if TYPE_CHECKING:
    from twicetold.ingest.posts import ReadPost

_SHOWN_PROBLEMS = 10


@click.command(
    "ingest-posts",
    epilog="Examples:\n\n  twicetold ingest-posts posts.jsonl\n\n  twicetold ingest-posts twitter-archive.zip outbox.json --skip-broken",
)
@click.argument("sources", nargs=-1, required=True)
@click.option("--skip-broken", is_flag=True, help="Leave out records that cannot be read; each is counted and reported with its place.")
@click.option("--no-index", is_flag=True, help="Only store; `ask` and the next `ingest-posts` index.")
@click.option("--vectors", default="static", show_default=True, help="For a new folder: static, encoder (better, 200 times slower), none.")
@click.pass_obj
def ingest_posts(console: Console, sources: tuple[str, ...], skip_broken: bool, no_index: bool, vectors: str) -> None:
    """Read posts from SOURCES into the collection, to be asked with `ask`.

    A source is a file, a folder or - for standard input: JSON Lines or tables with named columns, Twitter API answers and archives,
    Mastodon and Bluesky exports. Shares and near-copies are kept and counted. Reading the same source twice changes nothing.
    """
    from twicetold.ingest.posts import read_posts
    from twicetold.ingest.problems import kept
    from twicetold.posts import Posts
    from twicetold.store import Written

    with Posts.create(console.data, vectors_by=vectors) as posts:
        total = Written()
        try:
            for source in sources:
                with console.progress() as progress:
                    for written in posts.add(_languages(only_posts(console, source, read_posts(source), skip_broken))):
                        total += written
                        progress(f"reading {Path(source).name or source}", total.added + total.changed + total.same, 0)
        except BadData as error:
            raise BadData(f"{error}{kept(total.added + total.changed + total.same)}") from None
        if not no_index:
            with console.progress() as progress:
                posts.index(progress)
        click.echo(
            f"{total.added:,} added, {total.changed:,} changed, {total.same:,} unchanged; {console.data} holds {len(posts.store):,} posts."
        )


def only_posts(console: Console, source: str, records: Iterator[ReadPost], skip_broken: bool) -> Iterator[Post]:
    """Pass posts on. The first record that is none ends it with its place, unless `skip_broken`: then they are counted, the first named."""
    broken = read = 0
    for record in records:
        if isinstance(record, Post):
            read += 1
            yield record
            continue
        if not skip_broken:
            raise BadData(f"{record}; mend that record, or leave broken ones out with --skip-broken")
        broken += 1
        if broken <= _SHOWN_PROBLEMS:
            console.remark(f"skipped: {record}")
    if broken:
        console.remark(f"{source}: {broken:,} records left out, {read:,} read.")


def _languages(posts: Iterator[Post]) -> Iterator[Post]:
    from twicetold.posts.clean import plain
    from twicetold.text import language

    for post in posts:
        yield post if post.lang else dataclasses.replace(post, lang=language(plain(post.text)))
