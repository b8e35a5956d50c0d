"""Puts the server together: service, guard, API and pages. `create_app` makes an ASGI application of one process."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from starlette.exceptions import HTTPException
from starlette.responses import Response

from twicetold.errors import TwicetoldError
from twicetold.serve import openapi
from twicetold.serve.api import checks, factchecktools, images, imports, matching, questions, scan, status
from twicetold.serve.api import watching as watches
from twicetold.serve.audit import audit_of
from twicetold.serve.middleware import Guard
from twicetold.serve.options import Options
from twicetold.serve.pages import about, browsing, checking, collecting, contested, debating, signing, watching
from twicetold.serve.pages.render import mount_static, show_problem
from twicetold.serve.problems import Problem, as_problem, of_status
from twicetold.serve.reading import Readers
from twicetold.serve.service import Service

_API = (matching, scan, questions, images, checks, imports, watches, status, factchecktools)
_PAGES = (checking, browsing, debating, contested, watching, collecting, signing, about)


def create_app(options: Options, readers: Readers | None = None) -> FastAPI:
    """Make the application; without readers it opens the collection itself when it starts."""
    service = Service(options, readers)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            service.stop()

    app = FastAPI(title="twicetold", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.state.service = service
    for part in (*_API, *_PAGES):
        app.include_router(part.router)
    mount_static(app)
    _handle_errors(app)
    app.openapi = functools.partial(openapi.describe, app)  # type: ignore[method-assign]
    if service.options.origins:
        app.add_middleware(CORSMiddleware, allow_origins=list(service.options.origins), allow_headers=["Authorization", "Content-Type"])
    app.add_middleware(
        Guard, options=service.options, metrics=service.metrics, rate=service.rate, show=show_problem, audit=audit_of(service)
    )
    return app


def _handle_errors(app: FastAPI) -> None:
    async def of_ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, Problem | TwicetoldError)
        return show_problem(request, error if isinstance(error, Problem) else as_problem(error))

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        cause = error.__cause__  # the framework hides what went wrong while a body was read
        problem = cause if isinstance(cause, Problem) else of_status(error.status_code, str(error.detail))
        problem.headers.update(error.headers or {})
        return show_problem(request, problem)

    async def of_fields(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        errors = [{"place": ".".join(map(str, found["loc"])), "detail": found["msg"]} for found in error.errors()]
        first = f"{errors[0]['place']}: {errors[0]['detail']}" if errors else "the request does not fit its description"
        return show_problem(request, Problem("bad-request", first, more={"errors": errors}))

    app.add_exception_handler(Problem, of_ours)
    app.add_exception_handler(TwicetoldError, of_ours)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(RequestValidationError, of_fields)
