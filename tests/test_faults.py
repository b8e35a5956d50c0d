"""A few points of the fault kit, and the faults of one moment: see docs/faults.md."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from bench.faults.__main__ import KINDS
from bench.faults.judging import Judge
from twicetold import demo, doctor
from twicetold.answer import HYBRID
from twicetold.collection import Collection, Settings
from twicetold.errors import NoCollection
from twicetold.index.encoder import NO_ENCODER
from twicetold.posts import Posts
from twicetold.serve.ledger import Ledger
from twicetold.serve.reading import Readers
from twicetold.serve.watches import Watches
from twicetold.stage import ask
from twicetold.types import Claim, Decision, FactCheck, Lane, Match, Post, from_json, ranked

CLAIMS = [Claim(query["id"], query["text"]) for query in demo.queries()][::8]
CHECKS = [from_json(FactCheck, record) for record in demo.checks()]
WORDS_ONLY = Settings(encoder=NO_ENCODER)


def answers(folder):
    with Collection.open(folder) as collection:
        assert collection.refresh() == 0
        return [
            [(match.doc.id, round(match.score, 6)) for match in ranking.matches[:5]] for ranking in ask(HYBRID.stage(collection), CLAIMS)
        ]


def made(folder, *batches):
    with Collection.create(folder, WORDS_ONLY) as collection:
        for batch in batches:
            list(collection.add(batch))
            collection.index()
    return folder


_DIES_AFTER_THE_COMMIT = """
import json, os, signal, sys, time
from pathlib import Path
from twicetold.collection import Collection
from twicetold.index.text import TextIndex
remember = TextIndex._remember
def told():
    return json.loads(Path(sys.argv[1], "text", "meta.json").read_text())
before = told()
def die(self, *numbers):
    if told()["opstamp"] == before["opstamp"]:
        return remember(self, *numbers)
    while sys.argv[2] == "merged" and len(told()["segments"]) > 1:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)
TextIndex._remember = die
with Collection.create(sys.argv[1]) as collection:
    collection.index()
"""


@pytest.mark.parametrize("moment", ["committed", "merged"])
def test_killed_between_the_words_and_the_note_of_them_the_answers_are_those_of_a_clean_build(tmp_path, moment):
    """Parts of a full-text index are merged by eights: what was indexed last may stand among older words before it is noted."""
    folder = made(tmp_path / "killed", *(CHECKS[at : at + 6] for at in range(0, 42, 6)))
    with Collection.create(folder) as collection:
        list(collection.add(CHECKS[42:50]))
    run = subprocess.run([sys.executable, "-c", _DIES_AFTER_THE_COMMIT, str(folder), moment], check=False)
    assert run.returncode == -9
    assert answers(folder) == answers(made(tmp_path / "clean", CHECKS[:50]))


_DIES_WHILE_MAKING = """
import os, signal, sys
from pathlib import Path
from twicetold import store
from twicetold.posts import PostStore
from twicetold.store import records
folder = Path(sys.argv[1])
folder.mkdir()
db = records.connect(folder / sys.argv[2], read_only=False, cache=1000)
left = [int(sys.argv[3])]
def count(statement):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
db.set_trace_callback(count)
records.connect = lambda path, **_: db
PostStore(folder / "posts.db") if sys.argv[2] == "posts.db" else store.Store(folder / "store.db")
"""


@pytest.mark.parametrize("statement", [2, 4, 7, 10])
def test_a_store_killed_while_it_was_made_is_empty_and_the_next_ingest_goes_on(tmp_path, statement):
    folder = tmp_path / "half-made"
    run = subprocess.run([sys.executable, "-c", _DIES_WHILE_MAKING, str(folder), "store.db", str(statement)], check=False)
    assert run.returncode == -9
    with pytest.raises(NoCollection, match=r"twicetold --data \S+ ingest SOURCE"):
        Collection.open(folder)
    assert {finding.state for finding in doctor.examine_folder(folder)} == {doctor.State.WELL}
    assert answers(made(folder, CHECKS[:20])) == answers(made(tmp_path / "clean", CHECKS[:20]))


def test_posts_killed_while_they_were_made_are_empty_and_can_be_added(tmp_path):
    folder = tmp_path / "half-made"
    run = subprocess.run([sys.executable, "-c", _DIES_WHILE_MAKING, str(folder), "posts.db", "4"], check=False)
    assert run.returncode == -9
    with pytest.raises(NoCollection, match="ingest-posts SOURCE"):
        Posts.open(folder)
    assert {finding.state for finding in doctor.examine_folder(folder)} == {doctor.State.WELL}
    with Posts.create(folder) as posts:
        assert sum(written.added for written in posts.add([Post("1", "The bridge is closed")])) == 1


# --- a clock that goes back

_A_YEAR_AHEAD = """
import datetime, sys, time
AHEAD = 400 * 86_400
now, now_ns, real = time.time, time.time_ns, datetime.datetime
time.time, time.time_ns = lambda: now() + AHEAD, lambda: now_ns() + AHEAD * 10**9
class Later(real):
    @classmethod
    def now(cls, tz=None):
        return real.fromtimestamp(time.time(), tz)
datetime.datetime = Later
from twicetold import demo
from twicetold.collection import Collection, Settings
from twicetold.errors import NoCollection
from twicetold.index.encoder import NO_ENCODER
from twicetold.posts import Posts
from twicetold.types import FactCheck, from_json
with Collection.create(sys.argv[1], Settings(encoder=NO_ENCODER)) as collection:
    list(collection.add([from_json(FactCheck, record) for record in demo.checks()][:30]))
    collection.index()
"""


@pytest.fixture
def from_next_year(tmp_path):
    """A collection made while the clock was more than a year ahead; its files are of that day."""
    folder = tmp_path / "ahead"
    subprocess.run([sys.executable, "-c", _A_YEAR_AHEAD, str(folder)], check=True)
    ahead = time.time() + 400 * 86_400
    for path in folder.rglob("*"):
        os.utime(path, (ahead, ahead))
    return folder


def test_after_the_clock_went_back_what_is_added_is_found_and_nothing_is_lost(from_next_year, tmp_path):
    made(from_next_year, CHECKS[30:50])
    assert answers(from_next_year) == answers(made(tmp_path / "clean", CHECKS[:50]))
    assert {finding.state for finding in doctor.examine_folder(from_next_year)} == {doctor.State.WELL}


def test_a_server_whose_clock_went_back_sees_what_is_written_now(from_next_year):
    readers = Readers(from_next_year, lanes=1)
    made(from_next_year, CHECKS[30:50])
    assert readers.look()
    with readers.lend() as collection:
        assert len(collection.store) == len(collection.text) == 50
    readers.close()


def test_a_webhook_put_off_while_the_clock_was_ahead_is_not_put_off_for_a_year(tmp_path):
    ledger = Ledger(tmp_path)
    watches = Watches(ledger)
    watch = watches.add("Garlic cures the flu", webhook="https://newsroom.example/hook")
    answered = ranked(Claim("c", watch.text), [Match(CHECKS[0], 1.0)], Decision(Lane.MATCHED, 0.97, 0.05))
    watches.note(watch, answered, is_news=True)
    today = time.time()
    [sighting] = watches.due(today)
    watches.refused(sighting, "it answered 503", today)
    assert watches.due(today + 1) == []
    assert len(watches.due(today + 10)) == 1
    watches.refused(sighting, "it answered 503", today + 400 * 86_400)
    assert len(watches.due(today)) == 1
    ledger.close()


# --- the kit


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ingest", "index", "serve", "screen"])
def test_killed_at_random_moments_nothing_acknowledged_is_lost_and_the_answers_are_right(kind):
    points = list(KINDS[kind](3, 7, Judge()))
    assert len(points) == 3
    assert [point.wrong for point in points] == [[], [], []]
