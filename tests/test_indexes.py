from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadData
from twicetold.index.cells import Cells
from twicetold.index.text import TextIndex
from twicetold.index.vectors import Row, VectorIndex
from twicetold.text import words
from twicetold.types import FactCheck

TERMS = [f"w{i}" for i in range(60)]


def random_checks(count: int, seed: int = 0) -> list[FactCheck]:
    rng = random.Random(seed)
    return [FactCheck(f"d{i}", claim=" ".join(rng.choices(TERMS, weights=range(60, 0, -1), k=rng.randint(3, 30)))) for i in range(count)]


def changes(checks, start: int = 1, change: int = 1):
    return [(num, change, check) for num, check in enumerate(checks, start=start)]


# --- words


def test_bm25_scores_equal_an_independent_implementation(tmp_path):
    import bm25s

    checks = random_checks(300)
    index = TextIndex(tmp_path, analysis="plain")
    list(index.follow(changes(checks)))
    reference = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    reference.index([words(check.claim, analysis="plain") for check in checks], show_progress=False)
    for asked in ("w0 w7 w40", "w59", "w3 w3 w12 nothere"):
        mine = dict(index.search("claim", asked, "en", depth=300))
        theirs = reference.get_scores(words(asked, analysis="plain"))
        # The reference leaves out the constant factor k1 + 1. Lengths up to 40 words are kept exactly, so no rounding is between us.
        assert {num - 1: score for num, score in mine.items()} == pytest.approx(
            {at: score * (1.2 + 1) for at, score in enumerate(theirs.tolist()) if score > 0}, rel=1e-4
        )


def test_adding_in_pieces_finds_what_adding_at_once_finds(tmp_path):
    checks = random_checks(60)
    at_once, in_pieces = TextIndex(tmp_path / "a", analysis="plain"), TextIndex(tmp_path / "b", analysis="plain")
    list(at_once.follow(changes(checks)))
    list(in_pieces.follow(changes(checks[:25])))
    list(in_pieces.follow(changes(checks[25:], start=26, change=2)))
    for term in TERMS[::7]:
        one, other = (sorted(index.search("claim", term, "en", depth=60)) for index in (at_once, in_pieces))
        assert [num for num, _ in one] == [num for num, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], rel=1e-5)


def test_an_updated_text_is_found_by_its_new_words_only(tmp_path):
    index = TextIndex(tmp_path)
    list(index.follow([(1, 1, FactCheck("a", claim="garlic cures"))]))
    list(index.follow([(1, 2, FactCheck("a", claim="onions heal"))]))
    assert index.search("claim", "garlic", "en", depth=5) == []
    assert [num for num, _ in index.search("claim", "onion", "en", depth=5)] == [1]
    assert (len(index), index.reached) == (1, 2)


def test_a_removed_text_is_not_found(tmp_path):
    index = TextIndex(tmp_path)
    list(index.follow([(1, 1, FactCheck("a", claim="garlic cures")), (2, 1, FactCheck("b", claim="garlic heals"))]))
    list(index.follow([(1, 2, None)]))
    assert [num for num, _ in index.search("claim", "garlic", "en", depth=5)] == [2]


def test_the_counter_reached_is_still_known_after_opening_again(tmp_path):
    list(TextIndex(tmp_path).follow([(1, 7, FactCheck("a", claim="x"))]))
    assert TextIndex(tmp_path).reached == 7


def test_a_damaged_index_is_named_with_what_to_do(tmp_path):
    list(TextIndex(tmp_path).follow([(1, 7, FactCheck("a", claim="x"))]))
    (tmp_path / "meta.json").write_text("{")
    with pytest.raises(BadData, match="index --rebuild"):
        TextIndex(tmp_path)


def test_scores_of_chosen_documents_equal_those_of_the_whole_search(tmp_path):
    index = TextIndex(tmp_path, analysis="plain")
    list(index.follow(changes(random_checks(100))))
    whole = dict(index.search("claim", "w0 w1 w9", "en", depth=100))
    some = [3, 14, 15, 92]
    assert index.score("claim", "w0 w1 w9", "en", some) == pytest.approx({num: whole[num] for num in some if num in whole}, rel=1e-6)


# --- vectors


def unit_rows(count: int, dim: int = 24, seed: int = 0):
    rows = np.random.default_rng(seed).normal(size=(count, dim)) * np.linspace(2, 0.2, dim)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def filled(folder, count: int = 400, **sizes) -> tuple[VectorIndex, np.ndarray]:
    index = VectorIndex(folder, dim=24, encoder="test", **sizes)
    vectors = unit_rows(count)
    for start in range(0, count, 50):
        rows = [Row(num, "claim", num) for num in range(start + 1, start + 51)]
        index.write(rows, vectors[start : start + 50], [], reached=start // 50 + 1)
    return index, vectors


@pytest.mark.parametrize("sizes", [{}, {"scan_from": 100}, {"scan_from": 100, "cells_from": 200}], ids=["exact", "scan", "cells"])
def test_every_way_of_searching_finds_the_nearest(tmp_path, sizes, monkeypatch):
    monkeypatch.setattr("twicetold.index.vectors.HEAD", 12)
    index, vectors = filled(tmp_path, **sizes)
    for query in unit_rows(20, seed=9):
        true = np.argsort(-(vectors @ query), kind="stable")[:5] + 1
        assert len(set(index.search(query, depth=5)) & set(true.tolist())) >= 4
        assert index.search(query, depth=5)[0] == true[0]


@pytest.mark.parametrize("sizes", [{}, {"scan_from": 100}, {"scan_from": 100, "cells_from": 200}], ids=["exact", "scan", "cells"])
def test_an_index_opened_again_answers_the_same(tmp_path, sizes, monkeypatch):
    monkeypatch.setattr("twicetold.index.vectors.HEAD", 12)
    index, _ = filled(tmp_path, **sizes)
    again = VectorIndex(tmp_path, dim=24, encoder="test", **sizes)
    for query in unit_rows(10, seed=5):
        assert again.search(query, depth=10) == index.search(query, depth=10)
    assert (again.reached, len(again)) == (8, 400)


def test_a_changed_or_removed_vector_no_longer_answers(tmp_path):
    index, vectors = filled(tmp_path, count=50)
    index.write([Row(1, "claim", 99)], -vectors[:1], [(2, "claim")], reached=2)
    assert 1 not in index.search(vectors[0], depth=3)
    assert 2 not in index.search(vectors[1], depth=50)
    assert len(index) == 49
    assert index.known(Row(1, "claim", 99))
    assert not index.known(Row(1, "claim", 1))
    assert not index.known(Row(2, "claim", 2))


def clustered_rows(count: int, seed: int = 0):
    """Unit rows around thirty directions, as texts are around topics."""
    rng = np.random.default_rng(seed)
    rows = np.random.default_rng(1).normal(size=(30, 24))[rng.integers(0, 30, count)] + rng.normal(size=(count, 24)) * 0.35
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_tenth_of_the_rows_in_the_nearest_cells_holds_nearly_all_of_the_nearest():
    rows = clustered_rows(20_000)
    cells, order = Cells.make(lambda at: rows[at], len(rows))
    assert sorted(order.tolist()) == list(range(len(rows)))
    kept = 0
    for query in clustered_rows(50, seed=5):
        scanned = {int(row) for cell in cells.near(query, 2_000) for row in order[cells.starts[cell] : cells.starts[cell + 1]]}
        assert len(scanned) < 3_000
        kept += len(scanned & set(np.argsort(-(rows @ query))[:20].tolist()))
    assert kept >= 0.95 * 50 * 20


def test_an_index_in_cells_scans_only_some_of_them_and_still_finds_the_nearest(tmp_path, monkeypatch):
    monkeypatch.setattr("twicetold.index.vectors.HEAD", 20)
    vectors = clustered_rows(6_000)
    index = VectorIndex(tmp_path, dim=24, encoder="test", scan_from=1_000, cells_from=2_000)
    index.write([Row(num, "claim", num) for num in range(1, 5_001)], vectors[:5_000], [], reached=1)
    index.write([Row(num, "claim", num) for num in range(5_001, 6_001)], vectors[5_000:], [], reached=2)  # these are in no cell yet
    queries = clustered_rows(30, seed=9)
    kept = 0
    for query in queries:
        true = np.argsort(-(vectors @ query), kind="stable")[:10] + 1
        kept += len(set(index.search(query, depth=10)) & set(true.tolist()))
    assert kept >= 0.95 * len(queries) * 10
    again = VectorIndex(tmp_path, dim=24, encoder="test", scan_from=1_000, cells_from=2_000)
    assert [again.search(query, depth=10) for query in queries] == [index.search(query, depth=10) for query in queries]
    assert len(again) == 6_000


def test_a_filter_restricts_the_answers_in_every_way_of_searching(tmp_path, monkeypatch):
    monkeypatch.setattr("twicetold.index.vectors.HEAD", 12)
    index, vectors = filled(tmp_path, scan_from=100, cells_from=200)
    allowed = list(range(300, 400))
    found = index.search(vectors[0], depth=10, allowed=allowed)
    true = 300 + np.argsort(-(vectors[299:399] @ vectors[0]), kind="stable")[:10]
    assert found == true.tolist()


@given(st.integers(0, 2**31))
def test_scores_are_the_cosines_to_half_precision(seed):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        index, vectors = filled(Path(folder), count=50)
        query = unit_rows(1, seed=seed)[0]
        assert index.score(query, [1, 50, 51])["claim"] == pytest.approx([vectors[0] @ query, vectors[49] @ query, 0.0], abs=2e-3)


def test_vectors_of_another_encoder_are_not_used(tmp_path):
    filled(tmp_path)
    other = VectorIndex(tmp_path, dim=24, encoder="another")
    assert (len(other), other.reached) == (0, 0)


def test_a_reader_keeps_its_answers_while_another_encoder_takes_the_folder_over(tmp_path):
    reader, vectors = filled(tmp_path)
    before = reader.search(vectors[3], depth=5)
    writer = VectorIndex(tmp_path, dim=24, encoder="another")
    for reached in range(1, 9):
        writer.write([Row(reached, "claim", 0)], unit_rows(1, seed=reached), [], reached=reached)
    assert reader.search(vectors[3], depth=5) == before


@pytest.mark.parametrize("sizes", [{}, {"scan_from": 100}, {"scan_from": 100, "cells_from": 150}])
def test_many_small_changes_leave_what_a_dictionary_would(tmp_path, sizes):
    rng = np.random.default_rng(7)
    index = VectorIndex(tmp_path, dim=24, encoder="test", **sizes)
    first = unit_rows(200)
    index.write([Row(num, "claim", num) for num in range(200)], first, [], reached=1)
    kept = dict(enumerate(first))
    for change in range(2, 60):
        nums = rng.integers(0, 230, 3)
        gone = [(int(num), "claim") for num in set(rng.integers(0, 230, 2).tolist()) - set(nums.tolist())]
        rows = dict(zip(nums.tolist(), unit_rows(3, seed=change), strict=True))
        index.write([Row(num, "claim", change) for num in rows], np.stack(list(rows.values())), gone, reached=change)
        kept |= rows
        for num, _ in gone:
            kept.pop(num, None)
        assert len(index) == len(kept)
    for reader in (index, VectorIndex(tmp_path, dim=24, encoder="test", **sizes)):
        assert len(reader) == len(kept)
        assert all(reader.search(vector, depth=1) == [num] for num, vector in kept.items())
