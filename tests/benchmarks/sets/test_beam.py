"""BEAM files become one haystack a chat."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.sets.beam import MARKER, load, numbers
from benchmarks.values import Haystack, Notes
from tests.benchmarks import toy


@pytest.fixture
def notes() -> Notes:
    return Counter()


@pytest.fixture
def chat(tmp_path: Path, notes: Notes) -> Haystack:
    return next(load([toy.write_lines(tmp_path / "b.jsonl", toy.beam())], notes))


def test_batches_are_sessions_and_a_missing_date_is_the_last_one(chat: Haystack) -> None:
    """A batch is what was said around one date."""
    assert [item.session for item in chat.items] == ["batch-1", "batch-1", "batch-2", "batch-2"]
    assert [item.at.date().isoformat() for item in chat.items] == ["2024-03-15"] * 2 + ["2024-04-05"] * 2


def test_generation_markers_are_stripped_and_counted(chat: Haystack, notes: Notes) -> None:
    """What the generator appended was never said; arrows inside a message were."""
    assert chat.items[0].text == "My deadline is in March."
    assert chat.items[1].text == "<!-- a -->\nNoted."
    assert notes["messages with a marker stripped"] == 1


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("Hello ->-> 2,13", "Hello"),
        ("Hello\n\n->-> 2,13 ->-> 4\n", "Hello"),
        ("a ->-> b\nmore", "a ->-> b\nmore"),
        ("std::vector->size()", "std::vector->size()"),
    ],
)
def test_only_what_ends_a_message_is_a_marker(content: str, kept: str) -> None:
    """Markers may repeat; anything after the line keeps it."""
    assert MARKER.sub("", content) == kept


def test_gold_is_every_id_in_the_source_once(chat: Haystack, notes: Notes) -> None:
    """Original and updated information both count; ids that name no message are dropped and counted."""
    assert [question.gold for question in chat.questions] == [("0", "2"), (), ("2",), ()]
    assert notes["evidence ids that name no message (dropped)"] == 1


def test_categories_are_in_the_issues_spelling(chat: Haystack) -> None:
    """Lower case with hyphens; abstention is not answerable."""
    assert [question.category for question in chat.questions][:2] == ["knowledge-update", "abstention"]
    assert [question.answerable for question in chat.questions] == [True, False, True, True]


def test_ids_are_found_at_any_depth() -> None:
    """A source may be a number, a list, an object, or nothing."""
    assert list(numbers({"a": [1, [2]], "b": 3, "c": None})) == [1, 2, 3]
    assert list(numbers(["4", "x", 5])) == [4, 5]
    assert list(numbers(None)) == []
