"""The connection: every SQLite error has its own of ours, and every string comes back."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from reverie.errors import (
    InvalidInput,
    ReverieError,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
)
from reverie.stores.sqlite.connection import Connection, string, text, translated
from tests.stores.making import ODD_TEXTS


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A connection to an empty file with one table."""
    made = Connection(tmp_path / "file?with #odd%20name", mode="mode=rwc", busy_timeout_s=0.01)
    made.run("PRAGMA journal_mode = WAL")
    made.run("CREATE TABLE t (x)")
    yield made
    made.close()


def error(code: int | None, message: str = "went wrong") -> sqlite3.Error:
    """An error as the sqlite3 module raises it."""
    made = sqlite3.OperationalError(message)
    if code is not None:
        made.sqlite_errorcode = code
    return made


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy),
        (sqlite3.SQLITE_LOCKED, StoreBusy),
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_IOERR_WRITE, StoreFull),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreReadOnly),
        (sqlite3.SQLITE_IOERR_READ, StoreCorrupt),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreCorrupt),
        (sqlite3.SQLITE_CORRUPT_VTAB, StoreCorrupt),
        (sqlite3.SQLITE_NOTADB, StoreCorrupt),
        (sqlite3.SQLITE_CANTOPEN, StoreMissing),
        (sqlite3.SQLITE_TOOBIG, InvalidInput),
        (sqlite3.SQLITE_ERROR, StoreError),
    ],
)
def test_each_code_has_its_error(code: int, kind: type[ReverieError]) -> None:
    """Extended codes follow their family unless they have their own; each says what to do."""
    made = translated(error(code))
    assert type(made) is kind
    assert made.mend


@pytest.mark.parametrize(
    "message",
    [
        *("no such table: memory", "no such column: x", "table meta already exists", "unsupported file format"),
        *("ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint", 'unrecognized option: "contenu"'),
        *("table meta has no column named value", "table meta has 3 columns but 2 values were supplied"),
        "vtable constructor failed: lexical",
    ],
)
def test_tables_that_are_not_ours_are_damage(message: str) -> None:
    """Our statements are right for our tables: what SQLite then refuses is the file's fault, and none to report."""
    made = translated(error(sqlite3.SQLITE_ERROR, message))
    assert type(made) is StoreCorrupt
    assert "report" not in made.mend


def test_errors_without_a_code_are_told_by_their_words() -> None:
    """The module's own errors: a closed connection, text that is no text."""
    assert type(translated(sqlite3.ProgrammingError("Cannot operate on a closed database."))) is StoreClosed
    assert type(translated(error(None, "Could not decode to UTF-8 column 'x'"))) is StoreCorrupt


@pytest.mark.parametrize("value", ODD_TEXTS)
def test_any_string_comes_back_from_a_column(connection: Connection, value: str) -> None:
    """As text where it is valid UTF-8, as bytes where it is not; and it is found by itself."""
    connection.run("INSERT INTO t VALUES (?)", (text(value),))
    row = connection.row("SELECT x FROM t WHERE x = ?", (text(value),))
    assert row is not None
    assert string(row[0]) == value
    assert isinstance(row[0], bytes) == any("\ud800" <= letter <= "\udfff" for letter in value)


def test_a_writer_in_the_way_is_busy(connection: Connection) -> None:
    """After the timeout the second writer gets StoreBusy; afterwards it may write."""
    other = Connection(connection.path, mode="mode=rw", busy_timeout_s=0.01)
    connection.begin(durable=False)
    with pytest.raises(StoreBusy):
        other.begin(durable=False)
    connection.rollback()
    other.begin(durable=False)
    other.commit()
    other.close()


def test_durable_means_synced(connection: Connection) -> None:
    """A durable transaction runs with full synchronisation, any other without; each as asked for."""
    for durable, level in ((True, 2), (False, 1), (True, 2)):
        connection.begin(durable=durable)
        assert connection.row("PRAGMA synchronous") == (level,)
        connection.commit()


def test_reading_is_as_of_one_moment(connection: Connection) -> None:
    """Two queries inside see the same, whatever another connection writes between them."""
    other = Connection(connection.path, mode="mode=rw", busy_timeout_s=0.01)
    with connection.reading():
        assert connection.rows("SELECT * FROM t") == []
        other.run("INSERT INTO t VALUES (1)")
        assert connection.rows("SELECT * FROM t") == []
    assert connection.rows("SELECT * FROM t") == [(1,)]
    other.close()


def test_the_state_tells_whether_anybody_wrote(connection: Connection) -> None:
    """It stays while nobody writes and moves with our own writes and another's."""
    other = Connection(connection.path, mode="mode=rw", busy_timeout_s=0.01)
    states = [connection.state, connection.state]
    connection.run("INSERT INTO t VALUES (1)")
    states.append(connection.state)
    other.run("INSERT INTO t VALUES (2)")
    states += [connection.state, connection.state]
    assert [a == b for a, b in pairwise(states)] == [True, False, False, True]
    other.close()


def test_rows_come_in_blocks(connection: Connection) -> None:
    """All rows, some thousand at a time."""
    connection.begin(durable=False)
    connection.run_many("INSERT INTO t VALUES (?)", [(number,) for number in range(9_000)])
    blocks = list(connection.blocks("SELECT x FROM t ORDER BY x"))
    assert [row[0] for block in blocks for row in block] == list(range(9_000))
    assert max(map(len, blocks)) < 5_000


def test_closing_is_final(connection: Connection) -> None:
    """Whatever is asked of a closed connection, it says it is closed."""
    connection.close()
    assert not connection.writing
    for call in (lambda: connection.run("SELECT 1"), lambda: connection.state, connection.require_open):
        with pytest.raises(StoreClosed):
            call()


def test_a_path_need_not_be_text(tmp_path: Path) -> None:
    """A name in another encoding is a name all the same."""
    path = tmp_path / os.fsdecode(b"caf\xe9 ? # %20")
    made = Connection(path, mode="mode=rwc", busy_timeout_s=0.01)
    made.run("CREATE TABLE t (x)")
    made.close()
    assert path.stat().st_size


def test_numbers_that_are_none_of_ours_are_damage(connection: Connection) -> None:
    """A sum beyond 64 bits, a key beyond them, a row that is there already: read from the file, not made by us."""
    connection.run("CREATE TABLE u (x UNIQUE)")
    connection.run_many("INSERT INTO u VALUES (?)", [(2**62,), (2**62 + 1,)])
    for sql, values in (("SELECT sum(x) FROM u", ()), ("SELECT ?", (2**70,)), ("INSERT INTO u VALUES (?)", (2**62,))):
        with pytest.raises(StoreCorrupt) as told:
            connection.rows(sql, values)
        assert "reverie doctor" in told.value.mend
