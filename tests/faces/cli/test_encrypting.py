"""`reverie store encrypt|decrypt`, and the commands on an encrypted store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Run

pytest.importorskip("sqlcipher3", reason="the extra sqlcipher is not installed")
pytestmark = pytest.mark.req("D57e")

SCOPE = ("--agent", "a", "--user", "u", "--project", "p", "--embedder", "none")


@pytest.fixture
def key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings say that the key lies."""
    path = folder.parent / "store.key"
    monkeypatch.setenv("REVERIE_KEY_FILE", str(path))
    return path


def test_a_store_is_encrypted_and_used_and_decrypted(run: Run, folder: Path, key: Path) -> None:
    """The digest stays; the folder's settings name it with its prefix; the user is not asked to trust it anew."""
    run(*SCOPE, "init")
    run("remember", "The zebracode is under the mat.")
    done = run("--json", "store", "encrypt")
    assert done.code == 0, done.err
    assert done.shape["store"] == f"sqlcipher:{folder / 'reverie.db'}"
    assert b"zebracode" not in (folder / "reverie.db").read_bytes()
    wrong = run("recall", "mat")
    assert wrong.code != 0
    assert "sqlcipher:PATH" in wrong.err
    named = ("--store", "sqlcipher:reverie.db")
    assert "zebracode" in run(*named, "recall", "mat").out
    assert run("--json", *named, "store", "verify").shape["digest"]
    assert run(*named, "doctor").code == 0
    logged = run("--json", "audit", "log", "--all-scopes", "--tail", "3").shape["lines"]
    assert [(one["op"], one["who"][:4], one["success"]) for one in logged if "who" in one] == [
        ("encrypt", "cli:", True)
    ]
    back = run("--json", *named, "store", "decrypt")
    assert back.shape["store"] == str(folder / "reverie.db")
    assert "zebracode" in run("recall", "mat").out
    assert key.exists()


def test_a_folder_begins_with_an_encrypted_store(run: Run, folder: Path, key: Path) -> None:
    """`init` makes the key and the store, and writes the prefix into the settings; no log shows what was said."""
    assert run(*SCOPE, "--store", "sqlcipher:memory.db", "init").code == 0
    assert 'store = "sqlcipher:memory.db"' in (folder / "reverie.toml").read_text()
    run("remember", "The zebracode is under the mat.")
    assert "zebracode" in run("recall", "zebracode").out
    assert run("store", "backup", "copy.db").code == 0
    assert run("doctor", "--repair").code == 0
    files = [path for path in folder.parent.rglob("*") if path.is_file()]
    assert [path for path in files if b"zebracode" in path.read_bytes()] == []
    assert run("--store", "sqlcipher:copy.db", "store", "verify").code == 0
    key.unlink()
    assert "There is no key" in run("recall", "mat").err


def test_plain_copies_are_named(run: Run, folder: Path, key: Path) -> None:
    """And deleted where one asks for it."""
    run(*SCOPE, "init")
    run("remember", "The zebracode is under the mat.")
    run("store", "backup", "copy.db")
    assert "copy.db still holds what was said" in (done := run("store", "encrypt")).out + done.err
    run("--store", "sqlcipher:reverie.db", "store", "decrypt")
    assert "overwritten and deleted" in run("store", "encrypt", "--erase-copies").out
    assert not (folder / "copy.db").exists()
    assert key.exists()
