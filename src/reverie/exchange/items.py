"""What an import brings: messages, links, what has ended; and what was left out, so that nothing is lost silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from reverie.types import Message, RelationKind

# What an import left out: one value an item, so that nothing is dropped in silence.


@dataclass(frozen=True, slots=True)
class Skipped:
    """One item that gave no message.

    Attributes:
        where: its place in the file, "line 12" or "conversation 3, message 5f…".
        reason: a short phrase, the same for all of its kind, so that reasons can be counted.
        broken: the item cannot be read; False: it is sound and was left out on purpose.
        detail: what exactly is wrong with this one; may be empty.
    """

    where: str
    reason: str
    broken: bool = False
    detail: str = ""


Report: TypeAlias = Callable[[Skipped], None]
"""Who is told about each item that was left out."""


# What an import brings: messages, and what is said of them — that two are linked, that one no longer holds.


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two messages of the import, by their message ids. ``name`` is what the source called it."""

    source: str
    target: str
    kind: RelationKind
    name: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The message of this id stopped being true at this moment."""

    message_id: str
    at: datetime


Item: TypeAlias = Message | Link | Ended
"""One thing an import brings; links and ends come after the messages they speak of."""
