"""POST /v1/images: the text in a screenshot, ready to be matched."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.bodies import json_response
from twicetold.serve.pictures import text_of
from twicetold.serve.service import service_of

router = APIRouter(prefix="/v1", tags=["claims"], route_class=CheckedRoute)


class Words(BaseModel):
    """What stands in a picture, one line of text a line; empty if nothing does."""

    text: str


@router.post("/images", responses={200: {"model": Words}}, summary="Read the text in a picture")
async def read_picture(
    request: Request, _: Reader, file: Annotated[UploadFile, File(description="PNG, JPEG, WebP, GIF, BMP or TIFF.")]
) -> Response:
    """Needs the extra `ocr` on the server; 501 without it. The picture is not kept."""
    return json_response({"text": await text_of(service_of(request), file)})
