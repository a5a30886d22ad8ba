"""What a route is asked, and by whom: in, a request the guard let through; out, the scope, and an answer in JSON.

Rights and scope are checked here, in one place, before a route runs; engine calls and the writing of JSON go through
threads of limited number, and what is answered is not checked again on the way out.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request
from starlette.responses import Response

from reverie.engine.core import Reverie
from reverie.engine.requests import calling
from reverie.errors import InvalidScope
from reverie.faces.http.guard import PRINCIPAL
from reverie.faces.http.problems import forbidden
from reverie.faces.http.serving import Serving
from reverie.faces.http.tokens import Principal, Right
from reverie.faces.http.values import ScopePart
from reverie.types import Scope
from reverie.wire import shapes

T = TypeVar("T")
Shape = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that concerns no single scope."""

    serving: Serving
    principal: Principal

    @property
    def engine(self) -> Reverie:
        """The engine."""
        return self.serving.engine

    async def run(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Do something in a thread."""
        crew = self.serving.crew
        limiter: CapacityLimiter = crew.long if long else crew.calls
        with calling(self.principal.caller):  # a thread takes the caller with it
            return await to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=long)

    async def answer(self, work: Callable[[], Shape], *, long: bool = False) -> Response:
        """Do it, and answer with it."""
        body = await self.run(lambda: dumped(work()), long=long)
        return Response(body, media_type="application/json")


@dataclass(frozen=True, slots=True)
class Scoped(Asked):
    """A call within one scope."""

    scope: Scope

    async def within(self, work: Callable[[], Shape], *, long: bool = False) -> Response:
        """Do it, and answer with it and with the scope."""
        return await self.answer(lambda: {"scope": shapes.scope(self.scope), **work()}, long=long)


def dumped(shape: Shape) -> bytes:
    """A shape as JSON, in ASCII: any text goes over any wire."""
    return json.dumps(shape, allow_nan=False, separators=(",", ":")).encode("ascii")


def anybody(right: Right) -> Callable[[Request], Awaitable[Asked]]:
    """Whoever has this right, for any scope."""

    async def dependency(request: Request) -> Asked:
        principal = _entitled(request, right)
        return Asked(request.app.state.serving, principal)

    return dependency


def everything(right: Right) -> Callable[[Request], Awaitable[Asked]]:
    """Whoever has this right over the whole store."""

    async def dependency(request: Request) -> Asked:
        principal = _entitled(request, right)
        if not principal.binding.is_everything:
            raise forbidden("This concerns the whole store.", "Use a token that is bound to no scope.")
        return Asked(request.app.state.serving, principal)

    return dependency


def scoped(right: Right) -> Callable[..., Awaitable[Scoped]]:
    """Whoever has this right in the scope the address names."""

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
