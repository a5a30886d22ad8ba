"""What a server adds: round trips, waiting writers, lost connections, a server that is killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from reverie import FixedClock, Message, Reverie
from reverie.engine.governance import Permission, Policy
from reverie.engine.requests import Caller, calling
from reverie.errors import Conflict, Denied, ReverieError, StoreBusy, StoreError, StoreReadOnly, StoreTooNew
from reverie.events import Action, Draft, Recalled
from reverie.stores.postgres import connection as wire
from reverie.types import Scope
from tests.postgres_server import WHY_NOT, addresses, new_postgres, new_tenant, own_server
from tests.stores.making import ADA, GRACE, MODEL, Writer, draft


@pytest.fixture(scope="module")
def crashing() -> Iterator[tuple[Any, str]]:
    """A server of this module's own, and its address: what is done to it, others must not feel."""
    with own_server() as found:
        yield found


pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def opened(tenant: str) -> Reverie:
    return Reverie.open(addresses()[1], tenant=tenant, embedder="hash", background=False)


def trips(memory: Reverie, do: Callable[[], object]) -> int:
    link = memory._context.store.link  # type: ignore[attr-defined]  # the store is a PostgresStore
    before: int = link.trips
    do()
    after: int = link.trips
    return after - before


def test_round_trips_are_few() -> None:
    """Three for a recall; two for a message, with policies, ids and places. The limits are five and two."""
    with opened(new_tenant()) as memory:
        for day in range(60):
            memory.remember(f"Zeynep lives in Izmir {day}", ADA, at=JUNE + timedelta(days=day))
        memory.recall("Where does Zeynep live?", ADA)
        assert trips(memory, lambda: memory.recall("Who lives in Izmir?", ADA)) <= 3
        assert trips(memory, lambda: memory.remember(Message("Zeynep moved", message_id="m"), ADA)) <= 2
        assert trips(memory, lambda: memory.recall("Who moved?", ADA)) <= 5


def test_round_trips_stay_few_beside_another_worker() -> None:
    """What the other wrote is seen; a count that it overtook is written after it."""
    tenant = new_tenant()
    with opened(tenant) as one, opened(tenant) as two:
        for number, memory in enumerate((one, two)):
            memory.remember(f"Zeynep lives in Izmir {number}", ADA)
            memory.recall("Where does Zeynep live?", ADA)
        assert trips(one, lambda: one.remember(Message("Zeynep moved", message_id="m"), ADA)) <= 2
        found = []
        assert trips(two, lambda: found.append(two.recall("Who moved?", ADA))) <= 5
        assert "Zeynep moved" in [hit.memory.text for hit in found[0].hits]


def test_a_count_that_was_overtaken_is_written_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes between a recall's look and its count: both are there, one behind the other."""
    tenant = new_tenant()
    with opened(tenant) as one, opened(tenant) as two:
        one.remember("Zeynep lives in Izmir", ADA)
        one.recall("Where does Zeynep live?", ADA)
        store = one._context.store
        append = store.append  # type: ignore[attr-defined]  # the store is a PostgresStore

        def late(given: Draft, durable: bool) -> object:
            two.remember("Zeynep moved", ADA)
            return append(given, durable)

        monkeypatch.setattr(store, "append", late)
        one.recall("Where does Zeynep live?", ADA)
        told = [event.action for event in store.events(ADA)]
        assert told == [Action.REMEMBER, Action.RECALL, Action.REMEMBER, Action.RECALL]
        assert store.check() == []


def test_policies_of_another_worker_hold_at_once() -> None:
    """Who was allowed to write is denied as soon as another worker has said so, and allowed as soon as that ends."""
    tenant = new_tenant()
    with opened(tenant) as one, opened(tenant) as two:
        one.remember("tea", ADA)
        one.remember("rain", ADA)
        with calling(Caller("chief")):
            two.admin.set_policy(Policy("all", "chief", tuple(Permission)), ADA)
        for _ in range(2):
            with pytest.raises(Denied):
                one.remember("snow", ADA)
        with calling(Caller("chief")):
            one.remember("sun", ADA)
            two.admin.drop_policy("all", ADA)
        one.remember("wind", ADA)
        assert [memory.text for memory in two.timeline(ADA)] == ["tea", "rain", "sun", "wind"]


def test_a_writer_waits_for_another_of_its_scope_and_then_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """StoreBusy after the time set; other scopes are written meanwhile, and readers never wait."""
    monkeypatch.setattr(wire, "LOCK_MS", 200)
    store = new_postgres()
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    found: list[object] = []

    def write(scope: Scope) -> None:
        try:
            with store.begin(scope, durable=True) as tx:
                found.append(tx.append(draft(scope, Action.RECALL, Recalled(()))).seq)
        except ReverieError as error:
            found.append(type(error))

    with store.begin(ADA, durable=True) as tx:
        tx.append(draft(ADA, Action.RECALL, Recalled((name,))))
        store.memory(ADA, name)  # what was collected is sent
        for scope in (ADA, GRACE):
            thread = Thread(target=write, args=(scope,))
            thread.start()
            thread.join()
        seen: list[int] = []
        reader = Thread(target=lambda: seen.append(store.corpus(ADA, MODEL).size))
        reader.start()
        reader.join()
    assert (found, seen) == ([StoreBusy, 1], [1])
    assert store.head(ADA)[0] == 2
    store.close()


def test_another_worker_sees_what_was_committed() -> None:
    """The next reading of any process has it: new messages, ended validity, vectors put later, an erasure."""
    from reverie.stores.postgres import PostgresStore

    tenant = new_tenant()
    one, two = (PostgresStore(addresses()[1], tenant=tenant) for _ in range(2))
    writer = Writer(one)
    name = writer.remember(ADA, "tea", embedded=None)
    assert two.corpus(ADA, MODEL).size == 1
    other = writer.remember(ADA, "rain")
    assert (two.corpus(ADA, MODEL).size, two.corpus(ADA, MODEL).embedded) == (2, 1)
    one.put_vectors(MODEL, [(ADA, name, two.corpus(ADA, MODEL).vectors_of(np.array([1]))[0])])
    assert two.corpus(ADA, MODEL).embedded == 2
    assert two.corpus(ADA, MODEL).postings("rain").ordinals.tolist() == [1]
    writer.erase(ADA, other)
    assert (two.corpus(ADA, MODEL).size, two.corpus(ADA, MODEL).postings("rain").ordinals.size) == (1, 0)
    with one.alone(ADA), pytest.raises(Conflict), two.alone(ADA):
        pass
    one.close()
    two.close()


def test_a_lost_connection_is_replaced(crashing: tuple[Any, str]) -> None:
    """Readers and the next writer do not notice that the server dropped every connection meanwhile."""
    import psycopg

    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.schema import migrate

    migrate(crashing[0].url("reverie_owner"), ("lost",))
    store = PostgresStore(crashing[1].partition("&")[0], tenant="lost")
    writer = Writer(store)
    writer.remember(ADA, "tea")
    with psycopg.connect(crashing[0].url(), autocommit=True) as admin:
        # waits until they are gone: one that goes in the middle of a transaction is another matter
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'reverie_app'"
        admin.execute(ended)
        assert store.head(ADA)[0] == 1
        admin.execute(ended)
        writer.remember(ADA, "rain")
    assert store.corpus(ADA, MODEL).size == 2
    assert store.check() == []
    store.close()


def test_a_pooler_between_transactions_is_refused() -> None:
    """At the start: behind it a session's tenant and locks would be another's. A server itself is not refused."""
    from reverie.stores.postgres import PostgresStore
    from tests.stores.postgres.pooler import pooling

    tenant, url = new_tenant(), addresses()[1]
    folder = url.partition("host=")[2]
    if not folder:
        pytest.skip("the server named is not on a unix socket")
    with (
        TemporaryDirectory(dir="/tmp") as short,
        pooling(Path(folder), Path(short)) as between,
        pytest.raises(StoreError, match="a pooler") as caught,
    ):
        PostgresStore(url.replace(folder, between), tenant=tenant)
    assert "the server itself" in caught.value.mend
    PostgresStore(url, tenant=tenant).close()


def test_a_replica_answers_and_does_not_count(crashing: tuple[Any, str]) -> None:
    """Recall gives the same hits, and its trace says that nothing was counted; writing is an error."""
    import psycopg

    from reverie.stores.postgres.schema import migrate

    address, tenant = crashing[1].partition("&")[0], "replica"
    migrate(crashing[0].url("reverie_owner"), (tenant,))
    how = {"embedder": "hash", "background": False, "clock": FixedClock(JUNE)}
    with Reverie.open(address, tenant=tenant, **how) as memory:  # type: ignore[arg-type]  # options by name
        memory.remember("Zeynep lives in Izmir", ADA)
        before = memory.recall("Where does Zeynep live?", ADA)
        admin = psycopg.connect(crashing[0].url(), autocommit=True)
        admin.execute("ALTER ROLE reverie_app SET default_transaction_read_only = on")
        try:
            with Reverie.open(address, tenant=tenant, **how) as replica:  # type: ignore[arg-type]  # as above
                answer = replica.recall("Where does Zeynep live?", ADA)
                with pytest.raises(StoreReadOnly, match="replica"):
                    replica.remember("tea", ADA)
                assert replica.admin.doctor() == []
        finally:
            admin.execute("ALTER ROLE reverie_app RESET default_transaction_read_only")
            admin.close()
        assert [hit.memory.text for hit in answer.hits] == [hit.memory.text for hit in before.hits]
        assert any("not counted" in step.note and "replica" in step.note for step in answer.trace)
        assert memory.admin.stats(ADA).accesses == 1


def test_a_newer_schema_is_left_alone(crashing: tuple[Any, str]) -> None:
    """Neither opened nor migrated."""
    import psycopg

    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.schema import migrate

    owner = crashing[0].url("reverie_owner")
    with psycopg.connect(owner, autocommit=True) as admin:
        admin.execute("INSERT INTO reverie.migration VALUES (9999)")
        try:
            with pytest.raises(StoreTooNew):
                PostgresStore(crashing[1].partition("&")[0], tenant="test")
            with pytest.raises(StoreTooNew):
                migrate(owner)
        finally:
            admin.execute("DELETE FROM reverie.migration WHERE version = 9999")


def test_what_was_acknowledged_outlives_a_killed_server(
    crashing: tuple[Any, str], share: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writers in two scopes while the server is killed: nothing acknowledged is lost, no chain breaks."""
    from reverie.stores.postgres import PostgresStore

    server, url = crashing[0], crashing[1].partition("&")[0]
    monkeypatch.setattr(wire, "WAIT_S", 0.5)
    scopes = (ADA, GRACE, draft(ADA, Action.RECALL, Recalled(())).scope)[:2]
    kept: dict[Scope, list[str]] = {scope: [] for scope in scopes}
    for turn in range(share(20)):
        ready, ended = Barrier(len(scopes) + 1), []

        def write(scope: Scope, turn: int = turn, ready: Barrier = ready, ended: list[object] = ended) -> None:
            store = PostgresStore(url, tenant="test")
            writer = Writer(store, prefix=f"{turn}-", durable=True)
            ready.wait()
            try:
                while True:
                    kept[scope].append(writer.remember(scope, "tea"))
            except ReverieError as error:
                ended.append(error)
            finally:
                store.close()

        threads = [Thread(target=write, args=(scope,)) for scope in scopes]
        for thread in threads:
            thread.start()
        ready.wait()
        threads[0].join(0.2)
        server.kill()
        for thread in threads:
            thread.join()
        assert len(ended) == len(scopes)
        server.start()
    store = PostgresStore(url, tenant="test")
    for scope, names in kept.items():
        there = {memory.id for memory in store.memories(scope)}
        assert names
        assert not set(names) - there
    assert store.check() == []
    store.close()
