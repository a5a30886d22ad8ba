"""Walking the graph."""

from __future__ import annotations

import pytest

from reverie.recipes.published.candidates import walk
from reverie.types import Relation, RelationKind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, request, world


def edge(source: int, target: int, kind: RelationKind = RelationKind.CAUSES, sure: float = 0.5) -> Relation:
    """An edge between two lines."""
    return Relation(f"m{source}", f"m{target}", kind, sure, START)


def reached(lines: list[Line], edges: list[Relation], hops: int) -> list[tuple[str, int, float]]:
    """What the first line leads to, with hops and likeness."""
    around = world(FakeCorpus(lines), Surroundings(relations=edges))
    return [(one.memory.id, one.hops, one.likeness) for one in walk({"m0": 0.8}, hops, request("x"), around)]


CHAIN = [Line("rain"), Line("flood"), Line("closed road"), Line("late train")]


@pytest.mark.req("D16", "D18")
def test_breadth_first_to_so_many_hops() -> None:
    """Two hops reach two further; the likeness fades with each edge. The third is too far."""
    edges = [edge(0, 1), edge(1, 2), edge(2, 3)]
    assert reached(CHAIN, edges, 2) == [("m1", 1, 0.4), ("m2", 2, 0.2)]


def test_effects_lead_back_to_causes() -> None:
    """An edge is walked both ways."""
    assert reached(CHAIN, [edge(1, 0)], 1) == [("m1", 1, 0.4)]


def test_a_seed_is_reached_from_another_one_alone() -> None:
    """Two that are linked support each other; none supports itself by way of others."""
    around = world(FakeCorpus(CHAIN), Surroundings(relations=[edge(0, 1)]))
    assert [one.memory.id for one in walk({"m0": 0.8, "m1": 0.4}, 2, request("x"), around)] == ["m1", "m0"]


@pytest.mark.req("D18")
def test_only_causes_and_elaborations_are_walked() -> None:
    """What merely shares an entity, or contradicts, leads nowhere."""
    edges = [edge(0, 1, RelationKind.ELABORATES), edge(0, 2, RelationKind.SAME_ENTITY)]
    assert reached(CHAIN, edges, 2)[0][0] == "m1"
    assert "m2" not in {one[0] for one in reached(CHAIN, edges, 2)}


@pytest.mark.req("D16", "D18")
def test_a_lane_says_which_edges_are_walked() -> None:
    """Where it names one kind, that kind alone."""
    around = world(FakeCorpus(CHAIN), Surroundings(relations=[edge(0, 1), edge(0, 2, RelationKind.SAME_ENTITY)]))
    steps = (RelationKind.SAME_ENTITY,)
    assert [one.memory.id for one in walk({"m0": 0.8}, 2, request("x"), around, steps)] == ["m2"]


def test_what_sleeps_is_not_reached_and_bars_the_way() -> None:
    """A dormant link ends the walk."""
    lines = [Line("rain"), Line("flood", standing=Standing(state=State.DORMANT)), Line("closed road")]
    assert reached(lines, [edge(0, 1), edge(1, 2)], 2) == []


@pytest.mark.req("D18")
def test_what_a_dream_made_is_no_step() -> None:
    """A theme gathers what is alike: it leads from no cause to another's effect."""
    lines = [Line("rain"), Line("weather", standing=Standing(write_source="dream")), Line("drought")]
    assert reached(lines, [edge(0, 1), edge(1, 2)], 2) == []


@pytest.mark.req("D18")
def test_whether_causes_alone_led_there_is_told() -> None:
    """What elaborates something on the way makes it a looser way."""
    edges = [edge(0, 1), edge(1, 2, RelationKind.ELABORATES)]
    around = world(FakeCorpus(CHAIN), Surroundings(relations=edges))
    found = walk({"m0": 0.8}, 2, request("x"), around)
    assert [(one.memory.id, one.caused) for one in found] == [("m1", True), ("m2", False)]
