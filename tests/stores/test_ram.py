from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import Conflict, InvalidInput, StoreClosed, StoreMissing
from reverie.events import Action, Recalled
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, GRACE, MODEL, OTHER_MODEL, Writer, content, draft


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
            journal = store.of(ADA).journal
            journal[0] = replace(journal[0], why="another reason")
        else:
            record = store.of(ADA).records[1]
            record.memory = replace(record.memory, text="rain")
        assert [fault.name for fault in store.check()] == [name]


def test_it_takes_no_disk() -> None:
    """Its statistics say so."""
    store = RamStore()
    Writer(store).remember(ADA, "tea")
    assert store.stats(ADA).disk_bytes == 0


def test_the_file_holds_what_the_memory_held(tmp_path: Path) -> None:
    """Both models' rankings, an erased event, the analyzer: all as before."""
    store = RamStore()
    writer = Writer(store)
    for number, model in enumerate((MODEL, OTHER_MODEL, None, MODEL)):
        writer.remember(ADA, f"tea {number}", embedded=model)
        writer.remember(GRACE, "rain", embedded=model)
    writer.erase(ADA, writer.names[0][1])
    store.backup(tmp_path / "copy")
    copy = SqliteStore(tmp_path / "copy", create=False)
    with copy.begin(ADA, durable=False) as tx:
        assert tx.next_seq(ADA, "s") == 4
    for model in (MODEL, OTHER_MODEL, None):
        assert content(copy, ADA, model) == content(store, ADA, model)
    assert copy.digest() == store.digest()
    copy.close()


def test_it_writes_over_nothing_and_into_no_missing_folder(tmp_path: Path) -> None:
    """A file in the way stays; a folder that is not there is named."""
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(Conflict):
        RamStore().backup(taken)
    assert taken.read_text() == "mine"
    with pytest.raises(StoreMissing):
        RamStore().backup(tmp_path / "nowhere" / "copy")


def test_a_transaction_takes_nothing_after_its_end() -> None:
    """Whoever kept it is told to begin a new one."""
    store = RamStore()
    with store.begin(ADA, durable=True) as tx:
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    with pytest.raises(StoreClosed, match="ended"):
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    assert store.head(ADA)[0] == 1


def test_a_transaction_raises_in_the_end_what_an_append_raised() -> None:
    """Half of it may be applied, so that all of it is taken back."""
    store = RamStore()
    with store.begin(ADA, durable=True) as tx, pytest.raises(InvalidInput):
        tx.append(draft(ADA, Action.FORGET, Recalled(())))
    assert store.head(ADA)[0] == 0
