"""What happens here is told to the table: which orders follow from which memories, and what carrying them out takes."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from reverie import Reverie
from reverie.stores.lance.sync import Orders
from reverie.stores.lance.table import Table, row_id
from tests.stores.lance.making import HOME, Stock, TextModel, formed, name, opened, vector_of
from tests.stores.making import OTHER_MODEL


class Told:
    """A table that notes what it is asked to do."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __getattr__(self, what: str) -> object:
        def do(*given: list[object]) -> int:
            self.done.append(what)
            return 1

        return do


def test_orders_are_carried_out_so_that_a_crash_doubles_rather_than_loses() -> None:
    """Rows come before rows go; columns are added only for what is written, and every version is counted."""
    table = Told()
    assert Orders(deleted=["x"]).carry_out(cast("Table", table)) == 3
    assert table.done == ["add", "update", "delete"]
    table = Told()
    full = Orders(added=[cast("object", 1)], deleted=["x"])  # type: ignore[list-item] # only whether there are any counts
    assert full.carry_out(cast("Table", table)) == 4
    assert table.done == ["widen", "add", "update", "delete"]
    assert full.count == 2


def test_a_new_wording_waits_for_its_vector(stock: Stock, memory: Reverie) -> None:
    """Never stand new words beside the vector of the old ones (reading 17): without a model both wait."""
    memory.close()
    with opened(stock, embedder=None, recipe="openclaw") as bare:
        made = formed(bare, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 3
    with opened(stock) as again:
        again.admin.embed()
        assert stock.rows()[row_id(made)]["vector"] == pytest.approx(vector_of(made.text).tolist(), abs=2e-3)


def test_a_change_without_new_words_keeps_the_vector(stock: Stock, memory: Reverie) -> None:
    """It needs no model: importance and state are written beside the vector that stands there."""
    memory.close()
    before = stock.rows()[name(1)]["vector"]
    with opened(stock, TextModel(OTHER_MODEL)) as other:
        other.admin.amend(name(1), HOME, importance=0.9)
    now = stock.rows()[name(1)]
    assert (now["importance"], now["vector"]) == (0.9, before)


def test_a_memory_that_is_unmade_leaves_the_table(stock: Stock, memory: Reverie, tmp_path: Path) -> None:
    """A correction taken back takes its row along and brings the old one's again."""
    with memory:
        memory.correct(name(1), "row 1 about coffee", HOME)
        assert "row 1 about coffee" in stock.texts()
        last = max(event.seq for event in memory.admin.events(HOME) if event.action.value == "form")
        memory.undo(HOME, event=last)
        assert stock.texts() == [f"row {number} about tea" for number in (1, 2, 3)]
