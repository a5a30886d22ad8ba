"""Processes killed while writing: what was acknowledged is there, what was not is there wholly or not at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from reverie.stores.sqlite import SqliteStore
from tests.reliability.watching import start, told
from tests.reliability.worker import SCOPES
from tests.stores.making import MODEL


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


def lines_of_one_life(nursery: object, path: Path, seed: int) -> list[str]:
    """Let a process live on the store, kill it after some acts, and return what it said."""
    nursery.stdin.write(f"{path} {seed}\n")  # type: ignore[attr-defined]  # a Popen with pipes
    nursery.stdin.flush()  # type: ignore[attr-defined]  # the same
    child = int(nursery.stdout.readline().split()[1])  # type: ignore[attr-defined]  # the same
    said: list[str] = []
    acts = Random(seed).randint(0, 40)
    while len(said) < acts:
        said.append(nursery.stdout.readline().strip())  # type: ignore[attr-defined]  # the same
    os.kill(child, signal.SIGKILL)
    while (line := nursery.stdout.readline().strip()) != "ended":  # type: ignore[attr-defined]  # the same
        said.append(line)
    return said


@pytest.mark.soak
def test_no_kill_loses_what_was_acknowledged(tmp_path: Path, share: Callable[[int], int]) -> None:
    """200 kills at random moments (a tenth by default), twenty of each store: whole after each, checked every time."""
    known, nursery = Known(), start("nursery")
    for seed in range(share(200)):
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
