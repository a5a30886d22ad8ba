from reverie.faces.cli.look import KINDS
from reverie.types import RelationKind
from tests.faces.cli.conftest import Run, formed


def test_the_kinds_are_the_engines() -> None:
    """Spelled out twice, so that help loads no numpy."""
    assert list(KINDS) == [str(kind) for kind in RelationKind]


def test_a_link_is_drawn_and_set_anew(talk: Run) -> None:
    """From one memory to another, of a kind."""
    one, other = formed(talk)[0]["id"], formed(talk)[2]["id"]
    edge = talk("memory", "relate", one, "causes", other, "--confidence", "0.4", "--json").shape["relation"]
    assert (edge["source"], edge["kind"], edge["target"], edge["confidence"]) == (one, "causes", other, 0.4)
    assert "(1.00)" in talk("memory", "relate", one, "causes", other).out
    links = talk("memory", "graph", one, "--json").shape["relations"]
    assert [link["confidence"] for link in links if link["kind"] == "causes"] == [1.0]
    assert talk("memory", "relate", one, "likes", other).code == 2
    assert talk("memory", "relate", one, "causes", "nobody").code == 3


def test_a_graph_goes_as_far_as_it_is_told(talk: Run) -> None:
    """A chain of three is seen whole from its end with two hops, and half with one."""
    first, second, third = (memory["id"] for memory in formed(talk)[:3])
    alone = talk("memory", "graph", third, "--hops", "1", "--json").shape
    assert [memory["id"] for memory in alone["memories"]] == [third]
    talk("memory", "relate", third, "elaborates", second)
    talk("memory", "relate", second, "elaborates", first)
    near = talk("memory", "graph", third, "--hops", "1", "--json").shape
    far = talk("memory", "graph", third, "--hops", "2", "--json").shape
    assert first not in [memory["id"] for memory in near["memories"]]
    assert first in [memory["id"] for memory in far["memories"]]
    assert "elaborates" in talk("memory", "graph", third).out
    along = talk("memory", "graph", third, "--type", "elaborates", "--json").shape
    other = talk("memory", "graph", third, "--type", "contradicts", "--json").shape
    assert {link["kind"] for link in along["relations"]} == {"elaborates"}
    assert [memory["id"] for memory in other["memories"]] == [third]
    assert talk("memory", "graph", third, "--type", "likes").code == 2


def test_an_entity_is_named_by_address_or_name(talk: Run) -> None:
    """Either way the memories that name it."""
    by_name = talk("memory", "graph", "zeynep", "--json").shape
    by_address = talk("memory", "graph", "entity://person/zeynep", "--json").shape
    assert by_name == by_address
    assert len(by_name["memories"]) >= 2
    assert all("entity://person/zeynep" in memory["entities"] for memory in by_name["memories"])
    assert talk("memory", "graph", "Nobody").code == 3
    assert talk("memory", "graph", "entity://person/zey").code == 3
