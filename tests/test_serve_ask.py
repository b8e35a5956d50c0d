"""Questions to posts over HTTP."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from serving import copied, serving

from twicetold.cli import main
from twicetold.models import shipped

QUESTION = "Can drinking bleach cure the coronavirus?"
needs_stance = pytest.mark.skipif(not shipped("stance").is_dir(), reason="this build ships no stance model")


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    folder = copied(demo_folder, tmp_path_factory.mktemp("ask") / "demo")
    from twicetold import demo

    result = CliRunner().invoke(main, ["--data", str(folder), "-q", "ingest-posts", str(demo.__path__[0]) + "/posts.jsonl"])
    assert result.exit_code == 0, result.output
    return folder


def test_without_posts_asking_says_what_is_missing_and_the_page_is_not_offered(demo_folder, tmp_path):
    with serving(copied(demo_folder, tmp_path / "demo")) as client:
        answer = client.post("/v1/ask", json={"text": QUESTION})
        assert (answer.status_code, answer.json()["type"]) == (501, "/problems#not-enabled")
        assert "ingest-posts" in answer.json()["detail"]
        assert "Contested" not in client.get("/", headers={"accept": "text/html"}).text


@needs_stance
def test_an_answer_is_the_same_json_that_the_command_line_prints(folder):
    printed = CliRunner().invoke(main, ["--data", str(folder), "ask", QUESTION, "--json", "--depth", "20"]).stdout
    with serving(folder) as client:
        answer = client.post("/v1/ask", json={"text": QUESTION, "depth": 20})
        assert answer.json() == json.loads(printed)


@needs_stance
def test_the_page_shows_both_sides_of_a_contested_answer(folder):
    with serving(folder) as client:
        text = client.get("/contested", params={"question": QUESTION}, headers={"accept": "text/html"}).text
    assert "Supporting" in text
    assert "Refuting" in text
    assert "/contested" in text


@needs_stance
def test_what_is_no_question_is_refused(folder):
    with serving(folder) as client:
        assert client.post("/v1/ask", json={"text": "bananas everywhere"}).status_code == 422
