"""Standard input that ends at Ctrl-C as at its end, so that what was heard of a live stream is answered before the program goes."""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import BinaryIO


class UntilStopped(io.RawIOBase):
    """The bytes of a descriptor up to its end or the first Ctrl-C; half a line that came before it is not lost."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_waiting = False
        self.is_stopped = False

    def readable(self) -> bool:
        """Return True, as a raw stream must say."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Wait for some bytes; none is the end."""
        if self.is_stopped:
            return 0
        try:
            self._is_waiting = True
            content = os.read(self._descriptor, len(buffer))
            self._is_waiting = False
        except KeyboardInterrupt:
            return 0
        buffer[: len(content)] = content
        return len(content)

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Hear Ctrl-C: the first ends the stream, now if it is waited for, else before the next wait; the second ends the program."""
        if self.is_stopped:
            raise KeyboardInterrupt
        self.is_stopped = True
        if self._is_waiting:
            self._is_waiting = False
            raise KeyboardInterrupt


@contextmanager
def until_stopped(stream: BinaryIO) -> Iterator[tuple[BinaryIO, UntilStopped | None]]:
    """Give the stream so that Ctrl-C ends it, and what tells whether it did; as it is where it is no descriptor or this no main thread."""
    try:
        descriptor = stream.fileno()
    except (OSError, AttributeError):
        descriptor = -1
    if descriptor < 0 or threading.current_thread() is not threading.main_thread():
        yield stream, None
        return
    raw = UntilStopped(descriptor)
    before = signal.signal(signal.SIGINT, raw.stop)
    try:
        yield io.BufferedReader(raw), raw
    finally:
        signal.signal(signal.SIGINT, before)
