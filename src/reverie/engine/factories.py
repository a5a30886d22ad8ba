"""Open a store, an embedder and a reranker by path and name, and check the options of ``Reverie.open``.

Also makes the ``Reception``, with which a store that other programs write to takes in their rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from reverie.durable import is_there, state_folder
from reverie.engine.logs import IN_MEMORY, LANCE, STORE_FILE, is_address, is_encrypted, is_list, plain_path
from reverie.engine.requests import is_path, require_count, require_method, require_scope
from reverie.errors import InvalidInput, InvalidSetting, ModelError, StoreCorrupt, StoreReadOnly
from reverie.language.text import analyzer
from reverie.ops.log import OpsEntry, OpsLog
from reverie.ports import CORPUS_MB, Adviser, Clock, Embedder, Ids, Reranker, Store
from reverie.recall.settings import RerankSettings
from reverie.screen.values import ScreenSettings
from reverie.types import IndexEntry, Scope

if TYPE_CHECKING:
    from reverie.stores.lance import Reception
    from reverie.stores.postgres.keys import KeySource
    from reverie.stores.sharded import Moved, ShardedStore
    from reverie.stores.sqlite.cipher import Key
    from reverie.types import ModelInfo


_TABLE = "memories.lance"


@runtime_checkable
class Keyed(Protocol):
    """A store that may be encrypted: with its key."""

    key: Key | None


@runtime_checkable
class Receiver(Adviser, Protocol):
    """A store that receives rows from other programs."""

    def embed_with(self, embedder: Embedder) -> None:
        """Use this embedder for new rows from now on."""


class Keeper(Store, Protocol):
    """A store that keeps scopes' columns and vectors in memory, up to a number of megabytes."""

    def limit_corpora(self, most_mb: int) -> None:
        """Keep at most so many megabytes from now on."""


def lance_folder(path: str | Path) -> Path | None:
    """Return the folder of OpenClaw's table if a path names one; None for any other store.

    The path of a folder that contains the table needs no ``lance:`` prefix.

    Raises:
        StoreError: the system does not allow to look into the folder.
    """
    name = str(path)
    if name.startswith(LANCE):
        return Path(name.removeprefix(LANCE)).expanduser()
    table = Path(name) / _TABLE
    return Path(name) if is_there(table) and table.is_dir() else None


def reception(
    embedder: Embedder | None, clock: Clock, ids: Ids, screen: ScreenSettings | None, log: OpsLog | None = None
) -> Reception:
    """Make the functions by which a store screens, indexes and embeds rows that other programs wrote."""
    from reverie.encode.memory_factory import index
    from reverie.stores.lance import Reception

    def screened(text: str) -> tuple[str, str]:
        from reverie.screen.pipeline import screen as look

        if screen is None:
            return text, ""
        found = look(text, screen)
        return found.text, found.quarantine or ""

    def unembedded(error: ModelError) -> None:
        if log is not None:
            log.write(OpsEntry("embed", input="rows of the table", output=error.message, success=False))

    return Reception(index, screened, clock, ids, embedder, unembedded)


_METHODS = {"clock": "now", "ids": "new_id", "mind": "route", "log": "write", "telemetry": "span"}
"""One method of each part that ``Reverie.open`` takes, by which its type is checked."""


def open_store(  # noqa: PLR0913 - one for each kind of store that needs more than a path
    path: str | Path,
    create: bool,
    reception: Callable[[], Reception] | None = None,
    home: Scope | None = None,
    key_file: str = "",
    tenant: str = "",
    *,
    corpus_mb: int = CORPUS_MB,
) -> Store:
    """Open the store at ``path``: a file, a folder with ``reverie.db``, ":memory:", OpenClaw's table, or a database.

    ``sqlcipher:`` before the path of a file or folder: an encrypted store, with the key in ``key_file`` or the keyring.

    For OpenClaw's table ("lance:…"), ``reception`` turns its rows into memories, and ``home`` is their scope; in a
    database ("postgresql://…"), ``tenant`` is whose memories are meant; with ``?encrypted=true`` they are encrypted. A
    file that ends in ".toml" lists several databases.
    ``corpus_mb``: most megabytes of columns and vectors that are kept in memory for recall.
    """
    require_count("corpus_mb", corpus_mb, 1, None)
    if is_path(path) and is_list(path):
        return _sharded(path, tenant, create, corpus_mb)
    is_served = is_path(path) and (is_address(path) or bool(tenant))
    store = (
        _open_database(str(path), tenant, key_file) if is_served else _opened(path, create, reception, home, key_file)
    )
    if corpus_mb != CORPUS_MB:
        store.limit_corpora(corpus_mb)
    return store


def _sharded(
    path: str | Path, tenant: str, create: bool, corpus_mb: int = CORPUS_MB, *, change: bool = False
) -> ShardedStore:
    """Open the databases of a list as one store; ``tenant`` is whose memories are meant in each."""
    from reverie.engine.databases import open_sharded

    def opened(place: str, most_mb: int) -> Store:
        return open_store(place, create, tenant=tenant, corpus_mb=most_mb)

    return open_sharded(path, opened, corpus_mb, change=change)


def rebalance(path: str | Path, tenant: str = "", models: tuple[ModelInfo, ...] = ()) -> Moved:
    """Move the scopes of a store over several databases to where its list puts them, while others read and write.

    ``models``: their vectors move along; those of others are made anew.

    Raises:
        InvalidInput: the path is no list of databases.
        StoreError, InvalidSetting: a database cannot be opened, or the list cannot be read.
    """
    if not is_list(path):
        raise InvalidInput(f"{path} is no list of databases.", "Name a file that ends in .toml.")
    from reverie.engine.replication import index_of

    store = _sharded(path, tenant, create=True, change=True)
    try:
        return store.rebalance(lambda target, event: index_of(target, event.scope, event.payload), models)
    finally:
        store.close()


def _opened(
    path: str | Path,
    create: bool,
    reception: Callable[[], Reception] | None,
    home: Scope | None,
    key_file: str,
) -> Keeper:
    """Open the store of the kind that the path names."""
    if not is_path(path):
        raise InvalidInput(f"{path!r} is no path to a store.", "Give a file's path, or ':memory:'.")
    if home is not None:
        require_scope(home)
    if str(path) == IN_MEMORY:
        from reverie.stores.ram import RamStore

        return RamStore()
    folder = lance_folder(path)
    if folder is not None:
        if reception is None:
            raise InvalidInput(f"{path} is OpenClaw's table, which others write too.", "Name a file.")
        from reverie.stores.lance import LanceStore

        return LanceStore(folder, reception(), create=create, home=home, state=state_folder(os.environ))
    return _open_file(path, create, key_file)


def _open_file(path: str | Path, create: bool, key_file: str) -> Keeper:
    """Open an SQLite file, encrypted or not."""
    from reverie.stores.sqlite import SqliteStore

    file, key = Path(plain_path(path)), None
    file = file / STORE_FILE if file.is_dir() else file
    if is_encrypted(path):
        from reverie.engine.encryption import key_for
        from reverie.stores.sqlite.cipher import require_encrypted

        require_encrypted(file)

        is_new = create and file.parent.is_dir() and not (is_there(file) and file.stat().st_size)
        key = key_for(key_file, make=is_new)
    return SqliteStore(file, create=create, state=state_folder(os.environ), key=key)


def open_beside(store: Store, path: str | Path, create: bool) -> Store:
    """Open a copy or a draft of a store: encrypted with the same key if the store is."""
    key = store.key if isinstance(store, Keyed) else None
    if key is None or str(path) == IN_MEMORY:
        return open_store(path, create)
    from reverie.stores.sqlite import SqliteStore

    return SqliteStore(path, create=create, state=state_folder(os.environ), key=key)


def _open_database(address: str, tenant: str, key_file: str) -> Keeper:
    """Open a database; tenant and encryption may also stand in the address, as ``?tenant=NAME&encrypted=true``."""
    if not is_address(address):
        raise InvalidInput(f"{address} is no database, so it has no tenants.", "Leave the tenant out.")
    from reverie.stores.postgres import PostgresStore

    parts = urlsplit(address)
    asked = parse_qsl(parts.query, keep_blank_values=True)
    named = tenant or next((value for name, value in asked if name == "tenant"), "default")
    query = urlencode([(name, value) for name, value in asked if name not in ("tenant", "encrypted")])
    source = _key_source(key_file) if is_encrypted(address) else None
    return PostgresStore(urlunsplit(parts._replace(query=query)), tenant=named, source=source)


def _key_source(key_file: str) -> KeySource:
    """Return where the keys of an encrypted database come from."""
    import secrets

    from reverie.engine.encryption import held_key
    from reverie.stores.postgres.keys import KeySource

    return KeySource(lambda make: held_key(key_file, make=make), secrets.token_bytes)


def open_embedder(spec: Embedder | str | None, api_key: str = "") -> Embedder | None:
    """Return the given embedder, or load the one specified; None: text alone. ``api_key`` is for an endpoint."""
    if spec is None:
        return None
    if not isinstance(spec, str):
        return require_embedder(spec)
    from reverie.models.registry import load_embedder

    return load_embedder(spec, **({"api_key": api_key} if api_key and spec.startswith("openai:") else {}))


def require_embedder(embedder: object) -> Embedder:
    """Return the value if it is an embedder. Raises InvalidSetting. Never reads ``info``: that may call an endpoint."""
    try:
        methods = [getattr(embedder, name, None) for name in ("embed_passages", "embed_query")]
    except ModelError:  # a placeholder for a model that is not available now
        return cast("Embedder", embedder)
    if isinstance(embedder, type) or not all(map(callable, methods)):
        raise InvalidSetting(
            f"The embedder is {type(embedder).__name__}.",
            "Give the name of a model such as 'default', an object with info, embed_passages and embed_query, or None.",
        )
    return cast("Embedder", embedder)


def open_reranker(spec: Reranker | str | None, api_key: str = "", *, deadline_ms: int) -> Reranker | None:
    """Return the given reranker, or load the one specified; None: no reranking.

    ``api_key`` and the time limit ``deadline_ms`` are for an endpoint.
    """
    if spec is None:
        return None
    if not isinstance(spec, str):
        return require_reranker(spec)
    from reverie.models.registry import load_reranker

    is_endpoint = spec.partition(":")[0].strip().lower() == "rerank"
    return load_reranker(spec, **({"api_key": api_key, "timeout_s": deadline_ms / 1000.0} if is_endpoint else {}))


def require_reranker(reranker: object) -> Reranker:
    """Return the value if it is a reranker. Raises InvalidSetting."""
    is_named = isinstance(getattr(reranker, "name", None), str)
    if isinstance(reranker, type) or not is_named or not callable(getattr(reranker, "score", None)):
        raise InvalidSetting(
            f"The reranker is {type(reranker).__name__}.",
            "Give the name of a model such as 'fastembed:NAME', an object with name and score, or None.",
        )
    return cast("Reranker", reranker)


def _require_rerank(limits: object) -> None:
    """Raise InvalidInput unless the value is a ``RerankSettings`` with all numbers in range."""
    if not isinstance(limits, RerankSettings):
        raise InvalidInput(f"rerank is {type(limits).__name__}.", "Give RerankSettings(…).")
    whole = all(isinstance(number, int) for number in (limits.first, limits.deadline_ms))
    if not whole or limits.first < 2 or limits.deadline_ms < 1 or not isinstance(limits.weight, int | float):
        raise InvalidInput(
            "rerank holds what is no limit.", "Give whole first from 2 and deadline_ms from 1, and a weight."
        )
    if not 0 <= limits.weight < inf:
        raise InvalidInput(f"The weight of rerank is {limits.weight!r}.", "Give a number from 0.")


def require_parts(options: Mapping[str, object]) -> None:
    """Raise InvalidInput for an option of ``Reverie.open`` of the wrong type."""
    for name, method in _METHODS.items():
        if options.get(name) is not None:
            require_method(name, options[name], method)
    screen, recipe = options.get("screen"), options.get("recipe", "")
    if screen is not None and not isinstance(screen, ScreenSettings):
        raise InvalidInput(f"screen is {type(screen).__name__}.", "Give ScreenSettings(…), or None.")
    if not isinstance(recipe if isinstance(recipe, str) else getattr(recipe, "name", None), str):
        raise InvalidInput(f"recipe is {type(recipe).__name__}.", "Give a recipe's name, or a recipe.")
    _require_rerank(options.get("rerank", RerankSettings()))


def refresh_terms(store: Store) -> bool:
    """Index all terms again if another analyzer version made them, scope after scope; return whether that was done.

    A read-only store keeps its old terms: searching them is a little worse, but possible. So does a damaged one, which
    must open to be examined and repaired.
    """
    version = analyzer.version()
    try:
        if store.analyzer() == version:
            return False
        for scope in store.scopes():
            if store.analyzer(scope) != version:  # else it was done before a process was killed
                store.reindex(scope, version, entries(store, scope))
        store.reindexed(version)
    except (StoreReadOnly, StoreCorrupt):
        return False
    return True


def entries(store: Store, scope: Scope) -> Iterator[tuple[str, IndexEntry]]:
    """Yield id and index entry of every memory of a scope, without vectors."""
    from reverie.encode.memory_factory import index  # imported only when terms are indexed again

    for memory in store.memories(scope):
        yield memory.id, index(memory)
