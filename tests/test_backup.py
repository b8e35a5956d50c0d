"""A copy that is whole, of one moment, and taken while others work."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time

import pytest
from click.testing import CliRunner
from serving import finished, serving

from twicetold.answer import RECIPES
from twicetold.backup import back_up
from twicetold.cli import main
from twicetold.collection import Collection, Settings
from twicetold.errors import BadData, Locked, NoCollection
from twicetold.index.encoder import NO_ENCODER
from twicetold.posts import Posts
from twicetold.serve.jobs import Jobs
from twicetold.serve.keys import Keys
from twicetold.serve.ledger import Ledger
from twicetold.stage import ask
from twicetold.store import Judgement
from twicetold.types import Claim, FactCheck, Post


def batch(number: int, size: int = 10) -> list[FactCheck]:
    return [FactCheck(f"{number}-{i}", claim=f"Claim {i} of batch {number}", body="and so on " * 200) for i in range(size)]


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "collection"
    with Collection.create(place, Settings(encoder=NO_ENCODER)) as collection:
        list(collection.add(batch(0)))
        collection.store.judge(Judgement("a claim", "0-1", 1, "ann", "2024-01-01"))
        collection.index()
    return place


def contents(folder):
    with Collection.open(folder) as collection:
        return collection.store.contents(), collection.store.judgements()


def test_a_copy_holds_the_same_and_answers_the_same_once_its_indexes_are_made(folder, tmp_path):
    copy = tmp_path / "copies" / "monday"
    done = CliRunner().invoke(main, ["--data", str(folder), "backup", str(copy)])
    assert done.exit_code == 0, done.output
    assert f"twicetold --data {copy} doctor --repair" in done.output
    assert sorted(path.name for path in copy.iterdir()) == ["settings.json", "store.db"]
    assert contents(copy) == contents(folder)
    assert CliRunner().invoke(main, ["--data", str(copy), "doctor", "--repair"]).exit_code == 0
    claims = [Claim("1", "claim 3 of batch 0")]
    answers = []
    for place in (folder, copy):
        with Collection.open(place) as collection:
            answers.append([match.doc.id for match in ask(RECIPES["bm25"].stage(collection), claims)[0].matches])
    assert answers[0] == answers[1]
    assert answers[0][0] == "0-3"


def test_posts_and_what_the_server_remembers_are_copied_too(folder, tmp_path):
    with Posts.create(folder) as posts:
        posts.store.put([Post("p", "a post")])
    ledger = Ledger(folder)
    key = Keys(ledger).new("newsroom", "read")
    names = back_up(folder, tmp_path / "copy")  # the ledger is open, its last rows are in its journal
    ledger.close()
    assert names == ["serve.db", "store.db", "posts.db", "settings.json", "posts.json"]
    assert Keys(Ledger(tmp_path / "copy")).find(key).name == "newsroom"
    with Posts.open(tmp_path / "copy") as posts:
        assert len(posts.store) == 1
    mended = CliRunner().invoke(main, ["--data", str(tmp_path / "copy"), "doctor", "--repair"])
    assert mended.exit_code == 0, mended.output


def test_an_upload_that_waits_to_be_imported_is_imported_where_the_copy_is_served(folder, tmp_path):
    ledger = Ledger(folder)
    jobs = Jobs(ledger, folder)
    id, path = jobs.new_place("more.jsonl")
    path.write_text('{"id": "more", "claim": "A giraffe was elected mayor of Nowhereville."}\n')
    jobs.add(id, path, source="more.jsonl")
    names = back_up(folder, tmp_path / "copy")
    ledger.close()
    shutil.rmtree(folder)
    assert "imports" in names
    with serving(tmp_path / "copy") as client:
        assert finished(client, id)["state"] == "done"
        assert client.get("/v1/fact-checks/more").status_code == 200


def test_of_two_who_copy_to_one_place_the_second_is_told_so_and_the_first_is_not_disturbed(folder, tmp_path):
    said = []

    def meanwhile(what: str, done: int, total: int) -> None:
        with pytest.raises(Locked, match="another process is copying") as refused:
            back_up(folder, tmp_path / "copy")
        said.append(refused.value)

    back_up(folder, tmp_path / "copy", meanwhile)
    assert said
    assert contents(tmp_path / "copy") == contents(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["collection", "copy"]


def test_a_copy_is_for_its_owner_only(folder, tmp_path):
    back_up(folder, tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700


def test_a_copy_taken_while_another_writes_is_of_one_moment(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("twicetold.backup._PAGES", 1)
    stop = threading.Event()

    def write() -> None:
        with Collection.create(folder) as collection:
            for number in range(1, 1000):
                if stop.is_set():
                    return
                collection.store.put(batch(number))

    writer = threading.Thread(target=write)
    writer.start()
    counts = []
    try:
        for number in range(5):
            back_up(folder, tmp_path / f"copy-{number}")
            with Collection.open(tmp_path / f"copy-{number}") as copy:
                assert list(copy.store.faults()) == []
                counts.append(len(copy.store))
                assert counts[-1] == 10 * copy.store.change
    finally:
        stop.set()
        writer.join()
    assert counts == sorted(counts)
    assert counts[-1] > 10


def test_what_is_there_already_is_never_written_over(folder, tmp_path):
    there = tmp_path / "copy"
    there.mkdir()
    (there / "letter.txt").write_text("keep me")
    with pytest.raises(BadData, match="exists and is kept as it is"):
        back_up(folder, there)
    assert [path.name for path in there.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("place", ["copy", "copies/monday", "../collection/copy"])
def test_a_copy_inside_what_it_copies_is_refused(folder, place):
    with pytest.raises(BadData, match=r"is inside .*collection, which is copied; name a folder elsewhere"):
        back_up(folder, folder / place)
    assert {path.name for path in folder.iterdir()} & {"copy", "copies", ".copy.half-done"} == set()


def test_where_no_collection_is_nothing_is_copied(tmp_path):
    with pytest.raises(NoCollection, match="nothing to copy"):
        back_up(tmp_path / "nowhere", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_damaged_store_is_named_and_its_copy_not_kept(folder, tmp_path):
    store = folder / "store.db"
    with store.open("r+b") as file:
        file.truncate(store.stat().st_size // 2)
    done = CliRunner().invoke(main, ["--data", str(folder), "backup", str(tmp_path / "copy")])
    assert done.exit_code == 3
    assert "store.db" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["collection"]


_LITTLE_ROOM = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_a_disk_that_fills_up_leaves_nothing_behind(folder, tmp_path):
    command = [sys.executable, "-m", "twicetold.cli", "--data", str(folder), "backup", str(tmp_path / "copy")]
    done = subprocess.run([sys.executable, "-c", _LITTLE_ROOM, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "nothing was kept of the copy" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["collection"]


def test_a_copy_that_was_killed_leaves_no_folder_of_its_name_and_the_next_one_succeeds(folder, tmp_path):
    with Collection.create(folder) as collection:
        collection.store.put(batch(1, 3000))
    slow = (
        "import sys, time; from pathlib import Path; from twicetold import backup; backup._PAGES = 1\n"
        "backup.back_up(Path(sys.argv[1]), Path(sys.argv[2]), lambda *_: (print('on', flush=True), time.sleep(0.1)))"
    )
    process = subprocess.Popen([sys.executable, "-c", slow, str(folder), str(tmp_path / "copy")], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"on\n"
    time.sleep(0.2)
    process.kill()
    process.wait()
    process.stdout.close()
    assert not (tmp_path / "copy").exists()
    done = CliRunner().invoke(main, ["--data", str(folder), "backup", str(tmp_path / "copy"), "--json"])
    assert json.loads(done.stdout)["files"] == ["store.db", "settings.json"]
    assert contents(tmp_path / "copy") == contents(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["collection", "copy"]
