"""The text of a picture, read by optical character recognition: a claim often comes as a screenshot. Needs the extra `ocr`."""

from __future__ import annotations

import warnings
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from twicetold.errors import BadInput, MissingExtra

MAX_BYTES = 50 << 20
MAX_PIXELS = 50_000_000
_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")


def read_image(path: str | Path) -> str:
    """Return the text in a PNG, JPEG, WebP, GIF, BMP or TIFF picture, one line of text a line; empty if there is none.

    Raises BadInput if the file is not such a picture, MissingExtra without the extra `ocr`. The first call loads the models.
    """
    raw = _picture(Path(path))
    engine, unreadable = _engine()
    try:
        _refuse_huge(raw, path)
        found = engine(raw)
    except (unreadable, OSError, ValueError) as error:
        raise BadInput(f"the picture {path} is damaged and cannot be read: {error!s:.100}; save it again") from None
    return "\n".join(line.strip() for line in found.txts or () if line.strip())


def is_image(start: bytes) -> bool:
    """True if a file that begins with these bytes is a picture of a kind read here."""
    return start.startswith(_STARTS) or (start[:4] == b"RIFF" and start[8:12] == b"WEBP")


def _picture(path: Path) -> bytes:
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"the picture {path} cannot be opened: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise BadInput(f"the picture {path} is larger than {MAX_BYTES >> 20} MB; make it smaller first")
    if not is_image(raw):
        raise BadInput(f"{path} is not a picture; wanted PNG, JPEG, WebP, GIF, BMP or TIFF. Pass a text file or the text itself instead")
    return raw


def _refuse_huge(raw: bytes, path: str | Path) -> None:
    """A few kilobytes can unfold into gigabytes of pixels, so the size a picture says it has is read first."""
    from PIL import Image  # comes with the extra

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            width, height = Image.open(BytesIO(raw)).size
        except Image.DecompressionBombError:
            width = height = MAX_PIXELS
    if width * height > MAX_PIXELS:
        raise BadInput(f"the picture {path} has more than {MAX_PIXELS // 1_000_000} million pixels; make it smaller first")


@cache
def _engine() -> tuple[Any, type[Exception]]:
    """The recogniser, silent unless something is wrong, and the error with which it refuses a picture."""
    try:
        from rapidocr import LoadImageError, RapidOCR
    except ImportError:
        raise MissingExtra("reading text in pictures", "ocr") from None
    return RapidOCR(params={"Global.log_level": "error"}), LoadImageError
