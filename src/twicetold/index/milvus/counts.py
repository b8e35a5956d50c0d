"""In how many fact-checks each word stands, by field: what a Milvus server knows but does not tell, kept in a small file of our own.

A BM25 score alone does not say whether half of a claim's words were found or all of them; divided by the largest score that the
claim's words could have, it does, and that needs their document frequencies. The file is derived: it follows the index on the server,
counter by counter, each batch in one transaction before the server gets it.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from twicetold.errors import BadData
from twicetold.index.text import FIELDS, Field

Terms = Mapping[Field, Iterable[str]]
"""A fact-check's words by field."""

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS words (
    word TEXT PRIMARY KEY, claim INTEGER NOT NULL, title INTEGER NOT NULL, body INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO meta VALUES ('reached', 0), ('documents', 0);
"""
_ADD = "INSERT INTO words VALUES (?, ?, ?, ?) ON CONFLICT (word) DO UPDATE SET " + ", ".join(
    f"{field} = {field} + excluded.{field}" for field in FIELDS
)


class Counts:
    """Document frequencies in one SQLite file. Readers see the last whole batch; `rebuild` is what to type if it cannot be used."""

    def __init__(self, path: Path, *, rebuild: str) -> None:
        self._path = path
        self._rebuild = rebuild
        self._db: sqlite3.Connection | None = None

    @property
    def reached(self) -> int:
        """The store's change counter up to which fact-checks are counted."""
        return self._meta("reached")

    @property
    def documents(self) -> int:
        """How many fact-checks are counted."""
        return self._meta("documents")

    def replace(self, before: Sequence[Terms], after: Sequence[Terms], reached: int) -> None:
        """Take some fact-checks' words away, add others', and move the counter, all or nothing."""
        deltas: dict[Field, Counter[str]] = {field: Counter() for field in FIELDS}
        for sign, side in ((-1, before), (1, after)):
            for terms in side:
                for field, said in terms.items():
                    for word in set(said):
                        deltas[field][word] += sign
        every = set().union(*deltas.values())
        rows = [(word, *(deltas[field][word] for field in FIELDS)) for word in every]
        db = self._open()
        with db:
            db.executemany(_ADD, rows)
            db.execute("UPDATE meta SET value = value + ? WHERE name = 'documents'", (len(after) - len(before),))
            db.execute("UPDATE meta SET value = ? WHERE name = 'reached'", (reached,))

    def containing(self, field: Field, wanted: Iterable[str]) -> dict[str, int]:
        """Return in how many fact-checks each word stands; words that stand nowhere are left out."""
        asked = list(wanted)
        marks = ", ".join("?" * len(asked))
        rows = self._open().execute(f"SELECT word, {field} FROM words WHERE word IN ({marks})", asked)
        return {word: count for word, count in rows if count > 0}

    def idf(self, field: Field, wanted: Iterable[str]) -> dict[str, float]:
        """Return each word's inverse document frequency as BM25 has it: ln(1 + (N - n + 0.5) / (n + 0.5))."""
        asked = set(wanted)
        found, total = self.containing(field, asked), max(self.documents, 1)
        return {word: math.log(1 + (total - found.get(word, 0) + 0.5) / (found.get(word, 0) + 0.5)) for word in asked}

    def clear(self) -> None:
        """Forget everything."""
        db = self._open()
        with db:
            db.execute("DELETE FROM words")
            db.execute("UPDATE meta SET value = 0")

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _meta(self, name: str) -> int:
        (value,) = self._open().execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return int(value)

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._db = sqlite3.connect(self._path, timeout=10, check_same_thread=False)
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.executescript(_TABLES)
            except (OSError, sqlite3.Error) as error:
                raise BadData(
                    f"{self._path}, which says in how many fact-checks each word stands, cannot be used ({error}); run: {self._rebuild}"
                ) from None
        return self._db
