"""The vault's interface for its callers: one method for each ``reverie vault`` command.

Also writes new observations, each to a file under the next free name of the day.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from reverie.durable import unwritable
from reverie.errors import InvalidInput
from reverie.locking import locked
from reverie.vault import maintenance
from reverie.vault.contents import FileFault, VaultContents, gather, label, wanted
from reverie.vault.files import Edit, Places, carry_out, notes
from reverie.vault.front import quoted
from reverie.vault.laws import Laws
from reverie.vault.maintenance import MaintenanceStep, Report, Setting, Task, VaultEvent, Web, maintain, run
from reverie.vault.observation import age_text
from reverie.vault.search import VaultHits, VaultQuery, begin, find

CLASSES = {"tactical": 14.0, "operational": 30.0, "strategic": 90.0, "compliance": 180.0, "permanent": math.inf}
"""Maximum age in days for each purpose of an observation."""
_NAMED = "obs-{day}-{number:03}"
_TRIES = 1000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class ObservationDraft:
    """An observation to be written: its text, its tags, its maximum age, and the observations it refers to."""

    text: str
    tags: tuple[str, ...] = ()
    max_age_days: float = CLASSES["operational"]
    backlinks: tuple[str, ...] = ()


def write(places: Places, agent: str, draft: ObservationDraft, today: date, laws: Laws) -> Path:
    """Write an observation of an agent and return its file. Raises InvalidInput, StoreError.

    Its importance is the initial one of all observations: there is no way to ask for more.
    """
    folder = places.vault(agent)
    content = _content(draft, agent, today, laws).encode("utf-8")
    day = today.isoformat()
    first = 1 + max((_number(name, day) for name in _names(places, agent)), default=0)
    for number in range(first, first + _TRIES):
        path = folder / f"{_NAMED.format(day=day, number=number)}.md"
        if carry_out([Edit(path, None, content)]) == [True]:
            return path
    raise InvalidInput(f"{folder} has no free name for {day}.", "Look what lies there.")


def _content(draft: ObservationDraft, agent: str, today: date, laws: Laws) -> str:
    body = draft.text.replace("\r\n", "\n").strip()
    if not body:
        raise InvalidInput("An observation without words is none.", "Say what was learned.")
    for said in (body, *draft.tags, *draft.backlinks):
        if found := _CONTROL.search(said):
            raise InvalidInput(f"The text holds a control character (U+{ord(found[0]):04X}).", "Leave it out.")
    if any("\n" in said for said in (*draft.tags, *draft.backlinks)):
        raise InvalidInput("A tag or backlink goes over several lines.", "Write each in one line.")
    lines = [
        "---",
        f"tags: [{', '.join(map(quoted, draft.tags))}]",
        f"importance: {laws.start!r}",
        f"created: {today.isoformat()}",
        f"max_age: {age_text(draft.max_age_days)}",
        f"source: {agent}",
        "refs: 0",
        "ref_by: []",
        f"backlinks: [{', '.join(map(quoted, draft.backlinks))}]",
        "verified: false",
        "---",
        body,
        "",
    ]
    return "\n".join(lines)


def _names(places: Places, agent: str) -> list[str]:
    """Return every name the agent has used, including archived and unreadable files."""
    return [name for folder in (places.vault(agent), places.archive(agent)) for name, _ in notes(folder)]


def _number(name: str, day: str) -> int:
    number = name.removeprefix(f"obs-{day}-")
    return int(number) if number != name and number.isascii() and number.isdigit() and len(number) < 10 else 0


_FOR_GIT = (
    b"# what this machine alone knows stays here; the count of what happened goes along\n*\n!.gitignore\n!vault.json\n"
)


class Vault:
    """One vault; every change holds its lock and returns a report. ``today`` is passed by the caller."""

    def __init__(self, places: Places, laws: Laws) -> None:
        self.places = places
        self.laws = laws

    def init(self, agents: tuple[str, ...] = ()) -> list[Path]:
        """Create missing folders of the vault and of these agents; return those created. Raises StoreError."""
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

    def new(self, agent: str, draft: ObservationDraft, today: date) -> Path:
        """Write an observation and return its file. Raises InvalidInput, StoreError."""
        with locked(self.places.lock):
            return write(self.places, agent, draft, today, self.laws)

    def search(self, query: str, today: date, *, agent: str | None = None, limit: int = 5) -> VaultHits:
        """Search one agent's observations and the shared ones, or everything. Raises InvalidInput."""
        return find(self.places, self.laws, VaultQuery(query, agent, limit), today)

    def begin(self, today: date, *, agent: str | None = None, limit: int = 20) -> VaultHits:
        """Return what an agent should know when its session begins. Raises InvalidInput."""
        return begin(self.places, self.laws, VaultQuery("", agent, limit), today)

    def loose(self, path: Path) -> tuple[FileFault, ...]:
        """Return the backlinks of an active observation's file that lead nowhere, or to several observations."""
        held = gather(self.places)
        web = Web((*held.active, *held.archived))
        return tuple(fault for one in held.active if one.path == path for fault in web.loose(one))

    def maintain(
        self, today: date, steps: tuple[MaintenanceStep, ...] = tuple(MaintenanceStep), *, dry_run: bool = False
    ) -> Report:
        """Run the given steps, by default all: references, then decay, then promotion. Raises StoreError."""
        return run(Setting(self.places, self.laws, today), Task(steps), dry_run=dry_run)

    def promote(self, name: str, today: date) -> Report:
        """Share an observation because a person asked for it. Raises NotFound, Conflict, StoreError."""
        with locked(self.places.lock):
            target = label(wanted(gather(self.places).active, name).name)
            task = Task((MaintenanceStep.PROMOTE,), asked=frozenset([target]))
            return maintain(Setting(self.places, self.laws, today), task, dry_run=False)

    def outcome(self, name: str, why: str, today: date) -> Report:
        """Record that an observation led to a decision with a good outcome."""
        return self._happen(name, lambda target, _: maintenance.outcome(target, why, self.laws, today), today)

    def verify(self, name: str, today: date) -> Report:
        """Record that an observation came true."""
        return self._happen(name, lambda target, _: maintenance.verified(target, self.laws), today)

    def flag(self, name: str, today: date, *, important: bool) -> Report:
        """Record that a person calls an observation important, or wrong."""
        return self._happen(
            name,
            lambda target, _: maintenance.flagged(target, important=important, laws=self.laws, today=today),
            today,
        )

    def contradict(self, name: str, by: str, today: date) -> Report:
        """Record that a newer observation contradicts this one. Raises InvalidInput if ``by`` is the older one."""

        def made(target: str, held: VaultContents) -> VaultEvent:
            newer = wanted((*held.active, *held.archived), by)
            older = wanted(held.active, target)
            if newer.created < older.created:
                raise InvalidInput(f"{label(newer.name)} is older than {target}.", "Swap the two.")
            return maintenance.contradicted(target, label(newer.name), self.laws)

        return self._happen(name, made, today)

    def _happen(self, name: str, made: Callable[[str, VaultContents], VaultEvent], today: date) -> Report:
        with locked(self.places.lock):
            held = gather(self.places)
            event = made(label(wanted(held.active, name).name), held)
            return maintain(Setting(self.places, self.laws, today), Task((), event), dry_run=False)
