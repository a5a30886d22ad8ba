"""The nearest memories: by vectors on the model's scale, by stems without them; only what is formed, awake and held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.encode.formation import WriteContext
from reverie.encode.memory_factory import index
from reverie.encode.neighbours import Near, NeighbourSearch, nearest
from reverie.engine.runtime import RandomIds
from reverie.events import Action, Formed
from reverie.ports import as_it_is, scale_of
from reverie.stores.ram import RamStore
from reverie.types import Memory, State
from tests.encode.making import AT, SCOPE, Chosen, memory

TEXTS = {"kite": 0.9, "boat": 0.6, "drum": 0.3}


def stored(memories: Sequence[Memory], model: Chosen | None) -> RamStore:
    """A store that holds these memories."""
    store = RamStore()
    hand = WriteContext(SCOPE, AT, RandomIds(seed=1), "test", "because", model.info if model else None)
    with store.begin(durable=True) as tx:
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
