"""A reference store written to disk: its journal, terms and vectors in, one SQLite file out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reverie.errors import Conflict
from reverie.events import Event
from reverie.stores.sqlite import SqliteStore
from reverie.types import FloatArray, IndexEntry, ModelInfo, Scope

Vectors = tuple[ModelInfo, Sequence[tuple[Scope, str, FloatArray]]]


def back_up(
    path: Path,
    events: Iterator[Event],
    analyzer: str,
    entries: Iterator[tuple[Scope, str, IndexEntry]],
    vectors: Iterator[Vectors],
) -> None:
    """Replay a journal into a new file, with its terms and vectors.

    Raises:
        Conflict: there is a file already.
    """
    if path.exists():
        raise Conflict(f"There is a file at {path} already.", "Choose another name, or move it away.")
    store = SqliteStore(path)
    try:
        with store.begin(durable=True) as into:
            for event in events:
                into.adopt(event)
        store.reindex(analyzer, entries)
        for model, rows in vectors:
            store.put_vectors(model, rows)
    finally:
        store.close()
