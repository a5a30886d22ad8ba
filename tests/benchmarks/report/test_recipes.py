"""The recipes' tables: a row each, and what is wholly below 0 is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.report.retrieval import recipes_section, recipes_verdict, result
from benchmarks.results import PairedRow, read, write
from benchmarks.retrieval import Request, run
from benchmarks.sets import SETS
from benchmarks.systems import build
from reverie.models.hashing import HashEmbedder
from tests.benchmarks import toy

ROW = PairedRow("locomo", "observed", "reverie", "turn", "fraction", 10, "answerable", 9, 0.1, -0.1, 0.2, 3, 1)


def test_a_row_for_each_recipe(tmp_path: Path) -> None:
    """Beside the words alone, with its differences to them."""
    data = toy.write_lines(tmp_path / "l.jsonl", toy.locomo())
    outcome = run(Request(SETS["locomo"], (data,)), build(["reverie", "observed", "v9"], HashEmbedder()))
    write(tmp_path / "r.json", outcome.rows, outcome.extras)
    text = recipes_section(result(read(tmp_path / "r.json")))
    assert "#### LoCoMo, by recipe" in text
    assert all(f"| {system} |" in text for system in ("reverie", "observed", "v9"))
    assert "| observed − reverie | fraction@10 |" in text
    assert "| v9 − reverie | tokens@1000 |" in text
    assert "v9 − observed" not in text
    assert "`observed` against `reverie`: 4 intervals over the answerable questions" in text


def test_an_interval_wholly_below_0_is_named() -> None:
    """Touching 0 is not below it."""
    rows = [ROW, replace(ROW, metric="all", low=-0.3, high=0.0), replace(ROW, category="temporal", low=-0.3, high=-0.1)]
    assert recipes_verdict(rows[:2], "answerable").endswith("wholly below 0: none.")
    assert recipes_verdict(rows, "answerable").endswith(
        "2 intervals over the answerable questions and 1 over other groups of them; "
        "wholly below 0: temporal fraction@10."
    )
    assert recipes_verdict([], "answerable") == ""
