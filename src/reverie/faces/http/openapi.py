"""The description of the interface: in, the application; out, OpenAPI 3.1, the same for every server of a version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from reverie import __version__
from reverie.faces.http import reports
from reverie.faces.http.problems import MEDIA_TYPE

PROBLEMS = {
    400: "The request cannot be read.",
    401: "It brings no token that is known here.",
    403: "Its token does not allow this, or is not for this scope.",
    404: "There is no such thing in this scope.",
    405: "There is no such method here.",
    409: "What stands there now forbids it.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    421: "It came to the wrong server.",
    422: "A value does not fit.",
    429: "More requests came than the limit allows.",
    500: "A fault of Reverie's own, or a damaged store.",
    502: "Another server, which this one asked, did not answer as it should.",
    503: "The store or a model cannot be reached.",
    507: "The disk is full.",
}
OPEN = ("/healthz", "/livez", "/readyz")
_DESCRIPTION = (
    "A memory for AI agents. Every call names its scope (agent, user, project); a token that is bound to one may leave "
    "it out. Every error is a problem by RFC 9457. Any text may hold lone surrogates, written as JSON escapes."
)


def described(app: FastAPI) -> dict[str, Any]:
    """The whole description."""
    found = get_openapi(
        title="Reverie", version=__version__, openapi_version="3.1.0", description=_DESCRIPTION, routes=app.routes
    )
    parts = found.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = reports.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schemas["Problem"].pop("$defs", {}))
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, operation in _operations(found):
        operation["security"] = [] if path in OPEN else [{"token": []}]
        operation["responses"] |= {str(status): _problem(text) for status, text in PROBLEMS.items()}
        for response in operation["responses"].values():
            response["headers"] = {"X-Request-Id": {"schema": {"type": "string"}, "required": True}}
    return found


def _operations(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in found["paths"].items():
        yield from ((path, operation) for operation in methods.values())


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
