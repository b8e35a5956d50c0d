"""The article classifier: cosines in, the probability that an article answers the input out."""

import numpy as np
import pytest

from twicetold.errors import BadData
from twicetold.rank.articles import ArticleClassifier, Settings

NAMES = ("dense.claim", "dense.title", "body.1", "body.2")


def pairs(n=4000, seed=0):
    """One pair in fifty answers: its best sentence is near, or its claim is."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-0.2, 0.6, (n, 4))
    answers = rng.random(n) < 0.02
    near = rng.integers(0, 2, n) * 2
    rows[answers, near[answers]] += 0.5
    return rows, answers


def blocks_of(rows, answers, size):
    return lambda: ((rows[i : i + size], answers[i : i + size]) for i in range(0, len(rows), size))


FAST = Settings(epochs=40, batch=256, rate=5e-3)


def area(scores, answers):
    """The share of (right, wrong) pairs in the right order."""
    return (scores[answers][:, None] > scores[~answers][None, :]).mean()


def test_it_tells_articles_that_answer_from_those_that_do_not():
    rows, answers = pairs()
    model = ArticleClassifier.fit(NAMES, blocks_of(rows, answers, 1000), FAST)
    fresh, right = pairs(seed=1)
    assert area(model.score(fresh), right) > 0.8


def test_the_same_seed_gives_the_same_model():
    rows, answers = pairs(500)
    first, second = (ArticleClassifier.fit(NAMES, blocks_of(rows, answers, 500), Settings(epochs=2)) for _ in range(2))
    np.testing.assert_array_equal(first.score(rows), second.score(rows))


def test_both_classes_weigh_the_same_so_that_rare_answers_are_not_drowned():
    rows, answers = pairs()
    model = ArticleClassifier.fit(NAMES, blocks_of(rows, answers, 4000), FAST)
    scores = model.score(rows)
    assert (scores[answers] > 0).mean() > 0.7  # log-odds above 0: more likely than not
    assert (scores[~answers] < 0).mean() > 0.7


def test_a_saved_classifier_answers_as_before(tmp_path):
    rows, answers = pairs(500)
    model = ArticleClassifier.fit(NAMES, blocks_of(rows, answers, 100), Settings(epochs=1))
    model.save(tmp_path / "m")
    np.testing.assert_array_equal(ArticleClassifier.load(tmp_path / "m").score(rows), model.score(rows))


def test_one_class_alone_is_an_error():
    rows, _ = pairs(100)
    with pytest.raises(BadData, match="0 of 100 pairs answer"):
        ArticleClassifier.fit(NAMES, blocks_of(rows, np.zeros(100, bool), 50))


def test_a_cosine_that_is_not_a_number_is_named():
    rows, answers = pairs(100)
    rows[3, 2] = np.nan
    with pytest.raises(BadData, match=r"signals body\.1"):
        ArticleClassifier.fit(NAMES, blocks_of(rows, answers, 50))
