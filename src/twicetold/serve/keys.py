"""API keys: made here, shown once, kept only as hashes, with the scope `read` or `write`.

A key is 256 random bits, so a plain SHA-256 is enough: there is no dictionary to try, and looking up a hash leaks nothing by its timing.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from dataclasses import dataclass
from typing import Literal

from twicetold.errors import BadInput
from twicetold.serve.ledger import Ledger

Scope = Literal["read", "write"]
_PREFIX = "tt_"


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key. `hint` is its beginning, enough to tell keys apart and useless to guess with."""

    name: str
    scope: Scope
    hint: str
    made_on: str

    @property
    def may_write(self) -> bool:
        """True if the key may change the collection."""
        return self.scope == "write"


class Keys:
    """The keys of one server."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def new(self, name: str, scope: Scope) -> str:
        """Make a key and return it; it cannot be shown again. A name is taken once: BadInput otherwise."""
        if not name.strip() or len(name) > 100:
            raise BadInput("a key wants a name of 1 to 100 characters that says who uses it")
        if self._ledger.row("SELECT 1 FROM keys WHERE name = ?", name):
            raise BadInput(f"there is a key named {name!r} already; revoke it first or choose another name")
        key = _PREFIX + secrets.token_urlsafe(32)
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        self._ledger.run("INSERT INTO keys VALUES (?, ?, ?, ?, ?)", _digest(key), name, scope, key[:7], today)
        return key

    def revoke(self, name: str) -> bool:
        """Make a key worthless at once; False if there is none of this name."""
        return self._ledger.run("DELETE FROM keys WHERE name = ?", name) > 0

    def find(self, key: str) -> Key | None:
        """Return what is known of this key, or None for a wrong one."""
        if not key.startswith(_PREFIX):
            return None
        row = self._ledger.row("SELECT name, scope, hint, made_on FROM keys WHERE digest = ?", _digest(key))
        return None if row is None else Key(*row)

    def every(self) -> list[Key]:
        """Return all keys by name."""
        return [Key(*row) for row in self._ledger.rows("SELECT name, scope, hint, made_on FROM keys ORDER BY name")]


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
