"""POST /v1/ask: contested answers to a question, with what speaks for and against each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute, Reader
from twicetold.serve.api.bodies import Name, json_response
from twicetold.serve.limits import ASK_COST
from twicetold.serve.mining import asked_json
from twicetold.serve.service import Service, service_of
from twicetold.types import Question

if TYPE_CHECKING:
    from twicetold.mine.miner import Asked

router = APIRouter(prefix="/v1", tags=["questions"], route_class=CheckedRoute)
_MOST_SECONDS = 120.0
ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The question and its answers, most contested first, as `twicetold ask --json` prints them.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


class AskBody(BaseModel):
    """A question: yes or no, or one that wants names."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "Can shoes spread COVID-19?"}]})
    text: Annotated[str, Field(min_length=3, max_length=500)]
    id: Name = "q1"
    answers: Annotated[int | None, Field(ge=1, le=50, description="How many answers to weigh; without it, as many as stand out.")] = None
    depth: Annotated[int | None, Field(ge=1, le=1000, description="Posts whose stance is read for a yes/no question or an answer.")] = None


@router.post("/ask", responses=ANSWER, summary="Ask posts a question")
async def ask(request: Request, body: AskBody, _: Reader) -> Response:
    """What posts say, on either side; not what is true. Takes seconds. 501 where there are no posts or no stance model."""
    asked = await asked_of(service_of(request), Question(body.id, body.text.strip()), body.answers, body.depth)
    return json_response(asked_json(asked))


async def asked_of(service: Service, question: Question, answers: int | None = None, depth: int | None = None) -> Asked:
    """Answer a question in a thread of its own. Raises Problem when it takes too long."""
    from twicetold.mine.miner import Effort

    plain = Effort()
    effort = Effort(depth or plain.posts_a_question, depth or plain.posts_an_answer, plain.posts_read, answers)

    until = time.monotonic() + _MOST_SECONDS

    def work() -> Asked:
        with service.readers.lane() as collection:
            return service.asking.ask(question, effort, collection, until=until)

    service.charge(ASK_COST)
    return await service.askers.do(work, _MOST_SECONDS)
