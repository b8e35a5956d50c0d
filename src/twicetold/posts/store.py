"""Posts in one SQLite file, with the copies of a post tied to the first that came.

Only first posts are handed to indexes; copies are counted. It does not search text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from twicetold.database import pieces
from twicetold.posts.clean import plain
from twicetold.posts.sketch import are_copies, keys, keys_of
from twicetold.store.records import Records, Table, Written, digest_of
from twicetold.types import Post

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS posts (
    num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, change INTEGER NOT NULL, alive INTEGER NOT NULL,
    first INTEGER NOT NULL, digest BLOB NOT NULL, text TEXT NOT NULL, author TEXT NOT NULL, posted TEXT NOT NULL,
    lang TEXT NOT NULL, url TEXT NOT NULL, parent TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS posts_change ON posts (change);
CREATE INDEX IF NOT EXISTS posts_copies ON posts (first) WHERE first > 0;
CREATE INDEX IF NOT EXISTS posts_parent ON posts (parent) WHERE parent != '';
CREATE TABLE IF NOT EXISTS sketches (key INTEGER NOT NULL, num INTEGER NOT NULL, PRIMARY KEY (key, num)) WITHOUT ROWID;
"""
_FIELDS = ("id", "text", "author", "posted", "lang", "url", "parent")
_COLUMNS = ", ".join(_FIELDS)
_UPDATES = ", ".join(f"{name} = excluded.{name}" for name in ("change", "alive", "first", "digest", *_FIELDS[1:]))
_PUT = (
    f"INSERT INTO posts (change, alive, first, digest, {_COLUMNS}) VALUES (?, 1, ?, ?{', ?' * len(_FIELDS)}) "
    f"ON CONFLICT (id) DO UPDATE SET {_UPDATES} RETURNING num"
)
_MOST_CANDIDATES = 24
"""Posts with a common key that are compared with a new one; keys shared by more are of a stock phrase."""
_MET = "SELECT DISTINCT p.num, p.text, p.parent FROM sketches s JOIN posts p USING (num) WHERE s.key IN (?, ?, ?) ORDER BY p.num LIMIT ?"
_MOST_ANCESTORS = 4
_WRITERS_CACHE = 256_000
"""Sketches are met in random order: with SQLite's 2 MB of cache, a million posts spend most of their time rereading pages."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A post as its indexes see it: its words, and those of what it replies to."""

    text: str
    context: str
    lang: str


class PostStore(Records[Post]):
    """The store of posts."""

    table = Table(
        "posts", _FIELDS, _TABLES, ingest="ingest-posts", damaged="restore it from a copy, or ingest the posts into a new folder",
        writers_cache=_WRITERS_CACHE,
    )  # fmt: skip

    def _record(self, row: Sequence[Any]) -> Post:
        return Post(*row[: len(_FIELDS)])

    # --- writing

    def put(self, records: Iterable[Post]) -> Written:
        """Add or update by id, all or nothing. A post equal to what is there costs no change."""
        batch = {post.id: post for post in records}
        written = Written()
        with self._writing():
            change = self.change + 1
            known = self._known(list(batch))
            digests = {post.id: digest_of(_values(post)) for post in batch.values()}
            fresh = [post for post in batch.values() if known.get(post.id, (0, b""))[1] != digests[post.id]]
            for post, marks in zip(fresh, keys_of([post.text for post in fresh]), strict=True):
                num, before = known.get(post.id, (0, b""))
                written += Written(changed=1) if before else Written(added=1)
                self._put_one(post, marks, (change, digests[post.id]), num)
            if fresh:
                # A reply that came before what it replies to gets its context now.
                self._db.executemany("UPDATE posts SET change = ? WHERE parent = ? AND parent != ''", ((change, post.id) for post in fresh))
                self._reach(change)
        return written + Written(same=len(batch) - len(fresh))

    def _remove_one(self, num: int, id: str, change: int) -> None:
        """Delete text and all. The first of a removed post's copies takes its place."""
        self._forget(num)
        self._db.execute(
            "UPDATE posts SET change = ?, alive = 0, first = 0, digest = x'', text = '', author = '', posted = '', lang = '', "
            "url = '', parent = '' WHERE num = ?",
            (change, num),
        )
        self._promote(num, change)

    def _promote(self, gone: int, change: int) -> None:
        heir = self._db.execute(
            "SELECT num, text FROM posts WHERE first = ? AND first > 0 AND alive = 1 ORDER BY num LIMIT 1", (gone,)
        ).fetchone()
        if heir is None:
            return
        self._db.execute("UPDATE posts SET first = ? WHERE first = ? AND first > 0", (heir[0], gone))
        self._db.execute("UPDATE posts SET first = 0, change = ? WHERE num = ?", (change, heir[0]))
        self._db.executemany("INSERT OR IGNORE INTO sketches VALUES (?, ?)", ((key, heir[0]) for key in keys(heir[1])))

    def _put_one(self, post: Post, marks: Sequence[int], at_change: tuple[int, bytes], num: int) -> None:
        if num:
            self._forget(num)
        first = self._first(post, marks, num)
        (at,) = self._db.execute(_PUT, (at_change[0], first, at_change[1], *_values(post))).fetchone()
        if not first:
            self._db.executemany("INSERT OR IGNORE INTO sketches VALUES (?, ?)", ((key, at) for key in marks))

    def _forget(self, num: int) -> None:
        (text,) = self._db.execute("SELECT text FROM posts WHERE num = ?", (num,)).fetchone()
        self._db.executemany("DELETE FROM sketches WHERE key = ? AND num = ?", ((key, num) for key in keys(text)))

    def _first(self, post: Post, marks: Sequence[int], num: int) -> int:
        """The number of the earlier post that this one copies, or 0. Replies to different posts are not copies: "Fake." says two things."""
        if not marks:
            return 0
        for other, text, parent in self._db.execute(_MET, (*marks, _MOST_CANDIDATES)):
            if other != num and parent == post.parent and are_copies(post.text, text):
                return int(other)
        return 0

    # --- reading

    def with_ids(self, ids: Iterable[str]) -> dict[str, Post]:
        """Return the posts with these ids; unknown ones are absent."""
        found: dict[str, Post] = {}
        for marks, some in pieces(list(ids)):
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM posts WHERE id IN ({marks}) AND alive = 1", some)
            found.update((row[0], Post(*row)) for row in rows)
        return found

    def firsts(self, ids: Sequence[str]) -> dict[str, str]:
        """Return, for each known id, the id of the post it copies, or its own."""
        found: dict[str, str] = {}
        for marks, some in pieces(ids):
            rows = self._db.execute(
                "SELECT p.id, coalesce(f.id, p.id) FROM posts p LEFT JOIN posts f ON p.first = f.num "
                f"WHERE p.id IN ({marks}) AND p.alive = 1",
                some,
            )
            found.update(rows)
        return found

    def copies(self, ids: Sequence[str]) -> dict[str, list[Post]]:
        """Return the copies of these first posts, oldest number first; a post without any is absent."""
        found: dict[str, list[Post]] = defaultdict(list)
        columns = ", ".join(f"c.{name}" for name in _FIELDS)
        for marks, some in pieces(ids):
            rows = self._db.execute(
                f"SELECT f.id, {columns} FROM posts f JOIN posts c ON c.first = f.num AND c.first > 0 "
                f"WHERE f.id IN ({marks}) AND c.alive = 1 ORDER BY c.num",
                some,
            )
            for row in rows:
                found[row[0]].append(Post(*row[1:]))
        return dict(found)

    def since(self, change: int) -> Iterator[tuple[int, int, Spoken | None]]:
        """Yield (num, change, post to index; None if removed or a copy) of everything that changed after `change`, oldest first."""
        rows = self._db.execute(
            "SELECT num, change, alive, first, text, lang, parent FROM posts WHERE change > ? ORDER BY change, num", (change,)
        )
        for num, at, alive, first, text, lang, parent in rows:
            is_indexed = alive and not first
            yield num, at, Spoken(plain(text), self._context(parent), lang) if is_indexed else None

    def _context(self, parent: str) -> str:
        return " ".join(plain(post.text) for post in self.ancestors(parent))

    def ancestors(self, parent: str) -> list[Post]:
        """Return what a reply to `parent` stands under, nearest first, as far up as is known and at most four steps."""
        found: list[Post] = []
        while parent and len(found) < _MOST_ANCESTORS:
            post = self.get(parent)
            if post is None or post in found:
                break
            found.append(post)
            parent = post.parent
        return found

    def counts(self) -> dict[str, int]:
        """Return how many posts there are by language, most first; "" stands for unknown."""
        rows = self._db.execute("SELECT lang, count(*) AS n FROM posts WHERE alive = 1 GROUP BY lang ORDER BY n DESC, lang")
        return {str(lang): int(count) for lang, count in rows}

    def _known(self, ids: list[str]) -> dict[str, tuple[int, bytes]]:
        found: dict[str, tuple[int, bytes]] = {}
        for marks, some in pieces(ids):
            rows = self._db.execute(f"SELECT id, num, digest FROM posts WHERE id IN ({marks})", some)
            found.update((id, (num, digest)) for id, num, digest in rows)
        return found


def _values(post: Post) -> tuple[str, ...]:
    """The columns of `_FIELDS`, in their order."""
    return post.id, post.text, post.author, post.posted, post.lang, post.url, post.parent
