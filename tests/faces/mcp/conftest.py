"""An engine in RAM, and the server over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from mcp.server.lowlevel import Server

from reverie import Reverie
from reverie.faces.mcp.service import Service
from tests.faces.mcp.serving import memory_at, server_over, service_over


@pytest.fixture
def engine() -> Iterator[Reverie]:
    """An empty memory."""
    with memory_at() as opened:
        yield opened


@pytest.fixture
def service(engine: Reverie) -> Service:
    """The tools' work over it."""
    return service_over(engine)


@pytest.fixture
def server(engine: Reverie) -> Server[Any]:
    """The server over it."""
    return server_over(engine)
