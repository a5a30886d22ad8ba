from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.encode.formation import WriteContext
from reverie.encode.gate import weigh
from reverie.encode.memory_factory import index
from reverie.encode.neighbours import EdgeCount, Near, NeighbourSearch, bound, caused, nearest, prune, relate
from reverie.engine.runtime import RandomIds
from reverie.events import Action, Formed
from reverie.ports import Bond, as_it_is, scale_of
from reverie.recipes.recipe import NAMES, recipe
from reverie.stores.ram import RamStore
from reverie.types import Kind, Memory, Relation, RelationKind, State
from tests.encode.making import AT, SCOPE, Chosen, memory, seen, thought

TEXTS = {"kite": 0.9, "boat": 0.6, "drum": 0.3}


def stored(memories: Sequence[Memory], model: Chosen | None) -> RamStore:
    """A store that holds these memories."""
    store = RamStore()
    hand = WriteContext(SCOPE, AT, RandomIds(seed=1), "test", "because", model.info if model else None)
    with store.begin(SCOPE, durable=True) as tx:
        for one in memories:
            vector = model.embed_query(one.text) if model else None
            tx.append(hand.draft(Action.FORM, Formed((one,))), (index(one, vector, hand.model),))
    return store


def chosen(likeness: Mapping[str, float] = TEXTS) -> Chosen:
    """A model that finds texts with these words so similar to what holds "probe"."""
    return Chosen({"probe": (0, 1.0)} | {word: (0, cosine) for word, cosine in likeness.items()})


def found(memories: Sequence[Memory], top_k: int = 8) -> list[Near]:
    """What is nearest to "probe"."""
    model = chosen()
    corpus = stored(memories, model).corpus(SCOPE, model.info)
    search = NeighbourSearch("probe", model.embed_query("probe"))
    return list(nearest(search, corpus, AT, AT, top_k))


def named(*words: str) -> list[Memory]:
    """A memory a word, with the word as its id."""
    return [memory(f"a {word}", word) for word in words]


def test_the_most_similar_come_first_with_their_raw_cosine() -> None:
    """The corpus is searched centred; what counts is the cosine itself."""
    near = found(named("drum", "kite", "boat"))
    assert [one.memory.id for one in near] == ["kite", "boat", "drum"]
    assert [one.similarity for one in near] == pytest.approx([0.9, 0.6, 0.3], abs=2e-3)


def test_no_more_than_asked_for() -> None:
    """The best of them."""
    assert [one.memory.id for one in found(named("drum", "kite", "boat"), top_k=1)] == ["kite"]


@pytest.mark.parametrize("state", [State.DORMANT, State.SUPERSEDED, State.QUARANTINED])
def test_what_is_not_recalled_is_not_near(state: State) -> None:
    """A sleeping memory takes up nothing."""
    assert [one.memory.id for one in found([memory("a kite", "kite", state=state), *named("boat")])] == ["boat"]


def test_what_was_forgotten_is_not_near_and_a_plan_of_then_is() -> None:
    """A plan that is over held when this was said; what somebody forgot takes up nothing, however old the talk is."""
    forgotten = replace(memory("a kite", "kite"), valid_until=AT + timedelta(days=5))
    plan = replace(memory("a boat", "boat", time_bounded=True), valid_until=AT + timedelta(days=5))
    model = chosen()
    corpus = stored([forgotten, plan], model).corpus(SCOPE, model.info)
    search = NeighbourSearch("probe", model.embed_query("probe"))
    then, now = AT + timedelta(days=1), AT + timedelta(days=99)
    assert [one.memory.id for one in nearest(search, corpus, then, now, 8)] == ["boat"]
    assert nearest(search, corpus, now, now, 8) == ()


@pytest.mark.parametrize(
    ("texts", "probe", "order"),
    [
        (("The red kite flew high.", "The blue boat sank."), "A red kite flew over.", ["m0", "m1"]),
        (("Kırmızı uçurtma uçtu.", "Mavi tekne battı."), "Kırmızı uçurtmalar uçtu.", ["m0"]),
    ],
)
def test_without_vectors_shared_stems_decide(texts: tuple[str, str], probe: str, order: list[str]) -> None:
    """Cosine of stem counts; what shares none is not near."""
    corpus = stored([memory(text, f"m{n}") for n, text in enumerate(texts)], None).corpus(SCOPE, None)
    near = nearest(NeighbourSearch(probe, None), corpus, AT, AT, 8)
    assert [one.memory.id for one in near] == order[: len(near)]
    assert near[0].similarity > 0.5


def test_nothing_is_near_where_nothing_is_formed() -> None:
    """Nor where no stem is shared."""
    assert found([]) == []
    corpus = stored(named("kite"), None).corpus(SCOPE, None)
    assert nearest(NeighbourSearch("drum", None), corpus, AT, AT, 8) == ()


class Stretched(Chosen):
    """A model whose cosines run from .8 on."""

    def calibration(self, cosine: float) -> float:
        """.8 is nothing, 1 is all."""
        return (cosine - 0.8) / 0.2


@pytest.mark.req("D4")
def test_an_embedder_may_know_its_scale() -> None:
    """The documents' thresholds hold on their own scale (reading 1); without a calibration the cosine stands."""
    model = Stretched({"probe": (0, 1.0), "kite": (0, 0.9)})
    corpus = stored(named("kite"), model).corpus(SCOPE, model.info)
    search = NeighbourSearch("probe", model.embed_query("probe"), scale_of(model))
    assert nearest(search, corpus, AT, AT, 8)[0].similarity == pytest.approx(0.5, abs=1e-2)
    assert scale_of(chosen()) is as_it_is
    assert scale_of(None)(0.3) == 0.3


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


V9 = recipe("v9").encode


@pytest.mark.req("D3")
def test_importance_is_the_weighted_sum_of_four_channels() -> None:
    """Novelty 1, arousal 0, reward and attention unknown (.5): .25 + .25 · .5 + .20 · .5 = .475, boost 1."""
    assert weigh(seen(), (), None, V9, deliberate=False).importance == pytest.approx(0.475)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("similarity", "utility", "arousal", "attention", "importance"),
    [
        (1.0, 0.5, 0.0, 0.0, 0.25 * 0.5),
        (0.4, 0.9, 0.0, 0.0, 0.25 * 0.6 + 0.25 * 0.5),  # not similar enough to speak for its reward
        (0.49, 0.9, 0.0, 0.0, 0.25 * 0.51 + 0.25 * 0.5),
        (0.6, 0.9, 0.0, 0.0, 0.25 * 0.4 + 0.25 * 0.9),
        (1.0, 0.0, 1.0, 0.0, 0.3),
        (1.0, 0.0, 0.0, 1.0, 0.2),
        (-0.3, 0.0, 0.0, -0.2, 0.25 + 0.25 * 0.5),
    ],
)
def test_each_channel_has_its_share(
    similarity: float, utility: float, arousal: float, attention: float, importance: float
) -> None:
    """.25 novelty, .30 arousal, .25 reward, .20 attention."""
    near = (Near(memory("x", utility=utility), similarity),)
    assert weigh(seen(arousal), near, attention, V9, deliberate=False).importance == pytest.approx(importance)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("density", "confidence", "deliberate", "boost"),
    [
        (3, 0.5, False, 1.0),
        (0, 0.0, False, 0.7),
        (3, 0.9, False, 1.12),  # 1 + .3 · (3/6 + .9 − 1)
        (1, 0.3, False, 0.865),  # 1 + .3 · (1/4 + .3 − 1)
        (0, 0.0, True, 1.3),
        (3, None, False, 1.0),
    ],
)
def test_the_boost_lies_between_seven_and_thirteen_tenths(
    density: int, confidence: float | None, deliberate: bool, boost: float
) -> None:
    """How much there is to hold on to, how sure one is, and whether it was asked for."""
    sight = seen(density=density, confidence=confidence)
    assert weigh(sight, (), None, V9, deliberate=deliberate).importance == pytest.approx(0.475 * boost)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("arousal", "utility", "attention", "value", "priority"),
    [
        (1.0, 0.74, 1.0, 0.81, "critical"),
        (1.0, 0.66, 1.0, 0.79, "high"),
        (1.0, 0.74, 0.0, 0.61, "high"),
        (1.0, 0.66, 0.0, 0.59, "normal"),
        (0.0, 0.34, 1.0, 0.41, "normal"),
        (0.0, 0.26, 1.0, 0.39, "low"),
    ],
)
def test_the_weight_names_its_priority(
    arousal: float, utility: float, attention: float, value: float, priority: str
) -> None:
    """Critical from .8, high from .6, normal from .4. The value is .125 + .3 a + .25 u + .2 t: novelty is a half."""
    found = weigh(seen(arousal), (Near(memory("x", utility=utility), 0.5),), attention, V9, deliberate=False)
    assert (found.importance, found.priority) == (pytest.approx(value), priority)
    assert f"{value:.2f}: novelty 0.50, arousal {arousal:.2f}" in found.why


@pytest.mark.req("B3", "C2")
@pytest.mark.parametrize(("name", "importance"), [("exocortex", 0.5), ("openclaw", 0.7), ("ocean", 0.5)])
def test_recipes_that_do_not_weigh_give_a_constant(name: str, importance: float) -> None:
    """In document B everything starts at .5, whatever is felt or asked."""
    encode = recipe(name).encode
    assert weigh(seen(1.0), (), 1.0, encode, deliberate=True).importance == importance


def test_no_importance_exceeds_one() -> None:
    """Everything at its most, and asked for."""
    for name in NAMES:
        assert weigh(seen(1.0, 100, 1.0), (), 1.0, recipe(name).encode, deliberate=True).importance <= 1.0
