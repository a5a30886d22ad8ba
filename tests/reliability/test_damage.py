"""Damaged files: what is read is right or an error of ours, and the check tells."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from reverie.errors import ReverieError, StoreCorrupt
from reverie.stores.sqlite import SqliteStore
from reverie.types import Kind, Memory, RelationKind
from tests.stores.making import ADA, ELSEWHERE, GRACE, MODEL, Writer, at, content, live_a_life

PAGE = 4096
SCOPES = (ADA, GRACE, ELSEWHERE)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed store with some life in it."""
    path = tmp_path_factory.mktemp("whole") / "store"
    store = SqliteStore(path)
    live_a_life(store, 2, 150)
    store.close()
    return path


def look(path: Path) -> tuple[dict[tuple[object, str], Memory], str, list[str]]:
    """The memories that can be read, the digest if it can be made, and the names of the faults."""
    try:
        store = SqliteStore(path, create=False)
    except ReverieError as error:
        return {}, "", [type(error).__name__, error.mend]
    read: dict[tuple[object, str], Memory] = {}
    digest = ""
    for scope in SCOPES:
        with suppress(StoreCorrupt):
            read |= {(scope, memory.id): memory for memory in store.memories(scope)}
            content(store, scope)
    with suppress(StoreCorrupt):
        digest = store.digest()
    faults = [fault.name for fault in store.check()]
    store.close()
    return read, digest, faults


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["zeros", "noise", "flip"])
def test_a_damaged_page_is_never_taken_for_content(
    whole: Path, tmp_path: Path, kind: str, share: Callable[[int], int]
) -> None:
    """Any damage to any page: no error but ours, and whenever anything reads differently the check has a fault."""
    expected, digest, _ = look(whole)
    pages = whole.stat().st_size // PAGE
    noticed = 0
    rounds = share(200)
    for number in range(rounds):
        chance = Random(f"{kind} {number}")
        raw = bytearray(whole.read_bytes())
        page = number * pages // rounds if kind == "zeros" else chance.randrange(pages)
        start = page * PAGE + (0 if kind == "zeros" else chance.randrange(PAGE - 64))
        if kind == "flip":  # one bit matters only where something stands
            start = chance.choice([place for place, byte in enumerate(raw) if byte])
            page = start // PAGE
        length = {"zeros": PAGE, "noise": 64, "flip": 1}[kind]
        raw[start : start + length] = {
            "zeros": bytes(length),
            "noise": chance.randbytes(length),
            "flip": bytes([raw[start] ^ 1 << chance.randrange(8)]),
        }[kind]
        path = tmp_path / "store"
        path.write_bytes(raw)
        read, after, faults = look(path)
        if read != expected or after != digest:
            assert any(faults), f"{kind} {number}: page {page + 1} at {start % PAGE}"
            noticed += 1
        for leftover in tmp_path.glob("store*"):
            leftover.unlink()
    assert noticed


VALUES = (None, "", "nan", b"\xff", -1, 0, 2**62, -(2**63), 1e308, float("inf"), "[]", '{"a":1}', b"\x00" * 8)


def spoiled(path: Path, chance: Random) -> str:
    """Put another value into one cell of a store, and say where."""
    table, column = chance.choice(columns(path))
    with closing(sqlite3.connect(path)) as raw:
        old = chance.choice(raw.execute(f"SELECT {column} FROM {table}").fetchall() or [(None,)])[0]
    new = chance.choice(VALUES)
    put(path, (table, column), old, new)
    return f"{table}.{column} = {new!r}, was {old!r}"


def columns(path: Path) -> list[tuple[str, str]]:
    """Every column of every table, with those that SQLite keeps for the index of words."""
    with closing(sqlite3.connect(path)) as raw:
        tables = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        names = [name for (name,) in tables.fetchall() if not name.startswith("sqlite_")]
        return [(name, row[1]) for name in names for row in raw.execute(f"PRAGMA table_info ({name})")]


def put(path: Path, where: tuple[str, str], old: object, new: object) -> None:
    """Put a value in the place of another, NULL also where a column takes none; what cannot be put is let be."""
    table, column = where
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (number,) = raw.execute("PRAGMA schema_version").fetchone()
        raw.execute("PRAGMA writable_schema = ON")
        for step, form in enumerate((sql.replace("NOT NULL", ""), sql), 1):
            raw.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (form, table))
            raw.execute(f"PRAGMA schema_version = {number + step}")
            with suppress(sqlite3.Error):
                raw.execute(f"UPDATE {table} SET {column} = ? WHERE {column} IS ?", (new, old))


@pytest.mark.soak
def test_any_value_in_any_column_is_a_finding_or_none(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """Each column of each table takes each value in turn: the check ends with findings or without, and never raises."""
    source = tmp_path_factory.mktemp("small") / "store"
    with closing(SqliteStore(source)) as store:
        live_a_life(store, 2, 40)
        writer = Writer(store, "more")
        said = writer.remember(ADA, "tea and rain", formed=[(Kind.FACT, "tea"), (Kind.FACT, "rain")])
        writer.recall(ADA, f"{said}.0", f"{said}.1")
        writer.relate(ADA, f"{said}.0", f"{said}.1", next(iter(RelationKind)))
    cells = [(where, value) for where in columns(source) for value in VALUES]
    Random("cells").shuffle(cells)
    for (table, column), value in cells[: share(len(cells))]:
        path = tmp_path / "store"
        shutil.copy(source, path)
        with closing(sqlite3.connect(path)) as raw:
            (old,) = raw.execute(f"SELECT {column} FROM {table}").fetchone() or (None,)
        put(path, (table, column), old, value)
        with suppress(ReverieError), closing(SqliteStore(path, create=False)) as store:
            try:
                assert all(fault.what and fault.mend for fault in store.check())
            except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
                pytest.fail(f"{table}.{column} = {value!r}: {error!r}")
        for leftover in tmp_path.glob("store*"):
            leftover.unlink()


@pytest.mark.soak
def test_a_cell_of_another_kind_is_no_error_of_pythons(
    whole: Path, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """Text for a number, a number beyond all bounds, nothing: reading, counting and writing say what is wrong."""
    for number in range(share(400)):
        path = tmp_path / "store"
        shutil.copy(whole, path)
        where = spoiled(path, Random(f"cell {number}"))
        for use in USES:
            with suppress(ReverieError), closing(SqliteStore(path, create=False)) as store:
                try:
                    use(store)
                except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
                    pytest.fail(f"{number}: {where}: {error!r}")
        for leftover in tmp_path.glob("store*"):
            leftover.unlink()


USES: tuple[Callable[[SqliteStore], object], ...] = (
    lambda store: [list(store.memories(scope)) for scope in store.scopes()],
    lambda store: [store.stats(scope) for scope in SCOPES],
    lambda store: [store.health(scope, at(500)) for scope in SCOPES],
    lambda store: store.missing(MODEL),
    lambda store: store.unindexed(MODEL, 50),
    lambda store: store.digest(),
    lambda store: [list(store.events(scope)) for scope in SCOPES],
    lambda store: [content(store, scope) for scope in SCOPES],
    lambda store: store.check(),
    lambda store: [Writer(store, "later").remember(scope, "tea again") for scope in SCOPES],
)
"""What an engine asks of a store, each on its own."""


def test_damaged_names_of_tables_are_an_error_of_ours(whole: Path, tmp_path: Path) -> None:
    """SQLite quotes the damaged schema, which is no text any more."""
    raw = whole.read_bytes()
    path = tmp_path / "store"
    path.write_bytes(raw.replace(b"CREATE TABLE ", b"CREATE \xcc\xcc\xccBLE "))
    with pytest.raises(StoreCorrupt, match="damaged"):
        SqliteStore(path, create=False)


def test_a_memory_whose_events_are_gone_is_told(whole: Path, tmp_path: Path) -> None:
    """The memory can be read, its history cannot."""
    path = tmp_path / "store"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("DELETE FROM event")
    store = SqliteStore(path, create=False)
    one = next(iter(store.memories(ADA)))
    with pytest.raises(StoreCorrupt, match=one.id):
        store.history(ADA, one.id)
    assert any(store.check())
    store.close()


def test_an_index_that_leads_back_is_no_endless_journal(whole: Path, tmp_path: Path) -> None:
    """Pages of a journal out of order are refused: whoever reads on to the end would never come to it."""
    path = tmp_path / "store"
    shutil.copy(whole, path)
    store = SqliteStore(path, create=False)
    rows = store._connection.rows

    def twice(sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        found = rows(sql, values)
        return found[:1] * 2 if "ORDER BY e.seq LIMIT" in sql or "ORDER BY m.at" in sql else found

    store._connection.rows = twice  # type: ignore[method-assign] # the index that leads back
    with pytest.raises(StoreCorrupt, match="order"):
        list(store.events(ADA))
    with pytest.raises(StoreCorrupt, match="order"):
        list(store.memories(ADA))
    store.close()


@pytest.mark.parametrize("share_kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_noticed(whole: Path, tmp_path: Path, share_kept: float) -> None:
    """A file cut anywhere is refused or has faults; what is still read is right."""
    expected, *_ = look(whole)
    raw = whole.read_bytes()
    path = tmp_path / "store"
    path.write_bytes(raw[: int(len(raw) * share_kept) or 50])
    read, _, faults = look(path)
    assert faults
    assert all(expected.get(key) == memory for key, memory in read.items())


@pytest.mark.parametrize("damage", ["cut", "noise", "gone"])
def test_a_damaged_log_costs_its_end_and_no_more(tmp_path: Path, damage: str) -> None:
    """A log cut, overwritten or lost: the store is as it was at an earlier moment, whole, never half a message."""
    source = tmp_path / "source"
    store = SqliteStore(source)
    writer = Writer(store, durable=True)
    for number in range(10):
        writer.remember(ADA, f"tea {number}")
    store.close()
    store = SqliteStore(source)
    writer.store = store
    for number in range(10, 30):
        writer.remember(ADA, f"tea {number}")
    hashes = [event.hash for event in store.events(ADA)]
    size = source.with_name("source-wal").stat().st_size
    kept: set[int] = set()
    for number in range(1 if damage == "gone" else 12):
        path = tmp_path / f"copy{number}"
        shutil.copy(source, path)
        log = bytearray(source.with_name("source-wal").read_bytes())
        at = size * number // 12
        if damage == "cut":
            del log[at:]
        elif damage == "noise":
            log[at : at + 100] = Random(number).randbytes(100)
        if damage != "gone":
            path.with_name(f"{path.name}-wal").write_bytes(log)
        copy = SqliteStore(path, create=False)
        seq, last = copy.head(ADA)
        assert 10 <= seq <= 30
        assert hashes[seq - 1] == last
        assert [memory.text for memory in copy.memories(ADA)] == [f"tea {number}" for number in range(seq)]
        assert copy.check() == []
        assert copy.corpus(ADA, MODEL).size == seq
        Writer(copy, "later").remember(ADA, "tea again")
        assert copy.check() == []
        kept.add(seq)
        copy.close()
    assert kept == {10} if damage == "gone" else len(kept) > 5
    store.close()
