"""Databases of other programs are read, never trusted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.stores.foreign import open_tables
from tests.exchange.foreign.made import database


def test_rows_come_by_column_and_what_is_missing_is_null(tmp_path: Path) -> None:
    """Odd names are quoted; bytes that are no UTF-8 stay bytes."""
    path = database(
        tmp_path / "x.db",
        ['CREATE TABLE "odd ""name" (id, "select")'],
        ('"odd ""name"', (1, "ışık")),
        ('"odd ""name"', (2, None)),
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""INSERT INTO "odd ""name" VALUES (3, CAST(x'ff' AS TEXT))""")
    with open_tables(path) as tables:
        assert tables.columns == {'odd "name': frozenset({"id", "select"})}
        rows = list(tables.rows('odd "name', ("id", "select", "gone")))
    assert [tuple(row.values()) for row in rows] == [(1, "ışık", None), (2, None, None), (3, b"\xff", None)]


def test_nothing_is_written_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    """The file is the same, byte for byte."""
    path = database(tmp_path / "x.db", ["CREATE TABLE t (id)"], ("t", (1,)))
    before = path.read_bytes()
    with open_tables(path) as tables:
        assert list(tables.rows("t", ("id",)))
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["x.db"]


def test_views_and_virtual_tables_are_not_looked_at(tmp_path: Path) -> None:
    """They can compute without end."""
    path = database(
        tmp_path / "x.db",
        [
            "CREATE TABLE t (id)",
            "CREATE VIEW endless AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n",
            "CREATE VIRTUAL TABLE words USING fts5 (text)",
        ],
    )
    with open_tables(path) as tables:
        assert "t" in tables.columns
        assert not {"endless", "words"} & set(tables.columns)


@pytest.mark.parametrize("raw", [b"SQLite format 3\0" + b"\xff" * 5000, b"plain text" * 500])
def test_a_file_that_is_no_database_is_refused(raw: bytes, tmp_path: Path) -> None:
    """By our error, with the file's name."""
    (tmp_path / "x.db").write_bytes(raw)
    with pytest.raises(InvalidExport, match=r"x\.db"), open_tables(tmp_path / "x.db"):
        pass


def test_a_damaged_page_is_told(tmp_path: Path) -> None:
    """When it is come upon."""
    path = database(tmp_path / "x.db", ["CREATE TABLE t (text)"], *(("t", ("word " * 200,)) for _ in range(50)))
    raw = bytearray(path.read_bytes())
    raw[4096:12288] = b"\xaa" * 8192
    path.write_bytes(raw)
    with pytest.raises(InvalidExport, match="cannot be read"), open_tables(path) as tables:
        list(tables.rows("t", ("text",)))


def test_a_database_in_use_is_read_with_its_log(tmp_path: Path) -> None:
    """What the other program wrote last is in it."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE t (id)")
        other.execute("INSERT INTO t VALUES (1)")
        with open_tables(path) as tables:
            assert len(list(tables.rows("t", ("id",)))) == 1
