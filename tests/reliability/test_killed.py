"""Processes killed while writing: what was acknowledged is there, what was not is there wholly or not at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from reverie import Reverie, Scope
from reverie.stores.sqlite import SqliteStore
from reverie.types import Kind
from tests.reliability.watching import start, told
from tests.reliability.worker import LIVES, SCOPES
from tests.stores.making import ADA, GRACE, MODEL
from tests.stores.sqlite.test_schema import first_version

KILLS = {"write": 200, "observe": 200, "dream": 150, "erase": 200, "import": 150, "migrate": 100}
"""How many processes are killed over what, where the tests run whole: a thousand."""


@dataclass
class Known:
    """What must be there: memories by scope and name, with whether they are forgotten; None: erased."""

    memories: dict[tuple[int, str], bool] = field(default_factory=dict)

    def act(self, line: str) -> None:
        """Take over an act that was confirmed."""
        verb, scope, name = line.split()
        if verb == "erase":
            del self.memories[int(scope), name]
        else:
            self.memories[int(scope), name] = verb == "forget"

    def after(self, line: str) -> Known:
        """What would be there had the act happened as well."""
        other = Known(dict(self.memories))
        if line:
            other.act(line)
        return other


def found_in(store: SqliteStore) -> Known:
    """What is there."""
    return Known(
        {
            (number, memory.id): memory.valid_until is not None
            for number, scope in enumerate(SCOPES)
            for memory in store.memories(scope)
        }
    )


def lines_of_one_life(nursery: object, path: Path, seed: int, how: str = "write", most: int = 40) -> list[str]:
    """Let a process live on the store, kill it after some acts, and return what it said."""
    nursery.stdin.write(f"{path} {seed} {how}\n")  # type: ignore[attr-defined]  # a Popen with pipes
    nursery.stdin.flush()  # type: ignore[attr-defined]  # the same
    child = int(nursery.stdout.readline().split()[1])  # type: ignore[attr-defined]  # the same
    said: list[str] = []
    chance = Random(seed)
    acts = chance.randint(0, most)
    while len(said) < acts:
        said.append(nursery.stdout.readline().strip())  # type: ignore[attr-defined]  # the same
    for _ in range(chance.randrange(200_000)):  # somewhere within the next act
        pass
    os.kill(child, signal.SIGKILL)
    while (line := nursery.stdout.readline().strip()) != "ended":  # type: ignore[attr-defined]  # the same
        said.append(line)
    return said


@pytest.mark.soak
def test_no_kill_loses_what_was_acknowledged(tmp_path: Path, share: Callable[[int], int]) -> None:
    """200 kills at random moments (a tenth by default), twenty of each store: whole after each, checked every time."""
    known, nursery = Known(), start("nursery")
    for seed in range(share(KILLS["write"])):
        path = tmp_path / f"store{seed // 20}"
        known = known if seed % 20 else Known()
        said = lines_of_one_life(nursery, path, seed)
        pending = ""
        for line in said:
            if line == "done":
                known.act(pending)
                pending = ""
            else:
                pending = line
        store = SqliteStore(path, create=seed % 20 == 0)
        found = found_in(store)
        assert found in (known, known.after(pending))
        assert store.check() == []
        for number, scope in enumerate(SCOPES):
            size = sum(1 for where, _ in found.memories if where == number)
            corpus = store.corpus(scope, MODEL)
            assert corpus.size == corpus.embedded == corpus.postings("words").ordinals.size == size
        store.close()
        known = found
    assert nursery.stdin is not None
    assert told(nursery) == []
    assert len(known.memories) > 20


def test_a_thousand_kills_are_a_thousand() -> None:
    """What `make soak` says it does."""
    assert sum(KILLS.values()) == 1000
    assert {*KILLS} == {*LIVES}


@dataclass
class Held:
    """What processes on an engine's store confirmed, and the acts a kill cut short."""

    kept: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    pending: list[str] = field(default_factory=list)

    def take(self, said: list[str]) -> None:
        """Take over what a life said until it was killed."""
        for line in said:
            verb, *names = line.split()
            {"kept": self.kept, "erased": self.erased, "imported": self.imported}.get(verb, set()).update(names)
        last = said[-1].split() if said else ["nothing"]
        self.pending = last if last[0] in ("erase", "import") else []


@pytest.mark.soak
@pytest.mark.parametrize("how", ["observe", "dream", "erase", "import", "migrate"])
def test_no_kill_of_an_engine_loses_what_was_acknowledged(
    how: str, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """Ten kills of each store: whole after each, every acknowledged message there, and what was begun is finished."""
    nursery, held, confirmed = start("nursery"), Held(), 0
    bring = exported(tmp_path / "all.jsonl")
    for seed in range(share(KILLS[how])):
        lives = 1 if how == "migrate" else 10
        path = tmp_path / f"store{seed // lives}.db"
        if seed % lives == 0:
            held = Held()
            prepare(path, old=how == "migrate", held=held)
        said = lines_of_one_life(nursery, path, seed, how, most={"import": 3, "migrate": 1}.get(how, 12))
        held.take(said)
        confirmed += len(held.kept) + len(held.imported)
        with Reverie.open(path, embedder=None, background=False) as engine:
            assert engine.admin.verify() == []
            there = {one.id for one in engine.timeline(ADA)}
            if held.pending[:1] == ["erase"]:  # done before the kill, or not begun: what is gone now stays so
                held.erased.update({*held.pending[1:]} - there)
            assert held.kept - held.erased <= there
            assert not there & held.erased
            for project in (*held.imported, *(held.pending[1:] if held.pending[:1] == ["import"] else ())):
                scope = Scope("tester", "ada", project)
                engine.transfer.import_journal(bring, into=scope)
                assert len([one for one in engine.timeline(scope) if one.kind is Kind.EPISODE]) == BROUGHT
            assert "hunter2" not in " ".join(
                str(event) for scope in engine.admin.scopes() for event in engine.admin.events(scope)
            )
    assert nursery.stdin is not None
    assert told(nursery) == []
    assert confirmed


BROUGHT = 30
"""Messages in the export that is imported."""


def exported(path: Path) -> Path:
    """A lossless export with a secret in it."""
    with Reverie.open(":memory:", embedder=None, screen=None) as theirs, path.open("wb") as out:
        for number in range(BROUGHT - 1):
            theirs.remember(f"Note {number} about the harbour.", GRACE)
        theirs.remember("My password is hunter2hunter2 and stays so.", GRACE)
        theirs.transfer.export_journal(out, GRACE)
    return path


def prepare(path: Path, *, old: bool, held: Held) -> None:
    """A new store; ``old``: as the first version wrote it, with memories in it."""
    with Reverie.open(path, embedder=None, background=False) as engine:
        if old:
            held.kept.update(engine.remember(f"Tea at {hour} o'clock.", ADA).id for hour in range(20))
    if old:
        first_version(path)
