"""The tables of lives."""

from __future__ import annotations

from dataclasses import asdict

from benchmarks.report import life_section
from benchmarks.results import LawRow


def test_laws_are_added_up_over_conversations() -> None:
    """What was looked at and what broke it, then the counts."""
    rows = [LawRow("locomo", "v9", store, "nothing is lost", 600, broken, []) for store, broken in (("a", 0), ("b", 2))]
    text = life_section({"rows": [asdict(row) for row in rows], "model": "hash@1/256", "counts": {"messages": 1200}})
    assert text.startswith("#### LoCoMo, recipe `v9`\n\n2 conversations; embedding model: `hash@1/256`.")
    assert "| nothing is lost | 1,200 | 2 |" in text
    assert "| messages | 1,200 |" in text


def test_a_file_without_rows_says_nothing() -> None:
    """Rather than a heading over an empty table."""
    assert life_section({"rows": []}) == ""
