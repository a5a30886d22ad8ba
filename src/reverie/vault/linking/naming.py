"""Free names for the engine's files: in, the folders of an agent and a day; out, names that nobody has in any case."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from reverie.vault.places import Places, notes


class Names:
    """The names of an agent's files, active and archived; those given out here are taken from then on.

    ``known``: names of files that are gone and may come back; none is given to another file.

    Two names that differ in their letters' case alone are one on many disks, and for Obsidian's links.
    """

    def __init__(self, places: Places, agent: str, known: Iterable[str] = ()) -> None:
        folders = (places.vault(agent), places.archive(agent))
        self._taken = {name.casefold() for folder in folders for name, _ in notes(folder)}
        self._kept = {name.casefold() for name in known}
        self._last: dict[date, int] = {}

    def of_day(self, day: date) -> str:
        """The next name of a day: ``obs-2026-02-15-001``."""
        number = self._last.get(day, 0) + 1
        while (name := f"obs-{day.isoformat()}-{number:03}") in self._taken or name in self._kept:
            number += 1
        self._last[day] = number
        return self._given(name)

    def beside(self, name: str, what: str) -> str:
        """A name beside another one: ``obs-2026-02-15-001-conflict``."""
        tried = (f"{name}-{what}" if number == 1 else f"{name}-{what}-{number}" for number in range(1, 100_000))
        return self._given(next(one for one in tried if one.casefold() not in self._taken))

    def again(self, name: str) -> str | None:
        """The name itself, if nobody has it."""
        return None if name.casefold() in self._taken else self._given(name)

    def _given(self, name: str) -> str:
        self._taken.add(name.casefold())
        return name
