"""Shared by all importers of other programs: reading database tables, and turning a note into a message."""

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

Row = Mapping[str, object]


class Tables(Protocol):
    """A database opened for reading."""

    @property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Map each table to its columns."""
        ...

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Yield a table's rows in stored order. A column it lacks is null; text that is not UTF-8 stays bytes.

        Raises InvalidExport if the file is damaged.
        """
        ...


class Opener(Protocol):
    """Opens a database for reading. Raises InvalidExport for a file that is damaged or not a database."""

    def __call__(self, path: Path) -> AbstractContextManager[Tables]:
        """Open the database at ``path``."""
        ...


def text_in(row: Row, *names: str) -> str:
    """Return the first of these columns that is not empty; "" if all are. Raises FieldError for a value that is not
    text.
    """
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
    """Return the row's key, text or a whole number, as text. Raises FieldError if there is none."""
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise FieldError(f"it has no {name}")
    return str(value)


SESSION_MAX = 200
_KINDS = {kind.value: kind for kind in RelationKind}
_SAID = {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Program:
    """The program whose notes are imported; its name is their speaker and the prefix of their ids and sessions."""

    name: str

    def note(self, text: str, key: str, *, place: str = "", at: datetime | None = None, role: object = None) -> Message:
        """Return a note as a message. ``key`` identifies it within the program; ``role`` is who said it, if anybody.

        The id includes a hash of the text, so that a note changed in the program is imported as a new one.
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
        """Return the message id of a note."""
        return f"{_short(f'{self.name}:{key}')}:{_mark(text)}"


def kind_of_link(name: str) -> RelationKind:
    """Map a source's edge name to a relation kind; an unknown name is ``RELATED_TO``."""
    return _KINDS.get(name.strip().lower().replace(" ", "_").replace("-", "_"), RelationKind.RELATED_TO)


def joined(parts: Iterable[object], between: str = "\n") -> str:
    """Join the non-empty texts among ``parts``."""
    return between.join(part.strip() for part in parts if isinstance(part, str) and part.strip())


def _short(name: str) -> str:
    """Shorten a name to the allowed length, with a hash that keeps it unique."""
    plain = name.replace("\0", "")
    return plain if len(plain) <= SESSION_MAX else f"{plain[: SESSION_MAX - 17]}…{_mark(name)}"


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
