"""What is uploaded is read in another process (`twicetold.serve.parser`), which is killed when it takes too long.

A text or a picture that keeps a parser busy for ever then costs its sender an answer, and nobody else anything. The process is started
with the first upload and kept for the next.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, BadInput, MissingExtra
from twicetold.ingest.problems import Problem as Unread
from twicetold.serve.problems import Problem
from twicetold.types import Line

SPEECH_SECONDS = 30.0
PICTURE_SECONDS = 60.0
_BLOCK = 1 << 16
_LARGEST_ANSWER = 256 << 20


class Parsing:
    """One process that reads uploads, one at a time; further uploads wait for it as long as they may take themselves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def speech(self, content: bytes, *, name: str, format: str, seconds: float = SPEECH_SECONDS) -> list[Line | Unread]:
        """Read a transcript: its lines, and between them what cannot be read.

        Raises BadInput if there is no line, Problem if it takes too long.
        """
        told = self._ask({"kind": "speech", "name": name, "format": format}, content, seconds)
        return [Line(*one) if len(one) == 4 else Unread(*one) for one in told["read"]]

    def picture(self, path: Path, *, seconds: float = PICTURE_SECONDS) -> str:
        """Read the words of a picture. Raises BadInput if it is none, Problem if it takes too long."""
        return str(self._ask({"kind": "picture", "path": str(path)}, b"", seconds)["text"])

    def stop(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ask(self, request: dict[str, Any], content: bytes, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise Problem("busy", "other uploads are being read", {"Retry-After": "10"})
        try:
            told = self._told(request, content, until)
        except _Ended:
            self._end()
            raise BadInput(f"{request.get('name', 'the file')} cannot be read: it needs more memory than there is for it") from None
        except TimeoutError:
            self._end()
            raise Problem("too-slow", f"what was sent could not be read within {seconds:g} seconds; send less of it at a time") from None
        finally:
            self._lock.release()
        if "error" in told:
            raise _ERRORS.get(told.get("kind", ""), BadInput)(told["error"])
        return told

    def _told(self, request: dict[str, Any], content: bytes, until: float) -> dict[str, Any]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "twicetold.serve.parser"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                os.set_blocking(pipe.fileno(), False)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        for part in (json.dumps(request).encode(), content):
            _write(self._process.stdin.fileno(), len(part).to_bytes(8, "big") + part, until)
        source = self._process.stdout.fileno()
        size = int.from_bytes(_read(source, 8, until), "big")
        if size > _LARGEST_ANSWER:
            raise _Ended
        told: dict[str, Any] = json.loads(_read(source, size, until))
        return told

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process = None


class _Missing(MissingExtra):
    """An extra that the other process missed; the message is whole already."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)


_ERRORS: dict[str, Any] = {"BadInput": BadInput, "BadData": BadData, "MissingExtra": _Missing}


class _Ended(Exception):
    """The other process ended in the middle."""


def _write(pipe: int, content: bytes, until: float) -> None:
    rest = memoryview(content)
    for _ in _ready(pipe, selectors.EVENT_WRITE, until):
        try:
            rest = rest[os.write(pipe, rest[:_BLOCK]) :]
        except BrokenPipeError:
            raise _Ended from None
        if not rest:
            return


def _read(pipe: int, size: int, until: float) -> bytes:
    content = bytearray()
    for _ in _ready(pipe, selectors.EVENT_READ, until):
        block = os.read(pipe, min(_BLOCK, size - len(content)))
        if not block:
            raise _Ended
        content += block
        if len(content) == size:
            break
    return bytes(content)


def _ready(pipe: int, event: int, until: float) -> Iterator[None]:
    """Yield whenever the pipe can be used. Raises TimeoutError when time is up."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, event)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if selector.select(left):
                yield
