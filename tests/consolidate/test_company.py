from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import company
from reverie.recipes.published.exocortex import DREAM
from tests.consolidate.making import NOW, memory, snapshot, together


@pytest.mark.req("A9", "A16.18")
def test_pairs_that_met_more_than_five_times_are_named() -> None:
    """With ids, count, first and last; five times is not enough, and nothing is done about any of it."""
    assert DREAM.company is not None
    pairs = [together("a", "b", 6), together("b", "c", 5), together("a", "c", 9)]
    found = company(snapshot(*[memory(name) for name in "abc"], companions=pairs), DREAM.company, NOW)
    assert found.notes == (
        "a, c: 9 times, 2026-06-13 to 2026-06-14",
        "a, b: 6 times, 2026-06-13 to 2026-06-14",
    )
    assert not found.changes
    assert not found.related
