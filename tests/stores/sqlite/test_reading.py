"""Tables into values: damage in a row is told, and pages of the timeline fit together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores.sqlite import SqliteStore, journal, reads, search, writes
from reverie.types import Kind
from tests.stores.making import ADA, GRACE, MODEL, Writer, at, vector


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with one message."""
    made = SqliteStore(tmp_path / "store")
    Writer(made).remember(ADA, "tea", message_id="x")
    yield made
    made.close()


@pytest.mark.parametrize(
    "query",
    [
        reads._BY_KEYS.format("?, ?"),
        reads._BY_ID,
        reads._TIMELINE.format(""),
        f"{reads.EPISODE} WHERE scope = ? AND message_id = ?",
        reads._WITHOUT,
        writes._FIND_SCOPE,
        writes._TOP,
        writes._BUMP,
        reads._NAMED.format("?, ?"),
        reads._OUTLIVED.format("?, ?"),
        writes._STANDINGS.format("?, ?"),
        writes._ADD_ACCESS,
        writes._MET,
        journal._PAGE.format(""),
        search._STATE,
        search._CHANGES,
        search._END,
        search._WHOLE,
        search._COLUMNS,
        search._VECTORS_OF,
        search._VECTORS_FROM,
    ],
)
def test_no_query_of_the_hot_path_looks_at_every_row(store: SqliteStore, query: str) -> None:
    """Each is answered by a key or an index, however large the store."""
    plan = store._connection.rows(f"EXPLAIN QUERY PLAN {query}", [1] * query.count("?"))
    scans = [step for *_, step in plan if "SCAN" in step and "VIRTUAL TABLE" not in step]
    assert scans == []


@pytest.mark.parametrize("least", [3, reads._OFTEN])
def test_what_was_often_accessed_is_found_from_the_accesses(store: SqliteStore, least: int) -> None:
    """Not from all memories of the scope, of which few were; episodes and other scopes' memories do not count."""
    writer = Writer(store, prefix="n")
    episode = writer.remember(ADA, "green tea", formed=[(Kind.FACT, "tea is green"), (Kind.FACT, "tea")])
    foreign = writer.remember(GRACE, "milk", formed=[(Kind.FACT, "milk is white")])
    often, seldom = (memory.id for memory in store.formed(ADA))
    for _ in range(least):
        writer.recall(ADA, episode, often)
        writer.recall(GRACE, foreign, *(memory.id for memory in store.formed(GRACE)))
    for _ in range(least - 1):
        writer.recall(ADA, seldom)
    assert [memory.id for memory in store.often(ADA, least)] == [often]
    plan = store._connection.rows(f"EXPLAIN QUERY PLAN {reads._ACCESSED.format('')}", [1, 2, least])
    assert any(step.startswith("SEARCH m USING INTEGER PRIMARY KEY (rowid=?)") for *_, step in plan)


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'poem'",
        "role = 'king'",
        "at = 1 << 62",
        "lists = '{'",
        "lists = '[1]'",
        "id = X'FF'",
        "valid_until = 'soon'",
    ],
)
def test_a_memory_that_cannot_be_read_is_damage(store: SqliteStore, change: str) -> None:
    """Whatever a column holds instead, the error is StoreCorrupt and points to doctor."""
    store._connection.run(f"UPDATE memory SET {change}")
    with pytest.raises(StoreCorrupt, match="doctor"):
        list(store.memories(ADA))


@pytest.mark.parametrize("count", ["'nan'", "x'00'", "1e308"])
def test_an_access_count_that_is_none_is_damage(store: SqliteStore, count: str) -> None:
    """It went out of the store as it stood, and failed wherever somebody reckoned with it."""
    Writer(store, "n").recall(ADA, next(iter(store.memories(ADA))).id)
    store._connection.run(f"UPDATE access SET count = {count}")
    with pytest.raises(StoreCorrupt, match="doctor"):
        list(store.memories(ADA))


def test_places_and_scopes_that_are_none_are_damage(store: SqliteStore) -> None:
    """Whoever writes or embeds behind them is told."""
    store._connection.run("UPDATE episode SET place = 'nan'")
    with pytest.raises(StoreCorrupt, match="stands where"), store.begin(durable=False) as tx:
        tx.next_seq(ADA, next(iter(store.memories(ADA))).session)
    store._connection.run("PRAGMA foreign_keys = OFF")
    Writer(store, "n").remember(GRACE, "milk", embedded=None)
    store._connection.run("DELETE FROM scope WHERE user = ?", (GRACE.user,))
    with pytest.raises(StoreCorrupt, match="is gone"):
        store.unindexed(MODEL, 5)


def test_damage_in_a_corpus_is_told(store: SqliteStore) -> None:
    """Columns and vectors of the wrong form are damage too."""
    store._connection.run("UPDATE memory SET role = 'king'")
    with pytest.raises(StoreCorrupt):
        store.corpus(ADA, MODEL)
    store._connection.run("UPDATE memory SET role = 'user'")
    store._connection.run("UPDATE vector SET data = X'00'")
    with pytest.raises(StoreCorrupt):
        store.corpus(ADA, MODEL)


def test_an_episode_or_scope_that_cannot_be_read_is_damage(store: SqliteStore) -> None:
    """The rest of what a damaged row may be."""
    store._connection.run("UPDATE episode SET role = 'king'")
    with pytest.raises(StoreCorrupt), store.begin(durable=False) as tx:
        tx.find_message(ADA, "x")
    store._connection.run("UPDATE scope SET agent = ' '")
    with pytest.raises(StoreCorrupt):
        store.scopes()


def test_pages_of_the_timeline_fit_together(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal moments and places across the edge of a page are neither lost nor repeated, though others write between."""
    writer = Writer(store, "n")
    for number in range(20):
        writer.remember(ADA, "rain", at=at(number // 9), seq=number // 4)
    expected = [memory.id for memory in store.memories(ADA)]
    monkeypatch.setattr(reads, "PAGE", 3)
    found = []
    for memory in store.memories(ADA):
        found.append(memory.id)
        if len(found) == 7:
            writer.remember(ADA, "late", at=at(-100))
    assert found == expected


def test_the_unembedded_are_found_again_after_the_end(store: SqliteStore) -> None:
    """Catching up goes on where it was, and begins anew when something turns up before."""
    writer = Writer(store, "n")
    names = [writer.remember(ADA, "rain", embedded=None) for _ in range(6)]
    other = writer.remember(GRACE, "ship", embedded=None)
    for batch in (names[:2], names[2:4], names[4:]):
        assert [memory.id for memory in store.unindexed(MODEL, 2)] == batch
        store.put_vectors(MODEL, [(ADA, name, vector(1)) for name in batch])
    late = writer.remember(ADA, "late", embedded=None)
    assert {memory.id for memory in store.unindexed(MODEL, 2)} == {late, other}
