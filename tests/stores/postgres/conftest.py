"""A server of a test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def crashing() -> Iterator[object]:
    """A server of one's own that syncs its log, as a real one does."""
    from reverie.stores.postgres.schema import migrate
    from tools.postgres import OWNER, Server, prepare

    server = Server(fsync=True)
    server.make()
    server.start()
    prepare(server.url())
    migrate(server.url(OWNER), ("t",))
    yield server
    server.stop()
