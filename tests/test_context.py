"""Claims in context: neighbours' signals are those of the neighbour against the same fact-check, whatever found it."""

import numpy as np
import pytest

from twicetold.collection import Collection, Settings
from twicetold.filters import Filters
from twicetold.index.encoder import NO_ENCODER
from twicetold.rank.context.debate import debate, weighted
from twicetold.rank.context.finder import Finder, Scope
from twicetold.rank.context.model import DebateModel
from twicetold.rank.context.probe import Probe
from twicetold.stage import ask
from twicetold.testing import check_stage
from twicetold.types import Claim, Context, FactCheck, Lane, Line, Match, Question, Ranking

LINES = (
    Line("BRANDVOLD", "Parents tell me what happened after the injection for measles, mumps and rubella."),
    Line("BRANDVOLD", "It gave their children autism."),
    Line("QUISPE", "That has been studied to death."),
)


def said(at, lines=LINES, **options):
    return Claim(f"d:{at + 1}", lines[at].text, Context(lines, at), said_by=lines[at].speaker, **options)


def numbers(collection):
    return [num for num, _, _ in collection.store.since(0)]


def signals(collection, claim, scope):
    finder = Finder(collection, weighted, scope=scope)
    nums = numbers(collection)
    return finder.signals(claim, finder.views(claim), nums)


@pytest.mark.parametrize("offset", [-1, 1])
def test_a_neighbours_signals_are_those_it_has_itself_against_the_same_fact_checks(demo, offset):
    found = signals(demo, said(1), Scope(behind=1, ahead=1))
    alone = Probe(demo, LINES[1 + offset].text).signals(numbers(demo))
    for name, values in alone.items():
        assert np.array_equal(found[f"fc[{offset:+d}].{name}"], values), name


def test_fc_k_l_has_k_lines_before_and_l_after_oldest_first(demo):
    views = Finder(demo, weighted, scope=Scope(behind=2, ahead=1)).views(said(2))
    assert list(views) == ["said", "fc[-2]", "fc[-1]", "fc[+1]", "around"]
    assert views["fc[-2]"] == LINES[0].text


def test_beyond_the_ends_there_is_nothing_or_the_last_line_again(demo):
    padded, clamped = (Finder(demo, weighted, scope=Scope(1, 1, edge)).views(said(2)) for edge in ("pad", "clamp"))
    assert (padded["fc[+1]"], clamped["fc[+1]"]) == ("", LINES[2].text)
    assert not any(values.any() for name, values in signals(demo, said(2), Scope(1, 1)).items() if name.startswith("fc[+1]"))


def test_the_lines_around_find_what_the_line_itself_cannot(demo):
    claim = Claim("d:2", "It gave them that.", Context((LINES[0], Line("BRANDVOLD", "It gave them that.")), 1), said_by="BRANDVOLD")
    [alone] = ask(Finder(demo, weighted, scope=Scope(0, 0, candidates_from="said", pool=5)).stage(), [claim])
    [around] = ask(Finder(demo, weighted, scope=Scope(pool=5)).stage(), [claim])
    wanted = {"demo-health-mmr-autism", "demo-science-mmr-autism"}
    assert not wanted & {match.doc.id for match in alone.matches}
    assert wanted & {match.doc.id for match in around.matches}


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    collection = Collection.create(tmp_path_factory.mktemp("people"), Settings(encoder=NO_ENCODER))
    checks = [
        FactCheck("trump", claim="Trade deficits are up.", claimant="Donald Trump", claimed_on="2016-10-18", published="2016-10-20"),
        FactCheck("clinton", claim="Trade deficits are up.", claimant="Hillary Clinton", claimed_on="2012-01-01", published="2012-01-02"),
        FactCheck("other", claim="The moon is made of cheese.", claimant="Donald Trump", published="2015-05-05"),
    ]
    for _ in collection.add(checks):
        pass
    collection.index()
    return collection


def test_whose_claim_was_checked_and_when_are_signals(people):
    lines = (Line("CLINTON", "Hillary Clinton here."), Line("TRUMP", "Trade deficits went up."))
    found = signals(people, said(1, lines, said_on="2016-10-19"), Scope())
    assert found["speaker.same"].tolist() == [1.0, 0.0, 1.0]
    assert found["speaker.present"].tolist() == [0.0, 1.0, 0.0]
    assert found["age.same_day"].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("speakers", "said_on", "is_known"),
    [
        (("WALLACE", "TRUMP"), "2016-10-19", True),
        (("TRUMP", "WALLACE"), "2016-10-19", True),
        (("TRUMP", "WALLACE"), "", False),
        (("WALLACE", "LEE"), "2016-10-19", False),
    ],
)
def test_an_event_is_known_by_its_day_and_by_someone_whose_claims_were_checked(people, speakers, said_on, is_known):
    lines = tuple(Line(speaker, "Trade deficits went up.") for speaker in speakers)
    assert set(signals(people, said(1, lines, said_on=said_on), Scope())["event.known"].tolist()) == {float(is_known)}


def test_what_a_speaker_was_checked_for_is_a_candidate_without_a_word_in_common(people):
    lines = (Line("TRUMP", "Nobody says otherwise."),)
    [ranking] = ask(debate(people), [said(0, lines)])
    assert {match.doc.id for match in ranking.matches} == {"trump", "other"}


def test_filters_hold_for_every_way_of_finding(people):
    lines = (Line("TRUMP", "Trade deficits went up."),)
    [ranking] = ask(debate(people, filters=Filters(before="2016-01-01")), [said(0, lines)])
    assert {match.doc.id for match in ranking.matches} == {"clinton", "other"}


def test_the_debate_recipe_keeps_the_laws_of_a_stage(demo):
    rankings = [Ranking(said(at)) for at in range(3)] + [Ranking(Claim("c", "Garlic cures COVID-19")), Ranking(Question("q", "?!"))]
    check_stage(debate(demo, depth=7), rankings)


def test_a_debate_model_scores_decides_and_comes_back_from_disk(tmp_path, demo):
    model = DebateModel({"share.claim": 1.0, "dense.claim": 2.0}, {"": -3.0, "score": 2.0})
    [ranking] = ask(Finder(demo, model.score).stage(depth=5), [said(1)])
    first = ranking.matches[0]
    assert first.score == pytest.approx(first.signals["share.claim"] + 2 * first.signals["dense.claim"])
    decided = model.decided(ranking).decision
    assert decided.probability == pytest.approx(1 / (1 + np.exp(3 - 2 * first.score)))
    model.save(tmp_path / "debate")
    assert DebateModel.load(tmp_path / "debate") == model


def test_without_a_match_the_chance_is_none():
    model = DebateModel({}, {"": 9.0})
    assert model.decided(Ranking(Claim("c", "x"))).decision.lane is Lane.NO_MATCH


def test_the_chance_of_a_line_whose_day_and_speaker_are_known_is_told_by_its_own_coefficients():
    model = DebateModel({}, {"": 2.0}, {"": -2.0})
    [known], [other] = ([Match(FactCheck("a"), 1.0, signals={"event.known": value})] for value in (1.0, 0.0))
    assert [model.decided(Ranking(Claim("c", "x"), (match,))).decision.lane for match in (known, other)] == [Lane.MATCHED, Lane.NO_MATCH]


def test_a_line_is_decided_alike_however_few_matches_are_wanted(demo):
    one, many = (ask(debate(demo, depth=depth), [said(1, said_on="2019-05-04")]) for depth in (1, 50))
    assert (len(one[0].matches), one[0].decision, one[0].matches[0]) == (1, many[0].decision, many[0].matches[0])
