"""Which fact-checks are one case: near-duplicates recognised as they come in, kept in one SQLite file that is derived from the store.

Two fact-checks are twins if their claims have the same letters and digits, or nearly all words with the same numbers and negations. A
wording that more than five share is boilerplate, and then the titles must agree too; one that dozens share even so ties none together. A
case is all that twins join, directly or through others. The cases depend on what is in the collection and not on the order in which it
came. Each batch is written whole with the store's change counter it has reached, so after a crash the index goes on where it was.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from twicetold.database import connect, pieces, together
from twicetold.errors import BadData
from twicetold.index.rows import Change, batches
from twicetold.index.wording import MOST_ALIKE, Print, Wording, prints

FORMAT = 1
_BATCH = 2_000
_MOST_MET = 40
"""A key that more wordings share is of a stock phrase, under which nothing meets."""

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS wordings (
    num INTEGER PRIMARY KEY, letters INTEGER NOT NULL, title INTEGER NOT NULL, telling INTEGER NOT NULL, words BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS wordings_letters ON wordings (letters, title);
CREATE TABLE IF NOT EXISTS near (key INTEGER NOT NULL, num INTEGER NOT NULL, PRIMARY KEY (key, num)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS near_num ON near (num);
CREATE TABLE IF NOT EXISTS members (num INTEGER PRIMARY KEY, first INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS members_first ON members (first);
"""


class CaseIndex:
    """Cases by fact-check number. A reader of a folder without one finds no twins."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None
        self._is_writer = False
        self._file = 0
        self.refresh()

    def refresh(self) -> None:
        """Open the file if it was made, or made anew, since; what is written to it otherwise is seen without."""
        file = self.path.stat().st_ino if self.path.is_file() else 0
        if file == self._file:
            return
        self.close()
        with _said_plainly(self.path):
            self._db = _connect(self.path, read_only=True) if file else None
            found = self._meta("format") if file else FORMAT
        self._file = file
        if found != FORMAT:
            raise BadData(f"the case index at {self.path} is of format {found}, not {FORMAT}; run: twicetold index --rebuild")

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
        self._db, self._is_writer = None, False

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        with _said_plainly(self.path):
            return self._meta("reached")

    def __len__(self) -> int:
        """How many cases there are of more than one fact-check."""
        return 0 if self._db is None else int(self._db.execute("SELECT count(DISTINCT first) FROM members").fetchone()[0])

    def twins(self, nums: Sequence[int]) -> dict[int, list[int]]:
        """Return, for those of these fact-checks that have any, the numbers of the others of their case, ascending."""
        if self._db is None:
            return {}
        found: dict[int, list[int]] = {}
        with _said_plainly(self.path):
            for num in nums:
                rows = self._db.execute("SELECT num FROM members WHERE first = (SELECT first FROM members WHERE num = ?)", (num,))
                if others := sorted(other for (other,) in rows if other != num):
                    found[num] = others
        return found

    # --- writing

    def follow(self, changes: Iterable[Change]) -> Iterator[int]:
        """Take in the store's changes, oldest first, and yield how many are on disk after each batch."""
        done = 0
        for batch in batches(changes, _BATCH):
            with self._writing() as db:
                self._take(db, batch)
                db.execute("UPDATE meta SET value = ? WHERE name = 'reached'", (batch[-1][1],))
            done += len(batch)
            yield done

    def _take(self, db: sqlite3.Connection, batch: Sequence[Change]) -> None:
        worded = [(num, Wording.of(check)) for num, _, check in batch if check is not None]
        kept = [(num, wording) for num, wording in worded if wording.says_enough]
        new = dict(zip((num for num, _ in kept), prints([wording for _, wording in kept]), strict=True))
        known = _known(db, "wordings", "num", [num for num, _, _ in batch])
        old = {num: one for num in known if (one := _print_of(db, num)) is not None}
        crowds = _crowds(db, [*old.values(), *new.values()])
        # The twins are others now of those whom these wordings met before, and of those whom they meet after.
        touched = {*old, *_met(db, crowds)}
        db.executemany("DELETE FROM wordings WHERE num = ?", [(num,) for num in old])
        db.executemany("DELETE FROM near WHERE num = ?", [(num,) for num in old])
        db.executemany("INSERT INTO wordings VALUES (?, ?, ?, ?, ?)", [_row(num, one) for num, one in new.items()])
        db.executemany("INSERT OR IGNORE INTO near VALUES (?, ?)", sorted((key, num) for num, one in new.items() for key in one.near))
        _regroup(db, touched | _met(db, crowds))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with _said_plainly(self.path):
            if not self._is_writer:
                self.close()
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._db = _connect(self.path, read_only=False)
                self._is_writer, self._file = True, self.path.stat().st_ino
            db = self._db
            assert db is not None
            with together(db):
                yield db

    def _meta(self, name: str) -> int:
        if self._db is None:
            return 0
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return 0 if row is None else int(row[0])


# --- twins and cases -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Crowds:
    """Under what the wordings of a batch may meet others: letters with their title, and keys. Most meet none."""

    letters: frozenset[tuple[int, int]]
    keys: frozenset[int]


def _crowds(db: sqlite3.Connection, some: Sequence[Print]) -> _Crowds:
    letters, keys = Counter(one.letters for one in some), Counter(key for one in some for key in one.near)
    shared = {*_known(db, "wordings", "letters", list(letters)), *(one for one, count in letters.items() if count > 1)}
    met = {*_known(db, "near", "key", list(keys)), *(key for key, count in keys.items() if count > 1)}
    return _Crowds(frozenset((one.letters, one.title) for one in some if one.letters in shared), frozenset(met))


def _known(db: sqlite3.Connection, table: str, column: str, values: Sequence[int]) -> list[int]:
    """Return those of the values that stand in a column; however often one does, it is looked up once."""
    found: list[int] = []
    for marks, some in pieces(values):
        asked = marks.replace("?", "(?)")
        query = f"SELECT column1 FROM (VALUES {asked}) WHERE EXISTS (SELECT 1 FROM {table} WHERE {column} = column1)"
        found += (value for (value,) in db.execute(query, some))
    return found


def _print_of(db: sqlite3.Connection, num: int) -> Print | None:
    row = db.execute("SELECT letters, title, telling, words FROM wordings WHERE num = ?", (num,)).fetchone()
    if row is None:
        return None
    near = tuple(key for (key,) in db.execute("SELECT key FROM near WHERE num = ?", (num,)))
    return Print(row[0], row[1], row[2], frozenset(array("I", row[3])), near)


def _row(num: int, one: Print) -> tuple[int, int, int, int, bytes]:
    return num, one.letters, one.title, one.telling, array("I", sorted(one.words)).tobytes()


def _same_letters(db: sqlite3.Connection, letters: int, title: int) -> list[int]:
    """Return the numbers of the same letters; if these are boilerplate, of the same title as well; if those are dozens, none."""
    same = [num for (num,) in db.execute("SELECT num FROM wordings WHERE letters = ? LIMIT ?", (letters, MOST_ALIKE + 1))]
    if len(same) <= MOST_ALIKE:
        return same
    query = "SELECT num FROM wordings WHERE letters = ? AND title = ? LIMIT ?"
    same = [num for (num,) in db.execute(query, (letters, title, _MOST_MET + 1))]
    return same if len(same) <= _MOST_MET else []


def _same_keys(db: sqlite3.Connection, keys: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for key in keys:
        met = [num for (num,) in db.execute("SELECT num FROM near WHERE key = ? LIMIT ?", (key, _MOST_MET + 1))]
        if len(met) <= _MOST_MET:
            found.update(met)
    return found


def _met(db: sqlite3.Connection, crowds: _Crowds) -> set[int]:
    """Return the numbers of those that meet under any of these, as things stand."""
    return _same_keys(db, crowds.keys).union(*(_same_letters(db, letters, title) for letters, title in crowds.letters))


def _twins(db: sqlite3.Connection, num: int) -> set[int]:
    """Return the numbers of those that are twins of this one by themselves."""
    one = _print_of(db, num)
    if one is None:
        return set()
    same = set(_same_letters(db, one.letters, one.title))
    likely = _same_keys(db, one.near) - same - {num}
    nearly = {other for other in likely if (its := _print_of(db, other)) is not None and its.letters != one.letters and its.is_nearly(one)}
    return (same | nearly) - {num}


def _regroup(db: sqlite3.Connection, touched: set[int]) -> None:
    """Work the cases out again of all whose twins may have changed, and of those that were of one case with them."""
    waiting = set(touched)
    for num in touched:
        waiting.update(
            other for (other,) in db.execute("SELECT num FROM members WHERE first = (SELECT first FROM members WHERE num = ?)", (num,))
        )
    seen: set[int] = set()
    for start in sorted(waiting):
        if start in seen:
            continue
        case, edge = {start}, [start]
        while edge:
            more = _twins(db, edge.pop()) - case
            case |= more
            edge += more
        seen |= case
        db.executemany("DELETE FROM members WHERE num = ?", [(num,) for num in case])
        if len(case) > 1:
            db.executemany("INSERT INTO members VALUES (?, ?)", [(num, min(case)) for num in sorted(case)])


# --- the file ------------------------------------------------------------------------------------------------------


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    # What a power cut takes is worked out again: the counter goes with it.
    db = connect(path, read_only=read_only, cache=32_000, synchronous="NORMAL")
    if not read_only:
        db.executescript(_TABLES)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?), ('reached', 0)", (FORMAT,))
    return db


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if "full" in str(error):
            raise BadData(f"the disk is full: free some space and run: twicetold --data {path.parent.parent} index") from None
        raise BadData(f"the case index at {path} cannot be used ({error}); run: twicetold index --rebuild") from None
