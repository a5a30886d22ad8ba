"""Tenants of one database never meet: neither through the store, nor by SQL of the application's role."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from reverie.errors import InvalidInput, StoreError, StoreMissing
from reverie.events import Action, Record, Recorded
from reverie.types import RelationKind
from tests.postgres_server import WHY_NOT, addresses, new_postgres, new_tenant
from tests.stores.making import ADA, GRACE, MODEL, Writer

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

TABLES = (
    *("setting", "model", "scope", "event", "memory", "access", "vector", "lacking", "source", "relation", "companion"),
    *("touch", "record"),
)


def test_no_try_reaches_another_tenant(share: Callable[[int], int]) -> None:
    """Reads of every table, changed rows, numbers of another's scopes: nothing comes, nothing goes."""
    from reverie.stores.postgres.connection import connected

    own, other = new_postgres(), new_postgres()
    for store in (own, other):
        writer = Writer(store)
        names = [writer.remember(ADA, f"secret of {store.tenant}", message_id=f"x{_}") for _ in range(3)]
        fact = writer.form(ADA, names[0], "a fact")
        writer.recall(ADA, names[1], fact)
        writer.event(ADA, Action.RECORD, Recorded(None, Record(ADA, "grant", "g", "grace", "{}")))
    before = other.digest()
    theirs = other.number_of(ADA)
    chance, url = Random(1), addresses()[1]
    connection = connected(url, own.tenant)
    tries: list[tuple[str, tuple[object, ...]]] = [
        ("SELECT count(*) FROM {} WHERE tenant = %s", (other.tenant,)),
        ("SELECT count(*) FROM {} WHERE tenant <> %s", (own.tenant,)),
        ("WITH gone AS (DELETE FROM {} WHERE tenant = %s RETURNING 1) SELECT count(*) FROM gone", (other.tenant,)),
        (
            "WITH done AS (UPDATE {} SET tenant = tenant WHERE tenant = %s RETURNING 1) SELECT count(*) FROM done",
            (other.tenant,),
        ),
    ]
    leaks = 0
    for _ in range(share(10_000)):
        sql, values = chance.choice(tries)
        table = chance.choice(TABLES)
        row = connection.execute(sql.format(table), values).fetchone()
        assert row is not None
        leaks += row[0]
    by_number = connection.execute("SELECT count(*) FROM memory WHERE scope = %s", (theirs,)).fetchone()
    connection.close()
    assert (leaks, by_number) == (0, (0,))
    assert other.digest() == before
    own.close()
    other.close()


def test_a_row_for_another_tenant_is_refused() -> None:
    """The application cannot write under another's number, nor lay a finger on the schema or the partitions."""
    import psycopg

    from reverie.stores.postgres.connection import connected

    own, other = new_postgres(), new_postgres()
    Writer(own).remember(ADA, "tea")
    connection = connected(addresses()[1], own.tenant)
    for sql in (
        f"INSERT INTO setting VALUES ({other.tenant}, 'analyzer', 'x')",
        f"UPDATE scope SET tenant = {other.tenant}",
        "CREATE TABLE mine (x integer)",
        "DROP TABLE memory",
        "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
        "SELECT * FROM memory_0",
        "SELECT * FROM tenant",
        "TRUNCATE memory",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(sql)
    connection.close()
    own.close()
    other.close()


def test_a_session_that_names_no_tenant_gets_an_error() -> None:
    """Not an empty answer, which would look like a new store."""
    import psycopg

    from reverie.stores.postgres.connection import connected

    store = new_postgres()
    writer = Writer(store)
    names = [writer.remember(ADA, "tea") for _ in range(2)]
    facts = [writer.form(ADA, name, "a fact") for name in names]
    writer.recall(ADA, *facts)
    writer.relate(ADA, *facts, RelationKind.CAUSES)
    writer.event(ADA, Action.RECORD, Recorded(None, Record(ADA, "grant", "g", "grace", "{}")))
    store.reindexed("v2")
    store.close()
    with connected(addresses()[1]) as connection:
        for table in TABLES:
            with pytest.raises(psycopg.Error, match=r"reverie\.tenant"):
                connection.execute(f"SELECT * FROM {table}")


def test_two_tenants_hold_the_same_scope_apart() -> None:
    """Same scope, same ids, same words: each sees its own, and counts its own."""
    stores = [new_postgres(), new_postgres()]
    for number, store in enumerate(stores):
        for _ in range(number + 1):
            Writer(store, prefix=f"{_}-").remember(ADA, f"tea{number}", message_id=f"{_}")
    assert [store.corpus(ADA, MODEL).size for store in stores] == [1, 2]
    assert [store.mark() for store in stores] == [1, 2]
    assert [store.scopes() for store in stores] == [[ADA], [ADA]]
    assert stores[0].corpus(ADA, MODEL).postings("tea1").ordinals.size == 0
    assert stores[0].memory(GRACE, "0-00001") is None
    with stores[0].alone(ADA), stores[1].alone(ADA):
        pass
    for store in stores:
        store.close()


def test_who_does_not_exist_is_told_so() -> None:
    """An unknown tenant, a name that is none, an address without a server, a database without the schema."""
    from reverie.stores.postgres import PostgresStore
    from tools.postgres import APP

    url = addresses()[1]
    with pytest.raises(StoreMissing, match="no tenant 'nobody'"):
        PostgresStore(url, tenant="nobody")
    with pytest.raises(InvalidInput):
        PostgresStore(url, tenant=" ")
    with pytest.raises(StoreMissing, match="does not answer"):
        PostgresStore(f"postgresql://{APP}@/postgres?host=/nowhere", tenant="x")
    with pytest.raises(StoreError, match="schema"):
        PostgresStore(url.replace("/postgres?", "/template1?"), tenant=new_tenant())
