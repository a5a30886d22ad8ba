"""Document A's criteria 19–22: what shares much is linked, and a link lifts what just missed (readings 18 and 34)."""

from __future__ import annotations

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.vectors import axis, scored

QUERY = "plain question"
SHARING = (
    "Ada Lovelace moved the payment gateway to Frankfurt",
    "The payment gateway in Frankfurt was restarted by Ada Lovelace",
    "Bread is baked on Tuesdays with rye flour",
)


def related(house: House, memory_id: str) -> list[str]:
    found: list[str] = house.lineage(memory_id).get("related_memory_ids", [])
    return found


def kept_apart(house: House, texts: list[str]) -> list[str]:
    """Memories that no vector makes duplicates."""
    house.vectors({text: axis(n + 3) for n, text in enumerate(texts)})
    return house.add_many(texts)


@pytest.mark.req("A16.19", "A10")
def test_what_shares_three_tags_is_linked_both_ways(house: House) -> None:
    """Tags are what the texts are about; the third memory shares nothing with the others."""
    house.configure(maintenance_interval_loops=1, related_memories={"rebuild_interval_cycles": 1})
    house.start()
    first, second, other = kept_apart(house, list(SHARING))
    house.end()
    assert related(house, first) == [second]
    assert related(house, second) == [first]
    assert related(house, other) == []


@pytest.mark.req("A16.19", "A10")
@pytest.mark.parametrize(
    ("tags", "others", "linked"),
    [
        (["Frankfurt", "deploy", "db"], ["db", "frankfurt", "Deploy", "more"], True),
        (["frankfurt", "deploy"], ["deploy", "frankfurt", "db"], False),
        ("frankfurt deploy db", ["frankfurt", "deploy", "db"], False),
        ([1, None, "db"], [1, None, "db"], False),
    ],
)
def test_tags_of_the_classification_count(house: House, tags: object, others: object, linked: bool) -> None:
    """Where a classifier writes them they are the memory's tags, whatever its words say."""
    house.configure(maintenance_interval_loops=1, related_memories={"rebuild_interval_cycles": 1})
    house.start()
    first, second = kept_apart(house, ["Bread is baked with rye", "The cat sleeps"])
    house.amend(first, classification={"validity": "inferred", "relevance": "active", "tags": tags})
    house.amend(second, classification={"validity": "inferred", "relevance": "active", "tags": others})
    house.end()
    assert (related(house, first), related(house, second)) == (([second], [first]) if linked else ([], []))


@pytest.mark.req("A16.19", "A10")
@pytest.mark.parametrize("relevance", ["active", "dormant", "archived"])
def test_active_memories_alone_are_linked(house: House, relevance: str) -> None:
    """What its classifier put aside is linked with nothing, and nothing with it."""
    house.configure(maintenance_interval_loops=1, related_memories={"rebuild_interval_cycles": 1})
    house.start()
    first, second, _ = kept_apart(house, list(SHARING))
    house.amend(first, classification={"validity": "inferred", "relevance": relevance})
    house.end()
    assert (related(house, second) == [first]) is (relevance == "active")
    assert (related(house, first) == [second]) is (relevance == "active")


def below_the_cut(house: House, gap: float, links: int) -> bool:
    """Whether a memory linked from the best ``links`` memories gets in, ``gap`` in the final score below the last."""
    house.profile(max_injected=3, similarity_threshold=0.0)
    house.start()
    scores = {"best": 0.9, "second": 0.88, "last in": 0.8, "linked": 0.8 - gap / 0.85}
    house.vectors({QUERY: axis(0)} | {text: scored(score, n + 3) for n, (text, score) in enumerate(scores.items())})
    ids = dict(zip(scores, house.add_many(list(scores)), strict=True))
    for name in ("best", "second")[:links]:
        house.amend(ids[name], lineage={"related_memory_ids": [ids["linked"]], "access_count": 0})
    return ids["linked"] in house.injected(house.turn(QUERY))


@pytest.mark.req("A16.20", "A5")
@pytest.mark.parametrize(("gap", "links", "is_in"), [(0.078, 1, True), (0.082, 1, False), (0.078, 0, False)])
def test_a_link_lifts_by_eight_hundredths(house: House, gap: float, links: int, is_in: bool) -> None:
    """What lies nearer to the cut than .08 gets in, what lies further does not, and nothing without a link."""
    assert below_the_cut(house, gap, links) is is_in


@pytest.mark.req("A16.20", "A5")
def test_two_links_lift_no_further_than_one(house: House) -> None:
    """A memory is lifted once, however many of the selected name it (reading 34)."""
    assert not below_the_cut(house, gap=0.09, links=2)


@pytest.mark.req("A16.20", "A5", "A13")
def test_without_the_component_a_link_lifts_nothing(house: House) -> None:
    """Switched off, what just missed stays out."""
    house.configure(related_memories={"enabled": False})
    assert not below_the_cut(house, gap=0.01, links=1)


@pytest.mark.req("A16.21", "A10")
@pytest.mark.parametrize("limit", [10, 4])
def test_a_memory_has_at_most_ten_links(house: House, limit: int) -> None:
    """Twelve memories on one thing; or as many links as the configuration says."""
    how = {"max_related_per_memory": limit, "rebuild_interval_cycles": 1}
    house.configure(maintenance_interval_loops=1, related_memories=how)
    house.start()
    ids = kept_apart(house, [f"Ada Lovelace moved the payment gateway to Frankfurt, step {n}" for n in range(12)])
    house.end()
    counts = [len(related(house, one)) for one in ids]
    assert max(counts) == limit
    assert all(one not in related(house, one) for one in ids)


@pytest.mark.req("A16.22", "A10", "A14a")
def test_links_are_made_in_a_maintenance_cycle_alone(house: House) -> None:
    """Twenty-four loops make none, the twenty-fifth does; a restart between them loses no loop."""
    house.start()
    first, second, _ = kept_apart(house, list(SHARING))
    for loop in range(24):
        house.turn("Where is the payment gateway?")
        house.end()
        if loop == 11:
            house.restart()
    assert related(house, first) == related(house, second) == []
    house.end()
    assert (related(house, first), related(house, second)) == ([second], [first])
