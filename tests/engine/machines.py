"""Machines of one user that share a place: engines with keys, clocks and ids of their own, and made-up histories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.engine.sync import Synced
from reverie.engine.sync_places import new_key, sync_folder, take_key
from reverie.errors import ReverieError

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")
WORDS = ("tea", "coffee", "Ankara", "key", "garden", "blue", "boiler", "train", "Friday", "Mert", "Zeynep", "piyano")


@dataclass(slots=True)
class Machine:
    """One machine: its engine, its clock, and the folder of its key and segments."""

    engine: Reverie
    clock: FixedClock
    state: Path

    def sync(self, place: Path | str, *settle: str) -> Synced:
        """Synchronise with a place."""
        return self.engine.transfer.sync(place, SCOPE, state=self.state, settle=settle)

    def say(self, text: str) -> str:
        """Remember a message; return its id."""
        return self.engine.remember(Message(text), SCOPE).id

    def texts(self) -> list[str]:
        """The texts of all that is recalled or closed, sorted."""
        return sorted(one.text for one in (*self.engine.timeline(SCOPE), *self.engine.admin.formed(SCOPE)))

    @property
    def segments(self) -> list[Path]:
        """The files of this machine's own copies."""
        return sorted(sync_folder(self.state).glob("*/*/*.segment"))


def machine(folder: Path, number: int, key: str, where: str = ":memory:") -> Machine:
    """A machine with the key; ``where``: its store."""
    state = folder / f"state-{number}"
    take_key(key, state)
    clock = FixedClock(NOW + timedelta(minutes=7 * number))
    engine = Reverie.open(
        where,
        embedder=HashEmbedder(),
        clock=clock,
        ids=RandomIds(seed=number + 1),
        background=False,
    )
    return Machine(engine, clock, state)


def machines(folder: Path, count: int = 3) -> list[Machine]:
    """Machines with one key, and a folder ``place`` for them."""
    folder.mkdir(exist_ok=True)
    (folder / "place").mkdir()
    key = new_key(folder / "first")
    return [machine(folder, number, key) for number in range(count)]


class History:
    """Makes up what a user does on several machines; the same seed makes the same."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def live(self, all_of: list[Machine], steps: int, place: Path) -> None:
        """So many steps, each on one machine by chance; clocks go forward, and at times back."""
        for _ in range(steps):
            one = self.chance.choice(all_of)
            one.clock.at += timedelta(seconds=self.chance.randrange(-50, 400))
            act = self.chance.choice((*self._on_scope(one, place), *self._on_one(one)))
            try:
                act()
            except ReverieError:
                continue  # a correction of what is superseded, and the like

    def _text(self) -> str:
        return f"Ada says {' '.join(self.chance.choices(WORDS, k=5))} {self.chance.randrange(99)}."

    def _on_scope(self, one: Machine, place: Path) -> list[Callable[[], object]]:
        engine, said = one.engine, Message(self._text(), session=self.chance.choice("ab"))
        events = [event.seq for event in engine.admin.events(SCOPE)]
        undo = [lambda: engine.undo(SCOPE, event=self.chance.choice(events[-12:]))] * bool(events)
        return [
            *[lambda: engine.remember(said, SCOPE)] * 2,
            *[lambda: engine.observe(said, SCOPE)] * 3,
            lambda: engine.recall(self.chance.choice(WORDS), SCOPE),
            *undo,
            lambda: one.sync(place),
        ]

    def _on_one(self, one: Machine) -> list[Callable[[], object]]:
        engine, text = one.engine, self._text()
        ids = [memory.id for memory in (*engine.timeline(SCOPE), *engine.admin.formed(SCOPE))]
        if not ids:
            return []
        name, other = self.chance.choice(ids), self.chance.choice(ids)
        kind = self.chance.choice(("related_to", "contradicts", "supersedes"))
        return [
            *[lambda: engine.correct(name, text, SCOPE)] * 2,
            *[lambda: engine.forget(name, SCOPE)] * 2,
            lambda: engine.admin.pin(name, SCOPE, pinned=text[-2] > "3"),
            lambda: engine.restore(name, SCOPE),
            lambda: engine.relate(name, other, SCOPE, kind),
            lambda: engine.admin.erase(name, SCOPE, why="asked for"),
        ]
