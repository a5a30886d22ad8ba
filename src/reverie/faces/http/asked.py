"""Request context for the routes: who asks, for which scope, and how engine calls and files become answers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from reverie.engine.core import Reverie
from reverie.engine.requests import calling
from reverie.errors import InvalidScope
from reverie.faces.http.bodies import ScopePart
from reverie.faces.http.guard import PRINCIPAL
from reverie.faces.http.parts import Serving
from reverie.faces.http.problems import forbidden
from reverie.faces.http.tokens import Principal, Right
from reverie.types import Scope
from reverie.wire.shapes import shape

T = TypeVar("T")
Shape = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request outside any single scope, with the server's parts and the caller."""

    serving: Serving
    principal: Principal

    @property
    def engine(self) -> Reverie:
        """The engine that answers the request."""
        return self.serving.engine

    async def run(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Run a function in a worker thread, under the caller's name."""
        crew = self.serving.crew
        limiter: CapacityLimiter = crew.long if long else crew.calls
        with calling(self.principal.caller):  # the worker thread inherits the caller
            return await to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=long)

    async def answer(self, work: Callable[[], object], *, long: bool = False) -> Response:
        """Run a function and answer with its result as JSON."""
        body = await self.run(lambda: dumped(shape(work())), long=long)
        return Response(body, media_type="application/json")


@dataclass(frozen=True, slots=True)
class Scoped(Asked):
    """A request within one scope."""

    scope: Scope

    async def within(self, work: Callable[[], object], *, long: bool = False) -> Response:
        """Run a function and answer with the scope and its result as JSON."""
        body = await self.run(lambda: dumped({"scope": shape(self.scope), **shape(work())}), long=long)
        return Response(body, media_type="application/json")


def dumped(shape: object) -> bytes:
    """Serialise JSON data in ASCII, so that any text can be sent."""
    return json.dumps(shape, allow_nan=False, separators=(",", ":")).encode("ascii")


def anybody(right: Right) -> Callable[[Request], Awaitable[Asked]]:
    """Return a dependency that requires this right, in whatever scope."""

    async def dependency(request: Request) -> Asked:
        principal = _entitled(request, right)
        return Asked(request.app.state.serving, principal)

    return dependency


def everything(right: Right) -> Callable[[Request], Awaitable[Asked]]:
    """Return a dependency that requires this right over the whole store."""

    async def dependency(request: Request) -> Asked:
        principal = _entitled(request, right)
        if not principal.binding.is_everything:
            raise forbidden("This concerns the whole store.", "Use a token that is bound to no scope.")
        return Asked(request.app.state.serving, principal)

    return dependency


def scoped(right: Right) -> Callable[..., Awaitable[Scoped]]:
    """Return a dependency that requires this right in the scope the address names."""

    async def dependency(
        request: Request, agent: ScopePart = "", user: ScopePart = "", project: ScopePart = ""
    ) -> Scoped:
        principal = _entitled(request, right)
        bound = principal.binding
        scope = _scope(agent or bound.agent, user or bound.user, project or bound.project)
        if not bound.allows(scope):
            raise forbidden("The token is not for this scope.", "Use one that is, or ask for its own scope.")
        return Scoped(request.app.state.serving, principal, scope)

    return dependency


def _entitled(request: Request, right: Right) -> Principal:
    principal: Principal = request.scope[PRINCIPAL]
    if principal.right < right:
        raise forbidden(
            f"The token allows to {principal.right.name.lower()}, and this needs {right.name.lower()}.",
            "Use a token with that right.",
        )
    return replace(principal, page=True) if request.headers.get("sec-fetch-site") == "same-origin" else principal


def _scope(agent: str | None, user: str | None, project: str | None) -> Scope:
    named = {"agent": agent, "user": user, "project": project}
    missing = [name for name, value in named.items() if not value]
    if missing:
        raise InvalidScope(
            f"The address names no {', no '.join(missing)}.",
            "Add ?agent=…&user=…&project=…: every call names its scope.",
        )
    return Scope(agent or "", user or "", project or "")


Reads = Annotated[Scoped, Depends(scoped(Right.READ))]
Writes = Annotated[Scoped, Depends(scoped(Right.WRITE))]
Governs = Annotated[Scoped, Depends(scoped(Right.ADMIN))]
ReadsAny = Annotated[Asked, Depends(anybody(Right.READ))]
ReadsAll = Annotated[Asked, Depends(everything(Right.READ))]
GovernsAll = Annotated[Asked, Depends(everything(Right.ADMIN))]


class Passing(FileResponse):
    """A response with a temporary file, which is deleted after sending, also after a failed one."""

    def __init__(self, folder: tempfile.TemporaryDirectory[str], path: Path, media_type: str) -> None:
        super().__init__(path, media_type=media_type, filename=path.name)
        self._folder = folder

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Send the file, then delete it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._folder.cleanup()


async def sent(asked: Asked, name: str, media_type: str, write: Callable[[Path], object]) -> Response:
    """Let ``write`` make a temporary file of this name, and answer with it."""
    folder = tempfile.TemporaryDirectory(prefix="reverie-")
    path = Path(folder.name) / name
    try:
        await asked.run(lambda: write(path), long=True)
    except BaseException:  # also when the client has disconnected
        folder.cleanup()
        raise
    return Passing(folder, path, media_type)


async def taken(asked: Asked, request: Request, read: Callable[[Path], object]) -> Response:
    """Save the request's body to a temporary file, and answer with what ``read`` returns for it."""
    with tempfile.TemporaryDirectory(prefix="reverie-") as folder:
        path = Path(folder) / "brought.jsonl"
        with path.open("wb") as file:
            async for piece in request.stream():
                await asked.run(lambda: file.write(piece), long=True)  # noqa: B023 - awaited at once
        body = await asked.run(lambda: dumped(shape(read(path))), long=True)
    return Response(body, media_type="application/json")
