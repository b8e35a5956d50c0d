"""API keys: made here, shown once, kept only as hashes, with the scope `read` or `write`.

A key is 256 random bits, so a plain SHA-256 is enough: there is no dictionary to try, and looking up a hash leaks nothing by its timing.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import sqlite3
from dataclasses import dataclass
from typing import Literal

from twicetold.errors import BadInput
from twicetold.serve.ledger import Ledger

Scope = Literal["read", "write"]
_PREFIX = "tt_"
_LONGEST = 200
_COLUMNS = "name, scope, hint, made_on, ends_on, used_at"


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key. `hint` is its beginning, enough to tell keys apart and useless to guess with.

    `ends_on` is the last day it works, empty if it does not end; `used_at` is when it was last used, to the nearest ten minutes.
    """

    name: str
    scope: Scope
    hint: str
    made_on: str
    ends_on: str = ""
    used_at: str = ""

    @property
    def may_write(self) -> bool:
        """True if the key may change the collection."""
        return self.scope == "write"

    @property
    def is_over(self) -> bool:
        """True if its last day is past."""
        return self.ends_on != "" and self.ends_on < _today()


class Keys:
    """The keys of one server."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def new(self, name: str, scope: Scope, *, ends_on: str = "") -> str:
        """Make a key and return it; it cannot be shown again. A name is taken once: BadInput otherwise."""
        if not name.strip() or len(name) > 100:
            raise BadInput("a key wants a name of 1 to 100 characters that says who uses it")
        if self.ledger.row("SELECT 1 FROM keys WHERE name = ?", name):
            raise BadInput(f"there is a key named {name!r} already; revoke it first or choose another name")
        key = _PREFIX + secrets.token_urlsafe(32)
        self.ledger.run(
            "INSERT INTO keys (digest, name, scope, hint, made_on, ends_on) VALUES (?, ?, ?, ?, ?, ?)",
            _digest(key), name, scope, key[:7], _today(), ends_on,
        )  # fmt: skip
        return key

    def revoke(self, name: str) -> bool:
        """Make a key worthless at once, and end what was signed in with it; False if there is none of this name."""
        with self.ledger.together() as db:
            db.execute("DELETE FROM sessions WHERE key = ?", (name,))
            return db.execute("DELETE FROM keys WHERE name = ?", (name,)).rowcount > 0

    def find(self, key: str) -> Key | None:
        """Return what is known of this key, or None for a wrong one."""
        if not key.startswith(_PREFIX) or len(key) > _LONGEST:
            return None
        return self._used(self.ledger.row(f"SELECT {_COLUMNS} FROM keys WHERE digest = ?", _digest(key)))

    def named(self, name: str) -> Key | None:
        """Return the key of this name, or None if there is none or it is over."""
        return self._used(self.ledger.row(f"SELECT {_COLUMNS} FROM keys WHERE name = ?", name))

    def every(self) -> list[Key]:
        """Return all keys by name."""
        return [Key(*row) for row in self.ledger.rows(f"SELECT {_COLUMNS} FROM keys ORDER BY name")]

    def _used(self, row: sqlite3.Row | None) -> Key | None:
        """Note that a key is used, unless it is over. Not more often than anyone wants to know: a note is a write to the disk."""
        key = None if row is None else Key(*row)
        if key is None or key.is_over:
            return None
        now = datetime.datetime.now(datetime.UTC)
        used_at = f"{now:%Y-%m-%dT%H}:{now.minute // 10}0Z"
        if key.used_at != used_at:
            self.ledger.run("UPDATE keys SET used_at = ? WHERE name = ?", used_at, key.name)
        return key


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
