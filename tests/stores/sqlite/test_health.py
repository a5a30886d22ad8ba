"""The health of a scope by the file's own counting."""

from __future__ import annotations

from pathlib import Path

from reverie.stores.sqlite import SqliteStore, reads
from reverie.stores.sqlite.connection import Connection
from tests.stores.making import ADA, START, Writer


def test_no_memory_is_read_for_counting(tmp_path: Path) -> None:
    """Every query goes by an index or by the scope's part of a narrow table."""
    store = SqliteStore(tmp_path / "m.db")
    Writer(store).remember(ADA, "tea")
    assert store.health(ADA, START).disk_bytes > 0
    store.close()
    connection = Connection(tmp_path / "m.db", mode="mode=ro", busy_timeout_s=1)
    queries = {
        reads._GROWN: (1,),
        reads._CLOSED: (1, 0),
        reads._STATES: (0, 1),
        reads._SEMANTIC: (0, 1),
        reads._JUNK: (1, 0, 0),
        reads._OUTDATED: (1, 0, 1),
        reads._OBSERVED: (1,),
        reads._SOURCES: (1,),
    }
    for query, values in queries.items():
        plan = [str(row[3]) for row in connection.rows(f"EXPLAIN QUERY PLAN {query}", values)]
        assert not [step for step in plan if step.startswith("SCAN") and "subquery" not in step], (query, plan)
    connection.close()
