"""The locks of an engine's scopes: who waits for whom, and that nobody waits for ever."""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, Message, Reverie, Scope
from reverie.engine.grants import Grant
from reverie.engine.locks import ScopeLocks
from reverie.engine.runtime import RandomIds
from reverie.errors import InvalidInput

SCOPES = [Scope("a", f"u{number}", "p") for number in range(12)]
PATIENCE_S = 60.0
START = datetime(2026, 1, 1, tzinfo=UTC)


def apart(locks: ScopeLocks) -> tuple[Scope, Scope]:
    """Return two scopes that do not share a lock by chance."""
    first = SCOPES[0]
    return first, next(one for one in SCOPES if locks.of(one)._numbers != locks.of(first)._numbers)


def finished(*works: Callable[[], object]) -> None:
    """Run functions in threads; fail where one raises or does not end."""
    with ThreadPoolExecutor(len(works)) as pool:
        for one in [pool.submit(work) for work in works]:
            one.result(PATIENCE_S)


def test_who_holds_one_scope_keeps_nobody_from_another() -> None:
    """Another thread enters the other scope meanwhile, but not the same, nor the whole engine."""
    locks = ScopeLocks()
    first, other = apart(locks)
    entered = []

    def enter(name: str, held: threading.Event) -> None:
        with locks.whole if name == "whole" else locks.of(first if name == "same" else other):
            entered.append(name)
            held.set()

    events = {name: threading.Event() for name in ("other", "same", "whole")}
    threads = [threading.Thread(target=enter, args=pair) for pair in events.items()]
    with locks.of(first), locks.of(first):
        for thread in threads:
            thread.start()
        assert events["other"].wait(PATIENCE_S)
        assert entered == ["other"]
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(entered) == ["other", "same", "whole"]


def test_a_second_scope_is_taken_with_the_first_or_not_at_all() -> None:
    """A thread that holds a scope never waits for another one; both at once, or all, it can take again."""
    locks = ScopeLocks()
    first, other = apart(locks)
    with locks.of(first):
        with pytest.raises(RuntimeError, match="both at once"), locks.of(other):
            pass
        with pytest.raises(RuntimeError, match="both at once"), locks.whole:
            pass
    with locks.of(other, first), locks.of(first), locks.of(other), locks.of(first, other):
        pass
    with locks.whole, locks.of(other), locks.whole:
        pass
    with pytest.raises(InvalidInput):
        locks.of("ada")  # type: ignore[arg-type]  # what a caller may hand in
    finished(lambda: locks.whole.__enter__())  # everything was given back


def test_the_table_of_locks_does_not_grow() -> None:
    """However many scopes are used."""
    locks = ScopeLocks()
    before = len(locks._locks)
    numbers = {locks.of(Scope("a", f"u{number}", "p"))._numbers for number in range(5_000)}
    assert len(locks._locks) == before
    assert len(numbers) > before // 2


@pytest.mark.parametrize("seed", range(3))
def test_threads_over_many_scopes_never_wait_for_each_other_for_ever(seed: int) -> None:
    """Threads that take one scope, two in any order, or all, nested and in turn."""
    locks = ScopeLocks(8)
    inside: dict[int, int] = {}

    def work(number: int) -> None:
        rng = random.Random(f"{seed}:{number}")
        for _ in range(300):
            pair = rng.sample(SCOPES, 2)
            some = rng.choice((locks.whole, locks.of(pair[0]), locks.of(*pair)))
            with some, locks.of(pair[0]):
                for one in some._numbers:
                    assert inside.setdefault(one, number) == number
                for one in some._numbers:
                    del inside[one]

    finished(*(lambda number=number: work(number) for number in range(6)))


@pytest.mark.parametrize("where", ["file", "memory"])
def test_an_engine_in_many_threads_keeps_each_scope_whole(tmp_path: Path, where: str) -> None:
    """Writes, recalls, grants, dreams, erasures and checks at once: no error, and every journal is as it should be."""
    path = tmp_path / "m.db" if where == "file" else ":memory:"
    with Reverie.open(path, embedder=HashEmbedder(), ids=RandomIds(seed=3)) as engine:
        written = dict.fromkeys(SCOPES, 0)
        counted = threading.Lock()

        def work(number: int) -> None:
            rng = random.Random(number)
            for turn in range(10):
                scope, other = rng.sample(SCOPES, 2)
                made = engine.remember(Message(f"Ada {number} has {turn} cups of tea.", session=f"s{number}"), scope)
                with counted:
                    written[scope] += 1
                engine.recall("Who has tea?", scope)
                what = rng.randrange(6)
                if what == 0:
                    engine.admin.grant(Grant(scope, other))
                elif what == 1:
                    engine.admin.erase(made.id, scope, why="asked")
                    with counted:
                        written[scope] -= 1
                elif what == 2:
                    engine.admin.digest()
                elif what == 3:
                    engine.forget(made.id, scope)
                elif what == 4:
                    assert engine.admin.scopes()

        finished(*(lambda number=number: work(number) for number in range(4)))
        assert engine.admin.verify() == []
        assert {scope: engine.admin.stats(scope).memories for scope in SCOPES} == written
        assert engine.admin.replay(":memory:") == engine.admin.digest()


def test_a_model_that_takes_long_for_one_scope_keeps_no_other_waiting() -> None:
    """While a message of one scope is being embedded and written, others write, recall and read."""
    reading, go_on = threading.Event(), threading.Event()

    class Slow(HashEmbedder):
        def embed_passages(self, texts: list[str]):
            if any("slow" in text for text in texts):
                reading.set()
                assert go_on.wait(PATIENCE_S)
            return super().embed_passages(texts)

    with Reverie.open(":memory:", embedder=Slow()) as engine:
        thread = threading.Thread(target=lambda: engine.observe("A slow text.", SCOPES[0]))
        thread.start()
        assert reading.wait(PATIENCE_S)
        engine.observe("Tea is ready.", SCOPES[1])
        assert engine.recall("tea", SCOPES[1]).hits
        engine.observe("Coffee is ready.", SCOPES[0])
        go_on.set()
        thread.join(PATIENCE_S)
        assert engine.admin.stats(SCOPES[0]).memories >= 2


@pytest.mark.req("C5")
def test_opening_a_store_reads_no_scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What openclaw lets fade at the start fades on a scope's first use; opening lists no scopes."""
    from reverie.engine.consolidate import Consolidation
    from reverie.stores.sqlite import SqliteStore

    path = tmp_path / "m.db"
    with Reverie.open(path, embedder=None) as engine:
        for scope in SCOPES:
            engine.remember("Tea.", scope)
    decayed: list[Scope] = []
    real = Consolidation.decay_at_open
    monkeypatch.setattr(
        Consolidation, "decay_at_open", lambda self, scope: (decayed.append(scope), real(self, scope))[1]
    )
    monkeypatch.setattr(SqliteStore, "scopes", lambda _: pytest.fail("all scopes were listed"))
    with Reverie.open(path, embedder=None, recipe="openclaw") as engine:
        assert decayed == []
        engine.recall("tea", SCOPES[3])
        engine.recall("tea", SCOPES[3])
        engine.admin.stats(SCOPES[5])
        engine.admin.stats(Scope("a", "nobody", "p"))
    assert decayed == [SCOPES[3], SCOPES[5]]


@pytest.mark.parametrize("where", ["file", "memory"])
def test_a_small_budget_for_columns_changes_no_answer(tmp_path: Path, where: str) -> None:
    """With room for one scope's columns only, each recall finds what it does with room for all."""

    def answers(most_mb: int) -> list[list[str]]:
        path = tmp_path / f"{most_mb}.db" if where == "file" else ":memory:"
        with Reverie.open(
            path, embedder=HashEmbedder(4096), clock=FixedClock(START), ids=RandomIds(seed=1), corpus_mb=most_mb
        ) as engine:
            for scope in SCOPES[:3]:
                for number in range(4):
                    engine.remember(f"Note {number} of {scope.user}: tea.", scope)
            kept = [[hit.memory.text for hit in engine.recall("tea", scope).hits] for scope in SCOPES[:3] * 2]
            budget = engine._context.store._budget if where == "memory" else engine._context.store._corpora._budget
            assert len(budget._sizes) == (1 if most_mb == 1 else 3)
            return kept

    assert answers(1) == answers(512)
    with pytest.raises(InvalidInput, match="corpus_mb"):
        Reverie.open(":memory:", embedder=None, corpus_mb=0)


def test_a_scopes_lock_is_the_same_in_each_process() -> None:
    """Which recalls are counted together depends on it, and the journal is not to depend on a process's hash seed."""
    code = "from reverie.engine.locks import ScopeLocks as L; from reverie import Scope as S; "
    code += "print([L().number(S('a', f'u{n}', 'p')) for n in range(12)])"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert told == {str([ScopeLocks().number(scope) for scope in SCOPES])}
