from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.faces.agent_zero.ledger import FILE, Book, Ledger, LedgerEntry, merged
from tests.faces.agent_zero.conftest import NOW

BOOK = Book(7, 2, 5, {"a": LedgerEntry(3, NOW, 1, ("b",)), "b": LedgerEntry()}, frozenset({("a", "b")}), {"a": "m1"})


@pytest.mark.req("A7", "A14a")
def test_counters_come_back_as_they_were(tmp_path: Path) -> None:
    """A restart loses nothing."""
    Ledger(tmp_path).write(BOOK, Book())
    assert Ledger(tmp_path).read() == BOOK


def test_no_file_is_a_beginning(tmp_path: Path) -> None:
    """It may be deleted."""
    assert Ledger(tmp_path / "none").read() == Book()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"loops": 1}', '{"loops": "x"}', '{"loops":1,"passes":1,"memories":[]}']
)
def test_a_damaged_file_says_so_and_is_replaced(tmp_path: Path, text: str) -> None:
    """It is no reason to stop counting."""
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidExport):
        Ledger(tmp_path).read()
    Ledger(tmp_path).write(BOOK, Book())
    assert Ledger(tmp_path).read() == BOOK


def test_what_two_processes_count_is_added_up(tmp_path: Path) -> None:
    """Both began with the same file; neither's counts are lost."""
    ledger = Ledger(tmp_path)
    ledger.write(BOOK, Book())
    base = ledger.read()
    one, other = ledger.read(), ledger.read()
    one.loops += 1
    one.entries["a"] = LedgerEntry(4, NOW, 1, ("b",))
    other.loops += 2
    other.passes += 1
    other.entries["a"] = LedgerEntry(5, None, 1, ("b", "c"))
    other.entries["new"] = LedgerEntry(1)
    ledger.write(one, base)
    ledger.write(other, base)
    found = ledger.read()
    assert (found.loops, found.passes) == (10, 3)
    assert found.entries["a"] == LedgerEntry(6, NOW, 1, ("b", "c"))
    assert found.entries["new"] == LedgerEntry(1)


def test_what_one_dropped_is_dropped() -> None:
    """A memory that is gone, a pair that is settled, a text that was forgotten."""
    mine = Book(7, 2, 5, {"b": LedgerEntry()}, frozenset(), {})
    found = merged(BOOK, mine, BOOK)
    assert (set(found.entries), found.flagged, found.brought) == ({"b"}, frozenset(), {})


def test_both_took_in_the_same_memory_for_the_first_time() -> None:
    """Its counts are not added up: both read them from the same document."""
    mine, theirs = Book(entries={"x": LedgerEntry(4, since=2)}), Book(entries={"x": LedgerEntry(5, since=1)})
    assert merged(theirs, mine, Book()).entries["x"] == LedgerEntry(5, since=1)


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """The file and its lock; no temporary one."""
    Ledger(tmp_path).write(BOOK, Book())
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, f"{FILE}.lock"]
