"""*Contested*: a question, its answers, and what posts say for and against each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.questions import asked_of
from twicetold.serve.pages.render import page
from twicetold.serve.problems import Problem
from twicetold.serve.service import service_of
from twicetold.types import Question

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)
_EACH_SIDE = 5


@router.get("/contested")
async def contested(request: Request, _: Reader, question: Annotated[str, Query(max_length=500)] = "") -> Response:
    """The form, and below it the answers to the question in the address."""
    service = service_of(request)
    if not service.asking.is_possible:
        raise Problem("not-enabled", "there are no posts to ask here, or no stance model to read them")
    asked = await asked_of(service, Question("q1", question.strip())) if question.strip() else None
    shown = () if asked is None else asked.answers[:1] if asked.kind == "yes-no" else asked.answers
    return page(request, "contested.html", question=question.strip(), asked=asked, answers=shown, each=_EACH_SIDE)
