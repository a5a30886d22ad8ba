"""XQuAD files become one store of paragraphs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.sets.xquad import load
from benchmarks.values import Notes
from tests.benchmarks import toy


def test_each_paragraph_stands_alone_and_is_kept_as_it_is(tmp_path: Path) -> None:
    """No paragraph has a neighbour, and no character is tidied away."""
    notes: Notes = Counter()
    store = next(load([toy.write_lines(tmp_path / "x.jsonl", toy.xquad())], notes))
    assert len({item.session for item in store.items}) == 3
    assert store.items[0].text.startswith("\ufeffIrmağın")
    assert store.language == "tr"


def test_gold_is_the_paragraph_and_a_missing_one_is_counted(tmp_path: Path) -> None:
    """A question to a paragraph that is not there has no gold."""
    notes: Notes = Counter()
    store = next(load([toy.write_lines(tmp_path / "x.jsonl", toy.xquad())], notes))
    assert [question.gold for question in store.questions] == [("2",), ("0",), ()]
    assert notes == {"evidence ids that name no paragraph (dropped)": 1}
