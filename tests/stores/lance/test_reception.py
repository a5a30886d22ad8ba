"""What the engine lends is what a foreign row goes through."""

from __future__ import annotations

from reverie.stores.lance.sync_state import Indexing
from tests.stores.lance.making import index_of, lent


def test_a_reception_may_get_its_model_later() -> None:
    """It begins without one, and what indexes is any function of that form."""
    reception = lent()
    assert reception.embedder is None
    held: Indexing = reception.index
    assert held is index_of
    assert reception.screened("hunter2") == ("[password]", "")
