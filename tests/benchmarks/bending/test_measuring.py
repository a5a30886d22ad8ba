"""What bends are worth, on questions they have not seen."""

from __future__ import annotations

from benchmarks.bending.fitting import held_out
from benchmarks.bending.measuring import AS_WEIGHED, HELD_OUT, OTHER_SETS, rows
from tests.benchmarks.bending.test_fitting import question


def test_a_row_a_way_and_depth() -> None:
    """Bends of the same kind find more of the first ten; those of a set without any pattern do not."""
    known = [question(seed, chosen="locomo") for seed in range(40)]
    known += [question(seed, told=False, chosen="beam") for seed in range(40)]
    folds = {one.haystack: number % 5 for number, one in enumerate(known)}
    measured = rows(known, folds, held_out(known, folds), 0)
    found = {(row.set, row.system): row.value for row in measured if row.at == 10}
    assert len(found) == 6
    assert found["locomo", HELD_OUT] > found["locomo", AS_WEIGHED] + 0.3
    assert abs(found["locomo", OTHER_SETS] - found["locomo", AS_WEIGHED]) < 0.2
