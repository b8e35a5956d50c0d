"""Records by id in one SQLite file with a change counter: what the stores of fact-checks and of posts have in common.

Each committed batch raises the counter; every record carries the counter of its last change, so an index that has reached counter n asks
for what came after n. A removed record stays as an empty row until then. What a record is, and how it is written, the two stores say.
"""

from __future__ import annotations

import hashlib
import sqlite3
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from twicetold.database import connect, pieces, said_plainly, together
from twicetold.errors import BadData, NewerFormat, NoCollection
from twicetold.text import has_half_letters

T = TypeVar("T")

FORMAT = 1
_READERS_CACHE = 16_000

Row = tuple[str, ...]
"""A record as its table keeps it."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a batch did: records that are new, that differ from before, and that were there already."""

    added: int = 0
    changed: int = 0
    same: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(self.added + other.added, self.changed + other.changed, self.same + other.same)


@dataclass(frozen=True, slots=True)
class Table:
    """The table of one kind of record: its name, the columns of a record, all tables of the file, and what users are told to type."""

    name: str
    fields: tuple[str, ...]
    tables: str
    ingest: str
    damaged: str
    writers_cache: int = _READERS_CACHE

    @property
    def columns(self) -> str:
        """The columns of a record, as a statement lists them."""
        return ", ".join(self.fields)


class Records(Generic[T]):
    """One SQLite file in WAL mode. Readers never wait for a writer; `put` and `remove` are durable when they return."""

    table: ClassVar[Table]

    def __init__(self, path: Path, *, read_only: bool = False, keep: int = 0) -> None:
        """Open the file. Up to `keep` records that were fetched stay in memory, as long as the store does not change."""
        self.path = path
        self._read_only = read_only
        self._keep = keep
        self._kept: dict[int, T] = {}
        self._kept_at = 0
        with self._said_plainly():
            self._db = connect(path, read_only=read_only, cache=_READERS_CACHE if read_only else self.table.writers_cache)
            found = self._meta("format")
            if found is None and not read_only:
                # All or nothing: whoever is killed meanwhile leaves a file without tables, which the next writer fills.
                self._db.executescript(
                    f"BEGIN IMMEDIATE; {self.table.tables} INSERT OR IGNORE INTO meta VALUES ('format', {FORMAT}), ('change', 0); COMMIT"
                )
                found = FORMAT
            is_blank = found is None and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if is_blank:
            wanted = f"twicetold --data {path.parent} {self.table.ingest} SOURCE"
            raise NoCollection(f"{path} is empty: nothing is stored there yet; run: {wanted}")
        if found is None:
            raise BadData(f"{path} is not a twicetold store: it has no format number. Name the folder that `{self.table.ingest}` wrote.")
        if found > FORMAT:
            raise NewerFormat(f"{path} has store format {found}; this version reads up to {FORMAT}. Upgrade twicetold.")

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._db.close()

    # --- what a record is

    @abstractmethod
    def _record(self, row: Sequence[Any]) -> T:
        """Make a record of the columns that `table.fields` names, and whatever follows them."""

    @abstractmethod
    def put(self, records: Iterable[T]) -> Written:
        """Add or update by id, all or nothing, and return what changed. Records equal to what is there cost no change."""

    @abstractmethod
    def _remove_one(self, num: int, id: str, change: int) -> None:
        """Empty the row of a record."""

    @abstractmethod
    def since(self, change: int) -> Iterator[tuple[int, int, Any]]:
        """Yield (num, change, what indexes take, or None if removed) of everything that changed after `change`, oldest first."""

    # --- writing

    def remove(self, ids: Iterable[str]) -> int:
        """Delete by id, and return how many were there."""
        removed = 0
        with self._writing():
            change = self.change + 1
            for id in ids:
                if has_half_letters(id):
                    continue
                row = self._db.execute(f"SELECT num FROM {self.table.name} WHERE id = ? AND alive = 1", (id,)).fetchone()
                if row is not None:
                    self._remove_one(row[0], id, change)
                    removed += 1
            if removed:
                self._reach(change)
        return removed

    def _reach(self, change: int) -> None:
        self._db.execute("UPDATE meta SET value = ? WHERE name = 'change'", (change,))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._said_plainly(), together(self._db):
            yield

    def _said_plainly(self) -> AbstractContextManager[None]:
        return said_plainly(self.path, damaged=self.table.damaged.format(folder=self.path.parent))

    # --- reading

    @property
    def change(self) -> int:
        """The counter of the newest committed change; 0 for a store never written to."""
        return self._meta("change") or 0

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the file: pages that do not hang together, and records that are not what was written."""
        with self._said_plainly():
            for (said,) in self._db.execute("PRAGMA integrity_check(20)"):
                if said != "ok":
                    yield str(said)
            for *row, digest in self._db.execute(f"SELECT {self.table.columns}, digest FROM {self.table.name} WHERE alive = 1"):
                if digest_of(row) != digest:
                    yield f"the record {row[0]!r} is not what was stored"

    def __len__(self) -> int:
        (count,) = self._db.execute(f"SELECT count(*) FROM {self.table.name} WHERE alive = 1").fetchone()
        return int(count)

    def __iter__(self) -> Iterator[T]:
        for row in self._db.execute(f"SELECT {self.table.columns} FROM {self.table.name} WHERE alive = 1 ORDER BY num"):
            yield self._record(row)

    def get(self, id: str) -> T | None:
        """Return the record with this id, or None; an id with half a character in it is nobody's."""
        if has_half_letters(id):
            return None
        row = self._db.execute(f"SELECT {self.table.columns} FROM {self.table.name} WHERE id = ? AND alive = 1", (id,)).fetchone()
        return None if row is None else self._record(row)

    def fetch(self, nums: Sequence[int]) -> dict[int, T]:
        """Return the records with these numbers; one removed meanwhile is absent."""
        if not self._keep:
            return self._fetch(nums)
        if self._kept_at != self.change or len(self._kept) + len(nums) > self._keep:
            self._kept, self._kept_at = {}, self.change
        self._kept |= self._fetch([num for num in nums if num not in self._kept])
        return {num: self._kept[num] for num in nums if num in self._kept}

    def _fetch(self, nums: Sequence[int]) -> dict[int, T]:
        found: dict[int, T] = {}
        for marks, some in pieces([int(num) for num in nums]):
            rows = self._db.execute(f"SELECT {self.table.columns}, num FROM {self.table.name} WHERE num IN ({marks}) AND +alive = 1", some)
            found.update((row[-1], self._record(row)) for row in rows)
        return found

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the records with these ids; one that is not there is absent."""
        found: dict[str, int] = {}
        for marks, some in pieces([id for id in ids if not has_half_letters(id)]):
            found.update(self._db.execute(f"SELECT id, num FROM {self.table.name} WHERE id IN ({marks}) AND +alive = 1", some))
        return found

    def pending(self, change: int) -> int:
        """Return how many records changed after `change`."""
        (count,) = self._db.execute(f"SELECT count(*) FROM {self.table.name} WHERE change > ?", (change,)).fetchone()
        return int(count)

    def _meta(self, name: str) -> int | None:
        try:
            row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return None
            raise
        return None if row is None else int(row[0])


def digest_of(row: Sequence[str]) -> bytes:
    """Return what tells a record from every other: the digest of its columns."""
    return hashlib.blake2b("\x1f".join(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
