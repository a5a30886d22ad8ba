"""Fields and lines of JSON, as typed values or ``FieldError``; what an import brings, and what it left out.

Message ids and times are made where they are missing. Nothing is dropped in silence.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from reverie.types import Message, RelationKind

# Reading fields and lines of JSON: typed values or ``FieldError``; message ids and times where they are missing.


# Reading single fields of a record of parsed JSON: in, a mapping and names; out, the typed value or ``FieldError``.


MILLISECONDS_FROM = 1e11
"""A number of seconds this large lies in the year 5138: it was milliseconds."""

SECONDS_FROM = 1e8
"""Digits in quotes are seconds from here on (1973); fewer are a date written together, such as 20260302."""

NAME_MAX = 1000
"""The engine takes speaker, session and message id up to this length."""


class FieldError(Exception):
    """A field is there but cannot be used; the text says which and why."""


def first(record: Mapping[str, object], *names: str) -> tuple[str, object]:
    """The first of these fields that is there and not null, with its name; ("", None) if none is."""
    return next(((name, record[name]) for name in names if record.get(name) is not None), ("", None))


def name_in(record: Mapping[str, object], *names: str) -> str | None:
    """A name (speaker, session, id): text or a whole number. None where it is missing or blank."""
    name, value = first(record, *names)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError(f"{name} is {kind_of(value)}, not text")
    if len(value) > NAME_MAX:
        raise FieldError(f"{name} is longer than {NAME_MAX} characters")
    return value if value.strip() else None


def time_in(record: Mapping[str, object], *names: str) -> datetime | None:
    """A time in UTC: ISO 8601 text (without a zone: UTC) or seconds or milliseconds since 1970. None where missing."""
    name, value = first(record, *names)
    if value is None or value == "":
        return None
    try:
        return _time(value)
    except (ValueError, OverflowError, OSError):
        raise FieldError(f"{name} is no time that can be read") from None


def time_or_none(record: Mapping[str, object], *names: str) -> datetime | None:
    """The time of a record, where it only helps to place others: an unreadable one is no fault of theirs."""
    try:
        return time_in(record, *names)
    except FieldError:
        return None


def _time(value: object) -> datetime:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    if isinstance(value, str):
        number = _number(value)
        if not abs(number) >= SECONDS_FROM:
            at = datetime.fromisoformat(value.strip())
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        value = number
    return datetime.fromtimestamp(value / 1000 if abs(value) >= MILLISECONDS_FROM else value, UTC)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def kind_of(value: object) -> str:
    """What JSON calls a value, for a message to the reader."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


# One line of JSON lines: in, plain values; out, bytes that any tool can cut and show, and back.


_SURROGATE = re.compile("[\ud800-\udfff]")
_ACTED_ON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls beyond ASCII, line breaks beyond "\\n", and marks that change the direction of what follows."""


def dumped(value: object) -> str:
    """A value as JSON without spaces, characters as themselves."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line(text: str) -> bytes:
    """The bytes of a line of JSON without surrogates."""
    return _ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8") + b"\n"


def is_odd(text: str) -> bool:
    """Whether a text holds surrogates, which only base64 carries."""
    return _SURROGATE.search(text) is not None


def to_base64(text: str) -> str:
    """The UTF-8 of a text, surrogates passed, as base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def from_base64(name: str, value: str) -> str:
    """The text of ``to_base64``. Raises FieldError, which names the field."""
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise FieldError(f"{name} is no base64 of a text") from None


# Message ids: those a file carries are watched, those it lacks are derived from the message's own content.


class MessageIds:
    """The ids of one import.

    A derived id is made of session, speaker, time, words, and which of equal messages it is. Nothing about the file
    goes in, nor a message's line: an export that has grown, or whose broken line was mended, gives every other message
    the id it had, so that importing it again adds only what is new.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._taken: dict[str, int] = {}

    def is_free(self, message: Message) -> bool:
        """Whether the message's own id is new, or came with the very same message before."""
        content = hash((message.text, message.speaker, message.session))
        return self._taken.setdefault(message.message_id or "", content) == content

    def of(self, session: str, speaker: str, at: datetime | None, text: str) -> str:
        """The id of the next message with this content."""
        digest = hashlib.sha256()
        for part in (session, speaker, at.isoformat() if at else "", text):
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        key = digest.digest()[:16]
        self._seen[key] += 1
        return f"derived-{key.hex()}-{self._seen[key]}"


# When the messages of a file were said: in, messages in their order; out, the same, with a time where one is known.


class Times:
    """The times of one file: a message without a time was said when the one before it in its session was."""

    def __init__(self) -> None:
        self._of_session: dict[str, datetime] = {}

    def given(self, message: Message) -> Message:
        """The message, with a time where one can be told."""
        at = message.at or self._of_session.get(message.session)
        if at is None:
            return message
        self._of_session[message.session] = at
        return message if message.at else replace(message, at=at)


# What an import brings: messages, links, what has ended; and what was left out, so that nothing is lost silently.


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
class ImportedLink:
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


Item: TypeAlias = Message | ImportedLink | Ended
"""One thing an import brings; links and ends come after the messages they speak of."""
