"""The answer in one line, and which matches stand above the fold."""

from __future__ import annotations

import pytest

from twicetold.answer.headline import headline, shown_and_folded
from twicetold.answer.ratings import rating_of
from twicetold.types import Claim, Decision, Difference, FactCheck, Lane, Match, Ranking, Relation, Span

CLAIM = Claim("c1", "60 % of the jobs are gone")


def check(id: str = "fc1", **fields) -> FactCheck:
    told = {"claim": f"claim of {id}", "rating": "false", "publisher": "PolitiFact", "published": "2019-05-04"}
    return FactCheck(id, **(told | fields))


def answer(lane: Lane | None, *matches: Match, probability: float = 0.9) -> Ranking:
    return Ranking(CLAIM, matches, None if lane is None else Decision(lane, probability, 0.05))


def match(id: str = "fc1", score: float = 1.0, **fields) -> Match:
    return Match(check(id), score, **fields)


def test_a_matched_claim_is_answered_with_rating_publisher_and_day():
    assert headline(answer(Lane.MATCHED, match())) == "Checked before: rated False by PolitiFact, 4 May 2019"


def test_of_several_read_checks_the_first_that_answers_gives_the_headline():
    number = match("a", 2.0, relation=Relation.RELATED)
    same = Match(check("b", rating="pants-fire"), 1.0, relation=Relation.SAME)
    assert headline(answer(Lane.MATCHED, number, same)) == "Checked before: rated Pants on Fire by PolitiFact, 4 May 2019"


def test_a_check_without_rating_publisher_or_day_is_told_without_them():
    assert headline(answer(Lane.MATCHED, Match(check(rating=""), 1.0))) == "Checked before by PolitiFact, 4 May 2019"
    assert headline(answer(Lane.MATCHED, Match(FactCheck("x", claim="y"), 1.0))) == "Checked before"


def test_a_check_of_another_number_is_close_and_says_both_numbers():
    near = match(relation=Relation.NUMBER, differences=(Difference(Relation.NUMBER, Span("60 %", 0), Span("40 %", 0)),))
    assert headline(answer(Lane.DIFFERS, near)) == "Close, but not the same: they checked 40 %, this says 60 %"


def test_a_changed_check_whose_words_are_not_known_still_says_what_is_changed():
    assert headline(answer(Lane.DIFFERS, match(relation=Relation.WHO))) == "Close, but not the same: it checks the same of someone else"


@pytest.mark.parametrize(
    ("probability", "said"),
    [
        (0.7, "Probably checked before: rated False by PolitiFact, 4 May 2019"),
        (0.3, "Perhaps checked before: rated False by PolitiFact, 4 May 2019"),
        (0.1, "Probably not checked before; these are the nearest"),
    ],
)
def test_an_answer_in_review_says_how_probable_it_is(probability, said):
    assert headline(answer(Lane.REVIEW, match(), probability=probability)) == said


def test_nothing_found_names_how_much_was_looked_through():
    assert headline(answer(Lane.NO_MATCH, match()), held=19374) == "Nothing found in 19,374 fact-checks"
    assert headline(Ranking(CLAIM), held=1) == "Nothing found in 1 fact-check"


def test_a_recipe_that_only_orders_neither_says_checked_nor_none():
    assert headline(answer(None, match())) == "The nearest fact-checks"


def test_a_matched_part_is_told_as_a_part():
    assert headline(answer(Lane.REVIEW, match(part="jobs are gone"))) == (
        "A part of it was checked before: rated False by PolitiFact, 4 May 2019"
    )


@pytest.mark.parametrize("lane", [Lane.MATCHED, Lane.DIFFERS, Lane.REVIEW, None])
def test_a_list_is_never_empty_above_its_fold(lane):
    weak = [match(str(n), 9.0 - n, relation=Relation.UNRELATED) for n in range(9)]
    shown, folded = shown_and_folded(answer(lane, *weak))
    assert shown
    assert [one.doc.id for one in (*shown, *folded)] == [one.doc.id for one in weak]


def test_checks_of_another_subject_are_folded_away():
    matches = [
        match("a", 3.0, relation=Relation.SAME),
        match("b", 2.0, relation=Relation.UNRELATED),
        match("c", 1.0, relation=Relation.WHO),
    ]
    shown, folded = shown_and_folded(answer(Lane.MATCHED, *matches))
    assert [one.doc.id for one in shown] == ["a", "c"]
    assert [one.doc.id for one in folded] == ["b"]


def test_nothing_is_shown_at_once_for_a_claim_that_nothing_answers():
    assert shown_and_folded(answer(Lane.NO_MATCH, match())) == ((), (match(),))


@pytest.mark.parametrize(
    ("publisher", "rating", "label"),
    [
        ("PolitiFact", "pants-fire", "Pants on Fire"),
        ("www.politifact.com", "half-true", "Half True"),
        ("PolitiFact", "barely-true", "Mostly False"),
        ("PolitiFact", "full-flop", "Full Flop"),
        ("The Washington Post", "four-pinocchios", "Four Pinocchios"),
        ("Snopes", "false", "False"),
        ("Someone", "not_supported", "Not supported"),
        ("Someone", "Pas vrai", "Pas vrai"),
        ("Someone", "خطأ", "خطأ"),
        ("Someone", "", ""),
    ],
)
def test_ratings_are_labels_and_not_short_names(publisher, rating, label):
    assert rating_of(FactCheck("x", rating=rating, publisher=publisher)) == label
