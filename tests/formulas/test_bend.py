"""Bends: straight between the knots, flat beyond them, and the same after being written down."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.bend import Bend, bent, read_bends, written

BEND = Bend("text", np.array([0.2, 0.4, 1.0]), np.array([0.1, -0.3, 0.3]))


def test_worked_values() -> None:
    """At a knot its height; halfway between two of them the mean; beyond the last the last."""
    values = np.array([0.2, 0.3, 0.4, 0.7, 1.0, 0.0, 9.0])
    assert bent(values, BEND).tolist() == pytest.approx([0.1, -0.1, -0.3, 0.0, 0.3, 0.1, 0.3])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_it_stays_between_its_lowest_and_highest_height(values: list[float]) -> None:
    """Whatever comes in."""
    found = bent(np.array(values), BEND)
    assert found.min() >= np.float32(-0.3)
    assert found.max() <= np.float32(0.3)


def test_written_down_and_read_again() -> None:
    """To five decimals; names may hold blanks."""
    named = Bend("own words", BEND.knots, BEND.heights)
    (again,) = read_bends([written(named)])
    assert (again.name, again.knots.tolist(), again.heights.tolist()) == (
        "own words",
        BEND.knots.tolist(),
        BEND.heights.tolist(),
    )


@pytest.mark.parametrize("line", ["text", "text\t0.1", "text\t0.1:x", "text\t0.5:1\t0.5:2", "text\t0.5:1\t0.4:2"])
def test_what_is_no_bend_is_refused(line: str) -> None:
    """No knots, half a knot, no number, and knots that do not ascend."""
    with pytest.raises(ValueError, match=r"bend|float|unpack|shape"):
        read_bends([line])
