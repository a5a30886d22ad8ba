"""Replaying a journal into another store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.engine.context import Parts
from reverie.engine.replication import BATCH, index_of, replay
from reverie.errors import Conflict
from reverie.events import Recalled
from reverie.recipes.recipe import recipe
from reverie.stores.ram import RamStore

SCOPE = Scope("a", "u", "p")
AT = datetime(2026, 5, 4, tzinfo=UTC)


def test_a_journal_longer_than_a_batch_is_told_whole() -> None:
    """Every event arrives once, in order, and the digests agree."""
    source = RamStore()
    engine = Reverie(Parts(source, None, FixedClock(AT), RandomIds(seed=1), recipe("reverie")))
    for n in range(BATCH + 7):
        engine.remember(f"note {n}", SCOPE)
    target = RamStore()
    told: list[int] = []
    assert replay(source, target, told.append) == source.digest()
    assert sum(told) == BATCH + 7
    assert target.head() == source.head()


def test_a_store_that_holds_something_is_no_target() -> None:
    """A replay never touches what is there."""
    source, target = RamStore(), RamStore()
    Reverie(Parts(target, None, FixedClock(AT), RandomIds(seed=1), recipe("reverie"))).remember("kept", SCOPE)
    before = target.digest(), target.analyzer()
    with pytest.raises(Conflict):
        replay(source, target)
    assert (target.digest(), target.analyzer()) == before


def test_only_remembering_needs_an_index() -> None:
    """An access has nothing to index."""
    assert index_of(RamStore(), SCOPE, Recalled(("m1",))) == ()
    assert index_of(RamStore(), SCOPE, None) == ()
