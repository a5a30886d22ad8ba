"""What another memory holds, as this room sees it: tables by name, rows as mappings; and a note as a message."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from reverie.exchange.fields import FieldError, kind_of
from reverie.types import Message, RelationKind, Role

# A database of another program as this room sees it: tables by name, rows as mappings. Who opens it, is handed in.


Row = Mapping[str, object]


class Tables(Protocol):
    """A database that is only read."""

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Table → its columns."""
        ...

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """The rows of a table, in the order they lie. A column it lacks is null; text that is no UTF-8 stays bytes.

        Raises InvalidExport where the file is damaged.
        """
        ...


class Opener(Protocol):
    """Opens a database for reading. Raises InvalidExport for a file that is none or is damaged."""

    def __call__(self, path: Path) -> AbstractContextManager[Tables]:
        """The database at ``path``."""
        ...


def text_in(row: Row, *names: str) -> str:
    """The first of these columns that holds something; "" where none does. Raises FieldError for what is no text."""
    for name in names:
        value = row.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, bytes):
            raise FieldError(f"{name} is not UTF-8")
        if not isinstance(value, str):
            raise FieldError(f"{name} is {kind_of(value)}, not text")
        return value
    return ""


def key_in(row: Row, name: str = "id") -> str:
    """The row's own name: text or a whole number. Raises FieldError where there is none."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise FieldError(f"it has no {name}")
    return str(value)


# A note of another memory: in, its words and where it stood; out, a message one can recall and trace back.


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
