"""An upgrade of an older store is one transaction: killed at any statement, there is the old version or the new one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from reverie.stores.sqlite import SqliteStore, schema
from reverie.stores.sqlite.connection import Connection
from reverie.types import RelationKind, State
from tests.reliability.test_repair import steps
from tests.reliability.watching import start, told
from tests.stores.making import ADA, GRACE, Writer, at, content
from tests.stores.sqlite.test_schema import first_version, form, fourth_version, made_as, seventh_version, sixth_version

pytestmark = pytest.mark.req("D52")


def lived(path: Path, version: int) -> None:
    """Make a store as a version would have written it: with what it knew, and without what later ones added."""
    with closing(SqliteStore(path)) as store:
        writer = Writer(store)
        names = [writer.remember(ADA, f"tea {number}") for number in range(12)]
        writer.recall(ADA, *names[:5])
        writer.forget(ADA, names[3], at(1))
        writer.erase(ADA, names[4])
        writer.remember(GRACE, "violin", embedded=None)
        if version > 2:
            formed = [writer.form(ADA, name, f"fact of {name}", pinned=True) for name in names[6:9]]
            writer.recall(ADA, *formed)
            writer.change(ADA, formed[0], state=State.DORMANT, text="another fact")
            writer.relate(ADA, formed[1], formed[2], next(iter(RelationKind)))
    if version == 7:
        seventh_version(path)
    if version in (3, 4):
        fourth_version(path)
    if version in (5, 6):
        sixth_version(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.executescript(
            {3: _OF_FOUR + "PRAGMA user_version = 3;", 5: _OF_SIX + "PRAGMA user_version = 5;"}.get(version, "")
        )
    if version < 3:
        first_version(path)
        with closing(Connection(path, mode="mode=rw", busy_timeout_s=1)) as connection:
            schema.migrate(connection, version)


_OF_FOUR = """DROP TABLE touch; DROP INDEX event_recall; DROP INDEX event_dream; DROP INDEX memory_growth;
DROP INDEX memory_closed; DROP INDEX standing_state; DROP INDEX event_observed;"""
"""Takes away what the fourth version added."""
_OF_SIX = "DROP TABLE record;"
"""Takes away what the sixth version added."""


def rows_of(path: Path) -> dict[str, list[object]]:
    """Every row of every table that is not the text index's."""
    with closing(sqlite3.connect(path)) as raw:
        names = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'lexical%'")
        return {name: sorted(raw.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for (name,) in names.fetchall()}


@pytest.mark.soak
@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_no_kill_leaves_half_an_upgrade(version: int, tmp_path: Path, share: Callable[[int], int]) -> None:
    """From every version, at every statement; what is left opens as the current version, with all it held."""
    old = tmp_path / "old"
    lived(old, version)
    with closing(SqliteStore(Path(shutil.copy(old, tmp_path / "upgraded")))) as store:
        expected = [store.digest(), *(content(store, scope) for scope in (ADA, GRACE))]
        assert store.check() == []
    before, nursery, number, found = rows_of(old), start("nursery"), 0, set()
    while True:
        path = Path(shutil.copy(old, tmp_path / f"store{number}"))
        if "whole" in steps(nursery, path, number, "upgrade"):
            break
        with closing(sqlite3.connect(path)) as raw:
            (now,) = raw.execute("PRAGMA user_version").fetchone()
        assert now in (version, schema.VERSION)
        assert form(path) == form(made_as(tmp_path / f"empty{number}", now))
        assert now == schema.VERSION or rows_of(path) == before
        found.add(now)
        with closing(SqliteStore(path, create=False)) as store:
            assert [store.digest(), *(content(store, scope) for scope in (ADA, GRACE))] == expected
            assert store.check() == []
        number += 1 if share(10) == 10 else 6
    assert number >= len(schema.statements(version + 1))
    assert version in found
    assert nursery.stdin is not None
    assert told(nursery) == []


def test_a_store_of_every_version_goes_on(tmp_path: Path) -> None:
    """Upgraded, it is written and checked like a new one."""
    for version in range(1, schema.VERSION + 1):
        path = tmp_path / f"store{version}"
        lived(path, version)
        with closing(SqliteStore(path, create=False)) as store:
            Writer(store, "more").remember(ADA, "tea")
            assert store.check() == []
