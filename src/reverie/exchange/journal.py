"""The lossless export: write and read a store's journal as JSON lines, events with their payloads' exact bytes.

Payloads that were read are checked against their types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from math import isfinite
from pathlib import Path
from types import UnionType
from typing import Any, BinaryIO, TypeAlias, Union, get_args, get_origin, get_type_hints

from reverie.durable import is_there
from reverie.errors import InvalidExport, InvalidScope, NotFound
from reverie.events import CHANGEABLE, Action, Event, FieldChange, Payload
from reverie.exchange.fields import FieldError, dumped, from_base64, is_odd, line, to_base64
from reverie.types import BEGINNING, Memory, Scope, Standing

Find: TypeAlias = Callable[[Any], str]
"""Returns the place of the first fault in a value: "" if it is valid, "?" if the value itself has a wrong type."""

COUNT_MAX = 2**53
_NO_OFFSET = timedelta(0)


def fault_in(payload: Payload) -> str:
    """Return the first field of a payload with an invalid value, as "Memory.text"; "" if all are valid."""
    kind: Any = type(payload)
    return _finder(kind)(payload)


@cache
def _finder(hint: Any) -> Find:
    """Return the function that checks values of a type; cached, because a journal holds many."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _one_of([_finder(one) for one in get_args(hint)])
    if origin is tuple:
        return _each(_finder(get_args(hint)[0]))
    if hint is FieldChange:
        return _change_fault
    if is_dataclass(hint) and isinstance(hint, type):
        return _inside(hint)
    plain: dict[Any, Callable[[Any], bool]] = {bool: _is_bool, int: _is_count, float: _is_number, datetime: _is_moment}
    return _named(plain.get(hint, lambda value: isinstance(value, hint)))


def _named(is_sound: Callable[[Any], bool]) -> Find:
    return lambda value: "" if is_sound(value) else "?"


def _one_of(finders: list[Find]) -> Find:
    return lambda value: "" if any(not find(value) for find in finders) else "?"


def _each(find: Find) -> Find:
    def look(value: Any) -> str:
        if not isinstance(value, tuple):
            return "?"
        return next((fault for one in value if (fault := find(one))), "") if value else ""

    return look


def _inside(kind: type[Any]) -> Find:
    hints = get_type_hints(kind)
    finders = [(field.name, _finder(hints[field.name])) for field in fields(kind)]

    def look(value: Any) -> str:
        if value is BEGINNING:
            return ""
        if not isinstance(value, kind):
            return "?"
        for name, find in finders:
            if fault := find(getattr(value, name)):
                return f"{kind.__name__}.{name}" if fault == "?" else fault
        return ""

    return look


def _change_fault(change: Any) -> str:
    find = _changeable().get(change.name)
    sound = find is not None and not find(change.before) and not find(change.after)
    return "" if sound else f"a change of {change.name!r:.40}"


@cache
def _changeable() -> dict[str, Find]:
    known = get_type_hints(Memory) | get_type_hints(Standing)
    return {name: _finder(known[name]) for name in CHANGEABLE}


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < COUNT_MAX


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and abs(value) < COUNT_MAX


def _is_moment(value: Any) -> bool:
    return isinstance(value, datetime) and value.utcoffset() == _NO_OFFSET


SCHEMA = "reverie-journal/2"
_FORMER = "reverie-journal/1"
"""In it, one chain ran over all scopes."""
_FAMILY = "reverie-journal/"
LINE_MAX = 1 << 26
"""Longest line that is read, in bytes: an event holds one message or one batch of formed memories, no more."""

_HASH = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"(?:[0-9a-f]{2}){1,64}")
_MEND = "Export it again with `reverie export --lossless`; a file that was edited or cut short cannot be imported."


@dataclass(frozen=True, slots=True)
class JournalHead:
    """The first line: which scope was exported (None: the whole store), and whether in format 1."""

    scope: Scope | None
    is_former: bool = False


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An event read from a file: without its payload, whose canonical bytes are ``raw`` (None: erased)."""

    event: Event
    raw: bytes | None
    where: str


@dataclass(frozen=True, slots=True)
class End:
    """The last line: the number of events above, twice, a hash over the last event of each scope (``digest.root``), and
    the whole store's digest or "". In format 1: number and hash of the last event, instead of the second and third.
    """

    events: int
    seq: int
    hash: str
    digest: str


def head_line(scope: Scope | None) -> bytes:
    """Return the first line of an export."""
    return line(dumped({"schema": SCHEMA, "scope": _parts(scope) if scope else None}))


def event_line(event: Event, raw: bytes | None) -> bytes:
    """Return the line of an event; ``raw`` is its payload in the bytes that were hashed."""
    record = {
        "seq": event.seq,
        "scope": _parts(event.scope),
        "at": event.at.isoformat(timespec="microseconds"),
        "actor": event.actor,
        "action": event.action.value,
        "why": event.why,
        "digest": event.digest,
        "previous": event.previous,
        "hash": event.hash,
    }
    text = dumped(record)
    if raw is not None and event.salt is not None:
        text = f'{text[:-1]},"salt":"{event.salt.hex()}","payload":{raw.decode("utf-8", "surrogatepass")}}}'
    return line(dumped({"base64": to_base64(text)}) if is_odd(text) else text)


def end_line(end: End) -> bytes:
    """Return the last line of an export."""
    return line(dumped({"end": {"events": end.events, "seq": end.seq, "hash": end.hash, "digest": end.digest}}))


def is_head(record: Mapping[str, object]) -> bool:
    """Whether a record is the first line of a lossless export, of any version."""
    schema = record.get("schema")
    return isinstance(schema, str) and schema.startswith(_FAMILY)


def is_journal(path: Path) -> bool:
    """Whether a file is a lossless export, by its first line; False for anything that cannot be read."""
    try:
        if not path.is_file():
            return False  # a pipe: looking at its first bytes would take them
        with path.open("rb") as stream:
            record = json.loads(stream.readline(10_000))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and is_head(record)


def read(path: Path) -> Iterator[JournalHead | JournalLine | End]:
    """Yield the file's content in order: one head, the events, one end.

    Raises:
        NotFound: there is no such file.
        InvalidExport: a line is broken, or the file ends too early; the message names the line.
    """
    if not (is_there(path) and path.is_file()):
        raise NotFound(f"There is no file {path}.", "Check the path.")
    try:
        with path.open("rb") as stream:
            yield from _items(stream)
    except OSError as error:
        raise InvalidExport(
            f"{path} cannot be read: {error.strerror or error}.", "Check the file and its permissions."
        ) from None


def _items(stream: BinaryIO) -> Iterator[JournalHead | JournalLine | End]:
    count = 0
    for number, record in _records(stream):
        where = f"line {number}"
        try:
            if number == 1:
                yield _head(record)
            elif "end" in record:
                end = _end(record["end"])
                if end.events != count:
                    raise FieldError(f"{end.events} events were written, {count} are there")
                yield end
                return
            else:
                count += 1
                yield _told(record, where)
        except (FieldError, KeyError, TypeError, ValueError, OverflowError, InvalidScope) as error:
            raise broken(where, f"{type(error).__name__}: {error}") from None
    raise broken("the end", "the last line is missing")


def _records(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    while raw := stream.readline(LINE_MAX + 1):
        number += 1
        if len(raw) > LINE_MAX:
            raise broken(f"line {number}", f"it is longer than {LINE_MAX} bytes")
        try:
            record = json.loads(raw.decode("utf-8"))
            if isinstance(record, dict) and "base64" in record:
                record = json.loads(from_base64("base64", str(record["base64"])))
        except (ValueError, RecursionError, FieldError) as error:
            raise broken(f"line {number}", str(error) or type(error).__name__) from None
        if not isinstance(record, dict):
            raise broken(f"line {number}", "it is no object")
        yield number, record


def broken(where: str, what: str) -> InvalidExport:
    """Return the error for a place in the file."""
    return InvalidExport(f"The journal cannot be imported: {where}: {what}.", _MEND)


def _head(record: dict[str, Any]) -> JournalHead:
    if not is_head(record):
        raise FieldError("it is no first line of a journal")
    if record["schema"] not in (SCHEMA, _FORMER):
        raise InvalidExport(f"The export has schema {record['schema']}, newer than {SCHEMA}.", "Update Reverie.")
    return JournalHead(_scope(record["scope"]) if record.get("scope") else None, record["schema"] == _FORMER)


def _told(record: dict[str, Any], where: str) -> JournalLine:
    raw = _payload(record["payload"]) if "payload" in record else None
    event = Event(
        seq=_number(record["seq"]),
        scope=_scope(record["scope"]),
        at=_moment(record["at"]),
        actor=_text(record["actor"]),
        action=Action(record["action"]),
        why=_text(record["why"]),
        payload=None,
        salt=bytes.fromhex(_match(_SALT, record["salt"])) if "salt" in record else None,
        digest=_match(_HASH, record["digest"]),
        previous=_match(_HASH, record["previous"]),
        hash=_match(_HASH, record["hash"]),
    )
    return JournalLine(event, raw, where)


def _payload(plain: object) -> bytes:
    """Serialise a payload as it was hashed: keys sorted, no spaces."""
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _end(record: dict[str, Any]) -> End:
    digest = record.get("digest") or ""
    return End(
        events=_number(record["events"]),
        seq=_number(record["seq"]),
        hash=_match(_HASH, record["hash"]),
        digest=_match(_HASH, digest) if digest else "",
    )


def _moment(value: object) -> datetime:
    at = datetime.fromisoformat(_text(value))
    if at.utcoffset() != timedelta(0):
        raise FieldError("a time is not in UTC")
    return at


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise FieldError(f"{value!r:.40} is no count")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise FieldError(f"{value!r:.40} is no text")
    return value


def _match(pattern: re.Pattern[str], value: object) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise FieldError(f"{value!r:.40} is no hexadecimal number of the length it should have")
    return value


def _scope(value: object) -> Scope:
    if not isinstance(value, list) or len(value) != 3:
        raise FieldError("a scope is not three names")
    return Scope(*value)


def _parts(scope: Scope) -> list[str]:
    return [scope.agent, scope.user, scope.project]
