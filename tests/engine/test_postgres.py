"""A full life over PostgreSQL is the same as over a file: memories, edges, dreams, undoing, erasing, replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.speed.corpus import SyntheticCorpus
from reverie import FixedClock, HashEmbedder, RandomIds, Reverie
from reverie.errors import InvalidInput
from tests.engine.full_life import ASKED_AT, HOME, OTHER, lived, rankings, state
from tests.postgres_server import WHY_NOT, addresses, new_tenant

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


def _opened(where: str | Path, tenant: str = "", key: str = "") -> Reverie:
    how = {"embedder": HashEmbedder(64), "clock": FixedClock(ASKED_AT), "ids": RandomIds(seed=7)}
    return Reverie.open(where, tenant=tenant, background=False, key_file=key, **how)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("sealed", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_a_life_is_the_same_over_a_server_and_over_a_file(
    tmp_path: Path, sealed: bool, request: pytest.FixtureRequest
) -> None:
    """Digests, rankings with their scores, and all that is told of a scope; then undone, and copied into a file."""
    if sealed:
        pytest.importorskip("sqlcipher3", reason="the extra sqlcipher is not installed")
        if not request.config.getoption("--soak"):
            pytest.skip("whole lives over an encrypted tenant are for `make soak`")
    key = str(tmp_path / "store.key") if sealed else ""
    where = f"{addresses()[1]}&encrypted=true" if sealed else addresses()[1]
    server, file = lived(_opened(where, new_tenant(), key)), lived(_opened(tmp_path / "life.db"))
    for memory in (server, file):
        memory.undo(HOME)
    assert server.admin.digest() == file.admin.digest()
    for scope in (HOME, OTHER):
        assert rankings(server, scope) == rankings(file, scope)
        assert state(server, scope) == state(file, scope)
    assert server.admin.doctor() == []
    server.admin.backup(tmp_path / "copy.db")
    copy = _opened(f"sqlcipher:{tmp_path / 'copy.db'}" if sealed else tmp_path / "copy.db", key=key)
    assert copy.admin.digest() == server.admin.digest()
    assert rankings(copy) == rankings(server)
    assert server.admin.replay(tmp_path / "replayed.db") == file.admin.digest()
    for memory in (server, file, copy):
        memory.close()


def test_an_encrypted_tenant_ranks_as_a_file_does(tmp_path: Path, share: Callable[[int], int]) -> None:
    """The same hits, scores and cosines for every cue."""
    corpus = SyntheticCorpus(7)
    size, key = share(5_000), str(tmp_path / "store.key")
    engines = [
        _opened(f"{addresses()[1]}&encrypted=true", new_tenant(), key),
        _opened(tmp_path / "file.db"),
    ]
    for engine in engines:
        engine.transfer.remember_many(corpus.messages(0, size), HOME)
    for query in corpus.queries(share(200), size):
        told = [
            [(hit.memory.text, hit.score, hit.cosine) for hit in engine.recall(query.text, HOME).hits]
            for engine in engines
        ]
        assert told[0] == told[1]
    assert engines[0].admin.digest() == engines[1].admin.digest()
    for engine in engines:
        engine.close()


def test_only_a_database_has_tenants(tmp_path: Path) -> None:
    """Naming one for a file is an error, not ignored; the address may name one as well."""
    with pytest.raises(InvalidInput, match="no tenants"):
        Reverie.open(tmp_path / "x.db", tenant="team", embedder=None)
    tenant = new_tenant()
    with Reverie.open(f"{addresses()[1]}&tenant={tenant}", embedder=None) as memory:
        memory.remember("tea", HOME)
    with Reverie.open(addresses()[1], tenant=tenant, embedder=None) as memory:
        assert len(memory.timeline(HOME)) == 1
