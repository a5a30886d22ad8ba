"""A path becomes a store: missing, folders, odd names; what cannot be written is in tests/reliability."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from reverie.errors import StoreError, StoreFull, StoreMissing, StoreReadOnly
from reverie.stores.sqlite import SqliteStore, file
from tests.stores.making import ADA, Writer, live_a_life


def test_a_missing_store_is_made_only_if_asked_for(tmp_path: Path) -> None:
    """create=False leaves the folder as it was."""
    with pytest.raises(StoreMissing, match="no store at"):
        SqliteStore(tmp_path / "store", create=False)
    assert list(tmp_path.iterdir()) == []
    SqliteStore(tmp_path / "store").close()
    SqliteStore(tmp_path / "store", create=False).close()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    """Neither the folder itself nor a file in a folder that is not there."""
    with pytest.raises(StoreMissing, match="is a folder"):
        SqliteStore(tmp_path)
    with pytest.raises(StoreMissing, match="no folder"):
        SqliteStore(tmp_path / "nowhere" / "store")


@pytest.mark.parametrize("name", ["with space", "qu?ery=1", "frag#ment", "per%20cent", "ğüş", "a&mode=ro", "'quote"])
def test_any_file_name_is_that_file(tmp_path: Path, name: str) -> None:
    """Names that mean something in a URI mean nothing here."""
    store = SqliteStore(str(tmp_path / name))
    Writer(store).remember(ADA, "tea")
    assert store.stats(ADA).disk_bytes == file.size_of(tmp_path / name) > 0
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of failing on the first statement it does not know."""
    monkeypatch.setattr(file, "OLDEST", (99, 0, 0))
    with pytest.raises(StoreError, match=r"too old: 99\.0\.0 is needed"):
        SqliteStore(tmp_path / "store")


def test_reading_only_reads(tmp_path: Path) -> None:
    """A connection for reading sees everything and refuses to write."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    connection = file.read_only(tmp_path / "store", 1.0)
    assert connection.row("SELECT count(*) FROM memory") == (1,)
    connection.begin(durable=False)
    with pytest.raises(StoreReadOnly):
        connection.require_writable()
    connection.close()
    store.close()


def test_a_new_store_and_its_log_are_their_owners_alone(tmp_path: Path) -> None:
    """Whatever the mask, also behind a link to nothing yet; a file that is there keeps its permissions."""
    (tmp_path / "there").touch(mode=0o644)
    (tmp_path / "there").chmod(0o644)
    (tmp_path / "link").symlink_to(tmp_path / "linked")
    before = os.umask(0)
    try:
        for name in ("store", "there", "link"):
            made = SqliteStore(tmp_path / name)
            live_a_life(made, 1, 3)
            if name == "store":
                assert (tmp_path / "store-wal").stat().st_mode & 0o777 == 0o600
            made.close()
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("store", "there", "linked")]
    assert modes == [0o600, 0o644, 0o600]


def test_a_link_that_leads_to_itself_is_an_error_of_ours(tmp_path: Path) -> None:
    """As before a file was made by hand."""
    (tmp_path / "link").symlink_to(tmp_path / "link")
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "link")


@pytest.mark.parametrize("name", ["/dev/null", "pipe"])
def test_a_device_or_a_pipe_is_no_store(tmp_path: Path, name: str) -> None:
    """It is told as what it is, at once, and not as a disk that fails."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreMissing, match="no ordinary file"):
        SqliteStore(tmp_path / name)


def test_a_store_that_cannot_be_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A locked folder or a full disk, by name; that another process was first is no error."""

    def failing(number: int) -> None:
        def make(*_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(file, "make", make)

    for number, kind in ((errno.EACCES, StoreReadOnly), (errno.EROFS, StoreReadOnly), (errno.ENOSPC, StoreFull)):
        failing(number)
        with pytest.raises(kind, match="store cannot be written"):
            SqliteStore(tmp_path / "store")
        assert list(tmp_path.iterdir()) == []
    failing(errno.EEXIST)
    SqliteStore(tmp_path / "store").close()


def test_what_is_beside_a_file_gets_its_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also behind a link, and only where the file itself may be written; what can be written is left alone."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    (tmp_path / "link").symlink_to(tmp_path / "store")
    parts = [tmp_path / name for name in ("store", "store-wal", "store-shm")]
    monkeypatch.setattr(os, "access", lambda path, _: bool(Path(path).stat().st_mode & 0o200))

    def modes(*before: int) -> list[int]:
        for part, mode in zip(parts, before, strict=True):
            part.chmod(mode)
        SqliteStore(tmp_path / "link").close()
        return [part.stat().st_mode & 0o777 for part in parts]

    assert modes(0o640, 0o444, 0o444) == [0o640, 0o640, 0o640]
    assert modes(0o640, 0o600, 0o444) == [0o640, 0o600, 0o640]
    assert modes(0o444, 0o444, 0o444) == [0o444, 0o444, 0o444]
    store.close()


def test_what_is_beside_a_file_that_is_no_store_keeps_its_permissions(tmp_path: Path) -> None:
    """Nor is anything done to what a link leads to."""
    (tmp_path / "notes").write_text("mine")
    (tmp_path / "secret").write_text("hers")
    (tmp_path / "notes-wal").write_text("log")
    (tmp_path / "notes-shm").symlink_to("secret")
    for name in ("notes-wal", "secret"):
        (tmp_path / name).chmod(0o400)
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "notes")
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("notes-wal", "secret")] == [0o400, 0o400]
