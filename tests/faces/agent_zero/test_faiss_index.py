import asyncio
from types import SimpleNamespace

import numpy as np
import pytest

from reverie.faces.agent_zero import records
from reverie.faces.agent_zero.records import may_come
from tests.faces.agent_zero.conftest import Place


def queries(*rows: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Rows of the fake's width."""
    return np.array([[*row, *[0.0] * (8 - len(row))] for row in rows], np.float32)


@pytest.mark.req("A1")
def test_each_query_brings_its_nearest_and_the_best_score_is_kept(place: Place) -> None:
    """The union by id, with the real cosine: not a constant, and not that of the last query."""
    place.add("near", "n", [1.0])
    place.add("other", "o", [0.0, 1.0])
    place.add("between", "b", [0.8, 0.6])
    found = records.nearest(place.store, queries([1.0], [0.0, 1.0]), 2, may_come)
    assert {name: round(cosine, 3) for name, (_, cosine) in found.items()} == {
        "near": 1.0,
        "other": 1.0,
        "between": 0.8,
    }


def test_what_is_not_wanted_takes_nobodys_place(place: Place) -> None:
    """Hundreds of knowledge documents stand nearer; the memories behind them are found all the same."""
    for number in range(300):
        place.add(f"k{number}", "k", [1.0], knowledge_source=True)
    place.add("mine", "m", [0.5, 1.0])
    found = records.nearest(place.store, queries([1.0]), 3, may_come)
    assert list(found) == ["mine"]


def test_a_model_without_unit_vectors_gives_cosines_too(place: Place) -> None:
    """The host's index holds inner products; lengths are taken out where there are any."""
    place.add("m", "m", [0.6, 0.8])
    place.store.index.rows *= 7.0
    found = records.nearest(place.store, queries([3.0]), 1, may_come)
    assert found["m"][1] == pytest.approx(0.6)


def test_an_empty_store_brings_nothing(place: Place) -> None:
    """A new Agent Zero has no memories."""
    assert records.nearest(place.store, queries([1.0]), 5, may_come) == {}
    ids, rows = records.vectors(place.store)
    assert (ids, len(rows)) == ((), 0)


def test_a_place_without_a_document_is_passed_over(place: Place) -> None:
    """An index may be ahead of its documents where the host was killed."""
    place.add("m", "m", [1.0])
    place.store.index.rows = np.vstack([place.store.index.rows, place.store.index.rows])
    assert list(records.nearest(place.store, queries([1.0]), 5, may_come)) == ["m"]


def test_the_queries_go_past_the_cache_of_documents() -> None:
    """A cache on disk around the model is for documents; a question would only fill it."""

    class Inner:
        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0] for _ in texts]

    store = SimpleNamespace(embedding_function=SimpleNamespace(underlying_embeddings=Inner()))
    assert asyncio.run(records.embedded(store, ["a", "b"])).shape == (2, 2)


@pytest.mark.req("A11")
def test_pairs_are_found_exactly_and_nearest_first(place: Place) -> None:
    """Every row is held against every other, across blocks; each looks at so many neighbours."""
    angles = np.linspace(0.0, np.pi / 2, 1200)
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    rows[1199] = rows[3]
    found = records.pairs(rows, 0.999999, 5)
    assert (3, 1199, 1.0) in found
    assert [cosine for _, _, cosine in found] == sorted((cosine for _, _, cosine in found), reverse=True)
    assert records.pairs(rows[:2], 2.0, 5) == []
    assert records.pairs(rows[:1], 0.5, 5) == []
    assert records.pairs(np.empty((0, 2), np.float32), 0.5, 5) == []


def test_the_edge_itself_is_below(place: Place) -> None:
    """More alike than the edge, not as alike."""
    rows = np.array([[1.0, 0.0], [0.8, 0.6]], np.float32)
    assert records.pairs(rows, 0.8, 5) == []
    assert len(records.pairs(rows, 0.79, 5)) == 1
