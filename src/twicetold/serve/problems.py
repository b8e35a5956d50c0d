"""Errors as problem details (RFC 9457): one table of kinds, each explained on the page its `type` points to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from twicetold.errors import BadInput, Locked, MissingExtra, NoCollection, TwicetoldError


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem: its HTTP status, its title, and what to do about it."""

    name: str
    status: int
    title: str
    advice: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("bad-request", 422, "The request cannot be understood", "Compare the request with /docs; `errors` names each field."),
        Kind("no-key", 401, "An API key is needed", "Send a key as `Authorization: Bearer KEY`, or sign in on the page."),
        Kind("no-right", 403, "This key may not do that", "Use a key with the scope `write`; `twicetold serve key new` makes one."),
        Kind(
            "wrong-site", 403, "The request came from another site", "Send writes from the server's own pages, or with a key in a header."
        ),
        Kind("not-found", 404, "There is nothing here", "Check the address or the id."),
        Kind("wrong-method", 405, "This address does not take that method", "See /docs for what it takes."),
        Kind("too-slow-request", 408, "The request came too slowly", "Send it again over a faster connection, or send less at a time."),
        Kind("conflict", 409, "Someone else is writing", "Wait for the other writer to finish and send the request again."),
        Kind("too-large", 413, "The request is too large", "Send less at a time, or raise the server's limit."),
        Kind("address-too-long", 414, "The address is too long", "Send what is long in the body of a POST."),
        Kind("wrong-type", 415, "The content type is not understood", "Send application/json, or multipart/form-data for an upload."),
        Kind("wrong-host", 421, "This server does not answer to that name", "Start it with `--name NAME` to make it answer to the name."),
        Kind("headers-too-large", 431, "The headers are too large", "Send fewer and shorter headers; delete old cookies of this host."),
        Kind("too-many", 429, "Too many requests", "Wait as many seconds as `Retry-After` says."),
        Kind("failed", 500, "Something went wrong here", "This is a fault of the server; its log says more."),
        Kind("not-enabled", 501, "This server does not do that", "Install the extra or start the server with the option that is named."),
        Kind("busy", 503, "The server is busy", "Wait as many seconds as `Retry-After` says."),
        Kind("too-slow", 504, "The answer took too long", "Ask for less: fewer claims at a time or a lower `top`."),
    )
}
_BY_STATUS = {404: "not-found", 405: "wrong-method", 413: "too-large", 415: "wrong-type"}


@dataclass(slots=True, eq=False)
class Problem(Exception):
    """Raised anywhere in the server; becomes the answer. `more` holds further members, such as `errors`."""

    kind: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The HTTP status of its kind."""
        return KINDS[self.kind].status

    def record(self, instance: str) -> dict[str, Any]:
        """Return the members of the problem document."""
        kind = KINDS[self.kind]
        about = {"type": f"/problems#{kind.name}", "title": kind.title, "status": kind.status, "detail": self.detail, "instance": instance}
        return about | self.more


def problem_response(problem: Problem, instance: str) -> Response:
    """Return the problem as an application/problem+json answer."""
    body = json.dumps(problem.record(instance), ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, problem.status, problem.headers, "application/problem+json")


def as_problem(error: TwicetoldError) -> Problem:
    """Return the problem that one of the package's own errors amounts to."""
    if isinstance(error, BadInput):
        return Problem("bad-request", str(error))
    if isinstance(error, Locked):
        return Problem("conflict", str(error), {"Retry-After": "2"})
    if isinstance(error, NoCollection):
        return Problem("not-found", str(error))
    if isinstance(error, MissingExtra):
        return Problem("not-enabled", str(error))
    return Problem("failed", str(error))


def of_status(status: int, detail: str) -> Problem:
    """Return the problem for an HTTP error the framework raised by itself."""
    return Problem(_BY_STATUS.get(status, "bad-request" if status < 500 else "failed"), detail)
