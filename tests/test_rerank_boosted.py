"""LambdaMART: boosted trees that order candidates."""

import numpy as np
import pytest

from twicetold.rank.boosted import Boosted, Settings
from twicetold.rank.signals import Examples, rerank
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, ranked

NAMES = ("near", "early", "noise")
FAST = Settings(trees=60, fewest=5, rate=0.2)


def problem(*, queries=120, candidates=10, seed=0):
    """The right candidate is near and early at once: an interaction no weighted sum expresses."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(size=(queries * candidates, 3))
    quality = np.minimum(rows[:, 0], rows[:, 1])
    numbers = np.repeat(np.arange(queries), candidates)
    answers = np.zeros(len(rows), bool)
    for query in range(queries):
        here = np.flatnonzero(numbers == query)
        answers[here[np.argmax(quality[here])]] = True
    return Examples(NAMES, rows, answers, numbers)


def right_first(model, asked):
    scores = model.score(asked.rows).reshape(-1, 10)
    return asked.answers.reshape(-1, 10)[np.arange(len(scores)), scores.argmax(axis=1)].mean()


def test_it_orders_fresh_candidates_by_an_interaction_of_signals():
    assert right_first(Boosted.fit(problem(), FAST), problem(seed=1)) > 0.7  # at random: 0.1


def test_each_round_improves_the_order_it_learns():
    asked = problem()
    few, many = (right_first(Boosted.fit(asked, Settings(trees=n, fewest=5, rate=0.2)), asked) for n in (2, 60))
    assert many > few


def test_the_scores_are_those_of_the_trees_it_was_grown_from():
    from sklearn.tree import DecisionTreeRegressor

    from twicetold.rank.boosted import packed

    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 3)).astype(np.float32)
    trees = [DecisionTreeRegressor(max_leaf_nodes=8, random_state=n).fit(rows, rows[:, n] ** 2) for n in range(3)]
    model = Boosted(NAMES, Settings(), *packed([tree.tree_ for tree in trees], 0.5))
    np.testing.assert_allclose(model.score(rows), 0.5 * sum(tree.predict(rows) for tree in trees), atol=1e-9)


def test_a_saved_model_answers_as_before(tmp_path):
    asked = problem(queries=20)
    model = Boosted.fit(asked, Settings(trees=5, fewest=2))
    model.save(tmp_path / "m")
    np.testing.assert_array_equal(Boosted.load(tmp_path / "m").score(asked.rows), model.score(asked.rows))


def test_the_same_seed_gives_the_same_trees():
    asked = problem(queries=20)
    first, second = (Boosted.fit(asked, Settings(trees=5, fewest=2)).score(asked.rows) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_reranking_by_trees_keeps_the_laws_of_a_stage():
    rng = np.random.default_rng(3)
    signals = [dict(zip(NAMES, rng.uniform(size=3), strict=True)) for _ in range(12)]
    asked = [ranked(Claim(f"q{n}", "said"), [Match(FactCheck(f"d{i}"), float(-i), signals[i]) for i in range(n)]) for n in (0, 1, 12)]
    check_stage(rerank(Boosted.fit(problem(queries=20), FAST)), asked, role="reranker")


@pytest.mark.parametrize("gap", [-3.0, 0.0, 3.0])
def test_a_pair_in_the_wrong_order_is_pulled_harder_than_one_in_the_right_order(gap):
    from twicetold.rank.boosted import _Pairs

    pairs = _Pairs(Examples(("s",), np.zeros((2, 1)), np.array([True, False]), np.array([0, 0])))
    pull, _ = pairs.pulls(np.array([gap, 0.0]))
    swapped = 1 - 1 / np.log2(3)  # what nDCG loses if the only answer comes second
    np.testing.assert_allclose(pull, np.array([1, -1]) * swapped / (1 + np.exp(gap)))
