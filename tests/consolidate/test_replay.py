from __future__ import annotations

from datetime import timedelta

import pytest

from reverie.consolidate.tiers import replay
from reverie.recipes.published.v9.dream import DREAM as V9
from tests.consolidate.making import NOW, after, days_ago, memory, snapshot, together


@pytest.mark.req("D31", "D33")
def test_pairs_that_met_three_times_grow_by_two_per_cent() -> None:
    """Two meetings are not enough."""
    assert V9.replay is not None
    four = [memory(name, stability_days=10.0) for name in "abcd"]
    found = replay(snapshot(*four, companions=[together("a", "b", 3), together("c", "d", 2)]), V9.replay, NOW)
    assert {name: round(float(what["stability_days"]), 6) for name, what in after(found).items()} == {
        "a": 10.2,
        "b": 10.2,
    }  # type: ignore[arg-type]  # it is a number


def test_a_pair_is_replayed_again_only_after_it_met_again() -> None:
    """What was replayed since the pair last met, or earlier this night, waits."""
    assert V9.replay is not None
    for replayed, met, grows in (
        (None, 5.0, True),
        (days_ago(3), 5.0, False),
        (days_ago(3), 2.0, True),
        (NOW, 2.0, False),
    ):
        pair = memory("a", replayed_at=replayed), memory("b", immutable=True)
        found = replay(snapshot(*pair, companions=[together("a", "b", 9, days=met)]), V9.replay, NOW)
        assert ("a" in after(found)) is grows


@pytest.mark.req("D30", "D33")
def test_a_synaptic_tag_that_ran_out_is_taken_away() -> None:
    """One that still stands is left."""
    assert V9.replay is not None
    old, new = memory("old", tagged_until=NOW), memory("new", tagged_until=NOW + timedelta(hours=1))
    assert after(replay(snapshot(old, new), V9.replay, NOW)) == {"old": {"tagged_until": None}}
