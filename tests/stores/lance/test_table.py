"""The table through LanceDB: what is written is read, what is not ours stays, what fails is said in our words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from reverie.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from reverie.stores.lance.table import Table, TableRow, TableWrite, require_package
from tests.stores.lance.making import WHY_NOT, Stock, name, row, vector_of

pytest.importorskip("lancedb", reason=WHY_NOT)
NEW = TableRow(name(9), "nine", 0.5, "fact", 1.0, "tester", 1.0, 2.0, 1.0, "active")


def opened(stock: Stock) -> Table:
    """The stock plugin's table."""
    table = Table.open(stock.folder)
    assert table is not None
    return table


def test_there_is_none_where_none_is(tmp_path: Path) -> None:
    """A folder without the table is no error."""
    assert Table.open(tmp_path) is None
    require_package()


def test_rows_come_back_as_they_were_written(stock: Stock) -> None:
    """With our columns and without; the sample row and rows without a UUID are not among them."""
    stock.store(row(4, id="no uuid"))
    table = opened(stock)
    assert [(one.id, one.accesses, one.state) for one in table.scan()] == [(name(n), None, None) for n in (1, 2, 3)]
    assert (table.dims, table.names_agents, table.strangers()) == (16, True, 1)
    assert table.widen() == 1
    assert table.widen() == 0
    assert table.add([TableWrite(NEW, vector_of("nine"))]) == 1
    assert table.rows([NEW.id, name(77)]) == [NEW]
    assert table.vectors([NEW.id])[NEW.id].tolist() == vector_of("nine").tolist()


def test_what_we_do_not_know_of_a_row_stays(tmp_path: Path) -> None:
    """Another column, the vector where there is no new one, and whose it is; a row that is gone stays gone."""
    import pyarrow

    stock = Stock(tmp_path)
    stock.store(row(1))
    stock.table.add_columns(pyarrow.schema([pyarrow.field("mood", pyarrow.utf8())]))
    stock.update(1, mood="glad")
    table = opened(stock)
    table.widen()
    changed = replace(NEW, id=name(1), agent="somebody else")
    assert table.update([TableWrite(changed), TableWrite(NEW, vector_of("nine"))]) == 1
    (found,) = stock.rows().values()
    assert (found["text"], found["mood"], found["agentId"]) == ("nine", "glad", "tester")
    assert found["vector"] == vector_of("row 1").tolist()


def test_a_column_that_must_not_be_empty_is_in_the_way(tmp_path: Path) -> None:
    """What we do not know and may not leave empty: nothing is written, and the column is named."""
    import lancedb
    import pyarrow

    fields = [pyarrow.field("id", pyarrow.utf8()), pyarrow.field("text", pyarrow.utf8())]
    fields += [pyarrow.field("vector", pyarrow.list_(pyarrow.float32(), 4))]
    fields += [pyarrow.field("tenant", pyarrow.utf8(), nullable=False)]
    lancedb.connect(str(tmp_path)).create_table("memories", schema=pyarrow.schema(fields))
    table = Table.open(tmp_path)
    assert table is not None
    with pytest.raises(StoreError, match="tenant"):
        table.add([TableWrite(NEW, vector_of("nine")[:4])])
    assert table.scan() == []


def test_deletion_takes_ids_and_nothing_else(stock: Stock) -> None:
    """Many at once; an id that is none is refused before LanceDB sees it."""
    table = opened(stock)
    with pytest.raises(StoreError):
        table.delete(["x' OR true --"])
    assert table.delete([name(1), name(2), *(name(100 + n) for n in range(600))]) == 2
    assert stock.texts() == ["row 3 about tea"]


def test_both_write_at_once(stock: Stock) -> None:
    """While the stock plugin appends row after row, ours are added, changed and deleted: none is lost or twice."""
    table = opened(stock)
    table.widen()
    plugin = Thread(target=lambda: [stock.store(row(100 + number)) for number in range(25)])
    plugin.start()
    for number in range(25):
        table.add([TableWrite(replace(NEW, id=name(200 + number)), vector_of("nine"))])
        table.update([TableWrite(replace(NEW, id=name(1), text=f"changed {number}"))])
    table.delete([name(2)])
    plugin.join()
    expected = {name(1), name(3), *(name(n + k) for n in (100, 200) for k in range(25))}
    assert set(stock.rows()) == expected
    assert stock.table.count_rows() == len(expected)
    assert stock.rows()[name(1)]["text"] == "changed 24"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("lance error: No space left on device (os error 28)", StoreFull),
        ("Permission denied (os error 13)", StoreReadOnly),
        ("Retryable commit conflict for version 7", StoreBusy),
        ("lance error: something else\nlong", StoreError),
    ],
)
def test_lancedbs_errors_are_ours(
    stock: Stock, monkeypatch: pytest.MonkeyPatch, words: str, error: type[StoreError]
) -> None:
    """A conflict is tried again first, everything else is told at once."""
    table, tried = opened(stock), []

    def fail(*_: object) -> None:
        tried.append(1)
        raise RuntimeError(words)

    monkeypatch.setattr(type(stock.table), "delete", fail)
    with pytest.raises(error):
        table.delete([name(1)])
    assert len(tried) == (5 if error is StoreBusy else 1)


def test_purging_leaves_one_version_and_no_bytes(stock: Stock) -> None:
    """What was deleted is in no file afterwards; what stands there is."""
    table = opened(stock)
    table.delete([name(1)])
    table.purge()
    held = b"".join(path.read_bytes() for path in stock.folder.rglob("*") if path.is_file())
    assert b"row 1 about" not in held
    assert b"row 2 about" in held
    table.compact()
    assert stock.texts() == ["row 2 about tea", "row 3 about tea"]


@pytest.mark.parametrize("gone", [1, 2, 150])
def test_purging_leaves_no_bytes_however_few_of_the_rows_go(tmp_path: Path, gone: int) -> None:
    """One of many, or most of them: a piece of the table with few deleted rows is written anew as well."""
    stock = Stock(tmp_path)
    stock.store(*(row(n, f"word{n}word") for n in range(200)))
    table = opened(stock)
    table.delete([name(n) for n in range(gone)])
    table.purge()
    held = b"".join(path.read_bytes() for path in stock.folder.rglob("*") if path.is_file())
    assert [n for n in range(200) if f"word{n}word".encode() in held] == list(range(gone, 200))
    assert stock.texts() == sorted(f"word{n}word" for n in range(gone, 200))
    table.delete([name(n) for n in range(200)])
    table.purge()
    assert stock.texts() == []


@pytest.mark.parametrize("kind", ["string", "bool_"])
def test_a_column_of_another_kind_is_told(tmp_path: Path, kind: str) -> None:
    """A table in which a time is no number cannot be written, and that is an error of ours."""
    import pyarrow

    stock = Stock(tmp_path)
    stock.store(row(1))
    held = stock.table.to_arrow()
    times = pyarrow.array(["noon" if kind == "string" else True], getattr(pyarrow, kind)())
    columns = [times if one == "createdAt" else held[one] for one in held.schema.names]
    lancedb = pytest.importorskip("lancedb")
    lancedb.connect(str(stock.folder)).create_table(
        "memories", pyarrow.table(columns, held.schema.names), mode="overwrite"
    )
    table = opened(stock)
    for write in (table.update, table.add):
        with pytest.raises(StoreError, match="cannot be used"):
            write([TableWrite(replace(NEW, id=name(1)), vector_of("nine"))])
