"""A new observation: in, what an agent learned; out, a file under the next free name of the day."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from reverie.errors import InvalidInput
from reverie.vault.files import Edit, carry_out
from reverie.vault.front import quoted
from reverie.vault.laws import Laws
from reverie.vault.observation import age_text
from reverie.vault.places import Places, notes

CLASSES = {"tactical": 14.0, "operational": 30.0, "strategic": 90.0, "compliance": 180.0, "permanent": math.inf}
"""How long an observation stays, by what it is for."""
_NAMED = "obs-{day}-{number:03}"
_TRIES = 1000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written: its words, its tags, how long it stays, and what it builds on."""

    text: str
    tags: tuple[str, ...] = ()
    max_age_days: float = CLASSES["operational"]
    backlinks: tuple[str, ...] = ()


def write(places: Places, agent: str, draft: Draft, today: date, laws: Laws) -> Path:
    """Write an observation of an agent; the file. Raises InvalidInput, StoreError.

    Its importance is what everything starts with: there is no way to ask for more.
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


def _content(draft: Draft, agent: str, today: date, laws: Laws) -> str:
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
    """Every name the agent has given, what is archived or broken too."""
    return [name for folder in (places.vault(agent), places.archive(agent)) for name, _ in notes(folder)]


def _number(name: str, day: str) -> int:
    number = name.removeprefix(f"obs-{day}-")
    return int(number) if number != name and number.isascii() and number.isdigit() and len(number) < 10 else 0
