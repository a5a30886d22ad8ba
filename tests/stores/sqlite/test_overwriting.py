"""What is left of erased memories in a store's files: nothing, without the file being rewritten."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from reverie.errors import StoreFull
from reverie.stores.sqlite import SqliteStore, connection, overwriting
from reverie.stores.sqlite.connection import Connection
from reverie.stores.vectors import pack
from reverie.types import Scope
from tests.stores.making import MODEL, Writer, vector
from tests.stores.sqlite.test_schema import seventh_version

pytestmark = pytest.mark.req("D52")
SCOPES = [Scope("tester", f"user{number}", "house") for number in range(40)]


class Crowd:
    """Many scopes that write in turns by chance, so that their rows are moved from page to page."""

    def __init__(self, path: Path, seed: int, count: int) -> None:
        self.chance = Random(seed)
        self.store = SqliteStore(path)
        self.path = path
        self.known: list[tuple[Scope, str, list[bytes]]] = []
        self._writer = Writer(self.store)
        for number in range(count):
            scope = self.chance.choice(SCOPES)
            word = f"zq{seed}v{number}k"
            text = " ".join([word, "tea"] + ["long"] * self.chance.randint(0, 60))
            row = pack(vector(self._writer.number * 7), MODEL).tobytes()
            name = self._writer.remember(scope, text)
            self.known.append((scope, name, [word.encode(), row]))

    def erase(self, count: int) -> list[bytes]:
        """Erase some; return what must be in no file."""
        gone = []
        for _ in range(count):
            scope, name, traces = self.known.pop(self.chance.randrange(len(self.known)))
            self._writer.erase(scope, name)
            gone += traces
        return gone


def left(path: Path, traces: list[bytes]) -> list[bytes]:
    """Those of these bytes that any file of the store holds."""
    held = b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))
    return [trace for trace in traces if trace in held]


def test_nothing_of_an_erased_memory_is_in_any_file(tmp_path: Path, share: Callable[[int], int]) -> None:
    """Neither its words nor its vector, after each of many erasures; the others' words are still found."""
    for seed in range(share(10)):
        crowd = Crowd(tmp_path / f"store{seed}", seed, 200)
        gone: list[bytes] = []
        for _ in range(4):
            gone += crowd.erase(5)
            assert left(crowd.path, gone) == []
        assert crowd.store.check() == []
        kept = [traces[0] for _, _, traces in crowd.known]
        assert left(crowd.path, kept) == kept
        crowd.store.close()
        assert left(crowd.path, gone) == []


def busy_file(path: Path, seed: int) -> set[int]:
    """A file with two tables of rows that came, changed and went in any order; return the numbers that are there."""
    chance, live = Random(seed), dict[int, int]()
    longest = chance.choice([60, 300, 900, 1500, 3000])
    file = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "secure_delete = ON", "synchronous = OFF"):
        file.execute(f"PRAGMA {pragma}")
    file.execute("CREATE TABLE one (k INTEGER PRIMARY KEY, t TEXT)")
    file.execute("CREATE TABLE other (k TEXT PRIMARY KEY, t TEXT) WITHOUT ROWID")

    def put(key: int) -> None:
        words = f"zq{live[key]}k" + "l" * chance.randrange(longest)
        file.execute("INSERT OR REPLACE INTO one VALUES (?, ?)", (key, words))
        file.execute("INSERT OR REPLACE INTO other VALUES (?, ?)", (str(key), words))

    def drop(key: int) -> None:
        del live[key]
        file.execute("DELETE FROM one WHERE k = ?", (key,))
        file.execute("DELETE FROM other WHERE k = ?", (str(key),))

    for number in range(1_000):
        if chance.random() < 0.7 or not live:
            key = chance.randrange(1 << 20)
            live[key] = live.get(key, number)
            put(key)
        elif chance.random() < 0.3:
            put(chance.choice(list(live)))
        else:
            drop(chance.choice(list(live)))
    for key in chance.sample(list(live), len(live) // 2):
        drop(key)
    file.execute("PRAGMA wal_checkpoint (TRUNCATE)")
    file.close()
    return set(live.values())


def test_copies_that_sqlite_leaves_are_overwritten(tmp_path: Path, share: Callable[[int], int]) -> None:
    """Rows that were moved and then deleted are still in the file, overwriting on delete or not; then no more."""
    before, after = 0, 0
    for seed in range(share(40)):
        path = tmp_path / f"file{seed}"
        live = busy_file(path, seed)
        before += len(numbers_in(path) - live)
        own = Connection(path, mode="mode=rw", busy_timeout_s=1)
        overwriting._sweep(own)
        assert own.row("PRAGMA integrity_check") == ("ok",)
        own.close()
        after += len(numbers_in(path) - live)
        assert live <= numbers_in(path)
    assert before > 0
    assert after == 0


def numbers_in(path: Path) -> set[int]:
    """The numbers of all rows whose words the file holds."""
    return {int(found) for found in re.findall(rb"zq(\d+)k", path.read_bytes())}


def test_another_process_does_not_write_back_what_it_still_knows(tmp_path: Path) -> None:
    """It has read the pages before the erasure, and writes to the same ones after it."""
    crowd = Crowd(tmp_path / "store", 1, 300)
    with closing(SqliteStore(crowd.path)) as other:
        for scope in SCOPES:
            other.corpus(scope, MODEL)
            list(other.memories(scope))
        gone = crowd.erase(20)
        writer = Writer(other, "o")
        for scope in SCOPES:
            writer.remember(scope, "tea", embedded=None)
        assert left(crowd.path, gone) == []
    crowd.store.close()
    assert left(crowd.path, gone) == []


@pytest.mark.parametrize("at", [0, 1, 3])
def test_an_erasure_cut_short_is_finished_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """A full disk, or a death, at any piece: it is told, the memory is gone, and then so are its bytes."""
    crowd, wrote = Crowd(tmp_path / "store", 2, 300), 0
    gone = crowd.erase(1)
    real = os.pwrite

    def full(file: int, data: bytes, offset: int) -> int:
        nonlocal wrote
        wrote += data.count(0) == len(data)
        if wrote > at:
            shutil.copy(crowd.path, tmp_path / "killed")  # as it would lie there after a kill at this moment
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, data, offset)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        for _ in range(40):
            try:
                gone += crowd.erase(1)
            except StoreFull as error:
                told = f"{error.message} {error.mend}"
                break
        else:
            pytest.skip("nothing was left to overwrite")
    assert "not yet out of the file" in told
    assert "open the store again" in told
    scope, name, traces = crowd.known[0]
    assert [fault.name for fault in crowd.store.check()] == ["erasure"]
    crowd.store.close()
    for path in (crowd.path, tmp_path / "killed"):
        with closing(SqliteStore(path)) as again:
            assert again.check() == []
            assert again.memory(scope, name) is not None
        assert left(path, gone) == []
        assert left(path, traces) != []


def test_where_it_is_not_possible_the_file_is_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An SQLite that does not overwrite what it deletes, or a system without the calls: slower, and as thorough."""
    monkeypatch.setattr(overwriting, "is_possible", lambda connection: False)
    ran: list[str] = []
    run = Connection.run

    def heard(self: Connection, sql: str, values: tuple[object, ...] = ()) -> int:
        ran.append(sql)
        return run(self, sql, values)

    monkeypatch.setattr(Connection, "run", heard)
    crowd = Crowd(tmp_path / "store", 3, 200)
    assert left(crowd.path, crowd.erase(10)) == []
    assert "VACUUM" in ran
    crowd.store.close()


def test_a_file_of_an_older_version_is_rewritten_once(tmp_path: Path) -> None:
    """What lies in its unused parts is unknown; from then on it is overwritten in place."""
    crowd = Crowd(tmp_path / "store", 4, 200)
    crowd.store.close()
    seventh_version(crowd.path)
    with closing(SqliteStore(crowd.path)) as store:
        crowd.store, crowd._writer = store, Writer(store, "x")
        assert not overwriting.is_possible(store._connection)
        assert left(crowd.path, crowd.erase(3)) == []
        assert overwriting.is_possible(store._connection)
        size = crowd.path.stat().st_size
        assert left(crowd.path, crowd.erase(3)) == []
        assert crowd.path.stat().st_size == size
        assert store.compact() >= 0


def test_the_files_locks_outlive_a_store_that_is_closed(tmp_path: Path) -> None:
    """The descriptor through which pages are overwritten stays open while the process has a connection to the file."""
    crowd = Crowd(tmp_path / "store", 5, 60)
    with closing(SqliteStore(crowd.path)) as other:
        crowd.erase(2)
        crowd.store.close()
        assert other._connection.real in connection._handles
        assert len(list(other.memories(crowd.known[0][0]))) > 0
    assert str(crowd.path) not in connection._handles
