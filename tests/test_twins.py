"""Near-duplicate fact-checks are shown as one case."""

import pytest

from twicetold.answer.group import Wording, cases, collapse, with_twins
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Verdict, ranked


def ranking(*checks):
    return ranked(Claim("q", "said"), [Match(check, 10.0 - place) for place, check in enumerate(checks)])


def answer(*checks):
    [collapsed] = collapse()([ranking(*checks)])
    return [(match.doc.id, [twin.id for twin in match.twins]) for match in collapsed.matches]


def check(id, claim, title="", **more):
    return FactCheck(id, claim=claim, title=title, **more)


def test_claims_that_differ_in_quote_style_are_one_case():
    one = check("a", "Mayor Flint said “the river is clean” in 2019.", "River")
    two = check("b", "Mayor Flint said 'the river is clean' in 2019", "Is the river clean?")
    assert answer(one, check("c", "Owls sleep in the library attic all winter"), two) == [("a", ["b"]), ("c", [])]


@pytest.mark.parametrize(
    ("said", "also"),
    [
        (
            "The new bridge over the Tamsel cost 40 million crowns to build",
            "The new bridge over the Tamsel cost 14 million crowns to build",
        ),
        (
            "The new bridge over the Tamsel will open to lorries in spring",
            "The new bridge over the Tamsel will not open to lorries in spring",
        ),
        (
            "The mayor of Brenn says the city library is open on all Sundays",
            "The mayor of Brenn says the city library isn't open on all Sundays",
        ),
    ],
)
def test_another_number_or_a_negation_is_another_case(said, also):
    assert answer(check("a", said), check("b", also)) == [("a", []), ("b", [])]


def test_nearly_the_same_words_are_one_case():
    one = check("a", "A photograph shows a white stag walking through the main square of Brenn at dawn")
    two = check("b", "Photograph shows a white stag walking through the main square of Brenn at dawn")
    assert answer(one, two) == [("a", ["b"])]


def test_boilerplate_shared_by_many_makes_no_twins_unless_their_titles_agree():
    slogan = "We check what you hear every day"
    many = [check(f"d{n}", slogan, f"Story number {n} about the harbour") for n in range(6)]
    again = check("x", slogan, "Story number 3 about the harbour")
    assert answer(*many, again) == [("d0", []), ("d1", []), ("d2", []), ("d3", ["x"]), ("d4", []), ("d5", [])]


def test_short_claims_are_never_twins():
    assert answer(check("a", "It is false"), check("b", "It is false")) == [("a", []), ("b", [])]


def test_twins_with_different_ratings_are_shown_together():
    said = "The harbour of Lume was closed for the whole of March"
    [collapsed] = collapse()([ranking(check("a", said, verdict=Verdict.FALSE), check("b", said, verdict=Verdict.TRUE))])
    assert [twin.verdict for twin in collapsed.matches[0].twins] == [Verdict.TRUE]


def test_collapsing_keeps_the_laws_of_a_stage():
    said = "The harbour of Lume was closed for the whole of March"
    check_stage(collapse(), [ranking(), ranking(check("a", said), check("b", said)), ranking(check("c", "Owls"))], role="reranker")


def test_collapsing_twice_is_collapsing_once():
    said = "The harbour of Lume was closed for the whole of March"
    once = collapse()([ranking(check("a", said), check("b", said), check("c", said))])
    assert collapse()(once) == once


def test_the_cases_of_a_corpus_are_named_by_their_first_id():
    said = "The harbour of Lume was closed for the whole of March"
    corpus = [check("c10", said + "!"), check("c2", said), check("c3", "Owls sleep in the attic"), check("c4", "Short")]
    assert cases(corpus) == {"c10": "c2", "c2": "c2"}


def test_judgements_of_twins_become_judgements_of_their_case():
    assert with_twins({"q": {"c10": 1, "c3": 0}}, {"c10": "c2", "c2": "c2"}) == {"q": {"c2": 1, "c3": 0}}


def test_accents_and_case_do_not_make_another_wording():
    assert Wording.of(check("a", "Café Zürich is CLOSED")).claim == Wording.of(check("b", "cafe Zurich is closed")).claim
