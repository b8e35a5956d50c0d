"""Where `scan` gets its lines: a file, or standard input until it ends or the user stops it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from twicetold.cli.live import UntilStopped, until_stopped
from twicetold.cli.output import Console
from twicetold.errors import BadInput
from twicetold.ingest.transcripts import FORMATS, Format, format_of, read_lines
from twicetold.types import Line

_MOST_WARNINGS = 20


class Speech:
    """The lines of a speech, read once. What cannot be read is named on standard error, the first twenty times, and passed over."""

    def __init__(self, console: Console, file: str, format: Format | None) -> None:
        self._console = console
        self._path = None if file == "-" else Path(file)
        self._format = format or (None if self._path is None else format_of(self._path))
        self._live: UntilStopped | None = None
        self._check()

    @property
    def name(self) -> str:
        """What the speech is called: its file without the ending, or "speech"."""
        return "speech" if self._path is None else self._path.stem

    @property
    def is_live(self) -> bool:
        """True if lines are still to come, so that each is to be answered by itself."""
        return self._path is None

    @property
    def is_stopped(self) -> bool:
        """True if the user ended the stream."""
        return self._live is not None and self._live.is_stopped

    def lines(self) -> Iterator[Line]:
        """Yield the lines as they come. Raises BadInput if there is none, unless the user has stopped waiting for it."""
        n_lines = n_problems = 0
        with self._opened() as stream:
            for read in read_lines(stream, name=self._source, format=self._format):
                if isinstance(read, Line):
                    n_lines += 1
                    yield read
                    continue
                n_problems += 1
                if n_problems <= _MOST_WARNINGS:
                    self._console.warn(str(read))
        if n_problems > _MOST_WARNINGS:
            self._console.warn(f"{self._source}: … and {n_problems - _MOST_WARNINGS:,} more that cannot be read")
        if not n_lines and not self.is_stopped:
            raise BadInput(f"{self._source} holds no line of speech; wanted a transcript: {', '.join(FORMATS)}")

    @property
    def _source(self) -> str:
        return "standard input" if self._path is None else self._path.name

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if self._path is not None:
            with self._path.open("rb") as stream:
                yield stream
            return
        with until_stopped(sys.stdin.buffer) as (stream, self._live):
            yield stream

    def _check(self) -> None:
        if self._path is None:
            if sys.stdin.isatty():
                raise BadInput("no speech given; name a file: twicetold scan debate.tsv, or pipe lines in: … | twicetold scan -")
        elif self._path.is_dir():
            raise BadInput(f"{self._path} is a folder; name one transcript in it, or - for standard input")
        elif not self._path.exists():
            raise BadInput(f"there is no file {self._path}; name a transcript, or - for standard input")
