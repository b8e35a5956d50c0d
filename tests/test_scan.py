"""Scanning a speech: lines in, each once and in order, the checked ones with their fact-checks, the rest in a queue."""

import dataclasses
import io
import json
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest
from click.testing import CliRunner

from twicetold import demo as demo_files
from twicetold.answer import RECIPES, Asking
from twicetold.cli import main
from twicetold.collection import Collection
from twicetold.collection import Settings as CollectionSettings
from twicetold.errors import BadInput
from twicetold.index.encoder import NO_ENCODER
from twicetold.ingest.transcripts import read_lines, read_transcript
from twicetold.rank.coref.resolution import NOTHING, Replacement, Resolution
from twicetold.scan.report import html
from twicetold.scan.scanner import ScannedLine, Settings, queue
from twicetold.scan.speeches import scanner
from twicetold.scan.tally import Tally
from twicetold.scan.tracks import srt, vtt
from twicetold.types import SCHEMA, Claim, Decision, FactCheck, Lane, Line, Match, Ranking, Verdict

HEALTH = demo_files.FOLDER / "transcripts" / "debate-health.tsv"
CLAIM = Line("BRANDVOLD", "The moon landing of 1969 was filmed in a studio.", 4.0, 7.5)
IN_DOUBT = Line("BRANDVOLD", "Astronauts of the moon landing say that 5,000 of them were filmed.")
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
    [plugged] = scanner(demo, asking=Asking(top=3, context=lambda context: meant)).scan([said])
    assert (shipped.resolution, plugged.resolution) == (NOTHING, meant)
    by_view = [plugged.ranking.matches[0].signals[f"{view}bm25.claim"] for view in ("", "resolved.")]
    assert by_view[1] > by_view[0]


def test_the_same_claim_going_on_is_joined_with_its_first_line(demo):
    more = Line("BRANDVOLD", "In 1969, I say again, that moon landing was filmed in a studio.")
    other = Line("QUISPE", more.text)
    same, else_ = (list(scanner(demo).scan([CLAIM, line])) for line in (more, other))
    assert (same[1].part_of, else_[1].part_of) == (1, 0)


def test_the_queue_holds_what_nobody_checked_most_worthy_first(health):
    left = queue(health)
    assert [one.worth for one in left] == sorted((one.worth for one in left), reverse=True)
    assert all(one.is_left and not one.part_of for one in left)


def test_an_annotated_track_keeps_the_captions_and_adds_the_rating(three):
    track = "".join(vtt(three))
    assert [line.text for line in read_lines(io.BytesIO(track.encode())) if line.text.startswith(("Thank", "In 2019"))] == [
        TALK.text,
        NEW.text,
    ]
    assert "<c.checked>" in track.split("\n\n")[3]


def test_a_subrip_track_is_numbered_from_one_and_its_times_have_commas(three):
    assert "".join(srt(three)).startswith("1\n00:00:01,000 --> 00:00:02,000\nMODERATOR: Thank you very much.\n")


@pytest.mark.parametrize("listed", [list, iter], ids=["a file", "a stream"])
@pytest.mark.parametrize("track", [vtt, srt])
def test_a_speech_without_times_makes_no_track_not_even_its_beginning(track, listed):
    blocks = track(listed([ScannedLine(n, Line("LEE", "The earth is flat."), 0.5) for n in range(1, 30)]))
    with pytest.raises(BadInput, match="no line has times, so there is no track to write"):
        next(blocks)


def test_a_stream_without_times_is_refused_before_it_is_over():
    given = []

    def live():
        for number in range(1, 1000):
            given.append(number)
            yield ScannedLine(number, Line("LEE", "The earth is flat."), 0.5)

    with pytest.raises(BadInput, match="no line has times"):
        next(vtt(live()))
    assert len(given) == 10


@pytest.mark.parametrize("listed", [list, iter], ids=["a file", "a stream"])
def test_a_line_without_times_is_left_out_of_the_track_and_named(listed):
    heard = [
        ScannedLine(1, Line("", "One."), 0.0),
        ScannedLine(2, TALK, 0.0),
        ScannedLine(3, Line("", "Three."), 0.0),
        ScannedLine(4, NEW, 0.0),
        ScannedLine(5, Line("", ""), 0.0),
    ]
    named = []
    track = "".join(srt(listed(heard), leave_out=lambda one: named.append(one.number)))
    assert named == [1, 3]
    assert [line.text for line in read_lines(io.BytesIO(track.encode()))] == [TALK.text, NEW.text]


def test_captions_that_go_back_in_time_are_written_in_order():
    heard = [ScannedLine(1, NEW, 0.0), ScannedLine(2, TALK, 0.0)]
    assert "".join(srt(heard)).index("Thank you") < "".join(srt(heard)).index("umbrellas")
    late = "".join(srt(iter(heard)))  # what is written cannot be taken back
    assert "2\n00:00:10,000 --> 00:00:11,000\nMODERATOR: Thank you" in late


def test_the_report_is_one_safe_page(demo):
    heard = list(scanner(demo).scan([Line("<b>LEE</b>", CLAIM.text), NEW]))
    page = html("a <debate>", heard)
    assert "a &lt;debate&gt;" in page
    assert "&lt;b&gt;LEE&lt;/b&gt;" in page
    assert "<script" not in page
    assert "<b>LEE" not in page


@pytest.mark.parametrize(
    "text",
    [
        "This governor took 2 million dollars from Exxon.",
        "And 14 of his ministers were convicted of fraud.",
        "But 40 million were paid 300 dollars.",
    ],
)
def test_a_claim_of_its_own_stays_in_the_queue_whatever_its_first_word(demo, text):
    heard = list(scanner(demo).scan([CLAIM, Line("BRANDVOLD", text)]))
    assert [(one.number, one.line.text) for one in queue(heard)] == [(2, text)]
    checked = html("a debate", heard).split("<h2 id=left>")[0]
    assert text not in checked


def test_a_line_that_states_nothing_of_its_own_stands_with_the_claim_before_it(demo, demo_folder):
    rest = "And it is a disgrace, everybody knows it."
    heard = list(scanner(demo).scan([CLAIM, Line("BRANDVOLD", rest), NEW]))
    assert (heard[1].part_of, [one.number for one in queue(heard)]) == (1, [3])
    assert f"{CLAIM.text} … {rest}" in html("a debate", heard)
    assert f"goes on with line 1: {rest}" in run(demo_folder, "-", stdin=f"LEE: {CLAIM.text}\n{rest}\n").stdout
    assert f"{NEW.text} … {rest}" in run(demo_folder, "-", stdin=f"LEE: {NEW.text}\n{rest}\n").stdout


def test_a_line_in_doubt_is_answered_by_itself_though_its_nearest_fact_check_is_that_of_the_line_before(demo):
    heard = list(scanner(demo).scan([CLAIM, IN_DOUBT]))
    assert (heard[1].is_in_doubt, heard[1].part_of) == (True, 0)
    assert heard[1].ranking.matches[0].doc == heard[0].ranking.matches[0].doc


@pytest.mark.parametrize(
    "text",
    [
        "Vaccines cause autism.",
        "Eating garlic protects you from the coronavirus.",
        "The earth is flat.",
        "疫苗会导致自闭症。",
        "吃大蒜可以预防新冠病毒。",
    ],
)
@pytest.mark.parametrize("encoder", ["", "none"])
def test_a_short_or_chinese_claim_is_looked_up(demo, tmp_path, text, encoder):
    with Collection.create(tmp_path, CollectionSettings(NO_ENCODER)) as plain:
        [heard] = scanner(plain if encoder else demo).scan([Line("LEE", text)])
    assert heard.ranking is not None


@pytest.mark.parametrize(
    "text", ["Thank you, sir.", "He did it.", "Senator Cory Booker.", "Mayor Buttigieg?", "谢谢大家。", "我们开始吧。", "Yes."]
)
def test_talk_is_not_looked_up_however_short_or_in_chinese(demo, text):
    [heard] = scanner(demo).scan([Line("LEE", text)])
    assert (heard.ranking, heard.worth < 0.25) == (None, True)


# --- checked before, worth a look, not decided -------------------------------------------------------------------------


def decided(number, lane, probability, *, part_of=0, line=CLAIM):
    claim = Claim(f"s:{number}", line.text)
    found = (Match(FactCheck(f"c{number}", claim="Shots cause autism.", rating="False", verdict=Verdict.FALSE), 1.0),)
    decision = None if lane is None else Decision(lane, probability, 0.05)
    return ScannedLine(number, line, 0.9, ranking=Ranking(claim, found, decision), part_of=part_of)


CHECKED, DOUBTED, NEAR, LEFT = (
    decided(1, Lane.MATCHED, 0.97),
    decided(2, Lane.REVIEW, 0.33),
    decided(3, None, 0.0),
    decided(4, Lane.NO_MATCH, 0.02, line=NEW),
)


def test_a_line_is_in_one_lane_only_and_only_a_matched_one_was_checked_before():
    lanes = [(one.is_checked, one.is_in_doubt, one.is_undecided, one.is_left) for one in (CHECKED, DOUBTED, NEAR, LEFT)]
    assert lanes == [tuple(place == at for place in range(4)) for at in range(4)]


def test_claims_are_counted_by_their_lane_and_lines_that_go_on_count_with_their_claim():
    more = decided(5, Lane.MATCHED, 0.9, part_of=1)
    tally = Tally.of([CHECKED, DOUBTED, NEAR, LEFT, more, ScannedLine(6, TALK, 0.0)])
    assert tally == Tally(lines=6, looked_up=5, left_out=1, checked_before=1, worth_a_look=1, undecided=1, not_checked=1)


@pytest.mark.parametrize(
    ("tally", "said"),
    [
        (Tally(not_checked=1), "0 claims were checked before; 0 are worth a look; 1 nobody has checked, as far as this collection goes"),
        (Tally(undecided=2), "2 lines with the nearest fact-checks; this recipe does not decide"),
        (
            Tally(undecided=1, not_checked=3),
            "1 line with the nearest fact-checks; this recipe does not decide; 3 nobody has checked, as far as this collection goes",
        ),
    ],
)
def test_the_tally_is_told_in_words(tally, said):
    assert tally.claims() == said


def test_the_report_keeps_what_is_worth_a_look_apart_from_what_was_checked_and_colours_only_the_latter():
    page = html("a debate", [CHECKED, DOUBTED])
    checked, look = page[page.index("<h2 id=checked>") :].split("<h2 id=look>Worth a look</h2>")
    assert (checked.count("<article class=false>"), look.count("<article class=other>")) == (1, 1)
    assert "Perhaps checked before: look at the nearest (33% sure of the first)." in look
    assert "1 claim was checked before; 1 is worth a look; 0 nobody has checked" in page


def test_the_report_heads_answers_that_were_not_decided_as_the_nearest():
    page = html("a debate", [NEAR])
    assert "<h2 id=nearest>Nearest fact-checks; this recipe does not decide</h2>\n<article class=other>" in page
    assert "Checked before" not in page


def test_the_report_shows_what_pronouns_stand_for_with_the_claim_and_in_the_whole_speech():
    meant = Resolution("…", (Replacement(0, 3, "she", "Hillary Clinton"),))
    page = html("a debate", [dataclasses.replace(CHECKED, resolution=meant), ScannedLine(2, TALK, 0.0, meant)])
    assert "<p class=small>she → Hillary Clinton</p>" in page
    assert page.count("she → Hillary Clinton") == 2


@pytest.mark.parametrize(
    ("heard", "note"),
    [
        (CHECKED, "✗ False: Shots cause autism."),
        (DOUBTED, "… perhaps checked before (33%): False: Shots cause autism."),
        (decided(2, Lane.REVIEW, 0.16), "… probably not checked before (16%): False: Shots cause autism."),
        (NEAR, "… nearest, not decided: False: Shots cause autism."),
    ],
)
def test_a_caption_says_how_sure_its_answer_is(heard, note):
    assert f"[{note}]" in "".join(srt([heard]))


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
    assert "moon landing" in from_file.stdout


def test_json_lines_can_be_matched_again(demo_folder):
    scanned = run(demo_folder, "-", "--json", stdin=f"LEE: {CLAIM.text}\n")
    [record] = map(json.loads, scanned.stdout.splitlines())
    assert (record["schema"], record["number"], record["line"]["speaker"]) == (SCHEMA, 1, "LEE")
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
        (("-", "--said-on", "2016-99-99"), 2, "--said-on wants a day such as 2016-10-19, not '2016-99-99'"),
        (("-", "--said-on", "2016-02-31", "--only-earlier"), 2, "--said-on wants a day such as 2016-10-19, not '2016-02-31'"),
        (("-", "--only-earlier"), 2, "--only-earlier needs the day of the speech: add --said-on 2016-10-19"),
        (("-", "--json", "--format", "html"), 2, "--json and --format html want two things at once; leave one of them out"),
        (("-", "--all"), 2, "--all goes with --json"),
        (("-",), 2, "standard input holds no line of speech"),
        (("/",), 2, "/ is a folder; name one transcript in it"),
    ],
)
def test_wrong_usage_says_what_to_do(demo_folder, arguments, code, said):
    ran = run(demo_folder, *arguments, stdin="")
    assert (ran.exit_code, said in ran.stderr) == (code, True)
    assert "Traceback" not in ran.stderr


def test_the_summary_says_what_was_looked_up_and_from_which_worth_on(demo_folder):
    done = run(demo_folder, "-", "--least-worth", "0.4", stdin=f"{TALK.text}\n{NEW.text}\n")
    assert "2 lines heard, 1 worth looking up (from worth 0.4 on, --least-worth)." in done.stdout
    assert "1 line was not looked up: --least-worth 0 looks up every line, --json --all shows which they are." in done.stdout
    assert "line 2: In 2019 the county bought" in done.stdout


def test_lines_are_counted_as_heard_and_captions_told_by_their_time(demo_folder):
    captions = f"WEBVTT\n\n01:02:03.000 --> 01:02:09.000\n<v QUISPE>Thank you. {NEW.text}\n"
    assert "line 2, 1:02:0" in run(demo_folder, "-", stdin=captions).stdout


def test_an_empty_collection_is_told_once(tmp_path):
    Collection.create(tmp_path, CollectionSettings(NO_ENCODER)).close()
    done = run(tmp_path, "-", stdin=f"{NEW.text}\n")
    assert done.stderr.count("nothing can be found; fill it with") == 1


def test_a_speech_of_ten_hours_is_scanned_to_its_end(demo):
    hours = [Line("MODERATOR", "Good evening."), NEW] * 3600
    heard = list(scanner(demo, RECIPES["bm25"], settings=Settings(least_worth=0.95)).scan(iter(hours)))
    assert (heard[-1].number, heard[-1].line) == (7200, NEW)


def test_only_earlier_leaves_out_fact_checks_of_that_day_and_later(demo_folder):
    ran = run(demo_folder, "-", "--json", "--said-on", "1990-01-01", "--only-earlier", stdin=f"LEE: {CLAIM.text}\n")
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["ranking"]["matches"] == []


def test_a_recipe_that_does_not_decide_says_neither_checked_nor_none(demo_folder):
    ran = run(demo_folder, "-", "--recipe", "bm25", stdin=f"LEE: {CLAIM.text}\n")
    assert ran.exit_code == 0
    assert "  Nearest fact-checks; this recipe does not decide.\n" in ran.stdout
    assert "1 line with the nearest fact-checks; this recipe does not decide." in ran.stdout


def test_a_recipe_of_which_match_decides_decides_here_too(demo_folder):
    ran = run(demo_folder, "-", "--recipe", "best", "--json", stdin=f"LEE: {CLAIM.text}\n")
    assert json.loads(ran.stdout)["ranking"]["decision"]["lane"] in set(Lane)


def test_what_is_only_worth_a_look_is_not_called_checked(demo_folder):
    ran = run(demo_folder, "-", stdin=f"LEE: {IN_DOUBT.text}\n")
    assert "Perhaps checked before: rated " in ran.stdout
    assert (ran.exit_code, "0 claims were checked before; 1 is worth a look" in ran.stdout) == (0, True)


def test_a_day_that_the_calendar_does_not_have_in_a_file_name_is_ignored_with_a_warning(demo_folder, tmp_path):
    path = tmp_path / "2016-02-31_x.txt"
    path.write_text(f"LEE: {CLAIM.text}\n")
    ran = run(demo_folder, str(path), "--json")
    assert "2016-02-31 in the file's name is no day of the calendar and is ignored" in ran.stderr
    assert json.loads(ran.stdout)["ranking"]["query"]["said_on"] == ""


def test_before_the_first_day_nothing_was_published(demo_folder):
    ran = run(demo_folder, "-", "--json", "--said-on", "0001-01-01", "--only-earlier", stdin=f"LEE: {CLAIM.text}\n")
    assert json.loads(ran.stdout)["ranking"]["matches"] == []


# --- Ctrl-C --------------------------------------------------------------------------------------------------------


def started(*arguments, **options):
    """The command as it is installed, in a process of its own."""
    code = "import sys; from twicetold_command import main; print('loading', file=sys.stderr, flush=True); main()"
    pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", code, *arguments], text=True, **pipes, **options)


def test_ctrl_c_while_the_program_loads_ends_it_without_a_word(demo_folder):
    process = started("--data", str(demo_folder), "scan", "-")
    process.stderr.readline()
    time.sleep(0.05)  # into the imports, which take some 0.3 s
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in told) == (130, False)


@pytest.mark.parametrize("shape", ["text", "html", "json"])
def test_ctrl_c_ends_a_live_speech_as_its_end_does(demo_folder, shape):
    process = started("--data", str(demo_folder), "scan", "-", "--format", shape, "--from", "tsv")
    process.stdin.write(f"1\tLEE\t{CLAIM.text}\n2\tLEE\t{NEW.text}\nbroken\n4\tLEE\tIn 2020 it bought 500 m")
    process.stdin.flush()
    while "wanted number, speaker and sentence" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told, remarks = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in remarks) == (130, False)
    assert "stopped; all that was heard before is answered" in remarks
    assert all(said in told for said in (CLAIM.text, NEW.text, "In 2020 it bought 500 m"))


def test_a_speech_without_times_is_refused_before_anything_is_written(demo_folder, tmp_path):
    path = tmp_path / "speech.txt"
    path.write_text(f"LEE: {CLAIM.text}\n")
    ran = run(demo_folder, str(path), "--format", "vtt")
    assert (ran.exit_code, ran.stdout, "no line has times" in ran.stderr) == (2, "", True)


def test_a_line_without_times_does_not_end_the_track(demo_folder):
    rows = [{"text": CLAIM.text, "start": 1, "end": 2}, {"text": "Thank you."}, {"text": NEW.text, "start": 3, "end": 4}]
    ran = run(demo_folder, "-", "--format", "srt", stdin="".join(json.dumps(row) + "\n" for row in rows))
    assert "line 2 has no times and is left out of the track: Thank you." in ran.stderr
    assert (CLAIM.text in ran.stdout, NEW.text in ran.stdout, "Thank you" in ran.stdout) == (True, True, False)


@pytest.mark.parametrize("options", [("--publisher", "Nobody"), ("--lang", "klingon"), ("--said-on", "1990-01-01", "--only-earlier")])
def test_with_filters_nothing_is_said_of_what_they_leave_out(demo_folder, options):
    told = run(demo_folder, "-", *options, stdin=f"LEE: {CLAIM.text}\n").stdout
    assert "1 has no fact-check among those that your filters leave, most worthy first:" in told
    assert "nobody has checked" not in told
    assert (
        "1 has no fact-check among those that your filters leave"
        in run(demo_folder, "-", *options, "--format", "html", stdin=CLAIM.text).stdout
    )


def test_a_long_line_is_clipped_in_the_queue(demo_folder):
    told = run(demo_folder, "-", "--from", "tsv", stdin=f"1\tLEE\tIn 2019 the county bought 14,312 umbrellas {'and more ' * 300}\n").stdout
    assert max(map(len, told.splitlines())) < 300


def test_a_long_queue_says_where_the_rest_is(demo_folder):
    many = "".join(f"LEE: In {year} the county bought 14,312 blue umbrellas.\n" for year in range(1960, 1990))
    told = run(demo_folder, "-", stdin=many).stdout
    assert "  … and 10 more; --json gives all, in the order heard and each with its worth" in told


def test_a_file_that_is_no_text_is_refused_in_one_line(demo_folder, tmp_path):
    path = tmp_path / "speech.txt"
    path.write_bytes(bytes(range(256)) * 200)
    ran = run(demo_folder, str(path))
    assert (ran.exit_code, ran.stderr) == (2, "twicetold: speech.txt is no text; wanted a transcript: tsv, dialogue, srt, vtt, json\n")


def test_of_many_lines_that_cannot_be_read_the_first_are_named_and_the_rest_counted(demo_folder):
    ran = run(demo_folder, "-", "--from", "tsv", stdin=f"1\tLEE\t{CLAIM.text}\n" + "broken\n" * 50)
    assert (ran.stderr.count("wanted number"), "standard input: … and 30 more that cannot be read" in ran.stderr) == (20, True)
