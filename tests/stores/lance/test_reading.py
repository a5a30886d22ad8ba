"""The table opened to be read alone, for the import."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Reverie
from reverie.errors import InvalidExport, StoreError
from reverie.exchange import parts_of
from reverie.stores.foreign import open_tables
from reverie.stores.lance.table import open_table
from tests.stores.lance.making import HOME, Stock, name, row


def test_rows_are_read_by_name(stock: Stock) -> None:
    """Columns it has as they are, those it lacks as null; nothing is written."""
    version = stock.table.version
    with open_tables(stock.folder) as tables:
        assert "text" in tables.columns["memories"]
        found = list(tables.rows("memories", ("id", "text", "mood")))
    assert found[0] == {"id": name(1), "text": "row 1 about tea", "mood": None}
    stock.table.checkout_latest()
    assert stock.table.version == version
    assert [path.name for path in stock.folder.iterdir()] == ["memories.lance"]


def test_what_is_no_table_of_openclaws_is_no_export(stock: Stock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an empty folder nor a broken table; without LanceDB it says what to install."""
    empty = stock.folder.parent / "empty"
    empty.mkdir()
    with pytest.raises(InvalidExport, match="no table"), open_table(empty):
        pass
    (empty / "memories.lance").mkdir()
    with pytest.raises(InvalidExport), open_table(empty):
        pass
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r"reverie\[lance\]"), open_table(stock.folder):
        pass


@pytest.mark.req("C8")
def test_it_is_imported_once_into_each_agents_scope(stock: Stock, tmp_path: Path) -> None:
    """Each agent's rows in its own scope, as they were; importing again brings what is new, and nothing twice."""
    stock.store(row(4, "Deploys go out on Tuesdays", agentId="coder"))
    parts = parts_of(stock.folder, open_tables, "ada's")
    assert [agent for _, agent in parts] == ["coder", HOME.agent]
    with Reverie.open(tmp_path / "plain.db", embedder=None) as memory:
        told = memory.transfer.import_from(stock.folder, HOME, dry_run=True)
        assert (told.new, [one.text for one in told.first]) == (3, [f"row {n} about tea" for n in (1, 2, 3)])
        assert memory.admin.scopes() == []
        assert memory.transfer.import_from(stock.folder, HOME).new == 3
        stock.store(row(5, "row 5"))
        again = memory.transfer.import_from(stock.folder, HOME)
        assert (again.new, again.known) == (1, 3)
        (hit, *_) = memory.recall("row 5", HOME).hits
        assert hit.memory.session == f"openclaw/{HOME.agent}/fact"
