"""What an import brings: messages, and what is said of them — that two are linked, that one no longer holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from reverie.types import Message, RelationKind


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
