"""The records of a JSON file of any size, one at a time: only a window of the file is in memory.

It reads a list, an object that holds its records in a named list (such as a feed's `dataFeedElement`), or a single object. A broken
record is mended if its damage is plain, else told as Broken, and reading goes on at the next record. It does not know what a record
means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from twicetold.ingest.window import NotUtf8, Unparsable, Window

_OUT_OF_NESTED_LIST = re.compile(r"\]\s*\}\s*,\s*(?=\{)")


@dataclass(frozen=True, slots=True)
class Broken:
    """Stands for a record that could not be parsed."""

    reason: str


IsRecord = Callable[[dict[str, Any]], bool]


def elements(stream: BinaryIO, *, lists: Collection[str], is_record: IsRecord) -> Iterator[Any | Broken]:
    """Yield the records of a stream, each a JSON value or Broken.

    `lists` names the members of a top-level object that hold records; `is_record` recognises one, to find the way after damage.
    """
    window = Window(stream)
    while char := window.peek():
        if char == "[":
            whole = yield from _of_list(window, is_record)
        elif char == "{":
            whole = yield from _of_object(window, lists, is_record)
        else:
            yield Broken(f"starts with {window.text[window.at : window.at + 20]!r} where {{ or [ should be")
            whole = False
        if not whole:
            return


def _of_list(window: Window, is_record: IsRecord) -> Generator[Any | Broken, None, bool]:
    """The elements of the list at the place of reading. Returns False if the source ended before it."""
    window.at += 1
    strayed = False
    while (char := window.peek()) != "]":
        if not char:
            yield Broken("is missing: the source is cut off before its list ends")
            return False
        if char == ",":
            window.at += 1
            continue
        try:
            yield window.value()
        except NotUtf8 as error:
            yield Broken(str(error))
        except Unparsable as error:
            mended = window.mended()
            yield Broken(str(error)) if mended is None else mended
            if mended is None:
                strayed = True
                if not window.find_sibling(is_record):
                    return False
        # The next whole record after damage may have been one of a list inside the damaged record.
        if strayed:
            window.matches(_OUT_OF_NESTED_LIST)
    window.at += 1
    return True


def _of_object(window: Window, lists: Collection[str], is_record: IsRecord) -> Generator[Any | Broken, None, bool]:
    """The records in the lists that `lists` names; of an object without any, the object itself. Returns False if it is broken."""
    window.hold()
    window.at += 1
    members: dict[str, Any] = {}
    listed = False
    try:
        while (char := window.peek()) != "}":
            if char == ",":
                window.at += 1
                continue
            name = _name(window)
            if name in lists and window.peek() == "[":
                listed = True
                window.release()
                whole = yield from _of_list(window, is_record)
                if not whole:
                    return False
            else:
                members[name] = window.value()
    except Unparsable as error:
        window.back()
        mended = None if listed else window.mended()
        window.release()
        yield Broken(str(error)) if mended is None else mended
        return mended is not None
    window.at += 1
    window.release()
    if not listed:
        yield members
    return True


def _name(window: Window) -> str:
    """The member name at the place of reading, stepped over with its colon."""
    name = window.value()
    if window.peek() != ":" or not isinstance(name, str):
        raise Unparsable("is not JSON: a name and a colon should stand here" if window.peek() else window.why_ended)
    window.at += 1
    return name
