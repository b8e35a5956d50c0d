"""Blends of rerankers, what moved a candidate to its place, and the closer look at the first candidates."""

import numpy as np
import pytest

from twicetold.collection import Collection, Settings
from twicetold.errors import BadData
from twicetold.find import hybrid_search
from twicetold.index.encoder import NO_ENCODER
from twicetold.rank.blend import Blend, Part, contributions, group_of, say_why
from twicetold.rank.boosted import Boosted
from twicetold.rank.boosted import Settings as TreeSettings
from twicetold.rank.ranksvm import RankSVM
from twicetold.rank.signals import Examples, rerank
from twicetold.rank.text_signals import NAMES as CLOSER
from twicetold.rank.text_signals import text_signals
from twicetold.stage import ask, chain
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, ReasonKind, ranked

NAMES = ("dense.claim", "share.claim", "numbers")


def problem(queries=30, candidates=8):
    rng = np.random.default_rng(0)
    rows = rng.uniform(size=(queries * candidates, 3))
    answers = np.zeros(len(rows), bool)
    answers.reshape(queries, candidates)[np.arange(queries), (rows[:, 0] + 0.2 * rows[:, 1]).reshape(queries, -1).argmax(axis=1)] = True
    return Examples(NAMES, rows, answers, np.repeat(np.arange(queries), candidates))


def blend():
    asked = problem()
    svm, trees = RankSVM.fit(asked), Boosted.fit(asked, TreeSettings(trees=20, fewest=5))
    return Blend(NAMES, (Part("ranksvm", svm, 0.25, 0.1, 2.0), Part("boosted", trees, 0.75, -0.2, 0.5)))


def test_a_blend_is_the_weighted_sum_of_its_parts_on_one_scale():
    rows = problem().rows[:10]
    model = blend()
    svm, trees = (part.model.score(rows) for part in model.parts)
    np.testing.assert_allclose(model.score(rows), 0.25 * (svm - 0.1) / 2.0 + 0.75 * (trees + 0.2) / 0.5)


def test_a_saved_blend_answers_as_before(tmp_path):
    rows = problem().rows
    model = blend()
    model.save(tmp_path / "m")
    np.testing.assert_array_equal(Blend.load(tmp_path / "m").score(rows), model.score(rows))


def test_a_missing_blend_is_named(tmp_path):
    with pytest.raises(BadData, match="there is no reranker in"):
        Blend.load(tmp_path / "nothing")


def asked_of(rows):
    return ranked(
        Claim("q", "said"), [Match(FactCheck(f"d{i}"), float(-i), dict(zip(NAMES, row, strict=True))) for i, row in enumerate(rows)]
    )


def test_the_signal_that_sets_a_candidate_apart_is_told_as_its_reason():
    model = blend()
    rows = np.array([[0.95, 0.5, 0.5], [0.1, 0.5, 0.5], [0.1, 0.5, 0.5], [0.1, 0.5, 0.5]])
    lifts = contributions(model, rows, 0)
    assert next(iter(lifts)) == "meaning"
    assert lifts["meaning"] > 0
    assert lifts["words"] == 0  # it is like the average candidate in its words
    [answer] = chain(rerank(model), say_why(model, first=1))([asked_of(rows)])
    [reason] = answer.matches[0].reasons
    assert (reason.kind, reason.text) == (ReasonKind.PLACED, f"Ranked here by meaning {lifts['meaning']:+.1f}.")
    assert answer.matches[1].reasons == ()


def test_saying_why_changes_no_order():
    check_stage(say_why(blend()), [asked_of(problem().rows[:8]), ranked(Claim("none", "said"), [])], role="explainer")


@pytest.mark.parametrize(
    ("signal", "label"),
    [
        ("bm25.body", "words"),
        ("rr.bm25.body", "words"),
        ("rr.dense.claim", "meaning"),
        ("body.2", "article text"),
    ],
)
def test_every_signal_has_a_name_people_know(signal, label):
    assert group_of(signal) == label


# --- the closer look


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    body = "The council met. The bridge over the Tamsel cost 40 million crowns, records show. It rained."
    cost = "The Tamsel bridge cost {} million crowns"
    checks = [
        FactCheck("bridge", cost.format(40), "Ada Brenn", "2020-05-01", title="What did the bridge cost?", lang="en", body=body),
        FactCheck("bridge-14", cost.format(14), "Joe Lume", title="Was the bridge cheap?", lang="en"),
        FactCheck("pont", "Le pont de Tamsel a coûté 40 millions", title="Le pont", lang="fr"),
        FactCheck("owl", "Owls never sleep in the library", title="Owls", lang="en"),
    ]
    folder = tmp_path_factory.mktemp("closer")
    with Collection.create(folder, Settings(encoder=NO_ENCODER)) as made:
        list(made.add(checks))
        made.index()
        yield made


def signals_of(collection, claim, *, first=20):
    [ranking] = ask(chain(hybrid_search(collection, {"share.claim": 1.0}), text_signals(collection, first=first)), [claim])
    return {match.doc.id: match.signals for match in ranking.matches}


SAID = Claim("q", "The Tamsel bridge cost 40 million crowns to build", lang="en", said_by="BRENN", said_on="2020-05-01")


def test_numbers_that_agree_and_numbers_that_do_not(collection):
    seen = signals_of(collection, SAID)
    assert (seen["bridge"]["numbers"], seen["bridge-14"]["numbers"]) == (1.0, -1.0)


def test_a_claim_that_says_all_of_a_headline_covers_it(collection):
    seen = signals_of(collection, SAID)
    assert seen["bridge"]["cover.claim"] == pytest.approx(1.0)
    assert seen["bridge-14"]["cover.claim"] < 0.9


def test_a_denial_is_told_from_an_assertion(collection):
    seen = signals_of(collection, Claim("q", "Owls sleep in the library", lang="en"))
    assert seen["owl"]["negation"] == 0.0
    assert signals_of(collection, Claim("q", "Owls do not sleep in the library", lang="en"))["owl"]["negation"] == 1.0


def test_languages_speakers_and_dates_are_compared(collection):
    seen = signals_of(collection, SAID)
    assert (seen["bridge"]["lang"], seen["pont"]["lang"]) == (1.0, 0.0)
    assert (seen["bridge"]["speaker"], seen["bridge-14"]["speaker"], seen["pont"]["speaker"]) == (1.0, 0.0, 0.5)
    assert (seen["bridge"]["age"], seen["bridge-14"]["age"]) == (1.0, 0.0)


def test_the_body_sentence_that_says_it_is_the_nearest(collection):
    seen = signals_of(collection, SAID)
    assert seen["bridge"]["body.1"] > 0.8
    assert seen["bridge-14"]["body.1"] == 0.0  # it has no body


def test_candidates_beyond_the_closer_look_have_the_signals_too_as_zeros(collection):
    seen = signals_of(collection, SAID, first=1)

    assert {name: seen["bridge-14"][name] for name in CLOSER} == dict.fromkeys(CLOSER, 0.0)


def test_the_closer_look_changes_no_order(collection):
    asked = ask(hybrid_search(collection, {"share.claim": 1.0}), [SAID, Claim("none", "zzz")])
    check_stage(text_signals(collection), asked, role="explainer")


def test_ranks_among_all_candidates_can_be_asked_for(collection):
    [ranking] = ask(hybrid_search(collection, {"share.claim": 1.0}, depth=2, ranked_by=("bm25.claim",)), [SAID])
    assert [match.signals["rr.bm25.claim"] for match in ranking.matches] == [1.0, 0.5]
