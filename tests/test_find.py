from __future__ import annotations

import dataclasses

import pytest

from twicetold import find
from twicetold.answer import HYBRID, RECIPES
from twicetold.answer.explain import explained
from twicetold.collection import Collection
from twicetold.filters import Filters
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Ranking, Reason, ReasonKind, Verdict

FOUNDATION = ["bm25", "dense", "hybrid"]
EVERYWHERE_SLOWLY = pytest.mark.parametrize("demo", ["folder", pytest.param("milvus", marks=pytest.mark.slow)], indirect=True)


@pytest.fixture(params=["folder", "milvus"])
def demo(request, demo):
    """The demo collection, with its indexes in its folder and on a Milvus server."""
    return request.getfixturevalue("demo_on_milvus") if request.param == "milvus" else demo


def mean_reciprocal_rank(rankings, gold) -> float:
    ranks = [next((1 / at for at, m in enumerate(r.matches, 1) if m.doc.id in gold[r.query.id]), 0.0) for r in rankings]
    return sum(ranks) / len(ranks)


@EVERYWHERE_SLOWLY
@pytest.mark.parametrize("name", FOUNDATION)
def test_every_recipe_keeps_the_laws_of_a_stage(demo, demo_claims, name):
    check_stage(RECIPES[name].stage(demo, depth=20), [Ranking(claim) for claim in demo_claims[::9]])


@EVERYWHERE_SLOWLY
def test_explaining_keeps_the_laws_of_an_explainer(demo, demo_claims):
    asked = ask(HYBRID.stage(demo, depth=5), demo_claims[::9])
    check_stage(explained(demo), asked, role="explainer")


@EVERYWHERE_SLOWLY
@pytest.mark.parametrize(("name", "least"), [("bm25", 0.75), ("dense", 0.85), ("hybrid", 0.93)])
def test_paraphrases_find_the_fact_check_they_paraphrase(demo, demo_claims, demo_gold, name, least):
    asked = [claim for claim in demo_claims if claim.id in demo_gold]
    assert len(asked) >= 80
    assert mean_reciprocal_rank(ask(RECIPES[name].stage(demo), asked), demo_gold) >= least


@EVERYWHERE_SLOWLY
def test_hybrid_is_better_than_either_of_its_parts(demo, demo_claims, demo_gold):
    asked = [claim for claim in demo_claims if claim.id in demo_gold]
    scores = {name: mean_reciprocal_rank(ask(RECIPES[name].stage(demo), asked), demo_gold) for name in FOUNDATION}
    assert scores["hybrid"] > max(scores["bm25"], scores["dense"])


@EVERYWHERE_SLOWLY
@pytest.mark.parametrize("name", FOUNDATION)
def test_a_claim_copied_from_a_fact_check_finds_it_first(demo, name):
    checks = list(demo.store)[::10]
    rankings = ask(RECIPES[name].stage(demo), [Claim(check.id, check.claim) for check in checks])
    firsts = [ranking.matches[0].doc for ranking in rankings]
    assert [check.claim for check in firsts] == [check.claim for check in checks]


def test_every_candidate_carries_every_signal_however_it_was_found(demo, demo_claims):
    names = {f"{kind}.{field}" for kind in ("bm25", "share") for field in ("claim", "title", "body")} | {"dense.claim", "dense.title"}
    for ranking in ask(HYBRID.stage(demo), demo_claims[:5]):
        assert all(names <= set(match.signals) for match in ranking.matches)


@EVERYWHERE_SLOWLY
def test_the_share_of_words_found_is_at_most_one(demo, demo_claims):
    for ranking in ask(HYBRID.stage(demo), demo_claims):
        assert all(0 <= match.signals[f"share.{f}"] <= 1 for match in ranking.matches for f in ("claim", "title", "body"))


def test_naming_the_same_link_makes_the_same_case_and_says_so(tmp_path, place):
    with Collection.create(tmp_path) as collection:
        checks = [
            FactCheck("linked", claim="A video shows a flooded airport", appearances=("https://example.org/v/1?utm_source=app",)),
            FactCheck("worded", claim="Watch this now"),
        ]
        list(collection.add(checks))
        collection.index()
        [ranking] = ask(HYBRID.stage(collection), [Claim("c", "Watch this now http://www.example.org/v/1/")])
    assert ranking.matches[0].doc.id == "linked"
    assert ranking.matches[0].reasons == (Reason(ReasonKind.LINK, "It names the same link."),)


@pytest.mark.parametrize("name", FOUNDATION)
def test_filters_hold_in_every_recipe(demo, demo_claims, name):
    filters = Filters(publishers=("demo climate desk (demo)",), verdicts=(Verdict.FALSE, Verdict.OTHER), after="2018")
    for ranking in ask(RECIPES[name].stage(demo, filters=filters), demo_claims[:8]):
        assert all(m.doc.publisher == "Demo Climate Desk (demo)" and m.doc.published >= "2018" for m in ranking.matches)


@pytest.mark.parametrize("text", ["😀🎉", "…", "?!", "   "])
@pytest.mark.parametrize("name", FOUNDATION)
def test_a_claim_without_a_word_matches_nothing(demo, name, text):
    assert ask(RECIPES[name].stage(demo), [Claim("c", text)])[0].is_empty


def test_a_claim_in_another_language_is_matched_in_its_own(demo):
    [ranking] = ask(HYBRID.stage(demo), [Claim("c", "新冠疫苗里有芯片吗？", lang="zh")])
    assert ranking.matches[0].doc.lang == "zh"


def test_ties_at_the_cut_go_to_the_smaller_id(tmp_path, place):
    with Collection.create(tmp_path) as collection:
        list(collection.add([FactCheck(f"d{i}", claim="the very same words") for i in (10, 9, 2, 11, 1)]))
        collection.index()
        [ranking] = ask(find.by_words(collection, "claim", depth=3), [Claim("c", "same words")])
    assert [match.doc.id for match in ranking.matches] == ["d1", "d2", "d9"]


def test_the_language_and_the_links_of_a_claim_can_be_given(demo):
    query = find.prepare(Claim("c", "garlic", lang="es", links=("https://a.org/x",)))
    assert (query.lang, query.links) == ("es", ("https://a.org/x",))
    assert find.prepare(dataclasses.replace(Claim("c", "garlic"))).lang == "en"
