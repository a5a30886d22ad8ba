from pathlib import Path

from reverie.exchange import read
from tests.exchange.test_reading import write


def times(path: Path) -> list[str]:
    """The day each message was said; "" where nobody knows."""
    return [message.at.date().isoformat() if message.at else "" for message in read(path)]


def test_a_line_without_a_time_was_said_when_the_one_before_it_was(tmp_path: Path) -> None:
    """Not now; in its own session, and nobody guesses before the first time that is told there."""
    first, other = {"session": "a", "at": "2025-01-01T10:00:00Z"}, {"session": "b", "at": "2025-03-01T10:00:00Z"}
    lines = [{"session": "c"}, first, {"session": "a"}, other, {"session": "a"}, {"session": "b"}, {"session": "d"}]
    path = write(tmp_path / "chat.jsonl", *({"text": "Merhaba", **line} for line in lines))
    assert times(path) == ["", "2025-01-01", "2025-01-01", "2025-03-01", "2025-01-01", "2025-03-01", ""]
    assert times(write(tmp_path / "list.json", [{"text": "x", **line} for line in lines])) == times(path)


def test_a_line_of_our_own_export_without_a_time_takes_the_one_before(tmp_path: Path) -> None:
    """Somebody may have taken it out by hand."""
    lines = [{"schema": "reverie/1"}, {"text": "a", "at": "2025-01-01T10:00:00Z"}, {"text": "b"}]
    assert times(write(tmp_path / "own.jsonl", *lines)) == ["2025-01-01", "2025-01-01"]


def test_no_time_is_taken_from_another_file(tmp_path: Path) -> None:
    """Files of a folder stand in the order of their names, which says nothing about when they were written."""
    write(tmp_path / "a.jsonl", {"text": "a", "at": "2025-01-01T10:00:00Z"})
    write(tmp_path / "b.jsonl", {"text": "b"})
    assert times(tmp_path) == ["2025-01-01", ""]


def test_a_time_that_was_taken_over_is_not_in_the_id(tmp_path: Path) -> None:
    """A line that is put before it later changes its time and not its id, so that it is not imported twice."""
    line, before = {"text": "second"}, {"text": "first", "at": "2025-01-01T10:00:00Z"}
    alone = list(read(write(tmp_path / "one.jsonl", line)))[-1]
    after = list(read(write(tmp_path / "two.jsonl", before, line)))[-1]
    assert alone.message_id == after.message_id
