from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadData, Locked, NewerFormat
from twicetold.filters import Filters
from twicetold.store import Judgement, Store, Written
from twicetold.types import FactCheck, Verdict


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store.db")


def test_putting_the_same_records_twice_changes_nothing(store):
    checks = [FactCheck("a", claim="x"), FactCheck("b", claim="y")]
    assert store.put(checks) == Written(added=2)
    reached = store.change
    assert store.put(checks) == Written(same=2)
    assert store.change == reached


def test_a_changed_record_takes_the_place_of_the_old_one(store):
    store.put([FactCheck("a", claim="x", rating="False")])
    assert store.put([FactCheck("a", claim="x", rating="True")]) == Written(changed=1)
    assert store.get("a").rating == "True"
    assert len(store) == 1


def test_a_removed_record_is_gone_and_may_come_back(store):
    store.put([FactCheck("a", claim="x")])
    assert store.remove(["a", "nobody"]) == 1
    assert store.get("a") is None
    assert len(store) == 0
    assert store.put([FactCheck("a", claim="x")]) == Written(added=1)
    assert store.get("a") == FactCheck("a", claim="x")


def test_what_changed_since_a_counter_is_told_oldest_first(store):
    store.put([FactCheck("a"), FactCheck("b")])
    reached = store.change
    store.put([FactCheck("c")])
    store.remove(["a"])
    assert [(check.id if check else None) for _, _, check in store.since(reached)] == ["c", None]
    assert store.pending(reached) == 2


@given(
    st.builds(
        FactCheck,
        id=st.just("a"),
        claim=st.text(alphabet=st.characters(codec="utf-8")),
        appearances=st.lists(st.sampled_from(["https://a.org/1", "b"]), max_size=2).map(tuple),
    )
)
def test_whatever_is_put_comes_back(tmp_path_factory, check):
    store = Store(tmp_path_factory.mktemp("s") / "store.db")
    store.put([check])
    assert store.get("a") == check


def test_a_batch_is_written_whole_or_not_at_all(store):
    def broken():
        yield FactCheck("a")
        raise RuntimeError("the feed broke off")

    with pytest.raises(RuntimeError, match="broke off"):
        store.put(broken())
    assert len(store) == 0


def test_filters_choose_by_every_facet(store):
    store.put(
        [
            FactCheck("en", lang="en", publisher="Snopes", verdict=Verdict.FALSE, claimant="Ann", published="2020-05-17"),
            FactCheck("es", lang="es", publisher="Maldita", verdict=Verdict.MIXED, claimant="Bob", published="2021-01-01"),
            FactCheck("undated", lang="en"),
        ]
    )

    def allowed(**wanted):
        return {check.id for check in store.fetch(store.allowed(Filters(**wanted))).values()}

    assert allowed() == {"en", "es", "undated"}
    assert allowed(langs=("es",)) == {"es"}
    assert allowed(publishers=("snopes", "Other")) == {"en"}
    assert allowed(verdicts=(Verdict.MIXED,)) == {"es"}
    assert allowed(claimants=("ANN",)) == {"en"}
    assert allowed(after="2020-06") == {"es"}
    assert allowed(before="2020") == {"en"}
    assert allowed(before="2020-05-17", after="2020-05-17") == {"en"}


def test_filters_know_capitals_of_every_alphabet(store):
    store.put(
        [FactCheck("a", publisher="AFP Česko", claimant="Éric"), FactCheck("b", publisher="Ελληνικά", claimant="ÉRIC"), FactCheck("c")]
    )

    def allowed(**wanted):
        return {check.id for check in store.fetch(store.allowed(Filters(**wanted))).values()}

    assert allowed(publishers=("AFP Česko",)) == allowed(publishers=("afp česko",)) == {"a"}
    assert allowed(publishers=("ΕΛΛΗΝΙΚΆ",)) == {"b"}
    assert allowed(claimants=("éric",)) == {"a", "b"}
    assert allowed(claimants=("nobody",)) == set()


def test_the_same_link_is_found_in_another_spelling(store):
    store.put([FactCheck("a", appearances=("https://www.example.org/post/?utm_source=x",))])
    assert list(store.linked(["http://example.org/post"])) == [1]
    assert store.linked(["http://example.org/other"]) == {}


def test_a_judgement_replaces_the_same_persons_earlier_word(store):
    store.put([FactCheck("a")])
    store.judge(Judgement("the claim", "a", 1, "ann", "2024-01-01"))
    store.judge(Judgement("the claim", "a", 0, "ann", "2024-01-02"))
    store.judge(Judgement("the claim", "a", 1, "bob", "2024-01-02"))
    assert [(j.annotator, j.grade) for j in store.judgements()] == [("ann", 0), ("bob", 1)]


def test_a_reader_is_not_kept_waiting_by_a_writer(tmp_path):
    writer = Store(tmp_path / "store.db")
    writer.put([FactCheck("a")])
    reader = Store(tmp_path / "store.db", read_only=True)
    writer._db.execute("BEGIN IMMEDIATE")
    assert len(reader) == 1
    writer._db.execute("ROLLBACK")


def test_a_reader_who_finds_the_file_locked_is_told_so_and_does_not_read_past_the_lock(tmp_path, monkeypatch):
    Store(tmp_path / "store.db").close()
    monkeypatch.setattr("twicetold.database._SECONDS", 0.05)
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Locked, match="another process is writing"):
            Store(tmp_path / "store.db", read_only=True)


def test_a_second_writer_is_told_so(tmp_path):
    one, other = Store(tmp_path / "store.db"), Store(tmp_path / "store.db")
    other._db.execute("PRAGMA busy_timeout = 50")
    one._db.execute("BEGIN IMMEDIATE")
    with pytest.raises(Locked, match="another process is writing"):
        other.put([FactCheck("a")])
    one._db.execute("ROLLBACK")


def test_a_store_of_a_newer_format_is_refused_kindly(tmp_path):
    Store(tmp_path / "store.db").close()
    with sqlite3.connect(tmp_path / "store.db") as db:
        db.execute("UPDATE meta SET value = 99 WHERE name = 'format'")
    db.close()
    with pytest.raises(NewerFormat, match="format 99"):
        Store(tmp_path / "store.db")


def test_a_file_that_is_no_store_is_named(tmp_path):
    (tmp_path / "store.db").write_bytes(b"this is not a database, it is a letter" * 100)
    with pytest.raises(BadData, match=r"store\.db is damaged or not a store .*twicetold --data \S+ doctor --salvage saved\.jsonl"):
        Store(tmp_path / "store.db")


def test_a_full_disk_loses_nothing_that_was_there(tmp_path):
    store = Store(tmp_path / "store.db")
    store.put([FactCheck("a", claim="kept")])
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(BadData, match="disk is full"):
        store.put([FactCheck(f"b{i}", body="x" * 10_000) for i in range(50)])
    assert [check.id for check in store] == ["a"]
