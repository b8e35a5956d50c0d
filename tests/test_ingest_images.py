"""Text from pictures, with and without the extra that reads them."""

import importlib.util
import struct
import zlib

import pytest

from twicetold.errors import BadInput, MissingExtra
from twicetold.ingest.images import read_image

HAS_OCR = importlib.util.find_spec("rapidocr") is not None
LETTERS = {
    "F": "11111 10000 10000 11110 10000 10000 10000",
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "S": "01111 10000 10000 01110 00001 00001 11110",
    "E": "11111 10000 10000 11110 10000 10000 11111",
}


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def huge() -> bytes:
    """A PNG of a few hundred bytes that says it is a hundred thousand pixels wide and as high."""
    size = struct.pack(">IIBBBBB", 100_000, 100_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b"")


def picture(word: str, *, zoom: int = 10) -> bytes:
    """A grey PNG that shows a word in block letters, written without a picture library."""
    rows = [" ".join(LETTERS[letter].split()[y] for letter in word).replace(" ", "0") for y in range(7)]
    wide = len(rows[0]) + 4
    framed = ["0" * wide] * 3 + [f"00{row}00" for row in rows] + ["0" * wide] * 3
    pixels = b"".join((b"\x00" + bytes(0 if bit == "1" else 255 for bit in row for _ in range(zoom))) * zoom for row in framed)
    size = struct.pack(">IIBBBBB", wide * zoom, len(framed) * zoom, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def test_a_file_that_is_no_picture_is_refused_with_what_was_wanted(tmp_path):
    (tmp_path / "claim.png").write_text("Frogs rained.")
    with pytest.raises(BadInput, match="is not a picture; wanted PNG"):
        read_image(tmp_path / "claim.png")


def test_a_missing_picture_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be opened"):
        read_image(tmp_path / "none.png")


@pytest.mark.skipif(HAS_OCR, reason="the extra ocr is installed")
def test_without_the_extra_the_error_is_the_command_that_installs_it(tmp_path):
    (tmp_path / "claim.png").write_bytes(picture("FALSE"))
    with pytest.raises(MissingExtra, match=r"pip install 'twicetold\[ocr\]'"):
        read_image(tmp_path / "claim.png")


@pytest.mark.skipif(not HAS_OCR, reason="needs the extra ocr")
@pytest.mark.slow
def test_the_words_of_a_picture_are_read(tmp_path):
    (tmp_path / "claim.png").write_bytes(picture("FALSE"))
    assert read_image(tmp_path / "claim.png").upper() == "FALSE"


@pytest.mark.skipif(not HAS_OCR, reason="needs the extra ocr")
@pytest.mark.slow
def test_a_damaged_picture_is_refused(tmp_path):
    (tmp_path / "claim.png").write_bytes(picture("FALSE")[:60])
    with pytest.raises(BadInput, match="damaged"):
        read_image(tmp_path / "claim.png")


@pytest.mark.skipif(not HAS_OCR, reason="needs the extra ocr")
@pytest.mark.slow
def test_a_picture_that_would_unfold_into_gigabytes_is_refused(tmp_path):
    (tmp_path / "claim.png").write_bytes(huge())
    with pytest.raises(BadInput, match="million pixels"):
        read_image(tmp_path / "claim.png")
