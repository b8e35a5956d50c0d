"""Speeches over HTTP."""

from __future__ import annotations

import html
import json
import re

import pytest
from click.testing import CliRunner
from serving import copied, serving

from twicetold.cli import main

SPEECH = "ANNA: Volcanoes emit more carbon dioxide than all human activity.\nBOB: Thank you very much.\n"
CAPTIONS = "1\n00:00:01,000 --> 00:00:04,000\nVolcanoes emit more carbon dioxide than all human activity.\n"


@pytest.fixture(scope="module")
def folder(demo_folder, tmp_path_factory):
    return copied(demo_folder, tmp_path_factory.mktemp("scan") / "demo")


@pytest.fixture(scope="module")
def client(folder):
    with serving(folder) as client:
        yield client


def events(answer):
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n", 1) for block in answer.text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(told.removeprefix("data: "))) for name, told in blocks]


def test_each_line_is_the_same_json_that_the_command_line_prints(client, folder, tmp_path):
    file = tmp_path / "speech.txt"
    file.write_text(SPEECH)
    printed = CliRunner().invoke(main, ["--data", str(folder), "scan", str(file), "--json", "--all"]).stdout.splitlines()
    answer = client.post("/v1/scan", files={"file": ("speech.txt", SPEECH.encode())})
    assert [told for name, told in events(answer) if name == "heard"] == [json.loads(line) for line in printed]


def test_the_last_event_counts_lines_and_claims_by_what_is_known_of_them(client):
    name, told = events(client.post("/v1/scan", data={"text": SPEECH}))[-1]
    assert name == "end"
    assert (told["lines"], told["looked_up"], told["left_out"]) == (2, 1, 1)
    assert (told["checked_before"], told["worth_a_look"], told["undecided"], told["not_checked"]) == (1, 0, 0, 0)


def test_captions_keep_their_times(client):
    [(_, heard), _] = events(client.post("/v1/scan", files={"file": ("debate.srt", CAPTIONS.encode())}))
    assert (heard["line"]["start"], heard["line"]["end"]) == (1.0, 4.0)


def test_what_holds_no_line_ends_with_a_problem(client):
    [(name, problem)] = events(client.post("/v1/scan", files={"file": ("debate.srt", b"\n\n")}))
    assert (name, problem["status"]) == ("problem", 422)
    assert "holds no line of speech" in problem["detail"]


@pytest.mark.parametrize(("shape", "start"), [("vtt", "WEBVTT"), ("srt", "1\n"), ("html", "<!doctype html>"), ("jsonl", '{"schema"')])
def test_the_page_exports_what_was_found_in_every_shape(client, shape, start):
    answer = client.post("/debate/export", data={"shape": shape}, files={"file": ("speech.srt", CAPTIONS.encode())})
    assert answer.text.startswith(start)
    assert answer.headers["content-disposition"] == f'attachment; filename="speech-checked.{shape}"'
    assert "olcano" in answer.text


def test_lines_without_times_are_not_offered_as_captions(client):
    assert client.post("/debate/export", data={"shape": "vtt", "text": SPEECH}).status_code == 422
    timed = client.post("/debate", files={"file": ("speech.srt", CAPTIONS.encode())}, headers={"accept": "text/html"}).text
    plain = client.post("/debate", data={"text": SPEECH}, headers={"accept": "text/html"}).text
    assert (timed.count(" data-timed>"), plain.count(" data-timed hidden>")) == (2, 2)


def test_the_page_shows_what_pronouns_stand_for(client):
    speech = "DONALD TRUMP: I won.\nBOB LEE: Donald Trump spoke in 2016.\nBOB LEE: He said that 5,000 volcanoes emit carbon dioxide.\n"
    page = client.post("/debate", data={"text": speech}, headers={"accept": "text/html"}).text
    assert '<small class="stands" dir="auto">He → Donald Trump</small>' in page


@pytest.mark.parametrize(
    "content",
    [
        "CAFÉ: The MMR vaccine causes autism – they say “yes”.\nMÜLLER: No.\n".encode("cp1252"),
        "CAFÉ: The MMR vaccine causes autism – they say “yes”.\nMÜLLER: No.\n".encode("utf-16"),
        "\ufeffCAFÉ: The MMR vaccine causes autism – they say “yes”.\n".encode() + "MÜLLER: No.\n".encode("cp1252"),
    ],
    ids=["Windows-1252", "UTF-16", "mixed"],
)
def test_an_upload_in_another_encoding_stands_in_the_text_box_as_it_was_read_and_is_exported_so(client, content):
    page = client.post("/debate", files={"file": ("speech.txt", content)}, headers={"accept": "text/html"}).text
    box = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)[1])
    assert box == "CAFÉ: The MMR vaccine causes autism – they say “yes”.\nMÜLLER: No.\n"
    sent = client.post("/debate/export", data={"shape": "jsonl", "text": box}).text
    lines = [json.loads(line)["line"] for line in sent.splitlines()]
    assert [(line["speaker"], line["text"]) for line in lines] == [
        ("CAFÉ", "The MMR vaccine causes autism – they say “yes”."), ("MÜLLER", "No."),
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["/v1/scan", "/debate", "/debate/lines"])
def test_a_day_that_the_calendar_does_not_have_is_refused(client, path):
    answer = client.post(path, data={"text": SPEECH, "said_on": "2016-02-31"})
    assert (answer.status_code, "wanted a day such as 2016-10-19, found &#39;2016-02-31&#39;" in answer.text.replace("'", "&#39;")) == (
        422,
        True,
    )


BROKEN = "1\tANNA\tVolcanoes emit more carbon dioxide than all human activity.\nno <b>tabs</b>\n3\tBOB\tThank you.\n"


def test_what_cannot_be_read_is_told_in_its_place_and_the_speech_goes_on(client):
    told = events(client.post("/v1/scan", files={"file": ("debate.tsv", BROKEN.encode())}))
    [unread] = [record for name, record in told if name == "unread"]
    assert unread == {"place": "debate.tsv, line 2", "reason": "wanted number, speaker and sentence by tabs, found 'no <b>tabs</b>'"}
    assert (told[-1][1]["lines"], told[-1][1]["unread"]) == (3, 1)


def test_the_page_notes_what_cannot_be_read(client):
    whole = client.post("/debate", files={"file": ("debate.tsv", BROKEN.encode())}, headers={"accept": "text/html"}).text
    [end] = [told for name, told in events(client.post("/debate/lines", files={"file": ("debate.tsv", BROKEN.encode())})) if name == "end"]
    for page in (whole, end["unread"]):
        assert "1 place of the speech could not be read as it stands:" in page
        assert "debate.tsv, line 2: wanted number, speaker and sentence by tabs, found &#39;no &lt;b&gt;tabs&lt;/b&gt;&#39;" in page
