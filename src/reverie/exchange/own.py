"""Our own export: JSON lines in UTF-8, first a line that names the schema, then one memory a line.

    {"schema":"reverie/1"}
    {"id":"01J…","kind":"episode","text":"…","speaker":"Ada","role":"user","session":"monday","seq":0,
     "at":"2026-03-02T09:00:00+00:00","recorded_at":"2026-03-02T09:00:01+00:00"}

``message_id`` is there for what came with an id of its own: whoever has it by that id already keeps it once.
``valid_until`` is there for what was forgotten, ``sources`` for what was formed from episodes, ``accesses`` and
``last_access`` for what was recalled. JSON cannot carry every Python string (two lone surrogates side by side come back
as one character), so a string with surrogates stands as ``<field>_base64``: its UTF-8 bytes with surrogates passed.
Characters a terminal or a line reader would act on are escaped, so that the file can be shown and cut by any tool.

In: memories, or one record of such a file. Out: bytes, or a ``Message``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from reverie.exchange.fields import (
    FieldError,
    Ids,
    dumped,
    from_base64,
    is_odd,
    kind_of,
    line,
    name_in,
    time_in,
    to_base64,
)
from reverie.exchange.simple import ROLES
from reverie.types import Kind, Memory, Message

SCHEMA = "reverie/1"
_FAMILY = "reverie/"


def write(memories: Iterable[Memory], out: BinaryIO, message_ids: Mapping[str, str] | None = None) -> int:
    """Write the header and every memory; how many memories were written.

    ``message_ids``: what messages came with, by memory id.
    """
    known = message_ids or {}
    out.write(line(dumped({"schema": SCHEMA})))
    count = 0
    for memory in memories:
        out.write(line(dumped(_record(memory, known.get(memory.id)))))
        count += 1
    return count


def is_header(record: Mapping[str, object]) -> bool:
    """Whether a record is the first line of an export of ours, of any version."""
    schema = record.get("schema")
    return isinstance(schema, str) and schema.startswith(_FAMILY)


def is_episode(record: Mapping[str, object]) -> bool:
    """Whether a record is something that was said, rather than something formed from it."""
    return record.get("kind", Kind.EPISODE) == Kind.EPISODE


def is_forgotten(record: Mapping[str, object]) -> bool:
    """Whether the memory had been forgotten when it was exported."""
    return record.get("valid_until") is not None


def message(record: Mapping[str, object], ids: Ids) -> Message:
    """The message of one record. Raises FieldError where a field is missing or cannot be used.

    The place in the session is left to the store: the lines stand in order, and the session may already have messages.
    """
    plain = {name.removesuffix("_base64"): _decoded(name, value) for name, value in record.items()}
    text = plain.get("text")
    if not isinstance(text, str):
        raise FieldError(f"text is {kind_of(text)}, not text" if "text" in plain else "it has no text")
    session = name_in(plain, "session") or "default"
    speaker = name_in(plain, "speaker") or "user"
    at = time_in(plain, "at")
    return Message(
        text=text,
        speaker=speaker,
        role=ROLES.get(name_in(plain, "role") or ""),
        session=session,
        at=at,
        message_id=name_in(plain, "message_id", "id") or ids.of(session, speaker, at, text),
    )


def _record(memory: Memory, message_id: str | None) -> dict[str, object]:
    record: dict[str, object] = {
        "id": memory.id,
        "kind": str(memory.kind),
        "text": memory.text,
        "speaker": memory.speaker,
        "role": str(memory.role),
        "session": memory.session,
        "seq": memory.seq,
        "at": memory.at.isoformat(),
        "recorded_at": memory.recorded_at.isoformat(),
    }
    if message_id is not None:
        record["message_id"] = message_id
    if memory.kind is not Kind.EPISODE:
        record["sources"] = list(memory.sources)
    if memory.valid_until is not None:
        record["valid_until"] = memory.valid_until.isoformat()
    if memory.accesses:
        record["accesses"] = memory.accesses
        record["last_access"] = memory.last_access.isoformat() if memory.last_access else None
    return dict(_encoded(name, value) for name, value in record.items())


def _encoded(name: str, value: object) -> tuple[str, object]:
    return (f"{name}_base64", to_base64(value)) if isinstance(value, str) and is_odd(value) else (name, value)


def _decoded(name: str, value: object) -> object:
    return from_base64(name, value) if name.endswith("_base64") and isinstance(value, str) else value
