"""Rows of Role of Context's tables: what a row is made of, and that neighbours are compared with the claim's own candidates.

And how often a scanned line is rightly called checked before.
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.scan.scanner import ScannedLine
from twicetold.shares import wilson
from twicetold.types import Claim, Decision, FactCheck, Lane, Line, Match, Ranking
from twicetold_lab import datasets
from twicetold_lab.context.corpus import SIGNALS, best_of_each
from twicetold_lab.context.gathering import gathered
from twicetold_lab.context.lanes import DRAWN, Told, figures, to_judge
from twicetold_lab.context.rows import Row, learner, parse, signals_of

LAYOUTS = Path(__file__).parent / "layouts"
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


def test_the_row_of_earlier_fact_checks_says_how_many_lines_they_leave_without_an_answer(tmp_path):
    """The two lines of 2017-01-30 were answered in 2019, and by two fact-checks, of 2017-02-02 and of 2016."""
    arguments = ["lab", "debates", "debate-earlier", "--data-root", str(LAYOUTS), "--cache", str(tmp_path)]
    assert (
        "1 of 2 lines have no answer that was published before the debate; they count as misses"
        in CliRunner().invoke(main, arguments).stdout
    )
    assert json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)["unanswerable"] == 1


def test_a_row_is_learnt_as_published_unless_another_learner_is_asked_for(root):
    published, named, other = (
        json.loads(debates(root, "FC(1,1)", "--json", *asked).stdout)["measures"]
        for asked in ((), ("--learner", "rbf,cost=1"), ("--learner", "linear,cost=0.01"))
    )
    assert published == named
    assert set(other) == set(published)


def test_the_signals_of_neighbours_can_be_made_to_reach_less_far_than_the_claims_own(found):
    row = parse("FC(1,1)")
    rows = signals_of(row, found).reshape(-1, 54)
    scaled = learner("rbf,neighbours=0.5").scale(rows, row.names)(rows)
    varies = np.ptp(rows, axis=0) > 0
    reach = np.abs(scaled).max(axis=0)
    assert reach[:18][varies[:18]] == pytest.approx(0.5)
    assert reach[18:36][varies[18:36]] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["svm", "rbf,cost", "rbf,cost=0", "rbf,depth=3", "linear,cost=inf"])
def test_a_learner_that_there_is_not_is_refused_with_an_example(root, name):
    done = debates(root, "baseline", "--learner", name)
    assert (done.exit_code, "rbf,cost=0.1" in done.stderr) == (2, True)


def test_our_recipe_is_not_learnt_anew(root):
    assert "no other learner can be asked for" in debates(root, "debate", "--learner", "linear").stderr


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


# --- lanes ---------------------------------------------------------------------------------------------------------


def lanes(*arguments):
    return CliRunner().invoke(main, ["lab", "lanes", "--data-root", str(LAYOUTS), *arguments])


def told(number, lane, kind="elsewhere", *, is_named=False, chance=0.6):
    line = Line("ANN", f"Taxes rose by {number} percent.")
    ranking = Ranking(Claim(f"d:{number}", line.text), (Match(FactCheck(f"check-{number}"), 1.0),), Decision(lane, chance, 0.5))
    return Told(f"d_{number:04d}", kind, ScannedLine(number, line, 0.5, ranking=ranking), is_named)


def test_every_line_of_the_test_debates_is_counted_once_by_kind_and_lane():
    """Four lines: the second and the fourth are annotated, the others stand beside them; a greeting is not looked up."""
    found = json.loads(lanes("--json").stdout)
    assert (found["lines"], {kind: counts["lines"] for kind, counts in found["counts"].items()}) == (
        4,
        {"annotated": 2, "beside": 2, "elsewhere": 0},
    )
    assert found["counts"]["beside"]["not looked up"] >= 1
    lane_names = ("not looked up", "matched", "review", "no match")
    assert all(sum(counts[name] for name in lane_names) == counts["lines"] for counts in found["counts"].values())
    assert found["from_worth"]["0.25"]["all"] == 1 - sum(counts["not looked up"] for counts in found["counts"].values()) / 4


def test_lines_to_judge_go_to_a_sheet_and_come_back_as_labels(tmp_path):
    """What the data set names as the answer needs no judge; a sheet that may be filled in is not written over."""
    units, judged = tmp_path / "units.csv", tmp_path / "judged.json"
    before = json.loads(lanes("--units", str(units), "--json").stdout)["judged"]
    with units.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(lane["not judged"] for lane in before.values())
    judged.write_text(json.dumps({"majority": {row["id"]: "partly" for row in rows}}))
    after = json.loads(lanes("--judged", str(judged), "--json").stdout)["judged"]
    assert [(lane["not judged"], lane["partly"]) for lane in after.values()] == [(0, lane["not judged"]) for lane in before.values()]
    assert "is there already and may be filled in" in lanes("--units", str(units)).stderr


@pytest.mark.parametrize("text", ["[]", '{"majority": {"d_0001 check-1": "perhaps"}}', "yes"])
def test_labels_that_are_none_are_refused(tmp_path, text):
    path = tmp_path / "judged.json"
    path.write_text(text)
    done = lanes("--judged", str(path))
    assert (done.exit_code, done.stderr.count("\n")) == (3, 1)


def test_a_lane_is_right_as_often_as_the_data_set_or_a_judge_says_so():
    lines = [
        told(1, Lane.MATCHED, "annotated", is_named=True),
        told(2, Lane.MATCHED, "annotated", chance=0.8),
        told(3, Lane.MATCHED, chance=0.7),
        told(4, Lane.MATCHED, chance=0.5),
        told(5, Lane.MATCHED, chance=0.9),
        told(6, Lane.REVIEW, chance=0.2),
        told(7, Lane.NO_MATCH, "beside"),
    ]
    judged = {"d_0002 check-2": "no", "d_0003 check-3": "yes", "d_0004 check-4": "partly", "d_0006 check-6": "no"}
    found = figures(lines, judged)
    matched, review = found["judged"]["matched"], found["judged"]["review"]
    assert (matched["lines"], matched["not judged"], matched["yes"], matched["partly"], matched["no"]) == (5, 1, 2, 1, 1)
    assert (matched["right"], matched["right or partly"], review["right"]) == (2 / 4, 3 / 4, 0)
    assert matched["right interval"] == wilson(2, 4)
    assert matched["mean chance"] == pytest.approx((0.6 + 0.8 + 0.7 + 0.5) / 4)
    assert (found["counts"]["annotated"]["matched"], found["counts"]["annotated"]["matched, first named"]) == (2, 1)


def test_all_that_is_matched_is_judged_and_of_the_rest_a_draw_that_another_decision_leaves_as_it_is():
    lines = [told(number, Lane.REVIEW) for number in range(100)] + [told(number, Lane.MATCHED) for number in range(100, 180)]
    chosen = {line.id for line in to_judge(lines)}
    assert len(chosen) == DRAWN[Lane.REVIEW] + 80
    moved = [told(number, Lane.NO_MATCH) if number < 20 else line for number, line in enumerate(lines)]
    kept = {line.id for line in to_judge(moved)}
    assert {id for id in chosen if id >= "d_0020"} <= kept
