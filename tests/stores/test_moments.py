"""Moments as integers: exact for every datetime."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.stores.codec import from_micros, to_micros
from reverie.types import EPOCH


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_moments_come_back_and_keep_their_order(one: datetime, other: datetime) -> None:
    """From year 1 to 9999, to the microsecond."""
    assert from_micros(to_micros(one)) == one
    assert (to_micros(one) < to_micros(other)) == (one < other)


def test_worked_moments() -> None:
    """A second after the epoch, a microsecond before it, the epoch in another zone."""
    assert to_micros(EPOCH + timedelta(seconds=1)) == 1_000_000
    assert to_micros(EPOCH - timedelta(microseconds=1)) == -1
    assert to_micros(datetime(1970, 1, 1, 3, tzinfo=timezone(timedelta(hours=3)))) == 0


def test_a_time_without_a_zone_is_refused() -> None:
    """Nobody can say which moment it is."""
    with pytest.raises(InvalidInput):
        to_micros(datetime(2026, 3, 2))
