"""What a server adds: round trips, waiting writers, lost connections, a server that is killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import numpy as np
import pytest

from reverie import Message, Reverie
from reverie.errors import Conflict, ReverieError, StoreBusy, StoreTooNew
from reverie.events import Action, Recalled
from reverie.stores.postgres import connection as wire
from reverie.types import Scope
from tests.postgres_server import WHY_NOT, addresses, new_postgres, new_tenant
from tests.stores.making import ADA, GRACE, MODEL, Writer, draft

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def test_round_trips_are_few() -> None:
    """Five for a recall; two for a transaction that writes a message, ids and places looked up included."""
    tenant = new_tenant()
    with Reverie.open(addresses()[1], tenant=tenant, embedder="hash", background=False) as memory:
        for day in range(4):
            memory.remember(f"Zeynep lives in Izmir {day}", ADA, at=JUNE + timedelta(days=day))
        link = memory._context.store.link  # type: ignore[attr-defined]  # the store is a PostgresStore
        memory.recall("Where does Zeynep live?", ADA)
        before = link.trips
        memory.recall("Who lives in Izmir?", ADA)
        assert link.trips - before <= 5
        before = link.trips
        memory.remember(Message("Zeynep moved", message_id="m"), ADA)
        assert link.trips - before <= 2


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


def test_a_lost_connection_is_replaced() -> None:
    """Readers and the next writer do not notice that the server dropped every connection meanwhile."""
    import psycopg

    store = new_postgres()
    writer = Writer(store)
    writer.remember(ADA, "tea")
    with psycopg.connect(addresses()[0].replace("reverie_owner@", "postgres@"), autocommit=True) as admin:
        # waits until they are gone: one that goes in the middle of a transaction is another matter
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'reverie_app'"
        admin.execute(ended)
        assert store.head(ADA)[0] == 1
        admin.execute(ended)
        writer.remember(ADA, "rain")
    assert store.corpus(ADA, MODEL).size == 2
    assert store.check() == []
    store.close()


def test_a_newer_schema_is_left_alone() -> None:
    """Neither opened nor migrated."""
    import psycopg

    from reverie.stores.postgres import PostgresStore
    from reverie.stores.postgres.schema import migrate

    tenant = new_tenant()
    owner = addresses()[0]
    with psycopg.connect(owner, autocommit=True) as admin:
        admin.execute("INSERT INTO reverie.migration VALUES (9999)")
        try:
            with pytest.raises(StoreTooNew):
                PostgresStore(addresses()[1], tenant=tenant)
            with pytest.raises(StoreTooNew):
                migrate(owner)
        finally:
            admin.execute("DELETE FROM reverie.migration WHERE version = 9999")


@pytest.fixture
def crashing() -> Iterator[object]:
    """A server of one's own that syncs its log, as a real one does."""
    from reverie.stores.postgres.schema import migrate
    from tools.postgres import OWNER, Server, prepare

    server = Server(fsync=True)
    server.make()
    server.start()
    prepare(server.url())
    migrate(server.url(OWNER), ("t",))
    yield server
    server.stop()


def test_what_was_acknowledged_outlives_a_killed_server(
    crashing: object, share: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writers in two scopes while the server is killed: nothing acknowledged is lost, no chain breaks."""
    from reverie.stores.postgres import PostgresStore
    from tools.postgres import APP, Server

    assert isinstance(crashing, Server)
    monkeypatch.setattr(wire, "WAIT_S", 0.5)
    scopes = (ADA, GRACE, draft(ADA, Action.RECALL, Recalled(())).scope)[:2]
    kept: dict[Scope, list[str]] = {scope: [] for scope in scopes}
    for turn in range(share(20)):
        ready, ended = Barrier(len(scopes) + 1), []

        def write(scope: Scope, turn: int = turn, ready: Barrier = ready, ended: list[object] = ended) -> None:
            store = PostgresStore(crashing.url(APP), tenant="t")
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
        crashing.kill()
        for thread in threads:
            thread.join()
        assert len(ended) == len(scopes)
        crashing.start()
    store = PostgresStore(crashing.url(APP), tenant="t")
    for scope, names in kept.items():
        there = {memory.id for memory in store.memories(scope)}
        assert names
        assert not set(names) - there
    assert store.check() == []
    store.close()
