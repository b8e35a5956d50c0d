"""What the debate model is fitted on: lines that were judged, each counting for those it was drawn from."""

import pytest

from twicetold.rank.context.model import DebateModel
from twicetold.types import Claim, FactCheck, Match, Ranking
from twicetold_lab.annotate import TASKS
from twicetold_lab.train.debate import Known, fit_chance, read_judged


def test_a_judged_line_counts_for_as_many_lines_as_it_stands_for_beside_the_others():
    found = [Ranking(Claim(str(score), "x"), (Match(FactCheck("a"), score),)) for score in (0.2, 0.5, 0.9, 1.4)]

    def fitted(*weights):
        return fit_chance([Known(one, float(at % 2), weight) for at, (one, weight) in enumerate(zip(found, weights, strict=True))])

    assert fitted(6, 2, 2, 2) == pytest.approx(fitted(3, 1, 1, 1))
    often, seldom = (DebateModel({}, fitted(1, weight, 1, 1)).chance(found[1]) for weight in (3, 1))  # its match is right
    assert often > seldom


def test_judged_lines_are_of_training_debates_each_judged_once_and_hold_no_text():
    judged = read_judged()
    assert len({one.line for one in judged}) == len(judged) == len(read_judged(withheld=True))
    assert {one.label for one in judged} == set(TASKS["same-claim"])
    assert max(one.line for one in judged) < "20170725"
    assert all(one.check.startswith("vclaim-pol-") and one.weight >= 1 for one in judged)
