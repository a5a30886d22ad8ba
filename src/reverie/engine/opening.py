"""Opening: from a path and a model's name to a store and an embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.encode.index import index
from reverie.engine.receiving import lance_folder
from reverie.errors import InvalidInput, StoreReadOnly
from reverie.language import analyzer
from reverie.ports import Embedder, Store
from reverie.types import IndexEntry, Scope

if TYPE_CHECKING:
    from reverie.stores.lance import Reception

STORE_FILE = "reverie.db"


def open_store(
    path: str | Path, create: bool, reception: Callable[[], Reception] | None = None, home: Scope | None = None
) -> Store:
    """The store at ``path``: a file, a folder that holds ``reverie.db``, ":memory:", or OpenClaw's table ("lance:…").

    For the last, ``reception`` says how its rows become memories, and ``home`` whose they are.
    """
    if not isinstance(path, str | Path):
        raise InvalidInput(f"{path!r} is no path to a store.", "Give a file's path, or ':memory:'.")
    if not str(path).strip() or "\0" in str(path):
        raise InvalidInput(f"{path!r} is no path to a store.", "Give a file's path, or ':memory:'.")
    if str(path) == ":memory:":
        from reverie.stores.ram import RamStore

        return RamStore()
    folder = lance_folder(path)
    if folder is not None:
        if reception is None:
            raise InvalidInput(f"{path} is OpenClaw's table, which others write too.", "Name a file.")
        from reverie.stores.lance import LanceStore

        return LanceStore(folder, reception(), create=create, home=home)
    from reverie.stores.sqlite import SqliteStore

    file = Path(path)
    return SqliteStore(file / STORE_FILE if file.is_dir() else file, create=create)


def open_embedder(spec: Embedder | str | None, api_key: str = "") -> Embedder | None:
    """The embedder itself, or the one its specification names; None: text alone. ``api_key`` is for an endpoint's."""
    if spec is None or not isinstance(spec, str):
        return spec
    from reverie.models.registry import load_embedder

    return load_embedder(spec, **({"api_key": api_key} if api_key and spec.startswith("openai:") else {}))


def refresh_terms(store: Store) -> bool:
    """Index the terms anew where another analyzer made them; whether that was done.

    A store that cannot be written keeps its old terms: it is searched a little worse, not refused.
    """
    if store.analyzer() == analyzer.version():
        return False
    try:
        store.reindex(analyzer.version(), entries(store))
    except StoreReadOnly:
        return False
    return True


def entries(store: Store) -> Iterator[tuple[Scope, str, IndexEntry]]:
    """The index entry of every memory, without vectors."""
    for scope in store.scopes():
        for memory in store.memories(scope):
            yield scope, memory.id, index(memory)
