"""The lab's tools: checking a data root, pictures, judging together, how alike pairs are."""

import csv
import json
import math
import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from twicetold.cli import main
from twicetold.errors import BadInput
from twicetold.types import Claim, FactCheck
from twicetold_lab import annotate, plots, runs
from twicetold_lab.annotate import Label, agreement, assign, fleiss_kappa
from twicetold_lab.census import CENSUSES
from twicetold_lab.complexity import above, cosines
from twicetold_lab.datasets import Dataset, catalog
from twicetold_lab.datasets.families import FAMILIES
from twicetold_lab.roles import manifest
from twicetold_lab.runs import Answered, Run, Scored
from twicetold_lab.tables import published
from twicetold_lab.verify import Health, verify

ROOT = Path(__file__).parent / "layouts"


def twicetold(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"TWICETOLD_DATASETS": ""})


# --- check


def test_a_root_with_fewer_rows_than_published_is_bad_and_says_what_was_expected():
    found = {one.name: one for one in verify(ROOT)}
    assert found["volee2020"].health is Health.BAD
    assert "2 fact-checks, 4 queries, 5 judged pairs; expected 467, 2,026 and 2,037" in found["volee2020"].said
    assert found["litbank"].said == "1 rows; expected 100"


def test_a_set_that_is_not_there_is_absent_and_no_failure(tmp_path):
    done = twicetold("lab", "check", "--data-root", tmp_path)
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"absent"}
    assert done.exit_code == 0


def test_a_broken_file_makes_its_set_bad_with_the_place(tmp_path):
    shutil.copytree(ROOT / "known-lie" / "snopes", tmp_path / "known-lie" / "snopes")
    (tmp_path / "known-lie" / "snopes" / "verified-claims.tsv").write_text("title\tfact\nonly one cell\n")
    done = twicetold("lab", "check", "--data-root", tmp_path, "--json")
    found = {one["set"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert "line 2: expected 2 columns, got 1" in found["known-lie-snopes"]["said"]
    assert done.exit_code == 3


def test_a_judged_fact_check_that_is_not_in_the_corpus_is_found(tmp_path):
    shutil.copytree(ROOT / "checkthat-2021-task2a", tmp_path / "checkthat-2021-task2a")
    (tmp_path / "checkthat-2021-task2a" / "vclaims" / "vclaim-sno-norway-rain.json").unlink()
    found = {one.name: one for one in verify(tmp_path)}
    assert "1 judged fact-checks are not in the corpus, such as 'vclaim-sno-norway-rain'" in found["checkthat-2021-task2a"].said


def test_every_family_is_documented_with_its_count_splits_and_licence():
    lines = (Path(__file__).parent.parent.parent / "docs" / "data.md").read_text().splitlines()
    splits = [" ".join(f"`{split}`" for split in family.splits) or "–" for family in FAMILIES]
    wanted = [f"| `{f.name}` | `{f.top}` | {f.count:,} | {parts} | {f.licence} |" for f, parts in zip(FAMILIES, splits, strict=True)]
    assert [line for line in wanted if line not in lines] == []


def test_the_documented_counts_are_those_of_the_catalog():
    lines = (Path(__file__).parent.parent.parent / "docs" / "data.md").read_text().splitlines()
    rows = {cells[1].strip("` "): cells[3:6] for line in lines if line.startswith("| `") and len(cells := line.split("|")) == 9}
    documented = {name: tuple(int(cell.replace(",", "")) for cell in cells) for name, cells in rows.items()}
    assert documented == {name: entry.counts for name, entry in catalog().items()}


def test_the_documented_shares_of_roles_are_those_of_the_manifest():
    lines = (Path(__file__).parent.parent.parent / "docs" / "data.md").read_text().splitlines()
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    documented = {cells[1].strip("` "): int(cells[3].replace(",", "")) for cells in rows if len(cells) == 5}
    assert documented == Counter(str(role) for role in manifest().values())


# --- pictures

QRELS = {"p": {"a": 1, "b": 1}, "q": {"c": 1}}
RUN = Run(
    "run",
    (
        Answered("p", "", (Scored("a", 3.0), Scored("x", 2.0), Scored("b", 1.0)), 0.01, 0.95),
        Answered("q", "", (Scored("x", 2.5), Scored("c", 0.5)), 0.02, 0.15),
    ),
    10,
)


def test_recall_grows_with_depth_to_what_was_found():
    assert plots.recall_at(RUN, QRELS).tolist() == [(1 / 2 + 0) / 2, (1 / 2 + 1) / 2, (1 + 1) / 2]


def test_calibration_compares_what_was_said_with_what_was_right():
    assert plots.calibration(RUN, QRELS) == [(0.15, 0.0, 1), (0.95, 1.0, 1)]


def test_scores_of_two_runs_have_no_common_scale_and_are_not_drawn_together(tmp_path):
    with pytest.raises(BadInput, match="draw one run at a time"):
        plots.draw("scores", [RUN, RUN], QRELS, tmp_path / "scores.png")


@pytest.mark.parametrize("picture", ["recall", "scores", "calibration", "latency"])
def test_each_picture_is_written_as_png_and_svg(tmp_path, picture):
    runs.save(RUN, tmp_path / "run.jsonl")
    (tmp_path / "qrels").write_text("p 0 a 1\np 0 b 1\nq 0 c 1\n")
    done = twicetold("lab", "plot", picture, tmp_path / "run.jsonl", "--qrels", tmp_path / "qrels", "--out", tmp_path / "picture.png")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in (tmp_path / "picture.svg").read_text()


def test_reliability_is_drawn_from_measured_decisions(tmp_path):
    figures = {"reliability: mean probability, share right, claims": [[0.1, 0.0, 7], [0.9, 0.8, 10]]}
    (tmp_path / "decide.json").write_text(json.dumps({"recipe": "best", "pooled, twice": {"named answers": figures}}))
    done = twicetold("lab", "plot", "reliability", tmp_path / "decide.json", "--out", tmp_path / "picture.png")
    assert done.exit_code == 0, done.stderr
    assert "named answers" in (tmp_path / "picture.svg").read_text()


def test_reliability_of_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "run.jsonl").write_text("{}")
    done = twicetold("lab", "plot", "reliability", tmp_path / "run.jsonl")
    assert "run.jsonl is not what `twicetold lab decisions` writes" in done.stderr
    assert done.exit_code == 3


def test_a_picture_that_needs_judgements_says_so(tmp_path):
    done = twicetold("lab", "plot", "recall", tmp_path / "run.jsonl")
    assert "recall needs the judgements: --qrels FILE" in done.stderr
    assert done.exit_code == 2


# --- judging together


def test_kappa_of_the_textbook_example():
    # Fleiss 1971: ten units, fourteen people, five labels; kappa 0.210.
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert fleiss_kappa([{str(i): n for i, n in enumerate(row)} for row in counts]) == pytest.approx(0.210, abs=0.0005)


def test_people_who_always_agree_have_kappa_one():
    assert fleiss_kappa([{"yes": 3}, {"no": 3}]) == 1


def test_kappa_cannot_be_computed_where_chance_alone_would_agree():
    assert fleiss_kappa([{"yes": 3}, {"yes": 3}]) is None


@given(st.integers(1, 40), st.integers(1, 5), st.data())
def test_every_unit_has_its_judges_and_no_one_has_more_work_than_another(units, people, data):
    each = data.draw(st.integers(1, people))
    sheets = assign([f"u{n}" for n in range(units)], [f"p{n}" for n in range(people)], each=each)
    given_out = [unit for sheet in sheets.values() for unit in sheet]
    assert sorted(given_out) == sorted(f"u{n}" for n in range(units) for _ in range(each))
    assert all(len(sheet) == len(set(sheet)) for sheet in sheets.values())
    sizes = [len(sheet) for sheet in sheets.values()]
    assert max(sizes) - min(sizes) <= 1


def test_the_majority_and_the_disagreements_are_listed():
    labels = [
        Label("u1", "ann", "yes"),
        Label("u1", "bob", "yes"),
        Label("u1", "eve", "no"),
        Label("u2", "ann", "no"),
        Label("u2", "bob", "yes"),
    ]
    found = agreement(labels)
    assert found.majority == {"u1": "yes", "u2": None}
    assert found.disagreements == {"u1": {"ann": "yes", "bob": "yes", "eve": "no"}, "u2": {"ann": "no", "bob": "yes"}}


def test_sheets_are_handed_out_filled_in_and_summed_up(tmp_path):
    (tmp_path / "pairs.csv").write_text('id,claim,post\nu1,closed,"it is, it is"\nu2,closed,open!\n')
    done = twicetold(
        "lab", "judge", "assign", tmp_path / "pairs.csv", "--task", "stance", "--to", "ann,bob", "--each", 2, "--out", tmp_path / "sheets"
    )
    assert done.exit_code == 0, done.stderr
    for name, labels in (("ann", {"u1": "supports", "u2": "refutes"}), ("bob", {"u1": "supports", "u2": "neutral"})):
        sheet = tmp_path / "sheets" / f"{name}.csv"
        rows = list(csv.DictReader(sheet.read_text().splitlines()))
        assert {(row["id"], row["label"]) for row in rows} == {("u1", ""), ("u2", "")}
        annotate.write_sheet(sheet, [row | {"label": labels[row["id"]]} for row in rows], ["id", "claim", "post"])
    found = json.loads(twicetold("lab", "judge", "agree", *(tmp_path / "sheets").glob("*.csv"), "--task", "stance", "--json").stdout)
    assert (found["majority"], found["disagreements"]) == ({"u1": "supports", "u2": None}, {"u2": {"ann": "refutes", "bob": "neutral"}})
    # Agreement is (1 + 0) / 2; by chance (2/4)² + (1/4)² + (1/4)².
    assert found["kappa"] == pytest.approx((1 / 2 - 6 / 16) / (1 - 6 / 16))


def test_a_label_that_is_not_allowed_is_named_with_its_place(tmp_path):
    (tmp_path / "ann.csv").write_text("id,label\nu1,perhaps\n")
    done = twicetold("lab", "judge", "agree", tmp_path / "ann.csv", "--task", "stance")
    assert "line 2: the label of 'u1' is 'perhaps'; allowed are supports, refutes, neutral" in done.stderr


def test_sheets_that_may_be_filled_in_are_not_overwritten(tmp_path):
    (tmp_path / "pairs.csv").write_text("id\nu1\n")
    arguments = ["lab", "judge", "assign", tmp_path / "pairs.csv", "--task", "type", "--to", "ann", "--each", 1, "--out", tmp_path]
    assert [twicetold(*arguments).exit_code, twicetold(*arguments).exit_code] == [0, 2]


def test_units_of_the_same_id_are_refused_rather_than_lost(tmp_path):
    (tmp_path / "units.csv").write_text("id,claim\nu1,a\nu1,b\n")
    done = twicetold("lab", "judge", "assign", tmp_path / "units.csv", "--task", "stance", "--to", "ann", "--each", 1, "--out", tmp_path)
    assert "has 1 rows whose id stands in another too" in done.stderr
    assert done.exit_code == 2


@pytest.mark.parametrize("names", ["../x,bob", "bob,/tmp/x", "a\\b,bob"])
def test_a_name_that_leads_out_of_the_folder_of_sheets_is_refused_before_anything_is_written(tmp_path, names):
    (tmp_path / "pairs.csv").write_text("id,claim\n1,a\n2,b\n")
    done = twicetold(
        "lab", "judge", "assign", tmp_path / "pairs.csv", "--task", "type", "--to", names, "--each", 1, "--out", tmp_path / "sheets"
    )
    assert done.exit_code == 2
    assert "cannot be the name of a sheet" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


def test_judgements_exported_from_a_collection_are_summed_up_too(tmp_path):
    (tmp_path / "mine.qrels").write_text("judged-1 ann c1 1\njudged-1 bob c1 0\njudged-2 ann c1 1\njudged-2 bob c1 1\n")
    done = twicetold("lab", "judge", "agree", tmp_path / "mine.qrels", "--task", "match")
    assert "  judged-1 c1: ann yes, bob no → no majority" in done.stdout.splitlines()


def test_more_judges_than_people_are_refused():
    with pytest.raises(BadInput, match="wanted 1 to 2 judges"):
        assign(["u"], ["ann", "bob"], each=3)


# --- complexity


def test_a_query_in_the_words_of_its_fact_check_has_cosine_one_and_one_without_a_common_word_none():
    checks = [FactCheck("a", claim="The moon is cheese"), FactCheck("b", claim="A dog is mayor")]
    claims = (Claim("p", "the MOON is cheese!"), Claim("q", "xyzzy"), Claim("r", "the moon"))
    found = cosines(Dataset("mine", lambda: iter(checks), claims, {"p": {"a": 1}, "q": {"b": 1}, "r": {"a": 1}}))
    assert found["p", "a"] == pytest.approx(1)
    assert found["q", "b"] == 0
    # Five texts; "the" and "moon" stand in three of them, as does "is", and "cheese" in two.
    three, two = math.log(6 / 4) + 1, math.log(6 / 3) + 1
    assert found["r", "a"] == pytest.approx(2 * three**2 / math.sqrt(2 * three**2 * (3 * three**2 + two**2)))


def test_pairs_are_counted_above_each_level():
    assert above([1.0, 0.75, 0.3, 0.0]) == {0.75: 1, 0.5: 2, 0.25: 3, 0.0: 3}


# --- census


def census(name):
    return {f"{row}|{column}": value for (row, column), value in CENSUSES[name](ROOT).items()}


def test_mythqa_is_counted_by_questions_answers_and_evidence():
    assert census("MythQA_Bai2023/T1")["Entity|avg SupEve/Ans"] == (1 + 1) / 2
    assert census("MythQA_Bai2023/T2")["Yes/No|#Ans/Q=2"] == 1
    assert census("MythQA_Bai2023/T3") == {
        "Supporting|count": 3,
        "Refuting|count": 3,
        "Neutral|count": 1,
        "Supporting|percent": 300 / 7,
        "Refuting|percent": 300 / 7,
        "Neutral|percent": 100 / 7,
    }


def test_debates_are_counted_by_category_and_split():
    found = census("Context_Shaar2022/T2")
    assert [found[f"{row}|count"] for row in ("clean", "clean-hard", "part-of", "context-dep", "chrono test pairs")] == [1, 1, 1, 1, 3]


def test_candidates_are_counted_where_their_lists_are_public():
    found = census("MTM_Sheng2021/T1")
    assert (found["#Claim|Twitter/Val"], found["#Articles|Twitter/Val"], found["C-A Pairs|Weibo/Val"]) == (1, 3, 1)
    assert "#Claim|Twitter/Train" not in found


def test_a_claim_in_two_rows_makes_one_pair_of_words():
    assert census("KnownLie_Shaar2020/T3")["Input-VerClaim pairs|Snopes"] == 3


@pytest.mark.parametrize("name", CENSUSES)
def test_every_census_counts_figures_that_were_printed(name):
    printed = {f"{f.row}|{f.column}" for f in published() if f"{f.paper}/{f.table}" == name}
    assert set(census(name)) <= printed
