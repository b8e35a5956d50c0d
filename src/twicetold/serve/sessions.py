"""Signed-in browsers. The cookie holds a session of its own, never the key: it ends by itself, when the key does, and at signing out.

A link that signs in, as `twicetold serve` prints it, holds a code that works once and for a few minutes. Sessions and codes are random
and kept as hashes only. The cookie header is read here, in one pass: the standard library's reading of quoted values takes the square of
their length before Python 3.11.10.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable

from twicetold.serve.keys import Key, Keys
from twicetold.serve.ledger import Ledger

COOKIE = "twicetold_session"
DAYS = 30
CODE_SECONDS = 600.0
_MOST = 10_000
_LONGEST_TOKEN = 200


class Sessions:
    """The sessions of one server; `keys` says what each may do."""

    def __init__(self, ledger: Ledger, keys: Keys) -> None:
        self._ledger = ledger
        self._keys = keys

    def begin(self, key: Key) -> str:
        """Sign a browser in with a key; return what its cookie holds."""
        self._tidy_up()
        return self._keep(key, "session", DAYS * 86_400)

    def code(self, key: Key) -> str:
        """Return a code that signs one browser in, once, within CODE_SECONDS."""
        return self._keep(key, "code", CODE_SECONDS)

    def redeem(self, code: str) -> str:
        """Sign in with a code; return what the cookie holds, or "" for a code that is wrong, used or too old."""
        with self._ledger.together() as db:
            row = db.execute(
                "DELETE FROM sessions WHERE digest = ? AND kind = 'code' AND ends_at > ? RETURNING key", (_digest(code), time.time())
            ).fetchone()
        key = None if row is None else self._keys.named(str(row[0]))
        return "" if key is None else self.begin(key)

    def find(self, token: str) -> Key | None:
        """Return the key that a browser signed in with, or None if the session is over or was never one."""
        if not token or len(token) > _LONGEST_TOKEN:
            return None
        row = self._ledger.row(
            "SELECT key FROM sessions WHERE digest = ? AND kind = 'session' AND ends_at > ?", _digest(token), time.time()
        )
        return None if row is None else self._keys.named(str(row[0]))

    def end(self, token: str) -> None:
        """Sign out."""
        self._ledger.run("DELETE FROM sessions WHERE digest = ?", _digest(token))

    def _keep(self, key: Key, kind: str, seconds: float) -> str:
        token = secrets.token_urlsafe(32)
        self._ledger.run(
            "INSERT INTO sessions (digest, key, kind, ends_at) VALUES (?, ?, ?, ?)", _digest(token), key.name, kind, time.time() + seconds
        )
        return token

    def _tidy_up(self) -> None:
        """Forget what is over, and the oldest where there are too many."""
        self._ledger.run("DELETE FROM sessions WHERE ends_at <= ? OR num <= (SELECT max(num) FROM sessions) - ?", time.time(), _MOST)


def cookie_in(headers: Iterable[tuple[bytes, bytes]], name: str = COOKIE) -> str:
    """Return what a cookie of this name holds, as it stands, or "".

    >>> cookie_in([(b"cookie", b"a=1; twicetold_session=xyz"), (b"host", b"localhost")])
    'xyz'
    """
    wanted = name.encode("ascii")
    for header, value in headers:
        if header == b"cookie":
            for pair in value.split(b";"):
                told, _, held = pair.partition(b"=")
                if told.strip() == wanted:
                    return held.strip()[:_LONGEST_TOKEN].decode("ascii", "ignore")
    return ""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
