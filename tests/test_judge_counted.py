"""What is counted of a claim and of what was checked: numbers, times, names, denials, reversed words, reach and roles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.judge.counted import NAMES, compare
from twicetold.judge.dates import times
from twicetold.judge.names import names
from twicetold.judge.negation import denials
from twicetold.judge.numbers import quantities
from twicetold.judge.opposites import count_of_pairs
from twicetold.judge.tokens import read
from twicetold.types import Relation


def figures(text: str) -> list[tuple[str, float]]:
    return [(found.kind, round(found.value, 6)) for found in quantities(read(text))]


def first(ours: str, theirs: str) -> tuple[str, str, str]:
    """The plainest difference: kind, our words, their words."""
    found = compare(ours, theirs).candidates
    assert found, (ours, theirs)
    difference = found[0].difference
    return difference.kind.value, difference.ours.text, difference.theirs.text


# --- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("60 % of teachers quit", [("share", 0.6)]),
        ("40 per cent of them", [("share", 0.4)]),
        ("four in ten teachers", [("share", 0.4)]),
        ("one in five women", [("share", 0.2)]),
        ("9 out of 10 doctors", [("share", 0.9)]),
        ("two-thirds of voters", [("share", round(2 / 3, 6))]),
        ("a third of the money", [("share", round(1 / 3, 6))]),
        ("half the bridges", [("share", 0.5)]),
        ("half a million people", [("amount", 500_000)]),
        ("a dozen eggs", [("amount", 12)]),
        ("forty-five states", [("amount", 45)]),
        ("two hundred and fifty thousand jobs", [("amount", 250_000)]),
        ("two and a half billion trees", [("amount", 2.5e9)]),
        ("1,200 people", [("amount", 1200)]),
        ("40k followers", [("amount", 40_000)]),
        ("$1.5 trillion", [("money", 1.5e12)]),
        ("a trillion dollars", [("money", 1e12)]),
        ("five minutes", [("duration", round(5 / 1440, 6))]),
        ("ranked 49th", [("rank", 49)]),
        ("No. 1 in the world", [("rank", 1)]),
        ("crime doubled", [("times", 2)]),
        ("voted 349 times", [("times", 349)]),
    ],
)
def test_a_quantity_is_read_in_digits_and_in_words(text, found):
    assert figures(text) == found


@pytest.mark.parametrize(
    "text", ["COVID-19", "the 5G network", "Section 230", "an F-35", "one of them", "the second half-brother", "no one", ""]
)
def test_numbers_in_names_and_pronouns_are_no_quantities(text):
    assert [kind for kind, _ in figures(text) if kind != "rank"] == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("almost half of voters", "47 % of voters"),
        ("half the bridges are bad", "About 50 percent of the bridges are bad"),
        ("a trillion dollars", "1,000 billion dollars"),
        ("1.2 million people", "1,243,000 people"),
        ("millions of people voted", "three million people voted"),
        ("more than 10 percent", "12 % of it"),
        ("two thirds of them", "67 % of them"),
        ("a mile away", "1.6 km away"),
        ("between 5 and 10 percent", "8 %"),
        ("0.4 of it", "40 % of it"),
        ("five thousand jobs", "5,000 jobs"),
    ],
)
def test_rounded_and_converted_figures_agree(ours, theirs):
    values = compare(ours, theirs).values
    assert (values["numbers.conflict"], values["numbers.shared"]) == (0, 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ("60 % of teachers quit", "40 % of teachers quit.", ("60 %", "40 %")),
        ("One in five women", "One in four women", ("One in five", "One in four")),
        ("The wall cost $5 billion", "The wall cost $15 billion", ("$5 billion", "$15 billion")),
        ("six in ten teachers quit last year", "40 % of teachers quit last year", ("six in ten", "40 %")),
        ("48 states have it", "47 states have it", ("48", "47")),
    ],
)
def test_another_figure_is_a_difference_in_number(ours, theirs, words):
    assert first(ours, theirs) == ("number", *words)


def test_a_figure_of_another_kind_contradicts_nothing():
    values = compare("It costs $40 a month", "It takes 40 % of all homes").values
    assert (values["numbers.conflict"], values["numbers.ours"], values["numbers.theirs"]) == (0, 1, 1)


# --- times ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 2018 it fell", [(2018, 0, 0)]),
        ("on May 4, 2019", [(2019, 5, 4)]),
        ("on 4 May", [(0, 5, 4)]),
        ("Sept. 11, 2001", [(2001, 9, 11)]),
        ("since 9/11", [(2001, 9, 11)]),
        ("2019-05-04", [(2019, 5, 4)]),
        ("he may come", []),
        ("2000 people died", []),
        ("$2000", []),
    ],
)
def test_a_date_is_read(text, found):
    assert [(time.year, time.month, time.day) for time in times(read(text))] == found


def test_another_year_is_a_difference_in_time():
    assert first("Unemployment in 2023 was at a record low", "Unemployment in 2018 was at a record low") == ("when", "2023", "2018")


def test_last_year_is_the_year_before_it_was_said():
    values = compare("Crime fell last year", "Crime fell in 2018", said_on="2019-05-04").values
    assert (values["times.shared"], values["times.conflict"]) == (1, 0)
    assert compare("Crime fell last year", "Crime fell in 2018", said_on="2021-05-04").values["times.shared"] == 0


def test_a_check_older_than_what_the_claim_names_is_told():
    assert compare("The 2020 vote was rigged", "The vote was rigged", published="2016-11-09").values["times.before"] == 1
    assert compare("The 2012 vote was rigged", "The vote was rigged", published="2016-11-09").values["times.before"] == 0


# --- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("It was Trump who lied", "It was Donald Trump who lied"),
        ("The US won", "America won"),
        ("the U.S. economy", "the American economy"),
        ("The GOP won", "Republicans won"),
        ("the FBI knew", "the Federal Bureau of Investigation knew"),
        ("as Bill Clinton said", "as William Clinton said"),
        ("in NYC today", "in New York City today"),
        ("the coronavirus came", "the COVID-19 came"),
        ("sen. john mccain voted", "the vote of Sen. John McCain"),
    ],
)
def test_other_names_of_the_same_agree(ours, theirs):
    values = compare(ours, theirs).values
    assert values["names.conflict"] + values["places.conflict"] == 0
    assert values["names.shared"] + values["places.shared"] >= 1


@pytest.mark.parametrize(
    ("ours", "theirs", "difference"),
    [
        ("Madonna moved to Canada after the vote", "Cher moved to Canada after the vote.", ("who", "Madonna", "Cher")),
        ("The bill was signed by Barack Obama", "The bill was signed by George Bush", ("who", "Barack Obama", "George Bush")),
        ("it was Hillary Clinton's plan", "it was Bill Clinton's plan", ("who", "Hillary Clinton's", "Bill Clinton's")),
        ("Ohio banned it", "Texas banned it.", ("where", "Ohio", "Texas")),
        ("cher moved to mexico", "Cher moved to Canada", ("where", "mexico", "Canada")),
    ],
)
def test_another_name_or_place_is_a_difference(ours, theirs, difference):
    assert first(ours, theirs) == difference


def test_us_in_small_letters_is_no_country():
    assert [name.key for name in names(read("They told us in the US that it is over"))] == ["united states"]


def test_capitals_of_headlines_and_shouting_make_no_names():
    assert names(read("Viral Photo Shows Huge Shark Swimming On Flooded Street")) == []
    assert [name.key for name in names(read("CRIME IS UP IN OHIO AND NOBODY CARES"))] == ["ohio"]


# --- denials, reversed words and roles -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("He did not sign", 1),
        ("He didn’t sign", 1),
        ("It is no longer legal", 1),
        ("She refuses to pay", 1),
        ("They failed to act", 1),
        ("A nonprofit paid", 0),
        ("Not only that", 0),
        ("No. 1 in sales", 0),
        ("It is not false", 0),
        ("He never failed to pay", 0),
        ("No, the mayor did not resign", 0),
        ("There is no evidence that masks work", 1),
    ],
)
def test_denials_are_counted(text, number):
    assert len(denials(read(text))) == number


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ("Masks do not lower oxygen", "Wearing a mask lowers oxygen levels.", ("do not lower", "lowers")),
        ("He did NOT sign the bill", "He signed the bill", ("did NOT sign", "signed")),
        ("Crime in Rivertown rose 40 %", "Crime in Rivertown fell 40 %", ("rose", "fell")),
        ("Vaping is illegal there", "Vaping is legal there", ("illegal", "legal")),
        ("Obama sued Trump", "Trump sued Obama", ("Obama sued Trump", "Trump sued Obama")),
        ("Men earn less than women", "Women earn less than men", ("Men earn less than women", "Women earn less than men")),
    ],
)
def test_the_reverse_is_a_difference(ours, theirs, words):
    assert first(ours, theirs) == ("opposite", *words)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Crime did not rise", "Crime fell"),
        ("Obama was sued by Trump", "Trump sued Obama"),
        ("Women earn less than men in every state", "In every state, women are paid less than men"),
        ("Biden banned meat", "No, Biden did not ban meat"),
        ("Nobody was hurt and it did not rain", "It did not rain and nobody was hurt"),
    ],
)
def test_what_says_the_same_is_not_taken_for_the_reverse(ours, theirs):
    values = compare(ours, theirs).values
    assert values["flips"] == 0
    assert [one.difference.kind for one in compare(ours, theirs).candidates if one.difference.kind is Relation.OPPOSITE] == []


def test_two_reversals_cancel():
    values = compare("Men earn more than women", "Women earn less than men").values
    assert (values["reversed"], values["roles.exchanged"], values["flips"]) == (1, 1, 0)


def test_the_list_of_reversed_words_is_long():
    assert count_of_pairs() >= 150


# --- reach ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ("Some senators voted for it", "Every senator voted for it.", ("Some", "Every")),
        ("Smoking causes cancer", "Smoking is linked to cancer", ("causes", "linked")),
        ("Congress banned guns", "Congress wants to ban guns", ("banned", "wants to ban")),
        ("It is the largest bank", "It is one of the largest banks", ("largest", "largest")),
    ],
)
def test_another_reach_is_a_difference_in_scope(ours, theirs, words):
    assert first(ours, theirs) == ("scope", *words)


# --- laws ----------------------------------------------------------------------------------------------------------

SOME_WORDS = """
Trump Obama Ohio us US in the not never 40 % percent two thirds of a million $ 5 2018 May 4 fell rose all some
No , . ? ! - no longer refuses to women men earn less than sued by was Dr. U.S. 1/3 9/11 2019-05-04 half dozen more
one five out COVID-19 5G ’ ß
"""
WORDS = st.sampled_from(SOME_WORDS.split())
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map(" ".join))


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_any_two_texts_are_compared_and_spans_are_words_of_theirs(ours, theirs):
    counted = compare(ours, theirs)
    assert list(counted.values) == list(NAMES)
    assert all(abs(value) < 1e4 for value in counted.values.values())
    for candidate in counted.candidates:
        mine, its = candidate.difference.ours, candidate.difference.theirs
        assert ours[mine.at : mine.at + len(mine.text)] == mine.text != ""
        assert theirs[its.at : its.at + len(its.text)] == its.text != ""
        assert 0 < candidate.strength <= 1


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_exchanging_the_texts_exchanges_the_sides(ours, theirs):
    one, two = compare(ours, theirs), compare(theirs, ours)
    there = {(c.difference.kind, c.difference.theirs, c.difference.ours, round(c.strength, 9)) for c in two.candidates}
    assert {(c.difference.kind, c.difference.ours, c.difference.theirs, round(c.strength, 9)) for c in one.candidates} == there


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_text_differs_in_nothing_from_itself(text):
    counted = compare(text, text)
    assert counted.candidates == ()
    assert [name for name in NAMES if name.endswith((".conflict", ".differs")) and counted.values[name]] == []


def test_a_long_text_is_compared_in_time_that_grows_with_its_length():
    text = "Crime in Ohio rose 40 % in 2018, not 20 %, said Sen. John Smith of Texas. " * 400
    assert compare(text, text + " No.").values["numbers.conflict"] == 0
