from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.events import Action, Forgotten
from reverie.stores.lance.sync_state import ACTOR, Indexing, Meeting, SyncMark, SyncMarks
from reverie.stores.lance.table import Version
from reverie.stores.sqlite import SqliteStore, file
from tests.stores.lance.making import HOME, index_of, lent
from tests.stores.making import ADA, START, Writer

MARK = SyncMark("row", 1, "m\ud83d", False, "w", "o", "t")


@pytest.fixture
def marks(tmp_path: Path) -> Iterator[SyncMarks]:
    """The marks of a new store."""
    SqliteStore(tmp_path / "a.db").close()
    connection = file.connect(tmp_path / "a.db", create=False, busy_timeout_s=1.0)
    marks = SyncMarks(connection)
    assert not marks.ready()
    marks.prepare()
    marks.prepare()
    assert marks.ready()
    yield marks
    connection.close()


def test_a_mark_comes_back_and_is_replaced(marks: SyncMarks) -> None:
    """By its row and by its memory, of whatever characters its id is made."""
    marks.put(MARK)
    assert marks.of(1, MARK.memory) == MARK
    assert marks.of(2, MARK.memory) is None
    assert (marks.at("row"), marks.at("other"), marks.theirs()) == (MARK, None, {"row": "t"})
    marks.put(SyncMark("other", 1, MARK.memory, True, "", "", "", True))
    assert marks.theirs() == {"other": ""}
    assert [mark.row for mark in marks.waiting()] == ["other"]
    marks.drop("other")
    assert marks.theirs() == {}


def test_a_mark_without_its_memory_is_an_orphan(marks: SyncMarks) -> None:
    """The memory was erased: its row is to go."""
    marks.put(MARK)
    assert marks.orphans() == [MARK]


def test_what_is_noted_is_told(marks: SyncMarks) -> None:
    """Home, version, place in the journal and verdicts; nothing before it was noted."""
    assert (marks.home, marks.version, marks.position, marks.models) == (None, None, 0, {})
    marks.settle(ADA)
    marks.version = Version(7, "stamp")
    marks.note("seq", "12")
    marks.judge("a", same=True)
    marks.judge("b", same=False)
    assert (marks.home, marks.version, marks.position) == (ADA, Version(7, "stamp"), 12)
    assert marks.models == {"a": True, "b": False}


def test_starting_over_makes_everything_wait(marks: SyncMarks) -> None:
    """Another table: nothing of ours lies in it yet, and nobody knows its model. Whose it is, stays."""
    marks.settle(ADA)
    marks.put(MARK)
    marks.judge("a", same=True)
    marks.version = Version(7, "stamp")
    assert marks.received()
    marks.start_over()
    assert [(mark.row, mark.theirs) for mark in marks.waiting()] == [("row", "")]
    assert (marks.home, marks.version, marks.models, marks.received()) == (ADA, None, {}, False)


def test_only_our_own_rows_are_taken_back(marks: SyncMarks) -> None:
    """Those that came from there stay."""
    marks.put(MARK)
    marks.put(SyncMark("own", 1, "n", True, "w", "o", "t"))
    assert marks.take_back() == ["own"]
    assert [mark.row for mark in marks.waiting()] == ["own"]


@pytest.mark.parametrize("names_agents", [True, False])
def test_a_meeting_knows_whose_the_table_is(tmp_path: Path, names_agents: bool) -> None:
    """Every agent of the home's user and project where rows name agents, else the home alone; events bear its name."""
    store = SqliteStore(tmp_path / "a.db")
    name = Writer(store).remember(HOME, "tea")
    with store.begin(ADA, durable=False) as tx:
        connection = store._connection
        meeting = Meeting(tx, connection, SyncMarks(connection), lent(), HOME, names_agents, START)
        assert meeting.shows(HOME)
        assert meeting.shows(replace(HOME, agent="coder")) is names_agents
        assert not meeting.shows(replace(HOME, user="grace"))
        assert meeting.scope(meeting.number(HOME)) == HOME
        assert meeting.memory(replace(HOME, agent="coder"), name) is None
        assert meeting.number(replace(HOME, agent="coder")) == 0
        found = meeting.memory(HOME, name)
        assert found is not None
        draft = meeting.draft(HOME, Action.FORGET, "because", Forgotten(name, None, START))
        assert (draft.actor, draft.at, draft.why, len(draft.salt)) == (ACTOR, START, "because", 16)
    store.close()


def test_a_reception_may_get_its_model_later() -> None:
    """It begins without one, and what indexes is any function of that form."""
    reception = lent()
    assert reception.embedder is None
    held: Indexing = reception.index
    assert held is index_of
    assert reception.screened("hunter2") == ("[password]", "")
