"""Two equal engines, one of them behind the HTTP interface, and clients of it without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.faces.client import Client
from reverie.faces.http.app import application
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Keyring

URL = "http://127.0.0.1"


class Bridge(httpx.BaseTransport):
    """Hands each request to the application itself and waits for its answer."""

    def __init__(self, transport: httpx.ASGITransport) -> None:
        self._transport = transport
        self._loop = asyncio.new_event_loop()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._loop.run_until_complete(self._answer(request))

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = await self._transport.handle_async_request(request)
        content = await answer.aread()
        return httpx.Response(answer.status_code, headers=answer.headers, content=content, request=request)

    def close(self) -> None:
        self._loop.close()


@dataclass(frozen=True, slots=True)
class Pair:
    """An engine, and a client of its equal."""

    engine: Reverie
    client: Client
    transport: httpx.ASGITransport


def fresh(recipe: str) -> Reverie:
    """An engine that gives the same answers each time."""
    clock = FixedClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    return Reverie.open(":memory:", embedder=None, recipe=recipe, clock=clock, ids=RandomIds(seed=7))


@pytest.fixture
def recipe() -> str:
    """The recipe of both engines; a test of what another one does says which."""
    return "reverie"


@pytest.fixture
def pair(tmp_path: Path, recipe: str) -> Iterator[Pair]:
    """``pair.engine`` and ``pair.client`` answer alike as long as they are asked alike."""
    with paired(Keyring(tmp_path / "tokens.json"), recipe) as both:
        yield both


@contextmanager
def paired(keyring: Keyring, recipe: str = "reverie") -> Iterator[Pair]:
    """The same with these tokens."""
    with fresh(recipe) as engine, fresh(recipe) as served:
        transport = httpx.ASGITransport(application(Serving(served, Settings(), keyring)), client=("127.0.0.1", 9))
        with Client(URL, transport=Bridge(transport)) as client:
            yield Pair(engine, client, transport)
