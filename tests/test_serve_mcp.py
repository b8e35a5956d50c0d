"""The tools for language models, called by a real client."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner
from serving import copied

from twicetold import demo
from twicetold.cli import main
from twicetold.errors import BadInput
from twicetold.models import shipped
from twicetold.serve.tools import serve_tools, tool_server

mcp = pytest.importorskip("mcp", reason="needs the extra mcp")

GARLIC = "Eating raw garlic prevents or cures infection with the coronavirus"


@pytest.fixture(scope="module")
def server(demo_folder, tmp_path_factory):
    return tool_server(copied(demo_folder, tmp_path_factory.mktemp("mcp") / "demo"))


def call(server, tool: str, **arguments):
    async def talk():
        async with mcp.Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(talk)


def test_a_claim_is_matched_and_the_score_is_explained(server):
    told = call(server, "match_claim", claim=GARLIC, top=1).structured_content
    assert told["no_match"] is False
    assert "not a probability" in told["score_means"]
    [match] = told["matches"]
    assert match["id"] == "demo-health-garlic-covid"


def test_a_claim_that_nobody_has_checked_is_no_match_though_something_is_nearest(server):
    told = call(server, "match_claim", claim="The town of Little Hampton has banned yellow umbrellas").structured_content
    assert told["no_match"] is True
    assert told["lane"] == "no match"
    assert "not that the claim is true" in told["score_means"]


def test_an_answer_is_short_unless_details_are_wanted(server):
    told = call(server, "match_claim", claim=GARLIC).structured_content
    assert len(json.dumps(told)) < 5_000
    whole = call(server, "match_claim", claim=GARLIC, details=True).structured_content
    assert whole["ranking"]["matches"][0]["signals"]


def test_every_tool_says_that_it_only_reads(server):
    async def tools():
        async with mcp.Client(server) as client:
            return (await client.list_tools()).tools

    assert all(tool.annotations.read_only_hint for tool in anyio.run(tools))


def test_a_claim_nobody_may_answer_is_no_match(server):
    told = call(server, "match_claim", claim=GARLIC, langs=["sw"]).structured_content
    assert (told["no_match"], told["matches"]) == (True, [])


def test_a_fact_check_is_got_by_its_id_and_a_wrong_id_is_no_match(server):
    assert call(server, "get_fact_check", id="demo-health-garlic-covid").structured_content["fact_check"]["rating"] == "False"
    assert call(server, "get_fact_check", id="nobody").structured_content["no_match"] is True


def test_a_speech_is_scanned_line_by_line(server):
    text = "ANNA: Volcanoes emit more carbon dioxide than all human activity.\nBOB: Thank you very much."
    told = call(server, "scan_text", text=text).structured_content
    assert (told["lines"], told["no_match"]) == (2, False)
    assert told["checked_before"][0]["matches"][0]["id"] == "demo-climate-volcano-co2"


def test_a_line_that_is_only_worth_a_look_is_kept_apart_from_those_checked_before(server):
    told = call(
        server, "scan_text", text="The shot against measles, mumps and rubella gave 5,000 children autism last year."
    ).structured_content
    assert (told["checked_before"], told["undecided"], told["not_checked"], told["unread"], told["no_match"]) == ([], [], [], [], False)
    assert told["worth_a_look"][0]["lane"] == "review"


def test_without_posts_there_is_no_tool_to_ask_them(server):
    async def names():
        async with mcp.Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(names) == ["match_claim", "get_fact_check", "scan_text"]


@pytest.mark.skipif(not shipped("stance").is_dir(), reason="this build ships no stance model")
def test_posts_are_asked_and_silence_is_no_match(demo_folder, tmp_path):
    folder = copied(demo_folder, tmp_path / "demo")
    posts = Path(demo.__path__[0]) / "posts.jsonl"
    assert CliRunner().invoke(main, ["--data", str(folder), "-q", "ingest-posts", str(posts)]).exit_code == 0
    server = tool_server(folder)
    told = call(server, "ask", question="Can drinking bleach cure the coronavirus?").structured_content
    assert told["no_match"] is False
    assert "not what is true" in told["score_means"]
    assert call(server, "ask", question="Is the moon of Jupiter larger than a violin?").structured_content["no_match"] is True


def test_an_argument_that_makes_no_sense_is_an_error_and_not_an_answer(server):
    assert call(server, "match_claim", claim="").is_error


def test_a_folder_without_a_collection_is_refused(tmp_path):
    with pytest.raises(BadInput, match="ingest"):
        serve_tools(tmp_path)


@pytest.mark.slow
def test_the_command_talks_over_standard_input_and_output(demo_folder, tmp_path):
    folder = copied(demo_folder, tmp_path / "demo")
    parameters = mcp.StdioServerParameters(command=sys.executable, args=["-m", "twicetold.cli", "--data", str(folder), "mcp"])
    told = call(parameters, "match_claim", claim=GARLIC).structured_content
    assert told["matches"][0]["id"] == "demo-health-garlic-covid"
