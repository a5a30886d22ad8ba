"""What the events of a memory's life leave in the tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reverie.errors import InvalidInput
from reverie.events import Action, Change, FieldChange, Recalled
from reverie.stores.sqlite import SqliteStore
from reverie.types import RelationKind, State
from tests.stores.making import ADA, Writer, at


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    """A writer into a new file."""
    return Writer(SqliteStore(tmp_path / "store"))


def rows(writer: Writer, query: str) -> list[tuple[object, ...]]:
    """Rows of the file."""
    assert isinstance(writer.store, SqliteStore)
    return writer.store._connection.rows(query)


def test_only_what_is_not_at_its_default_is_kept(writer: Writer) -> None:
    """And a memory that is back at the beginning has no row."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    assert rows(writer, "SELECT * FROM standing") == []
    writer.change(ADA, name, pinned=True, utility=0.5)
    ((_, state, data),) = rows(writer, "SELECT * FROM standing")
    assert (state, json.loads(str(data))) == ("active", {"pinned": True})
    writer.change(ADA, name, pinned=False)
    assert rows(writer, "SELECT * FROM standing") == []


def test_a_state_is_read_by_column(writer: Writer) -> None:
    """What sleeps is not recalled, in a corpus loaded before as well as after."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    before = writer.store.corpus(ADA, None)
    writer.change(ADA, name, state=State.DORMANT)
    assert before.recallable(at(0)) is None
    awake = writer.store.corpus(ADA, None).recallable(at(0))
    assert awake is not None
    assert awake.tolist() == [True, False]


def test_new_words_are_found_and_old_ones_are_not(writer: Writer) -> None:
    """The index follows."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "rain")
    writer.change(ADA, name, text="ship violin")
    corpus = writer.store.corpus(ADA, None)
    assert [corpus.postings(word).ordinals.tolist() for word in ("rain", "ship", "tea")] == [[], [1], [0]]
    assert writer.store.check() == []


def test_a_recall_cannot_reword(writer: Writer) -> None:
    """Words change in an event of their own; nothing of the recall is kept."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    change = Change(name, (FieldChange("text", "tea", "rain"),))
    with pytest.raises(InvalidInput, match="rewords"):
        writer.event(ADA, Action.RECALL, Recalled((name,), (change,)))
    memory = writer.store.memory(ADA, name)
    assert memory is not None
    assert (memory.text, memory.accesses) == ("tea", 0)


@pytest.mark.req("D31")
def test_formed_memories_recalled_together_are_companions(writer: Writer) -> None:
    """Counted once a recall; episodes are none."""
    said = writer.remember(ADA, "tea")
    one, other = (writer.form(ADA, said, word) for word in ("rain", "ship"))
    for _ in range(3):
        writer.recall(ADA, one, other, said)
    (pair,) = writer.store.companions(ADA)
    assert ({pair.first, pair.second}, pair.count) == ({one, other}, 3)
    assert pair.since < pair.last


@pytest.mark.req("D16")
def test_an_edge_is_kept_once(writer: Writer) -> None:
    """The same edge again replaces the first; with a memory that is gone there is none."""
    said = writer.remember(ADA, "tea")
    one, other = (writer.form(ADA, said, word) for word in ("rain", "ship"))
    for _ in range(2):
        writer.relate(ADA, one, other, RelationKind.CAUSES)
    writer.relate(ADA, one, "nobody", RelationKind.CAUSES)
    assert [(edge.source, edge.target) for edge in writer.store.relations(ADA)] == [(one, other)]
    writer.erase(ADA, said)
    assert writer.store.relations(ADA) == []
    assert writer.store.formed(ADA) == []
