"""Damage and oddities met in the wild, each read as its publisher meant it."""

from __future__ import annotations

import io
import itertools
import json

import pytest

from twicetold.ingest import Intake, Problem, mend, read
from twicetold.ingest.captions import read_captions, seconds
from twicetold.ingest.verdict import verdict_of
from twicetold.scan.scanner import ScannedLine
from twicetold.scan.tracks import vtt
from twicetold.types import FactCheck, Line

REVIEW = {"@type": "ClaimReview", "claimReviewed": "Frogs rain", "url": "https://desk.example/frogs"}


def written(tmp_path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def checks(path) -> list[FactCheck]:
    return list(Intake(read(path)))


def test_a_verdict_column_in_capitals_holds_the_ratings(tmp_path):
    [check] = checks(written(tmp_path, "a.csv", "Claim,Verdict,Url\nFrogs rain,Mostly False,https://desk.example/1\n"))
    assert check.rating == "Mostly False"


def test_a_table_of_research_headers_is_read(tmp_path):
    header = "claimReview_claimReviewed,rating_alternateName,claimReview_url,claimReview_author_name,creativeWork_author_name,extra_title"
    [check] = checks(written(tmp_path, "a.csv", f"{header}\nFrogs rain,False,https://desk.example/1,The Desk,Ann,Do frogs rain?\n"))
    assert (check.claim, check.rating, check.url) == ("Frogs rain", "False", "https://desk.example/1")
    assert (check.publisher, check.claimant, check.title) == ("The Desk", "Ann", "Do frogs rain?")


def test_a_broken_record_on_one_line_is_mended_and_keeps_its_url():
    told = '{"claimReviewed": "He said "frogs rain"", "url": "https://desk.example/frogs", "reviewRating": {"alternateName": "False"}}'
    assert mend.loads(told) == {
        "claimReviewed": 'He said "frogs rain"',
        "url": "https://desk.example/frogs",
        "reviewRating": {"alternateName": "False"},
    }


@pytest.mark.parametrize("rating", [{"ratingValue": -1}, {"ratingValue": "-1", "bestRating": "-1", "worstRating": "-1"}])
def test_a_score_that_means_none_is_no_rating(tmp_path, rating):
    [check] = checks(written(tmp_path, "a.json", json.dumps([{**REVIEW, "reviewRating": {"@type": "Rating", **rating}}])))
    assert check.rating == ""


@pytest.mark.parametrize("empty", [None, {"@type": "DataFeedItem", "item": None}, {"@type": "DataFeedItem", "item": []}])
def test_an_empty_item_does_not_stop_a_feed(tmp_path, empty):
    feed = {"@type": "DataFeed", "dataFeedElement": [empty, {"@type": "DataFeedItem", "item": [REVIEW]}, empty]}
    [check] = checks(written(tmp_path, "a.json", json.dumps(feed)))
    assert check.claim == "Frogs rain"


def test_two_saved_pages_with_one_title_and_no_address_are_two(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, body in enumerate(["Frogs do not rain, we found on Monday.", "Cats do not rain, we found on Tuesday."]):
        page = f"<html><head><title>Fact check</title></head><body><article><h1>Fact check</h1><p>{body}</p></article></body></html>"
        written(folder, f"{number}.html", page)
    assert len({check.id for check in checks(folder)}) == 2


@pytest.mark.parametrize("kind", ["MusicEvent", "Product"])
def test_a_concert_or_a_product_is_no_fact_check(tmp_path, kind):
    block = json.dumps({"@type": kind, "name": "Frog Rain live", "url": "https://shop.example/1"})
    page = f'<html><head><script type="application/ld+json">{block}</script></head><body>Buy</body></html>'
    [told] = list(read(written(tmp_path, "a.html", page)))
    assert isinstance(told, Problem)
    assert "no fact-check" in told.reason


def captions(text: str) -> list[Line]:
    return [line for line in read_captions(enumerate(io.StringIO(text), start=1), "a.vtt") if isinstance(line, Line)]


def test_a_timing_line_without_a_blank_line_before_it_begins_a_caption():
    told = captions(
        "WEBVTT\n\n00:01.000 --> 00:02.000\nFrogs rain.\n00:03.000 --> 00:04.000\nCats do not.\n2\n00:05.000 --> 00:06.000\nDogs do.\n"
    )
    assert [(line.text, line.start) for line in told] == [("Frogs rain.", 1.0), ("Cats do not.", 3.0), ("Dogs do.", 5.0)]


def test_two_voices_in_one_caption_are_two_speakers():
    told = captions("WEBVTT\n\n00:01.000 --> 00:05.000\n<v Ann>Frogs rain.</v>\n<v Ben>They do not.</v>\n")
    assert [(line.speaker, line.text) for line in told] == [("Ann", "Frogs rain."), ("Ben", "They do not.")]


@pytest.mark.parametrize("kind", [list, iter])
def test_captions_that_are_written_never_overlap(kind):
    times = [(1.0, 5.0), (3.0, 6.0), (3.0, 3.2), (10.0, 12.0)]
    heard = [ScannedLine(number, Line("ANN", "Frogs rain.", *span), 0.5) for number, span in enumerate(times, start=1)]
    blocks = "".join(vtt(kind(heard)))
    shown = [tuple(map(seconds, line.split(" --> "))) for line in blocks.splitlines() if "-->" in line]
    assert len(shown) == len(times)
    assert all(start < end for start, end in shown)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(shown))


RATINGS = {
    "false": "Falsk|Usandt|Ложь|Фейк|Неправда|Nepravda|Lež|Ψευδές|Ψέμα|Fals|Hamis|Álhír|Lažno|Netačno|Невярно|Väärin|Epätosi|Falskt|"
    "Melaginga|Nepatiesi|Neresnica|Брехня|Лъжа|שקרי|דבר שקר|دروغ|نادرست|মিথ্যা|பொய்|తప్పుడు|ปลอม|เท็จ|Sai sự thật|Palsu|Uongo|Hindi totoo",
    "true": "Sandt|Правда|Pravda|Αληθές|Αλήθεια|Adevărat|Igaz|Sant|Totta|Tosi|Tiesa|Patiesība|Tačno|Istina|Вярно|נכון|درست|সত্য|உண்மை|నిజం|"
    "จริง|Kweli|Totoo",
    "misleading": "Vildledende|Вводит в заблуждение|Zavádějící|Παραπλανητικό|Înșelător|Félrevezető|Harhaanjohtava|Vilseledande|Klaidinanti|"
    "Maldinoši|Zavajajoče|Obmanjujuće|Подвеждащо|מטעה|گمراه کننده|বিভ্রান্তিকর|Manipulace|Без контекста",
    "unproven": "Udokumenteret|Не доказано|Neověřitelné|Αναπόδεικτο|Neoverené|Megalapozatlan|Todistamaton|Obekräftat|Neverificat",
    "mixed": "Delvist sandt|Полуправда|Polopravda|Μισή αλήθεια|Parțial adevărat|Részben igaz|Osittain totta|Delvis sant|Poluistina",
}


@pytest.mark.parametrize(("verdict", "rating"), [(verdict, word) for verdict, words in RATINGS.items() for word in words.split("|")])
def test_ratings_of_many_languages_are_understood(verdict, rating):
    assert verdict_of(rating).value == verdict
