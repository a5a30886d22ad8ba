"""Read and write fields and lines of JSON for imports and exports, and report what was skipped.

Fields come out as typed values or raise ``FieldError``; missing message ids and times are derived.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeAlias

from reverie.types import EXPORT_SPEAKER, TITLE, Memory, Message, RelationKind, Role, is_title

MILLISECONDS_FROM = 1e11
"""Numbers from here on are milliseconds; as seconds they would lie after the year 5138."""

SECONDS_FROM = 1e8
"""A quoted number from here on is seconds (1973 and later); a smaller one is a compact date such as 20260302."""

NAME_MAX = 1000
"""Longest speaker, session or message id that the engine accepts."""


class FieldError(Exception):
    """A field exists but cannot be used; the message says which and why."""


def first(record: Mapping[str, object], *names: str) -> tuple[str, object]:
    """Return the name and value of the first of these fields that is not null; ("", None) if there is none."""
    return next(((name, record[name]) for name in names if record.get(name) is not None), ("", None))


def name_in(record: Mapping[str, object], *names: str) -> str | None:
    """Return a name (speaker, session, id) given as text or a whole number; None if missing or blank."""
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
    """Return a time in UTC from ISO 8601 text (no zone: UTC) or from seconds or milliseconds since 1970; None if
    missing.
    """
    name, value = first(record, *names)
    if value is None or value == "":
        return None
    try:
        return _time(value)
    except (ValueError, OverflowError, OSError):
        raise FieldError(f"{name} is no time that can be read") from None


def time_or_none(record: Mapping[str, object], *names: str) -> datetime | None:
    """Return a record's time like ``time_in``, but None if it cannot be read."""
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
    """Return the JSON name of a value's type, for an error message."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


# JSON lines without control characters, so that any tool can cut and show them.


_SURROGATE = re.compile("[\ud800-\udfff]")
_ACTED_ON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls beyond ASCII, line breaks other than "\\n", and marks that change the direction of what follows."""


def dumped(value: object) -> str:
    """Return a value as JSON without spaces and without escaped letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line(text: str) -> bytes:
    """Return a line of JSON as UTF-8 bytes with control characters escaped; the text must not hold surrogates."""
    return _ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8") + b"\n"


def is_odd(text: str) -> bool:
    """Whether a text holds surrogates, which only base64 can carry."""
    return _SURROGATE.search(text) is not None


def to_base64(text: str) -> str:
    """Return a text's UTF-8 (surrogates included) as base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def from_base64(name: str, value: str) -> str:
    """Decode the text that ``to_base64`` encoded. Raises FieldError, which names the field."""
    try:
        return base64.b64decode(value, validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise FieldError(f"{name} is no base64 of a text") from None


class MessageIds:
    """The message ids of one import: detect duplicates, and derive ids for messages without one.

    A derived id is a hash of session, speaker, time and text plus a count among equal messages. Neither the file nor
    the line number goes in, so that importing a grown or repaired export again adds only what is new.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._taken: dict[str, int] = {}

    def is_free(self, message: Message) -> bool:
        """Whether the message's own id is new, or was used before by an equal message."""
        content = hash((message.text, message.speaker, message.session))
        return self._taken.setdefault(message.message_id or "", content) == content

    def of(self, session: str, speaker: str, at: datetime | None, text: str) -> str:
        """Derive the id of the next message with this content."""
        digest = hashlib.sha256()
        for part in (session, speaker, at.isoformat() if at else "", text):
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        key = digest.digest()[:16]
        self._seen[key] += 1
        return f"derived-{key.hex()}-{self._seen[key]}"


EXPORT = EXPORT_SPEAKER
"""Speaker of a message that nobody said, but that an export holds beside what was."""


def beside(session: str, text: str, at: datetime | None, ids: MessageIds) -> Message:
    """Return a message that nobody said: a conversation's title, the names of attached files, a program's own note."""
    return Message(text, EXPORT, Role.SYSTEM, session, at, ids.of(session, EXPORT, None, text))


def heading(record: Mapping[str, object], session: str, at: datetime | None, ids: MessageIds) -> Iterator[Message]:
    """Yield, once, a message with a conversation's title and project, if it has a title."""
    title = name_in(record, "name") or name_in(record, "title")
    held = record.get("project")
    project = name_in(held, "name") if isinstance(held, dict) else None
    if title and title != session:
        yield beside(session, TITLE + title + (f" (project: {project})" if project else ""), at, ids)


TITLE_MAX = 200
"""Most characters of a title."""
_SHORT = 90
"""Most characters of a title that is taken from what was said first."""


def title_of(first: Sequence[Memory], now: datetime) -> str:
    """Return a conversation's title from its first memories: its own, else the beginning of what the user said first.

    "" if nothing of it holds any more.
    """
    held = [memory for memory in first if memory.holds_at(now)]
    own = next((memory.text.removeprefix(TITLE) for memory in held if is_title(memory)), "")
    said = next((memory.text for memory in held if memory.role is Role.USER), held[0].text if held else "")
    return own or shortened(said)


def shortened(text: str) -> str:
    """Return the first line of a text with words, cut between two words at about ninety characters."""
    line = next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    if len(line) <= _SHORT:
        return line
    return f"{line[:_SHORT].rpartition(' ')[0] or line[:_SHORT]}…"


def attached(names: Iterable[object], session: str, at: datetime | None, ids: MessageIds) -> Iterator[Message]:
    """Yield a message with the names of attached files; nothing if none has a name."""
    told = [str(name) for name in names if isinstance(name, str) and name.strip()]
    if told:
        yield beside(session, f"Attached: {', '.join(told)}", at, ids)


class Times:
    """Fills in times for one file: a message without a timestamp takes that of the previous message in its session."""

    def __init__(self) -> None:
        self._of_session: dict[str, datetime] = {}

    def given(self, message: Message) -> Message:
        """Return the message with a time, if one is known."""
        at = message.at or self._of_session.get(message.session)
        if at is None:
            return message
        self._of_session[message.session] = at
        return message if message.at else replace(message, at=at)


@dataclass(frozen=True, slots=True)
class Skipped:
    """One item of an import that gave no message, or not all it holds.

    Attributes:
        where: its place in the file, "line 12" or "conversation 3, message 5f…".
        reason: a short phrase, the same for all items of its kind, so that reasons can be counted.
        broken: the item cannot be read; False: it is sound and was skipped on purpose.
        detail: what exactly is wrong with this one; may be empty.
        kept: it gave messages all the same, and the reason says how it was read or what they lack.
    """

    where: str
    reason: str
    broken: bool = False
    detail: str = ""
    kept: bool = False


Report: TypeAlias = Callable[[Skipped], None]
"""A callback that receives each skipped item."""


@dataclass(frozen=True, slots=True)
class ImportedLink:
    """An edge between two messages of the import, by message id. ``name`` is the source's own name for it."""

    source: str
    target: str
    kind: RelationKind
    name: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The message with this id ceased to be true at this time."""

    message_id: str
    at: datetime


Item: TypeAlias = Message | ImportedLink | Ended
"""One item of an import; links and ends come after the messages they refer to."""
