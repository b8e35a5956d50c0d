"""The one writer of a folder: a lock on a file of it, which the system lets go when the process ends, however it ends."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from twicetold.errors import BadData, Locked


@contextmanager
def held(path: Path, *, busy: str, elsewhere: str) -> Iterator[None]:
    """Hold the lock of this file, making it and its folder.

    Raises Locked with the words of `busy` if another holds it, BadData if the file cannot be made; `elsewhere` says what to do then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise BadData(f"cannot write to {path.parent}: {error.strerror}; {elsewhere}") from None
    try:
        _take(file, busy)
        yield
    finally:
        os.close(file)


def _take(file: int, busy: str) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise Locked(busy) from None
        raise
