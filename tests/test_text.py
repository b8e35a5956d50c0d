from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.text import language, sentences, tidy, unpost, words


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(st.text())
def test_no_text_breaks_the_analysis(text):
    for lang in ("en", "zh", "es", "xx"):
        assert all(word and not word.isspace() for word in words(text, lang))
    assert words(text, analysis="plain") == words(text, "fr", analysis="plain")
    language(text), unpost(text), tidy(text)


@given(st.text())
def test_sentences_follow_each_other_and_cover_every_visible_character(text):
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It rained. It poured.", ["It rained.", "It poured."]),
        ("Dr. Smith of the U.S. Army spoke. He left.", ["Dr. Smith of the U.S. Army spoke.", "He left."]),
        ("“It is false!” she said. Why?", ["“It is false!”", "she said.", "Why?"]),
        ("It cost $3.5 million. Yes.", ["It cost $3.5 million.", "Yes."]),
        ("这是假的。没有证据！", ["这是假的。", "没有证据！"]),
        ("One line\nanother line", ["One line", "another line"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, wanted):
    assert cut(text) == wanted


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [("en", "vaccines", "vaccine"), ("es", "vacunas", "vacuna"), ("fr", "vaccinations", "vaccination"), ("de", "Impfungen", "Impfung")],
)
def test_inflected_words_meet_in_their_language(lang, one, other):
    assert words(one, lang) == words(other, lang)


def test_accents_and_case_do_not_matter():
    assert words("VACUNACIÓN", "es") == words("vacunacion", "es")


def test_chinese_is_cut_into_words():
    assert "疫苗" in words("新冠疫苗会改变人的基因", "zh")


def test_words_that_carry_a_claim_are_kept_though_short():
    assert words("WHO did not say no to US", "en") == ["who", "did", "not", "say", "no", "us"]


def test_a_post_becomes_plain_words():
    assert unpost("RT @BillGates: #StopTheSteal2020 is real http://t.co/abc") == "Bill Gates: Stop The Steal 2020 is real"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Drinking bleach does not cure the disease", "en"),
        ("La vacuna contra el coronavirus contiene microchips", "es"),
        ("Le vaccin contient une puce électronique", "fr"),
        ("新冠疫苗会改变人的基因", "zh"),
        ("?!", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_claim_is_named(text, lang):
    assert language(text) == lang
