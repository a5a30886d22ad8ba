"""What both sides last agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.stores.lance.sync_state import SyncMark, SyncMarks
from reverie.stores.lance.table import Version
from reverie.stores.sqlite import SqliteStore, file
from tests.stores.making import ADA

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
    assert (marks.home, marks.version, marks.seq, marks.models) == (None, None, 0, {})
    marks.settle(ADA)
    marks.version = Version(7, "stamp")
    marks.note("seq", "12")
    marks.judge("a", same=True)
    marks.judge("b", same=False)
    assert (marks.home, marks.version, marks.seq) == (ADA, Version(7, "stamp"), 12)
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
