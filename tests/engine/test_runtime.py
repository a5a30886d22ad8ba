"""Ids rise, whatever the clock does; a seed gives the same ids again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reverie.engine.runtime import FixedClock, RandomIds, SystemClock

AT = datetime(2026, 5, 4, tzinfo=UTC)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=20))
def test_ids_rise_when_the_clock_goes_back(offsets: list[int]) -> None:
    """A later id sorts after every earlier one."""
    ids = RandomIds(seed=1)
    made = [ids.new_id(AT + timedelta(seconds=offset)) for offset in offsets]
    assert made == sorted(set(made))


def test_an_id_is_26_characters() -> None:
    """The ULID layout."""
    assert len(RandomIds().new_id(AT)) == 26


def test_the_same_seed_gives_the_same_ids_and_salts() -> None:
    """Tests and replays can have the same bytes again."""
    one, two = RandomIds(seed=7), RandomIds(seed=7)
    assert [one.new_id(AT), one.salt()] == [two.new_id(AT), two.salt()]


def test_without_a_seed_no_two_are_alike() -> None:
    """Two processes that start together do not make the same id."""
    assert RandomIds().new_id(AT) != RandomIds().new_id(AT)


def test_clocks_are_in_utc() -> None:
    """Both clocks hand out aware times."""
    assert SystemClock().now().tzinfo is UTC
    assert FixedClock(AT).now() == AT
