"""A program for the test of many hands: ``crowd.py FOLDER TURNS``; two agents, a person, an engine at work and a sync,
each a process of its own, all at once. In the end both sides must agree, with every word said still there.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from reverie import Scope
from reverie.encode.notes import Note
from reverie.vault.linking.links import VaultLink, holds
from reverie.vault.linking.sync import link
from reverie.vault.vault import ObservationDraft
from tests.vault.linking.killing import AGENTS, HEAD, Ground, check, done, forked, sync

DAY = date(2026, 2, 16)


def agent(ground: Ground, name: str, turns: int) -> None:
    """Writes what it observed, and maintains the vault."""
    for turn in range(turns):
        ground.vault.new(name, ObservationDraft(f"Observed by {name} in turn {turn}.", ("x",)), DAY)
        if turn % 4 == 3:
            ground.vault.maintain(DAY)


def person(ground: Ground, turns: int) -> None:
    """Writes a file anew each turn, as an editor does that keeps the old one until the new one is whole."""
    for turn in range(turns):
        path = ground.places.vault("hawk") / f"mine {turn % 3}.md"
        head = HEAD.format(tag="mine", importance="0.5", agent="hawk", links="")
        beside = path.with_name(".mine")
        beside.write_text(f"{head}Said by a person in turn {turn}.\n")
        beside.replace(path)


def engine(ground: Ground, turns: int) -> None:
    """Learns, corrects and forgets."""
    rng = random.Random(5)
    for turn in range(turns):
        scope = Scope(rng.choice(AGENTS), "ada", "ocean")
        with ground.open() as memory:
            memory.admin.note([Note(f"Learned in turn {turn}.")], scope)
            held = [one for one in memory.admin.formed(scope) if holds(one, datetime.now(UTC))]
            one = rng.choice(held)
            if turn % 3:
                memory.correct(one.id, f"{one.text} Corrected in turn {turn}.", scope)
            elif not one.text.startswith("Said"):
                memory.forget(one.id, scope)


def keeper(ground: Ground, turns: int) -> None:
    """Syncs all the while."""
    for _ in range(turns):
        sync(ground)


def main(folder: Path, turns: int) -> int:
    """All of them; the exit code."""
    ground = Ground(folder)
    ground.vault.init(AGENTS)
    link(ground.places, VaultLink(str(ground.store), "ada", "ocean"))
    sync(ground)
    works = [(agent, "hawk", turns), (agent, "owl", turns), (person, turns), (engine, turns), (keeper, turns // 2)]
    children = [forked(work, ground, *given) for work, *given in works]
    fine = [done(child) for child in children]
    said = {f"Observed by {name} in turn {turn}." for name in AGENTS for turn in range(turns)}
    said |= {f"Said by a person in turn {turns - 1 - back}." for back in range(min(3, turns))}
    said |= {f"Learned in turn {turn}." for turn in range(turns)}
    return 0 if all(fine) and done(forked(check, ground, said)) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
