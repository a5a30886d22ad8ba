from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reverie.engine.dreams import ByVector, ByWords, nearness_of
from reverie.stores.ram import RamStore
from tests.engine.lives import MODEL, SCOPE, Life


def test_memories_lie_where_the_store_has_their_vectors() -> None:
    """A unit vector each; zeros for what the corpus does not know."""
    store = RamStore()
    Life(store, 1).live(10)
    memories = store.formed(SCOPE)
    corpus = store.corpus(SCOPE, MODEL.info)
    places = {one.id: ordinal for ordinal, one in enumerate(corpus.fetch(range(corpus.size)))}
    nearness = nearness_of(places, corpus)
    assert isinstance(nearness, ByVector)
    found = nearness.vectors([memories[3], replace(memories[0], id="unknown")])
    assert found[0] == pytest.approx(MODEL.embed_query(memories[3].text), abs=2e-3)
    assert not found[1].any()


def test_an_edge_is_read_on_the_models_own_scale() -> None:
    """A model with .84 for unrelated texts reads .96 as .82; without a scale of its own an edge is what it says."""
    store = RamStore()
    Life(store, 1).live(10)
    corpus = store.corpus(SCOPE, MODEL.info)
    crowded = nearness_of({}, corpus, lambda cosine: 1 - (1 - cosine) * 4.5)
    assert crowded.edge(0.82) == pytest.approx(0.96)
    assert crowded.edge(1.0) == pytest.approx(1.0)
    assert crowded.read(0.96) == pytest.approx(0.82)
    assert nearness_of({}, corpus).edge(0.9) == nearness_of({}, corpus).read(0.9) == 0.9


def test_without_vectors_their_words_say_where_they_lie() -> None:
    """The same words, the same place."""
    store = RamStore()
    Life(store, 1).live(10)
    nearness = nearness_of({}, store.corpus(SCOPE, None))
    assert isinstance(nearness, ByWords)
    one = store.formed(SCOPE)[0]
    same, other = replace(one, id="a"), replace(one, id="b", text="zebra")
    found = nearness.vectors([one, same, other])
    assert float(found[0] @ found[1]) == pytest.approx(1.0, abs=2e-3)
    assert float(found[0] @ found[2]) < 0.5
    assert np.array_equal(found, nearness.vectors([one, same, other]))
    assert len(nearness.vectors([])) == 0
