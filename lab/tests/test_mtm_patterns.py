"""MTM's patterns: the first ones, and how they move (eqs 5-7)."""

import numpy as np
import pytest

from twicetold_lab.train.mtm.patterns import Votes, at_random, centres, typical, updated

# --- eqs 5-7, by hand ----------------------------------------------------------------------------------------------


def votes(*rows):
    """Rows of (residual, weight), all for the first of one pattern."""
    made = Votes.none(np.array([[0.0, 0.0]]))
    for residual, weight in rows:
        made = made.add(np.array([0]), np.array([residual]), weight)
    return made


M = np.array([[3.0, 4.0]])  # |m| = 5
NONE = votes()


def test_right_residuals_pull_a_pattern_towards_their_weighted_mean():
    # u_r = (.1·(3, 4) + .3·(7, 4)) / .4 = (6, 4); u = 1·(u_r − m) = (3, 0); m ← m + .3·5·(1, 0)
    assert updated(M, votes(([3, 4], 0.1), ([7, 4], 0.3)), NONE) == pytest.approx(np.array([[3 + 1.5, 4]]), abs=1e-6)


def test_wrong_residuals_push_a_pattern_away():
    # u = 1·(m − u_w) = (3, 4) − (3, 9) = (0, −5); m ← m + .3·5·(0, −1)
    assert updated(M, NONE, votes(([3, 9], 0.2))) == pytest.approx(np.array([[3, 4 - 1.5]]), abs=1e-6)


def test_both_sides_count_by_their_weights():
    # W_r = .3, W_w = .1: u = .75·((7, 4) − m) + .25·(m − (3, 0)) = (3, 0) + (0, 1) = (3, 1)
    u = np.array([3, 1])
    expected = M + 0.3 * 5 * u / 10**0.5
    assert updated(M, votes(([7, 4], 0.3)), votes(([3, 0], 0.1))) == pytest.approx(expected, abs=1e-6)


def test_a_pattern_nobody_voted_on_stays():
    assert updated(M, NONE, NONE).tolist() == M.tolist()


def test_votes_go_to_the_pattern_they_name():
    made = Votes.none(np.zeros((3, 1))).add(np.array([2, 0, 2]), np.array([[1.0], [5.0], [3.0]]), 0.5)
    assert (made.total.tolist(), made.weight.tolist()) == ([[2.5], [0.0], [2.0]], [0.5, 0.0, 1.0])


# --- the first patterns --------------------------------------------------------------------------------------------


def test_typical_residuals_lie_strictly_between_the_quantiles():
    residuals = np.arange(9.0)[:, None]  # lengths 0 … 8: quartile 2, median 4
    assert typical(residuals).tolist() == [[3.0]]


def test_centres_are_those_of_the_clusters():
    rng = np.random.default_rng(0)
    near = [rng.normal(size=(60, 2)) * 0.001 + middle for middle in ([1.0, 0.0], [0.0, 1.0])]
    far = rng.normal(size=(120, 2)) * 0.001 + [9, 9]
    quotes = np.zeros((60, 2))
    made = centres(np.concatenate([quotes, *near, far]), count=2)
    assert sorted(made.round(1).tolist()) == [[0.0, 1.0], [1.0, 0.0]]


def test_random_patterns_are_as_long_as_the_centres():
    like = np.array([[3.0, 4.0], [0.0, 2.0]], np.float32)
    assert np.linalg.norm(at_random(like), axis=1) == pytest.approx([5.0, 2.0])
    assert at_random(like, seed=1).tolist() != at_random(like, seed=2).tolist()
