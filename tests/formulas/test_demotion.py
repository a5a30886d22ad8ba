"""Which semantic memories go to sleep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import Demotion, DemotionEdges, decide_demotion

EDGES = DemotionEdges(idle_days=60, utility=0.2)


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("idle", "utility", "sleeps"),
    [(60, 0.19, True), (59.9, 0.19, False), (60, 0.2, False), (1000, 0.5, False), (0, 0.0, False)],
)
def test_both_conditions_are_required(idle: float, utility: float, sleeps: bool) -> None:
    """“>= 60 days since last access”, “< 0.2 utility score”, “AND logic — both must be true”."""
    assert decide_demotion(idle, utility, False, EDGES).moves is sleeps


@pytest.mark.req("D35", "D21")
@given(st.floats(0, 1e5), st.floats(0, 1))
def test_the_protected_never_sleep(idle: float, utility: float) -> None:
    """“pinned, immutable, and flashbulb memories are immune to demotion”."""
    assert decide_demotion(idle, utility, True, EDGES) is Demotion.EXEMPT
    assert not Demotion.EXEMPT.moves
