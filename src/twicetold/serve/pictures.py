"""The words of a picture, where the extra `ocr` is installed. One picture is read at a time: each keeps a processor busy for a second."""

from __future__ import annotations

import asyncio
import importlib.util
import tempfile
from functools import cache

from starlette.datastructures import UploadFile

from twicetold.errors import BadInput
from twicetold.serve.answers import MOST_CHARS
from twicetold.serve.problems import Problem
from twicetold.serve.service import Service

_MOST_SECONDS = 60.0


@cache
def can_read_images() -> bool:
    """True if the extra is there."""
    return importlib.util.find_spec("rapidocr") is not None


async def text_of(service: Service, picture: UploadFile) -> str:
    """Return the text in an uploaded picture, cut to the length of a claim. Raises BadInput for what is no picture."""
    content = await picture.read()
    try:
        async with asyncio.timeout(_MOST_SECONDS), service.pictures:
            return (await asyncio.to_thread(_read, content))[:MOST_CHARS]
    except TimeoutError:
        raise Problem("too-slow", f"the picture could not be read within {_MOST_SECONDS:g} seconds") from None


def _read(content: bytes) -> str:
    from twicetold.ingest.images import read_image

    with tempfile.NamedTemporaryFile(prefix="picture-") as file:
        file.write(content)
        file.flush()
        try:
            return read_image(file.name)
        except BadInput as error:
            raise BadInput(str(error).replace(f"the picture {file.name}", "the picture").replace(file.name, "what was sent")) from None
