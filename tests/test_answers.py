"""What the engine answers with: the few things such a value works out by itself."""

from __future__ import annotations

from datetime import UTC, datetime

from reverie.answers import Health
from reverie.types import Scope


def health(*, superseded: int = 0, outdated: int = 0, observed: int = 0, gated: int = 0) -> Health:
    """A scope of which nothing else is known."""
    at, none = datetime(2026, 3, 2, tzinfo=UTC), ()
    return Health(
        scope=Scope("a", "u", "p"),
        at=at,
        memories=0,
        current=0,
        kinds=none,
        tiers=none,
        states=none,
        junk=0,
        superseded=superseded,
        outdated=outdated,
        forgotten=0,
        quarantined=0,
        growth=none,
        observed=observed,
        gated=gated,
        events=0,
        disk_bytes=0,
    )


def test_stale_is_what_something_newer_stands_against() -> None:
    """Superseded memories and the episodes all of whose memories are."""
    assert health(superseded=3, outdated=2).stale == 5


def test_the_gated_share_is_of_what_was_observed() -> None:
    """Nothing where nothing was."""
    assert health(observed=4, gated=1).gated_share == 0.25
    assert health().gated_share == 0.0
