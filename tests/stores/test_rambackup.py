"""The reference store on disk: journal, terms and vectors of every model."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.errors import Conflict, StoreMissing
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, GRACE, MODEL, OTHER_MODEL, Writer, content


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
    with copy.begin(durable=False) as tx:
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
