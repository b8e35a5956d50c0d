"""Posts from the files that platforms and archives hand out, to `Post` records.

Read: JSON Lines and tables with named columns (also the `{id, contents}` files of TweetMythQA), Twitter API answers (v2 and v1.1), a
personal Twitter archive, Mastodon's API answers and export, Bluesky's API answers, repository records and Jetstream lines. Nothing is
fetched. A record that cannot be read is yielded as a `Problem` with its place; texts are kept as they were written, HTML undone.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, BadInput
from twicetold.ingest.platforms import PLATFORMS, Unreadable, from_named
from twicetold.ingest.problems import Problem
from twicetold.ingest.sources import Source, archive_members, lines, sources
from twicetold.text import has_half_letters, whole_letters
from twicetold.types import Post

ReadPost = Post | Problem
_ARCHIVE = ("tweets.js", "tweet.js")
_TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_MOST_JSON = 512 << 20


def read_posts(where: str | os.PathLike[str]) -> Iterator[ReadPost]:
    """Yield the posts in a file, folder, zip archive or `-` (standard input), in their order."""
    for source in _sources(where):
        yield from _read(source)


def _sources(where: str | os.PathLike[str]) -> Iterator[Source]:
    """A Twitter archive keeps its posts in scripts, which ordinary sources leave aside."""
    path = Path(where)
    found: list[Source] = []
    if str(where) != "-" and path.is_dir():
        found = [_script(file) for file in sorted(path.rglob("*.js")) if _is_archive(file.name)]
    elif str(where) != "-" and zipfile.is_zipfile(path):
        found = archive_members(path, _is_archive)
    yield from found or sources(where)


def _is_archive(name: str) -> bool:
    return name in _ARCHIVE or (name.startswith(("tweets-part", "tweet-part")) and name.endswith(".js"))


def _script(file: Path) -> Source:
    return Source(str(file), lambda: open(file, "rb"), path=file)


def _read(source: Source) -> Iterator[ReadPost]:
    if source.suffix in _TABLES:
        yield from _rows(source, _TABLES[source.suffix])
        return
    start = source.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"window.YTD"):
        yield from _whole(source, skip=b"=")
    elif start.startswith(b"[") or (start.startswith(b"{") and not _is_lines(start)):
        yield from _whole(source)
    elif start.startswith(b"{"):
        yield from _lines(source)
    elif not start:
        raise BadData(f"{source.name} is empty; wanted posts as JSON Lines, CSV or a platform's export")
    else:
        raise BadInput(
            f"{source.name} starts with {start[:20]!r}, which is no kind of posts read here; see docs/mining.md for those that are"
        )


def _is_lines(start: bytes) -> bool:
    """True if the first line is a whole object and another line follows, or the object names one post."""
    first, _, rest = start.partition(b"\n")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return bool(rest.strip()) or not any(_many(record))


def _many(record: Mapping[str, Any]) -> Iterator[bool]:
    """Whether the object is a platform's answer that holds several posts."""
    for key in ("data", "statuses", "feed", "posts", "orderedItems", "records"):
        yield isinstance(record.get(key), list)


# --- one record or many ------------------------------------------------------------------------------------------------


def _lines(source: Source) -> Iterator[ReadPost]:
    with source.open() as stream:
        for number, raw in lines(stream):
            place = f"{source.name}, line {number}"
            if raw is None:
                yield Problem(place, "the line is longer than 64 MB")
            elif raw.strip():
                yield from _guarded(place, lambda line=raw: posts_of(json.loads(line.decode("utf-8-sig"))))  # type: ignore[misc]


def _whole(source: Source, *, skip: bytes = b"") -> Iterator[ReadPost]:
    with source.open() as stream:
        content = stream.read(_MOST_JSON + 1)
    if len(content) > _MOST_JSON:
        raise BadData(f"{source.name} is one piece of JSON of more than {_MOST_JSON >> 20} MB; give one object a line as .jsonl")
    if skip:
        content = content.partition(skip)[2]
    try:
        record = json.loads(content.decode("utf-8-sig").strip().rstrip(";"))
    except (ValueError, RecursionError) as error:
        raise BadData(f"{source.name} is not whole JSON ({error}); restore the file, or give one object a line as .jsonl") from None
    for number, (post, outer) in enumerate(_each(record), start=1):
        yield from _guarded(f"{source.name}, record {number}", lambda p=post, o=outer: _posts(p, o))  # type: ignore[misc]


def posts_of(record: Any) -> Iterator[Post]:
    """Yield the post or posts of one JSON record; none for a like, a follow or a deleted post. Raises Unreadable for what is no record."""
    for post, outer in _each(record):
        yield from _posts(post, outer)


def _each(record: Any) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Yield the post records in a document, each with the answer around it, which may name users and shared posts."""
    if isinstance(record, list):
        for one in record:
            yield from _each(one) if isinstance(one, Mapping) and any(_many(one)) else ((one, {}),)
        return
    if isinstance(record, Mapping):
        for key in ("data", "statuses", "feed", "posts", "orderedItems", "records"):
            if isinstance(record.get(key), list):
                yield from ((one, record) for one in record[key])
                return
        if isinstance(record.get("data"), Mapping):
            yield record["data"], record
            return
    yield record, {}


def _posts(record: Any, outer: Mapping[str, Any]) -> Iterator[Post]:
    if not isinstance(record, Mapping):
        raise Unreadable(f"wanted an object, found {type(record).__name__}")
    for platform in PLATFORMS:
        if platform.knows(record):
            post = platform.read(record, outer)
            break
    else:
        post = from_named(record)
    if post is None:  # a record of another kind: a like, a follow, a deleted post
        return
    post = _sound(post)
    if not post.text.strip():
        raise Unreadable(f"the post {post.id} has no text")
    yield post


def _sound(post: Post) -> Post:
    """The post without halves of characters: JSON can spell them, but nothing can store them."""
    told = {field.name: getattr(post, field.name) for field in dataclasses.fields(post)}
    unsound = {name: text for name, text in told.items() if isinstance(text, str) and has_half_letters(text)}
    return dataclasses.replace(post, **{name: whole_letters(text) for name, text in unsound.items()}) if unsound else post


def _guarded(place: str, read: Callable[[], Iterator[Post]]) -> Iterator[ReadPost]:
    try:
        yield from read()
    except UnicodeDecodeError as error:
        yield Problem(place, f"not UTF-8 (byte {error.start + 1})")
    except Unreadable as error:
        yield Problem(place, str(error))
    except (ValueError, RecursionError) as error:
        yield Problem(place, f"not JSON ({error})")


def _rows(source: Source, delimiter: str) -> Iterator[ReadPost]:
    csv.field_size_limit(64 << 20)
    with source.open() as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        reader = csv.DictReader(text, delimiter=delimiter)
        if not reader.fieldnames:
            raise BadData(f"{source.name} is empty; wanted a first line that names the columns")
        for number, row in enumerate(reader, start=2):
            named = {key: value for key, value in row.items() if isinstance(key, str) and isinstance(value, str)}
            yield from _guarded(f"{source.name}, row {number}", lambda r=named: _posts(r, {}))  # type: ignore[misc]
