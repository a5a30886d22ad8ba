"""Raw rankings on disk."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.retrieval import rankings_file
from benchmarks.values import Entry
from tests.benchmarks import toy

RANKING = (Entry(("a", "b"), 2), Entry(("b",), 1, withheld=True))


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_line_holds_what_any_other_metric_needs(tmp_path: Path, name: str) -> None:
    """Order, gold, and what was withheld; packed where the name says so."""
    path = tmp_path / "deep" / name
    with rankings_file(path) as rankings:
        rankings.write("bm25", toy.haystack([], []), toy.question("?", "b"), RANKING)
    raw = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    assert [json.loads(line) for line in raw.splitlines()] == [
        {
            "system": "bm25",
            "store": "toy",
            "question": "q",
            "category": "all",
            "gold": ["b"],
            "ranking": ["a", "b"],
            "withheld": ["b"],
        }
    ]


def test_without_a_path_nothing_is_kept(tmp_path: Path) -> None:
    """Rankings are taken and forgotten."""
    with rankings_file(None) as rankings:
        rankings.write("bm25", toy.haystack([], []), toy.question("?"), RANKING)
    assert list(tmp_path.iterdir()) == []
