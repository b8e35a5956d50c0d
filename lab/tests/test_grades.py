"""Fitting the two chances of a judged pair."""

import numpy as np
import pytest

from twicetold.errors import BadData
from twicetold.judge.grades import FEATURES, Grades

pytest.importorskip("sklearn", reason="fitting needs scikit-learn")
from twicetold_lab.train.grades import fit_grades

NAMES = ("reader.answers", "counted.numbers.conflict", "counted.overlap.ours", "dense.claim")


def world(n=600, seed=0):
    """Pairs that answer where the reader says so and no number conflicts, and are changed where one does."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.normal(size=n), rng.random(n) < 0.3, rng.random(n), rng.random(n)])
    changed = (rows[:, 1] > 0) & (rows[:, 0] > -0.5)
    answers = ~changed & (rows[:, 0] + 0.5 * rng.normal(size=n) > 0)
    return rows, answers, changed, [f"claim {i // 4}" for i in range(n)]


def graded(grades: Grades, rows):
    return grades.grade([dict(zip(NAMES, row, strict=True)) for row in rows])


def test_chances_are_right_and_calibrated_on_pairs_not_seen():
    rows, answers, changed, groups = world()
    fitted = fit_grades(rows, NAMES, answers, changed, groups)
    fresh, answers, changed, _ = world(2000, seed=1)
    chance, of_change = graded(fitted.grades, fresh)
    assert np.mean((of_change > 0.5) == changed) > 0.95
    for low in (0.0, 0.25, 0.5, 0.75):
        here = (chance >= low) & (chance < low + 0.25)
        assert abs(chance[here].mean() - answers[here].mean()) < 0.12


def test_held_out_chances_come_from_models_that_have_not_seen_the_group():
    rng = np.random.default_rng(0)
    rows, _, _, groups = world(400)
    drawn = rng.integers(3, size=400)  # nothing to learn: a model that has seen the rows would seem to know it
    luck = drawn == 0
    fitted = fit_grades(rows, NAMES, luck, drawn == 1, groups)
    assert abs(fitted.answers[luck].mean() - fitted.answers[~luck].mean()) < 0.08


def test_a_seed_gives_the_same_model(tmp_path):
    rows, answers, changed, groups = world(200)
    for name in ("a", "b"):
        fit_grades(rows, NAMES, answers, changed, groups, seed=3).grades.save(tmp_path / name)
    assert (tmp_path / "a" / "weights.npz").read_bytes() == (tmp_path / "b" / "weights.npz").read_bytes()
    assert graded(Grades.load(tmp_path / "a"), rows)[0].tolist() == graded(Grades.load(tmp_path / "b"), rows)[0].tolist()


def test_what_cannot_be_fitted_is_said():
    rows, answers, changed, groups = world(80)
    with pytest.raises(BadData, match=r"0 of \d+ pairs"):
        fit_grades(rows, NAMES, answers & False, changed, groups)
    with pytest.raises(BadData, match="1 group"):
        fit_grades(rows, NAMES, answers, changed, ["one"] * 80)
    with pytest.raises(BadData, match=r"dense\.claim"):
        fit_grades(np.where(np.arange(4) == 3, np.nan, rows), NAMES, answers, changed, groups)


def test_the_features_of_the_test_are_among_those_computed():
    assert set(NAMES) <= set(FEATURES)
