"""The reference store by itself: what the contract does not already ask of both stores."""

from __future__ import annotations

from dataclasses import replace

from reverie.stores.ram import RamStore
from tests.stores.making import ADA, Writer


def test_two_stores_share_nothing() -> None:
    """What is written to one is not in another."""
    one, other = RamStore(), RamStore()
    Writer(one).remember(ADA, "tea")
    assert (one.corpus(ADA, None).size, other.corpus(ADA, None).size) == (1, 0)


def test_the_check_compares_journal_and_memories() -> None:
    """A journal that no longer gives what is held is reported, whichever of the two was changed."""
    for change, name in (("journal", "journal"), ("memories", "projections")):
        store = RamStore()
        Writer(store).remember(ADA, "tea")
        assert store.check() == []
        if change == "journal":
            store._events[0] = replace(store._events[0], why="another reason")
        else:
            record = store.of(ADA).records[1]
            record.memory = replace(record.memory, text="rain")
        assert [fault.name for fault in store.check()] == [name]


def test_it_takes_no_disk() -> None:
    """Its statistics say so."""
    store = RamStore()
    Writer(store).remember(ADA, "tea")
    assert store.stats(ADA).disk_bytes == 0
