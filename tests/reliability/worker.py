"""A process of its own that works on a store, for tests to watch, starve and kill: a job in, one line an act out.

python -m tests.reliability.worker JOB PATH [ARGUMENT …]
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from reverie import FixedClock, Message, RandomIds, Reverie
from reverie.engine import ingest
from reverie.errors import ReverieError, StoreFull
from reverie.stores.sqlite import SqliteStore
from reverie.stores.sqlite.connection import Connection, _Waiting
from reverie.types import Scope
from tests.stores.making import ADA, GRACE, MODEL, Writer, at, vector

SCOPES = (ADA, GRACE)


def say(*words: object) -> None:
    """One line to whoever watches, at once."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def talk(path: str, name: str, count: str) -> None:
    """Write and recall in turn; every read must hold at least what this process wrote itself."""
    store = SqliteStore(path)
    writer = Writer(store, name, durable=True)
    for number in range(int(count) // 2):
        memory = writer.remember(ADA, f"{name} says tea {number}", session=name)
        corpus = store.corpus(ADA, MODEL)
        found = corpus.postings(name).ordinals
        assert len(found) == number + 1, f"{len(found)} of {number + 1} found"
        assert corpus.nearest(vector(number), 3, None)[0].size == min(3, corpus.size)
        writer.recall(ADA, memory, *[hit.id for hit in corpus.fetch(found[-3:-1].tolist())])
        say("said", memory)
    store.close()


def live(path: str, seed: str) -> None:
    """Write without end, announcing each act and confirming it when it is on the disk."""
    store, chance = SqliteStore(path), Random(int(seed))
    writer = Writer(store, f"{seed}-", durable=True)
    mine: list[tuple[Scope, str]] = []
    while True:
        scope = chance.choice(SCOPES)
        act = chance.random()
        if act < 0.75 or not mine:
            name = f"{writer.prefix}{writer.number + 1:05}"
            say("remember", SCOPES.index(scope), name)
            writer.remember(scope, f"words of {name} " * chance.randint(1, 40))
            mine.append((scope, name))
        elif act < 0.95:
            where, name = chance.choice(mine)
            say("forget", SCOPES.index(where), name)
            writer.forget(where, name, at(0))
        else:
            where, name = mine.pop(chance.randrange(len(mine)))
            say("erase", SCOPES.index(where), name)
            writer.erase(where, name)
        say("done")


def opened(path: str, seed: str) -> tuple[Reverie, FixedClock]:
    """The engine that lives are lived with, and its clock: each life is a month after the one before."""
    clock = FixedClock(at(30 * 24 * 60 * (int(seed) + 1)))
    return Reverie.open(path, embedder=None, clock=clock, ids=RandomIds(seed=int(seed)), background=False), clock


def _observed(engine: Reverie, seed: str, number: int) -> str:
    """Say something, announced and confirmed; its id."""
    text = ("My sister Elif{0} lives in Town{0}.", "Kardeşim Elif{0} artık Kent{0}'te yaşıyor.")[number % 2]
    say("observe")
    message = Message(text.format(f"{seed}x{number}"), speaker="user", session="s")
    name = engine.observe(message, ADA, deliberate=True).id
    say("kept", name)
    return name


def observe(path: str, seed: str) -> None:
    """The whole write path, without end."""
    engine, _ = opened(path, seed)
    for number in count():
        _observed(engine, seed, number)


def dream(path: str, seed: str) -> None:
    """A night after every second thing that was said."""
    engine, clock = opened(path, seed)
    for number in count():
        _observed(engine, seed, number)
        if number % 2:
            say("dream")
            clock.at += timedelta(days=1)
            engine.dream(ADA)
            say("dreamt")


def erase(path: str, seed: str) -> None:
    """Every second thing that was said is erased again."""
    engine, _ = opened(path, seed)
    for number in count():
        name = _observed(engine, seed, number)
        if number % 2:
            say("erase", name)
            engine.admin.erase(name, ADA, why="asked")
            say("erased", name)


def bring(path: str, seed: str) -> None:
    """A lossless export into one scope after another."""
    engine, _ = opened(path, seed)
    for number in count():
        say("import", f"in{seed}x{number}")
        engine.transfer.import_journal(
            Path(path).with_name("all.jsonl"), into=Scope("tester", "ada", f"in{seed}x{number}")
        )
        say("imported", f"in{seed}x{number}")


def migrate(path: str, seed: str) -> None:
    """Open an older file, which brings it up to date; then write into it."""
    say("migrate")
    SqliteStore(path, create=False).close()
    observe(path, seed)


LIVES = {"write": live, "observe": observe, "dream": dream, "erase": erase, "import": bring, "migrate": migrate}
"""What a process can be killed over."""


def _end_at(number: int) -> None:
    """Kill this process when SQLite is given work for the time of this number, counted from 0."""
    left = number

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def one(*arguments: object) -> object:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return call(*arguments)

        return one

    for kind, name in ((Connection, "run"), (Connection, "run_many"), (_Waiting, "__call__")):
        setattr(kind, name, counted(getattr(kind, name)))


def upgrade_until(path: str, number: str) -> None:
    """Open an older file, and be killed at some statement."""
    _end_at(int(number))
    SqliteStore(path, create=False).close()
    say("whole")


def repair_until(path: str, number: str) -> None:
    """Repair a store, and be killed at some statement, or while its new pages are written."""
    engine, _ = opened(path, "0")
    _end_at(int(number))
    engine.admin.repair()
    say("whole")


STEPS = {"upgrade": upgrade_until, "repair": repair_until}
"""What a process can be killed over step by step; the number of the step stands in the place of the seed."""


def repair(path: str) -> None:
    """Repair a store once, and say what came of it."""
    engine, _ = opened(path, "0")
    say("ready")
    sys.stdin.readline()
    try:
        say("repaired", engine.admin.repair().backup or "nothing")
    except ReverieError as error:
        say("refused", type(error).__name__, error)
    engine.close()


def repair_locked(path: str, *locked: str) -> None:
    """As nobody, repair a store of which some parts are locked."""
    with tempfile.TemporaryDirectory() as folder, Reverie.open(Path(folder) / "one.db", embedder=None) as engine:
        engine.remember("Nobody can import what a repair needs.", ADA)
        engine.admin.repair()
    for name in locked:
        Path(name).chmod(0o555 if Path(name).is_dir() else 0o444)
    _become_nobody(Path(path).parent)
    try:
        with Reverie.open(path, embedder=None, background=False) as engine:
            engine.admin.repair()
            say("repaired")
    except ReverieError as error:
        say("refused", type(error).__name__, error)
    finally:
        for name in locked:
            Path(name).chmod(0o755 if Path(name).is_dir() else 0o644)


def nursery(of: str = "") -> None:
    """Fork a process for each line read (path, seed, what it does), so that none has to import everything anew."""
    if of == "jobs":
        preload()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            say("born", os.getpid())
            try:
                path, seed, *how = line.split()
                (LIVES | STEPS | {"jobs": jobs})[how[0] if how else "write"](path, seed)
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        say("ended")


def preload() -> None:
    """Import what workers on jobs need, by doing one of each; no thread is left."""
    with suppress(ImportError):
        for name in ("procrastinate", "procrastinate.manager", "psycopg_pool", "reverie.stores.postgres.jobs"):
            import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chat.jsonl"
        file.write_text('{"text": "Tea at four.", "at": "2026-03-01T12:00:00Z"}')
        with Reverie.open(Path(folder) / "x.db", embedder="hash", background=False) as engine:
            engine.jobs.enqueue("import", ADA, arguments={"file": str(file)}, background=False)
            engine.jobs.enqueue("dream", ADA, background=False)
            engine.jobs.work()


def fill(path: str, limit: str) -> None:
    """Write until no file may grow beyond a limit; then look around, get room, and go on."""
    store = SqliteStore(path)
    writer = Writer(store, durable=True)
    writer.remember(ADA, "tea")
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), hard))
    try:
        while True:
            name = writer.remember(ADA, "rain and tea " * 50)
            say("said", name)
    except StoreFull as error:
        say("full", error)
    say("kept", len(list(store.memories(ADA))), store.corpus(ADA, MODEL).size, store.mark())
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    say("said", writer.remember(ADA, "room again"))
    say("faults", store.check())
    store.close()


def read_only(path: str, *locked: str) -> None:
    """Lock a file or folder, become nobody, and see what can still be done."""
    for name in locked:
        Path(name).chmod(0o555 if Path(name).is_dir() else 0o444)
    _become_nobody(Path(path).parent)
    try:
        _use(path)
    finally:
        for name in locked:
            Path(name).chmod(0o755 if Path(name).is_dir() else 0o644)


def spell(path: str, mended: str) -> None:
    """As nobody: read a locked store, unlock its file, and write; ``mended`` is whether what is beside it may be."""
    file = Path(path)
    _become_nobody(file.parent)
    file.chmod(0o444)
    SqliteStore(path).close()
    say("left", *sorted(each.name for each in file.parent.iterdir() if not os.access(each, os.W_OK)))
    file.chmod(0o644)
    if mended == "no":
        Path.chmod = _refused  # type: ignore[assignment,method-assign]  # as of another user's file
    store = SqliteStore(path)
    say("advice", *[fault.name for fault in store.advice()])
    try:
        store.put_vectors(MODEL, [])
        say("wrote")
    except ReverieError as error:
        say("kept out", type(error).__name__, error)
    store.close()


def _refused(*_: object) -> None:
    raise PermissionError


def _become_nobody(folder: Path) -> None:
    """Whom locks keep out: the folder and all in it become nobody's, and so does this process."""
    if os.geteuid() != 0:
        return
    for each in (folder, *folder.iterdir()):
        os.chown(each, 65534, 65534)
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)


def _use(path: str) -> None:
    try:
        store = SqliteStore(path)
    except ReverieError as error:
        say("refused", type(error).__name__, error)
        return
    corpus = store.corpus(ADA, MODEL)
    found = corpus.fetch(corpus.postings("tea").ordinals.tolist())
    say("read", *[memory.id for memory in found], store.memory(ADA, found[0].id) == found[0])
    acts: list[Callable[[], object]] = [
        lambda: store.begin(ADA, durable=True).__enter__(),
        lambda: store.put_vectors(MODEL, []),
        lambda: store.reindex(ADA, "x", iter([])),
    ]
    for act in acts:
        try:
            act()
            say("wrote")
        except ReverieError as error:
            say("kept out", type(error).__name__, error)
    say("faults", store.check())
    store.close()


def jobs(path: str, how: str = "") -> None:
    """Do a store's jobs in small steps, and tell of each; ``slow``: with a pause after it; ``die``: killed at it."""
    ingest.IMPORT_BATCH = 16
    with Reverie.open(path, embedder="hash", background=False) as engine:
        table: Any = engine.jobs._table
        real = table.progress

        def progress(job_id: str, done: int, total: int, at: datetime) -> bool:
            if how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            found = bool(real(job_id, done, total, at))
            say("step", job_id, done)
            if how == "slow":
                time.sleep(0.02)
            return found

        table.progress = progress  # only in this process
        say("open")
        engine.jobs.work()


if __name__ == "__main__":
    works = {"talk": talk, "nursery": nursery, "fill": fill, "read_only": read_only, "spell": spell}
    works |= {"repair": repair, "repair_locked": repair_locked, "jobs": jobs}
    works[sys.argv[1]](*sys.argv[2:])
