"""Counts: what a damaged file holds instead of them is told as damage (the contract suite counts sound ones)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, MODEL, Writer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with one message, recalled once."""
    made = SqliteStore(tmp_path / "store")
    writer = Writer(made)
    writer.recall(ADA, writer.remember(ADA, "tea"))
    yield made
    made.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memory SET at = 4611686018427387904",
        "UPDATE memory SET at = 'noon'",
        "UPDATE access SET count = 1e308",
        "UPDATE access SET count = 'many'",
        "UPDATE scope SET events = x'00'",
    ],
)
def test_counts_that_are_none_are_damage(store: SqliteStore, damage: str) -> None:
    """Numbers beyond the calendar, and what is no number."""
    assert store.stats(ADA).accesses == 1
    store._connection.run(damage)
    with pytest.raises(StoreCorrupt, match=r"cannot be read|stands where"):
        store.stats(ADA)


def test_what_is_missing_is_a_number_or_damage(store: SqliteStore) -> None:
    """A count beyond all numbers was an error of Python's."""
    assert store.missing(MODEL) == 0
    store._connection.run("UPDATE scope SET memories = 1e308")
    with pytest.raises(StoreCorrupt, match="stands where"):
        store.missing(MODEL)
