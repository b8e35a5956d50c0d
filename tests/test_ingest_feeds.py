"""JSON of any size, record by record: feeds, broken feeds, feeds that end in the middle."""

import io
import json
import tracemalloc

import pytest

from twicetold.errors import BadData
from twicetold.ingest import Intake, Problem, read
from twicetold.types import FactCheck


def item(number: int, **more) -> dict:
    review = {
        "@type": "ClaimReview",
        "claimReviewed": f"Claim number {number}.",
        "url": f"https://desk.example/{number}",
        "author": {"@type": "Organization", "name": "Desk"},
        "reviewRating": {"@type": "Rating", "alternateName": "False"},
        "inLanguage": "en",
    }
    return {"@type": "DataFeedItem", "item": [review | more]}


def feed(items: list) -> str:
    return json.dumps({"@context": "https://schema.org", "@type": "DataFeed", "dataFeedElement": items, "dateModified": "2024"})


def claims(text: str | bytes) -> list[str | Problem]:
    raw = text if isinstance(text, bytes) else text.encode()
    return [record if isinstance(record, Problem) else record.claim for record in read(io.BytesIO(raw))]


def test_a_data_feed_gives_its_records_in_order():
    assert claims(feed([item(1), item(2), item(3)])) == ["Claim number 1.", "Claim number 2.", "Claim number 3."]


def test_a_feed_item_may_hold_one_review_without_a_list():
    one = item(1)
    assert claims(feed([{"@type": "DataFeedItem", "item": one["item"][0]}])) == ["Claim number 1."]


def test_a_feed_item_without_a_review_is_a_problem_with_its_place():
    [good, bad] = claims(feed([item(1), {"@type": "DataFeedItem", "item": {"@type": "Thing"}}]))
    assert good == "Claim number 1."
    assert bad.place == "standard input, record 2"


def test_a_search_response_is_read():
    review = {"publisher": {"name": "Desk"}, "url": "https://desk.example/1", "textualRating": "False", "languageCode": "en"}
    assert claims(json.dumps({"claims": [{"text": "Frogs rained.", "claimReview": [review]}], "nextPageToken": "x"})) == ["Frogs rained."]


def test_a_list_of_records_with_named_columns_is_read():
    assert claims('[{"claim": "Frogs rained."}, {"title": "Did it hail?"}]') == ["Frogs rained.", ""]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"Claim number 2."', '"Claim number 2.",'),
        ('"Claim number 2."', '"Claim number 2." /* checked */'),
        ('"Claim number 2."', '"Claim number 2.\n"'),
        ('"Claim number 2."', '"Claim number 2.\t"'),
    ],
    ids=["doubled comma", "comment", "line break in a text", "tab in a text"],
)
def test_plain_damage_is_mended(good, bad):
    assert claims(feed([item(1), item(2), item(3)]).replace(good, bad)) == ["Claim number 1.", "Claim number 2.", "Claim number 3."]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"Claim number 2."', "@"),
        ('"Claim number 2."', '"Claim number 2.'),
        ('"Claim number 2."', 'Claim number 2."'),
        ('"False"}, "inLanguage": "en"}]}, {"@type": "DataFeedItem"', '"False", "inLanguage": "en", {"@type": "DataFeedItem"'),
    ],
    ids=["no value", "no closing quote", "no opening quote", "brackets never closed"],
)
def test_a_broken_record_is_reported_with_its_place_and_costs_no_other(good, bad):
    text = feed([item(1), item(2), item(3), item(4)])
    start = text.index("Claim number 2.") - 1
    assert good in text[start:]
    read = claims(text[:start] + text[start:].replace(good, bad, 1))
    assert [record for record in read if isinstance(record, str)] == ["Claim number 1.", "Claim number 3.", "Claim number 4."]
    [problem] = [record for record in read if isinstance(record, Problem)]
    assert problem.place == "standard input, record 2"
    assert "not JSON" in problem.reason


def test_a_record_with_bytes_that_are_not_utf8_is_reported_and_costs_no_other():
    raw = feed([item(1), item(2), item(3)]).encode().replace(b"Claim number 2", b"Claim \xff number 2")
    first, problem, third = claims(raw)
    assert (first, third) == ("Claim number 1.", "Claim number 3.")
    assert "not UTF-8" in problem.reason


def test_a_feed_cut_off_anywhere_gives_every_whole_record_and_then_a_problem():
    text = feed([item(1), item(2), item(3)])
    ends = [text.index(f'"Claim number {n}."') for n in (1, 2, 3)]
    for cut in range(ends[0], len(text) - 40):
        *good, problem = claims(text[:cut])
        whole = text[:cut].count('"en"}]}')
        assert good == [f"Claim number {n}." for n in range(1, whole + 1)]
        assert "cut off" in problem.reason


def test_what_is_no_json_at_all_is_reported_once():
    [problem] = read(io.BytesIO(b"{nonsense"))
    assert "not JSON" in problem.reason or "cut off" in problem.reason


def test_records_of_a_feed_larger_than_memory_are_streamed():
    class Endless(io.RawIOBase):
        """A feed of forty megabytes that is never there as a whole."""

        def __init__(self):
            self.parts = self.written()
            self.waiting = b""

        def written(self):
            yield b'{"@type": "DataFeed", "dataFeedElement": ['
            for number in range(1_000):
                yield (json.dumps(item(number, reviewBody="word " * 8_000)) + ",\n").encode()
            yield b"]}"

        def readable(self):
            return True

        def readinto(self, buffer):
            self.waiting = self.waiting or next(self.parts, b"")
            given, self.waiting = self.waiting[: len(buffer)], self.waiting[len(buffer) :]
            buffer[: len(given)] = given
            return len(given)

    tracemalloc.start()
    count = sum(isinstance(record, FactCheck) for record in read(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1_000
    assert peak < 20_000_000


def test_an_intake_stops_at_the_first_problem_and_says_how_to_go_on():
    intake = Intake(read(io.BytesIO(b'[{"claim": "Frogs rained."}, {"id": "2"}, {"claim": "It hailed."}]')))
    seen = []
    with pytest.raises(BadData, match=r"record 2: .*skip_broken=True"):
        seen.extend(check.claim for check in intake)
    assert intake.report.read == 1


def test_an_intake_that_skips_broken_records_counts_them_and_unreadable_dates():
    records = b'[{"claim": "Frogs rained.", "published": "some day"}, {"id": "2"}, {"claim": "It hailed.", "published": "2020-01-01"}]'
    intake = Intake(read(io.BytesIO(records)), skip_broken=True)
    assert [check.claim for check in intake] == ["Frogs rained.", "It hailed."]
    assert (intake.report.read, intake.report.broken, intake.report.unreadable_dates) == (2, 1, 1)
    assert intake.report.unreadable_date == "some day"
    assert intake.report.problems[0].place == "standard input, record 2"


def test_json_lines_read_named_columns_claimreview_and_our_own_form_side_by_side():
    lines = [
        {"claim": "Frogs rained.", "verdict": "Fake"},
        item(2),
        {"kind": "fact-check", "id": "x-1", "claim": "It hailed.", "verdict": "misleading", "rating": "Hm", "other": {"desk": "north"}},
    ]
    first, second, third = read(io.BytesIO("\n".join(map(json.dumps, lines)).encode()))
    assert (first.rating, first.verdict.value) == ("Fake", "false")
    assert second.claim == "Claim number 2."
    assert (third.id, third.verdict.value, third.other) == ("x-1", "misleading", {"desk": "north"})


def test_a_broken_line_of_json_lines_is_reported_with_its_number():
    raw = b'{"claim": "One."}\n{"claim": \n\n{"claim": "T\xffo."}\n{"claim": "Three."}\n'
    first, broken, wrong, last = read(io.BytesIO(raw))
    assert (first.claim, last.claim) == ("One.", "Three.")
    assert (broken.place, wrong.place) == ("standard input, line 2", "standard input, line 4")
    assert "0xff" in wrong.reason
