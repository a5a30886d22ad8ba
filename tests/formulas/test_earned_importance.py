"""Importance is earned, and neglect takes some of it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.vault import (
    EventTable,
    NeglectLaw,
    ObservationHappening,
    after,
    earned,
    moved,
    neglect,
    neglected,
)

TABLE = EventTable(
    referenced=0.1,
    referenced_by_other=0.15,
    good_outcome=0.2,
    verified=0.15,
    contradicted=-0.2,
    flagged_important=0.95,
    flagged_wrong=0.0,
)
NEGLECT = NeglectLaw(per_period=0.1, period_days=14, most=0.3)
happenings = st.lists(st.sampled_from(ObservationHappening), max_size=20)


@pytest.mark.req("B3", "B4")
@pytest.mark.parametrize(
    ("happening", "expected"),
    [
        (ObservationHappening.REFERENCED, 0.6),
        (ObservationHappening.REFERENCED_BY_OTHER, 0.65),
        (ObservationHappening.GOOD_OUTCOME, 0.7),
        (ObservationHappening.VERIFIED, 0.65),
        (ObservationHappening.FLAGGED_IMPORTANT, 0.95),
        (ObservationHappening.FLAGGED_WRONG, 0.0),
        (ObservationHappening.CONTRADICTED, 0.3),
    ],
)
def test_the_table_line_by_line(happening: ObservationHappening, expected: float) -> None:
    """From .5: "+0.1", "+0.15", "+0.2", "+0.15", "→ 0.95", "→ 0.0", "-0.2"."""
    assert after(0.5, happening, TABLE) == pytest.approx(expected)


@pytest.mark.req("B3")
def test_events_add_up_and_are_clamped() -> None:
    """Referenced twice and useful once: .9; three good outcomes more: 1."""
    twice = [ObservationHappening.REFERENCED, ObservationHappening.REFERENCED, ObservationHappening.GOOD_OUTCOME]
    assert earned(0.5, twice, TABLE) == pytest.approx(0.9)
    assert earned(0.5, twice + [ObservationHappening.GOOD_OUTCOME] * 3, TABLE) == 1.0


@pytest.mark.req("B3")
@pytest.mark.parametrize(
    ("idle", "expected"), [(0, 0.9), (13.9, 0.9), (14, 0.8), (27, 0.8), (28, 0.7), (42, 0.6), (400, 0.6), (-3, 0.9)]
)
def test_neglect_takes_a_tenth_a_fortnight_and_three_at_most(idle: float, expected: float) -> None:
    """“-0.1 per 14-day period”, at most −.3 (reading 15)."""
    assert neglected(0.9, idle, NEGLECT) == pytest.approx(expected)


@pytest.mark.req("B3")
@given(happenings, st.floats(0, 1000))
def test_clamped_and_the_same_twice(events: list[ObservationHappening], idle: float) -> None:
    """In [0, 1]; working it out again from the same events changes nothing."""
    once = neglected(earned(0.5, events, TABLE), idle, NEGLECT)
    assert 0 <= once <= 1
    assert once == neglected(earned(0.5, events, TABLE), idle, NEGLECT)


@given(st.floats(0, 1), st.floats(0, 1000), st.floats(0, 1000))
def test_longer_neglect_never_helps(importance: float, idle: float, more: float) -> None:
    """Monotone, and never more than .3 is lost."""
    left = neglected(importance, idle + more, NEGLECT)
    assert importance - 0.3 - 1e-12 <= left <= neglected(importance, idle, NEGLECT) <= importance


@pytest.mark.req("B3")
def test_nothing_falls_below_nought() -> None:
    """“0.0 min”: contradicted at .1, and neglected at .2."""
    assert after(0.1, ObservationHappening.CONTRADICTED, TABLE) == 0.0
    assert neglected(0.2, 100, NEGLECT) == 0.0


@pytest.mark.req("B3", "B5", "B7")
@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([ObservationHappening.REFERENCED] * 3, 0.8),
        ([ObservationHappening.REFERENCED] * 4, 0.9),
        ([ObservationHappening.REFERENCED, ObservationHappening.GOOD_OUTCOME], 0.8),
        ([ObservationHappening.REFERENCED] * 3 + [ObservationHappening.CONTRADICTED], 0.6),
    ],
)
def test_tenths_add_up_to_tenths(events: list[ObservationHappening], expected: float) -> None:
    """To the last digit: what reached .8 is at .8, where it is shared and stays twice as long."""
    assert earned(0.5, events, TABLE) == expected


@pytest.mark.req("B3", "B6")
def test_neglect_takes_tenths_to_the_last_digit() -> None:
    """Three times a tenth from .5 is .2, which is not below .2; without neglect nothing is rounded."""
    assert [neglect(14 * periods, NEGLECT) for periods in range(5)] == [0.0, 0.1, 0.2, 0.3, 0.3]
    assert neglected(0.5, 42, NEGLECT) == 0.2
    assert neglected(0.1234567890123456, 13, NEGLECT) == 0.1234567890123456


@given(st.floats(0, 1), st.floats(-1, 1))
def test_whatever_moves_it_it_stays_an_importance(importance: float, by: float) -> None:
    """In [0, 1], and moved by as much as was said, to twelve places."""
    assert 0.0 <= moved(importance, by) <= 1.0
    assert moved(importance, by) == pytest.approx(min(1.0, max(0.0, importance + by)), abs=1e-12)
