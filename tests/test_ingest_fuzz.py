"""Whatever bytes come, readers give fact-checks and problems, or one of our own errors; never anything else."""

import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twicetold.errors import TwicetoldError
from twicetold.ingest import FORMATS, Problem, read
from twicetold.types import FactCheck, from_json, to_json

WORDS = (
    '{ } [ ] " , : \\ \\ud83d < > &quot; // /* 1e999 NaN null "x" vclaim 年 "@type" "ClaimReview" "claimReviewed" "claimReview" '
    '"dataFeedElement" "claims" "@graph" "item" "itemReviewed" "author" "reviewRating" '
    '"appearance" "datePublished" "other" <html> </script> <h1>T</h1>'
)
PHRASES = (
    "claim,title\n",
    "claim\trating\n",
    "<script type='application/ld+json'>",
    "<p>word word word word word word</p>",
    "<div itemscope itemtype='ClaimReview'>",
    "<span itemprop='url'>",
)
BYTES = (b"\n", b"\r", b"\t", b"\x00", b"\xff", b"\xed\xa0\x80", b"\x1f\x8b", b"PK\x03\x04", b"\xef\xbb\xbf", b"\xff\xfe")
PIECES = st.sampled_from([piece.encode() for piece in (*WORDS.split(), *PHRASES)] + list(BYTES))
SOUP = st.one_of(st.binary(max_size=400), st.lists(PIECES, max_size=60).map(b"".join))
NAMES = (
    "@type @id @graph claimReviewed itemReviewed author name url claim appearances claimReview reviewRating text other kind item "
    "dataFeedElement inLanguage additionalProperty value"
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["ClaimReview", "fact-check"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=6),
    max_leaves=25,
)


def records(raw: bytes, format: str | None = None) -> list[FactCheck | Problem]:
    try:
        return list(read(io.BytesIO(raw), format=format))
    except TwicetoldError:
        return []


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(raw=SOUP)
def test_any_bytes_are_read_or_refused(raw):
    for record in records(raw):
        assert isinstance(record, FactCheck | Problem)


@pytest.mark.parametrize("format", sorted(FORMATS))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(raw=SOUP)
def test_any_bytes_under_any_format_are_read_or_refused(format, raw):
    for record in records(raw, format):
        assert isinstance(record, FactCheck | Problem)


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(value=JSON)
def test_any_json_gives_fact_checks_that_can_be_stored_and_sent(value):
    for record in records(json.dumps(value).encode()):
        if isinstance(record, FactCheck):
            assert record.claim or record.title
            sent = json.dumps(to_json(record), ensure_ascii=False).encode("utf-8")
            assert from_json(FactCheck, json.loads(sent)) == record


@settings(deadline=None, max_examples=100)
@given(claims=st.lists(st.text(min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=6), cut=st.integers(min_value=0))
def test_a_truncated_feed_loses_only_the_record_it_was_cut_in(claims, cut):
    elements = [json.dumps({"@type": "DataFeedItem", "item": [{"@type": "ClaimReview", "claimReviewed": c, "name": "T"}]}) for c in claims]
    text = ('{"dataFeedElement": [' + ",".join(elements) + "]}").encode()
    end = cut % len(text)
    ends = [len(('{"dataFeedElement": [' + ",".join(elements[: n + 1])).encode()) for n in range(len(elements))]
    whole = sum(place <= end for place in ends)
    assert sum(isinstance(record, FactCheck) for record in records(text[:end])) == whole


def test_json_nested_without_end_is_refused_and_not_a_crash():
    [problem] = read(io.BytesIO(b'{"a": ' * 100_000))
    assert isinstance(problem, Problem)


def test_html_nested_without_end_is_read_and_not_a_crash():
    [check] = read(
        io.BytesIO(b"<html lang=en><title>Deep frogs</title>" + b"<div>" * 50_000 + b"<p>They did not rain over Naples at all.</p>")
    )
    assert check.title == "Deep frogs"
