"""``python -m benchmarks longrun`` on toy conversations, and its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cli import main
from benchmarks.longrun import commands, run
from benchmarks.longrun.arms import APPEND_ONLY, OURS
from tests.benchmarks import toy


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy conversation through four arms; another one's talk is its chatter."""
    tmp_path = tmp_path_factory.mktemp("longrun")
    records = toy.locomo()
    # Two weeks instead of four months: every night is a dream in every arm.
    records[0]["conversation"]["session_2_date_time"] = "12:09 am on 24 May, 2023"
    data = toy.write_lines(tmp_path / "l.jsonl", records)
    given = ["longrun", "--set", "locomo", "--data", str(data), "--out", str(tmp_path / "long.json")]
    given += ["--arms", "append-only;newest;reverie;-repeats", "--noise", "2", "--capacity", "5,50"]
    given += ["--limit", "1"]
    assert main([*given, "--embedder", "hash", "--cache", str(tmp_path / "cache")]) == 0
    return tmp_path / "long.json"


def test_a_cell_for_each_arm_noise_and_capacity(result: Path) -> None:
    """Rows for both cells of each arm; what no capacity touches is the same at both."""
    content = json.loads(result.read_text())
    keys = {"system", "metric", "at", "category", "n", "value", "low", "high"}
    assert all(row.keys() == keys for row in content["rows"])
    assert {(row["system"], row["at"]) for row in content["rows"]} == {
        (arm, at) for arm in ("append-only", "newest", "reverie", "-repeats") for at in ("2x/5", "2x/50")
    }
    assert APPEND_ONLY in run.UNBOUNDED
    of = {
        (row["at"], row["metric"], row["category"]): row["value"]
        for row in content["rows"]
        if row["system"] == APPEND_ONLY
    }
    assert {value for (at, *_), value in of.items() if at == "2x/5"} == {
        value for (at, *_), value in of.items() if at == "2x/50"
    }


def test_pairs_are_against_what_they_should_be(result: Path) -> None:
    """The default against the others; the default against itself without a mechanism."""
    pairs = json.loads(result.read_text())["paired"]
    assert {(pair["system"], pair["against"]) for pair in pairs} == {
        (OURS, "append-only"),
        (OURS, "newest"),
        (OURS, "-repeats"),
    }


def test_the_page_is_made_of_the_result(result: Path, tmp_path: Path) -> None:
    """A table a cell, the mechanism's effect, and the chart beside it; what stands around it stays."""
    page = tmp_path / "longrun.md"
    page.write_text("# The long run\n")
    given = ["report", "--longrun", str(result), "--out", str(page), "--chart", str(tmp_path / "long.png")]
    assert main(given) == 0
    text = page.read_text()
    assert text.startswith("# The long run\n")
    assert text.count("| append-only |") >= 2
    assert "| repeats |" in text
    assert (tmp_path / "long.png").stat().st_size > 0
    assert callable(commands.report)
