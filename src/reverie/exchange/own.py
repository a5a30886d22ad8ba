"""Reverie's own JSON lines: the simple form (one object a message), and the export, which begins with a schema line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from reverie.exchange.fields import (
    FieldError,
    MessageIds,
    dumped,
    first,
    from_base64,
    is_odd,
    kind_of,
    line,
    name_in,
    time_in,
    to_base64,
)
from reverie.types import Kind, Memory, Message, Role

ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "person": Role.PERSON,
}
"""Names of roles that programs use."""


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record has the simple form."""
    return "text" in record or "content" in record


def simple_message(record: Mapping[str, object], ids: MessageIds) -> Message:
    """Return the message of one record. Raises FieldError if there is no text or a field cannot be used."""
    text = text_in(record)
    speaker, role = speaker_in(record)
    session = name_in(record, "session", "conversation", "session_id", "conversation_id") or "default"
    at = time_in(record, "at", "time", "timestamp", "created_at")
    known = name_in(record, "id", "message_id", "uuid")
    return Message(
        text=text,
        speaker=speaker,
        role=role,
        session=session,
        at=at,
        message_id=known or ids.of(session, speaker, at, text),
    )


def text_in(record: Mapping[str, object]) -> str:
    """Return the text of a record; blocks of text become paragraphs."""
    name, value = first(record, "text", "content")
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = [block.get("text") for block in value if isinstance(block, dict)]
        said = [text for text in texts if isinstance(text, str)]
        if said:
            return "\n\n".join(said)
    raise FieldError(f"{name} is {kind_of(value)}, not text" if name else "it has no text")


def speaker_in(record: Mapping[str, object]) -> tuple[str, Role | None]:
    """Return the speaker and role. An unknown role is taken for a name; a known speaker's name gives the role."""
    speaker = name_in(record, "speaker", "name")
    called = name_in(record, "role", "sender")
    role = ROLES.get((called or speaker or "").strip().lower())
    if speaker is None:
        speaker = str(role) if role else called or "user"
    return speaker, role


SCHEMA = "reverie/1"
_FAMILY = "reverie/"


def write(memories: Iterable[Memory], out: BinaryIO, message_ids: Mapping[str, str] | None = None) -> int:
    """Write the header line and every memory; return how many memories were written.

    ``message_ids`` maps memory ids to the ids their messages came with.
    """
    known = message_ids or {}
    out.write(line(dumped({"schema": SCHEMA})))
    count = 0
    for memory in memories:
        out.write(line(dumped(_record(memory, known.get(memory.id)))))
        count += 1
    return count


def is_header(record: Mapping[str, object]) -> bool:
    """Whether a record is the first line of Reverie's export, of any version."""
    schema = record.get("schema")
    return isinstance(schema, str) and schema.startswith(_FAMILY)


def is_episode(record: Mapping[str, object]) -> bool:
    """Whether a record is an episode, not a formed memory."""
    return record.get("kind", Kind.EPISODE) == Kind.EPISODE


def is_forgotten(record: Mapping[str, object]) -> bool:
    """Whether the memory had been forgotten when it was exported."""
    return record.get("valid_until") is not None


def message(record: Mapping[str, object], ids: MessageIds) -> Message:
    """Return the message of one exported record. Raises FieldError if a field is missing or cannot be used.

    The store assigns the place in the session: lines are in order, and the session may already have messages.
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
