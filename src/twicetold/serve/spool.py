"""Uploads on their way in: kept inside the data folder from the first byte, not in the machine's folder for temporary files.

What is larger than a few kilobytes is written to `uploads/` in the data folder, in files without a name that are gone when the request is
over, whatever happens. A form has one file and a few fields. How much all uploads together may take is the guard's business.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

from starlette.datastructures import FormData, Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

FOLDER = "uploads"
_IN_MEMORY = 64 * 1024
_MOST_FILES = 2
_MOST_FIELDS = 50
_LARGEST_FIELD = 2 << 20


class SpoolingRequest(Request):
    """A request whose uploads go to the data folder of its server."""

    async def _get_form(self, **_: Any) -> FormData:
        if self._form is not None:
            return self._form
        if not self.headers.get("content-type", "").strip().lower().startswith("multipart/form-data"):
            return await super()._get_form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=_LARGEST_FIELD)
        folder = Path(self.app.state.service.folder) / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            parser = _Parser(self.headers, self.stream(), max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=_LARGEST_FIELD)
            parser.folder = folder
            self._form = await parser.parse()
        except MultiPartException as error:
            raise HTTPException(400, error.message) from None
        return self._form


class _Parser(MultiPartParser):
    folder: Path

    def on_headers_finished(self) -> None:
        super().on_headers_finished()
        if self._current_part.file is None:
            return
        self._files_to_close_on_error.pop().close()  # nothing is in it, and nothing of it is on any disk
        file: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY, dir=str(self.folder))  # noqa: SIM115 - the form closes it
        self._files_to_close_on_error.append(file)
        told = self._current_part.file
        self._current_part.file = UploadFile(file, size=0, filename=told.filename, headers=Headers(raw=told.headers.raw))  # type: ignore[arg-type]
