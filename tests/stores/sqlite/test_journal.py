"""The journal in the file: every event comes back, page by page; damage is reported."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores import codec
from reverie.stores.sqlite import SqliteStore, journal
from tests.stores.making import ADA, GRACE, Writer


def test_pages_go_through_the_whole_journal(tmp_path: Path) -> None:
    """More events than a page holds come in order, of all scopes or one, each with its bytes."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for number in range(600):
        writer.recall(ADA if number % 3 else GRACE, f"m{number}")
    assert [event.seq for event in store.events()] == list(range(1, 601))
    assert [event.seq for event in store.events(GRACE, after=4)] == list(range(7, 601, 3))
    page = journal.page(store._connection, None, 590)
    assert [(event.seq, raw) for event, raw in page] == [(e.seq, codec.payload_bytes(e)) for e, _ in page]
    assert all(event.payload is None for event, _ in journal.page(store._connection, None, 0, decoded=False))
    assert list(journal.marks(store._connection))[-1] == (*store.head(), False)
    store.close()


@pytest.mark.parametrize(
    "change",
    ["action = 'dance'", "at = 1 << 62", "payload = X'00'", "payload = '{}'", "why = NULL", "hash = 3", "digest = 'x'"],
)
def test_an_event_that_cannot_be_read_is_damage(tmp_path: Path, change: str) -> None:
    """Whatever a field was overwritten with, the error is StoreCorrupt and names the event or its content."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    raw = sqlite3.connect(tmp_path / "store")
    raw.executescript(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'event';"
    )
    raw.close()
    raw = sqlite3.connect(tmp_path / "store")
    raw.execute(f"UPDATE event SET {change}")
    raw.commit()
    raw.close()
    with pytest.raises(StoreCorrupt):
        list(store.events())
    assert "journal" in [fault.name for fault in store.check()]
    store.close()


@pytest.mark.parametrize("hash_", ["NULL", "'text'", "1e308"])
def test_an_end_without_a_hash_is_damage(tmp_path: Path, hash_: str) -> None:
    """Nothing can be written behind it, and whoever asks is told why."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    store._connection.run("PRAGMA ignore_check_constraints = ON")
    store._connection.run("CREATE TEMP TABLE event AS SELECT * FROM main.event")  # the true one takes no NULL
    store._connection.run(f"UPDATE temp.event SET hash = {hash_}")
    with pytest.raises(StoreCorrupt, match="Event 1 has no hash"):
        store.head()
    store.close()


def test_no_event_comes_after_any_number(tmp_path: Path) -> None:
    """A number beyond 64 bits is no fault of the file."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    assert list(store.events(after=2**70)) == []
    (tea,) = store.memories(ADA)
    assert store.latest(ADA, tea.session, 2**70, None) == [tea]
    store.close()
