"""What a connection knows of where things end: true as long as nobody else writes, forgotten when somebody does."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.errors import Conflict
from reverie.stores.sqlite import SqliteStore
from reverie.stores.sqlite.connection import Ends
from tests.stores.making import ADA, GRACE, Writer


def place_after(store: SqliteStore, session: str) -> int:
    """Where the next message of a session goes."""
    with store.begin(durable=False) as tx:
        return tx.next_seq(ADA, session)


def test_two_who_write_in_turn_never_take_the_same_place(tmp_path: Path) -> None:
    """Journal, keys and places go on where the other left them; the chain holds and nothing is written over."""
    stores = [SqliteStore(tmp_path / "store"), SqliteStore(tmp_path / "store")]
    writers = [Writer(store, prefix) for store, prefix in zip(stores, "ab", strict=True)]
    for turn in range(12):
        writers[turn % 2].remember((ADA, GRACE)[turn % 3 == 0], f"word{turn}")
        writers[turn // 3 % 2].remember(ADA, f"again{turn}")
    assert [store.check() for store in stores] == [[], []]
    assert stores[0].head() == stores[1].head()
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
    ends = Ends(head=(3, "ff"), tops={1: 9}, models={1: frozenset({1})})
    ends.follow(1, "s", 4)
    assert ends.places == {}
    ends.note(1, "s", 5)
    ends.follow(1, "s", 2)
    assert ends.places == {(1, "s"): 5}
    ends.follow(1, "s", 7)
    assert ends.places == {(1, "s"): 8}
    ends.forget()
    assert ends == Ends()
