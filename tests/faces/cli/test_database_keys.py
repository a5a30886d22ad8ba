"""The commands over an encrypted database: shredding a scope, a new master key, and what each refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Run
from tests.postgres_server import WHY_NOT, addresses, new_tenant

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

HOME, OTHER = ("--agent", "a", "--user", "u", "--project", "p"), ("--agent", "a", "--user", "v", "--project", "p")


@pytest.fixture
def named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An encrypted tenant is named in the variables; returns where its master key lies, once it is made."""
    key = folder.parent / "store.key"
    monkeypatch.setenv("REVERIE_STORE", f"{addresses()[1]}&tenant={new_tenant()}")
    monkeypatch.setenv("REVERIE_ENCRYPTED", "true")
    monkeypatch.setenv("REVERIE_KEY_FILE", str(key))
    monkeypatch.setenv("REVERIE_EMBEDDER", "none")
    return key


def test_a_scope_is_shredded_and_the_master_key_changed(
    run: Run, folder: Path, named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only after a yes; the scope is gone, the other stays; the old master key opens nothing afterwards."""
    for scope in (HOME, OTHER):
        assert run("remember", "The zebracode is under the mat.", *scope).code == 0
    assert named.stat().st_mode & 0o077 == 0
    assert run("store", "shred", *HOME).code == 8
    assert run("--json", "store", "shred", *HOME).shape["error"]["kind"] == "Unconfirmed"
    assert "zebracode" in run("recall", "zebracode", *HOME).out
    done = run("--json", "store", "shred", "--yes", *HOME)
    assert [one["memories"] for one in done.shape["shredded"]] == [1]
    gone = run("recall", "zebracode", *HOME)
    assert (gone.code, "was destroyed" in gone.err, "zebracode" in gone.out) == (3, True, False)
    assert "zebracode" in run("recall", "zebracode", *OTHER).out
    assert run("store", "verify", *OTHER).code == 0
    fresh = folder.parent / "new.key"
    assert run("--json", "store", "rotate", str(fresh), *OTHER).shape == {"scopes": 1, "key_file": str(fresh)}
    assert "not the master key" in run("recall", "zebracode", *OTHER).err
    monkeypatch.setenv("REVERIE_KEY_FILE", str(fresh))
    assert "zebracode" in run("recall", "zebracode", *OTHER).out
    assert "1 scopes" in run("store", "rotate", str(named), *OTHER).out
    monkeypatch.setenv("REVERIE_KEY_FILE", str(named))
    assert "key destroyed" in run("store", "shred", "--all-scopes", "--yes", *OTHER).out
    assert run("recall", "zebracode", *OTHER).code == 3
    texts = [path for path in folder.parent.rglob("*") if path.is_file() and b"zebracode" in path.read_bytes()]
    assert texts == []


def test_what_has_no_key_for_each_scope_says_so(run: Run, folder: Path, named: Path) -> None:
    """A file, a tenant in clear, and a database that should be moved to encrypted."""
    assert "Export its memories" in run("store", "encrypt", *HOME).err
    clear = ("--store", f"{addresses()[1]}&tenant={new_tenant()}")
    run(*clear, "remember", "tea", *HOME)
    assert "not encrypted" in run(*clear, "store", "shred", "--yes", *HOME).err
    assert "no master key" in run(*clear, "store", "rotate", "new.key", *HOME).err
    assert not (folder / "new.key").exists()
    file = ("--store", "plain.db")
    run(*file, *HOME, "init")
    assert "no key for each scope" in run(*file, "store", "shred", "--yes", *HOME).err
    assert "no master key" in run(*file, "store", "rotate", "new.key", *HOME).err
    assert not named.exists()
