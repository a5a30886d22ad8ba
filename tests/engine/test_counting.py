"""Recalls that are counted later: the same counts, answers and contents as if each had been counted at once."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.engine.counting import MOST
from reverie.engine.replication import replay
from reverie.errors import Conflict, InvalidInput, StoreBusy, StoreFull
from reverie.events import Action, Event, Recalled
from reverie.faces.cli.demo import ASKED_AT
from reverie.stores.ram import RamStore
from tests.engine.conftest import until
from tests.engine.full_life import HOME, OTHER, lived, rankings, state

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LONG_S = 3600.0
"""So long that nothing is written because of the time within a test."""
WORDS = ("tulips", "printer", "boiler", "İzmir", "coffee", "garden", "invoice", "key")


class Ticking:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        """The time, later than at the last call."""
        self.at += timedelta(seconds=1)
        return self.at


def opened(where: str | Path = ":memory:", within_s: float = LONG_S, **options: Any) -> Reverie:
    """An engine that counts recalls later."""
    given = {"embedder": HashEmbedder(64), "clock": Ticking(), "ids": RandomIds(seed=3), "background": False}
    return Reverie.open(where, count_within_s=within_s, **given | options)


def recalls(memory: Reverie, scope: Scope) -> list[Event]:
    """The events of recalls, as they are in the store now; nothing is written by looking."""
    return list(memory._context.store.events(scope, actions={Action.RECALL}))


def told(memory: Reverie, scope: Scope) -> None:
    """Something to recall, in a session."""
    for number, word in enumerate(WORDS):
        memory.remember(f"The {word} is on shelf {number}, beside the lamp.", scope)


DEEDS: dict[str, Callable[[Reverie, Scope, str, int, str], object]] = {
    "say": lambda memory, scope, word, number, _: memory.remember(f"Now the {word} is in drawer {number}.", scope),
    "observe": lambda memory, scope, word, number, _: memory.observe(f"I prefer {word} since {number} May.", scope),
    "rate": lambda memory, scope, _, __, name: memory.feedback(name, scope, "used"),
    "forget": lambda memory, scope, _, __, name: memory.forget(name, scope),
    "restore": lambda memory, scope, _, __, name: memory.restore(name, scope),
    "erase": lambda memory, scope, _, __, name: memory.admin.erase(name, scope, why="asked") and None,
    "explain": lambda memory, scope, word, *_: memory.explain(word, scope).recollection.hits,
    "count": lambda memory, scope, *_: memory.admin.stats(scope).accesses,
    "dream": lambda memory, scope, *_: memory.dream(scope) and None,
}


def chance_life(memory: Reverie, seed: int) -> list[object]:
    """Do by chance in two scopes what can be done; return what the recalls, and all else, answered."""
    chance, answers = Random(seed), list[object]()
    for scope in (HOME, OTHER):
        told(memory, scope)
    for number in range(60):
        scope, word, deed = (
            chance.choice((HOME, OTHER)),
            chance.choice(WORDS),
            chance.choice((*DEEDS, *["recall"] * 12)),
        )
        if deed == "recall":
            found = memory.recall(f"Where is the {word}?", scope)
            answers += [(hit.memory, hit.score, hit.rank) for hit in (*found.hits, *found.standing)]
            continue
        with suppress(Conflict):
            answers.append(DEEDS[deed](memory, scope, word, number, one_of(memory, scope, chance)))
    return answers


def one_of(memory: Reverie, scope: Scope, chance: Random) -> str:
    """A memory of the scope; looking it up so writes no counts."""
    return chance.choice([one.id for one in memory._context.store.memories(scope)])


@pytest.mark.parametrize("kind", ["ram", "sqlite"])
def test_lives_by_chance_have_the_same_answers_and_contents(
    kind: str, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """Whether recalls are counted later or at once, every answer and everything but the journal is equal."""
    for seed in range(share(20)):
        life_of(kind, seed, tmp_path)


def life_of(kind: str, seed: int, folder: Path) -> None:
    """One such life, twice."""
    seen = []
    for within_s in (0.0, LONG_S):
        with opened(":memory:" if kind == "ram" else folder / f"{seed}-{within_s}.db", within_s) as memory:
            answers = chance_life(memory, seed)
            held = [(state(memory, scope), rankings(memory, scope)) for scope in (HOME, OTHER)]
            seen.append((answers, held, [len(recalls(memory, scope)) for scope in (HOME, OTHER)]))
            assert memory.admin.verify() == []
            assert memory.admin.replay(":memory:") == memory.admin.digest()
    assert seen[0][:2] == seen[1][:2]
    assert sum(seen[0][2]) > sum(seen[1][2])


def test_the_demos_life_has_the_same_contents(tmp_path: Path) -> None:
    """The bundled conversation, with all that can be done to a store: only the journal differs."""
    held = []
    for within_s in (0.0, LONG_S):
        with opened(tmp_path / f"{within_s}.db", within_s, clock=FixedClock(ASKED_AT)) as memory:
            lived(memory)
            held.append((state(memory), state(memory, OTHER), rankings(memory)))
            assert memory.admin.replay(":memory:") == memory.admin.digest()
    assert held[0] == held[1]


def test_many_recalls_are_one_event_and_replay_gives_the_same_counts(tmp_path: Path) -> None:
    """Each recall of the event keeps its own time; the event has that of the last."""
    with opened(tmp_path / "later.db") as memory:
        told(memory, HOME)
        for word in WORDS:
            memory.recall(f"Where is the {word}?", HOME)
        assert recalls(memory, HOME) == []
        before = {one.id: one.accesses for one in memory.timeline(HOME)}  # reading the counts writes them
        (event,) = recalls(memory, HOME)
        assert isinstance(event.payload, Recalled)
        parts = list(event.payload.each(event.at))
        assert [at for at, _ in parts] == sorted({at for at, _ in parts}), "eight moments"
        assert (len(parts), parts[-1][0]) == (len(WORDS), event.at)
        assert sum(before.values()) == len(event.payload.memories)
        target = RamStore()
        assert replay(memory._context.store, target) == memory.admin.digest()
        name = event.payload.memories[0]
        assert event in memory.admin.history(name, HOME)
        assert memory._context.store.companions(HOME) == target.companions(HOME)


def test_one_recall_is_written_as_it_always_was() -> None:
    """An event of one recall has the same bytes, whether it waited or not."""
    lines = []
    for within_s in (0.0, LONG_S):
        with opened(":memory:", within_s) as memory:
            told(memory, HOME)
            memory.recall("Where is the key?", HOME)
            lines.append(memory.admin.events(HOME)[-1])
    assert lines[0] == lines[1]


READERS: dict[str, Callable[[Reverie, str], object]] = {
    "memory": lambda memory, name: memory.memory(name, HOME),
    "timeline": lambda memory, _: memory.timeline(HOME),
    "history": lambda memory, name: memory.admin.history(name, HOME),
    "provenance": lambda memory, name: memory.admin.provenance(name, HOME),
    "events": lambda memory, _: memory.admin.events(HOME),
    "stats": lambda memory, _: memory.admin.stats(HOME),
    "health": lambda memory, _: memory.admin.health(HOME),
    "explain": lambda memory, _: memory.explain("the key", HOME),
    "hot": lambda memory, _: memory.admin.hot(HOME),
    "observe": lambda memory, _: memory.observe("I moved to Ankara in May.", HOME),
    "correct": lambda memory, name: memory.correct(name, "The key is lost.", HOME),
    "forget": lambda memory, name: memory.forget(name, HOME),
    "feedback": lambda memory, name: memory.feedback(name, HOME, "used"),
    "pin": lambda memory, name: memory.admin.pin(name, HOME),
    "erase": lambda memory, name: memory.admin.erase(name, HOME, why="asked"),
    "dream": lambda memory, _: memory.dream(HOME),
    "undo": lambda memory, _: memory.undo(HOME, event=len(WORDS) + 1),
    "verify": lambda memory, _: memory.admin.verify(),
    "digest": lambda memory, _: memory.admin.digest(),
    "anchor": lambda memory, _: memory.admin.anchor(),
    "replay": lambda memory, _: memory.admin.replay(":memory:"),
}


@pytest.mark.parametrize("reader", READERS)
def test_whoever_reads_or_changes_a_scope_finds_its_recalls_counted(reader: str) -> None:
    """Nothing that access counts matter for sees a store without them."""
    with opened() as memory:
        told(memory, HOME)
        memory.admin.pin(memory.timeline(HOME)[-1].id, HOME)
        name = memory.recall("Where is the printer?", HOME).hits[0].memory.id
        memory.recall("Where is the printer?", HOME)
        assert recalls(memory, HOME) == []
        READERS[reader](memory, name)
        (event,) = recalls(memory, HOME)
        assert isinstance(event.payload, Recalled)
        assert len(event.payload.recalls) == 2


def test_export_and_backup_hold_what_waited(tmp_path: Path) -> None:
    """What leaves the store is complete."""
    with opened(tmp_path / "one.db") as memory:
        told(memory, HOME)
        for path, take in (("a.jsonl", memory.transfer.export_journal), ("b.db", None)):
            memory.recall("Where is the key?", HOME)
            before = len(recalls(memory, HOME))
            if take is None:
                memory.admin.backup(tmp_path / path)
            else:
                with (tmp_path / path).open("wb") as out:
                    take(out)
            assert len(recalls(memory, HOME)) == before + 1
    with opened(tmp_path / "b.db", 0.0) as copy:
        assert sum(one.accesses for one in copy.timeline(HOME)) > 0


def test_remembering_lets_recalls_wait_and_answers_show_them() -> None:
    """A message needs no counts; what a recall shows of a memory counts the recalls that wait."""
    with opened() as memory:
        told(memory, HOME)
        for number in range(5):
            hit = memory.recall("Where is the key?", HOME).hits[0]
            assert hit.memory.accesses == number
            memory.remember(f"Nothing new, {number}.", HOME)
        assert recalls(memory, HOME) == []
        assert hit.memory.last_access is not None


def test_enough_recalls_are_written_at_once_and_other_scopes_wait() -> None:
    """At most ``MOST`` wait; a scope's recalls are written without another's."""
    with opened() as memory:
        for scope in (HOME, OTHER):
            told(memory, scope)
        memory.recall("Where is the key?", OTHER)
        for _ in range(MOST + 3):
            memory.recall("Where is the key?", HOME)
        (event,) = recalls(memory, HOME)
        assert isinstance(event.payload, Recalled)
        assert len(event.payload.recalls) == MOST
        assert recalls(memory, OTHER) == []


def test_time_writes_them_too(tmp_path: Path) -> None:
    """A recall waits no longer than it may, whoever is idle; the thread ends with the engine."""
    with opened(tmp_path / "one.db", 0.05) as memory:
        told(memory, HOME)
        memory.recall("Where is the key?", HOME)
        memory.recall("Where is the key?", HOME)
        until(lambda: recalls(memory, HOME) != [])
        memory.recall("Where is the key?", HOME)
        until(lambda: sum(len(one.payload.recalls) or 1 for one in recalls(memory, HOME)) == 3)  # type: ignore[union-attr]  # counting is on
    assert not any(thread.name == "reverie-counting" for thread in threading.enumerate())


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    """A process that ends in order loses nothing."""
    with opened(tmp_path / "one.db") as memory:
        told(memory, HOME)
        memory.recall("Where is the key?", HOME)
    with opened(tmp_path / "one.db", 0.0) as memory:
        assert len(recalls(memory, HOME)) == 1


def test_a_killed_process_loses_the_latest_only(tmp_path: Path) -> None:
    """What was written before stays, and the store is whole."""
    path = tmp_path / "one.db"
    script = f"""
        import os, signal
        from reverie import Reverie, Scope
        memory = Reverie.open({str(path)!r}, embedder=None, count_within_s=3600.0)
        scope = Scope("helper", "defne", "home")
        memory.remember("The key is on the shelf.", scope)
        for _ in range({MOST + 5}):
            memory.recall("key", scope)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False, timeout=60)
    with opened(path, 0.0, embedder=None) as memory:
        (memory_,) = memory.timeline(HOME)
        assert memory_.accesses == MOST
        assert memory.admin.verify() == []


@contextmanager
def failing(memory: Reverie, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Iterator[None]:
    """The store cannot be written."""

    def begin(*_: object, **__: object) -> object:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(memory._context.store, "begin", begin)
        yield


def test_a_busy_store_gets_them_later_and_a_full_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No recall and no reader fails for a count; the trace says what was lost."""
    with opened() as memory:
        told(memory, HOME)
        memory.recall("Where is the key?", HOME)
        with failing(memory, monkeypatch, StoreBusy("Somebody writes.", "Wait.")):
            assert memory.timeline(HOME)
        memory.timeline(HOME)
        assert len(recalls(memory, HOME)) == 1
        memory.recall("Where is the key?", HOME)
        with failing(memory, monkeypatch, StoreFull("The disk is full.", "Free some.")):
            assert memory.timeline(HOME)
        assert "The disk is full." in memory.recall("Where is the key?", HOME).trace[-1].note
        memory.timeline(HOME)
        assert len(recalls(memory, HOME)) == 2


def test_a_busy_store_is_tried_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last recall of a quiet process is counted too, though the store was busy when its time came."""
    tried: list[object] = []

    def begin(*given: object, **_: object) -> object:
        tried.append(given)
        raise StoreBusy("Somebody writes.", "Wait.")

    with opened(within_s=0.02) as memory:
        told(memory, HOME)
        with monkeypatch.context() as patched:
            patched.setattr(memory._context.store, "begin", begin)
            memory.recall("Where is the key?", HOME)
            until(lambda: len(tried) > 1)
        until(lambda: len(recalls(memory, HOME)) == 1)


def test_callers_keep_their_names_and_gated_recalls_their_reason() -> None:
    """An event has one actor; recalls that returned nothing stay events of their own, which are counted."""
    from reverie.engine.requests import Caller, calling

    with opened() as memory:
        told(memory, HOME)
        for name in ("ann", "ann", "ben", "ann"):
            with calling(Caller(name)):
                memory.recall("Where is the key?", HOME)
        memory._context.counts.add(HOME, "x", "gated", ())  # type: ignore[union-attr]  # counting is on
        memory._context.counts.add(HOME, "x", "gated", ())  # type: ignore[union-attr]  # counting is on
        assert memory.admin.stats(HOME).gated == 2
        assert [one.actor for one in recalls(memory, HOME)] == ["ann", "ben", "ann", "x", "x"]


@pytest.mark.parametrize("recipe", ["v9", "exocortex", "openclaw", "ocean"])
def test_recipes_whose_recalls_read_counts_count_at_once(recipe: str) -> None:
    """Where the next recall depends on the last one, none waits."""
    with opened(recipe=recipe) as memory:
        assert memory._context.counts is None


@pytest.mark.parametrize("wrong", [-1.0, 3601.0, float("nan"), "soon", True, None])
def test_a_wait_that_is_none_is_refused(wrong: object) -> None:
    """Only a number of seconds up to an hour."""
    with pytest.raises(InvalidInput, match="count_within_s"):
        opened(within_s=wrong)  # type: ignore[arg-type]  # a wrong value


def test_it_is_off_unless_asked() -> None:
    """The library counts each recall before it returns, and loads nothing for it."""
    with Reverie.open(":memory:", embedder=None) as memory:
        assert (memory._context.counts, memory._context.locks.settle) == (None, None)


def test_an_event_of_many_recalls_takes_a_fraction_of_the_bytes(tmp_path: Path) -> None:
    """Measured in the file: the payloads and rows of 64 recalls, one by one and together."""
    sizes = []
    for within_s in (0.0, LONG_S):
        path = tmp_path / f"{within_s}.db"
        with opened(path, within_s) as memory:
            told(memory, HOME)
            for number in range(MOST):
                memory.recall(f"Where is the {WORDS[number % len(WORDS)]}?", HOME)
            memory.admin.digest()
        with sqlite3.connect(path) as raw:
            rows = raw.execute("SELECT * FROM event WHERE action = 'recall'").fetchall()
        raw.close()
        sizes.append(len(json.dumps(rows, default=lambda data: data.hex())))
    assert sizes[1] < sizes[0] / 4


def test_recalls_counted_together_are_told_one_by_one(scope: Scope) -> None:
    """`injected` tells each with its own memories, the newest first, though one event holds them."""
    with Reverie.open(":memory:", embedder=None, count_within_s=60.0) as memory:
        names = [memory.remember(text, scope).id for text in ("Tea is in the left drawer.", "The boiler hums.")]
        for cue in ("Where is the tea?", "Which thing hums, the boiler?"):
            assert memory.recall(cue, scope, top_k=1).hits
        told = memory.admin.injected(scope)
        assert [[one.memory.id for one in each.memories] for each in told] == [[names[1]], [names[0]]]
