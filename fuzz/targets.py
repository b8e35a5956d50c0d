"""What is fuzzed: a parser, where its first inputs come from, and how many inputs it gets of a million.

A target lets only `TwicetoldError` pass, and where a parser promises never to fail, nothing. It needs no fuzzer to be run.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from twicetold import demo, links
from twicetold import text as texts
from twicetold.batch import reading
from twicetold.batch.partitions import Columns, cut, find_files
from twicetold.batch.storage import Place
from twicetold.cli.claims import read_claims
from twicetold.errors import TwicetoldError
from twicetold.ingest import dates, read, verdict
from twicetold.ingest.platforms import when
from twicetold.ingest.posts import read_posts
from twicetold.ingest.transcripts import read_lines
from twicetold.mine import question
from twicetold.posts import clean, sketch
from twicetold.types import Claim, FactCheck, Line, Post, Ranking, from_json, to_json
from twicetold_lab import results, runs
from twicetold_lab.datasets import layout

ROOT = Path(__file__).parent.parent
Seeds = Callable[[], Iterator[bytes]]
LONGEST = 4096
"""Bytes of an input: what breaks parsers is seldom long, and long inputs are few a second."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parser under test. `share` is its part of all inputs."""

    run: Callable[[bytes], None]
    seeds: Seeds
    share: int
    longest: int = LONGEST


# --- fact-checks


def fact_checks(raw: bytes, *, format: str | None = None, name: str = "source") -> None:
    """Read as a stream, and store and send what is found."""
    with suppress(TwicetoldError):
        for record in read(io.BytesIO(raw), format=format):
            if isinstance(record, FactCheck):
                sent = json.dumps(to_json(record), ensure_ascii=False).encode("utf-8")
                assert from_json(FactCheck, json.loads(sent)) == record


def archive(raw: bytes) -> None:
    """Read as a file, which may be an archive."""
    with _file("upload.zip", raw) as path, suppress(TwicetoldError):
        for _ in read(path):
            pass


def packed(raw: bytes) -> None:
    """Read as a member of an archive that is sound itself, packed once more."""
    name, _, content = raw.partition(b"\n")
    archive(_zipped({_name(name): gzip.compress(content, 1) if content[:1] != b"<" else content}))


def dated(raw: bytes) -> None:
    """Read a date; it comes back as ISO or not at all."""
    said = raw.decode("utf-8", "replace")
    for found in (dates.iso(said), dates.iso(said, "es"), when(said)):
        assert found == "" or found[:4].isdigit(), found


def rated(raw: bytes) -> None:
    """Read a rating, in words and as a number on a scale."""
    said, _, scale = raw.decode("utf-8", "replace").partition("\n")
    publisher, _, best = scale.partition("\n")
    verdict.verdict_of(said, publisher)
    verdict.verdict_of(verdict.score_text(said, publisher, best))


# --- speeches, posts, questions, claims


def speech(raw: bytes, *, format: Any) -> None:
    """Read a transcript."""
    with suppress(TwicetoldError):
        for line in read_lines(io.BytesIO(raw), format=format):
            if isinstance(line, Line):
                f"{line.speaker} {line.text}".encode()


def posts(raw: bytes, *, name: str) -> None:
    """Read posts; what is found can be sent."""
    with _file(name, raw) as path, suppress(TwicetoldError):
        for post in read_posts(path):
            if isinstance(post, Post):
                json.dumps(to_json(post)).encode("utf-8")


def screened(raw: bytes, *, name: str) -> None:
    """Cut a file of posts into partitions and read them."""
    with _file(name, raw) as path, suppress(TwicetoldError):
        files = find_files([Place(str(path))])
        for place, file in files:
            reading.check_columns(place, file, Columns())
        for partition in cut(files, rows=3):
            for _ in reading.read(partition, Columns()):
                pass


def asked(raw: bytes) -> None:
    """Read a question."""
    said = raw.decode("utf-8", "replace")
    with suppress(TwicetoldError):
        question.kind_of(said)
    question.parts(said)


def claimed(raw: bytes) -> None:
    """Read claims from a file."""
    with _file("claims", raw) as path, suppress(TwicetoldError):
        for _ in read_claims((str(path),)):
            pass


# --- texts


def worded(raw: bytes) -> None:
    """Take a text apart in every way; nothing may fail."""
    said = raw.decode("utf-8", "replace")
    texts.tidy(said)
    texts.unpost(said)
    texts.words(said, "en")
    texts.words(said, "ar")
    for start, end in texts.sentences(said):
        assert 0 <= start < end <= len(said)
    clean.plain(said)
    clean.readable(said)
    clean.comparable(said)
    sketch.keys(said)


def told_language(raw: bytes) -> None:
    """Name the language of a text."""
    texts.language(raw.decode("utf-8", "replace"))


def linked(raw: bytes) -> None:
    """Find the links of a text and write each in one way, and what is none too."""
    said = raw.decode("utf-8", "replace")
    for link in (*links.links_in(said), said):
        links.canonical_url(link).encode("utf-8")


# --- values, runs, results


def valued(raw: bytes) -> None:
    """Make values of JSON."""
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError):
        return
    for kind in (Claim, FactCheck, Ranking, Post):
        with suppress(TwicetoldError):
            from_json(kind, record)


def ran(raw: bytes, *, name: str) -> None:
    """Read a run."""
    with _file(name, raw) as path, suppress(TwicetoldError):
        runs.read(path)


def judged(raw: bytes) -> None:
    """Read relevance judgements."""
    with _file("qrels.txt", raw) as path, suppress(TwicetoldError):
        layout.qrels(path)


def recorded(raw: bytes) -> None:
    """Read a file of recorded results."""
    with _file("results.toml", raw) as path, suppress(TwicetoldError):
        results.read_file(path)


# --- where inputs come from


def _lines_of(*paths: str) -> Iterator[bytes]:
    for name in paths:
        for path in sorted(ROOT.glob(name)):
            whole = path.read_bytes()
            yield whole[:LONGEST]
            yield from whole.splitlines(keepends=True)[:30]


def _checks() -> Iterator[bytes]:
    yield from _lines_of("src/twicetold/demo/checks/*.jsonl")
    for path in sorted((ROOT / "tests" / "pages").glob("*.html")):
        page = path.read_bytes()
        start = page.find(b"application/ld+json")
        if start > 0:
            yield page[page.find(b"{", start) : page.find(b"</script", start)]
    yield b'{"dataFeedElement": [{"item": [{"@type": "ClaimReview", "claimReviewed": "A", "name": "T"}]}]}'
    yield b'{"claims": [{"text": "A", "claimant": "B", "claimReview": [{"publisher": {"name": "C"}, "textualRating": "False"}]}]}'


def _pages() -> Iterator[bytes]:
    yield from _lines_of("tests/pages/*.html")
    for path in sorted((ROOT / "tests" / "pages").glob("*.html")):
        yield path.read_bytes()


def _tables() -> Iterator[bytes]:
    yield from _lines_of("lab/tests/layouts/**/*.tsv", "lab/tests/layouts/**/*.csv")
    yield b"claim,title,rating,url,published\nGarlic cures flu,No,False,https://a.example/1,2020-05-01\n"
    yield b'claim;rating\n"a;b ""c""";Falsch\n'


def _sets() -> Iterator[bytes]:
    yield from _lines_of("lab/tests/layouts/checkthat-*/**/*.*", "lab/tests/layouts/factchecktweet/*", "lab/tests/layouts/known-lie/**/*.*")


def _archives() -> Iterator[bytes]:
    check = next(_checks())
    yield _zipped({"a.jsonl": check, "b/c.csv": b"claim,rating\nx,False\n", "../../d.html": b"<title>T</title><p>word word</p>"})
    yield gzip.compress(check)
    yield _zipped({"data/tweets.js": b'window.YTD.tweets.part0 = [{"tweet": {"id": "1", "full_text": "x"}}]'})


def _members() -> Iterator[bytes]:
    yield from (b"a.jsonl\n" + seed for seed in _checks())
    yield from (b"b.html\n" + seed for seed in _pages())


def _dates() -> Iterator[bytes]:
    yield from (str(record[name]).encode() for record in demo.checks() for name in ("published", "claimed_on") if record.get(name))
    for said in ("17. Mai 2020", "May 17th, 2020", "2020-05-17T10:00:00+02:00", "17/05/2020", "Wed Oct 10 20:19:24 +0000 2018",
                 "1407605414", "el 3 de marzo de 2021", "2020年5月1日", "١٧ مايو ٢٠٢٠"):  # fmt: skip
        yield said.encode()


def _ratings() -> Iterator[bytes]:
    yield from (f"{record['rating']}\n{record.get('publisher', '')}\n5".encode() for record in demo.checks())
    yield b"3\n1\n5"
    yield b"Pants on Fire!\nPolitiFact\n6"


def _speeches() -> Iterator[bytes]:
    yield from _lines_of("src/twicetold/demo/transcripts/*.tsv", "lab/tests/layouts/checkthat-2021-task2b/transcripts/*")
    yield b"1\n00:00:01,000 --> 00:00:03,500\nANN: Garlic <i>cures</i> it.\n\n2\n00:00:04,000 --> 00:00:05,000\nNo.\n"
    yield b"WEBVTT - x\n\nNOTE y\n\n1\n00:01.000 --> 00:02.000 line:0\n<v Ann>Garlic cures it.</v>\n"
    yield b"ANN: Garlic cures it.\nBOB (off): It does not.\n"
    yield b'{"lines": [{"speaker": "A", "text": "x", "start": 1.5}]}\n{"text": "y", "speaker": "B"}\n'


def _posts() -> Iterator[bytes]:
    yield from _lines_of("src/twicetold/demo/posts.jsonl", "lab/tests/layouts/mythqa/**/*.json*", "lab/tests/layouts/reading/**/*.json*")
    yield b'{"data": [{"id": "1", "text": "x", "author_id": "2", "created_at": "2020-05-01T10:00:00.000Z"}], "includes": {"users": []}}'
    yield b'{"id_str": "1", "full_text": "x", "user": {"screen_name": "a"}, "created_at": "Wed Oct 10 20:19:24 +0000 2018"}'
    yield b'{"id": "1", "content": "<p>x</p>", "account": {"acct": "a"}, "uri": "https://m.example/1", "visibility": "public"}'
    yield b'{"orderedItems": [{"type": "Create", "object": {"type": "Note", "id": "1", "content": "<p>x<br>y</p>"}}]}'
    yield b'{"uri": "at://did:plc:1/app.bsky.feed.post/1", "record": {"$type": "app.bsky.feed.post", "text": "x", "createdAt": "2023"}}'
    yield b'{"did": "did:plc:1", "kind": "commit", "commit": {"operation": "create", "rkey": "1", "record": {"text": "x"}}}'
    yield b'window.YTD.tweets.part0 = [{"tweet": {"id": "1", "full_text": "x", "created_at": "Wed Oct 10 20:19:24 +0000 2018"}}]'
    yield b"id,text,lang\n1,x,en\n"


def _questions() -> Iterator[bytes]:
    yield from (f"Did {record['text'][:200]}?".encode() for record in demo.queries())
    yield from (b"Who won which states?", b"In 2019, did NPR refuse?", b"Isn't it?", b"What is?")


def _claims() -> Iterator[bytes]:
    yield from _lines_of("src/twicetold/demo/queries-*.jsonl")
    yield b'{"query": {"id": "1", "text": "x"}, "matches": []}\n'


def _texts() -> Iterator[bytes]:
    yield from (record["text"].encode() for record in demo.queries())
    for said in (
        "RT @a: see https://t.co/x1 #tag 🙂",
        "大蒜可以治疗流感。真的吗？",
        "الثوم يعالج الإنفلونزا",
        "Mr. Smith paid $3.5 bn. He did!",
    ):
        yield said.encode()


def _links() -> Iterator[bytes]:
    yield from (str(record["url"]).encode() for record in demo.checks() if record.get("url"))
    yield b"https://youtu.be/abc?si=1 http://m.facebook.com:80/story.php?id=7&utm_source=x#top www.[::1]/%zz"


def _values() -> Iterator[bytes]:
    yield from _checks()
    yield from _claims()
    yield b'{"query": {"id": "1", "text": "x"}, "matches": [{"doc": {"id": "a"}, "score": 1}], "decision": {"lane": "matched"}}'


def _runs() -> Iterator[bytes]:
    yield b"q1 Q0 d1 1 0.5 run\nq1 Q0 d2 2 0.25 run\n"
    yield b'{"format": 1, "run": "r", "corpus": 3, "provenance": {}}\n{"query": "q", "text": "t", "docs": [["d", 0.5]]}\n'
    yield from _lines_of("src/twicetold/demo/qrels-*.txt")


def _results() -> Iterator[bytes]:
    for path in sorted((ROOT / "results").glob("*.toml")):
        yield path.read_bytes()[:LONGEST]
    yield b'[[result]]\nname = "a"\ncommand = "twicetold"\nscores = {MAP = 0.5}\n'


TARGETS: dict[str, Target] = {
    "any source": Target(fact_checks, _checks, 40),
    "json": Target(partial(fact_checks, format="claimreview"), _checks, 60),
    "jsonl": Target(partial(fact_checks, format="jsonl"), _checks, 60),
    "csv": Target(partial(fact_checks, format="csv"), _tables, 50),
    "tsv": Target(partial(fact_checks, format="tsv"), _tables, 30),
    "page": Target(partial(fact_checks, format="page"), _pages, 20),
    "checkthat2020": Target(partial(fact_checks, format="checkthat2020"), _sets, 10),
    "checkthat2021-2a": Target(partial(fact_checks, format="checkthat2021-2a"), _sets, 10),
    "checkthat2021-2b": Target(partial(fact_checks, format="checkthat2021-2b"), _sets, 10),
    "factchecktweet": Target(partial(fact_checks, format="factchecktweet"), _sets, 10),
    "snopes-table": Target(partial(fact_checks, format="snopes-table"), _sets, 10),
    "politifact-table": Target(partial(fact_checks, format="politifact-table"), _sets, 10),
    "archive": Target(archive, _archives, 30),
    "packed": Target(packed, _members, 10),
    "dates": Target(dated, _dates, 100, 100),
    "ratings": Target(rated, _ratings, 60, 200),
    "speech tsv": Target(partial(speech, format="tsv"), _speeches, 20),
    "speech dialogue": Target(partial(speech, format="dialogue"), _speeches, 20),
    "speech srt": Target(partial(speech, format="srt"), _speeches, 20),
    "speech vtt": Target(partial(speech, format="vtt"), _speeches, 20),
    "speech json": Target(partial(speech, format="json"), _speeches, 20),
    "speech": Target(partial(speech, format=None), _speeches, 20),
    "posts json": Target(partial(posts, name="posts.json"), _posts, 60),
    "posts csv": Target(partial(posts, name="posts.csv"), _posts, 20),
    "posts archive": Target(partial(posts, name="posts.zip"), _archives, 10),
    "screen jsonl": Target(partial(screened, name="posts.jsonl"), _posts, 20),
    "screen csv": Target(partial(screened, name="posts.csv"), _posts, 10),
    "question": Target(asked, _questions, 60, 400),
    "claims": Target(claimed, _claims, 40),
    "text": Target(worded, _texts, 40, 500),
    "language": Target(told_language, _texts, 10, 500),
    "links": Target(linked, _links, 50, 400),
    "values": Target(valued, _values, 20),
    "run trec": Target(partial(ran, name="run.txt"), _runs, 10),
    "run jsonl": Target(partial(ran, name="run.jsonl"), _runs, 10),
    "qrels": Target(judged, _runs, 10),
    "results": Target(recorded, _results, 10),
}
"""Every parser of foreign input, by name. The shares are thousandths, more or less."""


# --- files to read from


class _file:
    """A file of this content, gone afterwards."""

    def __init__(self, name: str, content: bytes) -> None:
        self._path = _place() / name
        self._content = content

    def __enter__(self) -> Path:
        self._path.write_bytes(self._content)
        return self._path

    def __exit__(self, *_: object) -> None:
        self._path.unlink()


@cache
def _place() -> Path:
    # In memory where there is such a place: a million files are written.
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if os.access(memory, os.W_OK) else None))


def _zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for name, content in members.items():
            made.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("\x00", "")[:100] or "a.json"


def check(name: str, raw: bytes) -> None:
    """Give one input to a target, as the fuzzer does; what it raises is a crash."""
    TARGETS[name].run(raw)


if __name__ == "__main__":
    check(sys.argv[1], Path(sys.argv[2]).read_bytes())
