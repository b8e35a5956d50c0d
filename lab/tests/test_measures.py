"""What each measure says of a ranking, by hand, by law, and beside the field's reference implementation."""

import itertools
import math
import time

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from twicetold.errors import BadData, BadInput
from twicetold_lab.measures import Judged, Measure, value
from twicetold_lab.reports import bootstrap, by_category, evaluate
from twicetold_lab.runs import Answered, Run, Scored

NAMES = ["MAP", "MAP@5", "MRR", "MRR@3", "P@5", "Recall@5", "nDCG", "nDCG@5", "HasPositives@3", "Success@1", "HIT@2"]
REFERENCE = {
    "MAP": ir_measures.AP,
    "MAP@5": ir_measures.AP @ 5,
    "MRR": ir_measures.RR,
    "P@5": ir_measures.P @ 5,
    "Recall@5": ir_measures.R @ 5,
    "nDCG": ir_measures.nDCG,
    "nDCG@5": ir_measures.nDCG @ 5,
    "HasPositives@3": ir_measures.Success @ 3,
}


def scored(name: str, ranking: str, qrels: dict[str, int], scores: list[float] | None = None, corpus: int = 100) -> float:
    """The value for documents named by single letters."""
    given = scores or [float(len(ranking) - i) for i in range(len(ranking))]
    return value(Measure.parse(name), Judged.of(list(zip(ranking, given, strict=True)), qrels), corpus=corpus)


# --- by hand


def test_reciprocal_rank_is_one_over_the_rank_of_the_first_relevant():
    assert scored("MRR", "abcd", {"c": 1, "d": 1}) == 1 / 3


def test_average_precision_divides_by_all_relevant_documents_even_those_beyond_the_cut():
    assert scored("MAP@2", "abcd", {"a": 1, "c": 1, "d": 1}) == (1 / 1) / 3


def test_norm_min_divides_by_no_more_than_the_cut():
    assert scored("MAP@2(norm=min)", "abcd", {"a": 1, "c": 1, "d": 1}) == (1 / 1) / 2


def test_average_precision_of_two_relevant_documents():
    assert scored("MAP", "abcd", {"a": 1, "c": 1}) == pytest.approx((1 / 1 + 2 / 3) / 2)


def test_ndcg_uses_grades_as_gains():
    best = 2 / math.log2(2) + 1 / math.log2(3)
    assert scored("nDCG@3", "abc", {"a": 1, "c": 2}) == pytest.approx((1 / math.log2(2) + 2 / math.log2(4)) / best)


def test_precision_divides_by_the_cut_even_when_fewer_were_found():
    assert scored("P@5", "ab", {"a": 1}) == 1 / 5


def test_a_higher_bar_of_relevance_ignores_lower_grades():
    assert scored("MRR(rel=2)", "ab", {"a": 1, "b": 2}) == 1 / 2


@pytest.mark.parametrize("name", NAMES)
def test_a_query_without_answers_scores_nothing(name):
    assert scored(name, "", {"a": 1}) == 0


# --- names


@pytest.mark.parametrize(
    "name",
    [
        *NAMES,
        *("MAP@5(norm=min)", "MAP@5(norm=legacy)", "MAP@1(norm=legacy,width=20)", "MRR(ties=expected)", "nDCG@10(rel=2)"),
        *("MAP@5(norm=n)", "ndcg@10", "MAP@5(width=20, norm=legacy)"),
    ],
)
def test_a_measure_prints_as_it_is_typed(name):
    assert str(Measure.parse(name)) == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("MPA@5", "no measure is called"),
        ("P", "needs a cut-off"),
        ("MAP@0", "needs a cut-off"),
        ("MRR(norm=min)", "only MAP has norms"),
        ("MAP@5(norm=max)", "is no option"),
        ("MAP@5(width=9)", "goes with norm=legacy"),
        ("MAP@5(norm=legacy,ties=expected)", "its own treatment of ties"),
    ],
)
def test_a_measure_that_cannot_be_meant_is_refused_by_name(name, why):
    with pytest.raises(BadInput, match=why):
        Measure.parse(name)


def test_a_measure_made_from_its_parts_prints_in_the_shortest_form():
    assert str(Measure("MAP", 5, norm="min", rel=2)) == "MAP@5(norm=min,rel=2)"


def test_capitals_and_options_as_usual_do_not_make_another_measure():
    assert scored("ndcg@3(rel=1)", "abc", {"b": 1}) == scored("nDCG@3", "abc", {"b": 1})


# --- beside the reference

documents = st.lists(st.integers(0, 25), unique=True, max_size=20)
judgements = st.dictionaries(st.integers(0, 25), st.integers(0, 3), min_size=1, max_size=12)


@given(st.dictionaries(st.sampled_from("pqrst"), st.tuples(documents, judgements), min_size=1))
@settings(max_examples=150, deadline=None)
def test_measures_equal_the_reference_implementation(queries):
    run = {q: {f"d{doc}": float(-rank) for rank, doc in enumerate(docs)} for q, (docs, _) in queries.items()}
    qrels = {q: {f"d{doc}": grade for doc, grade in judged.items()} for q, (_, judged) in queries.items()}
    reference = {(m.query_id, str(m.measure)): m.value for m in ir_measures.iter_calc(list(REFERENCE.values()), qrels, run)}
    for q, name in itertools.product(queries, REFERENCE):
        ours = value(Measure.parse(name), Judged.of(list(run[q].items()), qrels[q]), corpus=26)
        assert ours == pytest.approx(reference.get((q, str(REFERENCE[name])), 0.0), abs=1e-9), (q, name)


@given(documents, judgements, st.integers(1, 25), st.data())
@settings(max_examples=200, deadline=None)
def test_the_legacy_norm_equals_scikit_learn_on_rows_zeroed_beyond_the_cut(docs, judged, k, data):
    scores = sorted((data.draw(st.integers(-3, 3)) for _ in docs), reverse=True)
    row, truth = np.zeros(26), np.zeros(26)
    row[docs] = [score if rank < k else 0 for rank, score in enumerate(scores)]
    truth[[doc for doc, grade in judged.items() if grade > 0]] = 1
    expected = average_precision_score(truth, row) if truth.any() else 0.0
    pairs = [(str(doc), float(score)) for doc, score in zip(docs, scores, strict=True)]
    judged_by_name = {str(doc): grade for doc, grade in judged.items()}
    ours = value(Measure.parse(f"MAP@{k}(norm=legacy)"), Judged.of(pairs, judged_by_name), corpus=26)
    assert ours == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("width", "printed"), [(10, 0.1), (20, 0.05), (100, 0.01)])
def test_a_legacy_row_rewards_a_relevant_document_below_the_cut_by_one_over_its_width(width, printed):
    ranking = "".join(chr(ord("a") + i) for i in range(width if width < 26 else 26))
    assert scored(f"MAP@1(norm=legacy,width={width})", ranking, {"e": 1}) == pytest.approx(printed)


def test_negative_scores_fall_below_the_zeros_of_a_legacy_row():
    assert scored("MAP@1(norm=legacy,width=10)", "abcdefghij", {"a": 1}, [-1.0 - i for i in range(10)]) == pytest.approx(1 / 10)


# --- ties


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.sets(st.sampled_from("abcdefgh"), min_size=1), st.sampled_from(NAMES))
@settings(max_examples=150, deadline=None)
def test_expected_values_are_the_mean_over_all_orders_of_tied_documents(levels, relevant, name):
    levels = sorted(levels, reverse=True)
    ranking = "abcdefgh"[: len(levels)]
    qrels = dict.fromkeys(relevant, 1)
    orders = [order for order in itertools.permutations(range(len(levels))) if [levels[i] for i in order] == levels]
    values = [scored(name, "".join(ranking[i] for i in order), qrels) for order in orders]
    expected = scored(f"{name}(ties=expected)", ranking, qrels, [float(level) for level in levels])
    assert expected == pytest.approx(sum(values) / len(values), abs=1e-9)


# --- laws


@given(documents.filter(bool), judgements, st.sampled_from([*NAMES, "MAP@5(norm=min)", "MAP@5(norm=legacy)", "nDCG@5(ties=expected)"]))
@settings(max_examples=200, deadline=None)
def test_every_measure_lies_between_nought_and_one(docs, judged, name):
    pairs = [(str(doc), float(-rank)) for rank, doc in enumerate(docs)]
    assert 0 <= value(Measure.parse(name), Judged.of(pairs, {str(d): g for d, g in judged.items()}), corpus=30) <= 1 + 1e-12


@given(documents.filter(lambda docs: len(docs) > 1), judgements, st.data())
@settings(max_examples=200, deadline=None)
def test_moving_a_relevant_document_up_never_lowers_a_measure(docs, judged, data):
    place = data.draw(st.integers(1, len(docs) - 1))
    is_up = judged.get(docs[place], 0) > judged.get(docs[place - 1], 0)
    better = [*docs[: place - 1], docs[place], docs[place - 1], *docs[place + 1 :]] if is_up else docs
    qrels = {str(d): g for d, g in judged.items()}
    for name in NAMES:
        before, after = ([(str(d), float(-i)) for i, d in enumerate(order)] for order in (docs, better))
        measure = Measure.parse(name)
        assert value(measure, Judged.of(after, qrels), corpus=30) >= value(measure, Judged.of(before, qrels), corpus=30) - 1e-12


# --- reports


def a_run(answers: dict[str, str], corpus: int = 10) -> Run:
    rows = (Answered(q, q, tuple(Scored(d, float(-i)) for i, d in enumerate(docs))) for q, docs in answers.items())
    return Run("run", tuple(rows), corpus)


MRR = Measure.parse("MRR")


def test_a_query_without_answers_counts_in_the_mean():
    report = evaluate(a_run({"p": "ab", "q": ""}), {"p": {"a": 1}, "q": {"a": 1}}, [MRR])
    assert report.mean(MRR) == 1 / 2


def test_a_query_without_judgement_is_named_and_not_averaged():
    report = evaluate(a_run({"p": "ab", "q": "ab"}), {"p": {"a": 1}}, [MRR])
    assert (report.unjudged, report.mean(MRR)) == (("q",), 1.0)


def test_judgements_of_a_query_that_was_not_asked_are_an_error():
    with pytest.raises(BadData, match="not asked, the first is 'q'"):
        evaluate(a_run({"p": "a"}), {"p": {"a": 1}, "q": {"b": 1}}, [MRR])


def test_an_interval_holds_the_mean_and_shrinks_with_more_queries():
    rng = np.random.default_rng(1)
    few, many = rng.random((20, 1)), rng.random((2000, 1))
    widths = [np.ptp(np.percentile(bootstrap(values), [2.5, 97.5])) for values in (few, many)]
    # Uniform values have a standard deviation of √(1/12); 95 % of the means lie within 1.96 of its standard errors.
    assert widths == pytest.approx([2 * 1.96 * math.sqrt(1 / 12 / n) for n in (20, 2000)], rel=0.2)


def test_a_thousand_resamples_of_a_large_report_take_less_than_a_second():
    values = np.random.default_rng(0).random((2504, 8))
    started = time.process_time()  # of this process alone: what else the machine does is no fault of ours
    assert bootstrap(values).shape == (1000, 8)
    assert time.process_time() - started < 1


def test_a_category_counts_only_queries_that_have_it_and_holds_other_answers_against_them():
    qrels = {"p": {"a": 1, "b": 1}, "q": {"c": 1}}
    kinds = {"p": {"a": "CLEAN", "b": "HARD"}, "q": {"c": "CLEAN"}}
    reports = by_category(a_run({"p": "ab", "q": "ac"}), qrels, kinds, [MRR])
    assert {name: (r.queries, r.mean(MRR)) for name, r in reports.items()} == {
        "CLEAN": (("p", "q"), (1 / 1 + 1 / 2) / 2),
        "HARD": (("p",), 1 / 2),
    }
