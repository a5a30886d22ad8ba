"""Document A's criteria 11–14: what was used is counted, and only that (reading 11)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.test_criteria_decay import QUERY, WEEK, ago, wins
from tests.agent_zero.vectors import axis, scored


def furnished(house: House) -> tuple[str, str]:
    """One memory that will be used, and one that will not."""
    house.profile(max_injected=1, similarity_threshold=0.0)
    house.start()
    house.vectors({QUERY: axis(0), "near": scored(0.9, 5), "far": scored(0.6, 6)})
    return house.add("near"), house.add("far")


@pytest.mark.req("A16.11", "A7")
def test_each_injection_counts_one(house: House) -> None:
    """Three turns, three accesses; what was scored but not injected has none."""
    near, far = furnished(house)
    counts = []
    for _ in range(3):
        assert house.injected(house.turn(QUERY)) == [near]
        counts.append(house.lineage(near)["access_count"])
    assert counts == [1, 2, 3]
    assert house.lineage(far).get("access_count", 0) == 0


@pytest.mark.req("A16.12", "A7")
def test_the_last_access_is_now_in_utc(house: House) -> None:
    """Whatever zone the machine is in."""
    near, far = furnished(house)
    house.ask("zone", "Pacific/Auckland")
    before = datetime.now(UTC) - timedelta(seconds=1)
    house.turn(QUERY)
    stamp = datetime.fromisoformat(house.lineage(near)["last_accessed"])
    stamp = stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)
    assert before <= stamp <= datetime.now(UTC) + timedelta(seconds=1)
    assert house.lineage(far).get("last_accessed") is None


@pytest.mark.req("A16.13", "A3")
@pytest.mark.parametrize(("nudge", "expected"), [(0.002, True), (-0.002, False)])
def test_what_was_never_accessed_ages_from_its_making(house: House, nudge: float, expected: bool) -> None:
    """Created a half-life ago and never used: a recency of one half."""
    old = {"created_at": ago(WEEK), "last_accessed": None, "access_count": 0}
    assert wins(house, {"lineage": old}, 0.15 * 0.5 / 0.85 + nudge) is expected


@pytest.mark.req("A16.14", "A7")
def test_counts_are_there_after_a_restart(house: House) -> None:
    """The next process goes on counting where the last one ended."""
    near, _ = furnished(house)
    house.turn(QUERY)
    house.turn(QUERY)
    house.end()
    stamp = house.lineage(near)["last_accessed"]
    house.restart()
    house.vectors({QUERY: axis(0)})
    house.turn(QUERY)
    assert house.lineage(near)["access_count"] == 3
    assert house.lineage(near)["last_accessed"] > stamp


@pytest.mark.req("A16.14", "A7")
def test_counts_are_there_after_it_was_killed(house: House) -> None:
    """Killed after a monologue's end, nothing that was counted before is lost."""
    near, _ = furnished(house)
    house.turn(QUERY)
    house.end()
    house.kill()
    house.start()
    house.vectors({QUERY: axis(0)})
    house.turn(QUERY)
    assert house.lineage(near)["access_count"] == 2


@pytest.mark.req("A7", "A15")
def test_what_the_classifier_wrote_stays(house: House) -> None:
    """Counting adds to the lineage; every other field of it, and the classification, is as it was."""
    near, _ = furnished(house)
    theirs = {"created_at": ago(5.0), "created_by_role": "coder", "bst_domain": "coding", "classified_at_cycle": 7}
    four = {"validity": "inferred", "relevance": "dormant", "utility": "tactical", "source": "external_retrieved"}
    house.amend(near, lineage=theirs | {"access_count": 4, "last_accessed": None}, classification=four, topic="x")
    house.turn(QUERY)
    held = house.docs()[near]["metadata"]
    assert held["lineage"]["access_count"] == 5
    assert {key: held["lineage"][key] for key in theirs} == theirs
    assert (held["classification"], held["topic"]) == (four, "x")
