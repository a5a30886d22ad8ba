"""An engine on each store, with a clock that stands still and ids from a seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.engine import core
from reverie.engine.logs import IN_MEMORY
from reverie.screen.values import ScreenSettings
from tests.postgres_server import STORES, new_place, place

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@pytest.fixture(scope="session", autouse=True)
def _memory_on_the_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """With ``--server``, what would be kept in memory is kept by a new tenant of the server."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--server"):
            open_store = core.open_store

            def opened(path: str | Path, *rest: object, **options: object) -> object:
                return open_store(new_place() if path == IN_MEMORY else path, *rest, **options)  # type: ignore[arg-type]  # handed on

            patch.setattr(core, "open_store", opened)
        yield


@pytest.fixture
def scope() -> Scope:
    """The scope most tests speak in."""
    return Scope("helper", "ada", "home")


@pytest.fixture(params=STORES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the engine under test keeps its memories."""
    return place(request.param, tmp_path)


@pytest.fixture
def engine(where: str) -> Iterator[Reverie]:
    """An engine with the hash embedder, at a fixed moment."""
    with open_at(where) as opened:
        yield opened


SCREEN = ScreenSettings()


def open_at(
    where: str, embedder: object = "hash", screen: ScreenSettings | None = SCREEN, recipe: str = "reverie"
) -> Reverie:
    """Open an engine the way the tests want it; ``screen`` None: words made up by chance may pass for passwords."""
    model = HashEmbedder() if embedder == "hash" else embedder
    return Reverie.open(
        where,
        embedder=model,  # type: ignore[arg-type]  # tests hand in fakes
        clock=FixedClock(NOW),
        ids=RandomIds(seed=1),
        background=False,
        screen=screen,
        recipe=recipe,
    )


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that a thread brings about."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
