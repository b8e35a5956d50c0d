"""Measures of co-reference, against figures worked out by hand."""

import pytest

from twicetold_lab.measures.coreference import b_cubed, ceaf_e, conll, muc

# The example of Luo (2005): gold {1 … 5} {6, 7} {8 … C}; the answer joins the first cluster with the last.
GOLD = [[1, 2, 3, 4, 5], [6, 7], [8, 9, "A", "B", "C"]]
GIVEN = [[1, 2, 3, 4, 5, 8, 9, "A", "B", "C"], [6, 7]]


def test_muc_counts_links():
    counted = muc(GOLD, GIVEN)
    assert (counted.recalled / counted.gold, counted.precise / counted.given) == (9 / 9, 9 / 10)


def test_b_cubed_counts_mentions():
    counted = b_cubed(GOLD, GIVEN)
    assert counted.recalled / counted.gold == pytest.approx(1.0)
    assert counted.precise / counted.given == pytest.approx((10 * 5 / 10 + 2) / 12)


def test_ceaf_aligns_clusters_one_to_one():
    counted = ceaf_e(GOLD, GIVEN)
    best = 2 * 5 / (5 + 10) + 1
    assert (counted.recalled / counted.gold, counted.precise / counted.given) == pytest.approx((best / 3, best / 2))


def test_the_same_clusters_score_one_and_nothing_scores_nothing():
    assert conll([(GOLD, GOLD)]) == pytest.approx({"muc": 1, "b_cubed": 1, "ceaf_e": 1, "conll": 1})
    assert conll([(GOLD, [])])["conll"] == 0
