"""The table of speed with everything on."""

from __future__ import annotations

from dataclasses import asdict

from benchmarks.report.speed import whole_section
from benchmarks.results import WholeRow


def test_limits_stand_beside_the_rows_they_are_for() -> None:
    """The default recipe's, at the sizes that have one; the model alone is named so."""
    rows = [
        WholeRow("reverie", "recall", 10_000, 9, 4.25, 8.0, 4.0, 7.0, 91.6),
        WholeRow("v9", "recall", 10_000, 9, 14.25, 28.0, 14.0, 27.0, 95.0),
        WholeRow("embedding", "observe", 10_000, 9, 3.0, 5.0, 3.0, 5.0, None),
    ]
    text = whole_section(
        {"rows": [asdict(row) for row in rows], "machine": {"processor": "P", "cores": 2, "load": 1.5}}
    )
    assert text.startswith("P, 2 cores, load 1.5 before the run.")
    assert "| recall | 10,000 | reverie | 4.25 | 8 | 4 | 7 | 5 | 92 |" in text
    assert "| recall | 10,000 | v9 | 14.2 | 28 | 14 | 27 |  | 95 |" in text
    assert "| observe | 10,000 | the model alone | 3 | 5 | 3 | 5 |  |  |" in text
