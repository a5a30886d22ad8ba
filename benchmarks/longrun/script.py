"""The script of one long run: what is said when, which of it is evidence, and what is asked when.

In: one conversation of a set, the others (whose small talk becomes chatter), a seed and how much noise. Out: a
``Script``. A *content* is what a message says: a repeat has the content of what it repeats, chatter has none, and what
restates a fact with another value has a content of its own that takes the older one's place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from benchmarks.values import Item


class Origin(StrEnum):
    """Where a message comes from."""

    OWN = "own"
    CHATTER = "chatter"
    REPEAT = "repeat"
    RESTATED = "restated"
    FACT = "fact"
    STANDING = "standing"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Said:
    """A message on its date; ``content`` is what it says, empty for chatter."""

    item: Item
    origin: Origin
    content: str


@dataclass(frozen=True, slots=True)
class Change:
    """From ``at`` on a content is stale: ``newer`` holds."""

    at: datetime
    newer: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the contents that answer it, before any change; none where nothing does.

    ``last`` marks those at the end, which are measured; the others are asked along the way and get feedback.
    """

    id: str
    text: str
    category: str
    gold: tuple[str, ...]
    at: datetime
    last: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Everything that happens, in order of time; ``changes`` by the content that becomes stale."""

    name: str
    said: tuple[Said, ...]
    asked: tuple[Asked, ...]
    changes: Mapping[str, Change]

    def current(self, content: str, at: datetime) -> str:
        """What holds in the place of a content at a moment."""
        change = self.changes.get(content)
        while change is not None and change.at <= at:
            content = change.newer
            change = self.changes.get(content)
        return content

    def is_stale(self, content: str, at: datetime) -> bool:
        """Whether something newer holds."""
        return self.current(content, at) != content

    def keeping_questions(self) -> Script:
        """The script as a host has it that keeps both sides: what is asked along the way is said as well.

        The first message's speaker asks, in a session of the day. Such a message is no answer to anything.
        """
        host = self.said[0].item
        asked = (one for one in self.asked if not one.last)
        heard = (
            Said(
                replace(
                    host,
                    id=f"asked/{number}",
                    session=f"asked-{one.at.date()}",
                    at=one.at + timedelta(seconds=1),
                    text=one.text,
                ),
                Origin.ASKED,
                "",
            )
            for number, one in enumerate(asked)
        )
        said = sorted((*self.said, *heard), key=lambda one: (one.item.at, one.item.id))
        return replace(self, said=tuple(said))
