"""Deciding whether the first match answers the claim, at the error the user tolerates."""

import numpy as np
import pytest

from twicetold.answer.decide import Decider, curves, decide
from twicetold.errors import BadData
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Lane, Match, Ranking, ranked

NAMES = ("dense.claim", "share.claim")


def ranking(id, near, shared, *, link=0.0, second=0.2):
    best = Match(FactCheck(f"{id}-1"), near + shared, {"dense.claim": near, "share.claim": shared, "link": link})
    return ranked(Claim(id, "said"), [best, Match(FactCheck(f"{id}-2"), second, {"dense.claim": second, "share.claim": 0.0})])


def world(n, seed):
    """Rankings whose first match is right the more probably the nearer it is, and whether it is."""
    rng = np.random.default_rng(seed)
    near = rng.uniform(size=n)
    asked = [ranking(f"q{i}", near[i], 0.5 * near[i] + 0.1 * rng.uniform()) for i in range(n)]
    return asked, rng.random(n) < 1 / (1 + np.exp(-12 * (near - 0.5)))


def fitted(n=600, seed=0):
    asked, is_right = world(n, seed)
    return Decider.fit(NAMES, asked, is_right)


def test_probabilities_are_calibrated_on_claims_it_has_not_seen():
    decider = fitted()
    asked, is_right = world(2000, seed=1)
    probability = np.array([decider.probability(r) for r in asked])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        here = (probability >= low) & (probability < low + 0.2)
        assert abs(probability[here].mean() - is_right[here].mean()) < 0.08


@pytest.mark.parametrize("risk", [0.05, 0.1, 0.2])
def test_the_error_among_matched_stays_within_the_risk_asked_for(risk):
    decider = fitted(2000)
    asked, is_right = world(2000, seed=2)
    answered = np.array([r.decision.lane is Lane.MATCHED for r in decide(decider, risk=risk)(asked)])
    assert answered.mean() > 0.2
    # Two standard errors of a share of so many: the bound is on the truth, not on the sample.
    assert (~is_right[answered]).mean() <= risk + 2 * np.sqrt(risk * (1 - risk) / answered.sum())


def test_a_larger_risk_answers_more_claims():
    decider = fitted()
    asked, _ = world(500, seed=3)
    shares = [np.mean([decider.lane(decider.probability(r), risk) is Lane.MATCHED for r in asked]) for risk in (0.02, 0.1, 0.3)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_every_claim_lands_in_one_of_three_lanes_in_the_order_of_its_probability():
    decider = fitted()
    lanes = [decider.lane(probability, 0.05) for probability in np.linspace(0, 1, 50)]
    order = [Lane.NO_MATCH, Lane.REVIEW, Lane.MATCHED]
    assert [order.index(lane) for lane in lanes] == sorted(order.index(lane) for lane in lanes)
    assert set(lanes) == set(order)


def test_a_claim_without_candidates_is_no_match():
    [answer] = decide(fitted())([Ranking(Claim("q", "said"))])
    assert answer.decision.lane is Lane.NO_MATCH
    assert answer.decision.probability == 0
    assert answer.is_empty


def test_a_shared_link_is_a_match_whatever_the_words():
    [answer] = decide(fitted())([ranking("q", 0.05, 0.02, link=1.0, second=0.01)])
    assert answer.decision.lane is Lane.MATCHED


def test_with_few_claims_to_calibrate_on_only_a_claims_own_probability_counts():
    decider = fitted(12)
    assert decider.lane(0.98, 0.01) is Lane.REVIEW
    assert decider.lane(0.995, 0.01) is Lane.MATCHED


def test_deciding_changes_no_order():
    asked, _ = world(5, seed=4)
    check_stage(decide(fitted()), [*asked, Ranking(Claim("none", "said"))], role="explainer")


def test_a_saved_decider_decides_as_before(tmp_path):
    decider = fitted()
    decider.save(tmp_path / "m")
    asked, _ = world(20, seed=5)
    assert decide(Decider.load(tmp_path / "m"))(asked) == decide(decider)(asked)


def test_the_bounds_on_the_error_are_wilsons():
    at, wrong_above, right_below = curves(np.array([0.2, 0.9]), np.array([False, True]))
    square = 0.8416**2
    assert at.tolist() == [0.9, 0.2]
    assert wrong_above[0] == pytest.approx(square / (1 + square))  # none of one wrong: (0 + z²/2 + z²/2) / (1 + z²)
    assert right_below[1] == pytest.approx(square / (1 + square))


def test_calibration_without_wrong_matches_is_an_error():
    with pytest.raises(BadData, match="5 of 5 first matches are right"):
        Decider.fit(NAMES, world(5, seed=4)[0], np.ones(5, bool))


def test_a_recipe_with_other_signals_is_refused_with_both_lists():
    bare = ranked(Claim("q", "said"), [Match(FactCheck("d"), 1.0, {"bm25.claim": 3.0})])
    with pytest.raises(BadData, match=r"wants dense\.claim, share\.claim; the candidates have bm25\.claim"):
        decide(fitted(60))([bare])


def test_a_second_check_of_the_same_claim_makes_the_first_no_less_sure():
    decider = fitted()

    def asked(claim_of_second, score_of_second):
        signals = {"dense.claim": 0.7, "share.claim": 0.4}
        first = Match(FactCheck("a", claim="The mayor sold the old harbour crane"), 1.1, signals)
        second = Match(FactCheck("b", claim=claim_of_second), score_of_second, signals)
        third = Match(FactCheck("c", claim="An owl was seen at noon"), 0.2, signals)
        return ranked(Claim("q", "said"), [first, second, third])

    alone = decider.probability(asked("A whale swam up the river", 0.2))
    assert decider.probability(asked("Mayor sold the harbour crane", 1.0)) == pytest.approx(alone)
    assert decider.probability(asked("A whale swam up the river", 1.0)) < alone


def test_a_check_of_the_same_claim_in_other_words_makes_the_first_no_less_sure_where_that_was_learnt():
    """Right first matches have a close second that says the same; wrong ones a close second that says something else."""
    rng = np.random.default_rng(0)

    def asked(id, same, second):
        signals = {"dense.claim": 0.6, "share.claim": 0.3 + 0.01 * rng.uniform()}
        first = Match(FactCheck(f"{id}-1"), 1.0, {**signals, "same": 1.0})
        return ranked(
            Claim(id, "said"),
            [
                first,
                Match(FactCheck(f"{id}-2"), second, {**signals, "same": same}),
                Match(FactCheck(f"{id}-3"), 0.1, {**signals, "same": 0.1}),
            ],
        )

    is_right = np.arange(200) % 2 == 0
    learnt = [asked(f"q{n}", 0.82 if right else 0.3, 0.8 + 0.1 * rng.uniform()) for n, right in enumerate(is_right)]
    decider = Decider.fit(NAMES, learnt, is_right)
    assert decider.same <= 0.82
    assert decider.probability(asked("same", 0.9, 0.9)) > 0.9 > 0.1 > decider.probability(asked("other", 0.2, 0.9))


def test_the_only_candidate_is_as_sure_as_one_far_above_the_rest():
    decider = fitted()
    both = ranking("q", 0.9, 0.5)
    only = ranked(both.query, both.matches[:1])
    assert decider.probability(only) == pytest.approx(decider.probability(both), abs=0.1)
