"""What a match means and does not mean, the kinds of problems, and the reference of the API."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from twicetold.serve.access import CheckedRoute
from twicetold.serve.pages.render import page
from twicetold.serve.problems import KINDS

router = APIRouter(include_in_schema=False, route_class=CheckedRoute)


@router.get("/about")
async def about(request: Request) -> Response:
    """Limits, bias and misuse, in short; docs/limits.md says more."""
    return page(request, "about.html")


@router.get("/problems")
async def problems(request: Request) -> Response:
    """Each kind of problem, at the anchor its `type` names."""
    return page(request, "problems.html", kinds=list(KINDS.values()))


@router.get("/docs")
async def reference(request: Request) -> Response:
    """The API, made from its OpenAPI description."""
    schema = request.app.openapi()
    operations = [(path, method, operation) for path, methods in schema["paths"].items() for method, operation in methods.items()]
    return page(request, "docs.html", operations=operations, schemas=schema["components"]["schemas"], about=schema["info"]["description"])
