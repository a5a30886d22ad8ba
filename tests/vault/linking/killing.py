"""A program for the test of kills: ``killing.py FOLDER ROUNDS SEED``; in each round a person and an agent work, a sync
with maintenance is killed at a random moment, and the next one must have both sides agree with nothing lost.

It forks, so it is a process of its own, without threads. The exit code says whether every round held.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

from reverie import Reverie, Scope
from reverie.encode.notes import Note
from reverie.engine.runtime import SystemClock
from reverie.vault.contents import gather
from reverie.vault.files import Places
from reverie.vault.laws import ocean_laws
from reverie.vault.linking.links import VaultLink, holds, words
from reverie.vault.linking.sync import LinkedVault, link
from reverie.vault.observation import Observation
from reverie.vault.vault import Vault

AGENTS = ("hawk", "owl")
HEAD = """---
tags: [{tag}]  # mine
importance: {importance}
created: 2026-02-15
max_age: 30d
source: {agent}
backlinks: [{links}]
---
"""


class Ground:
    """The vault and the store of one run."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder / "repo")
        self.store = folder / "memory.db"
        self.vault = Vault(self.places, ocean_laws())

    def open(self) -> Reverie:
        """The engine, without a model."""
        return Reverie.open(self.store, embedder=None)

    def linked(self, engine: Reverie) -> LinkedVault:
        """Both together."""
        return LinkedVault(self.places, ocean_laws(), engine, SystemClock())

    def files(self) -> list[Observation]:
        """Every observation of an agent."""
        held = gather(self.places)
        return [*held.active, *held.archived]


def work(ground: Ground, rng: random.Random, number: int) -> None:
    """What a person does to files, and an agent to its memory, between two syncs."""
    for agent in AGENTS:
        folder = ground.places.vault(agent)
        paths = sorted(folder.glob("*.md"))
        for path in rng.sample(paths, min(2, len(paths))):
            text = path.read_text()
            _put(path, f"{text.rstrip()} Edited in round {number}.\n")
        if len(paths) > 4:
            rng.choice(paths).unlink()
        if len(paths) > 3:
            path = rng.choice(sorted(folder.glob("*.md")))
            path.rename(folder / f"renamed {number}.md")
        link_to = rng.choice(paths).stem if paths else ""
        head = HEAD.format(tag=f"t{number}", importance=rng.choice(["0.5", "0.9"]), agent=agent, links=link_to)
        _put(folder / f"obs-{agent}-{number}.md", f"{head}Written by {agent} in round {number}.\n")
    with ground.open() as engine:
        for agent in AGENTS:
            _live(engine, Scope(agent, "ada", "ocean"), rng, number)


def _live(engine: Reverie, scope: Scope, rng: random.Random, number: int) -> None:
    now = datetime.now(UTC)
    held = [one for one in engine.admin.formed(scope) if holds(one, now)]
    engine.admin.note([Note(f"Learned by {scope.agent} in round {number}.")], scope)
    if held:
        one = rng.choice(held)
        engine.correct(one.id, f"{one.text} Corrected in round {number}.", scope)
    if len(held) > 6:
        engine.forget(rng.choice([other for other in held if other.id != one.id]).id, scope)


def _put(path: Path, text: str) -> None:
    path.write_text(text)


def sync(ground: Ground) -> None:
    """What is killed."""
    with ground.open() as engine:
        ground.linked(engine).sync(gone=True)
        ground.vault.maintain(date(2026, 2, 16))
        ground.linked(engine).sync(gone=True)


def check(ground: Ground, said: set[str]) -> None:
    """Both sides agree, and everything that was said is somewhere still."""
    with ground.open() as engine:
        linked = ground.linked(engine)
        linked.sync(gone=True)
        again = linked.sync(gone=True)
        assert again.changes == (), again.changes
        assert engine.admin.verify() == []
        now = datetime.now(UTC)
        kept = {words(one.body) for one in ground.files()}
        for agent in AGENTS:
            formed = engine.admin.formed(Scope(agent, "ada", "ocean"))
            kept |= {one.text for one in formed}
            active = [words(one.body) for one in gather(ground.places, [agent]).active]
            borrowed = ("federation",)
            held = [one.text for one in formed if holds(one, now) and one.standing.data_source not in borrowed]
            assert Counter(active) == Counter(held), (
                agent,
                Counter(active) - Counter(held),
                Counter(held) - Counter(active),
            )
        assert said <= kept, said - kept
        assert gather(ground.places).faults == ()
        left = [path for path in ground.places.root.rglob(".*.reverie") if path.is_file()]
        assert left == [], left


def forked(run: object, *given: object) -> int:
    """Start it in a process of its own; its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        run(*given)  # type: ignore[operator] # one of the functions above
        code = 0
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent must hear of it
        import traceback

        traceback.print_exception(error)
    finally:
        os._exit(code)


def done(child: int) -> bool:
    """Whether it ended well."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main(folder: Path, rounds: int, seed: int) -> int:
    """Every round; the exit code."""
    rng = random.Random(seed)
    ground = Ground(folder)
    ground.vault.init(AGENTS)
    link(ground.places, VaultLink(str(ground.store), "ada", "ocean"))
    work(ground, rng, -1)  # loads what every round uses, so that a kill meets work and no imports
    sync(ground)
    took, killed = 0.1, 0
    for number in range(rounds):
        if not done(forked(work, ground, random.Random(f"{seed}/{number}"), number)):
            return 1
        said = {words(one.body) for one in ground.files()}
        child = forked(sync, ground)
        time.sleep(rng.uniform(0.0, took))
        os.kill(child, signal.SIGKILL)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        killed += ended < 0
        took = took * 1.1 if ended < 0 else max(0.05, took * 0.7)  # so that a third of them end before
        if not done(forked(check, ground, said)):
            sys.stderr.write(f"round {number} of seed {seed} did not hold\n")
            return 1
    sys.stdout.write(f"killed {killed} of {rounds}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
