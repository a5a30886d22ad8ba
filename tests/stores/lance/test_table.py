from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Reverie
from reverie.errors import InvalidExport, StoreBusy, StoreError, StoreFull, StoreReadOnly
from reverie.exchange import parts_of
from reverie.stores.foreign import open_tables
from reverie.stores.lance.table import (
    Table,
    TableRow,
    TableWrite,
    Version,
    category_of,
    clean,
    from_ms,
    is_database,
    is_followed,
    is_row_id,
    is_shown,
    kind_of,
    latest,
    open_table,
    own_mark,
    require_package,
    row_id,
    row_of,
    scope_of,
    table_folder,
    to_ms,
    words_mark,
)
from reverie.types import Kind, Scope, Standing, State
from tests.stores.lance.making import HOME, WHY_NOT, Stock, name, row, vector_of
from tests.stores.making import ADA, GRACE, START, episode, memory_of

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


FACT = memory_of(episode(ADA, "m1", "The harbour café opens at seven"), "f1", Kind.FACT)


def test_a_row_id_is_a_uuid_of_scope_and_memory() -> None:
    """The same memory has the same row each time, another one or another scope's another."""
    name = row_id(FACT)
    assert str(UUID(name)) == name
    assert is_row_id(name)
    assert row_id(replace(FACT, text="other")) == name
    assert len({name, row_id(replace(FACT, id="f2")), row_id(replace(FACT, scope=GRACE))}) == 3
    assert is_row_id(row_id(replace(FACT, id="\ud83d")))


@pytest.mark.parametrize("name", ["", "__schema__", "x' OR true --", "ab000000-0000-4000-8000-00000000000g", "ab" * 16])
def test_nothing_but_a_uuid_may_stand_in_a_predicate(name: str) -> None:
    """Whatever else an id is, it never reaches LanceDB's parser."""
    assert not is_row_id(name)


def test_kinds_and_categories_say_the_same_both_ways() -> None:
    """Every category of the plugin's is a kind and comes back as itself; a kind it does not know has a near one."""
    for category in ("preference", "fact", "decision", "entity", "other"):
        assert category_of(kind_of(category), category) == category
    assert category_of(Kind.FACT, "other") == "other"
    assert category_of(Kind.DECISION, "other") == "decision"
    assert {category_of(kind) for kind in Kind} <= {"preference", "fact", "decision", "entity", "other"}
    assert category_of(Kind.INSTRUCTION) == "preference"


@given(st.text() | st.text(alphabet="\ud800\udc00\udfffa😀"))
def test_clean_text_is_utf8_and_otherwise_the_same(text: str) -> None:
    """What UTF-8 carries stays as it is; what it does not is marked, and the rest stays."""
    cleaned = clean(text)
    cleaned.encode()
    if all(not 0xD800 <= ord(character) <= 0xDFFF for character in text):
        assert cleaned == text
    assert clean(cleaned) == cleaned


def test_a_memory_is_told_with_all_the_columns() -> None:
    """Text, importance, category, creation, agent, accesses and how it stands."""
    life = Standing(importance=0.8, stability_days=1.2, state=State.FADING)
    row = row_of(replace(FACT, standing=life, accesses=3, last_access=START + timedelta(days=1)), "id", None)
    begun = START.timestamp() * 1000
    assert row == TableRow("id", FACT.text, 0.8, "fact", begun, "tester", 3.0, begun + 86_400_000, 1.2, "fading")
    before = replace(row, created_ms=5.0, category="other")
    assert (row_of(FACT, "id", before).created_ms, row_of(FACT, "id", before).category) == (5.0, "other")


def test_marks_change_with_what_they_stand_for() -> None:
    """A row's with its words, importance and category, ours with all that is told, the other with our words."""
    row = row_of(FACT, "id", None)
    assert row.mark == replace(row, accesses=9.0, agent="x").mark
    others = (replace(row, text="x"), replace(row, importance=0.1), replace(row, category="other"))
    assert len({row.mark, *(other.mark for other in others)}) == 4
    assert own_mark(FACT) == own_mark(replace(FACT, session="other"))
    assert own_mark(FACT) != own_mark(replace(FACT, accesses=1))
    assert words_mark("ab") != words_mark("a\ud83db")


@pytest.mark.parametrize("state", list(State))
def test_what_holds_is_shown(state: State) -> None:
    """Active, fading and sleeping memories stand in the table as long as they hold; episodes never do."""
    now = START + timedelta(days=1)
    memory = replace(FACT, standing=Standing(state=state))
    assert is_shown(memory, now) is (state in (State.ACTIVE, State.FADING, State.DORMANT))
    assert not is_shown(replace(memory, valid_until=now), now)
    assert not is_shown(replace(memory, kind=Kind.EPISODE), now)


def test_a_row_belongs_to_its_agent_at_home() -> None:
    """Without an agent to the home's; with a name nobody can have to nobody."""
    row = row_of(FACT, "id", None)
    assert scope_of(row, GRACE) == GRACE
    assert scope_of(replace(row, agent="coder"), ADA) == Scope("coder", ADA.user, ADA.project)
    assert scope_of(replace(row, agent=""), ADA) == ADA
    assert scope_of(replace(row, agent="x" * 201), ADA) is None
    assert scope_of(replace(row, agent=" "), ADA) is None


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9000, 1, 1)))
def test_times_come_back(naive: datetime) -> None:
    """To the millisecond that the table keeps."""
    at = naive.replace(tzinfo=UTC)
    back = from_ms(to_ms(at))
    assert back is not None
    assert abs(back - at) < timedelta(milliseconds=1)


@pytest.mark.parametrize("ms", [None, float("nan"), float("inf"), -1.0, 1e300])
def test_what_is_no_moment_is_none(ms: float | None) -> None:
    """A table may hold any number there."""
    assert from_ms(ms) is None


def manifests(folder: Path, *names: str) -> Path:
    """A table with these files as its versions."""
    for version in names:
        path = table_folder(folder) / "_versions" / version
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(version)
    return folder


def test_no_table_has_no_version(tmp_path: Path) -> None:
    """Neither a folder without one, nor one that is not there."""
    assert latest(tmp_path) is None
    assert not is_database(tmp_path / "none")
    assert latest(manifests(tmp_path, "latest_version_hint.json", "d12.manifest")) is None
    assert is_database(tmp_path)


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("1.manifest", "2.manifest", "10.manifest"), 10),
        (("18446744073709551614.manifest", "18446744073709551605.manifest", "latest_version_hint.json"), 10),
    ],
)
def test_both_ways_of_naming_are_read(tmp_path: Path, names: tuple[str, ...], number: int) -> None:
    """By number, and by the largest number less the number."""
    found = latest(manifests(tmp_path, *names))
    assert found is not None
    assert found.number == number
    assert is_followed(tmp_path, found)
    assert is_followed(tmp_path, Version(number - 1, ""))


def test_another_table_of_the_same_number_is_told_apart(tmp_path: Path) -> None:
    """A table made anew in its place, gone back, or gone is not the one that was met."""
    found = latest(manifests(tmp_path, "1.manifest", "2.manifest"))
    assert found is not None
    assert not is_followed(tmp_path, Version(2, "0:0:0:0"))
    assert not is_followed(tmp_path, Version(3, ""))
    (table_folder(tmp_path) / "_versions" / "2.manifest").unlink()
    assert not is_followed(tmp_path, found)
    manifests(tmp_path, "7.manifest")
    assert is_followed(tmp_path, found)  # cleared of old versions since


def test_the_number_is_lancedbs_own(tmp_path: Path) -> None:
    """What is read off the names is what LanceDB answers, after every write."""
    stock = Stock(tmp_path)
    for number in range(3):
        stock.store(row(number))
        found = latest(tmp_path)
        assert found is not None
        assert found.number == stock.table.version


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
