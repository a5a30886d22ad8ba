"""Two agents on one memory: the co-retrieval log loses nothing and is never seen half-written (A8)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.agent_zero.houses import House

TOLD = "The user prefers the helix editor"
TURNS = 25


@pytest.mark.req("A8")
def test_two_writers_lose_nothing(house: House) -> None:
    """Two processes, fifty entries, read all the while; no file of the writing is left."""
    house.start()
    house.add_many([f"{TOLD}, part {n}" for n in range(3)])
    other = House(house.kind).start()
    log = house.memory / "co_retrieval_log.json"
    seen = []

    def turns(one: House) -> None:
        for _ in range(TURNS):
            one.turn(TOLD)
        one.ask("settle")

    with ThreadPoolExecutor(2) as both:
        work = [both.submit(turns, one) for one in (house, other)]
        while not all(one.done() for one in work):
            if log.exists():
                seen.append(len(json.loads(log.read_text(encoding="utf-8"))["entries"]))
        for one in work:
            one.result()
    other.stop()
    assert len(house.sidecar()["entries"]) == 2 * TURNS
    assert seen == sorted(seen)
    left = {path.name for path in house.memory.iterdir() if path.is_file()}
    assert left <= {"co_retrieval_log.json", "co_retrieval_log.json.lock", "classification_config.json"}


@pytest.mark.req("A8")
def test_a_process_that_is_killed_leaves_a_whole_log(house: House) -> None:
    """Killed between two turns ten times over, wherever its writing stood."""
    house.start()
    house.add_many([f"{TOLD}, part {n}" for n in range(3)])
    for _ in range(10):
        house.turn(TOLD)
        house.kill()
        assert "entries" in house.sidecar() if (house.memory / "co_retrieval_log.json").exists() else True
        house.start()
    house.turn(TOLD)
    house.ask("settle")
    assert len(house.sidecar()["entries"]) >= 1
