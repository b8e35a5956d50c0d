"""A folder with one store and the indexes derived from it: what collections of fact-checks and folders of posts have in common.

The store commits first. Each index follows the store's change counter, so after a crash nothing needs repair. One process writes at a time;
readers take no lock.
"""

from __future__ import annotations

import errno
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from twicetold.database import portions
from twicetold.errors import BadData
from twicetold.lock import held
from twicetold.progress import Progress
from twicetold.store.records import Records, Written

T = TypeVar("T")


class Follower(Protocol):
    """An index that follows a store."""

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        ...


class IndexedFolder(Generic[T]):
    """Records of one kind that can be searched."""

    lock: ClassVar[str]
    """The name of the file that the one writer holds."""
    what: ClassVar[str]
    """What is written, in words."""

    def __init__(self, folder: Path, store: Records[T]) -> None:
        self.folder = folder
        self._records = store
        self._is_held = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._records.close()

    @abstractmethod
    def followers(self) -> list[Follower]:
        """Return the indexes whose records a search needs."""

    # --- writing

    def add(self, records: Iterable[T], *, batch: int = 2_000) -> Iterator[Written]:
        """Put records into the store in batches, yielding after each what it did: by then it is on disk.

        If their source raises, the records it gave before are stored first.
        """
        with self.writing():
            yield from map(self._records.put, portions(records, batch))

    @property
    def pending(self) -> int:
        """How many records the indexes have not caught up with."""
        return self._records.pending(min(index.reached for index in self.followers()))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one writer's lock. Entering again in the same object is free."""
        if self._is_held:
            yield
            return
        busy = f"another process is writing {self.what} to {self.folder}; wait for it to finish and try again"
        with held(self.folder / self.lock, busy=busy, elsewhere="choose another folder with --data"):
            self._is_held = True
            try:
                yield
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise BadData(f"the disk is full: free some space and run: twicetold --data {self.folder} index") from None
                raise
            finally:
                self._is_held = False

    def follow_words(self, index: Any, progress: Progress) -> None:
        """Bring a full-text index up to the store."""
        index.reload()
        total = self._records.pending(index.reached)

        def told() -> Iterator[Any]:
            for done, change in enumerate(self._records.since(index.reached), start=1):
                if done % 1000 == 0:
                    progress("indexing words", done, total)
                yield change

        for done in index.follow(told()):
            progress("indexing words", done, total)
