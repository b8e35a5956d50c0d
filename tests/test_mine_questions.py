"""Questions: which kind they are, and the claims made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadInput
from twicetold.mine.question import kind_of, parts
from twicetold.mine.statements import concatenation, statement
from twicetold.mine.verbs import base, past, third


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Do masks stop the virus?", "yes-no"),
        ("Can snow kill COVID-19", "yes-no"),
        ("In 2019, did the paper refuse to report it?", "yes-no"),
        ("Garlic cures COVID-19?", "yes-no"),
        ("Isn't the earth flat?", "yes-no"),
        ("Donald Trump won which states?", "entity"),
        ("Which countries banned it?", "entity"),
        ("In which countries is it legal?", "entity"),
        ("What can spread COVID-19", "entity"),
        ("Who's the richest man?", "entity"),
    ],
)
def test_a_question_is_of_the_kind_of_its_answers(text, kind):
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    "text", ["Donald won the election", "Garlic cures COVID-19", "Will Smith slapped him", "Do your own research", "Canned food"]
)
def test_a_statement_is_sent_back_with_a_way_to_ask_it(text):
    with pytest.raises(BadInput, match="is not a question; ask: twicetold ask 'Is it true that"):
        kind_of(text)


@pytest.mark.parametrize(
    ("text", "why"), [("", "is empty"), ("  \n", "is empty"), ("大蒜能治新冠", "English only"), ("Is it? " * 300, "characters")]
)
def test_what_cannot_be_asked_is_refused_in_words(text, why):
    with pytest.raises(BadInput, match=why):
        kind_of(text)


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Does drinking alcohol cure COVID-19?", "Drinking alcohol cures COVID-19"),
        ("Do goldfish have a three-second memory?", "Goldfish have a three-second memory"),
        ("Did Disney try to copyright a feast?", "Disney tried to copyright a feast"),
        ("Is the Great Wall of China visible from space?", "The Great Wall of China is visible from space"),
        ("Was Tipu Sultan the first freedom fighter?", "Tipu Sultan was the first freedom fighter"),
        ("Can COVID-19 spread through air?", "COVID-19 can spread through air"),
        ("Has Britain been accused of wiretapping?", "Britain has been accused of wiretapping"),
        ("In 2019, did the paper refuse to report it?", "The paper refused to report it in 2019"),
        ("Is it true that police closed all shops?", "Police closed all shops"),
        ("Were the Nazis Fascists?", "The Nazis were Fascists"),
        ("Garlic cures COVID-19?", "Garlic cures COVID-19"),
        ("Was the Apollo 11 Moon landing faked?", "The Apollo 11 Moon landing was faked"),
    ],
)
def test_a_yes_no_question_becomes_the_statement_it_asks_about(question, claim):
    assert statement(question) == claim


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        ("What can spread COVID-19?", "shoes", "Shoes can spread COVID-19"),
        ("Who invented the light bulb?", "Thomas Edison", "Thomas Edison invented the light bulb"),
        ("Which religions forbid it?", "Islam", "Islam forbids it"),
        ("Which country has the lowest rate?", "Yemen", "Yemen has the lowest rate"),
        ("What did Disney try to copyright in late 2021?", "Loki", "Disney tried to copyright Loki in late 2021"),
        ("The army bombed which cities in March?", "Aleppo", "The army bombed Aleppo in March"),
        ("In which year did Kenya face its last recession?", "1992", "Kenya faced its last recession in 1992"),
        ("Which drugs does he want to legalize?", "cocaine", "He wants to legalize cocaine"),
    ],
)
def test_an_answer_takes_the_place_of_what_was_asked(question, answer, claim):
    assert statement(question, answer) == claim


def test_no_negates_the_statement():
    assert statement("Is the Great Wall visible from space?", "no") == "It is not true that the Great Wall is visible from space"


def test_the_papers_claim_is_question_and_answer_together():
    assert concatenation("What can spread COVID-19?", "shoes") == "What can spread COVID-19? Answer is: shoes"


@given(st.text(max_size=80))
def test_any_text_is_a_question_or_refused(text):
    try:
        kind = kind_of(text)
    except BadInput:
        return
    assert kind in ("yes-no", "entity")
    assert isinstance(parts(text)[1], list)
    assert statement(text, "yes" if kind == "yes-no" else "Ann").strip()


@pytest.mark.parametrize(("verb", "form"), [("carry", "carries"), ("have", "has"), ("pass", "passes"), ("go", "goes"), ("wants", "wants")])
def test_verbs_agree_with_one_thing(verb, form):
    assert third(verb) == form


@pytest.mark.parametrize(
    ("verb", "form"), [("ban", "banned"), ("try", "tried"), ("send", "sent"), ("cure", "cured"), ("report", "reported")]
)
def test_verbs_have_a_past(verb, form):
    assert past(verb) == form
    assert base(form) == verb
