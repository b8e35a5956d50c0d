"""Scanning a speech: lines in, each once and in order, the checked ones with their fact-checks, the rest in a queue."""

import io
import json
from itertools import islice

import pytest
from click.testing import CliRunner

from twicetold import demo as demo_files
from twicetold.cli import main
from twicetold.collection import Collection
from twicetold.collection import Settings as CollectionSettings
from twicetold.errors import BadInput
from twicetold.ingest.transcripts import read_lines, read_transcript
from twicetold.rerank.coref.resolution import NOTHING, Replacement, Resolution
from twicetold.scan.report import html
from twicetold.scan.scanner import Settings, queue
from twicetold.scan.speeches import scanner
from twicetold.scan.tracks import srt, vtt
from twicetold.types import Line

HEALTH = demo_files.FOLDER / "transcripts" / "debate-health.tsv"
CLAIM = Line("BRANDVOLD", "The shot against measles, mumps and rubella gave 5,000 children autism last year.", 4.0, 7.5)
TALK = Line("MODERATOR", "Thank you very much.", 1.0, 2.0)
NEW = Line("QUISPE", "In 2019 the county bought 14,312 blue umbrellas for its lifeguards.", 8.0, 10.0)


@pytest.fixture(scope="module")
def health(demo):
    transcript, _ = read_transcript(HEALTH)
    return list(scanner(demo).scan(transcript.lines))


@pytest.fixture(scope="module")
def three(demo):
    return list(scanner(demo).scan([TALK, CLAIM, NEW]))


def test_every_line_is_heard_once_in_order(health):
    assert [one.number for one in health] == list(range(1, len(HEALTH.read_text().splitlines()) + 1))


def test_most_lines_that_were_checked_before_find_their_fact_check(health):
    gold = {}
    for row in (HEALTH.parent / "qrels.txt").read_text().splitlines():
        line, _, check, _ = row.split()
        if line.startswith("debate-health:"):
            gold.setdefault(int(line.split(":")[1]), set()).add(check)
    heard = {one.number: one for one in health}
    right = sum(heard[n].ranking is not None and heard[n].ranking.matches[0].doc.id in checks for n, checks in gold.items())
    assert right / len(gold) >= 0.6


def test_talk_is_not_looked_up(three):
    assert three[0].ranking is None


def test_a_line_is_answered_as_soon_as_its_look_ahead_is_there(demo):
    given = []

    def live():
        for line in [TALK, CLAIM, NEW, TALK]:
            given.append(line)
            yield line

    first = list(islice(scanner(demo, settings=Settings(ahead=1)).scan(live()), 2))
    assert [one.line for one in first] == [TALK, CLAIM]
    assert given == [TALK, CLAIM, NEW]


def test_lines_that_are_all_there_are_answered_as_lines_that_come_one_by_one(demo, health):
    transcript, _ = read_transcript(HEALTH)
    assert list(scanner(demo).scan(iter(transcript.lines))) == health


def test_a_claim_is_named_by_the_speech_and_its_line_and_keeps_only_the_lines_near_it(demo):
    heard = list(scanner(demo, settings=Settings(id="town-hall", behind=1, ahead=1)).scan([TALK, TALK, CLAIM, NEW, TALK]))
    claim = heard[2].ranking.query
    assert (claim.id, claim.said_by) == ("town-hall:3", "BRANDVOLD")
    assert (claim.context.lines, claim.context.at) == ((TALK, CLAIM, NEW), 1)


def test_another_resolver_of_pronouns_says_what_is_searched_for_and_what_is_shown(demo):
    said = Line("BRANDVOLD", "In fact it gave 5,000 children autism last year.")
    meant = Resolution("In fact the MMR vaccine gave 5,000 children autism last year.", (Replacement(8, 10, "it", "the MMR vaccine"),))
    [shipped] = scanner(demo).scan([said])
    [plugged] = scanner(demo, resolve=lambda context: meant).scan([said])
    assert (shipped.resolution, plugged.resolution) == (NOTHING, meant)
    by_view = [plugged.ranking.matches[0].signals[f"{view}bm25.claim"] for view in ("", "resolved.")]
    assert by_view[1] > by_view[0]


def test_the_same_claim_going_on_is_joined_with_its_first_line(demo):
    more = Line("BRANDVOLD", "That measles, mumps and rubella shot, I say again, gave 5,000 children autism.")
    other = Line("QUISPE", more.text)
    same, else_ = (list(scanner(demo).scan([CLAIM, line])) for line in (more, other))
    assert (same[1].part_of, else_[1].part_of) == (1, 0)


def test_the_queue_holds_what_nobody_checked_most_worthy_first(health):
    left = queue(health)
    assert [one.worth for one in left] == sorted((one.worth for one in left), reverse=True)
    assert not any(one.is_found or one.part_of for one in left)


def test_an_annotated_track_keeps_the_captions_and_adds_the_rating(three):
    track = "".join(vtt(three))
    assert [line.text for line in read_lines(io.BytesIO(track.encode())) if line.text.startswith(("Thank", "In 2019"))] == [
        TALK.text,
        NEW.text,
    ]
    assert "<c.checked>" in track.split("\n\n")[3]


def test_a_subrip_track_is_numbered_from_one_and_its_times_have_commas(three):
    assert "".join(srt(three)).startswith("1\n00:00:01,000 --> 00:00:02,000\nMODERATOR: Thank you very much.\n")


def test_a_speech_without_times_makes_no_track(demo):
    heard = scanner(demo).scan([Line("LEE", "The earth is flat, and 97 percent know it.")])
    with pytest.raises(BadInput, match="line 1 has no times"):
        list(vtt(heard))


def test_the_report_is_one_safe_page(demo):
    heard = list(scanner(demo).scan([Line("<b>LEE</b>", CLAIM.text), NEW]))
    page = html("a <debate>", heard)
    assert "a &lt;debate&gt;" in page
    assert "&lt;b&gt;LEE&lt;/b&gt;" in page
    assert "<script" not in page
    assert "<b>LEE" not in page


# --- the verb ------------------------------------------------------------------------------------------------------


def run(demo_folder, *arguments, stdin=None):
    return CliRunner().invoke(main, ["--data", str(demo_folder), "scan", *arguments], input=stdin)


@pytest.mark.parametrize("shape", ["text", "json", "html"])
def test_a_file_and_standard_input_give_the_same(demo_folder, shape, tmp_path):
    text = f"LEE: {CLAIM.text}\nOKOYE: {NEW.text}\n"
    path = tmp_path / "speech.txt"
    path.write_text(text)
    from_file = run(demo_folder, str(path), "--format", shape)
    from_stdin = run(demo_folder, "-", "--format", shape, stdin=text)
    assert from_file.exit_code == from_stdin.exit_code == 0
    assert from_file.stdout == from_stdin.stdout
    assert "autism" in from_file.stdout


def test_json_lines_can_be_matched_again(demo_folder):
    scanned = run(demo_folder, "-", "--json", stdin=f"LEE: {CLAIM.text}\n")
    [record] = map(json.loads, scanned.stdout.splitlines())
    assert (record["schema"], record["number"], record["line"]["speaker"]) == (1, 1, "LEE")
    again = CliRunner().invoke(main, ["--data", str(demo_folder), "match", "--json", "-"], input=scanned.stdout)
    assert json.loads(again.stdout)["query"]["text"] == CLAIM.text


def test_what_cannot_be_read_is_named_on_standard_error_and_the_rest_is_scanned(demo_folder):
    ran = run(demo_folder, "-", "--from", "tsv", "--json", stdin=f"1\tLEE\t{CLAIM.text}\nbroken\n3\tLEE\tThank you.\n")
    assert ran.exit_code == 0
    assert "standard input, line 2: wanted number, speaker and sentence" in ran.stderr
    assert [json.loads(line)["number"] for line in ran.stdout.splitlines()] == [1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere.tsv",), 2, "there is no file nowhere.tsv"),
        (("-", "--said-on", "last May"), 2, "--said-on wants a day such as 2016-10-19, not 'last May'"),
        (("-", "--only-earlier"), 2, "--only-earlier needs the day of the speech: add --said-on 2016-10-19"),
        (("-",), 2, "holds no line of speech"),
    ],
)
def test_wrong_usage_says_what_to_do(demo_folder, arguments, code, said):
    ran = run(demo_folder, *arguments, stdin="")
    assert (ran.exit_code, said in ran.stderr) == (code, True)
    assert "Traceback" not in ran.stderr


def test_the_summary_says_what_was_looked_up_and_from_which_worth_on(demo_folder):
    done = run(demo_folder, "-", "--least-worth", "0.4", stdin=f"{TALK.text}\n{NEW.text}\n")
    assert "2 lines heard, 1 worth looking up (from worth 0.4 on, --least-worth)." in done.stdout
    assert "line 2: In 2019 the county bought" in done.stdout


def test_lines_are_counted_as_heard_and_captions_told_by_their_time(demo_folder):
    captions = f"WEBVTT\n\n01:02:03.000 --> 01:02:09.000\n<v QUISPE>Thank you. {NEW.text}\n"
    assert "line 2, 1:02:0" in run(demo_folder, "-", stdin=captions).stdout


def test_an_empty_collection_is_told_once(tmp_path):
    Collection.create(tmp_path, CollectionSettings("none")).close()
    done = run(tmp_path, "-", stdin=f"{NEW.text}\n")
    assert done.stderr.count("nothing can be found; fill it with") == 1


def test_a_speech_of_ten_hours_is_scanned_to_its_end(demo):
    hours = [Line("MODERATOR", "Good evening."), NEW] * 3600
    heard = list(scanner(demo, recipe="bm25", settings=Settings(least_worth=0.95)).scan(iter(hours)))
    assert (heard[-1].number, heard[-1].line) == (7200, NEW)


def test_only_earlier_leaves_out_fact_checks_of_that_day_and_later(demo_folder):
    ran = run(demo_folder, "-", "--json", "--said-on", "1990-01-01", "--only-earlier", stdin=f"LEE: {CLAIM.text}\n")
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["ranking"]["matches"] == []
