"""What the decision is calibrated and measured on: claims half of whose answers are taken away."""

import numpy as np
import pytest

from twicetold.rank.best import BEST_SIGNALS
from twicetold.types import Claim, FactCheck, Match, ranked
from twicetold_lab.datasets import Dataset
from twicetold_lab.train import best
from twicetold_lab.train.best import Asked, out_of_fold
from twicetold_lab.train.decide import Judge, both_halves, goes, measure, take_away

CHECKS = [
    FactCheck("a", claim="The harbour of Lume was closed for the whole of March"),
    FactCheck("a2", claim="The harbour of Lume was closed for the whole of March!"),
    FactCheck("b", claim="No ship could enter Lume throughout March"),
    FactCheck("owl", claim="Owls sleep in the attic of the library"),
]


def dataset(**qrels):
    claims = tuple(Claim(id, "said") for id in qrels)
    return Dataset("mine", claims=claims, qrels=qrels, source=lambda: iter(CHECKS))


def asked(id="q", order=("a", "a2", "b", "owl")):
    docs = {check.id: check for check in CHECKS}
    return ranked(Claim(id, "said"), [Match(docs[name], 9.0 - place) for place, name in enumerate(order)])


def judge(*, near=None, **qrels):
    return Judge(dataset(**qrels), {"a": "a", "a2": "a"}, near)


def as_they_are(rankings):
    return list(rankings)


def same_as(*names):
    return lambda one, others: [float(one in names and other in names) for other in others]


def left(case):
    return [match.doc.id for match in case.ranking.matches]


def test_an_answer_goes_with_all_its_twins():
    [gone] = take_away([asked()], judge(q={"a": 1}), as_they_are, is_gone=lambda case: True)
    assert (left(gone), gone.is_right, gone.is_answerable) == (["b", "owl"], False, False)


def test_a_twin_of_the_answer_is_right():
    [kept] = take_away([asked(order=("a2", "owl"))], judge(q={"a": 1}), as_they_are, is_gone=lambda case: False)
    assert (kept.is_right, kept.is_answerable) == (True, True)


def test_another_check_of_the_same_claim_goes_with_the_answer_and_counts_as_it():
    wide = judge(near=same_as("a", "b"), q={"a": 1})
    [gone] = take_away([asked()], wide, as_they_are, is_gone=lambda case: True)
    assert (left(gone), gone.is_right) == (["owl"], False)
    [kept] = take_away([asked(order=("b", "owl"))], wide, as_they_are, is_gone=lambda case: False)
    assert kept.is_right
    [strictly] = take_away([asked(order=("b", "owl"))], wide.strict, as_they_are, is_gone=lambda case: False)
    assert not strictly.is_right


def test_every_claim_is_seen_once_with_its_answer_and_once_without():
    known = both_halves([asked()], judge(q={"a": 1}), as_they_are)
    assert sorted(case.is_answerable for case in known) == [False, True]
    assert known[0].is_answerable is not goes("a")


class Sure:
    """A decider that is as sure as the first match's score says."""

    def probability(self, ranking):
        return ranking.matches[0].score

    def threshold(self, risk):
        return 1 - risk


def test_figures_of_a_decider_worked_out_by_hand():
    rankings = [ranked(Claim(id, "said"), [Match(CHECKS[0], p)]) for id, p in [("q", 0.99), ("r", 0.97), ("s", 0.3), ("t", 0.6)]]
    known = take_away(rankings, judge(q={"a": 1}, r={"b": 1}, s={}, t={"a": 1}), as_they_are, is_gone=lambda case: False)
    found = measure(Sure(), known, risk=0.05)
    # q and t are right; r and s wrong. Pairs (right, wrong) in order: q>r, q>s, t>s but not t>r.
    assert found.auroc == 3 / 4
    assert (found.coverage, found.error) == (2 / 4, 1 / 2)
    assert found.f1_no_match == 1.0  # only s is below a half, and only s has no answer


def example(number):
    rng = np.random.default_rng(number)
    rows = rng.uniform(size=(6, len(BEST_SIGNALS)))
    matches = [
        Match(FactCheck(f"d{number}-{i}"), 1.0 - i / 10, dict(zip(BEST_SIGNALS, row.tolist(), strict=True))) for i, row in enumerate(rows)
    ]
    return ranked(Claim(f"q{number}", "said"), matches)


@pytest.fixture
def twenty():
    rankings = tuple(example(number) for number in range(20))
    return Asked(rankings, {ranking.query.id: {ranking.matches[2].doc.id: 1} for ranking in rankings})


def test_what_answers_a_claim_does_not_change_how_it_is_reranked_itself(twenty):
    """The blend that reranks a claim has not learnt from it."""
    blend, _ = best.fit([twenty])
    other = Asked(twenty.rankings, {**twenty.judged, "q7": {"d7-5": 1}})
    [before], [after] = out_of_fold([twenty], blend), out_of_fold([other], blend)
    assert {r.query.id for r in before} == set(twenty.judged)
    mine = {r.query.id: [match.score for match in r.matches] for r in before}
    changed = {r.query.id: [match.score for match in r.matches] for r in after}
    assert changed["q7"] == mine["q7"]
    assert changed != mine


def test_all_that_was_tried_is_told_and_the_best_of_it_is_taken(twenty):
    blend, tried = best.fit([twenty])
    chosen = max(tried, key=lambda one: one.quality)
    assert len(tried) == len(best.MIXES)
    assert [part.share for part in blend.parts] == [share for share in chosen.shares if share > 0]
