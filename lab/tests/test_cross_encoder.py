"""The cross-encoder that the recipe `reranked` reads pairs with: laws, sensible answers."""

import pytest

from twicetold.collection import Collection
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Ranking, ranked
from twicetold_lab.baselines import BASELINES
from twicetold_lab.crossencoder import SIGNAL, CrossEncoder, rerank, wording

CHECKS = [
    FactCheck("a", claim="Drinking bleach cures the flu.", title="Does bleach cure the flu?"),
    FactCheck("b", claim="Barack Obama was born in Kenya.", title="Obama's birthplace"),
    FactCheck("c", title="Sharks in Texas streets", body="A photo shows a shark in a flooded street in Houston. It is old."),
    FactCheck("d", claim="The flu shot contains mercury.", title="Mercury in flu shots"),
]
CLAIMS = ["They say you can cure flu by drinking bleach!!", "obama was NOT born in america, he is from kenya", "a shark swims in Houston"]


def rankings():
    return [
        ranked(Claim(f"q{i}", text), [Match(check, 1 / (2 + place)) for place, check in enumerate(CHECKS)]) for i, text in enumerate(CLAIMS)
    ]


@pytest.fixture(scope="module")
def cross():
    return CrossEncoder.load(threads=1)


@pytest.mark.parametrize("depth", [2, 20])
def test_reranking_keeps_the_laws_of_a_stage(cross, depth):
    check_stage(rerank(cross, depth=depth), [*rankings(), Ranking(Claim("empty", "nothing found"))], role="reranker")


def test_the_reranker_puts_the_answer_first(cross):
    answers = [ranking.matches[0].doc.id for ranking in rerank(cross, share=1.0)(rankings())]
    assert answers == ["a", "b", "c"]


def test_matches_beyond_the_depth_follow_in_their_old_order_with_no_score_of_their_own(cross):
    for before, after in zip(rankings(), rerank(cross, depth=2)(rankings()), strict=True):
        assert [match.doc.id for match in after.matches[2:]] == [match.doc.id for match in before.matches[2:]]
        assert [match.signals[SIGNAL] for match in after.matches[2:]] == [0.0, 0.0]


def test_a_fact_check_without_a_claim_is_read_by_its_title_and_opening():
    assert wording(CHECKS[2]) == "Sharks in Texas streets. A photo shows a shark in a flooded street in Houston. It is old."


def test_reading_again_puts_the_claim_above_its_denial(tmp_path):
    told = "The mayor of Springfield closed the public library in 2019."
    denied = "The mayor of Springfield did not close the public library in 2019."
    other = [f"The mayor of Springfield opened {what} in 2019." for what in ("a school", "a bridge", "a park", "a museum")]
    with Collection.create(tmp_path) as collection:
        list(collection.add(FactCheck(f"c{at}", claim=text, title=text) for at, text in enumerate([denied, told, *other])))
        collection.index()
        for asked in (told, denied):
            [ranking] = ask(BASELINES["reranked"].stage(collection), [Claim("q", asked)])
            assert ranking.matches[0].doc.claim == asked
            assert "cross" in ranking.matches[0].signals
