"""Stores to test: one of each kind, and a way to make more of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie.ports import Store
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import Writer


@pytest.fixture(params=["ram", "sqlite"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes empty stores of one kind; closes them in the end."""
    made: list[Store] = []

    def make() -> Store:
        made.append(RamStore() if request.param == "ram" else SqliteStore(tmp_path / f"{len(made)}.reverie"))
        return made[-1]

    yield make
    for store in made:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], Store]) -> Store:
    """An empty store of each kind."""
    return new_store()


@pytest.fixture
def writer(store: Store) -> Writer:
    """Writes into the store."""
    return Writer(store)
