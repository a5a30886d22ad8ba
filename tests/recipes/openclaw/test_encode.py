"""Document C's write path, by its published numbers and with its keys."""

from __future__ import annotations

import pytest

from reverie.encode.settings import Merging
from reverie.recipes.published.openclaw import ENCODE, encode_settings
from reverie.recipes.published.openclaw_keys import Keys


@pytest.mark.req("C7")
def test_two_that_are_nearly_the_same_become_the_newer() -> None:
    """From .85 on OpenClaw's scale, a cosine of .912, with a count and the higher importance."""
    gate = ENCODE.gate
    assert gate is not None
    assert gate.edges.update == gate.edges.create == pytest.approx(1 - (1 / 0.85 - 1) / 2)
    assert (gate.merging, gate.counts, gate.neighbours) == (Merging.NEWER, True, 1)


@pytest.mark.req("C2", "C5")
def test_a_memory_begins_with_a_count_of_one_and_a_day() -> None:
    """And the importance OpenClaw's own tool gives where nobody says otherwise."""
    assert (ENCODE.accesses, ENCODE.stability_days, ENCODE.importance, ENCODE.utility) == (1, 1.0, 0.7, 0.5)


@pytest.mark.req("C10")
def test_from_when_on_two_are_the_same_can_be_set() -> None:
    """Above 1 nothing ever is."""
    gate = encode_settings(Keys(deduplication_threshold=0.95)).gate
    assert gate is not None
    assert gate.edges.update == pytest.approx(1 - (1 / 0.95 - 1) / 2)
    never = encode_settings(Keys(deduplication_threshold=2.0)).gate
    assert never is not None
    assert never.edges.update > 1
