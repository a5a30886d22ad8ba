"""Dated backups and restoring one: what is kept, what is removed, and that the store is then what the backup is."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.engine.backups import back_up, folder_of, made, newest, restore
from reverie.errors import Conflict, InvalidInput, ReverieError, StoreBusy, StoreError

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agreements to stores are noted in a folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a memory in it."""
    path = tmp_path / "home" / "reverie.db"
    path.parent.mkdir()
    with Reverie.open(path, embedder=None) as memory:
        memory.remember("The key hangs behind the boiler.", SCOPE)
    return path


def said(path: Path) -> list[str]:
    """What a store holds."""
    with Reverie.open(path, embedder=None) as memory:
        return [one.text for one in memory.timeline(SCOPE)]


def test_the_newest_are_kept_and_nothing_else_is_touched(store: Path) -> None:
    """Older ones go once the new one is examined; files of other names, other stores' and links stay."""
    folder = folder_of(str(store))
    folder.mkdir()
    others = [folder / "notes.txt", folder / "other-20260101T000000Z.db", folder / "reverie-mine.db"]
    for one in others:
        one.write_text("mine")
    (folder / "reverie-20200101T000000Z.db").symlink_to(store)
    with Reverie.open(store, embedder=None) as memory:
        for day in range(5):
            back_up(memory, str(store), folder, NOW + timedelta(days=day), keep=3)
        again = back_up(memory, str(store), folder, NOW + timedelta(days=4), keep=3)
    assert [one.name for one in made(str(store), folder)] == [
        "reverie-20260305T093000Z.db",
        "reverie-20260306T093000Z.db",
        "reverie-20260306T093000Z-2.db",
    ]
    assert [one.name for one in again.removed] == ["reverie-20260304T093000Z.db"]
    assert (again.scopes, again.events) == (1, 1)
    assert all(one.read_text() == "mine" for one in others)
    assert (folder / "reverie-20200101T000000Z.db").is_symlink()
    with Reverie.open(store, embedder=None) as memory, pytest.raises(InvalidInput):
        back_up(memory, str(store), folder, NOW, keep=-1)


def test_what_is_restored_is_the_backup(store: Path, tmp_path: Path) -> None:
    """By digest; what was there lies aside, and what was kept since is gone from the store."""
    with Reverie.open(store, embedder=None) as memory:
        digest = memory.admin.digest()
        file = back_up(memory, str(store), tmp_path / "elsewhere", NOW).file
        memory.remember("The boiler is in the attic.", SCOPE)
    done = restore(str(store), file, NOW)
    assert done.digest == digest
    assert said(store) == ["The key hangs behind the boiler."]
    assert sorted(said(Path(done.aside))) == ["The boiler is in the attic.", "The key hangs behind the boiler."]
    with Reverie.open(store, embedder=None) as memory:
        assert memory.admin.digest() == digest
        assert memory.admin.verify() == []
        memory.remember("It goes on.", SCOPE)
    with pytest.raises(Conflict, match="already"):
        restore(str(store), file, NOW)


def test_a_lost_or_damaged_store_is_restored(store: Path, tmp_path: Path) -> None:
    """One that is not there, and one whose bytes are no store any more."""
    with Reverie.open(store, embedder=None) as memory:
        file = back_up(memory, str(store), tmp_path / "elsewhere", NOW).file
    store.write_bytes(b"\xff" * 8192)
    done = restore(str(store), file, NOW)
    assert Path(done.aside).read_bytes() == b"\xff" * 8192
    assert said(store) == ["The key hangs behind the boiler."]
    for side in store.parent.glob("reverie.db*"):
        side.unlink()
    assert restore(str(store), file, NOW + timedelta(days=1)).aside == ""
    assert said(store) == ["The key hangs behind the boiler."]


@pytest.mark.parametrize("content", [b"", b"no store", b"SQLite format 3\0" + b"\0" * 4096])
def test_what_is_no_backup_changes_nothing(store: Path, tmp_path: Path, content: bytes) -> None:
    """Nor one whose journal was changed, nor the store itself."""
    wrong = tmp_path / "wrong.db"
    wrong.write_bytes(content)
    before = store.read_bytes()
    with pytest.raises(ReverieError):
        restore(str(store), wrong, NOW)
    with pytest.raises(Conflict, match="itself"):
        restore(str(store), store, NOW)
    assert store.read_bytes() == before
    assert [one.name for one in store.parent.glob("*before*")] == []


def test_a_damaged_backup_is_refused(store: Path, tmp_path: Path) -> None:
    """A byte of a text changed behind Reverie's back is found before anything happens."""
    with Reverie.open(store, embedder=None) as memory:
        file = back_up(memory, str(store), tmp_path / "elsewhere", NOW).file
    file.write_bytes(file.read_bytes().replace(b"boiler", b"toilet"))
    with pytest.raises(StoreError):
        restore(str(store), file, NOW)
    assert said(store) == ["The key hangs behind the boiler."]


def test_a_store_in_use_is_not_replaced(store: Path, tmp_path: Path) -> None:
    """Another process that has it open keeps it."""
    with Reverie.open(store, embedder=None) as memory:
        file = back_up(memory, str(store), tmp_path / "elsewhere", NOW).file
    code = (
        "import sys; from reverie import Reverie; m = Reverie.open(sys.argv[1], embedder=None); m.admin.scopes();"
        "print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreBusy):
            restore(str(store), file, NOW)
    finally:
        other.communicate("")
    assert restore(str(store), file, NOW).events == 1


@pytest.mark.parametrize("store", [":memory:", "postgresql://localhost/x", "lance:table"])
def test_a_store_without_a_file_says_what_to_do(store: str) -> None:
    """Each names the export or tool that does it."""
    with pytest.raises(InvalidInput, match=r"export|pg_dump"):
        folder_of(store)


def test_no_other_file_is_left_beside_backups(store: Path) -> None:
    """Neither making, examining nor restoring leaves a log; what lies beside a backup goes with it."""
    folder = folder_of(str(store))
    first = back_up_at(store, 0)
    first.with_name(f"{first.name}-shm").touch()
    second = back_up_at(store, 1)
    restore(str(store), newest(str(store), folder), NOW)
    assert [one.name for one in folder.iterdir()] == [second.name]
    second.unlink()
    with pytest.raises(InvalidInput, match="no backup"):
        newest(str(store), folder)


def back_up_at(store: Path, hours: int) -> Path:
    """A backup, of which one is kept."""
    with Reverie.open(store, embedder=None) as memory:
        return back_up(memory, str(store), folder_of(str(store)), NOW + timedelta(hours=hours), keep=1).file
