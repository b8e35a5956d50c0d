"""Fact-checks, judgements and the links they name, in one SQLite file. It does not search text."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.database import pieces
from twicetold.errors import BadData
from twicetold.filters import Filters
from twicetold.links import canonical_url
from twicetold.store.records import Records, Row, Table, Written, digest_of
from twicetold.types import FactCheck, Verdict

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


@dataclass(frozen=True, slots=True)
class Judgement:
    """A person's word on whether a fact-check answers a claim: grade 1 yes, 0 no."""

    claim: str
    check_id: str
    grade: int
    annotator: str
    judged_on: str


@dataclass(frozen=True, slots=True)
class Found:
    """A page of fact-checks, and how many there are on all pages."""

    total: int
    checks: tuple[FactCheck, ...]


class Store(Records[FactCheck]):
    """The store of fact-checks."""

    table = Table(
        "checks", _FIELDS, _TABLES, ingest="ingest",
        damaged="restore it from a copy, or save what can be read: twicetold --data {folder} doctor --salvage saved.jsonl",
    )  # fmt: skip

    def _record(self, row: Sequence[Any]) -> FactCheck:
        return _check(row)

    # --- writing

    def put(self, records: Iterable[FactCheck]) -> Written:
        """Add or update by id, all or nothing, and return what changed. Records equal to what is there cost no change."""
        batch = {check.id: check for check in records}
        written = Written()
        with self._writing():
            change = self.change + 1
            known = self._digests(list(batch))
            for check in batch.values():
                row = _row(check)
                digest = digest_of(row)
                if known.get(check.id) == digest:
                    written += Written(same=1)
                    continue
                written += Written(changed=1) if check.id in known else Written(added=1)
                self._put_one(row, digest, change)
            if written.added or written.changed:
                self._reach(change)
        return written

    def _remove_one(self, num: int, id: str, change: int) -> None:
        self._put_one(_row(FactCheck(id)), b"", change, alive=0)

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
            pair = "claim = ? AND check_id = ? AND annotator = ?"
            return self._db.execute(f"DELETE FROM judgements WHERE {pair}", (claim, check_id, annotator)).rowcount > 0

    def _count_judged(self) -> None:
        self._db.execute("INSERT INTO meta VALUES ('judged', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1")

    def _put_one(self, row: Row, digest: bytes, change: int, alive: int = 1) -> None:
        (num,) = self._db.execute(_UPSERT, (change, alive, digest, *row)).fetchone()
        self._db.execute("DELETE FROM links WHERE num = ?", (num,))
        urls = {canonical_url(url) for url in (row[_URL], *json.loads(row[_APPEARANCES])) if url}
        self._db.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", [(url, num) for url in urls])

    # --- reading

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

    def since(self, change: int) -> Iterator[tuple[int, int, FactCheck | None]]:
        """Yield (num, change, fact-check, or None if removed) of everything that changed after `change`, oldest first."""
        rows = self._db.execute(f"SELECT {_COLUMNS}, alive, change, num FROM checks WHERE change > ? ORDER BY change, num", (change,))
        for row in rows:
            yield row[-1], row[-2], _check(row) if row[-3] else None

    def allowed(self, filters: Filters) -> list[int]:
        """Return the numbers of the fact-checks that pass the filters, ascending."""
        where, values = self._passing(filters)
        rows = self._db.execute(f"SELECT num FROM checks WHERE {where} ORDER BY num", values)
        return [num for (num,) in rows]

    def browse(self, filters: Filters, words: Sequence[str] = (), *, newest_first: bool = True, start: int = 0, count: int = 25) -> Found:
        """Return a page of the fact-checks whose claim or title holds every word and that pass the filters, by date; undated ones last."""
        where, values = self._passing(filters)
        for word in words:
            where += " AND (claim LIKE ? ESCAPE '!' OR title LIKE ? ESCAPE '!')"
            values += ["%" + re.sub("([%_!])", r"!\1", word) + "%"] * 2
        (total,) = self._db.execute(f"SELECT count(*) FROM checks WHERE {where}", values).fetchone()
        order = "published DESC" if newest_first else "published = '', published"
        page = f"SELECT {_COLUMNS} FROM checks WHERE {where} ORDER BY {order}, num LIMIT ? OFFSET ?"
        return Found(int(total), tuple(_check(row) for row in self._db.execute(page, [*values, count, start])))

    def _passing(self, filters: Filters) -> tuple[str, list[str | int]]:
        """Return the condition that filters amount to, and its values."""
        where: list[str] = ["alive = 1"]
        values: list[str | int] = []
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
            values += [len(filters.before), filters.before]
        return " AND ".join(where), values

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
