"""Result files: their form, and what they may not give away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.results import RetrievalRow, SpeedRow, read, retrieval_rows, speed_rows, surroundings, write
from reverie.errors import InvalidExport

RETRIEVAL = RetrievalRow("locomo", "bm25", "turn", "fraction", 10, "all", 5, 0.5, 0.4, 0.6)
SPEED = SpeedRow("reverie", "recall", 1000, 1.5, 3.0, 40.0, None)


def test_rows_have_exactly_the_agreed_fields(tmp_path: Path) -> None:
    """Others read these files by these names."""
    write(tmp_path / "deep" / "r.json", [RETRIEVAL, SPEED], {"seed": 0})
    content = json.loads((tmp_path / "deep" / "r.json").read_text())
    first, second = content["rows"]
    assert list(first) == ["set", "system", "unit", "metric", "at", "category", "n", "value", "low", "high"]
    assert list(second) == ["system", "op", "size", "p50_ms", "p95_ms", "rss_mb", "disk_mb"]
    assert content["seed"] == 0


def test_what_is_written_can_be_read_again(tmp_path: Path) -> None:
    """Both kinds of rows survive the file."""
    write(tmp_path / "r.json", [RETRIEVAL], {})
    write(tmp_path / "s.json", [SPEED], {})
    assert retrieval_rows(read(tmp_path / "r.json")) == [RETRIEVAL]
    assert speed_rows(read(tmp_path / "s.json")) == [SPEED]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["r.json", "s.json"]


@pytest.mark.parametrize("content", ["", "[]", '{"rows": 3}', "{"])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    """The error names it."""
    (tmp_path / "odd.json").write_text(content)
    with pytest.raises(InvalidExport, match="odd"):
        read(tmp_path / "odd.json")


def test_no_folder_of_the_machine_is_named(tmp_path: Path) -> None:
    """The command is kept with its files' names, not where they lie."""
    told = surroundings(["retrieval", "--data", str(tmp_path / "a.jsonl.gz"), "--set", "locomo"])
    assert told["command"] == "python -m benchmarks retrieval --data a.jsonl.gz --set locomo"
    assert str(tmp_path) not in json.dumps(told)
