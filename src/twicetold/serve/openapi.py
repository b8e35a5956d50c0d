"""The OpenAPI description: what FastAPI makes of the routes, put right where our JSON says more than the types do."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from twicetold.serve.problems import KINDS
from twicetold.types import SCHEMA

_KINDS = {"Claim": "claim", "Question": "question", "FactCheck": "fact-check", "Post": "post"}
_ABOUT = """Has this claim been fact-checked before?

Answers are the same JSON that the command line prints with `--json`. A match says that something like the claim was checked; read the
fact-check before you rely on it. Errors are problem details (RFC 9457). Lists have cursors. Reading needs no key on a server that is
bound to loopback; everything else needs one, sent as `Authorization: Bearer KEY`.
"""
_PLACES = {
    "marks": "Places (start, end) in `text` of the words shared with the claim.",
    "typical": "Places (start, end) in `text` of words typical of a check, such as “no evidence”.",
}
_PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "Where this kind of problem is explained."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object", "properties": {"place": {"type": "string"}, "detail": {"type": "string"}}}},
    },
}


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the description, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(title="twicetold", version=version("twicetold"), description=_ABOUT, routes=app.routes)
        schemas = schema["components"]["schemas"]
        _say_kinds(schemas)
        schemas["Problem"] = _PROBLEM
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                _say_problems(method, operation)
        app.openapi_schema = schema
    return app.openapi_schema


def _say_kinds(schemas: dict[str, Any]) -> None:
    """Values that may be of several types carry a `kind`, rankings the version of the form."""
    for name, kind in _KINDS.items():
        if name in schemas:
            schemas[name]["properties"] = {"kind": {"type": "string", "const": kind}, **schemas[name]["properties"]}
    for name, about in _PLACES.items():
        schemas["KeySentence"]["properties"][name]["description"] = about
    if "Ranking" in schemas:
        version = {"type": "integer", "const": SCHEMA, "description": "Version of the JSON form."}
        schemas["Ranking"]["properties"] = {"schema": version, **schemas["Ranking"]["properties"]}


def _say_problems(method: str, operation: dict[str, Any]) -> None:
    """Every operation may answer with the problems that come before it; the framework lists only its own 422."""
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses = operation["responses"]
    if "model" not in str(responses.get("200", "")) and responses.get("200", {}).get("content") == {"application/json": {"schema": {}}}:
        del responses["200"]
    writes = method in ("post", "put", "delete")
    always = ("bad-request", "no-key", "not-found", "wrong-host", "too-large", "too-many", "failed", "busy", "too-slow")
    for name in always + (("no-right", "conflict", "wrong-type", "not-enabled") if writes else ()):
        kind = KINDS[name]
        responses[str(kind.status)] = {"description": kind.title, "content": content}
