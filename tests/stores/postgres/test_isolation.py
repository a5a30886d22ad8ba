"""Tenants of one database never meet: neither through the store, nor by SQL of the application's role."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from urllib.parse import urlsplit

import pytest

from reverie.errors import InvalidInput, StoreError, StoreMissing
from reverie.events import Action, Record, Recorded
from reverie.types import RelationKind
from tests.postgres_server import WHY_NOT, addresses, analyse, new_login, new_postgres, new_tenant
from tests.stores.making import ADA, GRACE, MODEL, Writer, content, live_a_life
from tests.stores.postgres.attacks import SECRET, TABLES, Attacker

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


@pytest.mark.parametrize("how", ["login", "shared"])
def test_no_try_reaches_another_tenant(share: Callable[[int], int], how: str) -> None:
    """10,000 tries by SQL (a tenth by default), half of them by each login: nothing comes, nothing goes."""
    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.connection import connected

    tenants = new_tenant(), new_tenant()
    own, other = (PostgresStore(addresses()[1], tenant=tenant) for tenant in tenants)
    for store, said in ((own, "mine"), (other, SECRET)):
        writer = Writer(store)
        names = [writer.remember(ADA, said, message_id=f"{said}{n}", speaker=said, session=said) for n in range(3)]
        facts = [writer.form(ADA, name, said, tags=(said,)) for name in names[:2]]
        writer.recall(ADA, *facts)
        writer.recall(ADA, *facts)
        writer.relate(ADA, *facts, RelationKind.CAUSES)
        writer.change(ADA, facts[0], text=f"{said} {said}")
        writer.event(ADA, Action.RECORD, Recorded(None, Record(ADA, "grant", said, said, said)), ())
        store.reindex(ADA, "v1", iter(()))
    analyse()
    before, kept = other.digest(), own.number_of(ADA)
    url = addresses()[1] if how == "shared" else new_login(tenants[0])
    words = {"own": own.tenant, "other": other.tenant, "scope": other.number_of(ADA), "mine": urlsplit(url).username}
    words["them"] = urlsplit(new_login(tenants[1])).username
    chance, tries = Random(how), share(5_000)
    with connected(url, own.tenant) as connection:
        attacker = Attacker(connection, words, naming=how != "shared")
        while attacker.tries < tries:
            attacker.attack(chance)
    assert attacker.leaks == []
    assert attacker.refused > tries / 10
    assert other.digest() == before
    assert (other.check(), own.number_of(ADA)) == ([], kept)
    own.close()
    other.close()


def test_a_tenants_own_login_uses_the_store_and_no_other() -> None:
    """It reads and writes as the application does; of another tenant it sees nothing, and writes nothing."""
    from reverie.stores.postgres import PostgresStore

    mine, theirs = new_tenant(), new_tenant()
    shared = PostgresStore(addresses()[1], tenant=theirs)
    Writer(shared).remember(ADA, "tea")
    url = new_login(mine)
    own, same = PostgresStore(url, tenant=mine), PostgresStore(addresses()[1], tenant=mine)
    live_a_life(own, 7, 30)
    assert own.check() == []
    assert own.digest() == same.digest()
    assert content(own, ADA) == content(same, ADA)
    stranger = PostgresStore(url, tenant=theirs)
    assert (stranger.scopes(), stranger.head(ADA)[0]) == ([], 0)
    with pytest.raises(StoreError):
        Writer(stranger).remember(ADA, "rain")
    assert shared.stats(ADA).memories == 1
    for store in (shared, own, same, stranger):
        store.close()


def test_a_login_is_given_to_a_tenant_that_is_there_and_once_more_at_will() -> None:
    """Not to a user of the application, who may name any tenant."""
    from reverie.stores.postgres.schema import admit

    tenant, owner = new_tenant(), addresses()[0]
    login = str(urlsplit(new_login(tenant)).username)
    admit(owner, tenant, login)
    for named, given, error in (
        ("nobody", login, StoreMissing),
        (tenant, "reverie_app", InvalidInput),
        (tenant, "x" * 60, InvalidInput),
        (tenant, " ", InvalidInput),
    ):
        with pytest.raises(error):
            admit(owner, named, given)
    with pytest.raises(StoreError):
        admit(addresses()[1], tenant, login)


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
