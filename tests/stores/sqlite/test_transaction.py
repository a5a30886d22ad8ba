"""SQLite transactions: what the contract does not already ask of both stores."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from reverie.errors import StoreBusy, StoreFull
from reverie.events import Action, Recalled
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, MODEL, Writer, content, draft


def test_the_head_follows_other_processes(tmp_path: Path) -> None:
    """Each transaction continues the chain from where anybody left it."""
    one, other = SqliteStore(tmp_path / "store"), SqliteStore(tmp_path / "store")
    for number in range(6):
        Writer((one, other)[number % 2], f"{number}-").remember(ADA, "tea")
    assert one.head() == other.head() == (6, one.head()[1])
    assert one.check() == []
    one.close()
    other.close()


def test_the_lock_is_free_after_any_end(tmp_path: Path) -> None:
    """After success, after an error inside, after an error at the beginning: another thread can go on."""
    store, other = (SqliteStore(tmp_path / "store", busy_timeout_s=0.01) for _ in range(2))
    Writer(store).remember(ADA, "tea")
    with pytest.raises(ZeroDivisionError), store.begin(durable=True):
        raise ZeroDivisionError
    with other.begin(durable=False), pytest.raises(StoreBusy), store.begin(durable=False):
        pass
    done: list[int] = []
    thread = Thread(target=lambda: done.append(store.corpus(ADA, MODEL).size))
    thread.start()
    thread.join(10)
    assert done == [1]
    store.close()
    other.close()


def test_a_full_file_takes_nothing_and_loses_nothing(tmp_path: Path) -> None:
    """When no page is left the write fails whole; with room again it goes on."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for _ in range(5):
        writer.remember(ADA, "tea")
    store._connection.run("PRAGMA max_page_count = 1")  # SQLite takes the present size
    before = content(store, ADA)

    def write_until_full() -> None:
        nonlocal before
        for _ in range(200):
            writer.remember(ADA, "rain " * 200, embedded=None)
            before = content(store, ADA)

    with pytest.raises(StoreFull, match="Make room"):
        write_until_full()
    assert content(store, ADA) == before
    assert store.check() == []
    store._connection.run("PRAGMA max_page_count = 1000000")
    writer.remember(ADA, "rain " * 200)
    assert store.corpus(ADA, MODEL).size == len(before[-1]) + 1  # type: ignore[arg-type]  # the list of memories
    store.close()


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    """Another connection reads what was committed while a transaction is open, and does not see what is in it."""
    store, other = (SqliteStore(tmp_path / "store", busy_timeout_s=0.01) for _ in range(2))
    writer = Writer(store)
    writer.remember(ADA, "tea")
    with store.begin(durable=True) as tx:
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
        assert other.corpus(ADA, MODEL).size == 1
        assert other.head()[0] == 1
    assert other.head()[0] == 2
    raw = sqlite3.connect(tmp_path / "store")
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()
    store.close()
    other.close()
