"""One owner of the answer: the same claim gets the same fact-checks in the same order with the same lane, whichever door it comes in by."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

import twicetold
from twicetold.answer import BEST, DEBATE, HYBRID, RECIPES, Answerer, Asking, recipe_named
from twicetold.answer.group import answering, family
from twicetold.answer.headline import shown_and_folded
from twicetold.cli import main
from twicetold.collection import Collection, Settings
from twicetold.errors import BadInput
from twicetold.index.encoder import NO_ENCODER
from twicetold.mine.contest import Contested, with_checks
from twicetold.scan.scanner import Settings as Listening
from twicetold.scan.speeches import scanner
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import (
    CHANGED,
    Claim,
    Decision,
    FactCheck,
    Lane,
    Line,
    Match,
    Myth,
    Question,
    Ranking,
    Relation,
    from_json,
    ranked,
)  # fmt: skip

TOP = 5
FIRST_LINES = {
    Lane.MATCHED: "Checked before",
    Lane.DIFFERS: "Close, but not the same",
    Lane.REVIEW: "(Probably|Perhaps) ",
    Lane.NO_MATCH: "Nothing found in ",
}


def told(ranking):
    lane = None if ranking.decision is None else ranking.decision.lane
    return lane, [match.doc.id for match in ranking.matches]


def told_json(record):
    return told(from_json(Ranking, record))


@pytest.fixture(scope="module")
def claims(demo_claims):
    copied = Claim("copy", "Eating raw garlic prevents or cures infection with the coronavirus.")
    return [*demo_claims[::6], copied]


@pytest.fixture(scope="module")
def wanted(demo, claims):
    return [told(ranking) for ranking in Answerer(demo, BEST, Asking(top=TOP))(claims)]


@pytest.fixture(scope="module")
def client(demo_folder, tmp_path_factory):
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from serving import copied, serving

    with serving(copied(demo_folder, tmp_path_factory.mktemp("doors") / "demo")) as client:
        yield client


# --- the same answer everywhere ------------------------------------------------------------------------------------


def test_claims_that_were_checked_before_and_claims_that_were_not_are_among_these(wanted):
    assert {lane for lane, _ in wanted} > {Lane.MATCHED, Lane.NO_MATCH}


def test_python(demo, claims, wanted):
    assert [told(twicetold.match(claim, demo, top=TOP)) for claim in claims] == wanted


def test_the_command_line(demo_folder, claims, wanted):
    asked = "".join(json.dumps({"id": claim.id, "text": claim.text}) + "\n" for claim in claims)
    ran = CliRunner().invoke(main, ["--data", str(demo_folder), "match", "--json", "-"], input=asked, catch_exceptions=False)
    assert [told_json(json.loads(line)) for line in ran.stdout.splitlines()] == wanted


def test_the_api_for_one_claim_and_for_many(client, claims, wanted):
    posted = client.post("/v1/match/batch", json={"claims": [{"text": claim.text} for claim in claims], "top": TOP}).json()
    assert [told_json(record) for record in posted["rankings"]] == wanted
    assert told_json(client.post("/v1/match", json={"text": claims[0].text, "top": TOP}).json()) == wanted[0]
    assert told_json(client.get("/v1/match", params={"text": claims[0].text, "top": TOP}).json()) == wanted[0]


def test_the_page(client, claims, wanted):
    for claim, (lane, ids) in zip(claims, wanted, strict=True):
        page = client.get("/refined", params={"claim": claim.text}).text
        assert re.search(f'<h1 id="answer"[^>]*>{FIRST_LINES[lane]}', page), page[:400]
        shown = [unquote(unescape(id)) for id in re.findall(r'<h2 class="claim" id="match-\d+"[^>]*><a href="/fact-checks/([^"]+)"', page)]
        assert set(ids) <= set(shown)


def test_the_tools_for_language_models(demo_folder, claims, wanted, tmp_path):
    tools = pytest.importorskip("twicetold.serve.tools", reason="needs the extras serve and mcp", exc_type=Exception)
    from serving import copied

    answers = tools.Tools(copied(demo_folder, tmp_path / "demo"))
    assert [told_json(answers.match_claim(claim.text, top=TOP, details=True)["ranking"]) for claim in claims] == wanted


def test_the_watch_list(demo, claims, wanted):
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from twicetold.serve.watcher import looked_up
    from twicetold.serve.watches import Watch, came_up

    rankings = [looked_up(demo, Watch(claim.id, claim.text, "", "", "")) for claim in claims]
    assert [(lane, ids[:TOP]) for lane, ids in map(told, rankings)] == wanted
    assert [bool(came_up(ranking)) for ranking in rankings] == [lane is not Lane.NO_MATCH for lane, _ in wanted]


def test_a_speech_looked_up_by_the_same_recipe(demo, claims, wanted):
    listener = scanner(demo, BEST, Asking(top=TOP), settings=Listening(least_worth=0.0))
    assert [told(one.ranking) for one in listener.scan([Line("", claim.text) for claim in claims])] == wanted


def test_a_speech_looked_up_by_its_own_recipe(demo, claims):
    lines = [Line("ANN", claim.text) for claim in claims]
    heard = list(scanner(demo, settings=Listening(least_worth=0.0)).scan(lines))
    asked = [one.ranking.query for one in heard]
    assert [told(one.ranking) for one in heard] == [told(ranking) for ranking in Answerer(demo, DEBATE, Asking(top=3))(asked)]
    assert [one.is_checked for one in heard] == [told(one.ranking)[0] is Lane.MATCHED for one in heard]


def test_an_answer_to_a_question(demo, claims, wanted):
    answers = [Contested(Myth(Question("q", "?"), "yes", claim.text), 0.5) for claim in claims]
    known = with_checks(answers, demo, top=TOP)
    assert [told(one.known) for one in known] == [told(ranking) for ranking in Answerer(demo, BEST, Asking(top=TOP))(_english(claims))]
    assert [bool(one.checked) for one in known] == [told(one.known)[0] is Lane.MATCHED for one in known]


def _english(claims):
    return [Claim(claim.id, claim.text, lang="en") for claim in claims]


def test_a_screened_file(demo_folder, claims, wanted, tmp_path, write_jsonl):
    pytest.importorskip("pyarrow", reason="needs the extra screen")
    from screening import rows

    from twicetold.batch.drive import Crewing, screen
    from twicetold.batch.ledger import Screening

    posts = write_jsonl("posts.jsonl", [{"id": claim.id, "text": claim.text} for claim in claims])
    screen([str(posts)], str(tmp_path / "out"), str(demo_folder), Screening(top=TOP), Crewing(workers=1))
    found = rows(tmp_path / "out")
    assert [(found[claim.id]["lane"], [one["check"] for one in found[claim.id]["matches"]]) for claim in claims] == wanted


def test_the_layout_of_the_fact_check_tools_has_the_order_of_the_quick_recipe(client, demo, claims):
    rankings = Answerer(demo, HYBRID, Asking(top=TOP))(claims[:8])
    for claim, ranking in zip(claims, rankings, strict=False):
        found = client.get("/v1/claims:search", params={"query": claim.text, "pageSize": TOP}).json()["claims"]
        assert [one["claimReview"][0]["url"] for one in found] == [match.doc.url for match in ranking.matches]


# --- the answerer --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bm25", "hybrid", "best", "debate"])
def test_the_whole_answerer_keeps_the_laws_of_a_stage(name, demo, demo_claims):
    check_stage(Answerer(demo, RECIPES[name], Asking(top=4)).stage, [Ranking(claim) for claim in demo_claims[::30]])


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_that_only_orders_decides_nothing(name, demo, demo_claims):
    recipe = RECIPES[name]
    for ranking in Answerer(demo, recipe, Asking(top=2, keys=0))(demo_claims[:2]):
        assert (ranking.decision is not None) is recipe.judged


def test_words_alone_are_not_decided(tmp_path):
    with Collection.create(tmp_path, Settings(encoder=NO_ENCODER)) as collection:
        for _ in collection.add([FactCheck("fc-1", claim="Garlic cures the flu")]):
            pass
        collection.index()
        [ranking] = Answerer(collection)([Claim("c", "Garlic cures the flu")])
    assert (ranking.decision, ranking.matches[0].doc.id) == (None, "fc-1")


def test_how_many_are_shown_changes_no_decision(demo, demo_claims):
    one, many = (Answerer(demo, BEST, Asking(top=top, keys=0))(demo_claims[:10]) for top in (1, 10))
    assert [ranking.decision for ranking in one] == [ranking.decision for ranking in many]


@pytest.mark.parametrize("risk", [0.0, 1.0, -0.5, 2.0])
def test_an_error_that_is_no_share_cannot_be_tolerated(risk):
    with pytest.raises(BadInput, match=r"between 0 and 1, as in --risk 0\.05"):
        Asking(risk=risk)


def test_a_recipe_that_does_not_exist_is_named_with_those_that_do():
    with pytest.raises(BadInput, match=r"no recipe 'fast'; choose one of bm25, dense"):
        recipe_named("fast")


# --- what answers --------------------------------------------------------------------------------------------------


def match(id, score, **more):
    return Match(FactCheck(id, claim=f"the claim of {id}"), score, **more)


def in_lane(lane, *matches):
    return ranked(Claim("c", "a claim"), matches, Decision(lane, 0.5, 0.05))


@pytest.mark.parametrize("relation", sorted(CHANGED))
def test_a_check_of_something_changed_is_never_matched_by_itself(relation):
    from twicetold.answer.decide import never_by_a_changed_check

    [ranking] = never_by_a_changed_check([in_lane(Lane.MATCHED, match("a", 1.0, relation=relation))])
    assert ranking.decision.lane is Lane.DIFFERS


@pytest.mark.parametrize("relation", [None, Relation.SAME, Relation.NARROWER, Relation.BROADER])
def test_a_check_that_answers_stays_matched(relation):
    from twicetold.answer.decide import never_by_a_changed_check

    matched = in_lane(Lane.MATCHED, match("a", 1.0, relation=relation))
    assert never_by_a_changed_check([matched]) == [matched]


def test_only_a_matched_claim_has_fact_checks_that_answer_it():
    found = {lane: [one.doc.id for one in answering(in_lane(lane, match("a", 1.0)))] for lane in Lane}
    assert found == {Lane.MATCHED: ["a"], Lane.DIFFERS: [], Lane.REVIEW: [], Lane.NO_MATCH: []}
    assert answering(Ranking(Claim("c", "a claim"), (match("a", 1.0),))) == ()


def test_where_pairs_were_read_the_checks_that_say_the_same_answer():
    ranking = in_lane(
        Lane.MATCHED,
        match("number", 3.0, relation=Relation.NUMBER), match("same", 2.0, relation=Relation.SAME),
        match("related", 1.0, relation=Relation.RELATED), match("wider", 0.5, relation=Relation.BROADER),
    )  # fmt: skip
    assert [one.doc.id for one in answering(ranking)] == ["same", "wider"]


def test_the_family_of_the_first_match_says_the_same_by_meaning_or_by_words():
    first = Match(FactCheck("first", claim="Garlic cures the common flu"), 3.0, signals={"same": 1.0})
    near = Match(FactCheck("near", claim="Eating cloves heals influenza"), -2.0, signals={"same": 0.9})
    alike = Match(FactCheck("alike", claim="Garlic cures the common flu, says a post"), -3.0, signals={"same": 0.2})
    other = Match(FactCheck("other", claim="The moon landing was filmed"), -1.0, signals={"same": 0.1})
    assert [one.doc.id for one in family(ranked(Claim("c", "x"), [first, near, alike, other]))] == ["first", "near", "alike"]


def test_scores_below_zero_hide_no_card(demo, demo_claims):
    """Cards were cut by a share of the first score, which rises when scores are negative."""
    negative = ranked(Claim("c", "a claim"), [match("a", -1.0), match("b", -1.5), match("c", -9.0)])
    likely, others = shown_and_folded(negative)
    assert ([one.doc.id for one in likely], list(others)) == (["a", "b", "c"], [])


def test_stages_of_a_recipe_find_and_rank_alone(demo, demo_claims):
    found = ask(HYBRID.stage(demo, depth=3), demo_claims[:3])
    assert [(ranking.decision, len(ranking.matches)) for ranking in found] == [(None, 3)] * 3
