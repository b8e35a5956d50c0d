"""A folder of posts, opened: the store and the two indexes derived from it. It stands beside the fact-checks of the same data folder.

    folder/posts.db        the truth (SQLite)
    folder/posts.json      which vectors the index was made with
    folder/posts-text/     full text (tantivy), derived: the words of a post, and those of what it replies to
    folder/posts-vectors/  one vector a post, derived
    folder/posts.lock      held by the one process that writes

Copies of a post (shares, near-duplicates) are stored and counted, not indexed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from twicetold.errors import BadData, NoCollection
from twicetold.index.folder import Follower, IndexedFolder
from twicetold.index.rows import Field, Row
from twicetold.index.text import TextIndex
from twicetold.index.vectors import VectorIndex
from twicetold.posts.store import PostStore, Spoken
from twicetold.progress import Progress, silent
from twicetold.store import Written
from twicetold.types import Post

__all__ = ["PostStore", "Posts", "Spoken"]

Change = tuple[int, int, Spoken | None]

_VECTOR_BATCH = 500_000
_ENCODED = 5_000
"""Texts given to the encoder at once: a tokenizer keeps some kilobytes for each."""
_FORMAT = 1


class Encodes(Protocol):
    """Turns texts into unit vectors."""

    version: str
    dim: int

    def encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]: ...


class Posts(IndexedFolder[Post]):
    """Posts that can be searched. Open them with `open`, or make a folder of them with `create`."""

    lock, what = "posts.lock", "posts"

    def __init__(self, folder: Path, store: PostStore, vectors_by: str) -> None:
        super().__init__(folder, store)
        self.store = store
        self.vectors_by = vectors_by

    @classmethod
    def create(cls, folder: str | Path, *, vectors_by: str = "static") -> Posts:
        """Open the posts in this folder for writing, making them if they are not there.

        `vectors_by` applies to new ones only: "static" (token vectors, thousands of posts a second), "encoder" (the shipped
        transformer, better and two hundred times slower), a folder with an encoder, or "none".
        """
        place = Path(folder)
        if place.is_file():
            raise BadData(f"{place} is a file; --data wants a folder")
        try:
            place.mkdir(parents=True, exist_ok=True)
            kept = _read_settings(place)
            if kept is None:
                kept = vectors_by
                (place / "posts.json").write_text(json.dumps({"format": _FORMAT, "vectors_by": kept}) + "\n", encoding="utf-8")
        except OSError as error:
            raise BadData(f"cannot write to {place}: {error.strerror}; choose another folder with --data") from None
        return cls(place, PostStore(place / "posts.db"), kept)

    @classmethod
    def open(cls, folder: str | Path) -> Posts:
        """Open existing posts for reading."""
        place = Path(folder)
        if not (place / "posts.db").is_file():
            raise NoCollection(f"there are no posts in {place} yet; add some with: twicetold --data {place} ingest-posts SOURCE")
        return cls(place, PostStore(place / "posts.db", read_only=True), _read_settings(place) or "static")

    @cached_property
    def text(self) -> TextIndex:
        """The full-text index."""
        return TextIndex(self.folder / "posts-text", fields=("text", "context"))

    @cached_property
    def encoder(self) -> Encodes | None:
        """What makes the vectors, or None when posts are found by words alone."""
        from twicetold.index.encoder import Encoder, StaticEncoder

        if self.vectors_by == "none":
            return None
        if self.vectors_by == "static":
            return StaticEncoder.load()
        return Encoder.load(None if self.vectors_by == "encoder" else self.vectors_by)

    @cached_property
    def vectors(self) -> VectorIndex | None:
        """The vector index: a post's one vector stands where a fact-check has that of its claim."""
        if self.encoder is None:
            return None
        return VectorIndex(self.folder / "posts-vectors", dim=self.encoder.dim, encoder=self.encoder.version)

    # --- writing

    def add(self, records: Iterable[Post], *, batch: int = 5_000) -> Iterator[Written]:
        """Put posts into the store in batches, yielding after each what it did: by then it is on disk."""
        return super().add(records, batch=batch)

    def index(self, progress: Progress = silent) -> None:
        """Bring both indexes up to the store."""
        with self.writing():
            self.follow_words(self.text, progress)
            self._follow_vectors(progress)

    def rebuild(self, progress: Progress = silent) -> None:
        """Throw the indexes away and make them anew."""
        with self.writing():
            for name in ("text", "vectors"):
                shutil.rmtree(self.folder / f"posts-{name}", ignore_errors=True)
                self.__dict__.pop(name, None)
            self.index(progress)

    def followers(self) -> list[Follower]:
        """Return the indexes of words and of meanings."""
        return [self.text] if self.vectors is None else [self.text, self.vectors]

    def refresh(self) -> int:
        """See what others have written, and return how many records are not indexed yet."""
        self.text.reload()
        if self.vectors is not None:
            self.vectors.refresh()
        return self.pending

    def _follow_vectors(self, progress: Progress) -> None:
        vectors, encoder = self.vectors, self.encoder
        if vectors is None or encoder is None:
            return
        vectors.refresh()
        total, done = self.store.pending(vectors.reached), 0
        for changes in _batches(self.store.since(vectors.reached), _VECTOR_BATCH):
            batch = list(changes)
            wanted = {Row(num, "claim", _digest(post.text)): post.text for num, _, post in batch if post is not None}
            fresh = {row: text for row, text in wanted.items() if not vectors.known(row)}
            gone: list[tuple[int, Field]] = [(num, "claim") for num, _, post in batch if post is None]
            encoded = [np.zeros((0, encoder.dim), np.float32)]
            for texts in _cut(list(fresh.values()), _ENCODED):
                encoded.append(encoder.encode(texts))
                progress("indexing meanings", done + sum(map(len, encoded)), total)
            vectors.write(list(fresh), np.concatenate(encoded), gone, reached=batch[-1][1])
            done += len(batch)


def _batches(changes: Iterator[Change], size: int) -> Iterator[Iterator[Change]]:
    """Cut changes into streams of about `size`, never inside one change counter."""
    groups = (list(together) for _, together in groupby(changes, key=lambda change: change[1]))
    for first in groups:
        yield _until(first, groups, size)


def _until(first: list[Change], groups: Iterator[list[Change]], size: int) -> Iterator[Change]:
    given = len(first)
    yield from first
    while given < size and (group := next(groups, None)) is not None:
        given += len(group)
        yield from group


def _cut(texts: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def _read_settings(folder: Path) -> str | None:
    path = folder / "posts.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["vectors_by"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} cannot be read ({error}); restore it, or delete it to use the defaults") from None
