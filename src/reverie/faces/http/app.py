"""Build the HTTP application: its routes, the dashboard's files and the OpenAPI description."""

from __future__ import annotations

import gzip
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import ASGIApp, Scope

from reverie import __version__
from reverie.errors import ReverieError
from reverie.faces.http import answers
from reverie.faces.http.admission import CHANGING, READING
from reverie.faces.http.guard import REQUEST_ID, Guard
from reverie.faces.http.parts import Nightly, Serving
from reverie.faces.http.problems import MEDIA_TYPE, Fault, Problem, Refused, of_error, of_faults, of_status
from reverie.faces.http.routes import admin, read, write

FOLDER = Path(__file__).parent / "static"
INDEX = "index.html"
ASSETS = "assets"
_FOR_EVER = "public, max-age=31536000, immutable"
_UNBUILT = (
    "<!doctype html><title>Reverie</title><p>The dashboard is not part of this build. The API is at /openapi.json."
)


_COMPRESSED = (".js", ".css", ".svg")


class Pages(StaticFiles):
    """Serves the files of a folder; those in ``assets`` have a hash in their name and may be cached for ever.

    Assets alone are compressed: they hold nothing secret, whose length could tell an eavesdropper something.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file; for a path without one return the page, which does its own routing."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith(ASSETS):
                raise
            return index(Path(str(self.directory)))
        if path.startswith(f"{ASSETS}/") and response.status_code == 200:
            response.headers["Cache-Control"] = _FOR_EVER
            if path.endswith(_COMPRESSED) and isinstance(response, FileResponse):
                return _compressed(response, scope)
        return response


def _compressed(whole: FileResponse, scope: Scope) -> Response:
    """Return the file compressed where the browser takes that; it then has an ETag of its own."""
    asked = Headers(scope=scope)
    whole.headers["Vary"] = "Accept-Encoding"
    if scope["method"] != "GET" or "range" in asked or not _takes_gzip(asked.get("accept-encoding", "")):
        return whole
    tag = whole.headers["etag"].removesuffix('"') + '-gzip"'
    headers = {name: whole.headers[name] for name in ("cache-control", "last-modified", "vary")}
    headers |= {"etag": tag, "content-encoding": "gzip"}
    if tag in [one.strip() for one in asked.get("if-none-match", "").split(",")]:
        return NotModifiedResponse(Headers(headers))
    return Response(_zipped(str(whole.path), tag), headers=headers, media_type=whole.media_type)


def _takes_gzip(accepted: str) -> bool:
    offers = [one.replace(" ", "").lower().partition(";q=") for one in accepted.split(",")]
    return any(name == "gzip" and (not weight or weight.strip("0.") != "") for name, _, weight in offers)


@lru_cache(maxsize=64)
def _zipped(path: str, tag: str) -> bytes:  # noqa: ARG001 - a file that changed has another tag
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def index(folder: Path) -> Response:
    """Return the dashboard's page."""
    file = folder / INDEX
    return FileResponse(file) if file.is_file() else Response(_UNBUILT, media_type="text/html")


def routes(folder: Path = FOLDER) -> list[Route | Mount]:
    """Return the routes of the dashboard: the page at / and its files below /app."""

    async def page(_: object) -> Response:
        return index(folder)

    found: list[Route | Mount] = [Route("/", page, methods=["GET"], name="/", include_in_schema=False)]
    if folder.is_dir():
        found.append(Mount("/app", Pages(directory=folder), name="/app"))
    return found


PROBLEMS = {
    400: "The request cannot be read.",
    401: "It brings no token that is known here, or one that has expired.",
    403: "Its token does not allow this, is not for this scope, or names no tenant that is known here.",
    404: "There is no such thing in this scope.",
    405: "There is no such method here.",
    409: "What stands there now forbids it; or a request with this Idempotency-Key runs, or its answer is lost.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    421: "It came to the wrong server.",
    422: "A value does not fit, or the Idempotency-Key came with another request.",
    429: "More requests came than the limit allows, or a tenant's quota is used up.",
    500: "A fault of Reverie's own, or a damaged store.",
    502: "Another server, which this one asked, did not answer as it should.",
    503: "The store, a model or the provider of tokens cannot be reached.",
    507: "The disk is full.",
}
OPEN = ("/healthz", "/livez", "/readyz")
_DESCRIPTION = (
    "A memory for AI agents. Every call names its scope (agent, user, project); a token that is bound to one may leave "
    "it out. Every error is a problem by RFC 9457. Any text may hold lone surrogates, written as JSON escapes."
)
_TOKEN = "A token made by `reverie serve token add`, or, with team.issuer, one of the OpenID Connect provider (a JWT)."
_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "1 to 200 printable characters. With team.on the request is done once; repeats get its answer.",
    "schema": {"type": "string"},
}


def described(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI 3.1 description, which is the same for every server of a version."""
    found = get_openapi(
        title="Reverie", version=__version__, openapi_version="3.1.0", description=_DESCRIPTION, routes=app.routes
    )
    parts = found.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "description": _TOKEN}}
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = answers.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schemas["Problem"].pop("$defs", {}))
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, method, operation in _operations(found):
        operation["security"] = [] if path in OPEN else [{"token": []}]
        operation["responses"] |= {str(status): _problem(text) for status, text in PROBLEMS.items()}
        for response in operation["responses"].values():
            response["headers"] = {"X-Request-Id": {"schema": {"type": "string"}, "required": True}}
        for status in ("429", "503"):
            operation["responses"][status]["headers"]["Retry-After"] = {"schema": {"type": "integer", "minimum": 1}}
        if path not in (*READING, *OPEN) and method.upper() in CHANGING:
            operation.setdefault("parameters", []).append(_KEY)
            operation["responses"]["200"]["headers"]["Idempotency-Replayed"] = {"schema": {"const": "true"}}
    return found


def _operations(found: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in found["paths"].items():
        yield from ((path, method, operation) for method, operation in methods.items())


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


TOPICS = (
    write.router,
    read.router,
    read.history_router,
    write.tend_router,
    admin.sleep_router,
    admin.jobs_router,
    admin.move_router,
    admin.care_router,
    admin.life_router,
)
"""The routers of each topic, in the order of the description."""
NO_METHOD = 405
UNEXPECTED = 500
RESUME_S = 2.0
"""Pause between two looks for jobs that other processes left or enqueued."""
logger = logging.getLogger("reverie.http")


def application(serving: Serving) -> ASGIApp:
    """Return the whole application. Whoever runs it also runs its lifespan and closes the engine afterwards."""
    return Guard(bare(serving), serving)


def bare(serving: Serving) -> FastAPI:
    """Return the application without its guard."""
    app = FastAPI(title="Reverie", docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=_lifespan)
    app.state.serving = serving
    for topic in TOPICS:
        app.include_router(topic)
    app.router.routes.extend(routes())
    _handle_errors(app)
    app.openapi = cache(partial(described, app))  # type: ignore[method-assign] # FastAPI's own way to say it
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Watch for changes, continue jobs, and dream every night if so configured, while the server runs."""
    serving: Serving = app.state.serving
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serving.live.watch)
        tasks.start_soon(_resume_jobs, serving)
        nightly = Nightly.of(serving)
        if nightly is not None:
            tasks.start_soon(nightly.run)
        yield
        tasks.cancel_scope.cancel()


async def _resume_jobs(serving: Serving) -> None:
    """Continue jobs that other processes left or enqueued; where there never was one, that looks for a folder."""
    while True:
        with suppress(ReverieError):
            await to_thread.run_sync(lambda: serving.engine.jobs.resume(), limiter=serving.crew.calls)
        await anyio.sleep(RESUME_S)


def _handle_errors(app: FastAPI) -> None:
    """Answer every error as a problem (RFC 9457)."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(ReverieError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(Exception, _unexpected)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _told(request, error.problem)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, ReverieError)
    problem = of_error(error)
    if problem.status >= UNEXPECTED:
        logger.error("%s %s", request.scope[REQUEST_ID], error)
    return _told(request, problem)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if _is_no_json(request):
        return _told(request, Problem(415, "unsupported-media-type", "The body is not JSON.", "Send application/json."))
    return _told(request, of_faults([_fault(one) for one in error.errors()]))


def _is_no_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind != "application/json" and request.method in ("POST", "PUT") and _has_body(request)


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


def _fault(error: dict[str, Any]) -> Fault:
    return Fault(".".join(str(part) for part in error["loc"]), str(error["msg"]))


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == NO_METHOD:
        headers["Allow"] = ", ".join(_methods(request))
    return _told(request, of_status(error.status_code, str(error.detail), headers))


def _methods(request: Request) -> list[str]:
    """Return the methods that exist for a path, over all its routes."""
    path = request.url.path
    routes = [route for topic in TOPICS for route in topic.routes if isinstance(route, APIRoute)]
    found = {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
    return sorted(found) or ["GET"]


async def _unexpected(request: Request, _: Exception) -> Response:
    """Answer an unexpected error in general terms; the error itself is logged where it is raised again."""
    return _told(request, of_status(UNEXPECTED, "Something unexpected happened; the server's log says what."))


def _told(request: Request, problem: Problem) -> Response:
    return problem.answer(request.scope[REQUEST_ID])
