from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from screening import manifests, rows, start, wait_for

from bench.faults.screening import children, is_there
from twicetold.answer import RECIPES, Answerer, Asking
from twicetold.batch.copies import originals
from twicetold.batch.drive import Crewing, plan, screen
from twicetold.batch.ledger import DONE, RUN, Ledger, Manifest, Screening
from twicetold.batch.partitions import Columns, Partition, cut, find_files
from twicetold.batch.processes import work_here
from twicetold.batch.reading import Broken, read
from twicetold.batch.screener import Screener
from twicetold.batch.storage import Place
from twicetold.cli import main
from twicetold.errors import BadData, BadInput, Locked
from twicetold.types import Claim

ONE = Crewing(workers=1)


def screener(data, out, screening):
    partitions, provenance = plan([str(data[1])], str(data[0]), screening, 10_000)
    return Screener(data[0], str(out), screening, provenance), partitions


def screened(folder, posts, out, screening=None):
    """Screen in this process and return every row, by id."""
    one, partitions = screener((folder, posts), out, screening or Screening())
    for partition in partitions:
        one.run(partition)
    return rows(out)


def run_cli(folder, *arguments):
    return CliRunner().invoke(main, ["-q", "--data", str(folder), "screen", *map(str, arguments)])


@pytest.fixture
def posts(write_jsonl, demo_claims):
    return write_jsonl("posts.jsonl", [{"id": claim.id, "text": claim.text} for claim in demo_claims])


# --- answers -----------------------------------------------------------------------------------------------------------


def test_a_post_gets_the_answer_that_match_gives(demo, demo_folder, demo_claims, posts, tmp_path):
    found = screened(demo_folder, posts, tmp_path / "out")
    for ranking in Answerer(demo, RECIPES["best"], Asking(top=10, keys=0))(demo_claims):
        row = found[ranking.query.id]
        assert row["lane"] == ranking.decision.lane.value
        assert row["probability"] == pytest.approx(ranking.decision.probability, abs=1e-6)
        assert row["check"] == (ranking.matches[0].doc.id if ranking.matches else None)
        assert [match["check"] for match in row["matches"]] == [match.doc.id for match in ranking.matches[:3]]


@pytest.mark.parametrize("recipe", ["bm25", "dense", "hybrid"])
def test_a_recipe_without_a_decision_gives_the_ranking_of_match(recipe, demo, demo_folder, demo_claims, posts, tmp_path):
    found = screened(demo_folder, posts, tmp_path / "out", Screening(recipe=recipe, top=5))
    for ranking in Answerer(demo, RECIPES[recipe], Asking(top=10, keys=0))(demo_claims):
        row = found[ranking.query.id]
        assert (row["lane"], row["probability"]) == ("ranked" if ranking.matches else "no match", None)
        assert [match["check"] for match in row["matches"]] == [match.doc.id for match in ranking.matches[:5]]


def test_every_row_says_where_the_post_stood_and_what_answered_it(demo, demo_folder, posts, demo_claims, tmp_path):
    found = screened(demo_folder, posts, tmp_path / "out")
    assert [found[claim.id]["row"] for claim in demo_claims] == list(range(1, len(demo_claims) + 1))
    assert {row["file"] for row in found.values()} == {str(posts)}
    said = {(row["collection"], row["counter"], row["encoder"], row["recipe"], row["risk"]) for row in found.values()}
    assert said == {(demo.store.contents(), demo.store.change, demo.encoder.version, "best", 0.05)}


def test_parquet_csv_and_packed_files_give_the_answers_of_json_lines(demo_folder, demo_claims, posts, tmp_path):
    few = demo_claims[:6]
    folder = tmp_path / "posts"
    folder.mkdir()
    table = pa.table({"id": [claim.id for claim in few[:2]], "text": [claim.text for claim in few[:2]]})
    pq.write_table(table, folder / "a.parquet", row_group_size=1)
    with (folder / "b.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "text"], *([claim.id, claim.text] for claim in few[2:4])])
    lines = "".join(json.dumps({"id": claim.id, "text": claim.text}) + "\n" for claim in few[4:])
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (folder / "notes.md").write_text("not posts", encoding="utf-8")
    found = screened(demo_folder, folder, tmp_path / "out")
    plain = screened(demo_folder, posts, tmp_path / "plain")
    said = {id: (row["lane"], row["check"], row["probability"]) for id, row in found.items()}
    assert said == {claim.id: tuple(plain[claim.id][name] for name in ("lane", "check", "probability")) for claim in few}
    assert [found[claim.id]["row"] for claim in few] == [1, 2, 1, 2, 1, 2]


def test_a_file_that_is_named_twice_is_screened_once(posts):
    folder, file = Place(str(posts.parent)), Place(str(posts))
    assert [found.path for _, found in find_files([file, folder, file])] == [str(posts)]


# --- what is screened ----------------------------------------------------------------------------------------------------


def test_copies_of_a_post_get_its_answer_and_name_it(demo_folder, write_jsonl, tmp_path):
    text = "Eating raw garlic every single morning protects everybody in the whole family from catching the new coronavirus"
    texts = [text, "something else that nobody has ever checked", f"RT @ann: {text} https://t.co/x1", text.upper()]
    texts.append(text.replace("every single morning", "every single 3 mornings"))
    posts = write_jsonl("posts.jsonl", [{"id": str(at), "text": text} for at, text in enumerate(texts)])
    found = screened(demo_folder, posts, tmp_path / "out")
    assert [found[str(at)]["same_as"] for at in range(5)] == [None, None, 1, 1, None]
    assert {found[at]["check"] for at in "023"} == {found["0"]["check"]}
    assert [found[at]["text"] for at in "023"] == [texts[0], texts[2], texts[3]]


def test_posts_with_different_known_links_are_no_copies():
    assert originals(["a b c d", "a b c d", "a b c d"], [(1,), (), (1,)]) == [0, 1, 0]


def test_posts_that_the_filters_take_away_are_skipped_with_the_reason(demo_folder, write_jsonl, tmp_path):
    texts = {
        "de": "Der Bürgermeister hat gestern die alte Brücke am Fluss für immer schließen lassen, sagen die Leute.",
        "chat": "thank you all so much",
        "signs": "!!! :-)",
        "claim": "The new coronavirus has killed more than 9 million people since 2019, more than any flu.",
    }
    posts = write_jsonl("posts.jsonl", [{"id": id, "text": text} for id, text in texts.items()])
    found = screened(demo_folder, posts, tmp_path / "out", Screening(langs=("en",), worth=0.3))
    assert {id: row["why"] for id, row in found.items()} == {
        "de": "language: de",
        "chat": "not worth checking",
        "signs": "no words",
        "claim": None,
    }
    assert [id for id, row in found.items() if row["lane"] != "skipped"] == ["claim"]


def test_the_quick_look_finds_nearly_all_that_words_over_whole_articles_find(demo_folder, demo_gold, posts, tmp_path):
    found = screened(demo_folder, posts, tmp_path / "out", Screening(recipe="quick"))
    assert {row["lane"] for row in found.values()} == {"ranked"}
    by_words = screened(demo_folder, posts, tmp_path / "words", Screening(recipe="bm25"))
    right, right_by_words = (sum(rows[id]["check"] in gold for id, gold in demo_gold.items()) for rows in (found, by_words))
    assert right >= 0.9 * right_by_words


def test_posts_far_from_everything_are_skipped_unless_they_name_a_known_link(demo, demo_folder, write_jsonl, tmp_path):
    url = next(check.url for check in demo.store if check.url)
    texts = {"far": "my cat has just knocked over the flowers again", "link": f"wow look at this {url}"}
    texts["near"] = "Eating garlic protects you from the coronavirus"
    posts = write_jsonl("posts.jsonl", [{"id": id, "text": text} for id, text in texts.items()])
    found = screened(demo_folder, posts, tmp_path / "out", Screening(near=0.25))
    assert {id: row["lane"] == "skipped" for id, row in found.items()} == {"far": True, "link": False, "near": False}
    assert found["far"]["why"].startswith("far: 0.")


# --- bad input -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(
        b'{"id": "a", "text": "garlic cures the coronavirus"}\n{"id": "b", "te\n{"id": "c"}\n\xff\xfe\n{"id": "d", "text": "x y"}\n'
    )
    return path


def test_a_broken_record_ends_the_run_with_its_file_and_row(demo_folder, broken, tmp_path):
    answer = run_cli(demo_folder, broken, "--out", tmp_path / "out", "--workers", 1)
    assert answer.exit_code == 3
    assert f"{broken}, row 2: not JSON" in answer.stderr
    assert "--skip-broken" in answer.stderr


def test_broken_records_are_counted_and_named_when_they_may_be_skipped(demo_folder, broken, tmp_path):
    answer = run_cli(demo_folder, broken, "--out", tmp_path / "out", "--workers", 1, "--skip-broken", "--json")
    summary = json.loads(answer.stdout)
    assert (summary["posts"], summary["skipped"]) == (5, {"broken": 3})
    assert [name.partition(":")[0] for name in summary["broken"]] == [f"{broken}, row {row}" for row in (2, 3, 4)]
    said = {row["row"]: row["why"] for row in rows(tmp_path / "out").values() if row["lane"] == "skipped"}
    assert {row: why.partition(" (")[0] for row, why in said.items()} == {
        2: "broken: not JSON",
        3: "broken: no text: wanted a field text, content or tweet, found ['id']",
        4: "broken: not UTF-8",
    }


def test_a_table_without_a_column_of_texts_is_refused_before_anything_is_written(demo_folder, tmp_path):
    pq.write_table(pa.table({"id": ["1"], "words": ["garlic cures the coronavirus"]}), tmp_path / "posts.parquet")
    answer = run_cli(demo_folder, tmp_path / "posts.parquet", "--out", tmp_path / "out")
    assert answer.exit_code == 2
    assert "has the columns id, words; wanted a column of texts" in answer.stderr
    assert not (tmp_path / "out").exists()


def test_a_column_of_texts_can_be_named(demo_folder, tmp_path):
    table = pa.table({"nr": [7], "words": ["Eating garlic protects you from the coronavirus"], "tongue": ["en"]})
    pq.write_table(table, tmp_path / "posts.parquet")
    found = screened(demo_folder, tmp_path / "posts.parquet", tmp_path / "out", Screening(columns=Columns("words", "nr", "tongue")))
    assert (found["7"]["text"], found["7"]["lang"]) == ("Eating garlic protects you from the coronavirus", "en")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: None, "0 files, none of them Parquet"),
        (lambda folder: (folder / "a.txt").write_text("x", encoding="utf-8"), "1 files, none of them Parquet"),
        (lambda folder: (folder / "a.jsonl").write_text("", encoding="utf-8"), "the files are empty"),
        (lambda folder: (folder / "a.parquet").write_text("no", encoding="utf-8"), "cannot be read as Parquet"),
    ],
)
def test_a_folder_without_posts_is_refused(demo_folder, tmp_path, make, said):
    folder = tmp_path / "posts"
    folder.mkdir()
    make(folder)
    answer = run_cli(demo_folder, folder, "--out", tmp_path / "out")
    assert answer.exit_code in (2, 3)
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_an_output_that_cannot_be_written_is_refused(demo_folder, posts, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = run_cli(demo_folder, posts, "--out", tmp_path / "file" / "out")
    assert answer.exit_code == 3
    assert "cannot write to" in answer.stderr


def test_an_output_with_other_files_in_it_is_refused(demo_folder, posts, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.doc").write_text("", encoding="utf-8")
    answer = run_cli(demo_folder, posts, "--out", tmp_path / "out")
    assert answer.exit_code == 2
    assert "is not empty (it holds thesis.doc)" in answer.stderr


def begun(folder, posts, out, screening, rows=1000):
    """Begin a run and return its ledger and its partitions; nothing of it is done."""
    partitions, provenance = plan([str(posts)], str(folder), screening, rows)
    ledger = Ledger(Place(str(out)))
    ledger.begin(screening, provenance, partitions)
    return ledger, partitions


def test_an_output_of_another_run_is_refused(demo_folder, posts, tmp_path):
    out = str(tmp_path / "out")
    ledger, [partition] = begun(demo_folder, posts, out, Screening())
    ledger.commit(partition, {}, Manifest(0, {}, {}))
    with pytest.raises(BadInput, match=r"another run \(other risk\)"):
        screen([str(posts)], out, str(demo_folder), Screening(risk=0.2), Crewing(1, rows=1000))
    with pytest.raises(BadInput, match=r"another run \(other recipe, top\)"):
        screen([str(posts)], out, str(demo_folder), Screening(recipe="bm25", top=5), Crewing(1, rows=1000))
    posts.write_text(posts.read_text(encoding="utf-8") + '{"id": "new", "text": "one more"}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"another run \(other partitions\)"):
        screen([str(posts)], out, str(demo_folder), Screening(), Crewing(1, rows=1000))


def test_a_run_of_which_nothing_is_done_gives_way_to_another(demo_folder, write_jsonl, tmp_path):
    posts = write_jsonl("few.jsonl", [{"id": str(at), "text": "garlic cures the coronavirus"} for at in range(4)])
    ledger, partitions = begun(demo_folder, posts, tmp_path / "out", Screening(recipe="bm25"), rows=1)
    ledger.out.write(f"lane=ranked/{partitions[-1].name}.parquet", b"left by a worker that was killed")
    summary = screen([str(posts)], str(tmp_path / "out"), str(demo_folder), Screening(recipe="bm25", top=1), Crewing(1, rows=2))
    assert (summary["partitions"], summary["posts"]) == (2, 4)
    assert sorted(rows(tmp_path / "out")) == ["0", "1", "2", "3"]
    assert json.loads((tmp_path / "out" / RUN).read_text(encoding="utf-8"))["screening"]["top"] == 1


def test_a_run_that_stopped_at_a_broken_record_goes_on_without_it(demo_folder, write_jsonl, tmp_path):
    whole = write_jsonl("a.jsonl", [{"id": "a", "text": "garlic cures the coronavirus"}])
    (tmp_path / "b.jsonl").write_text('{"id": "b", "te\n', encoding="utf-8")
    asked = (whole, tmp_path / "b.jsonl", "--out", tmp_path / "out", "--recipe", "bm25", "--workers", 1, "--json")
    assert run_cli(demo_folder, *asked).exit_code == 3
    done = manifests(tmp_path / "out")
    summary = json.loads(run_cli(demo_folder, *asked, "--skip-broken").stdout)
    assert (summary["partitions_done_before"], summary["posts"], summary["skipped"]) == (1, 2, {"broken": 1})
    assert {name: manifests(tmp_path / "out")[name] for name in done} == done, "a finished partition was done again"


def test_two_drivers_cannot_write_to_one_output(demo_folder, posts, tmp_path):
    ledger = Ledger(Place(str(tmp_path / "out")))
    with ledger.held(), pytest.raises(Locked, match="another screening is writing"):
        screen([str(posts)], str(tmp_path / "out"), str(demo_folder), Screening(), ONE)


def test_a_worker_with_another_collection_than_the_drivers_refuses(demo_folder, posts, tmp_path):
    import dataclasses

    _, provenance = plan([str(posts)], str(demo_folder), Screening(), 1000)
    with pytest.raises(BadData, match="not the one this run began with"):
        Screener(demo_folder, str(tmp_path / "out"), Screening(), dataclasses.replace(provenance, counter=99))


# --- cutting -------------------------------------------------------------------------------------------------------------

words = st.text(st.characters(blacklist_categories=("Cs", "Cc"), whitelist_characters='\n"'), min_size=1).filter(str.strip)


@given(texts=st.lists(words, min_size=1, max_size=12), size=st.integers(1, 5))
def test_every_record_of_a_table_is_in_one_partition_with_its_row(tmp_path_factory, texts, size):
    folder = tmp_path_factory.mktemp("cut")
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([["id", "text"], *([f"n{at}", text] for at, text in enumerate(texts, start=1))])
    (folder / "a.csv").write_text(buffer.getvalue(), encoding="utf-8", newline="")
    (folder / "b.jsonl").write_text(
        "".join(json.dumps({"id": f"n{at}", "text": text}) + "\n" for at, text in enumerate(texts, start=1)), encoding="utf-8"
    )
    pq.write_table(pa.table({"id": [f"n{at}" for at in range(1, len(texts) + 1)], "text": texts}), folder / "c.parquet", row_group_size=2)
    partitions = list(cut(find_files([Place(str(folder))]), rows=size))
    assert max(partition.rows for partition in partitions) <= size
    seen = [(partition.path[-1], found.row, found.post) for partition in partitions for found in read(partition, Columns())]
    assert [(row, post.id, post.text) for _, row, post in seen] == [
        (at, f"n{at}", text.strip()) for _ in range(3) for at, text in enumerate(texts, start=1)
    ]


def test_a_line_too_long_for_a_post_is_broken(write_jsonl):
    path = write_jsonl("a.jsonl", [{"id": "a", "text": "word " * 5000}])
    [partition] = cut(find_files([Place(str(path))]), rows=10)
    [found] = read(partition, Columns())
    assert isinstance(found, Broken)
    assert "24,999 characters" in found.reason


def test_a_bucket_is_written_and_read_like_a_folder():
    place = Place("memory://bucket/answers")
    place.write("lane=matched/part-000000.parquet", b"abc")
    assert place.read("lane=matched/part-000000.parquet") == b"abc"
    assert list(place.names("lane=matched")) == [("part-000000.parquet", 3)]
    assert place.read("lane=matched/part-000001.parquet") is None
    place.remove("lane=matched/part-000000.parquet")
    place.remove("lane=matched/part-000000.parquet")
    assert list(place.names("lane=matched")) == []


# --- crashes -------------------------------------------------------------------------------------------------------------


def answers(out):
    """What is said of each post, but for the last bits of its numbers: sums over sets of words are taken in any order."""
    return {id: {name: round(value, 9) if isinstance(value, float) else str(value) for name, value in row.items() if name != "matches"}
            for id, row in rows(out).items()}  # fmt: skip


_DRIVER_GONE = """
import os
from multiprocessing import Pipe
from types import SimpleNamespace
from twicetold.batch.processes import _serve
ours, theirs = Pipe()
ours.send(SimpleNamespace(number=0))
screener = SimpleNamespace(run=lambda partition, heartbeat: ours.close())
_serve(lambda: screener, theirs, os.getppid())
"""


def test_a_worker_whose_driver_was_killed_ends_without_a_word():
    run = subprocess.run([sys.executable, "-c", _DRIVER_GONE], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_killed_worker_is_replaced_and_a_killed_driver_is_resumed(demo_folder, posts, tmp_path):
    out = tmp_path / "out"
    process = start(demo_folder, posts, out, "--workers", "1")
    wait_for(lambda: len(manifests(out)) >= 1, process)
    [worker] = children(process.pid)
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: any(pid != worker for pid in children(process.pid)), process)
    before = len(manifests(out))
    wait_for(lambda: len(manifests(out)) > before, process)
    [worker] = children(process.pid)
    process.kill()
    process.communicate()
    end = time.monotonic() + 60
    while is_there(worker):
        assert time.monotonic() < end, "the worker outlived its driver"
        time.sleep(0.05)
    done = manifests(out)
    assert 2 <= len(done) < 16
    assert not (out / "_screen" / "summary.json").exists()
    summary = json.loads(run_cli(demo_folder, posts, "--out", out, "--workers", 1, "--rows", 8, "--json").stdout)
    assert (summary["posts"], summary["partitions"], summary["partitions_done_before"]) == (121, 16, len(done))
    assert {name: manifests(out)[name] for name in done} == done, "a finished partition was done again"
    screened(demo_folder, posts, tmp_path / "clean")
    assert answers(out) == answers(tmp_path / "clean")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_partition_that_kills_three_workers_in_turn_is_given_up_with_its_place():
    [partition] = [Partition(0, "/posts", "/posts/a.jsonl", "jsonl", 501, 100)]
    with pytest.raises(BadData, match=r"3 workers in turn died on /posts/a\.jsonl, rows from 501 \(the last with exit code -9\)"):
        list(work_here(die, [partition], workers=1))


def test_what_a_crash_left_half_written_is_done_anew(demo_folder, write_jsonl, demo_claims, tmp_path):
    posts = write_jsonl("few.jsonl", [{"id": claim.id, "text": claim.text} for claim in demo_claims[:6]])
    out = tmp_path / "out"
    screening, crewing = Screening(recipe="bm25"), Crewing(1, rows=2)
    screen([str(posts)], str(out), str(demo_folder), screening, crewing)
    whole = answers(out)
    [torn] = (out / "lane=ranked").glob("part-000000.parquet")
    torn.write_bytes(torn.read_bytes()[:-20])
    (out / DONE / "part-000001.json").write_text('{"number": 1, "fi', encoding="utf-8")
    (out / DONE / "part-000002.json").unlink()
    (out / "lane=skipped").mkdir()
    (out / "lane=skipped" / "part-000002.parquet").write_bytes(b"left by a worker that was killed")
    summary = screen([str(posts)], str(out), str(demo_folder), screening, crewing)
    assert (summary["partitions_done_before"], summary["posts"]) == (0, 6)
    assert answers(out) == whole


def test_a_finished_run_started_again_does_nothing(demo_folder, write_jsonl, tmp_path):
    posts = write_jsonl("few.jsonl", [{"id": "a", "text": "garlic cures the coronavirus"}])
    first, again = (screen([str(posts)], str(tmp_path / "out"), str(demo_folder), Screening(recipe="bm25"), ONE) for _ in range(2))
    assert (again["partitions_done_before"], again["lanes"]) == (1, first["lanes"])
    record = json.loads((tmp_path / "out" / RUN).read_text(encoding="utf-8"))
    assert record["screening"]["recipe"] == "bm25"


def test_progress_tells_the_pace_and_the_end():
    from twicetold.batch.drive import State
    from twicetold.cli.screen import _line

    state = State(done=3_000, posts=10_000, partitions=1, of_partitions=4, seconds=20.0, fresh=2_000)
    assert state.left == 20 * 7_000 / 2_000
    assert _line(state).startswith("screened 3,000 of 10,000 posts, partition 1 of 4, 100 a second, done at ")
    assert _line(state).endswith("(in 70 s)")


def test_equal_texts_are_asked_once_and_answered_for_each(demo_folder, tmp_path, write_jsonl):
    posts = write_jsonl("posts.jsonl", [{"id": str(at), "text": "Garlic cures the coronavirus"} for at in range(5)])
    one, [partition] = screener((demo_folder, posts), tmp_path / "out", Screening(recipe="bm25"))
    manifest = one.run(partition)
    assert (manifest.copies, manifest.posts) == (4, 5)
    assert Counter(row["check"] for row in rows(tmp_path / "out").values()).most_common(1)[0][1] == 5


def test_claims_and_posts_are_the_same_to_the_search(demo, demo_folder, tmp_path, write_jsonl):
    """A post's language, when the file gives it, is taken as `match` takes a claim's."""
    posts = write_jsonl("posts.jsonl", [{"id": "a", "text": "El ajo cura el coronavirus", "lang": "es"}])
    found = screened(demo_folder, posts, tmp_path / "out", Screening(recipe="hybrid"))
    [ranking] = Answerer(demo, RECIPES["hybrid"], Asking(top=10, keys=0))([Claim("a", "El ajo cura el coronavirus", lang="es")])
    assert found["a"]["score"] == pytest.approx(ranking.matches[0].score, abs=1e-6)
