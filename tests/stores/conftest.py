"""Stores to test: one of each kind, and a way to make more of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

import pytest

from reverie.engine.runtime import FixedClock, RandomIds
from reverie.ports import Store
from reverie.stores.ram import RamStore
from reverie.stores.sharded import Database, ShardedStore
from reverie.stores.sqlite import SqliteStore
from reverie.stores.sqlite.cipher import Key
from tests.postgres_server import WHY_NOT as NO_SERVER
from tests.postgres_server import new_postgres
from tests.stores.lance.making import HAS_LANCE, WHY_NOT, open_table_store
from tests.stores.making import START, Writer

TENTH = 10
SEALED = "postgres-sealed"
KEY = Key("5e" * 32, "the tests")
NEEDS_SQLCIPHER = pytest.mark.skipif(find_spec("sqlcipher3") is None, reason="the extra sqlcipher is not installed")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the contract over an encrypted tenant whole where heavy tests are whole, else a tenth of it."""
    left = []
    for item in items:
        if f"[{SEALED}" in item.name:
            item.add_marker("soak")
            if not config.getoption("--soak") and crc32(item.name.encode()) % TENTH:
                left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


@pytest.fixture(
    params=[
        "ram",
        "sqlite",
        "sharded",
        pytest.param("sqlcipher", marks=NEEDS_SQLCIPHER),
        pytest.param("lance", marks=pytest.mark.skipif(not HAS_LANCE, reason=WHY_NOT)),
        pytest.param("postgres", marks=pytest.mark.skipif(bool(NO_SERVER), reason=NO_SERVER)),
        pytest.param(SEALED, marks=pytest.mark.skipif(bool(NO_SERVER), reason=NO_SERVER)),
    ]
)
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes empty stores of one kind; closes them in the end."""
    made: list[Store] = []

    def make() -> Store:
        if request.param == "ram":
            made.append(RamStore())
        elif request.param in ("sqlite", "sqlcipher"):
            key = KEY if request.param == "sqlcipher" else None
            made.append(SqliteStore(tmp_path / f"{len(made)}.reverie", key=key))
        elif request.param.startswith("postgres"):
            made.append(new_postgres(KEY if request.param == SEALED else None))
        elif request.param == "sharded":
            databases = {name: Database(RamStore()) for name in ("one", "two", "three")}
            made.append(ShardedStore(databases, FixedClock(START), RandomIds(seed=1)))
        else:
            made.append(open_table_store(tmp_path / f"{len(made)}.table"))
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
