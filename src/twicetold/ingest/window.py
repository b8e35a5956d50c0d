"""A window that slides along a JSON text of any size: it parses the value at the place of reading and finds its way after damage."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from typing import Any, BinaryIO

from twicetold.ingest import mend
from twicetold.ingest.sources import CutOff

CHUNK = 1 << 20
MAX_RECORD = 64 << 20
MAX_MENDED = 1 << 20
"""A broken record is looked at for repair up to this many characters."""

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_TOKEN = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_SIBLING = re.compile(r",\s*(?=\{)")
_WRONG_BYTE = re.compile("[\udc80-\udcff]")
_LONGEST_SIBLING_GAP = 4096
_DECODER = json.JSONDecoder(strict=False)


class Unparsable(Exception):
    """The value at the place of reading cannot be parsed."""


class NotUtf8(Unparsable):
    """The value holds bytes that are not UTF-8; it has been stepped over."""


class Window:
    """`at` is the place of reading in `text`; what lies before it is dropped, unless held."""

    def __init__(self, stream: BinaryIO) -> None:
        self.text = ""
        self.at = 0
        self._stream = stream
        # Bytes that are not UTF-8 pass as lone surrogates, so that only the value they stand in is lost.
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._ended = False
        self._why_ended = "is cut off: the source ends inside it"
        self._held: int | None = None
        self._has_wrong_bytes = False

    @property
    def why_ended(self) -> str:
        """Why no more text comes, as the reason of a problem."""
        return self._why_ended

    def hold(self) -> None:
        """Keep the text from here on, to come back with `back`, until `release`."""
        self._held = self.at

    def release(self) -> None:
        self._held = None

    def back(self) -> None:
        """Return to the held place."""
        if self._held is not None:
            self.at = self._held

    def peek(self) -> str:
        """Step over white space and return the next character, or "" at the end."""
        while True:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._more():
                return ""

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Step over `pattern` if it stands at the place of reading; it should be short."""
        self.peek()
        while len(self.text) - self.at < _LONGEST_SIBLING_GAP and self._more():
            pass
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found is not None

    def value(self) -> Any:
        """Parse the value at the place of reading and step over it."""
        self.peek()
        parsed, end = self._parse()
        start, self.at = self.at, end
        if self._has_wrong_bytes and (wrong := _WRONG_BYTE.search(self.text, start, end)):
            raise NotUtf8(f"is not UTF-8 near {self.text[max(start, wrong.start() - 20) : wrong.start()]!r}; save it as UTF-8")
        return parsed

    def _parse(self) -> tuple[Any, int]:
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if self._is_cut(error) and self._more():
                    continue
                if self._is_cut(error) and self._closing() < 0:
                    raise Unparsable(self._why_ended) from None
                raise Unparsable(f"is not JSON: {error.msg} in {self._shown(error.pos)!r}") from None
            except (RecursionError, ValueError) as error:
                raise Unparsable(f"is JSON nested too deeply or with an endless number: {error!s:.80}") from None
            else:
                # A number at the end of the window may go on.
                if end < len(self.text) or isinstance(value, dict | list | str) or not self._more():
                    return value, end

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        """True if the parser failed for want of text: literals and escapes do so a few characters before the end."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - 8

    def _shown(self, place: int) -> str:
        return self.text[max(self.at, place - 20) : place + 20]

    def mended(self) -> Any:
        """The broken value at the place of reading, mended and stepped over; None if its end or its cure is not found."""
        while (end := self._closing()) < 0:
            if len(self.text) - self.at > MAX_MENDED or not self._more():
                end = len(self.text) if self._ended else -1
                break
        following = _SPACE.match(self.text, end) if end >= 0 else None
        if following is None or _WRONG_BYTE.search(self.text, self.at, end):
            return None
        if self.text[following.end() : following.end() + 1] not in (",", "]", ""):
            return None
        try:
            value = mend.loads(self.text[self.at : end])
        except ValueError:
            return None
        self.at = end
        return value

    def _closing(self) -> int:
        """The place after the bracket that closes the one at the place of reading, or -1."""
        depth = 0
        for token in _TOKEN.finditer(self.text, self.at, self.at + MAX_MENDED):
            if token[0] in "{[":
                depth += 1
            elif token[0] in "}]":
                depth -= 1
                if depth <= 0:
                    return token.end()
        return -1

    def find_sibling(self, is_record: Callable[[dict[str, Any]], bool]) -> bool:
        """Move to the next object after a comma that is a record. False if there is none to the end of the source."""
        while True:
            found = _SIBLING.search(self.text, self.at)
            if found is None:
                self.at = max(self.at, len(self.text) - _LONGEST_SIBLING_GAP)
                if not self._more():
                    self.at = len(self.text)
                    return False
                continue
            self.at = found.end()
            try:
                value, _ = self._parse()
            except Unparsable:
                continue
            if isinstance(value, dict) and is_record(value):
                return True

    def _more(self) -> bool:
        """Read on; False at the end of the source, or where one record grows beyond all measure."""
        if self._ended:
            return False
        dropped = self.at if self._held is None else self._held
        self.text, self.at = self.text[dropped:], self.at - dropped
        self._held = None if self._held is None else 0
        if len(self.text) > MAX_RECORD:
            self._why_ended = f"is longer than {MAX_RECORD >> 20} MB"
            return False
        try:
            # Reading as much again as is there keeps the cost of re-parsing a long record linear.
            chunk = self._stream.read(max(CHUNK, len(self.text)))
        except CutOff as error:
            self._why_ended, chunk = f"is cut off: {error}", b""
        self._ended = not chunk
        fresh = self._decoder.decode(chunk, final=self._ended)
        self._has_wrong_bytes = self._has_wrong_bytes or (not fresh.isascii() and _WRONG_BYTE.search(fresh) is not None)
        self.text += fresh
        return bool(chunk)
