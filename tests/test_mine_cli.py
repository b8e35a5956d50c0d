"""The verbs about posts, as a person types them."""

import csv
import json

import pytest
from click.testing import CliRunner

from twicetold import demo
from twicetold.cli import main

POSTS = str(demo.FOLDER / "posts.jsonl")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("asked")
    assert run(place, "ingest-posts", POSTS).exit_code == 0
    return place


def run(folder, *arguments, stdin=None):
    return CliRunner().invoke(main, ["--data", str(folder), *arguments], input=stdin, catch_exceptions=False)


def test_posts_are_read_once_and_the_second_time_changes_nothing(tmp_path):
    assert "109 added, 0 changed, 0 unchanged" in run(tmp_path, "ingest-posts", POSTS).stdout
    assert "0 added, 0 changed, 109 unchanged" in run(tmp_path, "ingest-posts", POSTS).stdout


def test_a_broken_record_stops_the_reading_with_its_place_unless_told_to_go_on(tmp_path):
    file = tmp_path / "posts.jsonl"
    file.write_text('{"id": "1", "text": "hello there"}\n{"id": "2"}\n{"id": "3", "text": "hello again"}\n')
    refused = run(tmp_path / "a", "ingest-posts", str(file))
    assert (refused.exit_code, "line 2: no text" in refused.stderr) == (3, True)
    taken = run(tmp_path / "b", "ingest-posts", str(file), "--skip-broken")
    assert (taken.exit_code, "2 added" in taken.stdout, "1 records left out, 2 read" in taken.stderr) == (0, True, True)


def test_posts_before_a_broken_record_are_kept_and_counted(tmp_path):
    file = tmp_path / "posts.jsonl"
    file.write_text('{"id": "1", "text": "Garlic works."}\n{"id": "2", "text": "No it does not."}\n{"id": "3", "te')
    stopped = run(tmp_path / "a", "ingest-posts", str(file))
    assert stopped.exit_code == 3
    assert "the 2 records before it are kept" in stopped.stderr
    assert "0 added, 0 changed, 2 unchanged" in run(tmp_path / "a", "ingest-posts", str(file), "--skip-broken").stdout


def test_posts_without_a_language_get_one(tmp_path):
    file = tmp_path / "posts.jsonl"
    file.write_text(json.dumps({"id": "1", "text": "Los zapatos contagian el virus y hay que dejarlos fuera de casa"}) + "\n")
    run(tmp_path, "ingest-posts", str(file))
    from twicetold.posts import Posts

    with Posts.open(tmp_path) as posts:
        assert posts.store.get("1").lang == "es"


def test_a_yes_no_question_is_answered_with_both_sides(folder):
    answer = run(folder, "ask", "Is the Great Wall of China visible from space?")
    assert answer.exit_code == 0
    assert "The Great Wall of China is visible from space" in answer.stdout
    assert answer.stdout.index("YES:") < answer.stdout.index("NO:")


def test_questions_come_from_a_file_and_as_json(folder, tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text("Was the moon landing faked?\nIs the Great Wall of China visible from space?\n")
    asked = [json.loads(line) for line in run(folder, "ask", str(file), "--json").stdout.splitlines()]
    assert [(one["kind"], one["schema"]) for one in asked] == [("yes-no", 2)] * 2
    for one in asked:
        assert {"yes", "no"} >= {answer["myth"]["answer"] for answer in one["answers"]}
        assert all({"supporting", "refuting", "claim"} <= answer["myth"].keys() for answer in one["answers"])


def test_a_report_is_written_as_html(folder, tmp_path):
    answer = run(folder, "ask", "Do goldfish have a three-second memory?", "--html", str(tmp_path / "report.html"))
    html = (tmp_path / "report.html").read_text()
    assert answer.exit_code == 0
    assert html.startswith("<!doctype html>")
    assert "three-second memory" in html


def test_the_queue_has_one_line_a_claim_most_contested_first(folder):
    stdin = "Was the moon landing faked?\nDo goldfish have a three-second memory?\nDoes drinking alcohol cure COVID-19?\n"
    rows = [json.loads(line) for line in run(folder, "ask", "-", "--queue", "--json", stdin=stdin).stdout.splitlines()]
    assert len(rows) == 3
    assert [row["contested"] for row in rows] == sorted((row["contested"] for row in rows), reverse=True)


def test_nothing_said_of_a_question_is_not_sure_and_exit_code_1(folder):
    answer = run(folder, "ask", "Did Atlantis export marble to Norway?")
    assert (answer.exit_code, "NOT SURE" in answer.stdout) == (1, True)


@pytest.mark.parametrize(
    ("question", "code", "said"),
    [
        ("Garlic cures COVID-19", 2, "is not a question; ask: twicetold ask 'Is it true that Garlic cures COVID-19?'"),
        ("", 2, "the question is empty"),
        ("大蒜能治新冠吗", 2, "English only"),
    ],
)
def test_what_is_no_question_is_said_in_one_line(folder, question, code, said):
    answer = run(folder, "ask", question)
    assert (answer.exit_code, said in answer.stderr, answer.stderr.count("\n")) == (code, True, 1)


def test_asking_a_folder_without_posts_says_what_to_type(tmp_path):
    answer = run(tmp_path, "ask", "Is it so?")
    assert (answer.exit_code, "ingest-posts SOURCE" in answer.stderr) == (3, True)


def test_a_watch_follows_one_question(folder):
    answer = run(folder, "ask", "Is it so?", "Is it not?", "--watch")
    assert (answer.exit_code, "--watch follows one question" in answer.stderr) == (2, True)


def test_a_sheet_is_written_labelled_and_read_back(folder, tmp_path):
    sheet, questions = tmp_path / "sheet.csv", tmp_path / "questions.jsonl"
    made = run(folder, "mine", "annotate", "Can TOPIC_ENTITY spread COVID-19?", "--alias", "shoes", "--each", "3", "--out", str(sheet))
    assert "15 posts in 5 clusters" in made.stdout
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows([{**rows[0], "label": "refuting"}, *rows[1:]])
    run(folder, "mine", "annotate", "--labels", str(sheet), "--out", str(questions))
    [record] = map(json.loads, questions.read_text().splitlines())
    assert record["answers"]["refuting"] == [rows[0]["id"].lstrip("'")]


def test_questions_are_suggested_from_fact_checks(demo_folder):
    answer = run(demo_folder, "mine", "suggest", "COVID-19")
    assert answer.exit_code == 0
    assert "ivermectin" in answer.stdout
