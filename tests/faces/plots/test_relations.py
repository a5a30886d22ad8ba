from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.faces.plots.charts import MOST, draw_relations, layout
from reverie.types import Kind, Memory, Relation, RelationKind, Role, Scope, Standing, State

AT = datetime(2026, 3, 2, tzinfo=UTC)


def memory(name: str) -> Memory:
    return Memory(name, Scope("a", "u", "p"), Kind.FACT, f"text {name}", AT, AT, "s", 0, "Ada", Role.USER)


def edge(source: str, target: str, kind: RelationKind = RelationKind.CAUSES) -> Relation:
    return Relation(source, target, kind, 0.8, AT)


GRAPHS = st.integers(0, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(n - 1, 0)))) if n else st.just([]),
    )
)


@given(GRAPHS)
def test_every_memory_has_a_place_of_its_own(graph: tuple[int, list[tuple[int, int]]]) -> None:
    """Within the picture, the same each time, whatever is linked with what."""
    count, links = graph
    places = layout(count, links)
    assert places.shape == (count, 2)
    assert np.all(np.isfinite(places))
    assert np.all(np.abs(places) <= 1.0)
    assert np.array_equal(places, layout(count, links))
    assert len({tuple(place) for place in places.tolist()}) == count


def test_what_is_linked_lies_nearer_than_what_is_not() -> None:
    """Two groups of three, drawn apart."""
    places = layout(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    inside = np.linalg.norm(places[0] - places[1])
    across = np.linalg.norm(places[:3].mean(axis=0) - places[3:].mean(axis=0))
    assert inside < across


def test_the_picture_says_what_one_sees(texts_of: Callable[[object], list[str]]) -> None:
    """How many memories and links, each memory's words, each link's kind, each kind once."""
    pytest.importorskip("matplotlib")
    asleep = replace(memory("m2"), standing=Standing(state=State.DORMANT))
    shown = texts_of(draw_relations("m1", [memory("m1"), asleep], [edge("m1", "m2"), edge("m1", "elsewhere")]))
    assert "What is linked with “m1”: 2 memories, 1 links" in shown
    assert {"text m1", "text m2", "causes", "fact"} <= set(shown)


def test_an_entity_is_a_point_of_its_own(texts_of: Callable[[object], list[str]]) -> None:
    """Linked with what names it."""
    pytest.importorskip("matplotlib")
    shown = texts_of(draw_relations("Zeynep", [memory("m1"), memory("m2")], [], frozenset({"m1"})))
    assert "Zeynep" in shown
    assert "What is linked with “Zeynep”: 2 memories, 0 links" in shown


def test_more_than_a_picture_holds_is_told(texts_of: Callable[[object], list[str]]) -> None:
    """Those that are left out are counted."""
    pytest.importorskip("matplotlib")
    shown = texts_of(draw_relations("m0", [memory(f"m{n}") for n in range(MOST + 3)], []))
    assert f"What is linked with “m0”: {MOST} memories, 0 links, 3 more not shown" in shown


def test_no_two_kinds_look_alike() -> None:
    """Though there are more kinds than colours."""
    pytest.importorskip("matplotlib")
    each = [replace(memory(f"m{number:02}"), kind=kind) for number, kind in enumerate(Kind)]
    (axes,) = draw_relations("m00", each, []).axes
    looks = {(points.get_edgecolor().tobytes(), len(points.get_paths()[0].vertices)) for points in axes.collections}
    assert len(looks) == len(Kind)


def test_a_picture_grows_with_its_points() -> None:
    """So that the words of many do not lie upon one another."""
    pytest.importorskip("matplotlib")
    few, many = (draw_relations("m00", [memory(f"m{n:02}") for n in range(count)], []) for count in (5, MOST))
    assert many.get_figwidth() > 1.8 * few.get_figwidth()
