import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reverie.config import Settings
from reverie.errors import Conflict
from reverie.faces.cli.exits import place_for, refused
from tests.faces.cli.conftest import Run


@pytest.mark.parametrize("name", ["reverie.db", "reverie.db-wal", "reverie.db-shm", "ops-log.jsonl", "link"])
def test_nothing_is_written_over_what_the_store_uses(tmp_path: Path, name: str) -> None:
    """Not by force, not through a link, and not where the store's log would lie if it were open."""
    (tmp_path / "reverie.db").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("reverie.db")
    with pytest.raises(Conflict, match=name):
        place_for(tmp_path / name, Settings(store=str(tmp_path)), force=True)


def test_force_writes_over_plain_files_alone(tmp_path: Path) -> None:
    """Another store, a folder and a pipe stay; a link leads to where the file is to stand."""
    settings = Settings(store=str(tmp_path / "reverie.db"))
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("CREATE TABLE kept (x)")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("other.db", "pipe", "folder"):
        with pytest.raises(Conflict, match=name):
            place_for(tmp_path / name, settings, force=True)
    (tmp_path / "link").symlink_to("out.jsonl")
    assert place_for(tmp_path / "link", settings, force=False) == tmp_path / "out.jsonl"
    (tmp_path / "out.jsonl").write_bytes(b"old")
    with pytest.raises(Conflict, match="--force"):
        place_for(tmp_path / "link", settings, force=False)
    assert place_for(tmp_path / "link", settings, force=True) == tmp_path / "out.jsonl"


def test_a_path_the_system_refuses_is_told_by_name() -> None:
    """Whatever it was wanted for."""
    error = refused(PermissionError(errno.EACCES, "Permission denied", "locked/store"))
    assert (error.message, bool(error.mend)) == ("locked/store cannot be used: Permission denied.", True)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("name", ["reverie.toml", "sub/reverie.toml", "link", "home/.config/reverie/config.toml"])
def test_nothing_takes_the_place_of_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, force: bool
) -> None:
    """Of this folder, of another, behind a link, the user's own; written over or newly made."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "link").symlink_to("reverie.toml")
    settings = Settings(store=str(tmp_path / "reverie.db"))
    for _ in range(2):
        with pytest.raises(Conflict, match="reads its settings from"):
            place_for(tmp_path / name, settings, force=force)
        (tmp_path / "reverie.toml").write_text('user = "ada"\n', encoding="utf-8")
    assert place_for(tmp_path / "config.toml", settings, force=False) == tmp_path / "config.toml"


@pytest.mark.parametrize("command", ["recall x", "setup python --yes", "doctor"])
def test_a_folder_that_is_gone_is_named_as_the_fault(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """As after a branch was left in another window; it is not the output that cannot be written."""
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = run(*command.split(), "--no-model")
    monkeypatch.chdir(folder)
    assert (done.code, "The folder that you are in is gone" in done.err) == (10, True)
