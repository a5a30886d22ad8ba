"""The table of dreams."""

from __future__ import annotations

from benchmarks.report.speed import dream_section


def test_every_figure_has_a_line() -> None:
    """Named in words, by size."""
    text = dream_section({"rows": [{"size": 100_000, "figures": {"seconds": 41.5, "peak_mb": 812.0}}], "machine": {}})
    assert "| 100,000 | seconds | 41.5 |" in text
    assert "| 100,000 | peak mb | 812 |" in text
