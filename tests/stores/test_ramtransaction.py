"""A unit of writing of the reference store."""

from __future__ import annotations

import pytest

from reverie.errors import InvalidInput, StoreClosed
from reverie.events import Action, Recalled
from reverie.stores.ram import RamStore
from tests.stores.making import ADA, draft


def test_a_transaction_takes_nothing_after_its_end() -> None:
    """Whoever kept it is told to begin a new one."""
    store = RamStore()
    with store.begin(durable=True) as tx:
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    with pytest.raises(StoreClosed, match="ended"):
        tx.append(draft(ADA, Action.RECALL, Recalled(())))
    assert store.head()[0] == 1


def test_a_transaction_raises_in_the_end_what_an_append_raised() -> None:
    """Half of it may be applied, so that all of it is taken back."""
    store = RamStore()
    with store.begin(durable=True) as tx, pytest.raises(InvalidInput):
        tx.append(draft(ADA, Action.FORGET, Recalled(())))
    assert store.head()[0] == 0
