"""Answers on the command line and in Python: a heading, forms for other programs, tables of claims, notebooks."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import twicetold
from twicetold.cli import main
from twicetold.types import Claim, FactCheck, Match, Ranking

GARLIC = "Eating raw garlic prevents or cures infection with the coronavirus"
NONE = "The town of Little Hampton has banned yellow umbrellas"


@pytest.fixture
def run(demo_folder):
    def ran(*args: str):
        return CliRunner().invoke(main, ["--data", str(demo_folder), *args])

    return ran


def test_a_matched_answer_has_a_heading_and_nothing_that_is_not_about_it(run):
    told = run("match", GARLIC).stdout
    assert told.splitlines()[1].startswith("  Checked before: rated False by Demo Health Desk (demo), 6 March 2020 (")
    assert "Genetically modified" not in told
    assert "less likely, probably unrelated: not shown (--all shows them)." in told
    assert run("match", "--all", GARLIC).stdout.count("· id ") == 5 > told.count("· id ")


def test_nothing_found_says_in_how_many(run):
    ran = run("match", NONE)
    assert "Nothing found in 124 fact-checks." in ran.stdout
    assert ran.exit_code == 1


@pytest.mark.parametrize("text", ["zzzqqqx", "zzzqqqx wwwvvv", "asdfgh qwertz uiop"])
def test_gibberish_is_answered_with_none(run, text):
    assert "Nothing found in 124 fact-checks." in run("match", text).stdout


def test_csv_has_a_row_for_each_answer_and_one_for_a_claim_without(run):
    first, last = csv.DictReader(io.StringIO(run("match", "--format", "csv", "--top", "1", GARLIC, NONE).stdout))
    assert (first["lane"], first["rating"], first["check_id"]) == ("matched", "False", "demo-health-garlic-covid")
    assert (last["claim_id"], last["lane"], last["check_id"]) == ("c2", "no match", "")


def test_one_line_for_each_claim(run):
    first, last = run("match", "--format", "line", GARLIC, NONE).stdout.splitlines()
    assert "Checked before: rated False" in first
    assert last.endswith("Nothing found in 124 fact-checks")


def test_a_table_and_json_lines(run):
    assert "Demo Health" in run("match", "--format", "table", GARLIC).stdout
    assert json.loads(run("match", "--format", "jsonl", GARLIC).stdout)["decision"]["lane"] == "matched"


def test_answers_less_probable_than_wanted_count_as_not_found(run):
    assert run("match", "--least", "0.9999999", "Perhaps garlic soup keeps colds away").exit_code == 1


def test_a_table_of_claims_is_read_by_its_column_and_not_its_header(run, tmp_path):
    table = tmp_path / "claims.csv"
    table.write_text(f'id,date,Claim\nx7,2020-01-01,"{GARLIC}"\n', encoding="utf-8")
    [row] = csv.DictReader(io.StringIO(run("match", "--format", "csv", "--top", "1", str(table)).stdout))
    assert (row["claim_id"], row["check_id"]) == ("x7", "demo-health-garlic-covid")
    table.write_text(f"nr,what\n1,{GARLIC}\n", encoding="utf-8")
    assert "which column holds the claims? It has nr, what; name it: --column NAME" in run("match", str(table)).stderr
    assert run("match", "--column", "what", str(table)).exit_code == 0


def test_quiet_may_stand_anywhere(run):
    assert run("match", GARLIC, "-q").exit_code == 0
    assert run("stats", "--quiet").exit_code == 0


def test_a_judgement_is_taken_back_and_exported_to_train_on(tmp_path):
    folder = str(tmp_path / "col")
    with twicetold.Collection.create(folder) as collection:
        list(collection.add([FactCheck("a", claim="Frogs rain")]))
        collection.index()
    runner = CliRunner()
    runner.invoke(main, ["--data", folder, "judge", "It rains frogs", "a", "yes", "--annotator", "ann"])
    told = json.loads(runner.invoke(main, ["--data", folder, "judge", "--export", "--json"]).stdout)
    assert (told["claim"], told["checked_claim"], told["grade"], told["annotator"]) == ("It rains frogs", "Frogs rain", 1, "ann")
    assert "Taken back." in runner.invoke(main, ["--data", folder, "judge", "It rains frogs", "a", "--undo", "--annotator", "ann"]).stdout
    assert runner.invoke(main, ["--data", folder, "judge", "--export"]).stdout == ""


def test_many_claims_are_answered_in_their_order(demo):
    one, two = twicetold.match([GARLIC, Claim("mine", NONE)], demo)
    assert one.matches[0].doc.id == "demo-health-garlic-covid"
    assert two.query.id == "mine"


def test_values_are_short_in_a_notebook_and_escape_what_they_show():
    match = Match(FactCheck("a", claim="<b>" + "x" * 200, rating="False"), 1.0)
    ranking = Ranking(Claim("c", "Frogs & rain"), (match,))
    assert repr(ranking) == "<Ranking 'Frogs & rain': not decided, 1 matches>"
    assert len(repr(match)) < 120
    assert "<b>xxx" not in ranking._repr_html_()
    assert "Frogs &amp; rain" in ranking._repr_html_()


def test_a_data_frame_has_a_row_for_each_match(demo):
    pytest.importorskip("pandas", reason="data frames need pandas")
    frame = twicetold.match(GARLIC, demo, top=2).to_dataframe()
    assert list(frame["rank"]) == [1, 2]
    assert len(twicetold.to_dataframe([Ranking(Claim("c", "x"))])) == 1


def test_without_pandas_a_data_frame_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(twicetold.TwicetoldError, match="pip install pandas"):
        Ranking(Claim("c", "x")).to_dataframe()


@pytest.mark.parametrize("path", sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_the_notebooks_run(path, tmp_path, monkeypatch):
    pytest.importorskip("pandas", reason="the notebook shows data frames")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells
    for number, cell in enumerate(cells, start=1):
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
