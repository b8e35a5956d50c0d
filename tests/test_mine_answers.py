"""Answers: one for all its spellings, the likeliest first."""

import pytest

from twicetold.mine.answers import before_gap, collect, edits, found_in, is_usable, same
from twicetold.mine.generative import GenerativeReader
from twicetold.mine.protocols import Span
from twicetold.types import Match, Post


def found(*spellings, retrieval=0.9, score=3.0):
    return [
        one
        for at, words in enumerate(spellings)
        for one in found_in(Match(Post(f"p{at}-{words}", words), 1.0), [Span(words, 0, len(words), score)], retrieval)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the USA", "America"),
        ("U.S.", "United States"),
        ("WHO", "World Health Organization"),
        ("Edison", "Thomas Edison"),
        ("Thomas Edisson", "Thomas Edison"),
        ("mosquitos", "Mosquito"),
        ("hot baths", "a hot bath"),
        ("Göbel", "Heinrich Goebel"),
        ("St Brendan", "Saint Brendan"),
        ("vit C", "vitamin C"),
        ("Leif", "Leif Erikson"),
        ("Swan", "Joseph Swan of Sunderland"),
    ],
)
def test_spellings_of_one_answer_are_the_same_either_way_round(one, other):
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Iran", "Iraq"), ("Austria", "Australia"), ("10 people", "11 people"), ("male", "female"), ("garlic", "hot baths")]
)
def test_different_answers_stay_apart(one, other):
    assert not same(one, other)


def test_an_answer_goes_by_its_full_name_and_keeps_its_spellings():
    answers = collect(found("Edison", "Thomas Edison", "edison", "Joseph Swan"), "Who invented the light bulb?", most=5)
    assert [answer.text for answer in answers] == ["Thomas Edison", "Joseph Swan"]
    assert set(answers[0].spellings) == {"Edison", "Thomas Edison", "edison"}


def test_more_posts_make_an_answer_likelier():
    answers = collect([*found("garlic", retrieval=0.4), *found("rum", "rum ", "the rum", retrieval=0.4)], "What cures it?", most=5)
    assert [answer.text for answer in answers] == ["rum", "garlic"]
    # Three posts of 0.4 · 1 / (1 + e^-3) each: 1 - (1 - 0.381)³.
    assert answers[0].score == pytest.approx(1 - (1 - 0.4 / (1 + 2.718281828**-3)) ** 3)


def test_words_of_the_question_and_pronouns_answer_nothing():
    assert not is_usable("covid", {"covid", "spread"})
    assert not is_usable("they", set())
    assert not is_usable("a very long story about six words", set())
    assert is_usable("shoes", {"covid", "spread"})


def test_answers_end_at_the_widest_gap():
    assert before_gap([0.9, 0.85, 0.8, 0.2, 0.15]) == 3
    assert before_gap([0.9, 0.88, 0.86, 0.84]) == 4
    assert before_gap([0.5]) == 1
    assert before_gap([]) == 0


@pytest.mark.parametrize(
    ("one", "other", "count"), [("abc", "abc", 0), ("abc", "acb", 1), ("abcd", "abxd", 1), ("kitten", "sitting", 3), ("", "ab", 2)]
)
def test_edits_count_a_swap_as_one(one, other, count):
    assert edits(one, other) == count


def test_a_generated_answer_counts_only_if_the_post_says_it():
    reader = GenerativeReader(lambda question, text: [("garlic", -0.1), ("Hot baths", -0.3), ("vaccines", -0.2), ("rum", -9.0)])
    [spans] = reader.answers("What prevents it?", ["take HOT  baths and garlic, with rum"])
    assert [span.words for span in spans] == ["garlic", "HOT  baths"]
    assert all("take HOT  baths and garlic, with rum"[span.start : span.end] == span.words for span in spans)


def test_what_denies_or_was_asked_about_by_another_name_answers_nothing():
    answers = collect(found("no evidence", "there isn't any", "coronavirus", "banknotes"), "What can spread COVID-19?", most=5)
    assert [answer.text for answer in answers] == ["banknotes"]


def test_answers_that_go_by_one_name_are_one_answer():
    answers = collect(found("5G masts", "5G mast", "masts", "5g masts near us", "phone masts"), "What spreads it?", most=9)
    assert len({answer.text.lower() for answer in answers}) == len(answers)
