"""The simple form of JSON lines: in, one object a message; out, a ``Message``.

    {"text": "…", "speaker": "Ada", "role": "user", "session": "monday", "at": "2026-03-02T09:00:00Z", "id": "m1"}

Only the text is required. Other names are understood too: ``content`` for text (also as a list of blocks, as the chat
APIs write it), ``name``, ``conversation``, ``time``, ``timestamp``, ``created_at``, ``message_id``. Fields beyond these
are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping

from reverie.exchange.fields import FieldError, Ids, first, kind_of, name_in, time_in
from reverie.types import Message, Role

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
"""What programs call those who speak."""


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record looks like this form."""
    return "text" in record or "content" in record


def message(record: Mapping[str, object], ids: Ids) -> Message:
    """The message of one record. Raises FieldError where there is no text or a field cannot be used."""
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
    """The words of a record; blocks of text become paragraphs."""
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
    """Who speaks, and as what. A role nobody knows is taken for a name; a known speaker gives the role."""
    speaker = name_in(record, "speaker", "name")
    called = name_in(record, "role", "sender")
    role = ROLES.get((called or speaker or "").strip().lower())
    if speaker is None:
        speaker = str(role) if role else called or "user"
    return speaker, role
