"""A server without a socket: in, an engine on a store in memory; out, clients that ask it as a program would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from reverie import Reverie, Scope
from reverie.config import Settings
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.faces.http.app import application
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BASE = "http://127.0.0.1:8377"
SCOPE = Scope("helper", "ada", "home")
OTHER = Scope("helper", "bob", "home")


def named(scope: Scope) -> dict[str, str]:
    """A scope as query parameters."""
    return {"agent": scope.agent, "user": scope.user, "project": scope.project}


@pytest.fixture
def recipe() -> str:
    """The recipe of the engine; a test of what another one does says which."""
    return "reverie"


@pytest.fixture
def engine(recipe: str) -> Iterator[Reverie]:
    """An engine without a model, on a store in memory."""
    with Reverie.open(":memory:", embedder=None, recipe=recipe, clock=FixedClock(NOW), ids=RandomIds(seed=1)) as opened:
        yield opened


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    """A keyring without a token yet."""
    return Keyring(tmp_path / "reverie.tokens.json")


@pytest.fixture
def serving(engine: Reverie, keyring: Keyring) -> Serving:
    """What a server on this machine is made of."""
    return Serving(engine, Settings(), keyring)


@pytest.fixture
def limited(engine: Reverie, keyring: Keyring) -> Callable[..., Serving]:
    """Makes a server with other settings of [serve]."""

    def make(**serve: object) -> Serving:
        settings = Settings()
        return Serving(engine, replace(settings, serve=replace(settings.serve, **serve)), keyring)  # type: ignore[arg-type] # a test's own values

    return make


@pytest.fixture
def token(keyring: Keyring) -> Callable[..., str]:
    """Makes a token of these rights for a scope, or (None) for everything."""

    def make(right: Right = Right.ADMIN, scope: Scope | None = SCOPE, name: str = "") -> str:
        bound = Binding() if scope is None else Binding(scope.agent, scope.user, scope.project)
        return keyring.add(Principal(name or f"{right.name}-{scope}", right, bound), NOW)

    return make


class Client:
    """Asks a server within one process; every call is one request."""

    def __init__(self, serving: Serving, token: str = "", base: str = BASE) -> None:
        self._app = application(serving)
        self._base = base
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, **options: object) -> httpx.Response:
        """One request and its answer."""
        import anyio

        async def once() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=self._base, headers=self._headers) as client:
                return await client.request(method, path, **options)  # type: ignore[arg-type] # httpx's own options

        return anyio.run(once)

    def get(self, path: str, scope: Scope | None = SCOPE, **query: object) -> httpx.Response:
        """Read something."""
        return self.ask("GET", path, params={**(named(scope) if scope else {}), **query})

    def post(self, path: str, body: object = None, scope: Scope | None = SCOPE, **query: object) -> httpx.Response:
        """Do something."""
        return self.ask("POST", path, params={**(named(scope) if scope else {}), **query}, json=body)


@pytest.fixture
def client(serving: Serving) -> Client:
    """Whoever asks on this machine, where there is no token."""
    return Client(serving)
