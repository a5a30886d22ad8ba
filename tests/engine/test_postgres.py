"""A full life over PostgreSQL is the same as over a file: memories, edges, dreams, undoing, erasing, replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie
from reverie.errors import InvalidInput
from tests.engine.full_life import ASKED_AT, HOME, OTHER, lived, rankings, state
from tests.postgres_server import WHY_NOT, addresses, new_tenant

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def _opened(where: str | Path, tenant: str = "") -> Reverie:
    clock, ids = FixedClock(ASKED_AT), RandomIds(seed=7)
    return Reverie.open(where, tenant=tenant, embedder=HashEmbedder(64), clock=clock, ids=ids, background=False)


def test_a_life_is_the_same_over_a_server_and_over_a_file(tmp_path: Path) -> None:
    """Digests, rankings with their scores, and all that is told of a scope; then undone, and copied into a file."""
    server, file = lived(_opened(addresses()[1], new_tenant())), lived(_opened(tmp_path / "life.db"))
    for memory in (server, file):
        memory.undo(HOME)
    assert server.admin.digest() == file.admin.digest()
    for scope in (HOME, OTHER):
        assert rankings(server, scope) == rankings(file, scope)
        assert state(server, scope) == state(file, scope)
    assert server.admin.doctor() == []
    server.admin.backup(tmp_path / "copy.db")
    copy = _opened(tmp_path / "copy.db")
    assert copy.admin.digest() == server.admin.digest()
    assert rankings(copy) == rankings(server)
    assert server.admin.replay(tmp_path / "replayed.db") == file.admin.digest()
    for memory in (server, file, copy):
        memory.close()


def test_only_a_database_has_tenants(tmp_path: Path) -> None:
    """Naming one for a file is an error, not ignored; the address may name one as well."""
    with pytest.raises(InvalidInput, match="no tenants"):
        Reverie.open(tmp_path / "x.db", tenant="team", embedder=None)
    tenant = new_tenant()
    with Reverie.open(f"{addresses()[1]}&tenant={tenant}", embedder=None) as memory:
        memory.remember("tea", HOME)
    with Reverie.open(addresses()[1], tenant=tenant, embedder=None) as memory:
        assert len(memory.timeline(HOME)) == 1
