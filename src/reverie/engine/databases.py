"""A store over several databases, named by a list: a TOML file whose path ends in ``.toml`` is the store's address.

In: the list, and what opens a database. Out: the sharded store, open.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from reverie.durable import unreadable
from reverie.engine.logs import IN_MEMORY, LANCE, is_address, is_encrypted, is_list, plain_path
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.errors import InvalidSetting, StoreMissing
from reverie.ports import CORPUS_MB, Store
from reverie.stores.sharded import Database, ShardedStore

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
        InvalidSetting: it is not TOML, or not such a list, or names something encrypted.
    """
    if is_encrypted(path):
        raise _encrypted(f"The store {plain_path(path)}")
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
    if is_encrypted(store):
        raise _encrypted(f"The database {name!r} in {file}")
    if store == IN_MEMORY or store.startswith(LANCE) or is_list(store):
        raise InvalidSetting(f"The database {name!r} in {file} is {store}.", "Name a store's file, or postgresql://….")
    return Shard(store if is_address(store) else str(file.absolute().parent / store), float(weight))


def _encrypted(what: str) -> InvalidSetting:
    return InvalidSetting(
        f"{what} is named as an encrypted one, and a list of databases holds none.",
        "Leave the encryption out, or keep the memories in one encrypted database.",
    )


def _is_weight(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def open_sharded(
    path: str | Path, opened: Callable[[str, int], Store], corpus_mb: int = CORPUS_MB, *, change: bool = False
) -> ShardedStore:
    """Open all databases of a list as one store; ``opened`` opens one, which keeps at most so many megabytes in memory.

    ``change``: the list may differ from the one that the databases know.

    Raises:
        StoreError: a database cannot be opened; its subclass says why.
        InvalidSetting: the list cannot be read, or differs from the one that the databases know.
    """
    shards, found = read_list(path), dict[str, Database]()
    share = max(1, corpus_mb // len(shards))
    try:
        for name, shard in shards.items():
            found[name] = Database(opened(shard.store, share), shard.weight)
        return ShardedStore(found, SystemClock(), RandomIds(), change=change)
    except BaseException:
        for one in found.values():
            one.store.close()
        raise
