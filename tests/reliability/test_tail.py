"""A log that is lost or cut: what was acknowledged and is gone is told, to the event, and never without reason."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from reverie.answers import Fault
from reverie.stores.sqlite import SqliteStore
from tests.reliability.test_killed import lines_of_one_life
from tests.reliability.watching import start, told
from tests.stores.making import ADA, Writer, live_a_life


def said(path: Path, texts: range, name: str = "m") -> SqliteStore:
    """A store that is still open, with a message for each number, acknowledged."""
    store = SqliteStore(path)
    writer = Writer(store, f"{name}{texts.start}-", durable=True)
    for number in texts:
        writer.remember(ADA, f"tea {number}")
    return store


def as_killed(path: Path, folder: Path) -> Path:
    """The store's files as a process that is killed now would leave them, elsewhere."""
    folder.mkdir()
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copy2(part, folder / part.name)
    return folder / path.name


def beside(path: Path, end: str) -> Path:
    """A file beside a store."""
    return path.with_name(path.name + end)


def lost(path: Path) -> list[str]:
    """What the check of a store says of its tail; nothing else may be wrong."""
    with closing(SqliteStore(path, create=False)) as store:
        faults: list[Fault] = store.check()
    assert all(fault.name == "tail" and f"delete {path}-head" in fault.mend for fault in faults)
    return [fault.what.split(". ")[0] for fault in faults]


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    """A store of ten messages that was closed, so that they are all in its file."""
    said(tmp_path / "store", range(10)).close()
    return tmp_path / "store"


def test_a_lost_log_is_told_to_the_event(merged: Path, tmp_path: Path) -> None:
    """Removed or emptied after a process was killed: how many are missing, and which; with the log, none."""
    store = said(merged, range(10, 30))
    for kind in ("whole", "removed", "emptied"):
        copy = as_killed(merged, tmp_path / kind)
        if kind == "removed":
            beside(copy, "-wal").unlink()
        elif kind == "emptied":
            beside(copy, "-wal").write_bytes(b"")
        assert lost(copy) == ([] if kind == "whole" else ["20 acknowledged events are missing: 11 to 30"])
    store.close()


def test_a_log_cut_anywhere_is_told_to_the_event(merged: Path, tmp_path: Path) -> None:
    """What is left is read, and what was cut off is counted."""
    store = said(merged, range(10, 30))
    size = beside(merged, "-wal").stat().st_size
    for number in range(12):
        copy = as_killed(merged, tmp_path / str(number))
        os.truncate(beside(copy, "-wal"), size * number // 12)
        with closing(SqliteStore(copy)) as left:
            seq = left.mark()
        assert seq < 30
        assert lost(copy) == [f"{30 - seq} acknowledged events are missing: {seq + 1} to 30"]
    store.close()


def test_a_loss_is_told_until_the_note_is_taken_away(merged: Path, tmp_path: Path) -> None:
    """Also after others have written on; taken away it is not told again, not even by who is open."""
    store = said(merged, range(10, 15))
    copy = as_killed(merged, tmp_path / "copy")
    store.close()
    beside(copy, "-wal").unlink()
    for start_at in (20, 40):
        said(copy, range(start_at, start_at + 12)).close()
        assert lost(copy) == ["5 acknowledged events are missing: 11 to 15"]
    with closing(said(copy, range(60, 61))) as store:
        beside(copy, "-head").unlink()
        assert store.check() == []
        Writer(store, "last", durable=True).remember(ADA, "tea")
        assert store.check() == []
    assert lost(copy) == []


def test_a_second_loss_is_told_with_the_first(merged: Path, tmp_path: Path) -> None:
    """From the first event that is missing to the last that was acknowledged."""
    store = said(merged, range(10, 15))
    copy = as_killed(merged, tmp_path / "copy")
    store.close()
    beside(copy, "-wal").unlink()
    said(copy, range(20, 22)).close()
    store = said(copy, range(30, 40))
    again = as_killed(copy, tmp_path / "again")
    store.close()
    beside(again, "-wal").unlink()
    assert lost(again) == ["12 acknowledged events are missing: 11 to 22"]


REPLACED: dict[str, Callable[[Path, Path], object]] = {
    "a backup put in its place": lambda backup, path: backup.replace(path),
    "a backup copied over it": shutil.copy,
    "a backup copied over it with its age": shutil.copy2,
    "a new store": lambda _, path: (path.unlink(), SqliteStore(path).close()),
    "an empty file": lambda _, path: path.write_bytes(b""),
    "the note deleted": lambda _, path: beside(path, "-head").unlink(),
    "the note cut": lambda _, path: os.truncate(beside(path, "-head"), 100),
    "a note of nonsense": lambda _, path: beside(path, "-head").write_bytes(b"reverie-head-1 \xff 9 9"),
    "a note that is a folder": lambda _, path: (beside(path, "-head").unlink(), beside(path, "-head").mkdir()),
    "a note that is a pipe": lambda _, path: (beside(path, "-head").unlink(), os.mkfifo(beside(path, "-head"))),
    "a note that leads elsewhere": lambda _, path: (
        beside(path, "-head").replace(path.with_name("y")) and beside(path, "-head").symlink_to(path.with_name("y"))
    ),
    "an older copy put back": lambda _, path: shutil.copy(path.parent.parent / "older", path),
}


@pytest.mark.parametrize("how", REPLACED)
def test_what_was_replaced_on_purpose_is_no_loss(tmp_path: Path, how: str) -> None:
    """A restored backup, a copy, a new store, a note that is gone or none: nothing is claimed, and writing goes on."""
    path, backup = tmp_path / "store", tmp_path / "backup"
    said(path, range(2)).close()
    shutil.copy(path, tmp_path / "older")
    store = said(path, range(2, 5))
    store.backup(backup)
    store.close()
    store = said(path, range(5, 30))
    copy = as_killed(path, tmp_path / "copy")
    store.close()
    for end in ("-wal", "-shm"):
        beside(copy, end).unlink()
    REPLACED[how](backup, copy)
    assert lost(copy) == []
    said(copy, range(50, 52), "n").close()
    assert lost(copy) == []


AGED: dict[str, Callable[[Path], object]] = {
    "as it was": lambda path: None,
    "touched": os.utime,
    "older": lambda path: os.utime(path, (0, 0)),
    "another file": lambda path: (shutil.copy(path, path.with_name("new")), path.with_name("new").replace(path)),
    "read by others": lambda path: SqliteStore(path).close(),
}
CUT: dict[str, Callable[[Path], object]] = {
    "whole": lambda wal: None,
    "removed": Path.unlink,
    "emptied": lambda wal: wal.write_bytes(b""),
    "halved": lambda wal: os.truncate(wal, wal.stat().st_size // 2),
    "without its last page": lambda wal: os.truncate(wal, wal.stat().st_size - 1),
    "its middle overwritten": lambda wal: wal.write_bytes(
        (whole := wal.read_bytes())[: len(whole) // 3] + bytes(4096) + whole[len(whole) // 3 + 4096 :]
    ),
}


@pytest.mark.parametrize("sessions", [1, 2])
@pytest.mark.parametrize("aged", AGED)
@pytest.mark.parametrize("cut", CUT)
def test_a_loss_is_told_whatever_age_the_file_has(tmp_path: Path, cut: str, aged: str, sessions: int) -> None:
    """In the first process's life or a later one: where the log was cut, it is told; where it is whole, nothing is."""
    path = tmp_path / "store"
    if sessions > 1:
        said(path, range(10)).close()
    store = said(path, range(10, 30))
    acknowledged = store.head(ADA)
    copy = as_killed(path, tmp_path / "copy")
    store.close()
    CUT[cut](beside(copy, "-wal"))
    AGED[aged](copy)
    with closing(SqliteStore(copy)) as left:
        seq, head = left.mark(), left.head(ADA)
    assert (head == acknowledged) is (cut == "whole")
    for _ in range(2):
        told = f"{acknowledged[0] - seq} acknowledged events are missing: {seq + 1} to {acknowledged[0]}"
        assert lost(copy) == ([] if cut == "whole" else [told])


def test_what_was_not_acknowledged_is_not_missed(merged: Path, tmp_path: Path) -> None:
    """Counts of recalls may be lost with the log: nobody was told that they are on the disk."""
    with closing(SqliteStore(merged)) as store:
        Writer(store, "x").remember(ADA, "tea")
        copy = as_killed(merged, tmp_path / "copy")
        beside(copy, "-wal").unlink()
        assert lost(copy) == []


def test_two_writers_note_one_journal(merged: Path, tmp_path: Path) -> None:
    """In turn, and one after the other is gone: no loss is claimed, and one that happens is counted."""
    with closing(SqliteStore(merged)) as one, closing(SqliteStore(merged)) as two:
        writers = [Writer(one, "a", durable=True), Writer(two, "b", durable=True)]
        for number in range(20):
            writers[number % 2].remember(ADA, f"rain {number}")
            assert one.check() == two.check() == []
        one.close()
        writers[1].remember(ADA, "rain")
        copy = as_killed(merged, tmp_path / "copy")
        beside(copy, "-wal").unlink()
        assert lost(copy) == ["21 acknowledged events are missing: 11 to 31"]
    assert lost(merged) == []


def test_a_note_that_cannot_be_written_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No room, no rights: the message is kept all the same."""
    path = tmp_path / "store"
    beside(path, "-head").mkdir()
    said(path, range(3)).close()
    assert lost(path) == []
    beside(path, "-head").rmdir()
    with closing(SqliteStore(path)) as store:
        monkeypatch.setattr(os, "pwrite", lambda *_: (_ for _ in ()).throw(OSError(28, "no room")))
        Writer(store, "x", durable=True).remember(ADA, "tea")
        assert store.mark() == 4


@pytest.mark.parametrize("seed", range(4))
def test_no_life_loses_its_tail(tmp_path: Path, seed: int) -> None:
    """Whatever happens in a store (erasing, forming, changing), neither it nor a copy of it misses anything."""
    path = tmp_path / "store"
    with closing(SqliteStore(path)) as store:
        for round_ in range(3):
            live_a_life(store, seed * 10 + round_, 20)
            Writer(store, f"d{round_}", durable=True).remember(ADA, "tea")
            with closing(SqliteStore(as_killed(path, tmp_path / f"copy{round_}"))) as copy:
                assert copy.heads() == store.heads()
                assert all(fault.name != "tail" for fault in copy.check())
            store.compact()
    with closing(SqliteStore(path)) as store:
        assert all(fault.name != "tail" for fault in store.check())


@pytest.mark.soak
def test_no_kill_raises_a_false_alarm_and_each_loss_is_counted(tmp_path: Path, share: Callable[[int], int]) -> None:
    """100 kills at random moments (a tenth by default): whole with the log; without, each acknowledged act counts."""
    nursery = start("nursery")
    told_of = 0
    for seed in range(share(100)):
        path = tmp_path / f"store{seed // 10}"
        acts = lines_of_one_life(nursery, path, seed)
        if not path.exists():
            continue
        copy = as_killed(path, tmp_path / f"copy{seed}")
        with closing(SqliteStore(path)) as store:
            assert store.check() == []
            whole = store.mark()
        wal = beside(copy, "-wal")
        if wal.exists():
            os.truncate(wal, int(wal.stat().st_size * Random(seed).choice([0, 0.3, 0.9])))
        with closing(SqliteStore(copy)) as store:
            seq, faults = store.mark(), store.check()
        acknowledged = whole - (0 if not acts or acts[-1] == "done" else 1)
        if seq < acknowledged:
            (fault,) = faults
            assert any(
                fault.what.startswith(f"{end - seq} acknowledged events are missing: {seq + 1} to {end}.")
                for end in (acknowledged, whole)
            )
            told_of += 1
        else:
            assert faults == [] or seq < whole
    assert told_of
    assert told(nursery) == []
