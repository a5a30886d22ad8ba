"""LongMemEval files become one haystack a question."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.sets.longmemeval import load, moment
from benchmarks.values import Haystack, Notes
from reverie.errors import InvalidExport
from reverie.types import Role
from tests.benchmarks import toy


@pytest.fixture
def notes() -> Notes:
    return Counter()


def files(folder: Path) -> tuple[Path, Path]:
    """The two files, under names that say nothing."""
    questions = toy.write_lines(folder / "1.jsonl", toy.longmemeval_questions())
    return questions, toy.write_lines(folder / "2.jsonl.gz", toy.longmemeval_sessions())


@pytest.fixture
def loaded(tmp_path: Path, notes: Notes) -> list[Haystack]:
    return list(load(files(tmp_path), notes))


def test_the_files_are_told_apart_by_content(tmp_path: Path, loaded: list[Haystack]) -> None:
    """The order in which they are named does not matter."""
    assert list(load(files(tmp_path)[::-1], Counter())) == loaded


def test_sessions_stand_in_the_order_of_their_dates(loaded: list[Haystack]) -> None:
    """The file's order does not count; both roles are there."""
    items = loaded[0].items
    assert [item.id for item in items] == ["answer_1:0", "answer_1:1", "chat_3:0", "answer_2:0", "chat_3#2:0"]
    assert [item.role for item in items[:2]] == [Role.USER, Role.ASSISTANT]
    assert items[0].at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)


def test_a_session_held_twice_is_two_sessions(loaded: list[Haystack], notes: Notes) -> None:
    """The same talk on another day has its own name, so that no id stands twice; it is counted."""
    assert [item.session for item in loaded[0].items if item.text.startswith("How do I")] == ["chat_3", "chat_3#2"]
    assert notes == {"sessions that a haystack holds twice": 1}


def test_gold_is_the_marked_turns(loaded: list[Haystack]) -> None:
    """Only turns with ``has_answer`` true; the question keeps its own date."""
    question = loaded[0].questions[0]
    assert question.gold == ("answer_1:0", "answer_2:0")
    assert question.asked_at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert question.category == "multi-session"


def test_a_question_without_an_answer_has_no_gold(loaded: list[Haystack]) -> None:
    """Ids ending in ``_abs`` are left out of the measure even where turns are marked."""
    question = loaded[1].questions[0]
    assert question.gold == ()
    assert not question.answerable


def test_a_missing_session_is_named(tmp_path: Path) -> None:
    """Questions with another set's sessions are refused, not silently made easier."""
    questions = toy.write_lines(tmp_path / "q.jsonl", toy.longmemeval_questions())
    sessions = toy.write_lines(tmp_path / "s.jsonl", toy.longmemeval_sessions()[1:])
    with pytest.raises(InvalidExport, match="'k1'"):
        list(load([questions, sessions], Counter()))


def test_the_weekday_is_passed_over() -> None:
    """Whatever stands in the brackets."""
    assert moment("2023/05/20 (Sat) 02:21") == moment("2023/05/20 02:21")
