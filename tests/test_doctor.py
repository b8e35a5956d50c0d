"""Faults of disks and people: after each, the answers are those of a clean collection, or a refusal says what to do."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from twicetold import demo as demo_files
from twicetold import doctor
from twicetold.answer import HYBRID
from twicetold.backup import back_up
from twicetold.cli import main
from twicetold.collection import Collection, Settings
from twicetold.doctor import State
from twicetold.errors import BadData
from twicetold.index.encoder import NO_ENCODER
from twicetold.models import shipped
from twicetold.posts import Posts
from twicetold.stage import ask
from twicetold.types import Claim, FactCheck, Post, from_json

COUNT = 12
CLAIMS = [Claim("1", "Eating garlic protects you from the coronavirus"), Claim("2", "the moon landing was staged")]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A dozen fact-checks of the demo, in two batches."""
    place = tmp_path_factory.mktemp("whole")
    wanted = ("garlic", "moon", "5g", "shark")
    checks = [from_json(FactCheck, record) for record in demo_files.checks()]
    chosen = sorted(checks, key=lambda check: not any(word in check.id for word in wanted))[:COUNT]
    with Collection.create(place) as collection:
        list(collection.add(chosen, batch=COUNT // 2))
        collection.index()
    return place


@pytest.fixture
def folder(whole, tmp_path) -> Path:
    """A copy of the collection that a test may break."""
    place = tmp_path / "collection"
    back_up(whole, place)
    for name in ("text", "vectors", "cases"):
        shutil.copytree(whole / name, place / name)
    return place


def answers(folder: Path) -> list[list[tuple[str, float]]]:
    with Collection.open(folder) as collection:
        collection.refresh()
        return [[(match.doc.id, match.score) for match in ranking.matches[:5]] for ranking in ask(HYBRID.stage(collection), CLAIMS)]


def states(folder: Path) -> dict[str, State]:
    found: dict[str, State] = {}
    for finding in doctor.examine_folder(folder):
        if finding.state is not State.WELL:
            found[finding.part] = finding.state
    return found


def mend(folder: Path) -> list[str]:
    return doctor.repair(folder, list(doctor.examine_folder(folder)), lambda what, done, total: None)


def truncated(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def flipped(path: Path) -> None:
    torn = bytearray(path.read_bytes())
    for place in range(len(torn) // 4, len(torn) * 3 // 4):
        torn[place] ^= 0xFF
    path.write_bytes(bytes(torn))


def gone(path: Path) -> None:
    path.unlink()


def test_a_collection_that_is_well_is_called_well(folder):
    assert states(folder) == {}


@pytest.mark.parametrize("harm", [truncated, flipped, gone])
@pytest.mark.parametrize("index", ["text", "cases", "vectors"])
def test_any_damaged_file_of_an_index_is_mended_or_does_no_harm(folder, tmp_path, index, harm):
    if index != "vectors":  # what holds of words does not need an encoder, and is quicker without
        with Collection.create(folder) as collection:
            collection.rebuild(settings=Settings(encoder=NO_ENCODER))
    clean = answers(folder)
    files = {path.suffix: path for path in sorted((folder / index).rglob("*")) if path.stat().st_size}
    assert files
    for number, path in enumerate(files.values()):
        broken = tmp_path / f"broken-{number}"
        shutil.copytree(folder, broken)
        harm(broken / path.relative_to(folder))
        mend(broken)
        assert states(broken) == {}, path
        assert answers(broken) == clean, path


def test_a_store_that_was_put_back_is_noticed_and_the_indexes_follow_it(folder, tmp_path):
    clean = answers(folder)
    earlier = tmp_path / "earlier.db"
    shutil.copy(folder / "store.db", earlier)
    with Collection.create(folder) as collection:
        list(collection.add([FactCheck("new", claim="The moon landing was staged in Nevada")]))
        collection.index()
    for path in folder.glob("store.db*"):
        path.unlink()
    shutil.copy(earlier, folder / "store.db")
    with pytest.raises(BadData, match=r"stands at change \d+, its text index at \d+.*doctor --repair"):
        answers(folder)
    with Collection.create(folder) as collection, pytest.raises(BadData, match="doctor --repair"):
        list(collection.add([FactCheck("other", claim="Another claim")]))
    assert State.BROKEN in states(folder).values()
    mend(folder)
    assert states(folder) == {}
    assert answers(folder) == clean


def test_a_record_that_changed_on_the_disk_is_named(folder):
    with sqlite3.connect(folder / "store.db") as db:
        db.execute("UPDATE checks SET rating = 'True' WHERE id = 'demo-health-garlic-covid'")
    [lost] = [finding for finding in doctor.examine_folder(folder) if finding.state is State.LOST]
    assert "demo-health-garlic-covid" in lost.says
    assert "--salvage" in lost.remedy


def test_a_torn_store_is_refused_and_what_can_be_read_is_saved(tmp_path):
    with Collection.create(tmp_path, Settings(encoder=NO_ENCODER)) as collection:
        list(collection.add(FactCheck(f"n{i}", claim=f"Claim {i} " + "and so on " * 20) for i in range(300)))
    store = tmp_path / "store.db"
    with store.open("r+b") as file:
        file.truncate(store.stat().st_size * 3 // 4)
    assert states(tmp_path)["store"] is State.LOST
    out = tmp_path / "saved.jsonl"
    done = CliRunner().invoke(main, ["--data", str(tmp_path), "doctor", "--salvage", str(out)])
    saved = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert 0 < len(saved) < 300
    assert all(record["claim"].startswith(f"Claim {record['id'][1:]} and so on") for record in saved)
    assert "could not be read" in done.output
    again = CliRunner().invoke(main, ["--data", str(tmp_path), "doctor", "--salvage", str(out)])
    assert again.exit_code == 2
    assert "exists" in again.output


def test_a_search_of_damaged_words_says_what_to_do(folder):
    for path in (folder / "text").glob("*.idx"):
        flipped(path)
    with pytest.raises(BadData, match="doctor --repair"):
        answers(folder)


def test_records_that_wait_for_an_index_are_said_and_caught_up_with(folder):
    with Collection.create(folder) as collection:
        list(collection.add([FactCheck("new", claim="The moon landing was staged in Nevada")]))
    assert set(states(folder).values()) == {State.BEHIND}
    mend(folder)
    assert states(folder) == {}
    assert "new" in [id for id, _ in answers(folder)[1]]


def test_vectors_of_other_texts_than_the_stores_are_noticed(folder):
    with Collection.create(folder) as collection:
        list(collection.add([FactCheck("demo-health-garlic-covid", claim="Onions cure colds", title="Onions")]))
        collection.vectors.write([], collection.vectors.vectors("claim", []), [], reached=collection.store.change)
        list(collection.text.follow(collection.store.since(collection.text.reached)))
        list(collection.cases.follow(collection.store.since(collection.cases.reached)))
    assert states(folder) == {"index of vectors": State.BROKEN}
    mend(folder)
    assert states(folder) == {}


def test_a_damaged_model_is_named(tmp_path):
    shutil.copytree(shipped("checkworthy"), tmp_path / "models" / "checkworthy")
    flipped(tmp_path / "models" / "checkworthy" / "vectors.npz")
    [finding] = doctor._model_folders(tmp_path / "models")
    assert finding.state is State.LOST
    assert "checkworthy/vectors.npz is damaged" in finding.says


def test_posts_are_looked_over_too(tmp_path):
    with Posts.create(tmp_path) as posts:
        list(posts.add([Post("1", "The bridge is closed"), Post("2", "No, it is open")]))
        posts.index()
    assert states(tmp_path) == {}
    shutil.rmtree(tmp_path / "posts-text")
    mend(tmp_path)
    assert states(tmp_path) == {}
    with sqlite3.connect(tmp_path / "posts.db") as db:
        db.execute("UPDATE posts SET text = 'The bridge is open' WHERE id = '1'")
    assert states(tmp_path) == {"posts": State.LOST}


_WRITER = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
from twicetold.collection import Collection, Settings
from twicetold.types import FactCheck
with Collection.create(sys.argv[1]) as collection:
    for written in collection.add((FactCheck(f"n{i}", claim=f"claim {i} " + "words " * 200) for i in range(5000)), batch=50):
        print(written.added, flush=True)
"""


def test_a_disk_that_fills_up_loses_nothing_that_was_acknowledged(folder):
    with Collection.create(folder) as collection:
        collection.rebuild(settings=Settings(encoder=NO_ENCODER))

    run = subprocess.run([sys.executable, "-c", _WRITER, str(folder)], capture_output=True, text=True)
    acknowledged = sum(map(int, run.stdout.split()))
    assert run.returncode != 0
    with Collection.open(folder) as collection:
        assert len(collection.store) >= COUNT + acknowledged
    mend(folder)
    assert states(folder) == {}
    assert answers(folder)[0][0][0] == "demo-health-garlic-covid"


def test_the_verb_says_what_it_found_and_its_exit_code_whether_care_is_needed(folder, tmp_path):
    well = CliRunner().invoke(main, ["--data", str(folder), "doctor", "--json"])
    assert well.exit_code == 0
    assert {json.loads(line)["state"] for line in well.stdout.splitlines()} == {"well"}
    shutil.rmtree(folder / "vectors")
    ill = CliRunner().invoke(main, ["--data", str(folder), "doctor"])
    assert ill.exit_code == 3
    assert "index of vectors: 12 records wait" in ill.output
    mended = CliRunner().invoke(main, ["--data", str(folder), "doctor", "--repair"])
    assert mended.exit_code == 0, mended.output
    nothing = CliRunner().invoke(main, ["--data", str(tmp_path / "no"), "doctor"])
    assert nothing.exit_code == 3
    assert "ingest SOURCE" in nothing.output
