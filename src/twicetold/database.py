"""SQLite files as the stores and derived indexes open them: in WAL mode, written all or nothing, with errors that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from twicetold.errors import BadData, Locked

_MOST_MARKS = 500
_SECONDS = 10
"""How long another's lock is waited for."""
_CANNOT_WRITE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)

T = TypeVar("T")


def connect(path: Path, *, read_only: bool, cache: int, synchronous: Literal["FULL", "NORMAL"] = "FULL") -> sqlite3.Connection:
    """Open a file, making it unless `read_only`. `cache` is in kilobytes; what is written with FULL survives a power cut."""
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=_SECONDS)
    try:
        if read_only:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        else:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {synchronous}")
    except sqlite3.OperationalError as error:
        db.close()
        if not read_only or error.sqlite_errorcode & 0xFF not in _CANNOT_WRITE:
            raise
        _refuse_what_is_unread(path)
        # A reader of a WAL file must be able to make its shared-memory file; on a read-only disk `immutable` is the way in. Only there:
        # who opens a file so while another writes to it reads pages that do not belong together.
        db = sqlite3.connect(address + "&immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    except sqlite3.DatabaseError:
        db.close()
        raise
    db.execute(f"PRAGMA cache_size = {-cache}")
    db.execute("PRAGMA mmap_size = 0")
    return db


def _refuse_what_is_unread(path: Path) -> None:
    """Raise BadData if there are changes beside the file that could only be read by writing."""
    journal = path.with_name(f"{path.name}-wal")
    if journal.exists() and journal.stat().st_size:
        raise BadData(
            f"the last changes of {path} are in {journal.name}, which cannot be read where nothing may be written; copy the folder to "
            "where you may write, or change its permissions, and try again"
        )


@contextmanager
def together(db: sqlite3.Connection) -> Iterator[None]:
    """Write all that is done within, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def said_plainly(path: Path, *, damaged: str) -> Iterator[None]:
    """Turn SQLite's errors into ours: what happened, to which file, and what to do; `damaged` says that of a file that is."""
    try:
        yield
    except sqlite3.OperationalError as error:
        reason = str(error)
        if "locked" in reason or "busy" in reason:
            raise Locked(f"another process is writing to {path}; wait for it to finish, or stop it, and try again") from None
        if "full" in reason:
            raise BadData(f"the disk is full: nothing of this batch was written to {path}; free some space and try again") from None
        if "readonly" in reason or "unable to open" in reason:
            raise BadData(f"cannot write to {path}: {reason}; choose another folder with --data or change its permissions") from None
        raise BadData(f"cannot use {path}: {reason}") from None
    except sqlite3.DatabaseError as error:
        raise BadData(f"{path} is damaged or not a store ({error}); {damaged}") from None


def portions(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut values into lists of at most `size`. If their source raises, what it gave before comes first, and then its error."""
    some: list[T] = []
    try:
        for value in values:
            some.append(value)
            if len(some) == size:
                full, some = some, []
                yield full
    except Exception:
        if some:
            yield some
        raise
    if some:
        yield some


def pieces(values: Sequence[T]) -> Iterator[tuple[str, list[T]]]:
    """Cut values into lists that one statement can take, each after as many question marks."""
    for start in range(0, len(values), _MOST_MARKS):
        some = list(values[start : start + _MOST_MARKS])
        yield ", ".join("?" * len(some)), some
