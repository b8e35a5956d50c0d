"""What people said of an answer acts on the next one."""

from __future__ import annotations

import pytest

from twicetold.answer import BEST, RECIPES, Answerer, Asking
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.store import Judgement
from twicetold.types import Claim, FactCheck, Lane, ReasonKind

CLAIM = "The new harbour bridge was closed for eleven months after the storm of the century"
NEAR = "The new harbour bridge was closed for eleven months after that storm of the century"
OTHER_NUMBER = "The new harbour bridge was closed for twelve 12 months after the storm of the century"
CHECKS = [
    FactCheck("a", claim="The harbour bridge was closed for eleven months after the storm", rating="False", lang="en", publisher="One"),
    FactCheck("b", claim="A storm closed the harbour for a day", rating="True", lang="en", publisher="Two"),
    FactCheck("c", claim="Whales sing louder in winter", rating="True", lang="en", publisher="Three"),
]


@pytest.fixture
def collection(tmp_path):
    with Collection.create(tmp_path / "col") as made:
        list(made.add(CHECKS))
        made.index()
        yield made


def ask(collection, text=CLAIM, recipe=RECIPES["bm25"], **asking):
    [ranking] = Answerer(collection, recipe, Asking(**asking))([Claim("c1", text)])
    return ranking


def ids(ranking) -> list[str]:
    return [match.doc.id for match in ranking.matches]


def judge(collection, id: str, grade: int, claim: str = CLAIM, who: str = "ann") -> None:
    collection.store.judge(Judgement(claim, id, grade, who, "2026-05-04"))


def test_a_check_that_was_refused_goes_last_and_says_by_whom_and_when(collection):
    assert ids(ask(collection))[0] == "a"
    judge(collection, "a", 0)
    ranking = ask(collection)
    assert ids(ranking)[-1] == "a"
    [said] = [reason.text for reason in ranking.matches[-1].reasons if reason.kind is ReasonKind.JUDGED]
    assert said == "ann said that this does not answer the claim, 4 May 2026."


def test_a_check_that_was_said_to_answer_comes_first_even_if_the_search_missed_it(collection):
    assert "c" not in ids(ask(collection))
    judge(collection, "c", 1)
    ranking = ask(collection, recipe=BEST)
    assert ids(ranking)[0] == "c"
    assert ranking.decision.lane is Lane.MATCHED


def test_near_wordings_follow_and_another_number_does_not(collection):
    judge(collection, "a", 0)
    assert ids(ask(collection, NEAR))[-1] == "a"
    assert ids(ask(collection, OTHER_NUMBER))[0] == "a"


def test_a_word_that_is_taken_back_has_no_effect(collection):
    judge(collection, "a", 0)
    assert ids(ask(collection))[-1] == "a"
    assert collection.store.unjudge(CLAIM, "a", "ann")
    assert not collection.store.unjudge(CLAIM, "a", "ann")
    assert ids(ask(collection))[0] == "a"


def test_people_who_disagree_leave_a_check_where_it_was_and_are_both_named(collection):
    judge(collection, "a", 0, who="ann")
    judge(collection, "a", 1, who="ben")
    ranking = ask(collection)
    assert ids(ranking)[0] == "a"
    assert len([reason for reason in ranking.matches[0].reasons if reason.kind is ReasonKind.JUDGED]) == 2


def test_a_claim_all_of_whose_matches_were_refused_is_not_matched(collection):
    for id in ids(ask(collection, recipe=BEST)):
        judge(collection, id, 0)
    assert ask(collection, recipe=BEST).decision.lane is Lane.NO_MATCH


def test_filters_hold_for_what_people_said_too(collection):
    judge(collection, "c", 1)
    assert "c" not in ids(ask(collection, filters=Filters(publishers=("One",))))


def test_a_deleted_check_is_not_brought_back_by_what_was_said_of_it(collection):
    judge(collection, "c", 1)
    collection.store.remove(["c"])
    assert "c" not in ids(ask(collection))
