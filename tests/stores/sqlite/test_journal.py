from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from reverie.errors import Conflict, StoreCorrupt
from reverie.stores import codec
from reverie.stores.sqlite import SqliteStore, journal, writes
from reverie.stores.sqlite.connection import Ends
from tests.stores.making import ADA, GRACE, Writer


def test_pages_go_through_the_whole_journal(tmp_path: Path) -> None:
    """More events than a page holds come in order, of all scopes by position or of one, each with its bytes."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for number in range(600):
        writer.recall(ADA if number % 3 else GRACE, f"m{number}")
    assert [event.seq for event in store.events(ADA)] == list(range(1, 401))
    assert [event.seq for event in store.events(GRACE, after=4)] == list(range(5, 201))
    assert [event.scope for event in store.in_order(597)] == [GRACE, ADA, ADA]
    page = journal.any_page(store._connection, 590)
    assert [(position, raw) for position, _, raw in page] == [
        (number, codec.payload_bytes(event)) for number, (_, event, _) in enumerate(page, 591)
    ]
    assert all(event.payload is None for _, event, _ in journal.any_page(store._connection, 0, decoded=False))
    number = writes.scope_id(store._connection, ADA)
    assert number is not None
    assert list(journal.marks(store._connection, number))[-1] == (*store.head(ADA), False)
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
        list(store.events(ADA))
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
        store.head(ADA)
    store.close()


def test_no_event_comes_after_any_number(tmp_path: Path) -> None:
    """A number beyond 64 bits is no fault of the file."""
    store = SqliteStore(tmp_path / "store")
    Writer(store).remember(ADA, "tea")
    assert list(store.events(ADA, after=2**70)) == []
    (tea,) = store.memories(ADA)
    assert store.latest(ADA, tea.session, 2**70, None) == [tea]
    store.close()


def place_after(store: SqliteStore, session: str) -> int:
    """Where the next message of a session goes."""
    with store.begin(ADA, durable=False) as tx:
        return tx.next_seq(ADA, session)


def test_two_who_write_in_turn_never_take_the_same_place(tmp_path: Path) -> None:
    """Journal, keys and places go on where the other left them; the chain holds and nothing is written over."""
    stores = [SqliteStore(tmp_path / "store"), SqliteStore(tmp_path / "store")]
    writers = [Writer(store, prefix) for store, prefix in zip(stores, "ab", strict=True)]
    for turn in range(12):
        writers[turn % 2].remember((ADA, GRACE)[turn % 3 == 0], f"word{turn}")
        writers[turn // 3 % 2].remember(ADA, f"again{turn}")
    assert [store.check() for store in stores] == [[], []]
    assert stores[0].heads() == stores[1].heads()
    assert stores[0].stats(ADA).memories + stores[0].stats(GRACE).memories == 24
    for store in stores:
        store.close()


def test_a_place_is_known_after_a_message_and_given_back_with_it(tmp_path: Path) -> None:
    """The next place follows what was written, and returns when the transaction is taken back or content erased."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    first = writer.remember(ADA, "tea")
    session = store.memory(ADA, first).session  # type: ignore[union-attr] # it was just written
    following = place_after(store, session)
    second = writer.remember(ADA, "rain", message_id="m")
    assert place_after(store, session) == following + 1
    with pytest.raises(Conflict):
        writer.remember(ADA, "rain again", message_id="m")
    assert place_after(store, session) == following + 1
    writer.erase(ADA, second)
    assert place_after(store, session) == following
    assert store.check() == []
    store.close()


def test_an_earlier_place_does_not_lower_the_next() -> None:
    """A message may be written behind others; what is not known stays unknown, and all is forgotten at once."""
    ends = Ends(last=(3, "ff"), heads={1: (2, "ff")}, tops={1: 9}, models={1: frozenset({1})})
    ends.follow(1, "s", 4)
    assert ends.places == {}
    ends.note(1, "s", 5)
    ends.follow(1, "s", 2)
    assert ends.places == {(1, "s"): 5}
    ends.follow(1, "s", 7)
    assert ends.places == {(1, "s"): 8}
    ends.forget()
    assert ends == Ends()
