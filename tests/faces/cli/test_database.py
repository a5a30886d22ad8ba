"""`reverie store migrate` and `rebalance`: a database with tenants and their logins, and scopes over several."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Reverie, Scope
from tests.faces.cli.conftest import Run
from tests.postgres_server import WHY_NOT, addresses, new_tenant

SCOPES = [Scope("helper", f"user {number}", "home") for number in range(8)]


def test_scopes_move_to_a_database_that_was_added(run: Run, folder: Path) -> None:
    """A changed list is refused by name of the command, which moves its share; then everything is there."""
    path = folder / "databases.toml"
    path.write_text('[databases]\na = "a.db"\n')
    with Reverie.open(path, embedder=None) as memory:
        for scope in SCOPES:
            memory.remember("tea", scope)
    path.write_text('[databases]\na = "a.db"\nb = "b.db"\n')
    Reverie.open(folder / "b.db", embedder=None).close()
    refused = run("stats", "--store", str(path))
    assert (refused.code, "reverie store rebalance" in refused.err) == (2, True)
    moved = run("store", "rebalance", str(path), "--no-model", "--json").shape["moved"]
    assert {one["to"] for one in moved} == {"b"}
    assert run("store", "rebalance", str(path), "--no-model").out == "0 scopes moved\n"
    [*_, first, again] = run("audit", "log", "--store", str(path), "--all-scopes", "--json").shape["lines"]
    assert [(one["op"], one["resultCount"]) for one in (first, again)] == [("rebalance", len(moved)), ("rebalance", 0)]
    with Reverie.open(path, embedder=None) as memory:
        assert memory.admin.scopes() == sorted(SCOPES)
    assert run("store", "rebalance", str(folder / "a.db"), "--no-model").code == 2


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_a_tenant_gets_a_login_of_its_own(run: Run) -> None:
    """Made by the owner, for one tenant that is named; the engine opens the store by it."""
    owner, app = addresses()
    tenant = new_tenant()
    login = f"cli_{tenant.replace('-', '_')}"
    assert run("store", "migrate", owner, "--login", login).code == 2
    assert run("store", "migrate", owner, "--tenant", tenant, "--login", login).code == 0
    [line] = run("audit", "log", "--store", f"{owner}&tenant={tenant}", "--all-scopes", "--json").shape["lines"]
    assert (line["op"], line["success"]) == ("migrate", True)
    with Reverie.open(app.replace("reverie_app@", f"{login}@"), tenant=tenant, embedder=None) as memory:
        memory.remember("tea", SCOPES[0])
        assert [hit.memory.text for hit in memory.recall("tea", SCOPES[0]).hits] == ["tea"]
