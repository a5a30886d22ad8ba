"""A server to speak to: over a memory in RAM with a clock that stands still, by the official client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.server.lowlevel import Server

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.faces.mcp.fencing import Fencing
from reverie.faces.mcp.server import build_server
from reverie.faces.mcp.service import Means, Service

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")
NONCE = "a nonce for tests"
ERAS = ("legacy", "auto")
"""The client's two ways to begin: the handshake of the older revisions, and asking what the server knows."""

T = TypeVar("T")


def memory_at(path: str = ":memory:", embedder: Any = "hash") -> Reverie:
    """An engine like a user's, repeatable."""
    return Reverie.open(path, embedder=embedder, clock=FixedClock(NOW), ids=RandomIds(seed=1), background=False)


def service_over(engine: Reverie, scope: Scope = SCOPE, **limits: Any) -> Service:
    """The tools' work over an engine."""
    return Service(Means(engine, scope, FixedClock(NOW), Fencing(NONCE), **limits))


def asked(server: Server[Any], ask: Callable[[Client], Awaitable[T]], era: str = "legacy") -> T:
    """What a client hears that asks this."""

    async def run() -> T:
        async with Client(server, mode=era) as client:
            return await ask(client)

    return anyio.run(run)


def server_over(engine: Reverie, scope: Scope = SCOPE) -> Server[Any]:
    """A server over an engine."""
    return build_server(service_over(engine, scope))
