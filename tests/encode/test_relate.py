"""Relating: edges by shared names and words, by a model's word, by named causes; and which go when they are many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.encode.neighbours import EdgeCount, Near, bound, caused, prune, relate
from reverie.ports import Bond
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Memory, Relation, RelationKind
from tests.encode.making import AT, memory, thought

LAW = recipe("v9").encode.relate
assert LAW is not None
WORDS = ["amber", "birch", "cedar", "daisy", "ember", "fern", "grove", "hazel"]


def words(shared: int, own: int, mark: str) -> str:
    """A text of so many common words and so many of its own, no two with one stem."""
    return " ".join([*WORDS[:shared], *(f"{mark}{word}" for word in WORDS[:own])])


def edges(one: Memory, other: Memory) -> list[tuple[str, float]]:
    """The edges that are drawn between two memories."""
    return [(edge.kind.value, edge.confidence) for edge in relate(one, [Near(other, 0.5)], AT, LAW)]


def having(text: str, names: int, kind: Kind = Kind.FACT, memory_id: str = "old") -> Memory:
    """A memory of this text that names so many of four cities."""
    uris = [f"entity://place/{name}" for name in ("oslo", "izmir", "lisbon", "ankara")]
    return replace(memory(text, memory_id), entities=tuple(uris[:names]), kind=kind)


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("shared", "own", "names", "same_kind", "found"),
    [
        (0, 5, 2, False, [("same_entity", 0.7)]),
        (0, 5, 1, True, []),
        (4, 4, 1, False, [("elaborates", 0.5)]),  # 4 of 12 words: .33
        (4, 5, 1, False, []),  # 4 of 14: .286
        (4, 5, 1, True, [("related_to", 0.4)]),
        (4, 4, 0, True, [("related_to", 0.4)]),
        (4, 4, 0, False, []),
        (2, 5, 0, True, [("related_to", 0.4)]),  # 2 of 12: .167
        (2, 6, 0, True, []),  # 2 of 14: .143
    ],
)
def test_names_and_words_relate(
    shared: int, own: int, names: int, same_kind: bool, found: list[tuple[str, float]]
) -> None:
    """Document D's three heuristics, the strongest alone."""
    new = having(words(shared, own, "x"), names, memory_id="new")
    old = having(words(shared, own, "y"), names, Kind.FACT if same_kind else Kind.PLAN)
    assert edges(new, old) == found


@pytest.mark.req("D16")
def test_a_models_word_is_drawn_in_its_direction() -> None:
    """What it takes for superseded is contradicted only: nothing closes but through the gate."""
    new, others = memory("new", "new"), [memory("a", "a"), memory("b", "b")]
    bonds = [
        Bond(0, RelationKind.CAUSES, False, 0.8),
        Bond(1, RelationKind.SUPERSEDES, True, 0.9),
        Bond(7, RelationKind.CAUSES, True, 1.0),
    ]
    assert bound(new, others, bonds, AT) == [
        Relation("a", "new", RelationKind.CAUSES, 0.8, AT),
        Relation("new", "b", RelationKind.CONTRADICTS, 0.9, AT),
    ]


@pytest.mark.req("D16")
def test_a_named_cause_is_an_edge() -> None:
    """From the fact that is the cause to the one that is the effect (reading 33), confidence .9."""
    cause, effect = thought("The wind was strong."), replace(thought("The kite tore."), because="The wind was strong.")
    edge = Relation("cause", "effect", RelationKind.CAUSES, 0.9, AT)
    assert caused([(effect, "effect"), (cause, "cause")], AT, LAW.cause) == [edge]
    assert caused([(effect, "effect")], AT, LAW.cause) == []
    assert caused([(effect, "one"), (cause, "one")], AT, LAW.cause) == []


def many(count: int, kind: RelationKind, confidence: float, start: int = 0) -> list[Relation]:
    """So many edges of a kind."""
    return [Relation(f"m{start + n:04}", "hub", kind, confidence, AT) for n in range(count)]


@pytest.mark.req("D16")
def test_from_a_thousand_edges_nine_hundred_stay() -> None:
    """At 999 none goes."""
    assert prune(many(999, RelationKind.RELATED_TO, 0.4), LAW.most, LAW.keep) == []
    assert len(prune(many(1000, RelationKind.RELATED_TO, 0.4), LAW.most, LAW.keep)) == 100


@pytest.mark.req("D16")
def test_the_loosest_and_least_sure_edges_go_first() -> None:
    """related_to before same_entity before elaborates; within a kind the least confident."""
    held = [
        *many(940, RelationKind.ELABORATES, 0.1),
        *many(30, RelationKind.SAME_ENTITY, 0.2, 2000),
        *many(20, RelationKind.SAME_ENTITY, 0.1, 3000),
        *many(60, RelationKind.RELATED_TO, 0.9, 4000),
    ]
    gone = prune(held, LAW.most, LAW.keep)
    kinds = [edge.kind for edge in gone]
    assert kinds == [RelationKind.RELATED_TO] * 60 + [RelationKind.SAME_ENTITY] * 50 + [RelationKind.ELABORATES] * 40
    assert [edge.confidence for edge in gone[60:110]] == [0.1] * 20 + [0.2] * 30


@pytest.mark.req("D16")
@pytest.mark.parametrize("kind", [RelationKind.SUPERSEDES, RelationKind.CONTRADICTS, RelationKind.CAUSES])
def test_what_tells_of_truth_and_cause_never_goes(kind: RelationKind) -> None:
    """However many there are."""
    assert prune(many(1200, kind, 0.0), LAW.most, LAW.keep) == []


@pytest.mark.req("D20")
def test_edges_are_counted_without_reading_them_all() -> None:
    """At first, when there may be a thousand, and after each hundred (bug B9 of the document: no full scans)."""
    count = EdgeCount()
    assert count.is_due(1, LAW)
    count.looked(500)
    assert [count.is_due(1, LAW) for _ in range(100)] == [False] * 99 + [True]
    count.looked(990)
    assert [count.is_due(1, LAW) for _ in range(10)] == [False] * 9 + [True]
    count.looked(1500)  # edges that may never go: no reason to look each time
    assert [count.is_due(1, LAW) for _ in range(100)] == [False] * 99 + [True]
