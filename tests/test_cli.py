from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twicetold.cli import main
from twicetold.types import FactCheck, Ranking, from_json, to_json

GARLIC = "Eating raw garlic prevents or cures infection with the coronavirus"


@pytest.fixture
def run(demo_folder):
    def run(*arguments: str, data=demo_folder, stdin: str | bytes | None = None):
        return CliRunner().invoke(main, ["--data", str(data), *arguments], input=stdin, catch_exceptions=False)

    return run


def first_ids(answer) -> list[str]:
    return [json.loads(line)["matches"][0]["doc"]["id"] for line in answer.stdout.splitlines()]


# --- match


def test_a_claim_as_an_argument_is_answered_with_rating_publisher_date_sentence_and_link(run):
    answer = run("match", GARLIC, "--top", "1")
    assert answer.exit_code == 0
    for part in ("False", "Demo Health Desk (demo)", "2020-03-06", "demo-health-garlic-covid", "*garlic*", "https://www.who.int/"):
        assert part in answer.stdout


@pytest.mark.parametrize("way", ["argument", "file", "stdin", "dash", "jsonl", "null", "ranking"])
def test_claims_come_in_every_way_and_get_the_same_answer(run, tmp_path, way):
    file = tmp_path / "claims.txt"
    file.write_text(GARLIC + "\n", encoding="utf-8")
    answer = {
        "argument": lambda: run("match", GARLIC, "--json"),
        "file": lambda: run("match", str(file), "--json"),
        "stdin": lambda: run("match", "--json", stdin=GARLIC),
        "dash": lambda: run("match", "-", "--json", stdin=GARLIC),
        "jsonl": lambda: run("match", "--json", stdin=json.dumps({"id": 7, "text": GARLIC})),
        "null": lambda: run("match", "-0", "--json", stdin=GARLIC.replace(" ", "\n", 1) + "\0"),
        "ranking": lambda: run("match", "--json", stdin=run("match", GARLIC, "--json").stdout),
    }[way]()
    assert answer.exit_code == 0
    assert first_ids(answer) == ["demo-health-garlic-covid"]


def test_json_is_a_ranking_with_every_signal_on_one_line(run):
    [line] = run("match", GARLIC, "--json", "--top", "2").stdout.splitlines()
    ranking = from_json(Ranking, json.loads(line))
    assert json.loads(line)["schema"] == 2
    assert len(ranking.matches) == 2
    assert {"bm25.claim", "dense.title"} <= set(ranking.matches[0].signals)


def test_several_claims_are_answered_in_order(run):
    answer = run("match", "--json", "--top", "1", stdin=f"{GARLIC}\n\nThe moon landing was filmed in a studio\n")
    assert first_ids(answer) == ["demo-health-garlic-covid", "demo-hoax-moon-landing-faked"]


def test_nothing_found_says_so_and_exits_one(run):
    answer = run("match", "🎉🎉🎉")
    assert answer.exit_code == 1
    assert "Nothing found in 124 fact-checks" in answer.stdout


@pytest.mark.parametrize("recipe", ["bm25", "dense", "hybrid"])
def test_recipes_can_be_chosen(run, recipe):
    assert first_ids(run("match", GARLIC, "--json", "--recipe", recipe)) == ["demo-health-garlic-covid"]


def test_filters_can_be_given_and_a_list_of_trusted_publishers(run, tmp_path):
    trusted = tmp_path / "trusted.txt"
    trusted.write_text("# mine\nDemo Climate Desk (demo)\n")
    answer = run("match", "vaccines", "--json", "--publishers", str(trusted), "--after", "2017", "--before", "2022-06")
    matches = from_json(Ranking, json.loads(answer.stdout)).matches
    assert matches
    assert {match.doc.publisher for match in matches} == {"Demo Climate Desk (demo)"}
    assert all("2017" <= match.doc.published <= "2022-06-30" for match in matches)


@pytest.mark.parametrize(
    ("arguments", "stdin", "said", "code"),
    [
        (["match", ""], None, "the claim is empty", 2),
        (["match"], "x" * 1_000_000, "1,000,000 characters; a claim has at most 20,000", 2),
        (["match"], b"fine\n\xff\xfe broken\n", "standard input, line 2: not UTF-8", 2),
        (["match"], "a\0b", "holds a NUL character; with -0", 2),
        (["match"], '{"text": 7}', 'wanted words in "text", found 7', 2),
        (["match"], '{"text": null}', 'wanted words in "text", found null', 2),
        (["match"], '{"claim": "x"}', 'wanted {"id": …, "text": …}, found the fields [\'claim\']', 2),
        (["match"], '{"text": "x"', "starts like JSON but is not", 2),
        (["match", "."], None, "is a folder; name a file", 2),
        (["match", "x", "--after", "tomorrow"], None, "--after wants a date such as 2020-05-17", 2),
        (["match", "x", "--publishers", "/nowhere/list"], None, "cannot read the list of publishers", 2),
        (["show", "nobody"], None, "no fact-check has the id 'nobody'", 2),
        (["judge", "x", "nobody", "yes"], None, "no fact-check has the id 'nobody'", 2),
        (["index", "--encoder", "none"], None, "goes with --rebuild", 2),
    ],
)
def test_bad_input_gets_one_line_that_says_what_to_do(run, arguments, stdin, said, code):
    answer = run(*arguments, stdin=stdin)
    assert answer.exit_code == code
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_broken_claims_are_skipped_only_when_asked_and_named(run):
    answer = run("match", "--json", "--skip-broken", stdin=b"\xff\xff\n" + GARLIC.encode())
    assert answer.exit_code == 0
    assert first_ids(answer) == ["demo-health-garlic-covid"]
    assert "skipped: standard input, line 1" in answer.stderr


def test_an_empty_collection_is_not_taken_for_the_answer_that_nothing_was_checked(run, tmp_path):
    from twicetold.collection import Collection, Settings
    from twicetold.index.encoder import NO_ENCODER

    Collection.create(tmp_path, Settings(encoder=NO_ENCODER)).close()
    answer = run("match", GARLIC, data=tmp_path)
    assert answer.exit_code == 1
    assert (
        answer.stderr
        == f"the collection in {tmp_path} is empty, nothing can be found; fill it with: twicetold --data {tmp_path} ingest SOURCE\n"
    )


def test_a_source_that_is_not_there_is_refused_before_anything_is_made_or_read(run, tmp_path):
    there = tmp_path / "checks.jsonl"
    there.write_text(json.dumps({"id": "a", "claim": GARLIC}) + "\n")
    answer = run("ingest", str(there), str(tmp_path / "lost.csv"), data=tmp_path / "new")
    assert answer.exit_code == 2
    assert "there is no file or folder" in answer.output
    assert not (tmp_path / "new").exists()


def test_no_collection_yet_says_how_to_make_one(run, tmp_path):
    answer = run("match", "x", data=tmp_path / "none")
    assert answer.exit_code == 3
    assert "ingest SOURCE" in answer.stderr
    assert not (tmp_path / "none").exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(max_size=300) | st.binary(max_size=200))
def test_no_input_brings_match_down(run, text):
    answer = run("match", "--json", "--skip-broken", "--recipe", "bm25", stdin=text)
    assert answer.exit_code in (0, 1)
    for line in answer.stdout.splitlines():
        from_json(Ranking, json.loads(line))


# --- filling a collection


def test_ingesting_twice_changes_nothing_and_a_changed_record_is_updated(run, tmp_path, write_jsonl):
    records = [{"id": "a", "claim": "Garlic cures the flu", "rating": "False"}, {"id": "b", "claim": "The moon is made of cheese"}]
    data = tmp_path / "c"
    assert "2 added, 0 changed, 0 unchanged" in run("ingest", str(write_jsonl("c.jsonl", records)), data=data).stdout
    assert "0 added, 0 changed, 2 unchanged" in run("ingest", str(write_jsonl("c.jsonl", records)), data=data).stdout
    records[0]["rating"] = "True"
    assert "0 added, 1 changed, 1 unchanged" in run("ingest", str(write_jsonl("c.jsonl", records)), data=data).stdout
    assert json.loads(run("show", "a", "--json", data=data).stdout)["verdict"] == "true"


def test_a_removed_fact_check_is_not_found_again(run, tmp_path, write_jsonl):
    data = tmp_path / "c"
    run("ingest", str(write_jsonl("c.jsonl", [{"id": "a", "claim": "Garlic cures the flu"}])), data=data)
    assert "1 of 2 removed" in run("remove", "-", data=data, stdin="a\nz\n").stdout
    assert run("match", "garlic", data=data).exit_code == 1
    assert run("remove", "a", data=data).exit_code == 1


def test_a_broken_record_stops_the_import_with_its_place_unless_told_to_skip(run, tmp_path):
    data, source = tmp_path / "c", tmp_path / "checks.jsonl"
    source.write_text('{"id": "a", "claim": "Garlic cures the flu"}\n{"id": "b", "claim": \n{"id": "c", "claim": "Onions too"}\n')
    answer = run("ingest", str(source), data=data)
    assert answer.exit_code == 3
    assert "line 2" in answer.stderr
    answer = run("ingest", "--skip-broken", str(source), data=data)
    assert answer.exit_code == 0
    assert "1 records left out, 2 read" in answer.stderr
    assert json.loads(run("stats", "--json", data=data).stdout)["fact_checks"] == 2


def test_what_came_before_a_broken_record_is_kept_to_the_last_record_and_counted(run, tmp_path):
    source = tmp_path / "checks.jsonl"
    source.write_text("".join(f'{{"id": "r{at}", "claim": "Town {at} has no river."}}\n' for at in range(3_000)) + '{"id": "r3000", "cla')
    data = tmp_path / "collection"
    stopped = run("ingest", "--encoder", "none", "--json", str(source), data=data)
    assert stopped.exit_code == 3
    assert "line 3001: " in stopped.stderr
    assert f"the 3,000 records before it are kept; index what is kept with: twicetold --data {data} index" in stopped.stderr
    assert json.loads(stopped.stdout.splitlines()[-1])["added"] == 3_000
    assert json.loads(run("stats", "--json", data=data).stdout)["fact_checks"] == 3_000


def test_a_list_cut_off_in_its_third_record_gives_the_two_before_it(run, tmp_path):
    source = tmp_path / "checks.json"
    source.write_text('[{"id": "a", "claim": "Frogs rained."}, {"id": "b", "claim": "It hailed toads."}, {"id": "c", "claim": "Fish')
    stopped = run("ingest", "--encoder", "none", str(source), data=tmp_path / "collection")
    assert stopped.exit_code == 3
    assert "record 3: is cut off" in stopped.stderr
    assert "the 2 records before it are kept" in stopped.stderr
    assert json.loads(run("stats", "--json", data=tmp_path / "collection").stdout)["fact_checks"] == 2


def test_of_several_sources_those_before_the_broken_record_are_kept_too(run, tmp_path, write_jsonl):
    good = write_jsonl("good.jsonl", [{"id": "a", "claim": "Frogs rained."}])
    (tmp_path / "bad.jsonl").write_text('{"id": "b", "cl')
    stopped = run("ingest", "--encoder", "none", str(good), str(tmp_path / "bad.jsonl"), data=tmp_path / "collection")
    assert "the record before it is kept" in stopped.stderr


@pytest.mark.parametrize("form", ["claimreview", "jsonl", "csv"])
def test_what_is_exported_can_be_ingested_and_found_again(run, tmp_path, form):
    exported = run("export", "--format", form, "--publisher", "Demo Climate Desk (demo)")
    source = tmp_path / f"out.{ {'claimreview': 'json'}.get(form, form) }"
    source.write_bytes(exported.stdout_bytes)
    data = tmp_path / "c"
    assert run("ingest", "--encoder", "none", str(source), data=data).exit_code == 0
    before = [json.loads(line) for line in run("export", "--publisher", "Demo Climate Desk (demo)").stdout.splitlines()]
    after = [json.loads(line) for line in run("export", data=data).stdout.splitlines()]
    shared = ("claim", "title", "rating", "verdict", "url", "published", "lang")
    assert [{k: r[k] for k in shared} for r in after] == [{k: r[k] for k in shared} for r in before]


def test_judgements_come_out_as_qrels(run, tmp_path, write_jsonl):
    data = tmp_path / "c"
    run("ingest", "--encoder", "none", str(write_jsonl("c.jsonl", [{"id": "a", "claim": "x y"}, {"id": "b", "claim": "z"}])), data=data)
    run("judge", "the claim", "a", "yes", "--annotator", "ann", data=data)
    run("judge", "the claim", "b", "no", "--annotator", "ann", data=data)
    answer = run("judge", "--export", data=data)
    assert answer.stdout.splitlines() == ["judged-1 ann a 1", "judged-1 ann b 0"]
    assert json.loads(answer.stderr) == {"id": "judged-1", "text": "the claim"}


def test_rebuilding_without_an_encoder_leaves_words_only(run, tmp_path, write_jsonl):
    data = tmp_path / "c"
    run("ingest", str(write_jsonl("c.jsonl", [{"id": "a", "claim": "Garlic cures the flu"}])), data=data)
    assert run("index", "--rebuild", "--encoder", "none", data=data).exit_code == 0
    assert json.loads(run("stats", "--json", data=data).stdout)["encoder"] == "none"
    assert run("match", "allium", data=data).exit_code == 1


def test_a_fact_check_is_shown_in_full(run):
    answer = run("show", "demo-health-garlic-covid")
    check = from_json(FactCheck, json.loads(run("show", "demo-health-garlic-covid", "--json").stdout))
    assert check.body in answer.stdout
    assert to_json(check)["kind"] == "fact-check"


def test_an_interrupted_reader_ends_it_quietly(demo_folder):
    command = f"yes '{GARLIC}' | head -2000 | {sys.executable} -m twicetold.cli --data {demo_folder} match --recipe bm25 --json | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=120, env=os.environ | {"PYTHONWARNINGS": "ignore"}
    )
    assert json.loads(done.stdout)["matches"]
    assert "Traceback" not in done.stderr


def test_every_verb_helps_with_two_examples(run):
    verbs = main.list_commands(None)
    for verb in verbs:
        text = run(verb, "--help").stdout
        assert "Examples:" in text, f"{verb} shows no examples"
        assert text.partition("Examples:")[2].count("twicetold ") >= 2, f"{verb} shows fewer than two examples"


# --- mistakes that once passed for answers


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["match", "garlic", "--after", "2020-13-45"], None, "--after wants a date such as 2020-05-17"),
        (["match", "nofile.txt"], None, "there is no file nofile.txt"),
        (["match"], b"", "no claim came in"),
        (["match", "bad \udcff bytes"], None, "not UTF-8"),
        (["judge", " ", "demo-health-garlic-covid", "yes"], None, "the claim is empty"),
    ],
)
def test_what_cannot_be_asked_is_named_in_one_line(run, arguments, stdin, said):
    answer = run(*arguments, stdin=stdin)
    assert answer.exit_code == 2
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_an_encoder_that_cannot_be_opened_is_refused_before_anything_is_written(run, tmp_path):
    table = tmp_path / "checks.csv"
    table.write_text("id,claim\n1,Carrots improve night vision\n", encoding="utf-8")
    answer = run("ingest", str(table), "--encoder", str(tmp_path / "nope"), data=tmp_path / "data")
    assert answer.exit_code == 3
    assert not (tmp_path / "data").exists()


def test_where_filters_leave_nothing_it_is_not_called_unchecked(run):
    answer = run("match", GARLIC, "--publisher", "Nobody")
    assert answer.exit_code == 1
    assert "No fact-check passes the filters" in answer.stdout
    assert "not been checked" not in answer.stdout


def test_a_file_that_cannot_be_written_is_one_line_and_no_traceback(run, tmp_path):
    answer = run("eval", "bm25", "--corpus", "x", "--save", str(tmp_path / "no" / "folder" / "x.jsonl"))
    assert answer.exit_code in (2, 3)
    assert "Traceback" not in answer.stderr


def test_the_reasons_are_told_in_words_and_the_numbers_kept_for_json(run):
    told = run("match", GARLIC, "--top", "1", "--all").stdout
    assert re.search("why: .*It says nearly the same. It shares the words? (?:“[^”]+”, )*“garlic”", told)
    assert "dense.claim" not in told
    first = json.loads(run("match", GARLIC, "--json").stdout)["matches"][0]
    assert {"meaning", "words"} <= {reason["kind"] for reason in first["reasons"]}
    assert first["signals"]["dense.claim"] > 0.5


def test_quiet_still_warns_of_records_that_cannot_be_found_yet(run, tmp_path, write_jsonl):
    few = write_jsonl("few.jsonl", [{"id": "a", "claim": GARLIC}])
    many = write_jsonl("many.jsonl", [{"id": str(at), "claim": f"Claim number {at} is about something else"} for at in range(300)])
    run("-q", "ingest", str(few), "--encoder", "none", data=tmp_path / "c")
    run("-q", "ingest", str(many), "--no-index", data=tmp_path / "c")
    answer = run("-q", "match", GARLIC, "--json", data=tmp_path / "c")
    assert first_ids(answer) == ["a"]
    advice = f"unless another process is indexing, run: twicetold --data {tmp_path}/c index"
    assert answer.stderr == f"300 records are not indexed yet and cannot be found; {advice}\n"


def test_records_whose_meanings_wait_are_not_said_to_be_lost_to_search(run, tmp_path):
    from twicetold.collection import Collection

    def end_after_the_words(what: str, done: int, total: int) -> None:
        if what == "indexing words" and done == total:
            raise KeyboardInterrupt

    with Collection.create(tmp_path) as collection:
        list(collection.add(FactCheck(f"d{at}", claim=f"Claim number {at} is about topic {at}") for at in range(300)))
        with pytest.raises(KeyboardInterrupt):
            collection.index(end_after_the_words)
    answer = run("match", "claim number 7 is about topic 7", "--recipe", "bm25", "--json", data=tmp_path)
    assert first_ids(answer)[0] == "d7"
    advice = f"unless another process is indexing, run: twicetold --data {tmp_path} index"
    assert answer.stderr == f"300 records are found by their words alone until their meanings are indexed too; {advice}\n"


def test_a_date_without_a_day_is_left_empty_and_the_user_told_why(run, tmp_path, write_jsonl):
    source = write_jsonl("checks.jsonl", [{"id": "a", "claim": GARLIC, "published": "2021-03"}])
    answer = run("ingest", str(source), "--encoder", "none", data=tmp_path / "c")
    said = f"{source}: 1 date could not be read and was left empty: 2021-03 (wanted a year, a month and a day); the original is kept.\n"
    assert answer.stderr == said
    assert "Source's published: 2021-03" in run("show", "a", data=tmp_path / "c").stdout


def test_export_writes_what_is_not_indexed_yet_without_a_warning(run, tmp_path, write_jsonl):
    many = write_jsonl("many.jsonl", [{"id": str(at), "claim": f"Claim number {at} is about something else"} for at in range(300)])
    run("-q", "ingest", str(many), "--encoder", "none", "--no-index", data=tmp_path / "c")
    answer = run("export", data=tmp_path / "c")
    assert (len(answer.stdout.splitlines()), answer.stderr) == (300, "")
