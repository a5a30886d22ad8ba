"""Encrypted tenants: what lies on the server's disk, missing and wrong keys, shredding, a new master key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.engine.governance import EVERYBODY, Permission, Policy
from reverie.errors import NotFound, ReverieError, StoreCorrupt, StoreError
from reverie.events import Action, Recalled, Record, Recorded
from reverie.stores.postgres import PostgresStore
from reverie.stores.sqlite.cipher import Key
from tests.postgres_server import WHY_NOT, addresses, new_postgres, new_tenant, open_postgres
from tests.stores.making import ADA, ELSEWHERE, GRACE, MODEL, Writer, draft, vector

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

KEY, OTHER_KEY = Key("a1" * 32, "the tests"), Key("b2" * 32, "another place")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WORDS = ("zebra", "quokka", "ibex", "lemur", "okapi", "tapir")
"""Beginnings of words that stand in no file of a server but by what is said."""


@contextmanager
def by_hand() -> Iterator[Callable[..., list[tuple[object, ...]]]]:
    """Runs SQL as the server's owner, whom no policy holds."""
    import psycopg

    with psycopg.connect(addresses()[0].replace("reverie_owner@", "postgres@"), autocommit=True) as admin:

        def run(sql: str, *values: object) -> list[tuple[object, ...]]:
            done = admin.execute(sql, values)
            return done.fetchall() if done.description else []

        yield run


def tenant_of(store: PostgresStore) -> str:
    """The name of a store's tenant."""
    with by_hand() as run:
        return bytes(run("SELECT name FROM reverie.tenant WHERE id = %s", store.tenant)[0][0]).decode()  # type: ignore[call-overload]  # the column is bytea


def filled(store: PostgresStore, *scopes: Scope) -> Writer:
    """Writes what every kind of row holds into some scopes."""
    writer = Writer(store)
    for scope in scopes:
        names = [writer.remember(scope, f"tea {_}", message_id=f"x{_}") for _ in range(3)]
        writer.recall(scope, writer.form(scope, names[0], "a fact"), names[1])
        writer.event(scope, Action.RECORD, Recorded(None, Record(scope, "grant", "g", "grace", "{}")))
    return writer


def calls(store: PostgresStore, scope: Scope) -> dict[str, Callable[[], object]]:
    """Ways to ask for a scope."""
    return {
        "corpus": lambda: store.corpus(scope, MODEL),
        "memories": lambda: list(store.memories(scope)),
        "events": lambda: list(store.events(scope)),
        "records": lambda: store.records("grant", scope=scope),
        "stats": lambda: store.stats(scope),
        "digest": lambda: store.digest(scope),
        "shred": lambda: store.shred(scope, NOON),
        "write": lambda: Writer(store, prefix="w").remember(scope, "more"),
        "embed": lambda: store.put_vectors(MODEL, [(scope, "x", vector(1))]),
    }


def lived(address: str, kind: str, *scopes: Scope, key_file: str = "") -> Reverie:
    """An engine that has put a word into each place: text, speaker, session, message id, reason, policy."""
    text, speaker, session, message, reason, policy = (f"{word}{kind}" for word in WORDS)
    clock, ids = FixedClock(NOON), RandomIds(seed=5)
    how = {"embedder": HashEmbedder(64), "clock": clock, "ids": ids, "background": False, "key_file": key_file}
    memory = Reverie.open(address, **how)  # type: ignore[arg-type]  # options by name
    for scope in scopes:
        for number in range(6):
            said = f"My sister {text.title()} moved to Izmir, and I love the {text} number {number}."
            memory.observe(Message(said, speaker, session=session, message_id=f"{message}{number}"), scope)
        kept = memory.timeline(scope)
        memory.forget(kept[0].id, scope, why=f"the {reason} said so")
        memory.admin.set_policy(Policy("own", EVERYBODY, tuple(Permission)), scope)
        memory.admin.set_policy(Policy(policy, "ada", (Permission.READ,)), scope)
        memory.recall(f"Where is the {text}?", scope)
        memory.dream(scope)
    return memory


def found_in(folder: Path, kind: str) -> list[str]:
    """Which of the words some file of a server holds, in any case."""
    found = set()
    for file in (one for one in folder.rglob("*") if one.is_file()):
        data = file.read_bytes().lower()
        found |= {word for word in WORDS if f"{word}{kind}".encode() in data}
    return sorted(found)


def test_no_word_lies_in_the_servers_files(crashing: object, tmp_path: Path) -> None:
    """Neither in its tables nor in its log, before shredding or after; those of a tenant in clear lie there."""
    import psycopg

    from reverie.stores.postgres.schema import migrate
    from tools.postgres import APP, OWNER, Server

    assert isinstance(crashing, Server)
    migrate(crashing.url(OWNER), ("sealed",))
    folder, key = crashing.folder / "data", str(tmp_path / "store.key")
    clear = lived(f"{crashing.url(APP)}&tenant=t", "field", ADA)
    sealed = lived(f"{crashing.url(APP)}&tenant=sealed&encrypted=true", "hill", ADA, GRACE, key_file=key)
    with psycopg.connect(crashing.url(), autocommit=True) as admin:
        admin.execute("CHECKPOINT")
        assert (found_in(folder, "field"), found_in(folder, "hill")) == (sorted(WORDS), [])
        assert sealed.recall("Where is the zebrahill?", ADA).hits
        before = sealed.admin.digest()
        gone = sealed.admin.shred(ADA)
        admin.execute("CHECKPOINT")
        assert found_in(folder, "hill") == []
        assert (len(gone.memories) >= 6, gone.before[0] > 6, gone.after[0]) == (True, True, 0)
        for ask in (sealed.timeline, sealed.dream, sealed.admin.stats, sealed.admin.shred):
            with pytest.raises(NotFound, match="destroyed on 2026-06-01 12:00 UTC"):
                ask(ADA)
        for say in (sealed.recall, sealed.remember, sealed.observe):
            with pytest.raises(NotFound, match="destroyed on"):
                say("zebra", ADA)
        assert sealed.admin.scopes() == [GRACE]
        assert sealed.recall("Where is the zebrahill?", GRACE).hits
        assert sealed.admin.verify() == []
        assert sealed.admin.replay(":memory:") == sealed.admin.digest() != before
        left = admin.execute("SELECT count(*) FROM reverie.event").fetchone()
    assert left == (sealed.admin.head() + clear.admin.head(),)
    sealed.close()
    clear.close()


def test_an_anchor_tells_that_a_scope_was_shredded(tmp_path: Path) -> None:
    """Its journal is gone: whoever keeps an anchor is told so, and since when."""
    address = f"{addresses()[1]}&tenant={new_tenant()}&encrypted=true"
    with lived(address, "hill", ADA, GRACE, key_file=str(tmp_path / "k")) as memory:
        anchor = memory.admin.anchor()
        memory.admin.shred(ADA)
        (fault,) = memory.admin.verify(anchor)
    assert (fault.name, "destroyed on 2026-06-01" in fault.what) == ("anchor-gone", True)


def test_a_backup_is_encrypted_too(tmp_path: Path) -> None:
    """With the master key, into one file; it answers like the store."""
    pytest.importorskip("sqlcipher3", reason="the extra sqlcipher is not installed")
    key, copy = str(tmp_path / "store.key"), tmp_path / "copy.db"
    address = f"{addresses()[1]}&tenant={new_tenant()}&encrypted=true"
    with lived(address, "hill", ADA, key_file=key) as memory:
        memory.admin.backup(copy)
        assert memory.admin.replay(tmp_path / "replayed.db") == memory.admin.digest()
        assert found_in(tmp_path, "hill") == []
        with Reverie.open(f"sqlcipher:{copy}", embedder=None, key_file=key) as there:
            assert there.admin.digest() == memory.admin.digest()


@pytest.mark.parametrize("how", ["no key", "another key", "in clear", "not in clear"])
def test_a_wrong_way_to_open_says_what_to_do(how: str) -> None:
    """An encrypted tenant without its key, or with another; a tenant in clear as an encrypted one."""
    tenant = new_tenant()
    store = open_postgres(tenant, None if how == "in clear" else KEY)
    filled(store, ADA)
    store.close()
    expected = {
        "no key": "memories are encrypted",
        "another key": "another place is not the master key",
        "in clear": "not encrypted",
        "not in clear": "memories are encrypted",
    }
    given = {"no key": None, "another key": OTHER_KEY, "in clear": KEY, "not in clear": None}
    with pytest.raises(StoreError, match=expected[how]) as caught:
        open_postgres(tenant, given[how])
    assert caught.value.mend


@pytest.mark.parametrize("how", ["missing", "damaged", "another scope's", "another tenant's"])
def test_a_scope_without_its_key_harms_no_other(how: str) -> None:
    """NotFound for whatever is asked of it; the others, and what is asked of all, go on; a check names it."""
    store, other = new_postgres(KEY), new_postgres(KEY)
    filled(store, ADA, GRACE, ELSEWHERE)
    filled(other, ADA)
    alone = store.digest(GRACE)
    key = "(SELECT key FROM reverie.scope WHERE tenant = %s AND usr = %s AND project = 'house')"
    changed = {
        "missing": ("NULL", ()),
        "damaged": ("set_byte(key, 40, get_byte(key, 40) # 1)", ()),
        "another scope's": (key, (store.tenant, "grace")),
        "another tenant's": (key, (other.tenant, "ada")),
    }[how]
    with by_hand() as run:
        where = "tenant = %s AND usr = 'ada' AND project = 'house'"
        run(f"UPDATE reverie.scope SET key = {changed[0]} WHERE {where}", *changed[1], store.tenant)
    fresh = open_postgres(f"{tenant_of(store)}", KEY)
    for call in calls(fresh, ADA).values():
        with pytest.raises(NotFound, match="key of tester"):
            call()
    assert fresh.digest(GRACE) == alone
    assert Writer(fresh, prefix="n").remember(GRACE, "on and on")
    assert [record.scope for record in fresh.records("grant", scope=GRACE)] == [GRACE]
    assert [fault.name for fault in fresh.check()] == ["keys"]
    if how == "missing":
        assert fresh.scopes() == [ELSEWHERE, GRACE]
        assert len(fresh.records("grant", about="grace")) == 2
        assert fresh.digest()
    for one in (store, other, fresh):
        one.close()


def test_sealed_bytes_of_another_scope_are_damage() -> None:
    """Whoever moves a text from one scope into another is found out."""
    store = new_postgres(KEY)
    filled(store, ADA, GRACE)
    with by_hand() as run:
        theirs = "(SELECT text FROM reverie.memory WHERE scope = %s AND ord = 1)"
        run(f"UPDATE reverie.memory SET text = {theirs} WHERE scope = %s", store.number_of(GRACE), store.number_of(ADA))
    with pytest.raises(StoreCorrupt, match="another scope"):
        list(store.memories(ADA))
    assert len(list(store.memories(GRACE))) == 4
    store.close()


def test_another_worker_writes_no_more_into_a_shredded_scope() -> None:
    """It has the key in its memory still: what it wrote would be lost when it ends."""
    tenant = new_tenant()
    one, two = open_postgres(tenant, KEY), open_postgres(tenant, KEY)
    filled(one, ADA, GRACE)
    assert two.corpus(ADA, MODEL).size == 4
    one.shred(ADA, NOON)
    with pytest.raises(NotFound, match="destroyed"):
        Writer(two, prefix="w").remember(ADA, "more")
    with pytest.raises(NotFound, match="destroyed"):
        two.corpus(ADA, MODEL)
    assert two.happened(two.mark() + 20, (Action.RECORD,))
    assert two.corpus(GRACE, MODEL).size == 4
    assert two.check() == []
    with pytest.raises(NotFound, match="Nothing was ever said"):
        one.shred(Scope("tester", "nobody", "house"), NOON)
    one.close()
    two.close()


def test_a_recall_that_looked_before_a_shredding_counts_nothing_after_it() -> None:
    """It writes its one event by what it saw; the server refuses that for a scope whose key is gone."""
    tenant = new_tenant()
    one, two = open_postgres(tenant, KEY), open_postgres(tenant, KEY)
    filled(one, ADA)

    def recall() -> None:
        assert two.corpus(ADA, MODEL).size == 4
        one.shred(ADA, NOON)
        two.append(draft(ADA, Action.RECALL, Recalled(())), durable=False)

    with pytest.raises(NotFound, match="destroyed"):
        two.ahead(ADA, MODEL, recall, writes=False)
    assert two.check() == []
    with by_hand() as run:
        assert run("SELECT count(*) FROM reverie.event WHERE tenant = %s", one.tenant) == [(0,)]
    one.close()
    two.close()


def test_a_new_master_key_touches_no_row_of_a_memory() -> None:
    """The keys of scopes are wrapped anew, nothing else; the old key then opens nothing, a running worker goes on."""
    tenant = new_tenant()
    store, worker = open_postgres(tenant, KEY), open_postgres(tenant, KEY)
    filled(store, ADA, GRACE)
    assert worker.corpus(ADA, MODEL).size == 4
    place = "SELECT ctid::text, xmin::text, md5({0}::text) FROM reverie.{0} WHERE tenant = %s ORDER BY 1"
    with by_hand() as run:
        before = {table: run(place.format(table), store.tenant) for table in ("event", "memory", "vector", "record")}
        digest = store.digest()
        assert store.rewrap(OTHER_KEY) == 2
        assert {table: run(place.format(table), store.tenant) for table in before} == before
    assert Writer(store, prefix="s").remember(ELSEWHERE, "new")
    assert Writer(worker, prefix="r").remember(ADA, "goes on")
    with pytest.raises(StoreError, match="not the master key"):
        Writer(worker, prefix="r").remember(Scope("tester", "new", "house"), "refused")
    with pytest.raises(StoreError, match="not the master key"):
        list(worker.memories(ELSEWHERE))
    with pytest.raises(StoreError, match="not the master key"):
        worker.rewrap(KEY)
    with pytest.raises(StoreError, match="not the master key"):
        open_postgres(tenant, KEY)
    fresh = open_postgres(tenant, OTHER_KEY)
    assert (fresh.digest(GRACE) == store.digest(GRACE), fresh.digest() != digest, fresh.check()) == (True, True, [])
    for one in (store, worker, fresh):
        one.close()


def test_a_worker_that_opened_an_empty_tenant_in_clear_writes_nothing_there_in_clear() -> None:
    """Once somebody has encrypted it."""
    tenant = new_tenant()
    clear = open_postgres(tenant)
    sealed = open_postgres(tenant, KEY)
    with pytest.raises(StoreError, match="encrypted"):
        Writer(clear).remember(ADA, "tea")
    Writer(sealed).remember(ADA, "tea")
    with pytest.raises(ReverieError):
        list(clear.memories(ADA))
    with pytest.raises(StoreError, match="not encrypted"):
        new_postgres().shred(ADA, NOON)
    clear.close()
    sealed.close()


def test_equal_words_are_not_equal_in_the_tables() -> None:
    """But for names, which are counted: no text, term or vector shows that it is another's."""
    store = new_postgres(KEY)
    writer = Writer(store)
    for _ in range(3):
        writer.remember(ADA, "tea and tea", session="same")
    with by_hand() as run:
        for column, count in {"text": 3, "terms": 3, "speaker": 1, "session": 1}.items():
            found = run(f"SELECT count(DISTINCT {column}) FROM reverie.memory WHERE tenant = %s", store.tenant)
            assert (column, found) == (column, [(count,)])
        assert run("SELECT count(DISTINCT salt) FROM reverie.event WHERE tenant = %s", store.tenant) == [(3,)]
    store.close()
