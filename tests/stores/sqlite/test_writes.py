from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from reverie.errors import StoreBusy, StoreFull
from reverie.events import Action, Recalled
from reverie.stores.sqlite import SqliteStore, reads
from reverie.types import Kind, ModelInfo
from tests.stores.making import ADA, GRACE, MODEL, OTHER_MODEL, Writer, at, content, draft, vector


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store."""
    made = SqliteStore(tmp_path / "store")
    yield made
    made.close()


def rows(store: SqliteStore, sql: str) -> list[tuple[object, ...]]:
    """What a query finds in the file."""
    return store._connection.rows(sql)


def test_a_text_is_kept_once_beside_the_journal(store: SqliteStore) -> None:
    """The memory of a message borrows its words from the episode; one with its own words has them."""
    Writer(store).remember(ADA, "tea", formed=[(Kind.FACT, "likes tea"), (Kind.ENTITY, "tea")])
    assert rows(store, "SELECT text FROM episode") == [("tea",)]
    assert rows(store, "SELECT text FROM memory ORDER BY key") == [(None,), ("likes tea",), (None,)]


def test_keys_of_a_scope_lie_together_and_go_on_after_an_erasure(store: SqliteStore) -> None:
    """A scope's memories are numbered by themselves; no number comes twice."""
    writer = Writer(store)
    for scope in (ADA, GRACE, ADA, GRACE):
        name = writer.remember(scope, "tea")
    writer.erase(GRACE, name)
    writer.remember(GRACE, "tea")
    first, second = reads.base(1), reads.base(2)
    assert rows(store, "SELECT key FROM memory ORDER BY key") == [
        (first + 1,),
        (first + 2,),
        (second + 1,),
        (second + 3,),
    ]


def test_recalls_do_not_move_the_version(store: SqliteStore) -> None:
    """A scope's version is the last event that changed content, so counting accesses disturbs no corpus."""
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    writer.recall(ADA, name)
    assert rows(store, "SELECT version, events FROM scope") == [(1, 2)]
    writer.forget(ADA, name, at(0))
    assert rows(store, "SELECT version, events FROM scope") == [(3, 3)]


def test_vectors_are_two_bytes_a_dimension_and_counted(store: SqliteStore) -> None:
    """Coverage says how many memories of each scope each model has embedded, whatever happened."""
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    writer.remember(ADA, "rain", embedded=None)
    writer.remember(GRACE, "ship", embedded=OTHER_MODEL)
    store.put_vectors(OTHER_MODEL, [(ADA, name, vector(1)), (ADA, name, vector(2)), (ADA, "nobody", vector(3))])
    assert rows(store, "SELECT DISTINCT length(data) FROM vector") == [(32,)]
    coverage = "SELECT scope, model, count FROM coverage WHERE count > 0 ORDER BY 1, 2"
    assert rows(store, coverage) == [(1, 1, 1), (1, 2, 1), (2, 2, 1)]
    writer.erase(ADA, name)
    assert rows(store, coverage) == [(2, 2, 1)]
    assert [store.drop_vectors(scope, keep=MODEL) for scope in store.outdated(MODEL)] == [0, 1]
    assert rows(store, coverage) == []


def test_a_models_number_is_its_own_for_ever(store: SqliteStore) -> None:
    """Dropping a model's vectors does not free its number for another, which a second process may still write under."""
    writer = Writer(store)
    writer.remember(ADA, "tea", embedded=OTHER_MODEL)
    store.drop_vectors(ADA, keep=MODEL)
    writer.remember(ADA, "tea")
    assert rows(store, "SELECT id, key FROM model ORDER BY id") == [(1, OTHER_MODEL.key), (2, MODEL.key)]


def test_more_models_than_numbers_is_an_error_not_a_mixture(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When numbers run out the write is refused whole."""
    monkeypatch.setattr(reads, "MODELS_MAX", 1)
    writer = Writer(store)
    writer.remember(ADA, "tea")
    with pytest.raises(StoreFull, match="1 models"):
        writer.remember(ADA, "tea", embedded=ModelInfo("one too many", "1", 16))
    assert store.head(ADA)[0] == 1


def test_the_head_follows_other_processes(tmp_path: Path) -> None:
    """Each transaction continues the chain from where anybody left it."""
    one, other = SqliteStore(tmp_path / "store"), SqliteStore(tmp_path / "store")
    for number in range(6):
        Writer((one, other)[number % 2], f"{number}-").remember(ADA, "tea")
    assert one.heads() == other.heads() == {ADA: one.head(ADA)}
    assert one.check() == []
    one.close()
    other.close()


def test_the_lock_is_free_after_any_end(tmp_path: Path) -> None:
    """After success, after an error inside, after an error at the beginning: another thread can go on."""
    store, other = (SqliteStore(tmp_path / "store", busy_timeout_s=0.01) for _ in range(2))
    Writer(store).remember(ADA, "tea")
    with pytest.raises(ZeroDivisionError), store.begin(ADA, durable=True):
        raise ZeroDivisionError
    with other.begin(ADA, durable=False), pytest.raises(StoreBusy), store.begin(ADA, durable=False):
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
    with store.begin(ADA, durable=True) as tx:
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
        assert other.corpus(ADA, MODEL).size == 1
        assert other.head(ADA)[0] == 1
    assert other.head(ADA)[0] == 2
    raw = sqlite3.connect(tmp_path / "store")
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()
    store.close()
    other.close()
