from __future__ import annotations

import pytest

from reverie.consolidate.published_steps import sharing
from reverie.recipes.published.ocean import DREAM
from tests.consolidate.making import NOW, after, memory, snapshot


@pytest.mark.req("B7")
def test_what_proved_itself_is_marked_once() -> None:
    """From .8 on; verified from .6 on; or because a person said so."""
    assert DREAM.sharing is not None
    first = snapshot(
        memory("earned", importance=0.8),
        memory("not yet", importance=0.79),
        memory("verified", importance=0.6, verified=True),
        memory("doubtful", importance=0.59, verified=True),
        memory("asked", importance=0.1, tags=("promote",)),
    )
    outcome = sharing(first, DREAM.sharing, NOW)
    assert after(outcome) == {
        "earned": {"tags": ("promoted",)},
        "verified": {"tags": ("promoted",)},
        "asked": {"tags": ("promote", "promoted")},
    }
    assert not sharing(first.after(outcome), DREAM.sharing, NOW).changes
