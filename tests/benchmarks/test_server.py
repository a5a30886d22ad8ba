"""``python -m benchmarks.server``: pairs in changing order, and figures laid out beside what they must be."""

from __future__ import annotations

from benchmarks.server import Spent, paired, table, two_by_two


def test_the_ratio_is_the_median_of_pairs() -> None:
    """Not the ratio of the medians; and of two turns in opposite order one is made."""
    assert paired([2.0, 30.0, 3.0], [1.0, 10.0, 3.0]) == 2.0
    assert two_by_two([1.0, 2.0, 3.0, 4.0, 5.0]) == [3.0, 7.0]


def test_the_table_names_every_limit() -> None:
    """For each size, and for writers once; times stand beside, not as a verdict."""
    spent = Spent([1.0, 2.0, 3.0], [0.5] * 3, [0.25] * 3)
    what = ("equal", "import", "recall", "remember", "security", "cold over warm")
    figures: dict[str, object] = {"memories": 1_000, **dict.fromkeys(what, 1.0), "recall sqlite, ms": spent.p50()}
    lines = table([figures, figures | {"memories": 100_000}], {"four writers": 2.0, "eight writers": 0.1})
    assert len(lines) == 2 + 2 * len(what) + 2
    assert "| 1,000: recall over SQLite's | ≤ 1.6 | 1.0 | 2.00 (0.50 + 0.25) |" in lines
    assert "| 100,000: recall over SQLite's | ≤ 1.35 | 1.0 | 2.00 (0.50 + 0.25) |" in lines
    assert sum(line.count("≤") + line.count("≥") for line in lines) == 12
