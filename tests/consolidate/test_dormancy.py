from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import dormancy
from reverie.recipes.published.exocortex import DREAM
from reverie.types import State
from tests.consolidate.making import NOW, memory, snapshot


@pytest.mark.req("A12")
def test_what_was_never_accessed_is_named_and_left() -> None:
    """After thirty passes of a day each; what was accessed, is younger, or sleeps already, is not."""
    assert DREAM.dormancy is not None
    found = snapshot(
        memory("old", age_days=30.5),
        memory("young", age_days=29.5),
        memory("used", age_days=99.0, accesses=1),
        memory("asleep", age_days=99.0, state=State.DORMANT),
    )
    outcome = dormancy(found, DREAM.dormancy, NOW)
    assert outcome.notes == ("never accessed: old",)
    assert not outcome.changes
