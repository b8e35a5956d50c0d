from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from twicetold.answer import HYBRID
from twicetold.collection import Collection, Settings
from twicetold.errors import BadData, Locked, NewerFormat, NoCollection
from twicetold.index.encoder import NO_ENCODER
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck

WORDS_ONLY = Settings(encoder=NO_ENCODER)


def fill(collection: Collection, *checks: FactCheck) -> Collection:
    for _ in collection.add(checks):
        pass
    collection.index()
    return collection


def found(collection: Collection, text: str) -> list[str]:
    [ranking] = ask(HYBRID.stage(collection), [Claim("c", text)])
    return [match.doc.id for match in ranking.matches]


def test_what_was_added_is_found_at_once_and_after_reopening(tmp_path, place):
    fill(Collection.create(tmp_path), FactCheck("a", claim="Garlic cures the flu"), FactCheck("b", claim="The moon landing was staged"))
    again = Collection.open(tmp_path)
    again.refresh()
    assert found(again, "was the moon landing faked?")[0] == "b"


def test_records_stored_but_not_indexed_are_caught_up_with_on_opening(tmp_path, place):
    with Collection.create(tmp_path) as collection:
        fill(collection, FactCheck("a", claim="Garlic cures the flu"))
        collection.store.put([FactCheck("b", claim="The moon landing was staged")])
    again = Collection.open(tmp_path)
    assert again.refresh() == 0
    assert found(again, "moon landing staged")[0] == "b"


def test_an_update_and_a_removal_reach_both_indexes(tmp_path, place):
    collection = fill(Collection.create(tmp_path), FactCheck("a", claim="Garlic cures the flu"), FactCheck("b", claim="Onions cure colds"))
    fill(collection, FactCheck("a", claim="The moon landing was staged"))
    collection.remove(["b"])
    collection.index()
    assert found(collection, "the moon landing was staged") == ["a"]
    assert (len(collection.store), len(collection.text), len(collection.vectors)) == (1, 1, 1)


def test_rebuilding_gives_the_same_answers(tmp_path, place, demo, demo_claims):
    collection = Collection.create(tmp_path)
    fill(collection, *list(demo.store)[::4])
    before = [found(collection, claim.text)[:5] for claim in demo_claims[:10]]
    collection.rebuild()
    assert [found(collection, claim.text)[:5] for claim in demo_claims[:10]] == before


@pytest.mark.parametrize("name", ["text/meta.json", "vectors/manifest.json"])
def test_a_damaged_index_is_made_anew_by_indexing(tmp_path, name):
    fill(Collection.create(tmp_path), FactCheck("a", claim="Garlic cures the flu")).close()
    (tmp_path / name).write_text("{")
    collection = Collection.create(tmp_path)
    collection.index()
    assert found(collection, "garlic against flu") == ["a"]
    assert (len(collection.text), len(collection.vectors)) == (1, 1)


def test_a_text_only_collection_answers_by_words(tmp_path, place):
    collection = fill(Collection.create(tmp_path, WORDS_ONLY), FactCheck("a", claim="Garlic cures the flu"))
    assert found(collection, "garlic") == ["a"]
    assert found(collection, "allium") == []


def test_a_second_writer_gets_a_clear_error_and_a_reader_none(tmp_path, place):
    one = fill(Collection.create(tmp_path, WORDS_ONLY), FactCheck("a", claim="Garlic cures the flu"))
    with one.writing():
        with pytest.raises(Locked, match="another process is writing"):
            fill(Collection.create(tmp_path), FactCheck("b"))
        reader = Collection.open(tmp_path)
        reader.refresh()
        assert found(reader, "garlic") == ["a"]


def test_no_collection_says_how_to_make_one(tmp_path):
    with pytest.raises(NoCollection, match="ingest SOURCE"):
        Collection.open(tmp_path / "nothing")


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadData, match="is a file"):
        Collection.create(tmp_path / "file")


def test_settings_of_a_newer_format_are_refused(tmp_path):
    Collection.create(tmp_path, WORDS_ONLY).close()
    (tmp_path / "settings.json").write_text(json.dumps({"format": 99, "encoder": "", "analysis": "standard"}))
    with pytest.raises(NewerFormat, match="later version"):
        Collection.open(tmp_path)


def run_where_nothing_may_be_written(folder, data, *arguments):
    """Run a verb in the folder above a collection, which this process alone sees as read-only."""
    mounted = f'mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && exec "$0" "$@"'
    command = ["unshare", "-rm", "sh", "-c", mounted, sys.executable, "-m", "twicetold.cli", "--data", data, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
    if "unshare" in run.stderr or "mount" in run.stderr:
        pytest.skip("this machine lets no process mount a folder read-only")
    return run


def test_of_a_read_only_folder_doctor_says_what_cannot_be_done_and_not_that_something_is_lost(tmp_path):
    folder = tmp_path / "c"
    fill(Collection.create(folder, WORDS_ONLY), FactCheck("a", claim="Garlic cures the flu")).close()
    run = run_where_nothing_may_be_written(folder, str(folder), "doctor")
    assert f"CARE disk: {folder} can be read but not written to" in run.stdout, run.stderr
    assert "LOST" not in run.stdout
    assert run.returncode == 3


@pytest.mark.parametrize("is_relative", [False, True])
def test_a_read_only_folder_can_be_searched_but_not_written(tmp_path, is_relative):
    folder = tmp_path / "c"
    fill(Collection.create(folder, WORDS_ONLY), FactCheck("a", claim="Garlic cures the flu")).close()
    run = run_where_nothing_may_be_written(folder, "c" if is_relative else str(folder), "match", "garlic")
    assert "Garlic cures the flu" in run.stdout, run.stderr
    assert run.returncode == 0


def test_changes_that_can_only_be_read_by_writing_are_not_passed_over_where_nothing_may_be_written(tmp_path):
    folder = tmp_path / "c"
    folder.mkdir()
    with Collection.create(tmp_path / "cut off", WORDS_ONLY) as collection:
        fill(collection, FactCheck("a", claim="Garlic cures the flu"))
        for name in ("settings.json", "store.db", "store.db-wal"):  # as a crash leaves them
            shutil.copy(tmp_path / "cut off" / name, folder / name)
    run = run_where_nothing_may_be_written(folder, str(folder), "stats")
    assert run.returncode == 3, run.stdout
    assert "store.db-wal" in run.stderr
    assert "Traceback" not in run.stderr


_WRITER = """
import sys
from twicetold.collection import Collection, Settings
from twicetold.index.encoder import EncoderChoice
from twicetold.types import FactCheck
collection = Collection.create(sys.argv[1], Settings(EncoderChoice.parse(sys.argv[2])))
start = len(collection.store)
checks = (FactCheck(f"d{i}", claim=f"claim number {i} about topic{i % 17}", title=f"title {i}") for i in range(start, start + 4000))
for written in collection.add(checks, batch=25):
    print(written.added, flush=True)
    collection.index()
"""


@pytest.mark.parametrize("rounds", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_killed_at_any_moment_no_acknowledged_record_is_lost_and_the_indexes_agree(tmp_path, rounds):
    rng = random.Random(rounds)
    acknowledged = 0
    for at in range(rounds):
        encoder = "" if at % 3 == 0 else "none"
        folder = tmp_path / (encoder or "dense")
        acknowledged = len(Collection.open(folder).store) if (folder / "store.db").exists() else 0
        acknowledged += _ingest_and_kill(folder, encoder, after=rng.uniform(0.0, 0.5))
        with Collection.create(folder) as collection:
            assert len(collection.store) >= acknowledged
            collection.index()
            ids = [check.id for check in collection.store]
            assert len(collection.text) == len(ids)
            if collection.vectors is not None:
                assert len(collection.vectors) == 2 * len(ids)
            last = len(ids) - 1
            if last >= 0:
                assert f"d{last}" in found(collection, f"claim number {last} about topic{last % 17}")[:5]


def _ingest_and_kill(folder, encoder: str, after: float) -> int:
    """Start a writer, wait for its first batch and a random moment more, kill it, and return what it had acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(folder), encoder], stdout=subprocess.PIPE, text=True)
    first = writer.stdout.readline()
    time.sleep(after)
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read()
    writer.stdout.close()
    writer.wait()
    return sum(int(line) for line in (first + rest).splitlines() if line.strip())
