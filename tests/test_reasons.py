"""An answer that is not certain is said in the same words on the command line, on the page and in the report of a speech."""

from __future__ import annotations

import dataclasses

import pytest

from twicetold.answer import RECIPES, Answerer, Asking
from twicetold.answer.headline import headline
from twicetold.answer.phrases import undecided
from twicetold.cli.output import print_ranking
from twicetold.scan.report import html
from twicetold.scan.scanner import ScannedLine
from twicetold.types import Claim, Decision, Lane, Line

PROBABLY, PERHAPS = "Probably checked before", "Perhaps checked before: look at the nearest"
PROBABLY_NOT = "Probably not checked before; these are the nearest"
GRADES = [(0.72, PROBABLY), (0.3, PERHAPS), (0.06, PROBABLY_NOT)]
CLAIM = "Eating garlic protects you from the coronavirus"


@pytest.fixture(scope="module")
def found(demo):
    [ranking] = Answerer(demo, RECIPES["bm25"], Asking(top=10, keys=0))([Claim("c", CLAIM)])
    return ranking


def in_doubt(ranking, probability):
    return dataclasses.replace(ranking, decision=Decision(Lane.REVIEW, probability, 0.05))


@pytest.mark.parametrize(("probability", "said"), [*GRADES, (0.5, PROBABLY), (0.499, PERHAPS), (0.2, PERHAPS), (0.199, PROBABLY_NOT)])
def test_the_words_follow_the_probability(probability, said):
    assert undecided(probability) == said


@pytest.mark.parametrize(("probability", "said"), GRADES)
def test_the_command_line_grades_an_answer_in_doubt(probability, said, found, capsys):
    print_ranking(in_doubt(found, probability), top=1)
    told = capsys.readouterr().out
    assert f"  {said.partition(':')[0]}" in told
    assert f" ({probability:.0%} sure of the first).\n" in told


@pytest.mark.parametrize(("probability", "said"), GRADES)
def test_the_page_grades_an_answer_in_doubt(probability, said, found):
    render = pytest.importorskip("twicetold.serve.pages.render", reason="the page needs the extra serve")
    ranking = in_doubt(found, probability)
    about = {"claim": CLAIM, "is_filtered": False, "refine": "", "can_write": False, "sides": None, "hidden": (), "lane": "review"}
    page = render.fragment("answer.html", ranking=ranking, said=headline(ranking), likely=found.matches[:1], others=[], **about)
    assert f'<h1 id="answer" tabindex="-1" dir="auto">{said.partition(":")[0]}' in page


@pytest.mark.parametrize(("probability", "said"), GRADES)
def test_the_report_of_a_speech_grades_a_line_in_doubt(probability, said, found):
    heard = ScannedLine(1, Line("ANN", CLAIM), 0.9, ranking=in_doubt(found, probability))
    assert f"<p class=small>{said} ({probability:.0%} sure of the first).</p>" in html("a debate", [heard])


def test_a_certain_answer_is_not_put_in_doubt(found, capsys):
    certain = dataclasses.replace(found, decision=Decision(Lane.MATCHED, 0.97, 0.05))
    print_ranking(certain, top=1)
    report = html("a debate", [ScannedLine(1, Line("ANN", CLAIM), 0.9, ranking=certain)])
    assert not [said for said in (PROBABLY, PERHAPS, PROBABLY_NOT) if said in capsys.readouterr().out + report]
