"""Rows from the values of single questions."""

from __future__ import annotations

import numpy as np

from benchmarks.metrics import Column
from benchmarks.summary import Measured, summarise

COLUMNS = (Column("turn", "fraction", 10), Column("session", "fraction", 10))


def measured() -> Measured:
    """Four questions, two systems; the second finds more."""
    first = np.array([[0, 0], [1, 1], [0, 1], [0, 0]], dtype=float)
    second = np.array([[1, 0], [1, 1], [0, 1], [1, 0]], dtype=float)
    return Measured("toy", COLUMNS, {"a": first, "b": second}, ("x", "y", "x", "trap"), (True, True, True, False))


def test_each_category_has_its_own_mean() -> None:
    """All is everyone, answerable leaves out the traps, and the set's own names follow."""
    rows, _ = summarise(measured(), unanswerable=True, seed=0)
    of_a = {(row.category, row.unit): (row.n, row.value) for row in rows if row.system == "a"}
    assert of_a["all", "turn"] == (4, 0.25)
    assert of_a["answerable", "turn"] == (3, 0.333333)
    assert of_a["x", "session"] == (2, 0.5)
    assert of_a["trap", "turn"] == (1, 0.0)


def test_a_set_where_all_can_be_answered_has_no_answerable_row() -> None:
    """The name is kept for sets that have others."""
    rows, _ = summarise(measured(), unanswerable=False, seed=0)
    assert "answerable" not in {row.category for row in rows}


def test_differences_are_paired_and_only_of_the_sets_own_unit() -> None:
    """The second system gains two questions of four."""
    _, paired = summarise(measured(), unanswerable=False, seed=0)
    (row,) = [row for row in paired if row.category == "all"]
    assert (row.system, row.against, row.unit) == ("b", "a", "turn")
    assert (row.difference, row.better, row.worse, row.n) == (0.5, 2, 0, 4)
    assert row.low <= row.difference <= row.high
