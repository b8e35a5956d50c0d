"""Kernel RankSVM: its solution, its approximation, its files and its refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twicetold.errors import BadData, BadInput
from twicetold.rank.ranksvm import RankSVM, Settings, rbf
from twicetold.rank.signals import Examples, Scale, examples, matrix, reciprocal_ranks, rerank
from twicetold.testing import check_stage
from twicetold.types import Claim, FactCheck, Match, Ranking, ranked

NAMES = ("bm25.claim", "dense.claim", "rr.dense.claim")


def problem(*, queries=12, candidates=9, seed=0, curved=False):
    """Candidates whose right one is told by a noisy sum of two signals, or, if curved, by one signal being near the middle."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(queries * candidates, len(NAMES)))
    quality = -np.abs(rows[:, 0]) if curved else rows[:, 0] + rows[:, 1] + 0.3 * rng.normal(size=len(rows))
    numbers = np.repeat(np.arange(queries), candidates)
    answers = np.zeros(len(rows), bool)
    for query in range(queries):
        here = np.flatnonzero(numbers == query)
        answers[here[np.argmax(quality[here])]] = True
    return Examples(NAMES, rows, answers, numbers)


def reference(features, examples_, cost):
    """The same problem given to scikit-learn: a linear SVM with squared hinge on the differences of feature vectors."""
    from sklearn.svm import LinearSVC

    better, worse = examples_.pairs()
    differences = features[better] - features[worse]
    sign = np.where(np.arange(len(differences)) % 2, 1, -1)  # it wants two classes; a difference turned round is the same pair
    svm = LinearSVC(loss="squared_hinge", C=cost, fit_intercept=False, dual=False, tol=1e-10, max_iter=100_000)
    svm.fit(differences * sign[:, None], sign)
    return features @ svm.coef_[0]


@pytest.mark.parametrize("cost", [0.1, 1.0, 10.0])
def test_the_linear_kernel_gives_the_scores_of_an_independent_solver(cost):
    asked = problem()
    rows = Scale.fit(asked.rows)(asked.rows)
    model = RankSVM.fit(asked, Settings(kernel="linear", cost=cost, tolerance=1e-9))
    np.testing.assert_allclose(model.score(asked.rows), reference(rows, asked, cost), atol=1e-5)


@pytest.mark.parametrize("cost", [0.1, 1.0, 10.0])
def test_the_rbf_kernel_gives_the_scores_of_an_independent_solver_in_the_kernels_own_feature_space(cost):
    asked = problem(curved=True)
    rows = Scale.fit(asked.rows)(asked.rows)
    features = np.linalg.cholesky(rbf(rows, rows, 1 / 3) + 1e-10 * np.eye(len(rows)))
    model = RankSVM.fit(asked, Settings(cost=cost, tolerance=1e-6))
    np.testing.assert_allclose(model.score(asked.rows), reference(features, asked, cost), atol=2e-3)


def test_rbf_learns_an_order_that_no_linear_model_can_express():
    asked = problem(queries=60, curved=True)
    fresh = problem(queries=60, curved=True, seed=1)

    def right_pairs(model):
        better, worse = fresh.pairs()
        scores = model.score(fresh.rows)
        return (scores[better] > scores[worse]).mean()

    assert right_pairs(RankSVM.fit(asked)) > 0.85
    assert right_pairs(RankSVM.fit(asked, Settings(kernel="linear"))) < 0.65


def test_nystroem_with_every_row_as_landmark_is_the_exact_model():
    asked = problem(curved=True)
    exact = RankSVM.fit(asked, Settings(tolerance=1e-6))
    near = RankSVM.fit(asked, Settings(tolerance=1e-6, exact=0, landmarks=len(asked.rows) * 2))
    np.testing.assert_allclose(near.score(asked.rows), exact.score(asked.rows), atol=5e-3)


def test_nystroem_with_a_fifth_of_the_rows_orders_nearly_as_the_exact_model():
    asked = problem(queries=80, curved=True)
    exact = RankSVM.fit(asked).score(asked.rows)
    near = RankSVM.fit(asked, Settings(exact=0, landmarks=len(asked.rows) // 5)).score(asked.rows)
    assert np.corrcoef(exact, near)[0, 1] > 0.99


def test_queries_without_an_answer_among_their_candidates_change_nothing():
    asked = problem()
    rows = np.concatenate([asked.rows, asked.rows[:5] * 0.5])
    more = Examples(NAMES, rows, np.append(asked.answers, np.zeros(5, bool)), np.append(asked.queries, np.full(5, 99)))
    np.testing.assert_allclose(RankSVM.fit(more).score(asked.rows), RankSVM.fit(asked).score(asked.rows), atol=1e-4)


def test_a_saved_model_answers_as_before_and_its_files_hold_no_pickle(tmp_path):
    asked = problem(curved=True)
    model = RankSVM.fit(asked)
    model.save(tmp_path / "m")
    loaded = RankSVM.load(tmp_path / "m")
    assert loaded.names == NAMES
    np.testing.assert_array_equal(loaded.score(asked.rows), model.score(asked.rows))
    with np.load(tmp_path / "m" / "weights.npz", allow_pickle=False) as arrays:
        assert set(arrays.files) == {"low", "high", "centres", "weights"}


def test_a_damaged_model_is_named(tmp_path):
    RankSVM.fit(problem()).save(tmp_path / "m")
    (tmp_path / "m" / "weights.npz").write_bytes(b"nothing")
    with pytest.raises(BadData, match=r"weights\.npz is damaged"):
        RankSVM.load(tmp_path / "m")


def test_a_model_of_another_kind_is_refused(tmp_path):
    RankSVM.fit(problem()).save(tmp_path / "m")
    record = (tmp_path / "m" / "model.json").read_text().replace('"ranksvm"', '"boosted"')
    (tmp_path / "m" / "model.json").write_text(record)
    (tmp_path / "m" / "SHA256SUMS").unlink()
    with pytest.raises(BadData, match="is a 'boosted', not a 'ranksvm'"):
        RankSVM.load(tmp_path / "m")


def matches(*signals):
    return [Match(FactCheck(f"d{number}"), 1.0, signals=named) for number, named in enumerate(signals)]


def test_a_model_trained_on_other_signals_refuses_and_tells_both_lists():
    model = RankSVM.fit(problem())
    with pytest.raises(BadData, match=r"wants bm25\.claim, dense\.claim, rr\.dense\.claim; the candidates have bm25\.claim, link; missing"):
        rerank(model)([Ranking(Claim("q", "said"), tuple(matches({"bm25.claim": 1.0, "link": 1.0})))])


def test_training_without_positives_is_an_error():
    with pytest.raises(BadData, match="none of the 4 candidates answers"):
        Examples(NAMES, np.zeros((4, 3)), np.zeros(4, bool), np.zeros(4, np.int64))


def test_training_with_positives_only_is_an_error():
    with pytest.raises(BadData, match="all of the 4 candidates answer"):
        Examples(NAMES, np.zeros((4, 3)), np.ones(4, bool), np.zeros(4, np.int64))


def test_training_where_no_query_has_both_kinds_is_an_error():
    with pytest.raises(BadData, match="no query has both"):
        RankSVM.fit(Examples(NAMES, np.zeros((2, 3)), np.array([True, False]), np.array([0, 1])))


def test_a_signal_that_is_not_a_number_is_named():
    with pytest.raises(BadData, match=r"signals dense\.claim is a finite number|signals dense\.claim"):
        matrix(matches({"dense.claim": float("nan")}), ["dense.claim"])


def test_a_kernel_of_no_name_is_wrong_usage():
    with pytest.raises(BadInput, match="rbf or linear"):
        RankSVM.fit(problem(), Settings(kernel="cubic"))


def test_a_signal_that_some_candidates_lack_counts_as_nothing_for_them():
    assert matrix(matches({"link": 1.0}, {}), ["link"]).tolist() == [[1.0], [0.0]]


def test_candidates_without_a_judgement_count_as_wrong():
    ranking = ranked(Claim("q", "said"), matches({"link": 1.0}, {"link": 0.5}, {"link": 0.0}))
    found = examples([ranking], {"q": {"d1": 1}}, ["link"])
    assert found.answers.tolist() == [False, True, False]


def test_reciprocal_ranks_of_equal_values_share_the_better_rank():
    assert reciprocal_ranks(np.array([2.0, 5.0, 0.0, 0.0])).tolist() == [1 / 2, 1, 1 / 3, 1 / 3]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
@settings(max_examples=50, deadline=None)
def test_a_larger_value_never_has_the_smaller_reciprocal_rank(values):
    ranks = reciprocal_ranks(np.array(values))
    order = np.argsort(values)
    assert (np.diff(ranks[order]) >= 0).all()
    assert ranks.max() == 1


def test_reranking_keeps_the_laws_of_a_stage():
    rng = np.random.default_rng(3)
    asked = [
        ranked(
            Claim(f"q{n}", "said"),
            [Match(FactCheck(f"d{i}"), float(-i), dict(zip(NAMES, rng.normal(size=3), strict=True))) for i in range(n)],
        )
        for n in (0, 1, 7, 30)
    ]
    check_stage(rerank(RankSVM.fit(problem())), asked, role="reranker")
    check_stage(rerank(RankSVM.fit(problem()), first=5), asked, role="reranker")


def test_what_lies_beyond_the_reranked_depth_keeps_its_order_below():
    model = RankSVM.fit(problem())
    signals = [dict.fromkeys(NAMES, float(value)) for value in (0, 1, 9, 9)]
    asked = ranked(Claim("q", "said"), [Match(FactCheck(f"d{i}"), 10.0 - i, named) for i, named in enumerate(signals)])
    [answer] = rerank(model, first=2)([asked])
    assert [match.doc.id for match in answer.matches] == ["d1", "d0", "d2", "d3"]
