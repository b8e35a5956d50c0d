"""Runs held against each other, recorded results run again, published figures beside ours."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from twicetold.cli import main
from twicetold.errors import BadData, BadInput
from twicetold_lab import runs, tables
from twicetold_lab.compare import randomisation, table
from twicetold_lab.reproduce import Outcome, compared, reproduce
from twicetold_lab.results import Result, looked_up, markdown, read_results
from twicetold_lab.runs import Answered, Run, Scored

HERE = Path(__file__).parent


def twicetold(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"TWICETOLD_DATASETS": "", "COLUMNS": "200"})


# --- compare


@pytest.fixture
def two_runs(tmp_path):
    """Twelve queries; the second run has every answer first, the first run has it second on ten of them."""

    def save(name, places):
        answers = []
        for number, place in enumerate(places):
            docs = [f"wrong{i}" for i in range(place - 1)] + ["right"]
            scored = tuple(Scored(doc, float(-i)) for i, doc in enumerate(docs))
            answers.append(Answered(f"q{number}", f"what was said, number {number}", scored))
        runs.save(Run(name, tuple(answers), 10, {}), tmp_path / f"{name}.jsonl")
        return tmp_path / f"{name}.jsonl"

    (tmp_path / "qrels").write_text("".join(f"q{number} 0 right 1\n" for number in range(12)))
    return [save("before", [2] * 10 + [1, 1]), save("after", [1] * 11 + [4]), "--qrels", tmp_path / "qrels"]


def test_a_difference_on_ten_of_twelve_queries_is_significant(two_runs):
    [line] = twicetold("compare", *two_runs, "--measures", "MRR", "--json").stdout.splitlines()
    found = json.loads(line)["measures"]["MRR"]
    assert (found["won"], found["lost"]) == (10, 1)
    assert found["difference"] == pytest.approx((10 * 1 / 2 - 3 / 4) / 12)
    assert found["p"] < 0.05


@pytest.mark.parametrize(
    ("style", "first", "counts"),
    [("text", "run", "+10 −1"), ("markdown", "| run | MRR |", "+10 −1"), ("latex", r"\begin{tabular}{lr}", "+10 $-$1")],
)
def test_a_comparison_is_laid_out_in_three_styles(two_runs, style, first, counts):
    done = twicetold("compare", *two_runs, "--measures", "MRR", "--style", style)
    assert done.stdout.startswith(first)
    assert counts in done.stdout


def test_gains_and_losses_are_shown_with_the_words_of_the_query(two_runs):
    lines = twicetold("compare", *two_runs, "--measures", "MRR", "--changes", 1).stdout.splitlines()
    assert "  0.500 → 1.000  q0  what was said, number 0" in lines
    assert "  1.000 → 0.250  q11  what was said, number 11" in lines


def test_a_run_over_other_queries_is_refused(two_runs, tmp_path):
    (tmp_path / "qrels").write_text("q0 0 right 1\n")
    done = twicetold("compare", *two_runs)
    assert "the run 'before' is over other queries (11 of its 12 are not judged)" in done.stderr
    assert done.exit_code == 3


def test_a_judged_query_that_a_run_leaves_out_counts_nought(tmp_path):
    (tmp_path / "a.trec").write_text("q0 Q0 right 1 1.0 a\nq1 Q0 right 1 1.0 a\n")
    (tmp_path / "b.trec").write_text("q0 Q0 right 1 1.0 b\n")
    (tmp_path / "qrels").write_text("q0 0 right 1\nq1 0 right 1\n")
    done = twicetold("compare", tmp_path / "a.trec", tmp_path / "b.trec", "--qrels", tmp_path / "qrels", "--measures", "MRR", "--json")
    assert json.loads(done.stdout)["measures"]["MRR"]["difference"] == -1 / 2


def test_the_p_value_of_few_queries_is_the_share_of_sign_flips_as_extreme():
    # All of 2^5 flips: the mean is as far from 0 as the one seen only if all five signs agree, in 2 of 32.
    p = randomisation(np.ones(5), flips=20_000)
    assert p == pytest.approx(2 / 2**5, abs=3 * math.sqrt(1 / 16 / 20_000))


def test_equal_runs_do_not_differ():
    assert randomisation(np.zeros(5)) == 1


def test_signs_that_latex_would_take_for_its_own_are_escaped():
    assert r"a\_b \& 5\%" in table(["run"], [["a_b & 5%"]], "latex")


def test_one_run_cannot_be_compared(two_runs):
    assert "give two runs or more" in twicetold("compare", two_runs[0], *two_runs[2:]).stderr


# --- recorded results

RESULT = """
[[result]]
name = "moon"
command = "twicetold eval bm25 --corpus {here}/checks.jsonl --queries {here}/queries.jsonl --qrels {here}/qrels --measures MRR --json"
data = {data}
commit = "0a1b2c3"
tolerance = 0.01
shown = "The moon"
scores = {{ MRR = {score}, queries = 1 }}
intervals = {{ MRR = [0.9, 1.0] }}
limits = {{ seconds = 60 }}
"""


@pytest.fixture
def recorded(tmp_path):
    def write(*, score=1.0, data="[]", command=None):
        (tmp_path / "checks.jsonl").write_text('{"id": "a", "claim": "The moon is cheese"}\n{"id": "b", "claim": "A dog is mayor"}\n')
        (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "cheese moon"}\n')
        (tmp_path / "qrels").write_text("q 0 a 1\n")
        text = RESULT.format(here=tmp_path, score=score, data=data)
        (tmp_path / "moon.toml").write_text(text if command is None else text.replace("twicetold eval bm25", command))
        return ["reproduce", "--results", tmp_path]

    return write


def test_a_result_that_comes_again_agrees(recorded):
    done = twicetold(*recorded(), "moon")
    assert done.stdout.splitlines()[0] == "agrees: moon"
    assert done.exit_code == 0


def test_a_result_out_of_tolerance_is_exit_code_5_and_says_by_how_much(recorded):
    done = twicetold(*recorded(score=0.9), "--all")
    assert "  MRR      recorded 0.9000  came 1.0000  OUT OF TOLERANCE" in done.stdout
    assert "1 results did not come out as recorded: moon" in done.stderr
    assert done.exit_code == 5


def test_a_result_whose_data_are_absent_is_not_run_and_no_failure(recorded, tmp_path):
    done = twicetold(*recorded(data='["known-lie"]'), "--all", "--data-root", tmp_path)
    assert (done.stdout, done.exit_code) == (f"not run: moon ({tmp_path} lacks known-lie)\n", 0)


def test_a_command_that_fails_says_how(recorded):
    done = twicetold(*recorded(command="twicetold eval bm99"), "moon")
    assert done.stdout.startswith("failed: moon (the command ended with code 2: twicetold: no recipe is called 'bm99'")
    assert done.exit_code == 5


def test_only_our_own_commands_are_run(recorded):
    done = twicetold(*recorded(command="rm -rf"), "moon")
    assert done.stdout == "failed: moon (only twicetold's own commands are run, not 'rm')\n"


def test_a_limit_that_is_exceeded_is_out_of_tolerance():
    result = Result("r", "twicetold", {"MAP@5": 0.5}, tolerance=0.1, limits={"seconds": 10})
    printed = {"measures": {"MAP@5": {"value": 0.55}}, "seconds": 11}
    assert [(line.name, line.is_within) for line in compared(result, printed)] == [("MAP@5", True), ("seconds", False)]


def test_a_score_that_was_not_printed_is_an_error():
    with pytest.raises(BadData, match="printed no 'MRR'"):
        compared(Result("r", "twicetold", {"MRR": 0.5}), {"measures": {}})


def test_scores_are_found_as_measures_or_by_their_path():
    printed = {"measures": {"MRR": {"value": 0.5}}, "above": {"0_5": 3}, "queries": 7}
    assert [looked_up(printed, name) for name in ("MRR", "above.0_5", "queries", "above", "x.y")] == [0.5, 3, 7, None, None]


def test_without_a_data_root_what_needs_data_is_not_run():
    assert reproduce(Result("r", "twicetold", {}, data=("known-lie",)), None).outcome is Outcome.NOT_RUN


def test_the_readmes_table_is_made_of_the_results_that_are_to_be_shown(recorded):
    done = twicetold(*recorded(), "--markdown")
    assert "| The moon | MRR 1.000 [0.900, 1.000], queries 1.000 | `moon` |" in done.stdout


def test_of_many_measures_the_table_shows_those_that_every_paper_has():
    scores = {f"MAP@{n}": n / 100 for n in (1, 3, 5, 10, 20)} | {"MRR": 0.5}
    [_, _, row] = markdown([Result("r", "twicetold", scores, shown="Many")]).splitlines()
    assert "| MAP@5 0.050, MRR 0.500 |" in row


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[result]]\nname = "x"\n', "missing ['command', 'scores']"),
        ('[[result]]\nname = "x"\ncommand = ""\nscores = {}\nscroes = 1\n', "unknown ['scroes']"),
        ("[[result", "cannot be read"),
    ],
)
def test_a_file_of_results_that_cannot_be_meant_is_named(tmp_path, text, said):
    (tmp_path / "r.toml").write_text(text)
    done = twicetold("reproduce", "--results", tmp_path, "--all")
    assert said in done.stderr
    assert done.exit_code == 3


def test_names_and_all_exclude_each_other_and_unknown_names_are_named(recorded):
    options = recorded()
    assert "name results, or say --all; recorded are moon" in twicetold(*options).stderr
    assert "no result is called 'mars'; recorded are moon" in twicetold(*options, "mars").stderr


# --- tables


def test_a_recorded_result_stands_beside_the_figure_it_fills():
    result = Result(
        "r",
        "",
        {"MRR": 0.55, "MAP": 0.5, "MAP(norm=legacy)": 0.54},
        fills=("KnownLie_Shaar2020/T5/IR:Body/PolitiFact/",),
        spread={"MRR": 0.03},
        note="all inputs",
    )
    rows = {(b.figure.row, b.figure.column): b for b in tables.beside([result]) if b.figure.table == "T5"}
    assert rows["IR:Body", "PolitiFact/MRR"].ours == tables.Ours(0.55, 0.03, "all inputs")
    assert rows["IR:Body", "PolitiFact/MAP@all"].ours.value == 0.54  # the papers' own definition is compared with theirs
    assert rows["IR:Title", "PolitiFact/MRR"].ours is None


def test_a_result_that_fills_no_published_row_is_an_error():
    with pytest.raises(BadInput, match="which is no published row"):
        tables.beside([Result("r", "", {}, fills=("KnownLie_Shaar2020/T5/IR:Bodies/",))])


def test_a_row_that_only_we_have_comes_last_in_its_table_with_the_measures_the_table_prints():
    result = Result("r", "", {"MAP@5": 0.955, "MRR": 0.96}, adds=("CheckThat/2020 task 2 test/twicetold hybrid",))
    rows = tables.chosen("CheckThat/2020 task 2 test", tables.beside([result]))["CheckThat", "2020 task 2 test"]
    assert tables.laid_out(rows).splitlines()[-1].split() == ["twicetold", "hybrid", "MAP@5", "–", "0.955"]


def test_the_bootstrap_interval_stands_beside_our_score():
    place = ("Context_Shaar2022/T4/1 Baseline/MAP/",)
    result = Result("r", "", {"Overall": 0.45}, fills=place, intervals={"Overall": (0.37, 0.53)})
    text = tables.laid_out(tables.chosen("Context_Shaar2022/T4", tables.beside([result]))["Context_Shaar2022", "T4"])
    assert re.search(r"1 Baseline +MAP/Overall +0\.429 +0\.450 \[0\.370, 0\.530\] +\+0\.021", text)


def test_the_spread_over_splits_stands_beside_our_score():
    result = Result("r", "", {"MRR": 0.55}, fills=("KnownLie_Shaar2020/T5/IR:Body/PolitiFact/",), spread={"MRR": 0.031})
    text = tables.laid_out(tables.chosen("KnownLie_Shaar2020/T5", tables.beside([result]))["KnownLie_Shaar2020", "T5"])
    assert re.search(r"IR:Body +PolitiFact/MRR +0\.565 +0\.550 ±0\.031 +-0\.015", text)


@pytest.mark.parametrize("added", ["KnownLie_Shaar2020/T99/ours", "KnownLie_Shaar2020/T5", "Nobody/T1/ours"])
def test_a_row_added_to_no_published_table_is_an_error(added):
    with pytest.raises(BadInput, match="names no row of a published table"):
        tables.beside([Result("r", "", {}, adds=(added,))])


def test_a_figure_without_ours_is_not_run_and_a_suspect_one_has_a_footnote():
    text = tables.laid_out(tables.chosen("MTM_Sheng2021/T2", tables.beside([]))["MTM_Sheng2021", "T2"])
    [line] = [line for line in text.splitlines() if line.startswith("BM25") and "Twitter/MAP@5" in line]
    assert line.split() == ["BM25", "Twitter/MAP@5", "0.568", "not", "run", "1"]
    assert "[1] suspect: equals HIT@5" in text


def test_the_published_figures_are_shown_where_nothing_is_recorded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = twicetold("tables", "KnownLie_Shaar2020/T4")
    assert "not run" in done.stdout
    assert "no folder of recorded results here" in done.stderr
    assert "records no results" in twicetold("tables", "--results", tmp_path).stderr


def test_every_table_of_the_four_papers_is_there():
    assert {paper: len(numbers) for paper, numbers in tables.papers().items() if paper != "CheckThat"} == {
        "MTM_Sheng2021": 4,
        "MythQA_Bai2023": 8,
        "KnownLie_Shaar2020": 4,
        "Context_Shaar2022": 3,
    }


def test_an_unknown_table_is_named_with_those_there_are():
    with pytest.raises(BadInput, match="'T99'; there are MTM_Sheng2021/T1"):
        tables.chosen("T99", tables.beside([]))


# --- the results in this repository


@pytest.mark.parametrize("result", read_results(HERE.parent.parent / "results").values(), ids=lambda result: result.name)
def test_a_recorded_result_says_what_was_run_and_at_which_commit(result):
    assert re.fullmatch("[0-9a-f]{7,40}", result.commit)
    assert result.command.startswith("twicetold ")
    assert result.scores


def test_recorded_results_fill_rows_that_exist():
    rows = tables.beside(read_results(HERE.parent.parent / "results").values())
    filled = {f"{row.figure.paper}/{row.figure.table}/{row.figure.row}" for row in rows if row.ours is not None}
    assert {"KnownLie_Shaar2020/T5/IR:Body", "KnownLie_Shaar2020/T6/IR:VerClaim", "CheckThat/2020 task 2 test/twicetold hybrid"} <= filled
