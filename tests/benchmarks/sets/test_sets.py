"""Loading by name: limits, and files that are not what they should be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.sets import SETS, load
from reverie.errors import InvalidExport
from tests.benchmarks import toy


def test_a_limit_takes_the_first_conversations(tmp_path: Path) -> None:
    """Whole conversations, in the order of the file."""
    path = toy.write_lines(tmp_path / "l.jsonl", toy.locomo())
    assert [store.name for store in load(SETS["locomo"], [path], Counter(), 1)] == ["conv-a"]
    assert [store.name for store in load(SETS["locomo"], [path], Counter())] == ["conv-a", "conv-b"]


def test_a_limit_of_a_set_with_one_store_takes_its_first_questions(tmp_path: Path) -> None:
    """All paragraphs stay: they are what makes the questions hard."""
    path = toy.write_lines(tmp_path / "x.jsonl", toy.xquad())
    (store,) = load(SETS["xquad"], [path, path], Counter(), 2)
    assert len(store.questions) == 2
    assert len(store.items) == 3


@pytest.mark.parametrize(
    "record",
    [
        {"qa": [], "conversation": {"session_1": []}},
        {"qa": [], "conversation": {}},
        {"qa": 3, "conversation": {"session_1": [{}], "session_1_date_time": "yesterday"}},
    ],
)
def test_a_record_of_another_form_is_refused_clearly(tmp_path: Path, record: dict[str, object]) -> None:
    """The error names the set; no KeyError reaches the user."""
    path = toy.write_lines(tmp_path / "l.jsonl", [record])
    with pytest.raises(InvalidExport, match="locomo"):
        list(load(SETS["locomo"], [path], Counter()))
