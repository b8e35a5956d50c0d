"""Judged pairs: what is kept, how answers are scored by them, how judges agree, and what they teach."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.errors import BadData
from twicetold.types import Claim, Decision, Difference, FactCheck, Lane, Match, Ranking, Relation, Span, to_json
from twicetold_lab.judged import agreement, files, report
from twicetold_lab.judged.files import JudgedPair
from twicetold_lab.train import own_pairs, public_pairs

KEPT = Path(__file__).parents[1] / "judgements"


def pair(claim, check, relation, **told):
    return JudgedPair(claim, check, "demo", "measure", Relation(relation), **told)


def answer(claim, lane, probability, *matches):
    return Ranking(Claim(claim, "x"), tuple(matches), Decision(Lane(lane), probability, 0.05))


def test_the_kept_judgements_can_be_read_and_hold_what_the_card_says():
    claims, pairs = files.read_claims(KEPT), files.read_pairs(KEPT)
    told = agreement.summary(claims, pairs)
    assert told["pairs"] >= 18_000
    assert told["claims"] >= 3_000
    assert told["claims written"] >= 1_200
    assert told["kappa by group"] >= 0.75
    assert {claim.part for claim in claims.values()} == set(files.PARTS)


def test_no_text_of_others_is_kept():
    for claim in files.read_claims(KEPT).values():
        assert bool(claim.text) == (claim.origin == "written")


def test_no_claim_stands_in_two_parts_and_no_pair_in_another_part_than_its_claim():
    claims = files.read_claims(KEPT)
    assert all(claims[one.claim].part == one.part for one in files.read_pairs(KEPT))


def test_a_part_answers_only_where_it_is_the_main_statement():
    assert pair("c", "a", "part", main=True).answers is True
    assert pair("c", "a", "part").answers is None


def test_a_relation_nobody_knows_is_named(tmp_path):
    (tmp_path / "relations.jsonl").write_text(json.dumps({"claim": "c", "check": "a", "relation": "similar"}) + "\n")
    with pytest.raises(BadData, match="similar"):
        files.read_pairs(tmp_path)


def test_figures_worked_out_by_hand():
    pairs = [pair("one", "a", "same"), pair("two", "b", "number", ours="60 %", theirs="40 %"), pair("three", "c", "unrelated")]
    differs = Match(
        FactCheck("b"), 1.0, relation=Relation.NUMBER, differences=(Difference(Relation.NUMBER, Span("60 %", 0), Span("40 %", 0)),)
    )
    told = [
        answer("one", "matched", 0.9, Match(FactCheck("a"), 1.0)),
        answer("two", "differs", 0.3, differs),
        answer("three", "no match", 0.1, Match(FactCheck("c"), 1.0)),
    ]
    figures = report.report(report.cases(pairs, told, "measure"))
    assert figures["claims"] == {"answered": 1, "changed": 1, "unchecked": 1}
    assert figures["area"]["any answers"]["area"] == 1.0
    assert figures["answered: matched"]["share"] == 1.0
    assert figures["matched: wrong"]["share"] == 0.0
    assert figures["changed: differs, right kind"]["share"] == 1.0
    assert figures["changed: differs, right words"]["share"] == 1.0
    assert figures["unchecked: no match"]["share"] == 1.0


def test_a_first_match_that_nobody_judged_counts_as_wrong():
    told = [answer("one", "matched", 0.9, Match(FactCheck("unknown"), 1.0))]
    figures = report.report(report.cases([pair("one", "a", "same")], told, "measure"))
    assert figures["matched: wrong"]["count"] == 1
    assert figures["unjudged in the first ten"] == 1


def test_judged_claims_are_printed_and_their_answers_scored(tmp_path):
    printed = CliRunner().invoke(
        main, ["lab", "judge", "claims", "--judgements", str(KEPT), "--collection", "demo"], catch_exceptions=False
    )
    claims = [json.loads(line) for line in printed.stdout.splitlines()]
    assert len(claims) >= 100
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(to_json(answer(one["id"], "no match", 0.1))) + "\n" for one in claims), encoding="utf-8")
    scored = CliRunner().invoke(main, ["lab", "judge", "report", str(answers), "--judgements", str(KEPT), "--json"], catch_exceptions=False)
    assert json.loads(scored.stdout)["unchecked: no match"]["share"] == 1.0


def test_a_retold_check_teaches_the_same_and_the_changed_with_their_words():
    row = {
        "id": "x", "near": "Crime fell 40 percent in town", "far": "four in ten crimes gone", "rel": "The town has a new mayor",
        "c1": {"t": "Crime fell 60 percent in town", "k": "number", "o": "60", "p": "40"},
        "c2": {"t": "Crime rose 40 percent in town", "k": "opposite", "o": "rose", "p": "fell"},
    }  # fmt: skip
    found = own_pairs.retold(row, FactCheck("x", claim="Crime fell 40 percent in town this year."))
    changed = next(one for one in found if one.relation is Relation.NUMBER)
    [ours], [theirs] = changed.spans
    assert (changed.first[slice(*ours)], changed.second[slice(*theirs)]) == ("60", "40")
    assert changed.turned().spans == changed.spans[::-1]
    assert sum(one.relation is Relation.SAME for one in found) == 5


def test_a_narrower_check_turned_round_is_broader():
    turned = own_pairs.Example("a", "b", Relation.NARROWER, 1, 0).turned()
    assert turned.relation is Relation.BROADER
    assert turned.stance == -1


def test_what_measures_is_kept_out_of_the_public_pairs(tmp_path):
    folder = tmp_path / "natural_instructions"
    folder.mkdir()
    rows = [{"src": "paws", "text1": f"Text {number}", "text2": "Other", "label": "Paraphrase"} for number in range(200)]
    (folder / "ni_pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    left = {one.first for one in public_pairs.natural_instructions(folder)}
    assert 100 < len(left) < 200
    assert not any(public_pairs.is_kept_out(text) for text in left)
