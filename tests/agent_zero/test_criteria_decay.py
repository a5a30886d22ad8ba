"""Document A's criteria 6–10: age weighs, except on what is to last. Final score = .85 · similarity + .15 · recency.

Each test sets an old memory against one accessed just now, so near one another in similarity that recency decides, and
just so far apart that a recency other than the one expected would decide otherwise.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.vectors import axis, scored

WEEK = 168.0
QUERY = "plain question"


def ago(hours: float) -> str:
    return (datetime.now(UTC) - timedelta(hours=hours)).isoformat()


def lineage(hours: float, created: float = 20_000.0) -> dict[str, object]:
    return {"created_at": ago(created), "last_accessed": ago(hours), "access_count": 3}


def wins(house: House, old: dict[str, object], ahead: float) -> bool:
    """Whether a memory with this metadata, ``ahead`` in similarity, comes before one accessed just now."""
    house.profile(max_injected=2, similarity_threshold=0.0)
    house.start()
    house.vectors({QUERY: axis(0), "the old one": scored(0.75 + ahead, 5), "the new one": scored(0.75, 6)})
    aged = house.add("the old one", **old)
    fresh = house.add("the new one", lineage=lineage(0.0))
    found = house.injected(house.turn(QUERY))
    assert set(found) == {aged, fresh}
    return found[0] == aged


@pytest.mark.req("A16.6", "A3")
def test_what_was_not_used_for_a_month_comes_after_its_like_that_was_used_today(house: House) -> None:
    """Same similarity, other last access."""
    assert not wins(house, {"lineage": lineage(30 * 24.0)}, ahead=0.0)


@pytest.mark.req("A16.6", "A3")
def test_age_counts_from_the_last_access_not_from_the_making(house: House) -> None:
    """An old memory that was used just now is as fresh as any."""
    assert wins(house, {"lineage": lineage(0.0, created=90_000.0)}, ahead=0.001)


LASTING = [
    pytest.param({"utility": "load_bearing"}, marks=pytest.mark.req("A16.7", "A4")),
    pytest.param({"source": "user_asserted"}, marks=pytest.mark.req("A16.8", "A4")),
    pytest.param({"validity": "confirmed"}, marks=pytest.mark.req("A16.9", "A4")),
]
PLAIN = {"validity": "inferred", "relevance": "active", "utility": "tactical", "source": "agent_inferred"}


@pytest.mark.parametrize("lasting", LASTING)
def test_what_is_to_last_keeps_its_whole_score(house: House, lasting: dict[str, str]) -> None:
    """Load-bearing, asserted by the user, or confirmed: ten years old, it wins by a hundredth of similarity."""
    old = {"classification": PLAIN | lasting, "lineage": lineage(87_600.0)}
    assert wins(house, old, ahead=0.01)


@pytest.mark.req("A3")
def test_anything_else_does_not(house: House) -> None:
    """The same memory, classified as nothing in particular, loses."""
    assert not wins(house, {"classification": PLAIN, "lineage": lineage(87_600.0)}, ahead=0.01)


@pytest.mark.req("A4")
def test_what_lasts_is_set_in_the_configuration(house: House) -> None:
    """An emptied list exempts nobody."""
    house.configure(temporal_decay={"exempt_utilities": []})
    old = {"classification": PLAIN | {"utility": "load_bearing"}, "lineage": lineage(87_600.0)}
    assert not wins(house, old, ahead=0.01)


HALVED = [
    (WEEK, 0.5),
    (2 * WEEK, 0.25),
    (WEEK / 2, 0.70710678),
    (60 * WEEK, 0.1),  # the floor
]


@pytest.mark.req("A16.10", "A3")
@pytest.mark.parametrize(("hours", "recency"), HALVED)
@pytest.mark.parametrize(("nudge", "expected"), [(0.002, True), (-0.002, False)])
def test_recency_halves_with_every_half_life(
    house: House, hours: float, recency: float, nudge: float, expected: bool
) -> None:
    """What is missing to 1 in recency, .15 of it, is made up for by .85 of what it is ahead in similarity."""
    ahead = 0.15 * (1 - recency) / 0.85
    assert wins(house, {"lineage": lineage(hours)}, ahead + nudge) is expected


@pytest.mark.req("A3", "A13")
def test_without_decay_similarity_alone_decides(house: House) -> None:
    """Switched off, an old memory that is a little nearer comes first."""
    house.configure(temporal_decay={"enabled": False})
    assert wins(house, {"lineage": lineage(87_600.0)}, ahead=0.002)
