"""Reads what strangers sent, in a process of its own: `python -m twicetold.serve.parser`.

A request comes on standard input, its answer goes to standard output, one after the other: eight bytes that say how long it is, and so
much JSON. A request names what is to be read, and after its JSON comes the content. The process can be killed at any time; nothing is kept.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any, BinaryIO

from twicetold.errors import TwicetoldError
from twicetold.ingest.transcripts import FORMATS, format_of, read_lines
from twicetold.types import Line

MOST_LINES = 20_000
_MOST_MEMORY = 4 << 30


def speech(content: bytes, name: str, format: str) -> dict[str, Any]:
    """Read a transcript: its lines, and between them what cannot be read."""
    path = Path(name)
    wanted: Any = format if format in FORMATS else format_of(path)
    read: list[list[Any]] = []
    lines = 0
    for one in read_lines(io.BufferedReader(io.BytesIO(content)), name=path.name, format=wanted):
        if isinstance(one, Line):
            lines += 1
            read.append([one.speaker, one.text, one.start, one.end])
        else:
            read.append([one.place, one.reason])
        if lines > MOST_LINES:
            return {"error": f"{path.name} has more than {MOST_LINES:,} lines; scan it in parts"}
    if lines == 0:
        reason = f" (first: {read[0][0]}: {read[0][1]})" if read else ""
        return {"error": f"{path.name} holds no line of speech{reason}; wanted a transcript: {', '.join(FORMATS)}"}
    return {"read": read}


def picture(path: str) -> dict[str, Any]:
    """Read the words of a picture that lies in a file."""
    from twicetold.ingest.images import read_image

    return {"text": read_image(path)}


def answer(request: dict[str, Any], content: bytes) -> dict[str, Any]:
    """Do what is asked; one of our own errors is an answer."""
    try:
        if request["kind"] == "speech":
            return speech(content, request["name"], request["format"])
        return picture(request["path"])
    except TwicetoldError as error:
        return {"error": str(error), "kind": type(error).__name__}


def _read(stream: BinaryIO) -> bytes | None:
    size = stream.read(8)
    return stream.read(int.from_bytes(size, "big")) if len(size) == 8 else None


def main() -> None:
    """Answer until standard input is closed, which happens by itself if the server dies."""
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, resource.RLIM_INFINITY))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no answer
    while (request := _read(source)) is not None:
        content = _read(source) or b""
        said = json.dumps(answer(json.loads(request), content)).encode()
        target.write(len(said).to_bytes(8, "big") + said)
        target.flush()


if __name__ == "__main__":
    main()
