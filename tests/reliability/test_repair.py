"""A repair gives back the store that the journal describes, whatever of the rest is lost, or changes nothing."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.engine.retention import Retention
from reverie.errors import Conflict, InvalidInput, ReverieError, StoreCorrupt, StoreFull, StoreMissing, StoreTooNew
from reverie.stores.sqlite import SqliteStore, schema
from reverie.stores.sqlite.repair import Rebuild
from reverie.types import Kind
from tests.reliability.test_damage import PAGE, VALUES, put
from tests.reliability.watching import start, told
from tests.stores.making import ADA, GRACE, at

pytestmark = pytest.mark.req("D52")

DERIVED = (
    *("meta", "episode", "memory", "access", "model", "vector", "standing", "source", "relation", "companion", "touch"),
    *("lacking", "record", "block", "posting"),
)
COUNTERS = ("version", "stamp", "top", "memories", "events")
"""The columns of a scope's row that the journal determines; its number and its names belong to the journal."""
FEW = 30
"""How many of the thousand faults the normal suite injects."""


def opened(path: Path, embedder: HashEmbedder | None = None) -> Reverie:
    """An engine whose clock stands after everything."""
    clock = FixedClock(at(60 * 24 * 30))
    return Reverie.open(path, embedder=embedder, clock=clock, ids=RandomIds(seed=9), background=False, create=False)


def lived(path: Path) -> None:
    """A small store in which everything that the tables can hold happened."""
    clock = FixedClock(at(0))
    with Reverie.open(path, embedder=HashEmbedder(16), clock=clock, ids=RandomIds(seed=4), background=False) as engine:
        for number in range(8):
            clock.at += timedelta(hours=1)
            for scope in (ADA, GRACE):
                text = f"My sister Elif{number} lives in Town{number}. I like tea number {number}."
                engine.observe(Message(text, session=f"s{number % 2}", message_id=f"m{number}"), scope, deliberate=True)
        for number in range(3):
            engine.recall(f"Where does Elif{number} live?", ADA)
        said = [one.id for one in engine.timeline(ADA) if one.kind == "episode"]
        engine.correct(said[1], "My sister Elif1 lives in Rome.", ADA)
        engine.forget(said[2], ADA)
        engine.admin.pin(said[3], ADA)
        engine.admin.erase(said[4], ADA, why="asked")
        clock.at += timedelta(days=1)
        engine.dream(ADA)
        engine.remember("And one more thing.", GRACE)
        engine.admin.set_retention(Retention("old", 900, kinds=(Kind.FACT,)), GRACE)


@dataclass(frozen=True)
class Told:
    """What a store tells."""

    digest: str
    missing: int
    scopes: list[Scope]
    rest: list[object]


def tell(engine: Reverie) -> Told:
    """Everything of a store that somebody would notice, beyond what its digest covers."""
    store = engine._context.store
    rest: list[object] = []
    for scope in (ADA, GRACE):
        every = engine.timeline(scope)
        rest += [every, engine.admin.relations(scope), store.companions(scope), store.formed(scope)]
        rest += [[event.hash for event in store.history(scope, one.id)] for one in every]
        rest += [store.made_from(scope, one.id) for one in every]
        hits = engine.explain("Where does Elif3 live?", scope).recollection.hits
        rest += [[(hit.memory.id, hit.score) for hit in hits], store.often(scope, 1), engine.admin.retentions(scope)]
    return Told(engine.admin.digest(), engine.admin.missing(), engine.admin.scopes(), rest)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The closed store."""
    path = tmp_path_factory.mktemp("whole") / "store.db"
    lived(path)
    return path


@pytest.fixture(scope="module")
def expected(whole: Path) -> Told:
    """What it tells."""
    with opened(whole, HashEmbedder(16)) as engine:
        found = tell(engine)
        assert (found.missing, engine.admin.verify()) == (0, [])
        assert engine.admin.replay(":memory:") == found.digest
        return found


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A store of one test's own."""
    return Path(shutil.copy(whole, tmp_path / "store.db"))


def tamper(path: Path, sql: str) -> None:
    """Change a store behind Reverie's back, as far as SQLite lets one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw, suppress(sqlite3.Error):
        for statement in sql.split(";"):
            raw.execute(statement)


def journal_of(path: Path) -> list[object]:
    """Every byte of the journal."""
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute("SELECT * FROM event ORDER BY seq").fetchall()


def lose_rows(path: Path, chance: Random) -> str:
    """Some rows, half of them, or all of a table."""
    table, among = chance.choice(DERIVED), chance.choice((1, 2, 5))
    with closing(sqlite3.connect(path)) as raw:
        found = raw.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk").fetchone()
    key = found[0] if found else "0"  # dropped before
    tamper(path, f"DELETE FROM {table} WHERE abs(unicode({key} || '')) % {among} = {chance.randrange(among)}")
    return f"{table}: a row of {among}"


def alter(path: Path, chance: Random) -> str:
    """Another value in some rows of a column, also one of another kind."""
    table = chance.choice(DERIVED)
    with closing(sqlite3.connect(path)) as raw:
        columns = [row[1] for row in raw.execute(f"PRAGMA table_info ({table})")]
        if not columns:  # dropped before
            return f"{table} is gone"
        column = chance.choice(columns)
        old = chance.choice(raw.execute(f"SELECT {column} FROM {table}").fetchall() or [(None,)])[0]
    new = chance.choice((*VALUES, 3, "x"))
    put(path, (table, column), old, new)
    return f"{table}.{column} = {new!r}"


def miscount(path: Path, chance: Random) -> str:
    """Wrong counters."""
    column, value = chance.choice(COUNTERS), chance.choice((0, 1, -1, 7, 10**6, "'x'", 2**62))
    table, column = chance.choice((("scope", column), ("lacking", "count"), ("access", "count")))
    tamper(path, f"UPDATE {table} SET {column} = {value}")
    return f"{table}.{column} = {value}"


def drop(path: Path, chance: Random) -> str:
    """An index, a view or a table, the text index too."""
    with closing(sqlite3.connect(path)) as raw:
        found = raw.execute("SELECT type, name FROM sqlite_master WHERE sql NOT NULL")
        kind, name = chance.choice([one for one in found.fetchall() if one[1] not in ("event", "scope")])
    tamper(path, f"DROP {kind} {name}")
    return f"{kind} {name} dropped"


def add(path: Path, chance: Random) -> str:
    """Rows that no event wrote."""
    sql = chance.choice(
        (
            "INSERT INTO scope (agent, user, project) VALUES ('no', 'bo', 'dy')",
            "INSERT INTO memory SELECT key + 500, scope, event, id || 'x', kind, at, recorded_at, session, place,"
            " speaker, role, valid_until, length, words, lists, 'made up', tokens FROM memory LIMIT 3",
            "INSERT OR IGNORE INTO touch SELECT key, 1 FROM memory",
            "INSERT OR IGNORE INTO relation SELECT key, key + 1, 'causes', 1.0, 0 FROM memory",
            "INSERT OR IGNORE INTO companion SELECT key, key + 1, 9, 0, 0 FROM memory",
            "INSERT OR IGNORE INTO access SELECT key, 50, 0 FROM memory",
            "INSERT OR IGNORE INTO posting VALUES (1, 3, 77, X'00')",
            "INSERT OR IGNORE INTO vector SELECT key + 9, zeroblob(32) FROM vector",
        )
    )
    tamper(path, sql)
    return sql


def overwrite(path: Path, chance: Random) -> str:
    """Noise or nothing in the first page of a table or index that is not the journal's."""
    kept = "'event', 'scope', 'sqlite_autoindex_scope_1'"
    with closing(sqlite3.connect(path)) as raw:
        found = raw.execute(f"SELECT name, rootpage FROM sqlite_master WHERE rootpage > 1 AND name NOT IN ({kept})")
        name, page = chance.choice(found.fetchall())
    where, size = (0, PAGE) if chance.random() < 0.3 else (chance.randrange(PAGE - 64), 64)
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE + where)
        file.write(bytes(size) if size == PAGE else chance.randbytes(size))
    return f"page {page} of {name}"


INJECTIONS: tuple[Callable[[Path, Random], str], ...] = (lose_rows, alter, miscount, drop, add, overwrite)


@pytest.mark.soak
def test_a_thousand_faults_are_repaired(
    whole: Path, expected: Told, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """Of what derives from the journal anything may be lost or wrong, alone or together: all of it comes back.

    The journal keeps each byte, and the copy that was made before is there.
    """
    journal = journal_of(whole)
    rebuilt = 0
    for number in range(1000 if share(10) == 10 else FEW):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = Path(shutil.copy(whole, folder / "store.db"))
        chance = Random(f"fault {number}")
        first = INJECTIONS[number % len(INJECTIONS)]
        done = [
            first(path, chance),
            *(chance.choice(INJECTIONS)(path, chance) for _ in range(chance.choice((0, 0, 2)))),
        ]
        damaged = journal_of(path)
        with opened(path, HashEmbedder(16)) as engine:
            repaired = engine.admin.repair()
            assert repaired.faults == (), (number, done)
            assert tell(engine) == expected, (number, done)
            assert repaired.digest == expected.digest, (number, done)
        assert journal_of(path) == journal == damaged
        if repaired.backup:
            rebuilt += 1
            assert journal_of(Path(repaired.backup)) == journal
        shutil.rmtree(folder)
    assert rebuilt > FEW // 2


def test_a_sound_store_is_left_alone(copy: Path) -> None:
    """No copy is made, and not a byte changes; vectors of a model are made where they are missing."""
    before = copy.read_bytes()
    with opened(copy) as engine:
        done = engine.admin.repair()
    assert (done.backup, done.rebuilt, done.faults) == ("", (), ())
    assert copy.read_bytes() == before
    assert [path.name for path in copy.parent.glob("*.db*") if "before" in path.name] == []
    with opened(copy, HashEmbedder(32)) as engine:
        assert engine.admin.repair().embedded == engine._context.store.stats(ADA).memories + len(engine.timeline(GRACE))


BREAKS = {
    "content": "UPDATE event SET payload = x'7b7d' WHERE seq = 5",
    "hash": "UPDATE event SET hash = previous WHERE seq = 5",
    "gap": "DELETE FROM event WHERE seq = 5",
    "end": "DELETE FROM event WHERE seq > 20",
    "all": "DELETE FROM event",
    "scope": "DELETE FROM scope",
    "name": "UPDATE scope SET user = 'mallory' WHERE user = 'ada'",
}


@pytest.mark.parametrize("what", BREAKS)
def test_a_broken_journal_is_never_mended(copy: Path, what: str) -> None:
    """It is named, with what to do; no copy is made and nothing is changed, whatever else is damaged."""
    tamper(copy, f"{BREAKS[what]}; DELETE FROM touch")
    with closing(sqlite3.connect(copy)) as raw:
        before = list(raw.iterdump())
    with opened(copy) as engine, pytest.raises(StoreCorrupt, match="nothing was changed") as refused:
        engine.admin.repair()
    assert "Restore the last backup" in refused.value.mend
    with closing(sqlite3.connect(copy)) as raw:
        assert list(raw.iterdump()) == before
    assert [path for path in copy.parent.iterdir() if "before" in path.name or path.suffix == ".reverie"] == []


def test_lost_messages_are_not_thrown_away_for_good(copy: Path) -> None:
    """A log that was removed took acknowledged messages along: a repair waits until that is settled."""
    with opened(copy) as engine:
        engine.remember("Kept in the log.", ADA)
        older = copy.read_bytes()
        engine.remember("Lost with it.", ADA)
        head = copy.with_name("store.db-head").read_bytes()
    copy.write_bytes(older)
    copy.with_name("store.db-head").write_bytes(head)
    with opened(copy) as engine, pytest.raises(StoreCorrupt, match="acknowledged events are missing"):
        engine.admin.repair()


def test_the_copy_goes_where_it_is_asked_to(copy: Path, tmp_path: Path) -> None:
    """Never over another file, and not into a folder that is not there; it is the store as it was."""
    tamper(copy, "DELETE FROM touch")
    (tmp_path / "taken").write_text("mine")
    with opened(copy) as engine:
        with pytest.raises(Conflict):
            engine.admin.repair(tmp_path / "taken")
        with pytest.raises((StoreMissing, ReverieError), match="nowhere"):
            engine.admin.repair(tmp_path / "nowhere" / "copy.db")
        done = engine.admin.repair(tmp_path / "copy.db")
        assert (done.backup, done.rebuilt) == (str(tmp_path / "copy.db"), ("touch",))
        assert tmp_path / "copy.db" in engine.admin.copies()
    assert (tmp_path / "taken").read_text() == "mine"
    with closing(sqlite3.connect(tmp_path / "copy.db")) as raw:
        assert raw.execute("SELECT count(*) FROM touch").fetchone() == (0,)


def test_what_others_write_meanwhile_is_kept(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that comes between the replay and the end is there after it; whoever had the store open goes on."""
    tamper(copy, "DELETE FROM touch; DELETE FROM relation")
    put_in_place, others = Rebuild.put, opened(copy)
    others.recall("Where does Elif3 live?", ADA)
    said: list[str] = []

    def late(rebuild: Rebuild) -> bool:
        if len(said) < 3:
            said.append(others.remember(f"Late message {len(said)}.", ADA).id)
        return put_in_place(rebuild)

    monkeypatch.setattr(Rebuild, "put", late)
    with opened(copy) as engine:
        done = engine.admin.repair()
        assert done.faults == ()
        assert done.digest == engine.admin.digest() == others.admin.digest() == engine.admin.replay(":memory:")
        assert {*said} <= {one.id for one in engine.timeline(ADA)} == {one.id for one in others.timeline(ADA)}
    answer = others.recall("Where does Elif3 live?", ADA).hits[0].memory.text
    assert "Elif3" in answer
    others.remember("And after.", ADA)
    assert others.admin.verify() == []
    others.close()


def test_an_erased_text_does_not_come_back_into_the_file(copy: Path) -> None:
    """A row that was put back by hand goes, and its bytes with it."""
    tamper(copy, "UPDATE memory SET text = 'resurrected words' WHERE key % 2 = 0")
    with opened(copy) as engine:
        engine.admin.repair()
    assert b"resurrected" not in b"".join(path.read_bytes() for path in copy.parent.glob("store.db*"))


def test_two_repairers_at_once(copy: Path) -> None:
    """Each repairs, finds nothing to do any more, or is told that another is at it; the store is whole."""
    tamper(copy, "DELETE FROM touch; DELETE FROM memory WHERE key % 2")
    workers = [start("repair", copy) for _ in range(2)]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    answers = [told(worker)[0] for worker in workers]
    assert sum(answer.startswith("repaired /") for answer in answers) == 1, answers
    assert all(answer.startswith(("repaired", "refused Conflict")) for answer in answers), answers
    with opened(copy) as engine:
        assert (engine.admin.verify(), engine.admin.repair().backup) == ([], "")


@pytest.mark.soak
def test_no_kill_leaves_half_a_repair(whole: Path, expected: Told, tmp_path: Path, share: Callable[[int], int]) -> None:
    """Killed at any step there is the damaged store or the repaired one; the copy is whole; the next repair ends."""
    nursery, kills, number = start("nursery"), 0, 0
    damage = "DELETE FROM touch; UPDATE memory SET text = 'x' WHERE key % 2"
    damaged = Path(shutil.copy(whole, tmp_path / "damaged.db"))
    tamper(damaged, damage)
    outcomes = set()
    while True:
        folder = tmp_path / str(number)
        folder.mkdir()
        path = Path(shutil.copy(damaged, folder / "store.db"))
        if "whole" in steps(nursery, path, number, "repair"):
            break
        with closing(sqlite3.connect(path)) as raw:
            touches, wrong = raw.execute("SELECT (SELECT count(*) FROM touch), sum(text IS 'x') FROM memory").fetchone()
        assert (touches == 0) == (wrong > 0)
        outcomes.add(touches > 0)
        for backup in folder.glob("*before-repair*.db"):
            assert journal_of(backup) == journal_of(whole)
        with opened(path, HashEmbedder(16)) as engine:
            assert engine.admin.repair().faults == ()
            assert tell(engine) == expected
        kills += 1
        number += 1 if share(10) == 10 else 101
    assert nursery.stdin is not None
    assert told(nursery) == []
    assert kills > 5
    assert outcomes >= {False}


def steps(nursery: object, path: Path, number: int, how: str) -> list[str]:
    """What a process said until it was killed at a step, or ended."""
    nursery.stdin.write(f"{path} {number} {how}\n")  # type: ignore[attr-defined]  # a Popen with pipes
    nursery.stdin.flush()  # type: ignore[attr-defined]  # the same
    said: list[str] = []
    while (line := nursery.stdout.readline().strip()) != "ended":  # type: ignore[attr-defined]  # the same
        said.append(line)
    return said


def test_a_full_disk_leaves_the_store_as_it_was(whole: Path, small_disk: Path) -> None:
    """The error says what room it takes; with a copy on another disk, or with room, it goes."""
    path = Path(shutil.copy(whole, small_disk / "store.db"))
    tamper(path, "DELETE FROM touch")
    ballast = small_disk / "ballast"
    free = shutil.disk_usage(small_disk).free
    ballast.write_bytes(bytes(free - 200_000))
    with opened(path) as engine:
        before = engine.admin.digest()
        with pytest.raises(StoreFull, match=r"Nothing was changed.*room"):
            engine.admin.repair()
        assert engine.admin.digest() == before
        assert list(small_disk.glob(".*reverie*")) == []
        ballast.unlink()
        done = engine.admin.repair(whole.parent / "elsewhere.db")
        assert (done.rebuilt, done.faults) == (("touch",), ())


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder anybody may enter: pytest's own are closed to the user the worker becomes."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_locked_store_is_not_repaired(open_folder: Path, whole: Path, what: str) -> None:
    """Who may not write it is told what to allow; nothing is left beside it."""
    folder = open_folder
    path = Path(shutil.copy(whole, folder / "store.db"))
    tamper(path, "DELETE FROM touch")
    locked = {"file": [path], "folder": [folder]}[what]
    (line,) = told(start("repair_locked", path, *locked))
    assert line.startswith("refused StoreReadOnly")
    assert [one.name for one in folder.iterdir() if "before" in one.name or one.suffix == ".reverie"] == []


def test_a_newer_store_and_another_programs_are_refused(copy: Path, tmp_path: Path) -> None:
    """As by any other command; a store in memory has nothing to repair."""
    tamper(copy, f"PRAGMA user_version = {schema.VERSION + 1}")
    before = copy.read_bytes()
    with pytest.raises(StoreTooNew):
        opened(copy)
    assert copy.read_bytes() == before
    tamper(tmp_path / "other.db", "CREATE TABLE mine (x)")
    with pytest.raises(InvalidInput, match="another program"):
        opened(tmp_path / "other.db")
    tamper(copy, f"PRAGMA user_version = {schema.VERSION}; CREATE TRIGGER t AFTER DELETE ON touch BEGIN SELECT 1")
    with closing(sqlite3.connect(copy, isolation_level=None)) as raw:
        raw.execute("CREATE TRIGGER t AFTER DELETE ON touch BEGIN SELECT 1; END")
    with pytest.raises(StoreCorrupt, match="not ours"):
        opened(copy)
    with Reverie.open(":memory:", embedder=None) as engine, pytest.raises(InvalidInput, match="no file"):
        engine.admin.repair()


def test_a_repaired_store_is_still_the_one_with_its_backups(copy: Path) -> None:
    """Its mark as a restored backup stays, and its processes find nothing lost."""
    with closing(SqliteStore(copy)) as store:
        store.backup(copy.with_name("backup.db"))
    restored = copy.with_name("backup.db")
    tamper(restored, "DELETE FROM touch")
    with closing(sqlite3.connect(restored)) as raw:
        mark = raw.execute("SELECT value FROM meta WHERE name = 'copy'").fetchone()
    with opened(restored) as engine:
        assert engine.admin.repair().rebuilt == ("touch",)
    with closing(sqlite3.connect(restored)) as raw:
        assert raw.execute("SELECT value FROM meta WHERE name = 'copy'").fetchone() == mark
