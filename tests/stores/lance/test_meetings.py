"""Table and file come together: whatever was broken off, whoever wrote first, whichever model is at hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import pytest

from reverie import Reverie
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import ModelUnavailable, StoreError
from reverie.ops.log import OpsLog
from reverie.stores.lance import LanceStore
from reverie.stores.lance.sync import Orders
from reverie.stores.lance.table import Table
from reverie.types import FloatArray, Kind, ModelInfo
from tests.stores.lance.making import HOME, Stock, TextModel, formed, name, open_table_store, opened, row, vector_of
from tests.stores.making import MODEL, OTHER_MODEL, START

pytestmark = [pytest.mark.req("C8")]


LATER = ModelInfo("large", "1", 24)


def test_counts_go_along_with_the_next_change(stock: Stock, memory: Reverie) -> None:
    """A recall costs no version of the table; with the next change its accesses stand there (C2)."""
    with memory:
        version = stock.table.version
        memory.recall("row 1 about tea", HOME, top_k=1)
        stock.table.checkout_latest()
        assert stock.table.version == version
        memory.forget(name(3), HOME)
        assert stock.rows()[name(1)]["accessCount"] == 2.0
        assert stock.rows()[name(1)]["lastAccessed"] == START.timestamp() * 1000.0


def test_another_model_keeps_its_vectors_to_itself(stock: Stock) -> None:
    """Rows are recalled by vectors of our own; what we form waits, doctor says what to set, and then it is written."""
    with opened(stock, TextModel(LATER)) as memory:
        assert memory.admin.missing() == 0
        made = formed(memory, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 3
        (fault,) = memory.admin.doctor()
        assert fault.name == "not-in-table"
        assert "1 memories" in fault.what
        memory.forget(name(1), HOME)  # what goes needs no vector
        assert len(stock.rows()) == 2
    with opened(stock) as memory:
        assert memory.admin.missing() > 0
        memory.admin.embed()
        assert made.text in stock.texts()
        assert memory.admin.doctor() == []


def test_a_model_of_the_same_width_is_told_apart(stock: Stock) -> None:
    """Not the name and not the number of dimensions decide, but whether it makes the table's own vectors."""
    with opened(stock, TextModel(OTHER_MODEL)) as memory:
        formed(memory, "I prefer dark mode in every editor.")
    assert len(stock.rows()) == 3


def test_the_tables_vectors_are_used_where_they_are_ours(tmp_path: Path) -> None:
    """Of hundreds of rows a few are embedded to see whose the vectors are; the rest need no model."""
    stock = Stock(tmp_path / "lancedb")
    stock.store(*(row(number, f"row {number}") for number in range(300)))
    model = TextModel()
    with opened(stock, model) as memory:
        assert memory.admin.missing() == 0
        assert len(model.asked) < 20


def test_an_empty_table_trusts_and_then_looks(tmp_path: Path) -> None:
    """Into an empty table of fitting width we write; where its first row turns out another model's, ours go again."""
    stock = Stock(tmp_path / "lancedb")
    with opened(stock) as memory:
        formed(memory, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 1
        stock.store(row(1, "row 1", vector=vector_of("row 1", OTHER_MODEL).tolist()))
        memory.recall("row", HOME)
        assert stock.texts() == ["row 1"]
        assert [fault.name for fault in memory.admin.doctor()] == ["not-in-table"]


def test_a_table_that_goes_takes_nothing_along(stock: Stock, memory: Reverie) -> None:
    """Without its table everything is still recalled; in a new one everything is written again."""
    with memory:
        stock.table.checkout_latest()
        for path in sorted((stock.folder / "memories.lance").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (stock.folder / "memories.lance").rmdir()
        assert memory.memory(name(1), HOME).valid_until is None
        assert [fault.name for fault in memory.admin.doctor()] == ["table-gone"]
        anew = Stock(stock.folder)
        anew.store(row(9, "the first row of the new table"))
        assert memory.memory(name(9), HOME).text == "the first row of the new table"
        memory.feedback(name(2), HOME, "important")
        assert anew.texts() == sorted(["the first row of the new table", *(f"row {n} about tea" for n in (1, 2, 3))])


@pytest.mark.parametrize("broken", ["add", "update", "delete"])
def test_a_crash_between_file_and_table_is_healed(
    stock: Stock, memory: Reverie, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Whatever write of the table fails or is not noted: nothing is lost or twice, and the next meeting finishes it."""

    def fail(*_: object) -> int:
        raise StoreError("the light went out", "")

    change: Callable[[Reverie], object] = {
        "add": lambda one: formed(one, "I prefer dark mode in every editor."),
        "update": lambda one: one.feedback(name(1), HOME, "important"),
        "delete": lambda one: one.forget(name(1), HOME),
    }[broken]
    with memory, monkeypatch.context() as patched:
        patched.setattr(f"reverie.stores.lance.table.Table.{broken}", fail)
        change(memory)
        assert [fault.name for fault in memory.admin.verify()] == ["openclaw-table"]
    with opened(stock) as again:
        assert again.admin.verify() == []
        texts = stock.texts()
        assert len(texts) == {"add": 4, "update": 3, "delete": 2}[broken]
        if broken == "update":
            assert stock.rows()[name(1)]["importance"] == 0.95


def test_a_crash_after_the_table_was_written_writes_nothing_twice(
    stock: Stock, memory: Reverie, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row is there, the note of it is not: the next meeting knows the row as its own."""

    def fail(*_: object) -> None:
        raise StoreError("the light went out", "")

    with memory, monkeypatch.context() as patched:
        patched.setattr("reverie.stores.lance.sync.Orders.note", fail)
        made = formed(memory, "I prefer dark mode in every editor.")
        assert made.text in stock.texts()
    with opened(stock) as again:
        assert [one.id for one in again.timeline(HOME) if one.text == made.text and one.kind is not Kind.EPISODE] == [
            made.id
        ]
        assert stock.texts().count(made.text) == 1
        again.forget(made.id, HOME)
        assert made.text not in stock.texts()


def test_what_a_plain_opening_did_is_written_at_the_next(stock: Stock, memory: Reverie) -> None:
    """The file beside is an ordinary store: what happens to it without the table is told to the table later."""
    memory.close()
    with Reverie.open(stock.folder / "reverie.db", embedder=TextModel(), clock=FixedClock(START)) as plain:
        made = formed(plain, "I prefer dark mode in every editor.")
        plain.forget(name(1), HOME)
    assert len(stock.rows()) == 3
    opened(stock).close()
    assert stock.texts() == sorted([made.text, "row 2 about tea", "row 3 about tea"])


def test_two_stores_and_a_plugin_agree(stock: Stock, memory: Reverie) -> None:
    """Two engines and the stock plugin write in turn: every row is there once, every memory on both sides."""
    with memory, opened(stock, ids=RandomIds(2)) as other:
        for number in range(5):
            for turn, engine in enumerate((memory, other)):
                formed(engine, f"I prefer number {number}{turn} of the {number * 7 + turn}th kind of tea.")
            stock.store(row(10 + number, f"the plugin's row {number}"))
        for engine in (memory, other):
            engine.recall("tea", HOME)
            texts = [one.text for one in engine.timeline(HOME) if one.kind is not Kind.EPISODE and not one.valid_until]
            assert sorted(texts) == stock.texts()
            assert engine.admin.verify() == []
        assert len(set(stock.texts())) == len(stock.texts())


def test_a_dream_tells_the_table_once(stock: Stock, memory: Reverie) -> None:
    """However many steps a dream has, the table is told in the end."""
    with memory:
        for number in range(3):
            formed(memory, f"I prefer number {number} of the {number * 7}th kind of tea.")
        version = stock.table.checkout_latest() or stock.table.version
        memory.dream(HOME)
        stock.table.checkout_latest()
        assert stock.table.version <= version + 3


def test_what_cannot_be_embedded_now_is_found_by_text(stock: Stock) -> None:
    """Without a model the rows come in; with one they catch up, and whose the vectors are is found out then."""
    with opened(stock, embedder=None) as memory:
        assert memory.recall("row 2 about tea", HOME).hits[0].memory.id == name(2)
    store = open_table_store(stock.folder)
    assert isinstance(store, LanceStore)
    assert store.missing(MODEL) == 3
    store.close()
    with opened(stock, create=False) as memory:
        memory.admin.embed()
        formed(memory, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 4


def test_a_model_that_comes_later_embeds_what_comes(stock: Stock) -> None:
    """An engine opened without its model takes it up, and new rows are embedded as they come."""
    with opened(stock, embedder=None) as memory:
        memory.admin.use_model(TextModel())
        memory.admin.embed()
        stock.store(row(4, "row 4"))
        memory.memory(name(4), HOME)
        assert memory.admin.missing() == 0


class Down(TextModel):
    """A model whose endpoint does not answer once it is switched off."""

    up = True

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        if not self.up:
            raise ModelUnavailable("The endpoint did not answer.", "Start it.")
        return super().embed_passages(texts)


def test_a_model_that_is_down_leaves_a_line_and_costs_no_row(stock: Stock, tmp_path: Path) -> None:
    """What comes is found by text, and the ops log says why there is no vector."""
    model, file = Down(LATER), tmp_path / "ops-log.jsonl"
    with opened(stock, model, log=OpsLog(file, FixedClock(START))) as memory:
        model.up = False
        stock.store(row(4, "row 4"))
        assert memory.memory(name(4), HOME).text == "row 4"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {(line["op"], line["output"], line["success"]) for line in lines} == {
        ("embed", "The endpoint did not answer.", False)
    }


def test_nothing_that_comes_during_a_meeting_is_missed(stock: Stock, memory: Reverie) -> None:
    """The plugin appends row after row while we form, change and let go: each is there once, on both sides."""
    plugin = Thread(target=lambda: [stock.store(row(100 + number)) for number in range(20)])
    with memory:
        plugin.start()
        for number in range(8):
            formed(memory, f"I prefer number {number} of the {number * 7}th kind of tea.")
            memory.admin.amend(name(1), HOME, importance=0.5 + number / 100)
        memory.forget(name(2), HOME)
        plugin.join()
        memory.recall("tea", HOME)
        held = [one.text for one in memory.timeline(HOME) if one.kind is not Kind.EPISODE and one.valid_until is None]
        assert sorted(held) == stock.texts()
        assert len(held) == 2 + 20 + 8
        assert memory.admin.missing() == 0


def test_a_row_that_comes_between_look_and_lock_is_taken_in_at_the_next(
    stock: Stock, memory: Reverie, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever we write just then, the version that nobody has read is not taken for read."""
    before = Orders.carry_out

    def late(self: Orders, table: Table) -> int:
        stock.store(row(50, "just in between"))
        return before(self, table)

    with memory, monkeypatch.context() as patched:
        patched.setattr(Orders, "carry_out", late)
        memory.forget(name(1), HOME)
        assert memory.memory(name(50), HOME).text == "just in between"
