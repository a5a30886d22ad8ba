"""Stores that somebody else made: opening one runs no SQL but ours, and always ends."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from reverie.errors import ReverieError, StoreCorrupt
from reverie.stores.sqlite import SqliteStore, connection, schema
from reverie.stores.sqlite.connection import Connection
from tests.stores.making import ADA, Writer, live_a_life

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
TABLES = sorted(row[1] for row in schema.form(schema.VERSION) if row[0] == "table")
HOSTILE = {
    **{
        f"{table} as an endless view": f"""DROP TABLE {table};
            CREATE VIEW {table} AS {ENDLESS} 'analyzer' AS name, i AS value FROM n"""
        for table in TABLES
    },
    "the view of ours with other SQL": f"DROP VIEW coverage; CREATE VIEW coverage AS {ENDLESS} i FROM n",
    "a view more": "CREATE VIEW more AS SELECT 1",
    "a table more": "CREATE TABLE more (x)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM memory; END",
    "a temporary-looking trigger": "CREATE TRIGGER t INSTEAD OF INSERT ON coverage BEGIN DELETE FROM memory; END",
    "an index on an expression": "CREATE INDEX more ON memory (length(hex(zeroblob(1000))), key)",
    "a partial index": "CREATE INDEX more ON memory (key) WHERE length(hex(zeroblob(1000))) > 1",
    "a virtual table of another module": "CREATE VIRTUAL TABLE more USING fts5 (x)",
    "the index of an older version": """CREATE VIRTUAL TABLE lexical USING fts5
        (tokens, content = 'event', content_rowid = 'seq', tokenize = 'ascii', columnsize = 0)""",
    "a generated column": "ALTER TABLE memory ADD COLUMN more AS (hex(zeroblob(100000000)))",
    "a check": "DROP TABLE meta; CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (random())) "
    "WITHOUT ROWID",
    "a default": "DROP TABLE meta; CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL DEFAULT "
    "(hex(zeroblob(900000000)))) WITHOUT ROWID",
    "a huge view": "DROP TABLE meta; CREATE VIEW meta AS SELECT 'analyzer' AS name, hex(zeroblob(900000000)) AS value",
    "a table of another case": "ALTER TABLE meta RENAME TO x; ALTER TABLE x RENAME TO Meta",
    "a schema written by hand": """PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'view',
        sql = 'CREATE VIEW meta AS SELECT 1 AS name, 2 AS value', rootpage = 0 WHERE name = 'meta'""",
    "a schema that is no text": """PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = x'ff00' WHERE name = 'meta'""",
    "a schema that quotes a name": """PRAGMA writable_schema = ON; UPDATE sqlite_master
        SET sql = 'CREATE TABLE "meta" (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID'
        WHERE name = 'meta'""",
}
"""What somebody may have done to a store of ours before handing it out."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with some life in it."""
    path = tmp_path_factory.mktemp("whole") / "store"
    with closing(SqliteStore(path)) as store:
        live_a_life(store, 1, 30)
    return path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy of it to do something to."""
    return Path(shutil.copy(whole, tmp_path / "store"))


def tamper(path: Path, script: str) -> None:
    """Run SQL on a file as somebody else would."""
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(script)


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("version", [schema.VERSION, 1])
def test_a_schema_that_is_not_ours_is_refused(copy: Path, what: str, version: int) -> None:
    """At once, with what to do, and without a byte changed; an older number in the file makes no difference."""
    tamper(copy, f"{HOSTILE[what]}; PRAGMA user_version = {version}")
    before = copy.read_bytes()
    with pytest.raises(StoreCorrupt) as refused:
        SqliteStore(copy)
    assert refused.value.mend
    assert copy.read_bytes() == before


@pytest.mark.parametrize("name", ["meta", "event"])
def test_a_schema_before_the_first_version_is_refused(tmp_path: Path, name: str) -> None:
    """A file that says it is new, with a trigger or a view waiting in it for the tables that we make."""
    path = tmp_path / "store"
    tamper(
        path,
        f"""CREATE TABLE x (y); PRAGMA writable_schema = ON;
        INSERT INTO sqlite_master VALUES ('view', '{name}', '{name}', 0, 'CREATE VIEW {name} AS SELECT 1');
        PRAGMA schema_version = 0""",
    )
    with pytest.raises(ReverieError) as refused:
        SqliteStore(path)
    assert refused.value.mend


def test_the_schemas_of_all_versions_are_known() -> None:
    """The fingerprints are those of what the migrations make."""
    made = [schema.fingerprint(schema.form(number)) for number in range(1, schema.VERSION + 1)]
    assert made == list(schema.FINGERPRINTS)


@pytest.mark.parametrize("script", ["ANALYZE", "DROP INDEX memory_timeline", "VACUUM", "PRAGMA journal_mode = DELETE"])
def test_what_sqlite_itself_adds_or_takes_is_no_fault(copy: Path, script: str) -> None:
    """Counts for its planner, a file written anew, another journal: the store opens, keeps and recalls."""
    tamper(copy, script)
    with closing(SqliteStore(copy)) as store:
        Writer(store, "more").remember(ADA, "tea again")
        faults = [fault.what for fault in store.check()]
    assert faults == (["The index memory_timeline is gone."] if "DROP" in script else [])


@pytest.mark.parametrize(
    "pragmas",
    [
        *("page_size = 512", "page_size = 65536", "auto_vacuum = FULL", "auto_vacuum = INCREMENTAL"),
        *("encoding = 'UTF-16le'", "journal_mode = PERSIST", "journal_mode = TRUNCATE", "secure_delete = ON"),
    ],
)
def test_an_odd_form_of_the_file_is_read_all_the_same(tmp_path: Path, pragmas: str) -> None:
    """Pages, vacuum, encoding and journal of another kind are no hindrance."""
    path = tmp_path / "store"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(f"PRAGMA {pragmas}")
        for number in range(1, schema.VERSION + 1):
            for statement in schema.statements(number):
                raw.execute(statement)
        raw.execute(f"PRAGMA user_version = {schema.VERSION}")
        raw.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    with closing(SqliteStore(path)) as store:
        Writer(store).remember(ADA, "tea")
        assert len(list(store.memories(ADA))) == 1
        assert store.check() == []


def test_a_schema_changed_under_an_open_store_is_noticed(copy: Path) -> None:
    """A trigger that another process adds is refused by the next write and by the next search."""
    with closing(SqliteStore(copy)) as store:
        Writer(store, "x").remember(ADA, "tea")
        tamper(copy, HOSTILE["a trigger"])
        with pytest.raises(StoreCorrupt, match="trigger 't' is not ours"):
            Writer(store, "y").remember(ADA, "tea")
        with pytest.raises(StoreCorrupt, match="trigger 't' is not ours"):
            store.corpus(ADA, None)
        tamper(copy, "DROP TRIGGER t")
        Writer(store, "z").remember(ADA, "tea")
        assert store.check() == []


class Clock:
    """A clock that goes on a second each time that somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("read", ["row", "rows", "run", "blocks", "small blocks"])
def test_a_statement_without_end_ends(tmp_path: Path, read: str) -> None:
    """Even where a hostile schema got through, each way to read has a deadline, and the connection works afterwards."""
    held = Connection(tmp_path / "file", mode="mode=rwc", busy_timeout_s=0, clock=Clock())
    endless = f"{ENDLESS} count(*) FROM n"
    ways: dict[str, Callable[[], object]] = {
        "row": lambda: held.row(endless),
        "rows": lambda: held.rows(endless),
        "run": lambda: held.run(f"CREATE TABLE t AS {endless}"),
        "blocks": lambda: list(held.blocks(endless)),
        "small blocks": lambda: [held.row("SELECT 1") for _ in held.blocks(f"{ENDLESS} i FROM n")],
    }
    with pytest.raises(StoreCorrupt, match="never ends"):
        ways[read]()
    assert held.row("SELECT 1") == (1,)
    held.close()


def test_an_interrupt_reaches_the_user(tmp_path: Path) -> None:
    """Ctrl-C while SQLite works is an interrupt, not an error of the store."""

    def pressed() -> float:
        raise KeyboardInterrupt

    held = Connection(tmp_path / "file", mode="mode=rwc", busy_timeout_s=0, clock=pressed)
    with pytest.raises(KeyboardInterrupt):
        held.row(f"{ENDLESS} count(*) FROM n")
    assert held.row("SELECT 1") == (1,)
    held.close()


def test_pages_that_name_each_other_end(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Branches that all lead to one leaf hold endless rows within a sound schema: reading them ends in time."""
    monkeypatch.setattr(connection, "STATEMENT_S", 0.2)
    with closing(sqlite3.connect(copy)) as raw:
        (root,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'memory'").fetchone()
        (first,) = raw.execute("SELECT min(key) FROM memory").fetchone()
        size = raw.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(copy.read_bytes())
    start, cells = (root - 1) * size, 200
    leaf = len(data) // size + 1  # a leaf page of its own at the end
    data += data[start : start + size] if data[start] == 13 else bytes([13]) + bytes(size - 1)
    inner = leaf + 1
    data += bytes(size) * 2
    for page, child in ((root, inner), (inner, inner + 1), (inner + 1, leaf)):
        at = (page - 1) * size
        body = bytearray(size)
        body[0] = 5
        end = size
        pointers = []
        for _ in range(cells):
            cell = struct.pack(">I", child) + bytes([first & 0x7F])
            end -= len(cell)
            body[end : end + len(cell)] = cell
            pointers.append(end)
        struct.pack_into(">HHHBI", body, 1, 0, cells, end, 0, child)
        for number, pointer in enumerate(pointers):
            struct.pack_into(">H", body, 12 + 2 * number, pointer)
        data[at : at + size] = body
    struct.pack_into(">I", data, 28, len(data) // size)
    copy.write_bytes(data)
    began = time.monotonic()
    with suppress(ReverieError), closing(SqliteStore(copy)) as store:
        for look in (store.check, lambda: store.corpus(ADA, None), lambda: list(store.memories(ADA))):
            with suppress(ReverieError):
                look()
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "loop"])
def test_what_is_no_file_beside_the_store_is_refused(copy: Path, end: str, kind: str) -> None:
    """A pipe would be waited for without end, a link would lead a write elsewhere."""
    beside = copy.with_name(copy.name + end)
    victim = copy.with_name("victim")
    victim.write_text("mine")
    {
        "pipe": lambda: os.mkfifo(beside),
        "link": lambda: beside.symlink_to(victim),
        "folder": beside.mkdir,
        "loop": lambda: beside.symlink_to(beside),
    }[kind]()
    with pytest.raises(StoreCorrupt, match="no ordinary file"):
        SqliteStore(copy)
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_link_to_a_device_is_no_store(tmp_path: Path, name: str) -> None:
    """Nor is it read."""
    (tmp_path / "store").symlink_to(name)
    with pytest.raises(ReverieError) as refused:
        SqliteStore(tmp_path / "store")
    assert refused.value.mend


def test_a_journal_deletes_no_other_file(copy: Path) -> None:
    """A rollback journal that names a journal over several files makes SQLite delete that one: refused before."""
    victim = copy.with_name("victim")
    victim.write_text("mine")
    name = str(victim).encode()
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 0, 1, 512, 4096)
    end = struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name))
    copy.with_name("store-journal").write_bytes(header.ljust(512, b"\0") + end + bytes.fromhex("d9d505f920a163d7"))
    with pytest.raises(StoreCorrupt, match="names another file"):
        SqliteStore(copy)
    assert victim.read_text() == "mine"
