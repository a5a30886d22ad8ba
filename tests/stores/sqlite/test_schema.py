"""The file's form: new files, older files, newer files, foreign files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import InvalidInput, StoreCorrupt, StoreTooNew
from reverie.events import Draft, Erased
from reverie.stores import codec
from reverie.stores.sqlite import SqliteStore, schema
from reverie.stores.sqlite.connection import Connection, text
from tests.stores.making import ADA, GRACE, MODEL, OTHER_MODEL, Writer, at, content, live_a_life, vector


def form(path: Path) -> list[tuple[str, str]]:
    """Every table and index of a file."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()
    connection.close()
    return rows


def made_as(path: Path, version: int) -> Path:
    """A new file of a version."""
    connection = Connection(path, mode="mode=rwc", busy_timeout_s=1)
    connection.run("PRAGMA journal_mode = WAL")
    schema.migrate(connection, version)
    connection.close()
    return path


def seventh_version(path: Path) -> None:
    """Turn a file into what the seventh version would have written: the text index was FTS5's."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("DROP TABLE posting; DROP TABLE block; DELETE FROM meta WHERE name = 'overwriting';")
    for sql in schema.statements(1):
        if "lexical" in sql:
            connection.execute(sql)
    connection.execute("INSERT INTO lexical (lexical) VALUES ('rebuild')")
    connection.execute("PRAGMA user_version = 7")
    connection.close()


def sixth_version(path: Path) -> None:
    """Turn a file into what the sixth version would have written: one chain over all scopes."""
    with closing(SqliteStore(path, create=False)) as store:
        events = list(store.in_order(0))
        rows = [
            store._connection.row("SELECT scope, payload FROM event WHERE position = ?", (n + 1,))
            for n in range(len(events))
        ]
    places = {(event.scope, event.seq): number for number, event in enumerate(events, 1)}
    seventh_version(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "DROP TABLE event;"
        + _statement(1, "CREATE TABLE event (")
        + "".join(
            _statement(number, f"CREATE INDEX {name} ")
            for number, name in ((3, "event_change"), (4, "event_recall"), (4, "event_dream"), (4, "event_observed"))
        )
    )
    previous = codec.NO_HASH
    for number, (event, row) in enumerate(zip(events, rows, strict=True), 1):
        assert row is not None
        raw = row[1]
        if isinstance(event.payload, Erased):
            named = (
                tuple(places[event.scope, seq] for seq in some)
                for some in (event.payload.events, event.payload.reasons)
            )
            erased = replace(event.payload, **dict(zip(("events", "reasons"), named, strict=True)))
            raw = codec.encode(
                Draft(event.scope, event.at, event.actor, event.action, event.why, erased, event.salt or b"")
            )
        made = codec.resealed(event, raw, number, previous)
        previous = made.hash
        connection.execute(
            f"INSERT INTO event VALUES ({', '.join('?' * 11)})",
            (
                number,
                row[0],
                codec.to_micros(made.at),
                text(made.actor),
                made.action.value,
                text(made.why),
                raw,
                made.salt,
                *(bytes.fromhex(each) for each in (made.digest, made.previous, made.hash)),
            ),
        )
    connection.execute("PRAGMA user_version = 6")
    connection.close()


def _statement(number: int, start: str) -> str:
    """A statement of a migration."""
    (found,) = (one for one in schema.statements(number) if start in one)
    return found[found.index(start) :]


def first_version(path: Path) -> None:
    """Turn a file into what the first version would have written: without what later migrations added."""
    sixth_version(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "DROP INDEX event_dream; DROP INDEX event_observed; DROP INDEX memory_closed;"
        "DROP TABLE touch; DROP INDEX event_recall; DROP INDEX access_often; DROP INDEX standing_state;"
        "DROP TABLE standing; DROP TABLE source; DROP TABLE relation; DROP TABLE companion;"
        "DROP INDEX event_change; CREATE INDEX event_change ON event (scope, seq) WHERE action IN ('forget', 'erase');"
        "DROP VIEW coverage; DROP TABLE lacking; DROP INDEX memory_timeline; DROP TABLE record;"
        "PRAGMA user_version = 1;"
    )
    connection.close()


def test_an_older_file_is_upgraded_with_its_content(tmp_path: Path) -> None:
    """A file of the first version opens, tells what it told, counts its vectors, and passes the check."""
    path = tmp_path / "old"
    store = SqliteStore(path)
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.recall(ADA, writer.remember(ADA, word))
    writer.forget(ADA, writer.remember(ADA, "violin"), at(1))
    Writer(store, "w").remember(GRACE, "tea", embedded=OTHER_MODEL)
    before = [content(store, scope) for scope in (ADA, GRACE)]
    digest, counts = store.digest(), (store.missing(MODEL), store.missing(OTHER_MODEL), store.stats(GRACE).embedded)
    store.close()
    first_version(path)
    assert form(path) == form(made_as(tmp_path / "v1", 1))

    store = SqliteStore(path, create=False)
    assert [content(store, scope) for scope in (ADA, GRACE)] == before
    assert (store.missing(MODEL), store.missing(OTHER_MODEL), store.stats(GRACE).embedded) == counts
    assert store.digest() == digest
    assert store.check() == []
    live_a_life(store, 5, 40)
    assert store.check() == []
    store.close()
    assert form(path) == form(made_as(tmp_path / "v2", schema.VERSION))


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_file_of_every_version_is_upgraded_with_its_content(tmp_path: Path, version: int) -> None:
    """Whichever version wrote it, every memory, count and hash is there after one opening."""
    path = tmp_path / "old"
    store = SqliteStore(path)
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.recall(ADA, writer.remember(ADA, word))
    writer.forget(ADA, writer.remember(ADA, "violin"), at(1))
    Writer(store, "w").remember(GRACE, "tea", embedded=OTHER_MODEL)
    before, digest = [content(store, scope) for scope in (ADA, GRACE)], store.digest()
    store.close()
    first_version(path)
    connection = Connection(path, mode="mode=rw", busy_timeout_s=1)
    schema.migrate(connection, version)
    connection.close()
    assert form(path) == form(made_as(tmp_path / "new", version))
    store = SqliteStore(path, create=False)
    assert [content(store, scope) for scope in (ADA, GRACE)] == before
    assert (store.digest(), store.check()) == (digest, [])
    store.close()


def fourth_version(path: Path) -> None:
    """Turn a file into what the fourth version would have written: it counted vectors, and growth apart."""
    sixth_version(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "CREATE TABLE kept AS SELECT * FROM coverage; DROP VIEW coverage; DROP TABLE lacking;"
        "DROP INDEX memory_timeline; DROP TABLE record;"
        + "".join(statement for statement in schema.statements(2) if "CREATE" in statement)
        + "INSERT INTO coverage SELECT * FROM kept; DROP TABLE kept;"
        "CREATE INDEX memory_growth ON memory (scope, kind, recorded_at / 86400000000); PRAGMA user_version = 4;"
    )
    connection.close()


def test_a_file_that_counted_vectors_is_upgraded(tmp_path: Path) -> None:
    """Some memories with a vector of either model, of both, of none: as many as before, and as sound."""
    path = tmp_path / "old"
    store = SqliteStore(path)
    writer = Writer(store)
    names = [writer.remember(ADA, word, embedded=None) for word in ("tea", "rain", "ship", "violin")]
    store.put_vectors(MODEL, [(ADA, name, vector(1)) for name in names[:3]])
    store.put_vectors(OTHER_MODEL, [(ADA, names[0], vector(2))])
    before = (content(store, ADA), store.missing(MODEL), store.missing(OTHER_MODEL), store.stats(ADA).embedded)
    assert before[1:] == (1, 3, 3)
    store.close()
    fourth_version(path)
    assert {name for name, _ in form(path)} == {name for name, _ in form(made_as(tmp_path / "v4", 4))}

    store = SqliteStore(path, create=False)
    assert (
        content(store, ADA),
        store.missing(MODEL),
        store.missing(OTHER_MODEL),
        store.stats(ADA).embedded,
    ) == before
    writer = Writer(store, "n")
    writer.remember(ADA, "tea")
    writer.erase(ADA, names[1])
    assert (store.missing(MODEL), store.missing(OTHER_MODEL), store.check()) == (1, 3, [])
    store.close()
    assert form(path) == form(made_as(tmp_path / "v5", schema.VERSION))


def test_an_upgrade_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrations go in wholly or not at all, and the next opening does it."""
    path = tmp_path / "old"
    SqliteStore(path).close()
    first_version(path)
    before, statements = form(path), schema.statements
    monkeypatch.setattr(schema, "statements", lambda number: (*statements(number), "SELECT broken"))
    with pytest.raises(Exception, match="broken"):
        SqliteStore(path)
    assert form(path) == before
    monkeypatch.undo()
    SqliteStore(path).close()
    assert form(path) == form(made_as(tmp_path / "v2", schema.VERSION))


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    """The error names both versions and what to do; not a byte changes."""
    path = tmp_path / "new"
    SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=rf"version {schema.VERSION + 1}.*up to {schema.VERSION}.*Upgrade Reverie"):
        SqliteStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [-1, 0, -(2**31)])
def test_a_version_there_never_was_is_damage(tmp_path: Path, version: int) -> None:
    """A file of ours has a version of one or more from its first moment on; not a byte changes."""
    path = tmp_path / "store"
    SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match=f"first page of .* says version {version}"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_an_older_number_on_a_newer_file_is_damage(tmp_path: Path) -> None:
    """The tables that its upgrade would make are there: no fault of ours to be reported."""
    for version in range(1, schema.VERSION):
        path = tmp_path / f"store{version}"
        SqliteStore(path).close()
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        with pytest.raises(StoreCorrupt, match="damaged"):
            SqliteStore(path)


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    """An SQLite file that is not ours is invalid input, with or without its own numbers."""
    for name, script in (
        ("plain", "CREATE TABLE mine (x)"),
        ("numbered", "CREATE TABLE mine (x); PRAGMA user_version = 7"),
        ("marked", "PRAGMA application_id = 77"),
    ):
        connection = sqlite3.connect(tmp_path / name)
        connection.executescript(script)
        connection.close()
        with pytest.raises(InvalidInput, match="another program"):
            SqliteStore(tmp_path / name)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """Text, or a damaged first page, is told from a store."""
    path = tmp_path / "notes.txt"
    path.write_text("buy milk\n" * 1000)
    with pytest.raises(StoreCorrupt, match="not an SQLite file"):
        SqliteStore(path)
    assert path.read_text() == "buy milk\n" * 1000


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """As mktemp leaves it."""
    path = tmp_path / "empty"
    path.touch()
    store = SqliteStore(path, create=False)
    assert (store.head(ADA)[0], store.check()) == (0, [])
    store.close()


def test_every_migration_is_numbered_and_ends(tmp_path: Path) -> None:
    """As many scripts as versions, each of whole statements."""
    for number in range(1, schema.VERSION + 1):
        assert schema.statements(number)
        assert all(statement.endswith(";") for statement in schema.statements(number))
    with pytest.raises(StopIteration):
        schema.statements(schema.VERSION + 1)


def test_upgrading_reads_each_memory_by_its_id(tmp_path: Path) -> None:
    """The history of many memories is found in seconds: no event is held against every memory of its scope."""
    connection = sqlite3.connect(made_as(tmp_path / "v3", 3))
    connection.executescript(next(sql for sql in schema.statements(4) if "CREATE TABLE touch" in sql))
    joined = [sql for sql in schema.statements(4) if "JOIN memory" in sql]
    plans = [[str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")] for sql in joined]
    connection.close()
    assert len(plans) == 3
    assert all(any("memory_id (scope=? AND id=?)" in step for step in plan) for plan in plans)


def test_a_journal_over_all_scopes_becomes_one_for_each(tmp_path: Path) -> None:
    """Events, contents and digests are those of a store that never had another form; the old head is kept."""
    path = tmp_path / "old"
    store = SqliteStore(path)
    for seed in range(3):
        live_a_life(store, seed, 60)
    expected = [store.digest(), store.heads(), *(content(store, scope) for scope in store.scopes())]
    store.close()
    sixth_version(path)
    assert form(path) == form(made_as(tmp_path / "v6", 6))
    raw = sqlite3.connect(path)
    last = raw.execute("SELECT seq, lower(hex(hash)) FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    raw.close()
    store = SqliteStore(path, create=False)
    assert [store.digest(), store.heads(), *(content(store, scope) for scope in store.scopes())] == expected
    assert store._connection.row("SELECT value FROM meta WHERE name = 'head-1'") == (f"{last[0]} {last[1]}",)
    assert store.check() == []
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE event SET why = 'another' WHERE seq = 2",
        "DELETE FROM event WHERE seq = 2",
        "UPDATE event SET at = 'x' WHERE seq = 2",
    ],
)
def test_a_broken_journal_stays_broken(tmp_path: Path, damage: str) -> None:
    """No upgrade makes a forged or cut journal sound: the check goes on reporting it."""
    path = tmp_path / "old"
    store = SqliteStore(path)
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.remember(ADA, word)
    store.close()
    sixth_version(path)
    raw = sqlite3.connect(path)
    raw.execute(damage)
    raw.commit()
    raw.close()
    store = SqliteStore(path, create=False)
    assert any(fault.name == "journal" for fault in store.check())
    store.close()
