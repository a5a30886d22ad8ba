from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from reverie.errors import Conflict, InvalidInput, StoreBusy, StoreFull, StoreMissing
from reverie.events import Action, Change, FieldChange, Recalled, Remembered
from reverie.stores.sqlite import SqliteStore, maintenance, terms
from reverie.stores.sqlite.connection import Connection
from reverie.types import IndexEntry, Kind, RelationKind, State
from tests.stores.making import ADA, Writer, at, draft, episode, live_a_life, memory_of


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    """A store with some life in it, and an index of several blocks."""
    monkeypatch.setattr(terms, "BLOCK", 4)
    made = SqliteStore(tmp_path / "store", busy_timeout_s=0.05)
    live_a_life(made, 1, 60)
    yield made
    made.close()


def tamper(path: Path, sql: str) -> None:
    """Change the file behind the store's back."""
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()


def names(store: SqliteStore) -> list[str]:
    """The names of the faults found."""
    return [fault.name for fault in store.check()]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE event SET why = 'no reason' WHERE seq = 5", ["journal"]),
        ("UPDATE event SET salt = X'00' WHERE payload IS NOT NULL", ["journal"]),
        ("DELETE FROM event WHERE seq = 7 AND action <> 'remember'", []),
        ("UPDATE episode SET text = 'something else' WHERE event = (SELECT min(event) FROM episode)", ["memories"]),
        ("UPDATE memory SET text = 'something else' WHERE kind = 'fact'", ["memories"]),
        ("UPDATE memory SET valid_until = 1 WHERE key = (SELECT max(key) FROM memory)", ["memories"]),
        ("UPDATE memory SET speaker = 'Mallory' WHERE key = (SELECT max(key) FROM memory)", ["memories"]),
        ("DELETE FROM memory WHERE key = (SELECT min(key) FROM memory)", ["search", "memories"]),
        ("UPDATE access SET count = count + 1", ["memories"]),
        ("UPDATE scope SET memories = memories + 1 WHERE id = 1", ["memories"]),
        ("UPDATE scope SET events = events + 1 WHERE id = 2", ["memories"]),
        ("UPDATE lacking SET count = count + 1 WHERE scope = 1", ["memories"]),
        ("DELETE FROM vector WHERE key = (SELECT max(key) FROM vector)", ["memories"]),
        ("UPDATE memory SET tokens = '1¦tea' WHERE key = (SELECT max(key) FROM memory)", ["search"]),
        ("UPDATE vector SET data = X'007C' || substr(data, 3) WHERE key = (SELECT max(key) FROM vector)", ["vectors"]),
        ("UPDATE vector SET data = X'00' WHERE key = (SELECT min(key) FROM vector)", ["vectors"]),
        ("DELETE FROM posting", ["search"]),
        ("DROP TABLE access", ["file", "memories"]),
        ("DROP TABLE event", ["file", "journal", "memories"]),
        ("DELETE FROM scope WHERE id = 2", ["journal", "memories"]),
    ],
)
def test_every_kind_of_tampering_is_found(store: SqliteStore, tmp_path: Path, sql: str, expected: list[str]) -> None:
    """Whatever is changed in the tables, the check names what no longer fits and what to do."""
    assert store.check() == []
    before = list(store.events(ADA))
    tamper(tmp_path / "store", sql)
    found = names(store)
    if sql.startswith("DELETE FROM event"):
        expected = [] if before[6].action is Action.REMEMBER else ["journal", "memories"]
    assert set(found) == set(expected)
    assert all(fault.mend and fault.what for fault in store.check())


@pytest.mark.parametrize(
    ("sql", "mend"),
    [
        ("DELETE FROM posting", "`reverie doctor --repair`"),
        ("DELETE FROM episode WHERE event = (SELECT min(event) FROM episode)", "`reverie doctor --repair`"),
        ("UPDATE episode SET text = 'else'; UPDATE event SET why = 'none' WHERE seq = 5", "`reverie export`"),
        ("DELETE FROM posting; DELETE FROM event WHERE seq = 5", "`reverie export`"),
        ("UPDATE event SET hash = 'none' WHERE seq = 5", "`reverie export`"),
    ],
)
def test_the_mend_is_one_that_mends(store: SqliteStore, tmp_path: Path, sql: str, mend: str) -> None:
    """A repair while the journal is whole, else what can be taken out; never to look where one is looking."""
    tamper(tmp_path / "store", sql)
    mends = {fault.mend for fault in store.check()}
    assert mends
    assert all(mend in one for one in mends)


def test_a_copy_is_made_while_a_writer_is_in_the_middle(store: SqliteStore, tmp_path: Path) -> None:
    """It holds what was committed, neither more nor less, and is one file."""
    digest = store.digest()
    other = SqliteStore(tmp_path / "store")
    said = episode(ADA, "late", "tea")
    with other.begin(ADA, durable=False) as tx:
        tx.append(draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(said),))))
        store.backup(tmp_path / "copy")
    other.close()
    assert not (tmp_path / "copy-wal").exists()
    copy = SqliteStore(tmp_path / "copy", create=False)
    assert copy.digest() == digest != store.digest()
    assert copy.check() == []
    copy.close()


def test_a_copy_that_fails_leaves_nothing(store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a half file nor a lost one: a full disk, a missing folder, a file in the way."""

    def full(*_: object) -> None:
        raise StoreFull("The disk is full.", "Make room.")

    with monkeypatch.context() as patch:
        patch.setattr(maintenance.file.Connection, "copy_to", full)
        with pytest.raises(StoreFull):
            store.backup(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    with pytest.raises(StoreMissing):
        store.backup(tmp_path / "nowhere" / "copy")
    (tmp_path / "copy").write_text("mine")
    with pytest.raises(Conflict):
        store.backup(tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "mine"


def test_a_copy_bears_its_name_only_when_it_is_whole(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed half way leaves nothing that would pass for a backup; who was quicker keeps the name."""
    copy = Connection.copy_to

    def watched(self: Connection, path: Path) -> None:
        assert not (tmp_path / "copy").exists()
        copy(self, path)

    monkeypatch.setattr(Connection, "copy_to", watched)
    store.backup(tmp_path / "copy")

    def outrun(self: Connection, path: Path) -> None:
        copy(self, path)
        (tmp_path / "second").write_text("mine")

    monkeypatch.setattr(Connection, "copy_to", outrun)
    with pytest.raises(Conflict):
        store.backup(tmp_path / "second")
    assert (tmp_path / "second").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir() if "store" not in path.name) == ["copy", "second"]


def all_bytes(folder: Path) -> bytes:
    """Every byte of the store's files."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def say_with_mark(store: SqliteStore, number: int, mark: str) -> str:
    """A message with a mark in everything but its id, and what was formed from it. Returns its id."""
    name = f"{number * 2654435761 % 2**32:016x}"
    words = [f"{mark}{letter}" for letter in "abc"] * (1 + number * number % 97)
    where = {"session": mark, "speaker": mark, "seq": number, "message_id": f"{mark}{name}"}
    said = episode(ADA, name, " ".join(words), **where)
    memory = replace(memory_of(said), entities=(mark,), keywords=(mark,))
    formed = replace(memory_of(said, f"{name} formed", Kind.FACT, f"{mark} likes tea"), entities=(mark,))
    with store.begin(ADA, durable=False) as tx:
        event = draft(ADA, Action.REMEMBER, Remembered(said, (memory, formed)), number=number)
        tx.append(event, [IndexEntry(tuple(words), len(words))] * 2)
    return name


def test_erased_words_are_in_none_of_the_files(tmp_path: Path) -> None:
    """Text, session, speaker, entities, terms, message id: no byte of an erased memory's content stays anywhere.

    Random sizes and an order of ids unlike that of writing make SQLite rebalance its pages, which leaves copies.
    """
    store = SqliteStore(tmp_path / "store")
    marks = [f"zq{number:04}xj" for number in range(150)]
    ids = [say_with_mark(store, number, mark) for number, mark in enumerate(marks)]
    writer = Writer(store, number=len(ids))
    writer.recall(ADA, *ids)
    held = all_bytes(tmp_path)
    assert all(mark.encode() in held for mark in marks)
    gone = range(3, 150, 5)
    for number in gone:
        writer.erase(ADA, ids[number])
    held = all_bytes(tmp_path)
    assert [number for number in gone if marks[number].encode() in held] == []
    assert all(mark.encode() in held for number, mark in enumerate(marks) if number not in gone)
    assert store.check() == []
    store.close()


def test_an_erasure_that_cannot_be_finished_says_so_and_is_finished_later(tmp_path: Path) -> None:
    """While another process reads the old log its bytes stay: an error, a fault, and the next opening mends it."""
    store = SqliteStore(tmp_path / "store", busy_timeout_s=0.05)
    writer = Writer(store)
    name = writer.remember(ADA, "zq0001xj")
    reader = SqliteStore(tmp_path / "store")
    with reader._connection.reading():
        assert reader.memory(ADA, name) is not None
        with pytest.raises(StoreBusy, match=r"are erased, but.*Close it.*open the store again"):
            writer.erase(ADA, name)
        assert store.memory(ADA, name) is None
        assert [fault.name for fault in store.check()] == ["erasure"]
        assert b"zq0001xj" in all_bytes(tmp_path)
    reader.close()
    store.close()
    store = SqliteStore(tmp_path / "store")
    assert store.check() == []
    assert b"zq0001xj" not in all_bytes(tmp_path)
    store.close()


class Disk(NamedTuple):
    """What is told of a disk."""

    total: int
    used: int
    free: int


def test_a_sound_store_with_room_and_rights_needs_no_advice(store: SqliteStore) -> None:
    """Looking writes nothing."""
    before = store.head(ADA)
    assert store.advice() == []
    assert store.head(ADA) == before


def test_what_would_keep_a_write_out_is_told(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part that may not be written by its name, and a disk with less than a megabyte; each with a mend."""
    monkeypatch.setattr(maintenance, "locked", lambda path: [path.with_name("store-shm")])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(4 << 20, 4 << 20, 4095))
    rights, room = store.advice()
    assert (rights.name, room.name) == ("store-read-only", "disk-full")
    assert str(tmp_path / "store-shm") in rights.what
    assert str(tmp_path / "store-shm") in rights.mend
    assert "4095 bytes" in room.what
    assert "Make room" in room.mend


@pytest.mark.parametrize("told", [(0, 0, 0), (4 << 20, 3 << 20, 1 << 20)], ids=["unknown", "a megabyte"])
def test_a_disk_with_room_or_that_does_not_tell_is_not_full(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, told: tuple[int, int, int]
) -> None:
    """Some file systems say 0 of everything; a megabyte is room enough."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(*told))
    assert store.advice() == []


def test_a_nearly_full_disk_is_told_by_the_real_numbers(small_disk: Path) -> None:
    """While the store still opens and reads, before a write fails."""
    store = SqliteStore(small_disk / "store")
    Writer(store).remember(ADA, "tea")
    assert store.advice() == []
    (small_disk / "ballast").write_bytes(bytes(shutil.disk_usage(small_disk).free - 100_000))
    assert [fault.name for fault in store.advice()] == ["disk-full"]
    assert store.check() == []
    store.close()


@pytest.mark.parametrize("seed", range(4))
def test_no_life_raises_a_false_alarm(tmp_path: Path, seed: int) -> None:
    """Forgetting twice, recalling the erased, reusing ids: all of it fits."""
    store = SqliteStore(tmp_path / "store")
    live_a_life(store, seed, 120)
    writer = Writer(store)
    name = writer.remember(ADA, "tea")
    writer.recall(ADA, name, name)
    writer.forget(ADA, name, at(1))
    writer.erase(ADA, name)
    writer.number = 0
    assert writer.remember(ADA, "rain") == name
    writer.recall(ADA, name)
    assert list(maintenance.broken_chain(store._connection)) == []
    assert list(maintenance.wrong_rows(store._connection)) == []
    store.close()


def test_differences_are_told_by_what_they_are(tmp_path: Path) -> None:
    """The episode, the memory, the counts and the strays, each with where they are."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for word in ("tea", "rain", "ship"):
        writer.remember(ADA, word)
    raw = sqlite3.connect(tmp_path / "store")
    raw.executescript(
        "UPDATE episode SET text = 'sun' WHERE event = 1; DELETE FROM memory WHERE event = 2;"
        "INSERT INTO access VALUES (77, 1, 1);"
    )
    raw.close()
    found = list(maintenance.wrong_rows(store._connection))
    assert found == [
        "Episode m00001 of event 1 is missing or was changed.",
        "Memory m00001 of event 1 is missing or was changed.",
        "Memory m00002 of event 2 is missing or was changed.",
        "The count of a scope's memories is wrong (scope 1).",
        "There are 1 vectors without a memory.",
        "There are 1 access counts without a memory.",
    ]
    store.close()


def test_a_dropped_event_breaks_the_chain(tmp_path: Path) -> None:
    """The first break is named, once."""
    store = SqliteStore(tmp_path / "store")
    writer = Writer(store)
    for _ in range(4):
        writer.recall(ADA)
    raw = sqlite3.connect(tmp_path / "store")
    raw.executescript("DELETE FROM event WHERE seq = 2; UPDATE event SET why = 'x' WHERE seq = 4;")
    raw.close()
    assert list(maintenance.broken_chain(store._connection)) == [
        "The chain is broken: event 2 is missing (event 3 stands in its place), in the scope tester/ada/house."
    ]
    store.close()


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    """A writer into a new file."""
    return Writer(SqliteStore(tmp_path / "store"))


def rows(writer: Writer, query: str) -> list[tuple[object, ...]]:
    """Rows of the file."""
    assert isinstance(writer.store, SqliteStore)
    return writer.store._connection.rows(query)


def test_only_what_is_not_at_its_default_is_kept(writer: Writer) -> None:
    """And a memory that is back at the beginning has no row."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    assert rows(writer, "SELECT * FROM standing") == []
    writer.change(ADA, name, pinned=True, utility=0.5)
    ((_, state, data),) = rows(writer, "SELECT * FROM standing")
    assert (state, json.loads(str(data))) == ("active", {"pinned": True})
    writer.change(ADA, name, pinned=False)
    assert rows(writer, "SELECT * FROM standing") == []


def test_a_state_is_read_by_column(writer: Writer) -> None:
    """What sleeps is not recalled, in a corpus loaded before as well as after."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    before = writer.store.corpus(ADA, None)
    writer.change(ADA, name, state=State.DORMANT)
    assert before.recallable(at(0)) is None
    awake = writer.store.corpus(ADA, None).recallable(at(0))
    assert awake is not None
    assert awake.tolist() == [True, False]


def test_new_words_are_found_and_old_ones_are_not(writer: Writer) -> None:
    """The index follows."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "rain")
    writer.change(ADA, name, text="ship violin")
    corpus = writer.store.corpus(ADA, None)
    assert [corpus.postings(word).ordinals.tolist() for word in ("rain", "ship", "tea")] == [[], [1], [0]]
    assert writer.store.check() == []


def test_a_recall_cannot_reword(writer: Writer) -> None:
    """Words change in an event of their own; nothing of the recall is kept."""
    name = writer.form(ADA, writer.remember(ADA, "tea"), "tea")
    change = Change(name, (FieldChange("text", "tea", "rain"),))
    with pytest.raises(InvalidInput, match="rewords"):
        writer.event(ADA, Action.RECALL, Recalled((name,), (change,)))
    memory = writer.store.memory(ADA, name)
    assert memory is not None
    assert (memory.text, memory.accesses) == ("tea", 0)


@pytest.mark.req("D31")
def test_formed_memories_recalled_together_are_companions(writer: Writer) -> None:
    """Counted once a recall; episodes are none."""
    said = writer.remember(ADA, "tea")
    one, other = (writer.form(ADA, said, word) for word in ("rain", "ship"))
    for _ in range(3):
        writer.recall(ADA, one, other, said)
    (pair,) = writer.store.companions(ADA)
    assert ({pair.first, pair.second}, pair.count) == ({one, other}, 3)
    assert pair.since < pair.last


@pytest.mark.req("D16")
def test_an_edge_is_kept_once(writer: Writer) -> None:
    """The same edge again replaces the first; with a memory that is gone there is none."""
    said = writer.remember(ADA, "tea")
    one, other = (writer.form(ADA, said, word) for word in ("rain", "ship"))
    for _ in range(2):
        writer.relate(ADA, one, other, RelationKind.CAUSES)
    writer.relate(ADA, one, "nobody", RelationKind.CAUSES)
    assert [(edge.source, edge.target) for edge in writer.store.relations(ADA)] == [(one, other)]
    writer.erase(ADA, said)
    assert writer.store.relations(ADA) == []
    assert writer.store.formed(ADA) == []
