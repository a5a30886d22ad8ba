from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.consolidate.settings import CurveLaw
from reverie.consolidate.tiers import mean_accesses, retrievability, retrievability_for_test
from reverie.recipes.published.v9.dream import LAW
from reverie.types import State, Tier
from tests.consolidate.making import memory, snapshot


@pytest.mark.req("D1", "D35")
def test_retention_is_the_documents_curve_over_the_tiers_stability() -> None:
    """A day of stability, three idle days: semantic (1 + 3/9)⁻² = .5625, episodic (1 + 3·3/9)⁻² = .25."""
    both = memory("s", tier=Tier.SEMANTIC, idle_days=3.0), memory("e", idle_days=3.0)
    assert retrievability(snapshot(*both), LAW) == pytest.approx([0.5625, 0.25])


@pytest.mark.parametrize(("curve", "expected"), [(CurveLaw.EXPONENTIAL, np.exp(-1)), (CurveLaw.FSRS6, 0.9)])
def test_the_other_curves_are_theirs(curve: CurveLaw, expected: float) -> None:
    """After as many days as the stability 1/e is left by Ebbinghaus, and nine in ten by FSRS."""
    one = memory("s", tier=Tier.SEMANTIC, stability_days=5.0, idle_days=5.0)
    assert retrievability(snapshot(one), replace(LAW, curve=curve)) == pytest.approx([expected])


@pytest.mark.req("D5")
def test_the_mean_is_over_active_memories() -> None:
    """What sleeps does not count; what is rare counts with half its stability."""
    found = snapshot(memory("a", accesses=1), memory("b", accesses=9), memory("c", accesses=50, state=State.DORMANT))
    assert mean_accesses(found) == 5.0
    halved = retrievability_for_test(found, LAW)[0]
    assert halved == pytest.approx(retrievability(snapshot(memory("a", stability_days=0.5)), LAW)[0])
