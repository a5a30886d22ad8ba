"""Information density."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_statistics import density, is_thin


@pytest.mark.req("D27")
def test_worked_density() -> None:
    """“unique_entities + unique_facts + temporal_signals + correction_signals”: 2 + 1 + 1 + 1."""
    assert density(2, 1, 1, 1) == 5


@pytest.mark.req("D27")
def test_below_two_is_thin() -> None:
    """“Messages with density < 2 are skipped”."""
    assert [is_thin(value, 2) for value in (0, 1, 2, 7)] == [True, True, False, False]


@given(st.tuples(*[st.integers(0, 50)] * 4), st.integers(0, 3))
def test_every_signal_counts_alike(signals: tuple[int, int, int, int], which: int) -> None:
    """One more of any signal is one more."""
    more = [count + (place == which) for place, count in enumerate(signals)]
    assert density(*more) == density(*signals) + 1
