"""Fact-checks, judgements and the links they name, in one SQLite file: the truth that every index is derived from.

Each committed batch raises a change counter; every record carries the counter of its last change, so an index that has
reached counter n asks for what came after n. A removed record stays as an empty row until then. It does not search text.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.database import connect, pieces, said_plainly, together
from twicetold.errors import BadData, NewerFormat, NoCollection
from twicetold.filters import Filters
from twicetold.links import canonical_url
from twicetold.types import FactCheck, Verdict

FORMAT = 1
_CACHE = 16_000

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS checks (
    num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, change INTEGER NOT NULL, alive INTEGER NOT NULL,
    digest BLOB NOT NULL, claim TEXT NOT NULL, claimant TEXT NOT NULL, claimed_on TEXT NOT NULL, appearances TEXT NOT NULL,
    title TEXT NOT NULL, body TEXT NOT NULL, rating TEXT NOT NULL, verdict TEXT NOT NULL, url TEXT NOT NULL,
    publisher TEXT NOT NULL, published TEXT NOT NULL, lang TEXT NOT NULL, other TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS checks_change ON checks (change);
CREATE INDEX IF NOT EXISTS checks_facets ON checks (alive, lang, verdict, publisher, published, claimant);
CREATE TABLE IF NOT EXISTS links (url TEXT NOT NULL, num INTEGER NOT NULL, PRIMARY KEY (url, num)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_num ON links (num);
CREATE TABLE IF NOT EXISTS judgements (
    claim TEXT NOT NULL, check_id TEXT NOT NULL, grade INTEGER NOT NULL, annotator TEXT NOT NULL, judged_on TEXT NOT NULL,
    PRIMARY KEY (claim, check_id, annotator));
"""

_FIELDS = (
    "id", "claim", "claimant", "claimed_on", "appearances", "title", "body", "rating", "verdict", "url", "publisher",
    "published", "lang", "other",
)  # fmt: skip
_COLUMNS = ", ".join(_FIELDS)
_URL, _APPEARANCES = _FIELDS.index("url"), _FIELDS.index("appearances")
_UPSERT = (
    f"INSERT INTO checks (change, alive, digest, {_COLUMNS}) VALUES (?, ?, ?{', ?' * len(_FIELDS)}) ON CONFLICT (id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in ("change", "alive", "digest", *_FIELDS[1:]))
    + " RETURNING num"
)

Row = tuple[str, ...]
"""A fact-check as the table keeps it."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a batch did: records that are new, that differ from before, and that were there already."""

    added: int = 0
    changed: int = 0
    same: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(self.added + other.added, self.changed + other.changed, self.same + other.same)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A person's word on whether a fact-check answers a claim: grade 1 yes, 0 no."""

    claim: str
    check_id: str
    grade: int
    annotator: str
    judged_on: str


class Store:
    """One SQLite file in WAL mode. Readers never wait for a writer; `put` and `remove` are durable when they return."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        with _said_plainly(path):
            self._db = connect(path, read_only=read_only, cache=_CACHE)
            found = self._meta("format")
            if found is None and not read_only:
                # All or nothing: whoever is killed meanwhile leaves a file without tables, which the next writer fills.
                self._db.executescript(
                    f"BEGIN IMMEDIATE; {_TABLES} INSERT OR IGNORE INTO meta VALUES ('format', {FORMAT}), ('change', 0); COMMIT"
                )
                found = FORMAT
            is_blank = found is None and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if is_blank:
            raise NoCollection(f"{path} is empty: nothing is stored there yet; run: twicetold --data {path.parent} ingest SOURCE")
        if found is None:
            raise BadData(f"{path} is not a twicetold store: it has no format number. Name the folder that `ingest` wrote.")
        if found > FORMAT:
            raise NewerFormat(f"{path} has store format {found}; this version reads up to {FORMAT}. Upgrade twicetold.")

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._db.close()

    # --- writing

    def put(self, checks: Iterable[FactCheck]) -> Written:
        """Add or update by id, all or nothing, and return what changed. Records equal to what is there cost no change."""
        batch = {check.id: check for check in checks}
        written = Written()
        with self._writing():
            change = self.change + 1
            known = self._digests(list(batch))
            for check in batch.values():
                row = _row(check)
                digest = _digest(row)
                if known.get(check.id) == digest:
                    written += Written(same=1)
                    continue
                written += Written(changed=1) if check.id in known else Written(added=1)
                self._put_one(row, digest, change)
            if written.added or written.changed:
                self._db.execute("UPDATE meta SET value = ? WHERE name = 'change'", (change,))
        return written

    def remove(self, ids: Iterable[str]) -> int:
        """Delete by id and return how many were there."""
        removed = 0
        with self._writing():
            change = self.change + 1
            for id in ids:
                row = self._db.execute("SELECT num FROM checks WHERE id = ? AND alive = 1", (id,)).fetchone()
                if row is None:
                    continue
                self._put_one(_row(FactCheck(id)), b"", change, alive=0)
                removed += 1
            if removed:
                self._db.execute("UPDATE meta SET value = ? WHERE name = 'change'", (change,))
        return removed

    def judge(self, judgement: Judgement) -> None:
        """Save a judgement; the same person's later word on the same pair replaces the earlier."""
        with self._writing():
            self._count_judged()
            self._db.execute(
                "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?)",
                (judgement.claim, judgement.check_id, judgement.grade, judgement.annotator, judgement.judged_on),
            )

    def unjudge(self, claim: str, check_id: str, annotator: str) -> bool:
        """Take back a person's word on a pair; True if there was one."""
        with self._writing():
            self._count_judged()
            gone = self._db.execute("DELETE FROM judgements WHERE claim = ? AND check_id = ? AND annotator = ?", (claim, check_id, annotator))
            return gone.rowcount > 0

    def _count_judged(self) -> None:
        self._db.execute("INSERT INTO meta VALUES ('judged', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1")

    def _put_one(self, row: Row, digest: bytes, change: int, alive: int = 1) -> None:
        (num,) = self._db.execute(_UPSERT, (change, alive, digest, *row)).fetchone()
        self._db.execute("DELETE FROM links WHERE num = ?", (num,))
        urls = {canonical_url(url) for url in (row[_URL], *json.loads(row[_APPEARANCES])) if url}
        self._db.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", [(url, num) for url in urls])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with _said_plainly(self.path), together(self._db):
            yield

    # --- reading

    @property
    def change(self) -> int:
        """The counter of the newest committed change; 0 for a store never written to."""
        return self._meta("change") or 0

    @property
    def judged(self) -> int:
        """How often judgements were saved or taken back; it moves whenever they change, and is 0 while there are none."""
        counted = self._meta("judged") or 0
        if counted:
            return counted
        (count,) = self._db.execute("SELECT count(*) FROM judgements").fetchone()  # from before they were counted
        return int(count)

    @property
    def identity(self) -> int:
        """A number that tells this store from every other, for an index that is kept apart from it; 0 if none was ever needed."""
        found = self._meta("identity")
        if found is None and not self._read_only:
            found = 1 + secrets.randbits(62)
            with self._writing():
                self._db.execute("INSERT INTO meta VALUES ('identity', ?)", (found,))
        return found or 0

    def contents(self) -> str:
        """Return a short name of what is stored: the same fact-checks have the same name, whatever their history."""
        named = hashlib.blake2b(digest_size=8)
        for id, digest in self._db.execute("SELECT id, digest FROM checks WHERE alive = 1 ORDER BY id"):
            named.update(id.encode("utf-8", "surrogatepass") + b"\x1f" + digest)
        return named.hexdigest()

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with the file: pages that do not hang together, and records that are not what was written."""
        with _said_plainly(self.path):
            for (said,) in self._db.execute("PRAGMA integrity_check(20)"):
                if said != "ok":
                    yield str(said)
            for *row, digest in self._db.execute(f"SELECT {_COLUMNS}, digest FROM checks WHERE alive = 1"):
                if _digest(tuple(row)) != digest:
                    yield f"the record {row[0]!r} is not what was stored"

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM checks WHERE alive = 1").fetchone()
        return int(count)

    def __iter__(self) -> Iterator[FactCheck]:
        for row in self._db.execute(f"SELECT {_COLUMNS} FROM checks WHERE alive = 1 ORDER BY num"):
            yield _check(row)

    def get(self, id: str) -> FactCheck | None:
        """Return the fact-check with this id, or None."""
        row = self._db.execute(f"SELECT {_COLUMNS} FROM checks WHERE id = ? AND alive = 1", (id,)).fetchone()
        return None if row is None else _check(row)

    def fetch(self, nums: Sequence[int]) -> dict[int, FactCheck]:
        """Return the fact-checks with these numbers; one removed meanwhile is absent."""
        found: dict[int, FactCheck] = {}
        for marks, some in pieces([int(num) for num in nums]):
            rows = self._db.execute(f"SELECT {_COLUMNS}, num FROM checks WHERE num IN ({marks}) AND +alive = 1", some)
            found.update((row[-1], _check(row)) for row in rows)
        return found

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the fact-checks with these ids; one that is not there is absent."""
        found: dict[str, int] = {}
        for marks, some in pieces(ids):
            found.update(self._db.execute(f"SELECT id, num FROM checks WHERE id IN ({marks}) AND +alive = 1", some))
        return found

    def since(self, change: int) -> Iterator[tuple[int, int, FactCheck | None]]:
        """Yield (num, change, fact-check, or None if removed) of everything that changed after `change`, oldest first."""
        rows = self._db.execute(f"SELECT {_COLUMNS}, alive, change, num FROM checks WHERE change > ? ORDER BY change, num", (change,))
        for row in rows:
            yield row[-1], row[-2], _check(row) if row[-3] else None

    def pending(self, change: int) -> int:
        """Return how many records changed after `change`."""
        (count,) = self._db.execute("SELECT count(*) FROM checks WHERE change > ?", (change,)).fetchone()
        return int(count)

    def allowed(self, filters: Filters) -> list[int]:
        """Return the numbers of the fact-checks that pass the filters, ascending."""
        where, values = ["alive = 1"], []
        for column, wanted in (("lang", filters.langs), ("publisher", filters.publishers), ("claimant", filters.claimants)):
            if wanted:
                known = self._spelt(column, {name.lower() for name in wanted})
                where.append(f"{column} IN ({', '.join('?' * len(known))})")
                values += known
        if filters.verdicts:
            where.append(f"verdict IN ({', '.join('?' * len(filters.verdicts))})")
            values += [verdict.value for verdict in filters.verdicts]
        if filters.after:
            where.append("published >= ?")
            values.append(filters.after)
        if filters.before:
            where.append("published != '' AND substr(published, 1, ?) <= ?")
            values += [len(filters.before), filters.before]  # type: ignore[list-item]
        rows = self._db.execute(f"SELECT num FROM checks WHERE {' AND '.join(where)} ORDER BY num", values)
        return [num for (num,) in rows]

    def _spelt(self, column: str, wanted: set[str]) -> list[str]:
        """Return every spelling in the column of the names wanted, which are in small letters; SQLite itself lowers only a to z."""
        rows = self._db.execute(f"SELECT DISTINCT {column} FROM checks WHERE alive = 1")
        return [value for (value,) in rows if value.lower() in wanted]

    def linked(self, urls: Iterable[str]) -> dict[int, str]:
        """Return the numbers of fact-checks that name one of these urls, each with the url they share."""
        found: dict[int, str] = {}
        for url in urls:
            for (num,) in self._db.execute("SELECT num FROM links WHERE url = ?", (canonical_url(url),)):
                found.setdefault(num, url)
        return found

    def counts(self, column: str) -> list[tuple[str, int]]:
        """Return (value, how many) of publisher, lang, verdict, claimant or published year, most first."""
        named = ("publisher", "lang", "verdict", "claimant")
        wanted = column if column in named else {"year": "substr(published, 1, 4)"}[column]
        rows = self._db.execute(f"SELECT {wanted} AS name, count(*) AS n FROM checks WHERE alive = 1 GROUP BY name ORDER BY n DESC, name")
        return [(str(name), int(count)) for name, count in rows]

    def judgements(self) -> list[Judgement]:
        """Return every judgement, in the order of claim, fact-check and annotator."""
        rows = self._db.execute("SELECT claim, check_id, grade, annotator, judged_on FROM judgements ORDER BY claim, check_id, annotator")
        return [Judgement(*row) for row in rows]

    def _meta(self, name: str) -> int | None:
        try:
            row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return None
            raise
        return None if row is None else int(row[0])

    def _digests(self, ids: list[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for marks, some in pieces(ids):
            found.update(self._db.execute(f"SELECT id, digest FROM checks WHERE id IN ({marks}) AND +alive = 1", some))
        return found


def salvaged(path: Path) -> Iterator[FactCheck | None]:
    """Yield the fact-checks of a damaged store one by one, None for each row that cannot be read."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")  # else SQLite refuses a file that is shorter than its header says
        last = _greatest(db)
        for num in range(1, last + 1):
            try:
                row = db.execute(f"SELECT {_COLUMNS} FROM checks WHERE num = ? AND +alive = 1", (num,)).fetchone()
                if row is not None:
                    yield _check(row)
            except (sqlite3.DatabaseError, ValueError, TypeError):
                yield None


def _greatest(db: sqlite3.Connection) -> int:
    """The largest number given to a fact-check: from SQLite's own list, since the last page of the table may be the one that is gone."""
    try:
        row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'checks'").fetchone()
        return int(row[0]) if row else 0
    except sqlite3.DatabaseError as error:
        raise BadData(f"nothing of this store can be read ({error}); restore it from a copy") from None


def _said_plainly(path: Path) -> AbstractContextManager[None]:
    remedy = f"restore it from a copy, or save what can be read: twicetold --data {path.parent} doctor --salvage saved.jsonl"
    return said_plainly(path, damaged=remedy)


def _row(check: FactCheck) -> Row:
    appearances = json.dumps(check.appearances, ensure_ascii=False) if check.appearances else "[]"
    other = json.dumps(dict(check.other), ensure_ascii=False, sort_keys=True) if check.other else "{}"
    return (
        check.id, check.claim, check.claimant, check.claimed_on, appearances, check.title, check.body, check.rating,
        check.verdict.value, check.url, check.publisher, check.published, check.lang, other,
    )  # fmt: skip


def _check(row: Sequence[Any]) -> FactCheck:
    id, claim, claimant, claimed_on, appearances, title, body, rating, verdict, url, publisher, published, lang, other = row[:14]
    return FactCheck(
        id, claim, claimant, claimed_on, tuple(json.loads(appearances)) if appearances != "[]" else (), title, body, rating,
        Verdict(verdict), url, publisher, published, lang, json.loads(other) if other != "{}" else {},
    )  # fmt: skip


def _digest(row: Row) -> bytes:
    return hashlib.blake2b("\x1f".join(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
