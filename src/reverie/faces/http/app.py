"""The application: in, what a server is made of; out, the routes with their errors and lifetime, behind the guard."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

import anyio
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp

from reverie.errors import ReverieError
from reverie.faces.http import pages
from reverie.faces.http.guard import REQUEST_ID, Guard
from reverie.faces.http.nightly import Nightly
from reverie.faces.http.openapi import described
from reverie.faces.http.problems import Fault, Problem, Refused, of_error, of_faults, of_status
from reverie.faces.http.routes import care, looking_back, moving, reading, sleeping, standing, tending, writing
from reverie.faces.http.serving import Serving

TOPICS = (writing, reading, looking_back, tending, sleeping, moving, care, standing)
NO_METHOD = 405
UNEXPECTED = 500
logger = logging.getLogger("reverie.http")


def application(serving: Serving) -> ASGIApp:
    """The whole interface. Whoever runs it also runs its lifespan, and closes the engine afterwards."""
    return Guard(bare(serving), serving)


def bare(serving: Serving) -> FastAPI:
    """The application without its guard."""
    app = FastAPI(title="Reverie", docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=_lifespan)
    app.state.serving = serving
    for topic in TOPICS:
        app.include_router(topic.router)
    app.router.routes.extend(pages.routes())
    _handle_errors(app)
    app.openapi = cache(partial(described, app))  # type: ignore[method-assign] # FastAPI's own way to say it
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """While it serves, somebody looks for changes, and somebody dreams at night."""
    serving: Serving = app.state.serving
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serving.live.watch)
        nightly = Nightly.of(serving)
        if nightly is not None:
            tasks.start_soon(nightly.run)
        yield
        tasks.cancel_scope.cancel()


def _handle_errors(app: FastAPI) -> None:
    """Every error leaves as a problem."""
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
    """The methods there are for a path, over all its routes."""
    path = request.url.path
    routes = [route for topic in TOPICS for route in topic.router.routes if isinstance(route, APIRoute)]
    found = {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
    return sorted(found) or ["GET"]


async def _unexpected(request: Request, _: Exception) -> Response:
    """Told in general: what it was is logged, where it is raised again."""
    return _told(request, of_status(UNEXPECTED, "Something unexpected happened; the server's log says what."))


def _told(request: Request, problem: Problem) -> Response:
    return problem.answer(request.scope[REQUEST_ID])
