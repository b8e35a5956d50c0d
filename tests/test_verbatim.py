"""A claim in the very words of a check is the same; one with another number is not (seen failing: 3,000 for 30,000 was matched)."""

from __future__ import annotations

import pytest

from twicetold.answer import Answerer
from twicetold.collection import Collection
from twicetold.types import Claim, FactCheck, Lane, Relation

CHECK = FactCheck(
    "deaths", claim="30,000 Americans a year die waiting for health care because of the cost.", title="Fuzzy math", rating="Half True"
)


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    with Collection.create(tmp_path_factory.mktemp("verbatim") / "collection") as made:
        list(made.add([CHECK, FactCheck("frogs", claim="Frogs rained on the town hall last spring.", rating="False")]))
        made.index()
        yield made


def answered(collection, text):
    [ranking] = Answerer(collection)([Claim("c", text)])
    return ranking


def test_a_claim_in_the_very_words_of_a_check_is_matched(collection):
    ranking = answered(collection, "30,000 Americans a year die waiting for health care, because of the cost!")
    assert ranking.decision.lane is Lane.MATCHED
    assert ranking.matches[0].relation is Relation.SAME


def test_the_same_words_with_another_number_are_not_matched(collection):
    ranking = answered(collection, "3,000 Americans a year die waiting for health care because of the cost.")
    assert ranking.decision.lane is not Lane.MATCHED
