"""Deciding whether anyone has checked a claim, from what was judged of each pair."""

import dataclasses

import numpy as np
import pytest

from twicetold.answer.lanes import Lanes, error_from, in_lanes
from twicetold.errors import BadData
from twicetold.judge.stage import ANSWERS, CHANGED_SIGNAL
from twicetold.testing import check_stage
from twicetold.types import CHANGED, Claim, FactCheck, Lane, Match, Ranking, Relation, from_json, to_json
from twicetold_lab.train.lanes import best_threshold, fit_lanes

SIGNALS = {"dense.claim": 0.5, "share.best": 0.4}


def match(place: int, answers: float | None, changed: float = 0.0, **signals: float) -> Match:
    relation = Relation.NUMBER if changed >= 0.5 else Relation.SAME if (answers or 0) >= 0.5 else Relation.RELATED
    judged = {} if answers is None else {ANSWERS: answers, CHANGED_SIGNAL: changed}
    kept = None if answers is None else relation
    return Match(FactCheck(f"c{place}"), -float(place), {**SIGNALS, **judged, **signals}, relation=kept, answers=answers)


def claim(*matches: Match, lang: str = "en") -> Ranking:
    return Ranking(Claim("q", "Forty percent of teachers quit", lang=lang), matches)


def world(n: int, seed: int) -> tuple[list[Ranking], np.ndarray, np.ndarray]:
    """Claims a third of which are answered, a third changed and a third neither, judged with some noise."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, size=n)
    asked = []
    for kind in kinds:
        noise = rng.normal(size=8)
        best = 1 / (1 + np.exp(-(4.0 * (kind == 0) - 2 + 1.3 * noise[0])))
        changed = 1 / (1 + np.exp(-(4.0 * (kind == 1) - 2 + 1.3 * noise[1])))
        others = [match(place, 0.02 + 0.05 * abs(float(noise[place])), 0.02) for place in range(2, 6)]
        asked.append(claim(match(1, float(best), float(changed)), *others))
    return asked, kinds == 0, kinds == 1


@pytest.fixture(scope="module")
def lanes() -> Lanes:
    return fit_lanes(*world(900, seed=0)).lanes


def lane_of(lanes: Lanes, ranking: Ranking, **options) -> Lane:
    [answer] = in_lanes(lanes, **options)([ranking])
    return answer.decision.lane


def test_the_chance_is_calibrated_on_claims_it_has_not_seen(lanes):
    asked, answered, _ = world(3000, seed=1)
    chance = np.array([lanes.chances(ranking)[0] for ranking in asked])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        here = (chance >= low) & (chance < low + 0.2)
        assert abs(chance[here].mean() - answered[here].mean()) < 0.1


@pytest.mark.parametrize("risk", [0.05, 0.1, 0.2])
def test_errors_stay_within_the_risk_asked_for(lanes, risk):
    asked, answered, _ = world(3000, seed=2)
    got = np.array([ranking.decision.lane.value for ranking in in_lanes(lanes, risk=risk)(asked)])
    matched, none = got == "matched", got == "no match"
    assert matched.mean() > 0.1
    assert none.mean() > 0.1
    # Two standard errors of a share of so many, and what 60 % confidence leaves: the bound is on the truth, not on the sample.
    assert (~answered[matched]).mean() <= risk + 2 * np.sqrt(risk * (1 - risk) / matched.sum()) + 0.02
    assert answered[none].mean() <= risk + 2 * np.sqrt(risk * (1 - risk) / none.sum()) + 0.02


def test_changed_claims_differ_and_are_told_apart(lanes):
    asked, _, changed = world(1000, seed=3)
    got = np.array([ranking.decision.lane.value for ranking in in_lanes(lanes)(asked)])
    assert (got[changed] == "differs").mean() > 0.7
    assert (got[changed] == "matched").mean() < 0.05
    assert (got[~changed] == "differs").mean() < 0.2


def test_a_larger_risk_matches_more(lanes):
    asked, _, _ = world(500, seed=4)
    shares = [np.mean([lane_of(lanes, ranking, risk=risk) is Lane.MATCHED for ranking in asked]) for risk in (0.02, 0.1, 0.3)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


def test_an_answer_that_is_not_first_counts(lanes):
    assert lane_of(lanes, claim(match(1, 0.05), match(2, 0.99))) is Lane.MATCHED


def test_a_check_of_something_changed_is_never_the_answer(lanes):
    likely = dataclasses.replace(match(1, 0.99), relation=Relation.NUMBER)
    assert lane_of(lanes, claim(likely, match(2, 0.1))) is Lane.DIFFERS


def test_a_shared_link_is_a_match_whatever_the_words(lanes):
    assert lane_of(lanes, claim(match(1, 0.01, link=1.0))) is Lane.MATCHED


def test_no_candidates_are_no_match_and_an_unindexed_collection_is_never_sure_of_that(lanes):
    unchecked = claim(*(match(place, 0.001) for place in range(1, 5)))
    assert lane_of(lanes, unchecked) is Lane.NO_MATCH
    assert lane_of(lanes, claim()) is Lane.NO_MATCH
    assert lane_of(lanes, unchecked, is_whole=lambda: False) is Lane.REVIEW
    assert lane_of(lanes, claim(), is_whole=lambda: False) is Lane.REVIEW


@pytest.mark.parametrize(
    "asked",
    [
        claim(match(1, None), match(2, None)),
        claim(match(1, 0.001), match(2, None)),
        claim(lang="de"),
        claim(match(1, None), lang="de"),
    ],
)
def test_what_could_not_be_read_is_for_review_never_no_match(lanes, asked):
    assert lane_of(lanes, asked) is Lane.REVIEW


def test_what_is_clearly_unrelated_need_not_be_read_to_say_none(lanes):
    far = dataclasses.replace(match(2, None), signals={"dense.claim": 0.01, "share.best": 0.0})
    assert lane_of(lanes, claim(match(1, 0.001), far)) is Lane.NO_MATCH


def test_ten_thousand_candidates_are_decided(lanes):
    many = claim(match(1, 0.001), *(match(place, 0.001 if place <= 10 else None) for place in range(2, 10_001)))
    assert lane_of(lanes, many) is Lane.NO_MATCH


def test_the_stage_keeps_its_laws_and_its_model_survives_a_save(lanes, tmp_path):
    asked, _, _ = world(20, seed=5)
    asked = [
        dataclasses.replace(ranking, query=Claim(f"q{n}", "said")) for n, ranking in enumerate([*asked, claim(), claim(match(1, None))])
    ]
    check_stage(in_lanes(lanes), asked, role="explainer")
    lanes.save(tmp_path / "lanes")
    kept = in_lanes(Lanes.load(tmp_path / "lanes"))(asked)
    assert kept == in_lanes(lanes)(asked)
    assert [from_json(Ranking, to_json(ranking)) for ranking in kept] == kept


def test_what_cannot_be_fitted_is_said():
    asked, answered, changed = world(60, seed=0)
    with pytest.raises(BadData, match="0 of 60 claims are answered"):
        fit_lanes(asked, answered & False, changed)
    with pytest.raises(BadData, match="of 10 claims"):
        fit_lanes(asked[:10], answered[:10], changed[:10])


def test_the_threshold_of_a_change_is_that_of_the_largest_f1():
    chance, flags = np.array([0.9, 0.8, 0.7, 0.2, 0.1]), np.array([True, False, True, False, False])
    # At .9: 2·1/(1+2); at .8: 2·1/(2+2); at .7: 2·2/(3+2)
    assert best_threshold(chance, flags) == 0.7


def test_a_more_confident_bound_is_higher_and_none_lies_below_what_was_counted():
    chance, right = np.linspace(0, 1, 50), np.linspace(0, 1, 50) > 0.5
    careful, bold = (error_from(chance, right, confidence=confidence)[1] for confidence in (0.9, 0.6))
    counted = np.cumsum(~right[::-1]) / np.arange(1, 51)
    assert (careful > bold).all()
    assert (bold > counted - 1e-12).all()


def test_matched_claims_have_an_answer_to_show(lanes):
    asked, _, _ = world(500, seed=6)
    for ranking in in_lanes(lanes)(asked):
        if ranking.decision.lane is Lane.MATCHED:
            assert max(ranking.matches, key=lambda match: match.answers).relation not in CHANGED
