"""What a fact-check checked, and which part of a long claim is read with it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.judge.checked import MOST_WORDS, checked, states_claim, unframed
from twicetold.judge.passages import passages
from twicetold.types import FactCheck, Post, Verdict

FALSE = {"rating": "False", "verdict": Verdict.FALSE}


def test_a_stated_claim_is_what_was_checked():
    check = FactCheck("a", claim="Crime in the city doubled.", title="Mayor wrong on crime", body="The mayor said so.", **FALSE)
    assert checked(check) == "Crime in the city doubled."


@pytest.mark.parametrize("claim", ["", "On abortion", "On support for gay marriage."])
def test_a_stub_is_read_by_title_and_opening(claim):
    check = FactCheck("a", claim=claim, title="A flip-flop by the mayor", body="He backed it in 2010. Now he does not.", **FALSE)
    assert checked(check) == "A flip-flop by the mayor. He backed it in 2010. Now he does not."
    assert not states_claim(check)


def test_a_claim_that_opens_the_article_is_a_description():
    opening = "Several accounts posted a photograph with a caption that says it shows the senator."
    check = FactCheck("a", claim=f"{opening}..", title="False claim: Photograph shows the senator", body=f"{opening} More text.", **FALSE)
    assert checked(check).startswith("Photograph shows the senator. Several accounts")


def test_a_description_without_rating_or_claimant_follows_the_title():
    check = FactCheck(
        "a", claim="The truth was even stranger than the fiction.", title="Did a truck get stuck under a bridge?", body="An image."
    )
    assert checked(check) == "Did a truck get stuck under a bridge? The truth was even stranger than the fiction."


def test_a_claim_in_the_words_of_its_title_needs_no_rating():
    check = FactCheck(
        "a", claim="A truck got stuck under a railway bridge.", title="Did a Truck Get Stuck Under a Railway Bridge?", body="An image."
    )
    assert checked(check) == "A truck got stuck under a railway bridge."


def test_title_and_opening_together_stay_short():
    check = FactCheck("a", claim="word " * 60, title="A title of six words here")
    assert len(checked(check).split()) == MOST_WORDS


@pytest.mark.parametrize(
    ("framed", "plain"),
    [
        ("False claim: A shark swam on a motorway", "A shark swam on a motorway"),
        ("FACT CHECK: Did a shark swim there?", "Did a shark swim there?"),
        ("Fact check: False claim: A shark swam there", "A shark swam there"),
        ("Says crime doubled in the city", "crime doubled in the city"),
        ("PolitiFact - TRUE: California ranks 49th", "California ranks 49th"),
        ("No, the mayor did not resign", "No, the mayor did not resign"),
        ("False alarm in Ohio", "False alarm in Ohio"),
        ("Says", "Says"),
        ("", ""),
    ],
)
def test_what_introduces_a_claim_is_cut_off(framed, plain):
    assert unframed(framed) == plain


def test_a_record_that_says_nothing_gives_nothing():
    assert checked(FactCheck("a")) == ""
    assert checked(FactCheck("a", claim="On taxes")) == "On taxes"


def test_a_post_is_read_as_plain_words():
    assert checked(Post("p", "#StopTheSteal now https://t.co/x")) == "Stop The Steal now"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_any_record_is_read(claim, title, body):
    check = FactCheck("a", claim=claim, title=title, body=body)
    assert isinstance(checked(check), str)
    states_claim(check)


# --- long claims ---------------------------------------------------------------------------------------------------

FILLER = "My neighbour told me this over the fence while we were watering the plants on Sunday. "


def test_a_short_claim_is_read_whole():
    assert passages("Crime doubled. The mayor fled.", "anything") == [(0, 30)]


def test_an_empty_claim_is_not_read():
    assert passages(" ", "Crime doubled") == []


@pytest.mark.parametrize("before", [0, 20, 200])
def test_the_claim_in_the_last_line_of_a_forward_is_found(before):
    text = FILLER * before + FILLER * 5 + "\nDrinking garlic water cures the flu within a day."
    [(start, end), *others] = passages(text, "Garlic water cures influenza.")
    assert text[start:end] == "Drinking garlic water cures the flu within a day."
    assert len(others) == 2


def test_a_sentence_without_an_end_is_read_in_windows():
    text = "and then they said that " * 40 + "garlic water cures the flu " + "and nobody believed any of it " * 20
    [(start, end), *_] = passages(text, "Garlic water cures the flu.")
    assert "garlic water cures the flu" in text[start:end]
    assert len(text[start:end].split()) <= 40


def test_what_stands_beyond_twenty_thousand_characters_is_not_read():
    text = FILLER * 300 + "Garlic water cures the flu."
    assert all(end <= 20_000 for _, end in passages(text, "Garlic water cures the flu."))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["Garlic", "cures", "flu.", "!", "\n", "a", "the water", "…", ""]), max_size=200).map(" ".join),
    st.text(max_size=40),
)
def test_passages_are_stretches_of_the_text_cut_at_words(pieces, what):
    text = " ".join(pieces)
    for start, end in passages(text, what):
        assert 0 <= start < end <= len(text)
        assert not (start and text[start - 1].isalnum() and text[start].isalnum())
