"""The collection as readers see it: whole snapshots, opened beside the one in use and swapped in when the indexes have changed.

A reader never waits for a writer and never sees half of a change. Each lane of a snapshot is used by one thread at a time; all lanes
share the encoder and the vectors, which are not written to after loading. Nothing here writes, but for making an empty collection.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from twicetold.answer import HYBRID, Answerer, Asking
from twicetold.collection import Collection, Parts, Settings, Where, located, read_settings
from twicetold.errors import BadData, TwicetoldError
from twicetold.index.encoder import EncoderChoice, StaticEncoder
from twicetold.types import Claim

_FOLLOWED = ("text/meta.json", "vectors/manifest.json", "settings.json")
"""The files whose change means that there is something new to find."""


class Readers:
    """Lends the collection to as many threads as it has lanes."""

    def __init__(self, where: Where, *, lanes: int) -> None:
        self.location = located(where)
        self._lanes = lanes
        self._lock = threading.Lock()
        self._shared = Parts()
        self._encoder_choice: EncoderChoice | None = None
        if not (self.location.folder / "store.db").exists():
            Collection.create(self.location).close()
        self._snapshot = self._open()

    @contextmanager
    def lend(self) -> Iterator[Collection]:
        """Lend the newest snapshot to one thread; waits while all lanes are out."""
        with self._lock:
            snapshot = self._snapshot
            snapshot.lent += 1
        collection = snapshot.free.get()
        try:
            yield collection
        finally:
            snapshot.free.put(collection)
            with self._lock:
                snapshot.lent -= 1
                is_over = snapshot.lent == 0 and snapshot is not self._snapshot
            if is_over:
                snapshot.close()

    @contextmanager
    def lane(self) -> Iterator[Collection]:
        """A lane of one's own, for work that goes on for long; the lanes of `lend` stay free for the others."""
        with self._lock:
            shared = self._snapshot.lanes[0]
            lane = self._beside(shared)
        try:
            yield lane
        finally:
            lane.close()

    def look(self) -> bool:
        """Swap in a newer snapshot if the indexes have changed; True if they had."""
        if _state(self.location.folder) == self._snapshot.state:
            return False
        try:
            fresh = self._open()
        except BadData:  # a writer was just replacing files: the next look finds them whole
            return False
        with self._lock:
            old, self._snapshot = self._snapshot, fresh
            is_over = old.lent == 0
        if is_over:
            old.close()
        return True

    def close(self) -> None:
        """Close the present snapshot; no one may be reading."""
        self._snapshot.close()

    def _open(self) -> _Snapshot:
        state = _state(self.location.folder)
        first = Collection.open(self.location, parts=self._models())
        try:
            lanes = [first]
            for _ in range(self._lanes - 1):
                lanes.append(self._beside(first))
            for lane in lanes:  # the first question maps files and fills tables; it should not be a user's
                Answerer(lane, HYBRID, Asking(top=1))([Claim("warm", "a first question")])
        except TwicetoldError:
            first.close()
            raise
        return _Snapshot(state, lanes)

    def _beside(self, other: Collection) -> Collection:
        return Collection.open(self.location, parts=Parts(other.encoder, other.static, other.vectors, threads=self._lanes))

    def _models(self) -> Parts:
        """The models of the collection's settings, opened once and kept until the settings name another encoder."""
        choice = (read_settings(self.location.folder) or Settings()).encoder
        if self._encoder_choice != choice:
            # A question alone is encoded by as many threads as may answer at once; beside others it gets what they leave it.
            encoder, static = choice.load(threads=self._lanes), self._shared.static or StaticEncoder.load()
            self._shared = Parts(encoder, static, threads=self._lanes)
            self._encoder_choice = choice
        return self._shared


class _Snapshot:
    def __init__(self, state: tuple[object, ...], lanes: list[Collection]) -> None:
        self.state = state
        self.lanes = lanes
        self.lent = 0
        self.free: queue.LifoQueue[Collection] = queue.LifoQueue()  # the one used last remembers most
        for lane in lanes:
            self.free.put(lane)

    def close(self) -> None:
        for lane in self.lanes:
            lane.close()


def _state(folder: Path) -> tuple[object, ...]:
    found: list[object] = []
    for name in _FOLLOWED:
        try:
            status = (folder / name).stat()
            found.append((status.st_mtime_ns, status.st_ino, status.st_size))
        except FileNotFoundError:
            found.append(None)
    return tuple(found)
