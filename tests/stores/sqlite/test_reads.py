from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import StoreCorrupt, StoreFull
from reverie.stores.sqlite import SqliteStore, journal, reads, search, writes
from reverie.stores.sqlite.connection import Connection
from reverie.types import Kind
from tests.stores.making import ADA, GRACE, MODEL, START, Writer, at, vector


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with one message, recalled once."""
    made = SqliteStore(tmp_path / "store")
    writer = Writer(made)
    writer.recall(ADA, writer.remember(ADA, "tea"))
    yield made
    made.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memory SET at = 4611686018427387904",
        "UPDATE memory SET at = 'noon'",
        "UPDATE access SET count = 1e308",
        "UPDATE access SET count = 'many'",
        "UPDATE scope SET events = x'00'",
    ],
)
def test_counts_that_are_none_are_damage(store: SqliteStore, damage: str) -> None:
    """Numbers beyond the calendar, and what is no number."""
    assert store.stats(ADA).accesses == 1
    store._connection.run(damage)
    with pytest.raises(StoreCorrupt, match=r"cannot be read|stands where"):
        store.stats(ADA)


def test_what_is_missing_is_a_number_or_damage(store: SqliteStore) -> None:
    """A count beyond all numbers was an error of Python's."""
    assert store.missing(MODEL) == 0
    store._connection.run("UPDATE scope SET memories = 1e308")
    with pytest.raises(StoreCorrupt, match="stands where"):
        store.missing(MODEL)


@pytest.fixture
def store_of_reading(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store_of_reading with one message."""
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
def test_no_query_of_the_hot_path_looks_at_every_row(store_of_reading: SqliteStore, query: str) -> None:
    """Each is answered by a key or an index, however large the store_of_reading."""
    plan = store_of_reading._connection.rows(f"EXPLAIN QUERY PLAN {query}", [1] * query.count("?"))
    scans = [step for *_, step in plan if "SCAN" in step and "VIRTUAL TABLE" not in step]
    assert scans == []


@pytest.mark.parametrize("least", [3, reads._OFTEN])
def test_what_was_often_accessed_is_found_from_the_accesses(store_of_reading: SqliteStore, least: int) -> None:
    """Not from all memories of the scope, of which few were; episodes and other scopes' memories do not count."""
    writer = Writer(store_of_reading, prefix="n")
    episode = writer.remember(ADA, "green tea", formed=[(Kind.FACT, "tea is green"), (Kind.FACT, "tea")])
    foreign = writer.remember(GRACE, "milk", formed=[(Kind.FACT, "milk is white")])
    often, seldom = (memory.id for memory in store_of_reading.formed(ADA))
    for _ in range(least):
        writer.recall(ADA, episode, often)
        writer.recall(GRACE, foreign, *(memory.id for memory in store_of_reading.formed(GRACE)))
    for _ in range(least - 1):
        writer.recall(ADA, seldom)
    assert [memory.id for memory in store_of_reading.often(ADA, least)] == [often]
    plan = store_of_reading._connection.rows(f"EXPLAIN QUERY PLAN {reads._ACCESSED.format('')}", [1, 2, least])
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
def test_a_memory_that_cannot_be_read_is_damage(store_of_reading: SqliteStore, change: str) -> None:
    """Whatever a column holds instead, the error is StoreCorrupt and points to doctor."""
    store_of_reading._connection.run(f"UPDATE memory SET {change}")
    with pytest.raises(StoreCorrupt, match="doctor"):
        list(store_of_reading.memories(ADA))


@pytest.mark.parametrize("count", ["'nan'", "x'00'", "1e308"])
def test_an_access_count_that_is_none_is_damage(store_of_reading: SqliteStore, count: str) -> None:
    """It went out of the store_of_reading as it stood, and failed wherever somebody reckoned with it."""
    Writer(store_of_reading, "n").recall(ADA, next(iter(store_of_reading.memories(ADA))).id)
    store_of_reading._connection.run(f"UPDATE access SET count = {count}")
    with pytest.raises(StoreCorrupt, match="doctor"):
        list(store_of_reading.memories(ADA))


def test_places_and_scopes_that_are_none_are_damage(store_of_reading: SqliteStore) -> None:
    """Whoever writes or embeds behind them is told."""
    store_of_reading._connection.run("UPDATE episode SET place = 'nan'")
    with pytest.raises(StoreCorrupt, match="stands where"), store_of_reading.begin(ADA, durable=False) as tx:
        tx.next_seq(ADA, next(iter(store_of_reading.memories(ADA))).session)
    store_of_reading._connection.run("PRAGMA foreign_keys = OFF")
    Writer(store_of_reading, "n").remember(GRACE, "milk", embedded=None)
    store_of_reading._connection.run("DELETE FROM scope WHERE user = ?", (GRACE.user,))
    with pytest.raises(StoreCorrupt, match="is gone"):
        store_of_reading.unindexed(MODEL, 5)


def test_damage_in_a_corpus_is_told(store_of_reading: SqliteStore) -> None:
    """Columns and vectors of the wrong form are damage too."""
    store_of_reading._connection.run("UPDATE memory SET role = 'king'")
    with pytest.raises(StoreCorrupt):
        store_of_reading.corpus(ADA, MODEL)
    store_of_reading._connection.run("UPDATE memory SET role = 'user'")
    store_of_reading._connection.run("UPDATE vector SET data = X'00'")
    with pytest.raises(StoreCorrupt):
        store_of_reading.corpus(ADA, MODEL)


def test_an_episode_or_scope_that_cannot_be_read_is_damage(store_of_reading: SqliteStore) -> None:
    """The rest of what a damaged row may be."""
    store_of_reading._connection.run("UPDATE episode SET role = 'king'")
    with pytest.raises(StoreCorrupt), store_of_reading.begin(ADA, durable=False) as tx:
        tx.find_message(ADA, "x")
    store_of_reading._connection.run("UPDATE scope SET agent = ' '")
    with pytest.raises(StoreCorrupt):
        store_of_reading.scopes()


def test_pages_of_the_timeline_fit_together(store_of_reading: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal moments and places across the edge of a page are neither lost nor repeated, though others write between."""
    writer = Writer(store_of_reading, "n")
    for number in range(20):
        writer.remember(ADA, "rain", at=at(number // 9), seq=number // 4)
    expected = [memory.id for memory in store_of_reading.memories(ADA)]
    monkeypatch.setattr(reads, "PAGE", 3)
    found = []
    for memory in store_of_reading.memories(ADA):
        found.append(memory.id)
        if len(found) == 7:
            writer.remember(ADA, "late", at=at(-100))
    assert found == expected


def test_the_unembedded_are_found_again_after_the_end(store_of_reading: SqliteStore) -> None:
    """Catching up goes on where it was, and begins anew when something turns up before."""
    writer = Writer(store_of_reading, "n")
    names = [writer.remember(ADA, "rain", embedded=None) for _ in range(6)]
    other = writer.remember(GRACE, "ship", embedded=None)
    for batch in (names[:2], names[2:4], names[4:]):
        assert [memory.id for memory in store_of_reading.unindexed(MODEL, 2)] == batch
        store_of_reading.put_vectors(MODEL, [(ADA, name, vector(1)) for name in batch])
    late = writer.remember(ADA, "late", embedded=None)
    assert {memory.id for memory in store_of_reading.unindexed(MODEL, 2)} == {late, other}


@given(st.integers(1, reads.SCOPES_MAX), st.integers(1, 2**32 - 1), st.integers(1, reads.MODELS_MAX))
def test_keys_hold_their_parts(scope: int, place: int, model: int) -> None:
    """A memory's key names its scope, a vector's key its model and memory; both fit SQLite's integers."""
    key = reads.base(scope) + place
    assert reads.scope_of(key) == scope
    assert reads.base(scope) < key < reads.base(scope + 1)
    vector = reads.vector_base(model) + key
    assert vector & reads.MEMORY_MASK == key
    assert reads.vector_base(model) < vector < min(reads.vector_base(model + 1), 2**63)


def test_when_numbers_run_out_it_says_so() -> None:
    """The last number is used, the one after refused."""
    reads.require_room("scopes", reads.SCOPES_MAX, reads.SCOPES_MAX)
    with pytest.raises(StoreFull, match="16777215 scopes"):
        reads.require_room("scopes", reads.SCOPES_MAX + 1, reads.SCOPES_MAX)


def test_no_memory_is_read_for_counting(tmp_path: Path) -> None:
    """Every query goes by an index or by the scope's part of a narrow table."""
    store = SqliteStore(tmp_path / "m.db")
    Writer(store).remember(ADA, "tea")
    assert store.health(ADA, START).disk_bytes > 0
    store.close()
    connection = Connection(tmp_path / "m.db", mode="mode=ro", busy_timeout_s=1)
    queries = {
        reads._GROWN: (1,),
        reads._CLOSED: (1, 0),
        reads._STATES: (0, 1),
        reads._SEMANTIC: (0, 1),
        reads._JUNK: (1, 0, 0),
        reads._OUTDATED: (1, 0, 1),
        reads._OBSERVED: (1,),
        reads._SOURCES: (1,),
    }
    for query, values in queries.items():
        plan = [str(row[3]) for row in connection.rows(f"EXPLAIN QUERY PLAN {query}", values)]
        assert not [step for step in plan if step.startswith("SCAN") and "subquery" not in step], (query, plan)
    connection.close()
