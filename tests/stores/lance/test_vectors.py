"""Vectors on both sides of the table."""

from __future__ import annotations

import numpy as np
import pytest

from reverie import Reverie
from reverie.errors import ModelUnavailable
from reverie.types import FloatArray
from tests.stores.lance.making import HOME, Stock, TextModel, formed, name, opened, row, vector_of
from tests.stores.making import MODEL


class DownModel(TextModel):
    """A model whose endpoint does not answer."""

    def embed_passages(self, texts: object) -> FloatArray:
        raise ModelUnavailable("It does not answer.")


def test_a_model_that_is_down_costs_no_row(stock: Stock) -> None:
    """Rows come in without vectors, and catch up when it answers again."""
    with opened(stock, DownModel()) as memory:
        assert memory.admin.missing() == 3
        assert memory.memory(name(1), HOME).text == "row 1 about tea"
    with opened(stock, create=False) as memory:
        memory.admin.embed()
        assert memory.admin.missing() == 0


def test_rows_without_a_vector_tell_nothing_and_are_embedded(stock: Stock) -> None:
    """Another writer may leave the column empty, or full of zeros; neither is taken for a vector of a text."""
    stock.store(row(4, "row 4", vector=None), row(5, "row 5", vector=[0.0] * MODEL.dims))
    with opened(stock) as memory:
        assert memory.admin.missing() == 2
        memory.admin.embed()
        assert memory.admin.missing() == 0
        assert memory.recall("row 4", HOME).hits[0].memory.id == name(4)


@pytest.mark.req("C8")
def test_many_rows_take_the_tables_vectors_once_it_is_known_whose(stock: Stock, memory: Reverie) -> None:
    """After one batch of catching up nothing is left to embed: the rest is the table's own."""
    memory.close()
    for path in stock.folder.glob("reverie.db*"):
        path.unlink()
    stock.store(*(row(number) for number in range(10, 200)))
    opened(stock, embedder=None).close()
    model = TextModel()
    with opened(stock, model, create=False) as again:
        again.admin.embed()
        assert again.admin.missing() == 0
        assert len(model.asked) <= 64
        formed(again, "I prefer dark mode in every editor.")
        assert len(stock.rows()) == 194


def test_vectors_are_made_unit_on_the_way_in(stock: Stock, memory: Reverie) -> None:
    """The table's writer may not normalise; ours are compared by cosine."""
    with memory:
        stock.store(row(4, "row 4", vector=(5.0 * vector_of("row 4")).tolist()))
        found = next(hit for hit in memory.recall("row 4", HOME).hits if hit.memory.id == name(4))
        assert found.cosine is not None
        assert -1.0 <= found.cosine <= 1.0 + 1e-3
        assert np.isclose(found.cosine, 1.0, atol=2e-3)
