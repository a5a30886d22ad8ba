"""The SQLite store by itself: what the contract does not already ask of both stores."""

from __future__ import annotations

from pathlib import Path

from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, GRACE, MODEL, Writer, content


def test_everything_is_there_after_closing(tmp_path: Path) -> None:
    """What was written is read by the next process, without a log left beside the file."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    writer.recall(ADA, name)
    before, digest = content(store, ADA), store.digest()
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    store = SqliteStore(tmp_path / "store", create=False)
    assert content(store, ADA) == before
    assert store.digest() == digest
    store.close()


def test_reading_writes_nothing(tmp_path: Path) -> None:
    """Every question about known and unknown scopes leaves the file as it was, byte for byte."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    store.close()
    before = (tmp_path / "store").read_bytes()
    store = SqliteStore(tmp_path / "store")
    for scope in (ADA, GRACE):
        content(store, scope)
        store.stats(scope)
    store.unindexed(MODEL, 5)
    store.check()
    store.close()
    assert (tmp_path / "store").read_bytes() == before


def test_a_path_may_be_text_or_path(tmp_path: Path) -> None:
    """Both name the same file."""
    one, other = SqliteStore(str(tmp_path / "store")), SqliteStore(tmp_path / "store")
    Writer(one).remember(ADA, "tea")
    assert other.corpus(ADA, MODEL).size == 1
    one.close()
    other.close()
