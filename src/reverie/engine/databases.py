"""A store over several databases, named by a list: a TOML file whose path ends in ``.toml`` is the store's address.

In: the list and the tenant. Out: the sharded store, open; or its scopes, moved to where a changed list puts them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from reverie.durable import unreadable
from reverie.engine.factories import open_store
from reverie.engine.logs import IN_MEMORY, LANCE, is_address, is_encrypted, is_list
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.errors import InvalidInput, InvalidSetting, StoreMissing
from reverie.ports import CORPUS_MB
from reverie.stores.sharded import Database, ShardedStore

if TYPE_CHECKING:
    from reverie.stores.sharded import Moved
    from reverie.types import ModelInfo

_TABLE = "databases"
_SHAPE = 'Write [databases], and for each NAME = "postgresql://…", or NAME = { store = "…", weight = 2 }.'


@dataclass(frozen=True, slots=True)
class Shard:
    """A database as the list names it: a path or an address, and its weight."""

    store: str
    weight: float = 1.0


def read_list(path: str | Path) -> dict[str, Shard]:
    """Read the list of databases; paths in it are relative to its folder.

    Raises:
        StoreMissing: there is no such file.
        InvalidSetting: it is not TOML, or not such a list.
    """
    file = Path(path)
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise StoreMissing(f"There is no list of databases at {path}.", "Check the path.") from None
    except OSError as error:
        raise unreadable(error, file) from error
    except ValueError as error:  # TOML, or UTF-8
        raise InvalidSetting(f"{path} is not TOML: {error}.", _SHAPE) from error
    named = raw.get(_TABLE)
    if not isinstance(named, dict) or not named or set(raw) != {_TABLE}:
        raise InvalidSetting(f"{path} is no list of databases.", _SHAPE)
    return {name: _shard(file, name, value) for name, value in named.items()}


def _shard(file: Path, name: str, value: object) -> Shard:
    given: Mapping[str, object] = value if isinstance(value, dict) else {"store": value}
    store, weight = given.get("store"), given.get("weight", 1.0)
    if not isinstance(store, str) or not store.strip() or not _is_weight(weight) or set(given) - {"store", "weight"}:
        raise InvalidSetting(f"The database {name!r} in {file} is written otherwise than it must be.", _SHAPE)
    if store == IN_MEMORY or is_encrypted(store) or store.startswith(LANCE) or is_list(store):
        raise InvalidSetting(f"The database {name!r} in {file} is {store}.", "Name a store's file, or postgresql://….")
    return Shard(store if is_address(store) else str(file.absolute().parent / store), float(weight))


def _is_weight(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def open_sharded(
    path: str | Path, tenant: str = "", *, create: bool = True, corpus_mb: int = CORPUS_MB, change: bool = False
) -> ShardedStore:
    """Open all databases of a list as one store; ``tenant`` is whose memories are meant in each.

    ``change``: the list may differ from the one that the databases know. Each keeps a share of ``corpus_mb`` in memory.

    Raises:
        StoreError: a database cannot be opened; its subclass says why.
        InvalidSetting: the list cannot be read, or differs from the one that the databases know.
    """
    shards, opened = read_list(path), dict[str, Database]()
    share = max(1, corpus_mb // len(shards))
    try:
        for name, shard in shards.items():
            store = open_store(shard.store, create, tenant=tenant, corpus_mb=share)
            opened[name] = Database(store, shard.weight)
        return ShardedStore(opened, SystemClock(), RandomIds(), change=change)
    except BaseException:
        for one in opened.values():
            one.store.close()
        raise


def rebalance(path: str | Path, tenant: str = "", models: tuple[ModelInfo, ...] = ()) -> Moved:
    """Move the scopes of a store over several databases to where its list puts them, while others read and write.

    ``models``: their vectors move along; those of others are made anew.

    Raises:
        InvalidInput: the path is no list of databases.
        StoreError, InvalidSetting: as ``open_sharded``.
    """
    if not is_list(path):
        raise InvalidInput(f"{path} is no list of databases.", "Name a file that ends in .toml.")
    from reverie.engine.replication import index_of

    store = open_sharded(path, tenant, create=True, change=True)
    try:
        return store.rebalance(lambda target, event: index_of(target, event.scope, event.payload), models)
    finally:
        store.close()
