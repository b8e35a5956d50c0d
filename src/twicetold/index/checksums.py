"""Find damaged files of a full-text index: tantivy ends each with a checksum of the rest, and looks at it only when asked.

… body … | {"version": …, "crc": 123} | length of that, four bytes | 1337, four bytes
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

_MAGIC = 1337
_PARTS = (".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term")
_PIECE = 1 << 22


def damaged(folder: Path) -> Iterator[str]:
    """Yield the names of files that the index in `folder` needs and that are missing or not what was written."""
    try:
        segments = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
        names = [segment["segment_id"].replace("-", "") + part for segment in segments for part in _PARTS]
    except (OSError, ValueError, KeyError, TypeError):
        yield "meta.json"
        return
    for name in names:
        if not _is_sound(folder / name):
            yield name


def _is_sound(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            file.seek(max(0, size - 8))
            length, magic = struct.unpack("<II", file.read(8))
            body = size - 8 - length
            if magic != _MAGIC or body < 0:
                return False
            file.seek(body)
            wanted = json.loads(file.read(length))["crc"]
            file.seek(0)
            return bool(_crc(iter(lambda: file.read(min(_PIECE, body - file.tell())), b"")) == wanted)
    except (OSError, ValueError, KeyError, TypeError, struct.error):
        return False


def _crc(pieces: Iterator[bytes]) -> int:
    crc = 0
    for piece in pieces:
        crc = zlib.crc32(piece, crc)
    return crc
