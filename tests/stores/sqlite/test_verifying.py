"""Journal against tables: no false alarm after any life, and every difference told apart."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from reverie.stores.sqlite import SqliteStore, maintenance
from tests.stores.making import ADA, Writer, at, live_a_life


@pytest.mark.parametrize("seed", range(4))
def test_no_life_raises_a_false_alarm(tmp_path: Path, seed: int) -> None:
    """Forgetting twice, recalling the erased, reusing ids: all of it fits."""
    store = SqliteStore(tmp_path / "store")
    live_a_life(store, seed, 120)
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    writer.recall(ADA, name, name)
    writer.forget(ADA, name, at(1))
    writer.erase(ADA, name)
    writer.number = 0
    assert writer.remember(ADA, "rain") == name
    writer.recall(ADA, name)
    assert list(maintenance.broken_chain(store._connection)) == []
    assert list(maintenance.wrong_rows(store._connection)) == []
    store.close()


def test_differences_are_told_by_what_they_are(tmp_path: Path) -> None:
    """The episode, the memory, the counts and the strays, each with where they are."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.remember(ADA, word)
    raw = sqlite3.connect(tmp_path / "store")
    raw.executescript(
        "UPDATE episode SET text = 'sun' WHERE event = 1; DELETE FROM memory WHERE event = 2;"
        "INSERT INTO access VALUES (77, 1, 1);"
    )
    raw.close()
    found = list(maintenance.wrong_rows(store._connection))
    assert found == [
        "Episode m00001 of event 1 is missing or was changed.",
        "Memory m00001 of event 1 is missing or was changed.",
        "Memory m00002 of event 2 is missing or was changed.",
        "The count of a scope's memories is wrong (scope 1).",
        "There are 1 vectors without a memory.",
        "There are 1 access counts without a memory.",
    ]
    store.close()


def test_a_dropped_event_breaks_the_chain(tmp_path: Path) -> None:
    """The first break is named, once."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for _ in range(4):
        writer.recall(ADA)
    raw = sqlite3.connect(tmp_path / "store")
    raw.executescript("DELETE FROM event WHERE seq = 2; UPDATE event SET why = 'x' WHERE seq = 4;")
    raw.close()
    assert list(maintenance.broken_chain(store._connection)) == [
        "The chain is broken: event 2 is missing (event 3 stands in its place)."
    ]
    store.close()
