"""The words of a picture, where the extra `ocr` is installed. One picture is read at a time, in a process that can be killed."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import BinaryIO

from starlette.datastructures import UploadFile

from twicetold.errors import BadInput, MissingExtra
from twicetold.serve.answers import MOST_CHARS
from twicetold.serve.limits import PICTURE_COST
from twicetold.serve.parsing import PICTURE_SECONDS, Parsing
from twicetold.serve.service import Service
from twicetold.serve.spool import FOLDER

_MOST_SECONDS = 2 * PICTURE_SECONDS


@cache
def can_read_images() -> bool:
    """True if the extra is there."""
    return importlib.util.find_spec("rapidocr") is not None


async def text_of(service: Service, picture: UploadFile) -> str:
    """Return the text in an uploaded picture, cut to the length of a claim. Raises BadInput for what is no picture."""
    if not can_read_images():
        raise MissingExtra("reading pictures", "ocr")
    service.charge(PICTURE_COST)
    folder = service.folder / FOLDER
    return (await service.speakers.do(lambda: _read(service.parsing, picture.file, folder), _MOST_SECONDS, is_long=True))[:MOST_CHARS]


def _read(parsing: Parsing, picture: BinaryIO, folder: Path) -> str:
    folder.mkdir(mode=0o700, exist_ok=True)
    with tempfile.NamedTemporaryFile(prefix="picture-", dir=folder) as file:
        shutil.copyfileobj(picture, file)
        file.flush()
        try:
            return parsing.picture(Path(file.name))
        except BadInput as error:
            raise BadInput(str(error).replace(f"the picture {file.name}", "the picture").replace(file.name, "what was sent")) from None
