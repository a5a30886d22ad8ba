"""Document A's criteria 15–18: what was used together is written down, and what often is, noted."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.vectors import axis, scored

QUERY = "plain question"


def furnished(house: House, count: int = 2) -> list[str]:
    """So many memories, all of which are used in each turn."""
    house.profile(max_injected=count, similarity_threshold=0.6)
    house.configure(maintenance_interval_loops=1)
    house.start()
    texts = [f"memory {n}" for n in range(count)]
    house.vectors({QUERY: axis(0)} | {text: scored(0.8, n + 3) for n, text in enumerate(texts)})
    return house.add_many(texts)


@pytest.mark.req("A16.15", "A8")
@pytest.mark.parametrize("count", [1, 2, 5])
def test_each_retrieval_is_an_entry(house: House, count: int) -> None:
    """Also the retrieval of a single memory."""
    furnished(house, count)
    for turns in (1, 2, 3):
        house.turn(QUERY)
        house.ask("settle")
        assert len(house.sidecar()["entries"]) == turns


@pytest.mark.req("A16.15", "A8")
def test_a_retrieval_that_brings_nothing_is_an_entry_too(house: House) -> None:
    """Nothing alike enough, and nothing new in a later step: the log says that somebody looked."""
    house.profile(max_injected=2, similarity_threshold=0.95)
    house.start()
    house.vectors({QUERY: axis(0), "coding: plain question": axis(1), "far": scored(0.6, 3)})
    house.add("far")
    house.turn(QUERY)
    house.turn(QUERY, domain_in_extras="coding", iteration=1)
    house.ask("settle")
    assert [one["memory_ids"] for one in house.sidecar()["entries"]] == [[], []]
    house.turn(QUERY, domain_in_extras="coding", iteration=2)
    house.ask("settle")
    assert len(house.sidecar()["entries"]) == 2


@pytest.mark.req("A16.16", "A8")
def test_an_entry_says_which_memories_in_which_domain_and_cycle(house: House) -> None:
    """The ids are those that were injected; the cycle goes up with each loop and on after a restart."""
    furnished(house, 3)
    found = []
    for domain in ("coding", "", "git_ops"):
        found.append(house.injected(house.turn(QUERY, domain=domain)))
        house.end()
    house.restart()
    house.vectors({QUERY: axis(0)})
    house.turn(QUERY)
    house.ask("settle")
    entries = house.sidecar()["entries"]
    assert [one["memory_ids"] for one in entries[:3]] == found
    assert [one["query_domain"] for one in entries[:3]] == ["coding", "", "git_ops"]
    first = entries[0]["cycle"]
    assert [one["cycle"] for one in entries] == [first, first + 1, first + 2, first + 3]
    stamp = datetime.fromisoformat(entries[-1]["timestamp"].replace("Z", "+00:00"))
    assert abs(datetime.now(UTC) - stamp) < timedelta(minutes=1)


@pytest.mark.req("A16.17", "A8")
def test_the_log_holds_five_hundred_and_the_oldest_goes(house: House) -> None:
    """A full log takes a further entry and gives up its first."""
    old = {"timestamp": "2026-02-20T05:00:00Z", "query_domain": "", "memory_ids": ["a", "b"]}
    full = {"max_entries": 500, "entries": [old | {"cycle": n} for n in range(500)], "cluster_candidates": []}
    house.memory.mkdir(parents=True, exist_ok=True)
    (house.memory / "co_retrieval_log.json").write_text(json.dumps(full), encoding="utf-8")
    ids = furnished(house)
    house.turn(QUERY)
    house.ask("settle")
    entries = house.sidecar()["entries"]
    assert (len(entries), entries[0]["cycle"]) == (500, 1)
    assert sorted(entries[-1]["memory_ids"]) == sorted(ids)


@pytest.mark.req("A16.18", "A9")
def test_what_came_together_more_than_five_times_is_a_candidate(house: House) -> None:
    """Not at five times, but at the sixth; nothing else becomes of it."""
    ids = furnished(house)
    for _ in range(5):
        house.turn(QUERY)
    house.end()
    assert house.sidecar()["cluster_candidates"] == []
    house.turn(QUERY)
    house.end()
    [candidate] = house.sidecar()["cluster_candidates"]
    assert sorted(candidate["memory_ids"]) == sorted(ids)
    assert candidate["co_retrieval_count"] == 6
    assert candidate["first_seen"] <= candidate["last_seen"]
    assert {house.validity(one) for one in ids} <= {"", "inferred"}
