"""A note of another memory: in, its words and where it stood; out, a message one can recall and trace back.

The speaker of what a program noted down is the program; the session says where in it the note stood. What a person or
an assistant said word for word keeps its speaker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from reverie.types import Message, RelationKind, Role

SESSION_MAX = 200
_KINDS = {kind.value: kind for kind in RelationKind}
_SAID = {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Program:
    """The program whose notes are read; its name is their speaker and begins their ids and sessions."""

    name: str

    def note(self, text: str, key: str, *, place: str = "", at: datetime | None = None, role: object = None) -> Message:
        """The message of a note. ``key`` tells it from every other of the program; ``role``: who said it, if anybody.

        The id holds a mark of the words, so that a note that was changed there comes in as a new one.
        """
        said = _SAID.get(role) if isinstance(role, str) else None
        return Message(
            text=text,
            speaker=str(said) if said else self.name,
            role=said or Role.PERSON,
            session=_short(f"{self.name}/{place}" if place else self.name),
            at=at,
            message_id=self.id_of(key, text),
        )

    def id_of(self, key: str, text: str) -> str:
        """The id of a note."""
        return f"{_short(f'{self.name}:{key}')}:{_mark(text)}"


def kind_of_link(name: str) -> RelationKind:
    """What we call an edge; what has no name with us is "related to"."""
    return _KINDS.get(name.strip().lower().replace(" ", "_").replace("-", "_"), RelationKind.RELATED_TO)


def joined(parts: Iterable[object], between: str = "\n") -> str:
    """The texts among these, those that say something, one after the other."""
    return between.join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def _short(name: str) -> str:
    """A name no longer than sessions and ids should be, still its own."""
    plain = name.replace("\0", "")
    return plain if len(plain) <= SESSION_MAX else f"{plain[: SESSION_MAX - 17]}…{_mark(name)}"


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
