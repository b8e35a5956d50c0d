"""What is exported is read back as it was."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twicetold.export import COLUMNS, WRITERS, claim_review, write_claimreview, write_csv, write_jsonl
from twicetold.ingest import read
from twicetold.ingest.columns import check_of
from twicetold.types import FactCheck, Verdict

CHECK = FactCheck(
    "x-1",
    claim='Frogs "rained" & hailed.',
    claimant="Ana Ruiz",
    claimed_on="2020-04-30",
    appearances=("https://posts.example/1", "https://posts.example/2?a=1,2"),
    title="Did frogs rain?",
    body="No.\nThey <b>jumped</b>; 3 < 4 &amp; so on.",
    rating="Mostly False",
    verdict=Verdict.FALSE,
    url="https://desk.example/1",
    publisher="Desk",
    published="2020-05-01",
    lang="en",
    other={"author": "Tom"},
)

TEXT = st.text(max_size=30)
LINK = st.integers(0, 99).map(lambda number: f"https://posts.example/{number}")
DAY = st.dates().map(lambda day: day.isoformat()) | st.sampled_from(["", "some day"])
RECORDS = st.fixed_dictionaries(
    {"claim": st.text(min_size=1, max_size=30).map(lambda text: f"A {text}")},
    optional={
        "id": TEXT, "title": TEXT, "body": TEXT, "rating": TEXT, "url": LINK, "publisher": TEXT, "published": DAY, "claimant": TEXT,
        "claimed_on": DAY, "appearances": st.lists(LINK | TEXT, max_size=3), "lang": st.sampled_from(["en", "es-ES", "", "Klingon"]),
        "desk": TEXT, "verdict": st.sampled_from(Verdict).map(str), "kind": st.just("fact-check"),
    },
)  # fmt: skip


def exported(checks, format):
    stream = io.StringIO(newline="")
    WRITERS[format](checks, stream)
    return stream.getvalue()


def again(checks, format):
    return list(read(io.BytesIO(exported(checks, format).encode())))


@pytest.mark.parametrize("format", WRITERS)
def test_a_fact_check_comes_back_as_it_went(format):
    assert again([CHECK, FactCheck("x-2", title="Only a title, in English", lang="en")], format) == [
        CHECK,
        FactCheck("x-2", title="Only a title, in English", lang="en"),
    ]


@pytest.mark.parametrize("format", WRITERS)
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(record=RECORDS)
def test_any_fact_check_that_was_ingested_comes_back_as_it_went(format, record):
    [check] = again([check_of(record)], "jsonl")
    assert again([check], format) == [check]


@pytest.mark.parametrize("format", WRITERS)
def test_every_writer_tells_how_many_it_wrote(format):
    assert WRITERS[format]([CHECK, CHECK], io.StringIO()) == 2


def test_the_claimreview_feed_is_schema_org_json_that_others_can_read():
    stream = io.StringIO()
    write_claimreview([CHECK], stream)
    [element] = json.loads(stream.getvalue())["dataFeedElement"]
    [review] = element["item"]
    assert review["@type"] == "ClaimReview"
    assert review["reviewRating"] == {"@type": "Rating", "alternateName": "Mostly False"}
    assert review["itemReviewed"]["author"] == {"@type": "Person", "name": "Ana Ruiz"}
    assert review["author"] == {"@type": "Organization", "name": "Desk"}


def test_empty_members_are_left_out_of_a_claimreview():
    assert claim_review(FactCheck("x", claim="Frogs rained.")) == {
        "@type": "ClaimReview",
        "identifier": "x",
        "claimReviewed": "Frogs rained.",
    }


def test_a_verdict_that_the_rating_does_not_give_is_kept_beside_it():
    check = FactCheck("x", claim="Frogs rained.", rating="Hmm", verdict=Verdict.MIXED, lang="en")
    assert again([check], "claimreview") == [check]


def test_an_empty_collection_gives_a_valid_feed_and_a_table_of_only_a_header():
    assert json.loads(exported([], "claimreview"))["dataFeedElement"] == []
    assert next(csv.reader([exported([], "csv")])) == list(COLUMNS)
    assert exported([], "jsonl") == ""


def test_writers_take_fact_checks_as_they_come():
    def endless():
        yield CHECK
        raise KeyboardInterrupt

    for write in (write_jsonl, write_csv, write_claimreview):
        stream = io.StringIO()
        with pytest.raises(KeyboardInterrupt):
            write(endless(), stream)
        assert "x-1" in stream.getvalue()
