from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from reverie import Reverie
from reverie.errors import ModelUnavailable
from reverie.events import Action, Changed
from reverie.stores.lance.sync import SAMPLE, Orders, same
from reverie.stores.lance.table import Table, row_id
from reverie.types import FloatArray, Role, State
from tests.stores.lance.making import HOME, Stock, TextModel, formed, name, opened, row, vector_of
from tests.stores.making import MODEL, OTHER_MODEL


def pairs(count: int, strange: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Vectors of texts by one model, and by the same, or (``strange`` of them) by another."""
    texts = [f"text {number}" for number in range(count)]
    return [(vector_of(t), 3 * vector_of(t, OTHER_MODEL if n < strange else MODEL)) for n, t in enumerate(texts)]


def test_one_model_is_itself_whatever_the_length() -> None:
    """Vectors that are not of unit length are compared all the same."""
    assert same(pairs(5)) is True
    assert same([(a.astype(np.float16).astype(np.float32), b) for a, b in pairs(5)]) is True


def test_two_models_are_two() -> None:
    """Of the same width, too; a few odd rows do not decide."""
    assert same(pairs(5, strange=5)) is False
    assert same(pairs(5, strange=1)) is True
    assert same(pairs(SAMPLE, strange=SAMPLE - 2)) is False


def test_nothing_tells_nothing() -> None:
    """Neither no pairs, nor vectors of nothing, nor of other widths."""
    zero = np.zeros(MODEL.dims, np.float32)
    assert same([]) is None
    assert same([(zero, vector_of("x"))]) is None
    assert same([(vector_of("x")[:8], vector_of("x"))]) is None


def test_each_row_is_an_event_of_its_own(stock: Stock, memory: Reverie) -> None:
    """So that one can be erased without the others; who wrote it is told, and that it is nobody's own word."""
    with memory:
        events = list(memory.admin.events(HOME))
        assert [(event.action, event.actor, event.why) for event in events] == [
            (Action.FORM, "openclaw", "stored in OpenClaw's table")
        ] * 3
        one = memory.memory(name(1), HOME)
        assert (one.speaker, one.role, one.session, one.sources) == ("openclaw", Role.PERSON, "openclaw", ())
        memory.admin.erase(name(1), HOME, why="asked to")
        assert memory.memory(name(2), HOME).text == "row 2 about tea"


def test_rows_of_no_use_are_passed_over(stock: Stock, memory: Reverie) -> None:
    """Blank ones, and those of a name that no agent can have; numbers that are none become ordinary ones."""
    stock.store(row(4, "  "), row(5, "x", agentId="a" * 300), row(6, "y", importance=float("nan"), createdAt=-5.0))
    stock.store(row(7, "z", importance=7.0, category="mood"))
    with memory:
        assert sorted(one.id for one in memory.timeline(HOME)) == [name(n) for n in (1, 2, 3, 6, 7)]
        assert memory.memory(name(6), HOME).standing.importance == 0.5
        assert memory.memory(name(7), HOME).standing.importance == 1.0
    assert len(stock.rows()) == 7


def test_columns_of_ours_are_read_from_the_table(stock: Stock, memory: Reverie) -> None:
    """Where the file beside is lost, what the table tells of a memory's life comes back with it."""
    with memory:
        stock.update(1, text="told anew")
        memory.admin.amend(name(2), HOME, importance=0.9)
        memory.forget(name(3), HOME)
    stock.update(2, accessCount=5.0, stability=2.5, state="dormant")
    for path in stock.folder.glob("reverie.db*"):
        path.unlink()
    from tests.stores.lance.making import opened

    with opened(stock) as again:
        found = again.memory(name(2), HOME)
        assert (found.accesses, found.standing.stability_days, found.standing.state) == (5, 2.5, State.DORMANT)
        assert found.standing.importance == 0.9


def test_what_is_immutable_is_put_back(stock: Stock, memory: Reverie) -> None:
    """A row that was changed although nothing may change the memory says again what it said."""
    with memory:
        memory.admin.protect(name(1), HOME)
        stock.update(1, text="something else")
        memory.recall("tea", HOME)
        memory.admin.amend(name(2), HOME, importance=0.9)
        assert memory.memory(name(1), HOME).text == "row 1 about tea"
    assert stock.rows()[name(1)]["text"] == "row 1 about tea"


def test_a_changed_row_is_one_change(stock: Stock, memory: Reverie) -> None:
    """Before and after stand in the history; a change that says nothing new is none."""
    with memory:
        stock.update(1, importance=0.9)
        stock.update(2, importance=0.7)
        memory.recall("tea", HOME)
        changes = [event.payload for event in memory.admin.events(HOME) if event.action is Action.CHANGE]
        assert [type(change) for change in changes] == [Changed]
        (change,) = changes[0].changes  # type: ignore[union-attr] # the line above
        assert [(f.name, f.before, f.after) for f in change.fields] == [("importance", 0.7, 0.9)]


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


class DownModel(TextModel):
    """A model whose endpoint does not answer."""

    def embed_passages(self, texts: object) -> FloatArray:
        raise ModelUnavailable("It does not answer.")


def test_a_model_that_is_down_costs_no_row(stock: Stock) -> None:
    """Rows come in without vectors, and catch up when it answers again."""
    with opened(stock, DownModel()) as memory:
        assert memory.admin.missing() == 3
        assert memory.memory(name(1), HOME).text == "row 1 about tea"
    with opened(stock, create=False) as memory:
        memory.admin.embed()
        assert memory.admin.missing() == 0


def test_rows_without_a_vector_tell_nothing_and_are_embedded(stock: Stock) -> None:
    """Another writer may leave the column empty, or full of zeros; neither is taken for a vector of a text."""
    stock.store(row(4, "row 4", vector=None), row(5, "row 5", vector=[0.0] * MODEL.dims))
    with opened(stock) as memory:
        assert memory.admin.missing() == 2
        memory.admin.embed()
        assert memory.admin.missing() == 0
        assert memory.recall("row 4", HOME).hits[0].memory.id == name(4)


@pytest.mark.req("C8")
def test_many_rows_take_the_tables_vectors_once_it_is_known_whose(stock: Stock, memory: Reverie) -> None:
    """After one batch of catching up nothing is left to embed: the rest is the table's own."""
    memory.close()
    for path in stock.folder.glob("reverie.db*"):
        path.unlink()
    stock.store(*(row(number) for number in range(10, 200)))
    opened(stock, embedder=None).close()
    model = TextModel()
    with opened(stock, model, create=False) as again:
        again.admin.embed()
        assert again.admin.missing() == 0
        assert len(model.asked) <= 64
        formed(again, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 194


def test_vectors_are_made_unit_on_the_way_in(stock: Stock, memory: Reverie) -> None:
    """The table's writer may not normalise; ours are compared by cosine."""
    with memory:
        stock.store(row(4, "row 4", vector=(5.0 * vector_of("row 4")).tolist()))
        found = next(hit for hit in memory.recall("row 4", HOME).hits if hit.memory.id == name(4))
        assert found.cosine is not None
        assert -1.0 <= found.cosine <= 1.0 + 1e-3
        assert np.isclose(found.cosine, 1.0, atol=2e-3)
