from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.faces.http.tokens import BUCKETS_KEPT, Buckets


def test_a_bucket_holds_a_minute_and_fills_up_evenly() -> None:
    """Two a minute: two at once, the third after half a minute."""
    buckets = Buckets(2)
    assert [buckets.wait_s("ada", 0.0) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert buckets.wait_s("ada", 15.0) == 15.0
    assert buckets.wait_s("ada", 30.0) == 0.0
    assert buckets.wait_s("bob", 30.0) == 0.0


def test_without_a_limit_nobody_waits() -> None:
    """0 is no limit."""
    assert {Buckets(0).wait_s("ada", 0.0) for _ in range(100)} == {0.0}


def test_buckets_are_bounded() -> None:
    """However many ask, so many are kept; whoever asked longest ago begins anew."""
    buckets = Buckets(1)
    for number in range(BUCKETS_KEPT + 1):
        buckets.wait_s(str(number), 0.0)
    assert buckets.wait_s("0", 0.0) == 0.0
    assert buckets.wait_s(str(BUCKETS_KEPT), 0.0) > 0.0


@given(st.lists(st.floats(0, 10), max_size=200), st.integers(1, 100))
def test_never_more_than_a_minutes_worth_beyond_the_rate(steps: list[float], rate: int) -> None:
    """Whatever the pattern, what is let through in a time is at most a bucket and what flowed in."""
    buckets, now, through = Buckets(rate), 0.0, 0
    for step in steps:
        now += step
        through += buckets.wait_s("ada", now) == 0.0
    assert through <= rate + now * rate / 60.0 + 1e-6
