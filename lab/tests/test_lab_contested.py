"""MythQA's measures, by hand: as the paper defines them, and as the released code computes them."""

import pytest

from twicetold.types import Question
from twicetold_lab.datasets.mythqa import Contested, GoldAnswer
from twicetold_lab.measures.contested import (
    Answer,
    f1_answers,
    f1_answers_legacy,
    f1_contro,
    f1_contro_legacy,
    hits,
    mhits,
    normalised,
)

MOON = Contested(
    Question("q", "What is the moon made of?"),
    "entity",
    "Moon",
    (GoldAnswer("green cheese", ("1", "2"), ("3",), ("9",)), GoldAnswer("the rock", ("4",), (), ())),
)
BRIDGE = Contested(
    Question("b", "Is the bridge closed?"),
    "yes-no",
    "Bridge",
    (GoldAnswer("yes", ("1",), ("2",), ()), GoldAnswer("no", ("2",), ("1",), ())),
)


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("text", ["The rock", "rock", "a  Rock!", "ROCK"])
def test_answers_are_equal_without_case_articles_and_punctuation(text):
    assert normalised(text) == normalised("the rock")


def test_f1_of_answers_counts_matches_among_predicted_and_gold():
    predicted = [Answer("Rock"), Answer("sand"), Answer("dust")]
    assert f1_answers(predicted, MOON) == pytest.approx(f1(1 / 3, 1 / 2))


def test_a_gold_answer_is_matched_once_but_the_released_code_counts_every_match():
    predicted = [Answer("rock"), Answer("the rock")]
    assert f1_answers(predicted, MOON) == pytest.approx(f1(1 / 2, 1 / 2))
    assert f1_answers_legacy(predicted, MOON) == pytest.approx(f1(2 / 2, 2 / 2))


def test_an_answer_earns_the_share_of_its_sides_that_have_gold_evidence():
    predicted = [Answer("green cheese", supporting=("2",), refuting=("7",))]
    assert f1_contro(predicted, MOON, e=1) == pytest.approx(f1((1 / 2) / 1, (1 / 2) / 2))


def test_evidence_beyond_the_first_e_posts_does_not_count():
    predicted = [Answer("green cheese", supporting=("7", "2"), refuting=("8", "3"))]
    assert f1_contro(predicted, MOON, e=1) == 0
    assert f1_contro(predicted, MOON, e=2) == pytest.approx(f1(1 / 1, 1 / 2))


def test_a_side_without_gold_evidence_is_not_asked_for():
    assert f1_contro([Answer("rock", supporting=("4",), refuting=("8",))], MOON, e=1) == pytest.approx(f1(1 / 1, 1 / 2))


def test_no_is_held_against_the_posts_that_refute_but_the_released_code_holds_it_against_those_for_yes():
    predicted = [Answer("yes", supporting=("1",)), Answer("no", supporting=("2",))]
    assert f1_contro(predicted, BRIDGE, e=1) == 1
    assert f1_contro_legacy(predicted, BRIDGE, e=1) == pytest.approx(f1(1 / 2, 1 / 2))


def test_nothing_predicted_scores_nothing():
    assert [f1_answers([], MOON), f1_contro([], BRIDGE, e=1), f1_contro_legacy([], MOON, e=1)] == [0, 0, 0]


def test_hits_ignore_posts_that_only_mention_an_answer():
    assert [hits(["9"], MOON, 10), hits(["9", "3"], MOON, 10), hits(["9", "3"], MOON, 1)] == [0, 1, 0]


def test_mhits_is_the_share_of_answers_with_some_evidence_found():
    assert [mhits(["3", "8"], MOON, 10), mhits(["3", "4"], MOON, 10)] == [1 / 2, 1]


def test_yes_and_no_are_one_claim_to_mhits():
    assert mhits(["2"], BRIDGE, 10) == hits(["2"], BRIDGE, 10) == 1
