from __future__ import annotations

import pytest

from reverie.consolidate.tiers import emotion
from reverie.recipes.published.v9.dream import DREAM as V9
from tests.consolidate.making import NOW, after, memory, snapshot


@pytest.mark.req("D32", "D33")
def test_a_flashbulb_lasts_half_as_long_again_once_in_its_life() -> None:
    """Its stability grows by half, though it is pinned; the night after it does not grow again."""
    assert V9.emotion is not None
    bright = memory("bright", flashbulb=True, pinned=True, stability_days=10.0)
    first = snapshot(bright)
    outcome = emotion(first, V9.emotion, NOW)
    assert after(outcome) == {"bright": {"stability_days": 15.0, "consolidated_at": NOW}}
    assert not emotion(first.after(outcome), V9.emotion, NOW).changes


@pytest.mark.req("D33")
def test_what_was_felt_becomes_a_tag() -> None:
    """Once; what is pinned is not edited."""
    assert V9.emotion is not None
    glad = memory("glad", emotion="joy", tags=("tea",))
    settled = memory("settled", emotion="joy", tags=("joy",))
    pinned = memory("pinned", emotion="joy", pinned=True)
    found = emotion(snapshot(glad, settled, pinned), V9.emotion, NOW)
    assert after(found) == {"glad": {"tags": ("tea", "joy")}}


@pytest.mark.req("D21")
def test_an_immutable_flashbulb_stays_as_it_is() -> None:
    """Nothing edits what is immutable."""
    assert V9.emotion is not None
    assert not emotion(snapshot(memory("m", flashbulb=True, immutable=True)), V9.emotion, NOW).changes
