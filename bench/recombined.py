"""As many fact-checks as wanted, put together from pieces of FactCheckTweet's articles: the corpus of `bench.scale`.

A claim is the first half of one claim and the second half of another, a title likewise; a body has the length of some article and is
made of paragraphs of any. The same seed gives the same corpus. Vectors are not encoded, which would take days here and is not what is
measured: each is the unit of a weighted sum of two vectors of real claims and titles. What recombining does not give is new words: the
dictionary stays that of 86,376 articles, where real growth would add rare words, which cost little to search.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tantivy

from bench.machine import ROOT
from twicetold.collection import Collection
from twicetold.index.rows import FIELDS, Row
from twicetold.index.text import FIELDS as TEXTS
from twicetold.index.text import TextIndex
from twicetold.index.vectors import VectorIndex
from twicetold.store import Store
from twicetold.text import words

SOURCE = ROOT / ".bench" / "fct"
SEED = 20_261_116
_ARTICLES = 5_000  # of the source, whose pieces are used
_STORED = 20_000  # fact-checks in one transaction
_WRITTEN = 100_000  # fact-checks whose vectors are written at once


class Piece(NamedTuple):
    """Some words of an article, as they stand there and as they are indexed."""

    text: str
    terms: str


class Made(NamedTuple):
    """A recombined fact-check: its pieces, by field."""

    claim: tuple[Piece, ...]
    title: tuple[Piece, ...] = ()
    body: tuple[Piece, ...] = ()

    @property
    def lang(self) -> str:
        return "en"


def folder_of(count: int, *, is_short: bool = False) -> Path:
    """Where the collection of this size is kept."""
    return ROOT / ".bench" / f"scale-{count}{'-claims' if is_short else ''}"


def recombined(count: int, *, is_short: bool = False) -> Iterator[Made]:
    """Yield recombined fact-checks; short ones have a claim and nothing else."""
    rng = np.random.default_rng(SEED)
    every = list(Store(SOURCE / "store.db", read_only=True))
    whole = every[:: max(1, len(every) // _ARTICLES)]
    claims, titles = [_halves(one.claim or one.title) for one in whole], [_halves(one.title) for one in whole]
    paragraphs = [] if is_short else [[_piece(line) for line in one.body.split("\n") if line.strip()] for one in whole]
    lines = [piece for some in paragraphs for piece in some]
    for start in range(0, count, 10_000):
        drawn = rng.integers(0, len(whole), (min(10_000, count - start), 5)).tolist()
        for first, second, third, fourth, like in drawn:
            claim = (claims[first][0], claims[second][1])
            if is_short:
                yield Made(claim)
            else:
                body = [lines[at] for at in rng.integers(0, len(lines), len(paragraphs[like]))]
                yield Made(claim, (titles[third][0], titles[fourth][1]), tuple(body))


def _halves(text: str) -> tuple[Piece, Piece]:
    said = text.split()
    return _piece(" ".join(said[: (len(said) + 1) // 2])), _piece(" ".join(said[(len(said) + 1) // 2 :]))


def _piece(text: str) -> Piece:
    return Piece(text, " ".join(words(text, "en")))


class PieceIndex(TextIndex):
    """A full-text index that takes pieces, whose words are analysed already: analysis is not what is measured."""

    def _document(self, num: int, check: Any) -> tantivy.Document:
        document = tantivy.Document()
        document.add_unsigned("num", num)
        for field in TEXTS:
            if pieces := getattr(check, field):
                document.add_text(field, " ".join(piece.terms for piece in pieces))
        return document


def make_words(count: int, *, is_short: bool = False) -> None:
    """Store and index the words of a collection of this size, unless it is there."""
    folder = folder_of(count, is_short=is_short)
    with Collection.create(folder) as collection:
        index = PieceIndex(folder / "text")
        if index.reached == 0:
            made = recombined(count, is_short=is_short)
            for _ in index.follow(_stored(collection.store, made)):
                pass


def _stored(store: Store, made: Iterator[Made]) -> Iterator[tuple[int, int, Any]]:
    """Put fact-checks into an empty store, many in a transaction, and pass each on as a change."""
    assert len(store) == 0, "an unfinished store: delete its folder and start again"
    batch: list[tuple[object, ...]] = []
    for num, one in enumerate(made, start=1):
        claim, title, body = ("\n".join(piece.text for piece in getattr(one, field)) for field in TEXTS)
        batch.append((num, f"r{num}", num, claim, title, body, f"Desk {num % 50}"))
        if len(batch) == _STORED:
            _insert(store, batch)
            batch = []
        yield num, num, one
    _insert(store, batch)


def _insert(store: Store, batch: list[tuple[object, ...]]) -> None:
    """As `Store.put`, without comparing with what is there."""
    with store._writing():
        store._db.executemany(
            "INSERT INTO checks (num, id, change, claim, title, body, publisher, alive, digest, claimant, claimed_on, appearances, rating, "
            "verdict, url, published, lang, other) VALUES (?, ?, ?, ?, ?, ?, ?, 1, '', '', '', '[]', 'False', 'false', '', '', 'en', '{}')",
            batch,
        )
        if batch:
            store._db.execute("UPDATE meta SET value = ? WHERE name = 'change'", (batch[-1][0],))


def open_vectors(count: int, dim: int, *, is_short: bool = False) -> VectorIndex:
    """Open the vectors of a collection of this size, whatever encoder is shipped today."""
    return VectorIndex(folder_of(count, is_short=is_short) / "vectors", dim=dim, encoder="recombined")


def make_vectors(count: int, *, is_short: bool = False) -> None:
    """Write the vectors of a collection of this size, unless they are there."""
    real = real_vectors()
    index = open_vectors(count, real.shape[1], is_short=is_short)
    rng = np.random.default_rng(SEED)
    fields = FIELDS[:1] if is_short else FIELDS
    index._cells_from, wanted = 10**12, index._cells_from  # sorted once, at the end
    for start in range(index.reached, count, _WRITTEN):
        nums = range(start + 1, min(start + _WRITTEN, count) + 1)
        block = _mixed(real, len(nums) * len(fields), rng)
        index.write([Row(num, field, num) for num in nums for field in fields], block, [], reached=nums[-1])
    index._cells_from = wanted
    if index._is_due(0):
        index._compact()


def real_vectors() -> np.ndarray[Any, Any]:
    """The vectors of FactCheckTweet's claims and titles, (N, D), by whichever encoder its collection was indexed with."""
    with Collection.open(SOURCE) as collection:
        assert isinstance(collection.vectors, VectorIndex)
        nums = range(1, len(collection.store) + 1)
        rows = np.concatenate([collection.vectors.vectors(field, nums) for field in FIELDS])
    return rows[np.linalg.norm(rows, axis=1) > 0.5]


def _mixed(real: np.ndarray[Any, Any], count: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    share = rng.uniform(0.5, 0.9, (count, 1)).astype(np.float32)
    rows = share * real[rng.integers(0, len(real), count)] + (1 - share) * real[rng.integers(0, len(real), count)]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
