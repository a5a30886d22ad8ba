"""An engine on each store with a clock that moves on by itself, and a scope."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock

import pytest

from reverie import HashEmbedder, RandomIds, Reverie, Scope

START = datetime(2026, 6, 15, 12, tzinfo=UTC)


class TickingClock:
    """A second later at each look."""

    def __init__(self) -> None:
        self._at = START
        self._lock = Lock()

    def now(self) -> datetime:
        with self._lock:
            self._at += timedelta(seconds=1)
            return self._at


def open_at(where: str) -> Reverie:
    """An engine as the tests want it."""
    return Reverie.open(where, embedder=HashEmbedder(), clock=TickingClock(), ids=RandomIds(seed=1), background=False)


@pytest.fixture(params=["ram", "sqlite"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reverie]:
    """An engine on each store."""
    with open_at(":memory:" if request.param == "ram" else str(tmp_path / "memory.db")) as opened:
        yield opened


@pytest.fixture
def scope() -> Scope:
    """The scope the caller names."""
    return Scope("helper", "ada", "home")
