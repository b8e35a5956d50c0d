"""Rows of Role of Context's tables: what a row is made of, and that neighbours are compared with the claim's own candidates."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.lab import datasets
from twicetold.lab.context.corpus import SIGNALS, best_of_each
from twicetold.lab.context.gathering import gathered
from twicetold.lab.context.rows import Row, parse, signals_of

TOPICS = ["garlic", "moon", "vaccines", "taxes", "guns", "climate", "bridge", "mayor", "rain", "cheese"]
DAYS = ["20160101", "20160202", "20160303", "20160404", "20170505", "20180606"]
LINES = ["Good evening.", "Let us talk of {} and the {} report.", "It doubled in one year, they say of {}.", "Thank you."]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Ten fact-checks and six debates of four lines; the third line of each is annotated, and only its neighbour tells the topic well."""
    root = tmp_path_factory.mktemp("root")
    checks = root / "checkthat-2021-task2b" / "politifact-vclaims"
    spoken = root / "known-lie" / "politifact" / "transcripts"
    for folder in (checks, spoken, root / "role-of-context" / "train", root / "role-of-context" / "test"):
        folder.mkdir(parents=True)
    for number, topic in enumerate(TOPICS):
        record = {
            "url": f"/factchecks/2015/jan/02/ann-example/{topic}/", "speaker": "Ann Example", "vclaim": f"The {topic} numbers doubled.",
            "truth_label": "false", "date": "stated on January 1, 2015:", "title": f"No, {topic} did not double",
            "text": f"Ann Example spoke of {topic}. She said that {topic} doubled in one year. The {topic} report says otherwise.",
            "vclaim_id": f"vclaim-pol-{number:05d}",
        }  # fmt: skip
        (checks / f"{record['vclaim_id']}.json").write_text(json.dumps(record))
    for number, day in enumerate(DAYS):
        topic = TOPICS[number]
        lines = [line.format(topic, topic) for line in LINES]
        rows = "".join(f"{place}\tEXAMPLE\t{line}\n" for place, line in enumerate(lines, start=1))
        (spoken / f"{day}_debate.tsv").write_text(rows)
        part = "train" if number < 4 else "test"
        row = f"3\t{lines[2]}\t{number}\tThe {topic} numbers doubled.\t{'CLEAN' if number % 2 else 'CONTEXT_DEPENDENT'}\n"
        (root / "role-of-context" / part / f"{day}_debate.tsv").write_text(row)
    return root


def debates(root, *arguments):
    return CliRunner().invoke(main, ["lab", "debates", *arguments, "--data-root", str(root), "--cache", str(root / "cache")])


@pytest.fixture(scope="module")
def found(root):
    return gathered(datasets.load("role-of-context", root), root / "cache")


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("baseline", Row()),
        ("FC(3,1)", Row(behind=3, ahead=1)),
        ("legacy-FC(1,1)", Row(behind=1, ahead=1, is_legacy=True)),
        ("src-coref+tgt-coref", Row(source="resolved", target="resolved")),
        ("src-coref+FC(3,1)+xh-3", Row(behind=3, ahead=1, source="resolved", sentences=3)),
    ],
)
def test_a_row_is_named_by_its_parts(name, row):
    assert parse(name) == row


@pytest.mark.parametrize("name", ["FC(6,1)", "fc(3,1)", "coref", "xh", "tgt-coref+FC(3,1)", "src-coref+FC(3,3)"])
def test_a_row_that_there_is_not_is_refused_with_those_there_are(root, name):
    done = debates(root, name)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


def test_fc_3_1_has_18_signals_for_each_of_five_lines_and_the_reader_adds_three():
    assert len(parse("FC(3,1)").names) == 18 * 5
    assert len(parse("src-coref+FC(3,1)+xh-3").names) == 18 * 5 + 3


def test_neighbours_are_measured_against_the_claims_own_candidates(found):
    """The line before names the topic: against the same ten candidates its title score points at the answer."""
    row = parse("FC(1,1)")
    before = signals_of(row, found)[:, :, : len(SIGNALS)]  # (Q, N, 18), the block of the line before
    title = before[:, :, SIGNALS.index("bm25.title")]
    best = [found.checks[found.candidates[query, at]] for query, at in enumerate(title.argmax(axis=1))]
    assert best == [f"vclaim-pol-{number:05d}" for number in range(len(DAYS))]


def test_the_legacy_form_takes_row_j_of_the_neighbours_own_list(found):
    intended, legacy = (signals_of(parse(name), found) for name in ("FC(1,1)", "legacy-FC(1,1)"))
    body = SIGNALS.index("bm25.body")
    assert (np.diff(legacy[:, :, body], axis=1) <= 0).all()  # each neighbour's own list is sorted by BM25 over bodies
    assert not np.array_equal(intended, legacy)
    assert np.array_equal(intended[:, :, 18:36], legacy[:, :, 18:36])  # the claim's own block is the same


def test_beyond_the_transcript_there_is_nothing(found):
    assert not found.block(3).any()
    assert found.block(1).any()


def test_the_best_sentences_of_each_article_come_best_first():
    best = best_of_each(np.array([0.2, 0.2, 0.9, 0.5, 0.1, 0.3]), np.array([0, 0, 0, 0, 0, 1]), 3)
    assert best.tolist() == [[0.9, 0.3, 0.0], [0.5, 0.0, 0.0], [0.2, 0.0, 0.0], [0.2, 0.0, 0.0]]


def test_a_row_is_measured_on_the_test_debates_with_intervals_and_by_category(root):
    measured = json.loads(debates(root, "FC(1,1)", "--json").stdout)
    assert (measured["queries"], measured["split"]) == (2, "chrono")
    assert measured["measures"]["Recall@100"] == 1.0
    assert set(measured["measures"]) == {"Overall", "Recall@100", "clean", "context-dep"}
    low, high = measured["intervals"]["Overall"]
    assert low <= measured["measures"]["Overall"] <= high


def test_our_recipe_is_a_row_too_and_by_earlier_fact_checks_alone(root):
    for row in ("debate", "debate-text", "debate-earlier"):
        assert json.loads(debates(root, row, "--json").stdout)["measures"]["Recall@100"] == 1.0, row
    assert "so it is not measured on folds" in debates(root, "debate", "--split", "folds").stderr


def test_cross_validation_ranks_every_training_line_and_no_other(root):
    assert json.loads(debates(root, "baseline", "--split", "folds", "--json").stdout)["queries"] == 4


def test_the_baseline_is_named_as_table_3_names_its_splits(root):
    measured = json.loads(debates(root, "baseline", "--json").stdout)["measures"]
    assert measured["Debate-Level Chrono|MAP"] == measured["Overall"]


def test_random_splits_give_a_mean_and_its_spread(root):
    shown = debates(root, "baseline", "--split", "debate-random").stdout
    assert "±" in shown
    assert "[" not in shown


def test_pronouns_are_resolved_on_both_sides(root):
    """The articles say "She said": resolved, they name Ann Example."""
    assert json.loads(debates(root, "src-coref+tgt-coref", "--json").stdout)["measures"]["Recall@100"] == 1.0
