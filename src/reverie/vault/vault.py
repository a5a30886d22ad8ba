"""A vault as its callers see it: in, a folder, the numbers and the day; out, what each command of the document does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from reverie.durable import unwritable
from reverie.errors import InvalidInput
from reverie.locking import locked
from reverie.vault import events
from reverie.vault.earning import Web
from reverie.vault.finding import Found, Wish, begin, find
from reverie.vault.held import Fault, Held, gather, label, wanted
from reverie.vault.laws import Laws
from reverie.vault.maintaining import Event, Report, Setting, Step, Task, maintain, run
from reverie.vault.places import Places
from reverie.vault.writing import Draft, write

_FOR_GIT = (
    b"# what this machine alone knows stays here; the count of what happened goes along\n*\n!.gitignore\n!vault.json\n"
)


class Vault:
    """One vault; every change holds its lock and is told of. ``today`` is handed in by the caller."""

    def __init__(self, places: Places, laws: Laws) -> None:
        self.places = places
        self.laws = laws

    def init(self, agents: tuple[str, ...] = ()) -> list[Path]:
        """Make the missing folders of the vault and of these agents; those that were made. Raises StoreError."""
        wished = [self.places.agents_folder, self.places.shared]
        for agent in agents:
            wished += [self.places.vault(agent), self.places.archive(agent)]
        missing = [folder for folder in wished if not folder.is_dir()]
        for folder in missing:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(error, folder) from None
        return missing

    def new(self, agent: str, draft: Draft, today: date) -> Path:
        """Write an observation; its file. Raises InvalidInput, StoreError."""
        with locked(self.places.lock):
            return write(self.places, agent, draft, today, self.laws)

    def search(self, query: str, today: date, *, agent: str | None = None, limit: int = 5) -> Found:
        """Search one agent's observations and the shared ones, or everything. Raises InvalidInput."""
        return find(self.places, self.laws, Wish(query, agent, limit), today)

    def begin(self, today: date, *, agent: str | None = None, limit: int = 20) -> Found:
        """What an agent is to know when its session begins. Raises InvalidInput."""
        return begin(self.places, self.laws, Wish("", agent, limit), today)

    def loose(self, path: Path) -> tuple[Fault, ...]:
        """The backlinks of an active observation's file that mean nothing here, or several."""
        held = gather(self.places)
        web = Web((*held.active, *held.archived))
        return tuple(fault for one in held.active if one.path == path for fault in web.loose(one))

    def maintain(self, today: date, steps: tuple[Step, ...] = tuple(Step), *, dry_run: bool = False) -> Report:
        """The steps, or all of them: references, then decay, then promotion. Raises StoreError."""
        return run(Setting(self.places, self.laws, today), Task(steps), dry_run=dry_run)

    def promote(self, name: str, today: date) -> Report:
        """Share an observation because a person says so. Raises NotFound, Conflict, StoreError."""
        with locked(self.places.lock):
            target = label(wanted(gather(self.places).active, name).name)
            task = Task((Step.PROMOTE,), asked=frozenset([target]))
            return maintain(Setting(self.places, self.laws, today), task, dry_run=False)

    def outcome(self, name: str, why: str, today: date) -> Report:
        """It led to a decision with a good outcome."""
        return self._happen(name, lambda target, _: events.outcome(target, why, self.laws, today), today)

    def verify(self, name: str, today: date) -> Report:
        """What it says came true."""
        return self._happen(name, lambda target, _: events.verified(target, self.laws), today)

    def flag(self, name: str, today: date, *, important: bool) -> Report:
        """A person calls it important, or wrong."""
        return self._happen(
            name,
            lambda target, _: events.flagged(target, important=important, laws=self.laws, today=today),
            today,
        )

    def contradict(self, name: str, by: str, today: date) -> Report:
        """A newer observation says the opposite. Raises InvalidInput where ``by`` is the older one."""

        def made(target: str, held: Held) -> Event:
            newer = wanted((*held.active, *held.archived), by)
            older = wanted(held.active, target)
            if newer.created < older.created:
                raise InvalidInput(f"{label(newer.name)} is older than {target}.", "Swap the two.")
            return events.contradicted(target, label(newer.name), self.laws)

        return self._happen(name, made, today)

    def _happen(self, name: str, made: Callable[[str, Held], Event], today: date) -> Report:
        with locked(self.places.lock):
            held = gather(self.places)
            event = made(label(wanted(held.active, name).name), held)
            return maintain(Setting(self.places, self.laws, today), Task((), event), dry_run=False)
