from __future__ import annotations

import pytest

from reverie.consolidate.settings import ForesightExpiry
from reverie.consolidate.tiers import foresight
from reverie.types import State
from tests.consolidate.making import NOW, after, days_ago, memory, snapshot


@pytest.mark.req("D14", "D17", "D33")
def test_what_was_bounded_in_time_and_is_past_is_superseded() -> None:
    """What holds still, what was merely closed by hand, and what is pinned, is left; its validity is not moved."""
    past = memory("past", time_bounded=True, valid_until=NOW)
    ahead = memory("ahead", time_bounded=True, valid_until=days_ago(-1))
    closed = memory("closed", valid_until=days_ago(1))
    pinned = memory("pinned", time_bounded=True, valid_until=days_ago(1), pinned=True)
    found = after(foresight(snapshot(past, ahead, closed, pinned), ForesightExpiry(), NOW))
    assert found == {"past": {"state": State.SUPERSEDED}}
