"""The targets of `make fuzz` without a fuzzer: on their own seeds, and on every input that once broke a parser."""

from __future__ import annotations

import base64

import pytest

from fuzz.targets import TARGETS

DAMAGED = base64.b64decode(
    "UEsDBBQAAAAAAAAAIQBg0m2cRAAAAEQAAAAOAAAAZGF0YS90d2VldHMuanN3aW5kb3cuWVRELnR3ZWV0cy5wYXJ0MCA9IFt7InR3ZWV0IjogeyJpZCI6ICIxIiwgImZ1"
    "bGxfdGV4dCI6ICJ4In19XVBLAQIUAxQAAAAAAAAAIQBg2m2cRAAAAEQAAAAOAAAAAAAAAAAAAACAAQAAAABkYXRhL3R3ZWV0cy5qc1BLBQYAAAAAAQABADwAAABwAAAA"
    "AAA="
)
"""A zip archive whose one member is not what its checksum says."""

NAMELESS = base64.b64decode(
    "UEsDBBQAAAAAAAAAIQBg0m2cRAAAAEQAAAAOAAAAZGF0YS90d31dUEsBAhQDFAAAAAAAAAAhAGDSbZxEAAAARAAAAAAAAAAOAAAAAAAAAAGAAAAAAGRhdGEvdHdlZXRz"
    "LmpzUEsFBgAAAAABAAEAPAAAAHAAAAAAAA=="
)
"""A zip archive whose one member has no name."""

BROKE = [
    ("dates", b"Wed Oct 10 20:19:24 +0000 0218"),
    ("dates", b"0001-01-01T00:00:00+14:00"),
    ("dates", b"Wed, 1 Jan 2020 10:00:00 +99999999999999"),
    ("any source", b"vclaim\ttitle\nGarlic cures\tGarlic\n"),
    ("page", b'<h1>Lists halved?</h1><div class="masthead">Us</div>\x01tail<p>The lists have not halved in two years.</p>'),
    ("page", b'<h1>Lists halved?</h1><div class="masthead">Us</div>&#1;tail<p>The lists have not halved in two years.</p>'),
    ("speech tsv", b"0001\x1c\tANN\tThe lists have halved.\n"),
    ("speech tsv", b"1" * 5_000 + b"\tANN\tThe lists have halved.\n"),
    ("posts json", b"[" * 100_000),
    ("posts json", b'{"a": ' * 100_000),
    ("posts json", b'{"id": "1", "text": "x"}\n' + b'{"a":' * 100_000),
    ("posts json", b'{"text": "\\ud800"}'),
    ("posts json", b'{"text": "x", "id": "\\ud800"}'),
    ("posts csv", b'id,text\n1,"' + b"x" * 200_000),
    ("posts csv", b"id,text\n1,x\x00y\n"),
    ("archive", NAMELESS),
    ("posts archive", NAMELESS),
    ("posts archive", DAMAGED),
    ("archive", DAMAGED.replace(b"data/tweets.js", b"data/twee.json")),
    ("archive", DAMAGED.replace(b"data/tweets.js", b"data/twee.json").replace(b"window", b"\xff\xfei\x00d\x00")),
    ("claims", b"{" * 100_000),
    ("claims", b'{"a":' * 100_000),
    ("claims", b'{"text": "\\ud800"}'),
    ("claims", b'{"query": 1}'),
    ("claims", b'{"text": "x", "context": 1}'),
    ("speech json", b"[" * 100_000),
    ("speech json", b'{"lines": 1}'),
    ("speech srt", b"1\n" + b"1" * 5_000 + b":00:01,000 --> 00:00:02,000\nThe lists have halved.\n"),
    ("speech json", b"null"),
    ("speech json", b"1"),
    ("screen jsonl", b'{"a":' * 100_000),
    ("screen jsonl", b'{"text": "\\ud800"}'),
    ("screen csv", b"id,text\n1,x\x00y\n"),
    ("screen csv", b'"' + b"x" * 200_000),
    ("speech json", b'{"text": "\\ud800", "speaker": "\\udfff"}'),
    ("values", b"[]"),
    ("values", b'["id", "text"]'),
    ("values", b'{"id": "1", "text": "x", "matches": [], "score": ' + b"9" * 400 + b"}"),
    ("values", b'{"query": {"kind": "claim", "id": "1", "text": "x"}, "matches": [{"doc": {"id": "a"}, "score": ' + b"9" * 400 + b"}]}"),
    ("values", b'{"id": "1", "appearances": 1}'),
    ("run jsonl", b"[]"),
    ("run jsonl", b'{"format": 1}'),
    ("run jsonl", b"{" * 100_000),
    ("run trec", b"q Q0 d 1 nan r\nq Q0 d 1 nan r\n"),
    ("run trec", b"\xff\xfe"),
    ("qrels", b"q 0 d 1e999\n"),
    ("results", b"\xff"),
    ("results", b"result = 1"),
    ("results", b"result = [1]"),
    ("results", b'[[result]]\nname = "a"\ncommand = "b"\nscores = 1\ndata = 3\n'),
    ("results", b"a=" + b"[" * 100_000),
]
"""Found by fuzzing or thought of while reading the code; each broke its parser, or might have."""


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_is_read_or_refused(name):
    target = TARGETS[name]
    seeds = list(target.seeds())
    assert seeds
    for seed in seeds[::4]:
        target.run(seed[: target.longest])


@pytest.mark.parametrize(("name", "raw"), BROKE, ids=lambda value: str(value)[:40])
def test_what_once_broke_a_parser_is_read_or_refused(name, raw):
    TARGETS[name].run(raw)


def test_every_format_that_ingest_names_is_fuzzed():
    from twicetold.ingest import FORMATS
    from twicetold.ingest.transcripts import FORMATS as SPEECHES

    alike = {"claimreview": "json", "claims-search": "json"}  # one reader
    assert {alike.get(name, name) for name in FORMATS} <= set(TARGETS)
    assert {f"speech {name}" for name in SPEECHES} <= set(TARGETS)
