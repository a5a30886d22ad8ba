"""A path becomes a store: missing, folders, odd names; what cannot be written is in tests/reliability."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.errors import StoreError, StoreMissing, StoreReadOnly
from reverie.stores.sqlite import SqliteStore, opening
from tests.stores.making import ADA, Writer


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
    assert store.stats(ADA).disk_bytes == opening.size_of(tmp_path / name) > 0
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of failing on the first statement it does not know."""
    monkeypatch.setattr(opening, "OLDEST", (99, 0, 0))
    with pytest.raises(StoreError, match=r"too old: 99\.0\.0 is needed"):
        SqliteStore(tmp_path / "store")


def test_reading_only_reads(tmp_path: Path) -> None:
    """A connection for reading sees everything and refuses to write."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    connection = opening.read_only(tmp_path / "store", 1.0)
    assert connection.row("SELECT count(*) FROM memory") == (1,)
    connection.begin(durable=False)
    with pytest.raises(StoreReadOnly):
        connection.require_writable()
    connection.close()
    store.close()
