"""Read Claude's data export: one conversation of its ``conversations.json`` as messages.

A conversation has a ``uuid`` and ``chat_messages``, each with ``uuid``, ``sender`` (human, assistant), ``created_at``,
``text`` and, in newer exports, ``content`` blocks. Blocks of type text are read; thinking and tool traffic are skipped.
A long paste arrives as an attachment without a file name: its text counts as said. A message without a timestamp takes
the timestamp of the previous message, the first one that of the conversation. Titles, names of attached files, projects
and Claude's own memories (``projects.json``, ``memories.json``) come as messages of their own, which nobody said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from reverie.exchange.fields import (
    FieldError,
    MessageIds,
    Report,
    Skipped,
    attached,
    beside,
    heading,
    kind_of,
    name_in,
    time_in,
    time_or_none,
)
from reverie.types import Message, Role

_SENDERS = {"human": Role.USER, "assistant": Role.ASSISTANT}
_HEADING = re.compile(r"#{1,6} .+|\*\*[^*\n]+\*\*:?")
_PASTES = ("", "paste.txt")
"""File names of the attachment that a long paste becomes."""


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record is a conversation of this export."""
    return isinstance(record.get("chat_messages"), list)


def messages(record: Mapping[str, object], where: str, ids: MessageIds, report: Report) -> Iterator[Message]:
    """Yield the messages of one conversation, in the export's order."""
    session = name_in(record, "uuid") or name_in(record, "name") or where
    turns = record["chat_messages"]
    before = time_or_none(record, "created_at")
    title = heading(record, session, before, ids)
    for number, turn in enumerate(turns if isinstance(turns, list) else [], 1):
        place = f"{where}, message {number}"
        try:
            message = _message(turn, session, ids)
        except FieldError as error:
            report(Skipped(place, "message that cannot be read", broken=True, detail=str(error)))
            continue
        for what in _left_out(turn):
            report(Skipped(place, what))
        if message.text.strip():
            message = replace(message, at=message.at or before)
            before = message.at
            yield from title
            yield message
        else:
            report(Skipped(place, "message without words"))
        yield from attached(_names(turn), session, message.at or before, ids)


def fits_beside(record: Mapping[str, object]) -> bool:
    """Whether a record is a project of this export, or holds Claude's own memories."""
    return isinstance(record.get("conversations_memory"), str) or ("prompt_template" in record and "docs" in record)


def notes(record: Mapping[str, object], where: str, ids: MessageIds, _report: Report) -> Iterator[Message]:
    """Yield a project's name, description, instructions and names of documents, or Claude's memories by paragraph."""
    own, at = record.get("conversations_memory"), time_or_none(record, "created_at")
    if isinstance(own, str):
        yield from (beside("Claude's memory", part, at, ids) for part in _paragraphs(own, record))
        return
    name = name_in(record, "name") or where
    session = f"project {name_in(record, 'uuid') or name}"
    told = {"Project": name, "About the project": record.get("description")}
    told["Instructions of the project"] = record.get("prompt_template")
    for what, text in told.items():
        if isinstance(text, str) and text.strip():
            yield beside(session, f"{what}: {text.strip()}", at, ids)
    yield from attached((doc.get("filename") for doc in _objects(record.get("docs"))), session, at, ids)


def _paragraphs(own: str, record: Mapping[str, object]) -> list[str]:
    """Return the paragraphs of Claude's memories, then those of its projects' memories; a heading is with its first."""
    held = record.get("project_memories")
    texts = [own, *(held.values() if isinstance(held, dict) else ())]
    return [part for text in texts if isinstance(text, str) for part in _with_headings(text)]


def _with_headings(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, each with the headings right above it."""
    above = ""
    for part in (part.strip() for part in text.split("\n\n")):
        if _HEADING.fullmatch(part):
            above += f"{part}\n"
        elif part:
            yield above + part
            above = ""


def _names(turn: object) -> list[object]:
    """Return the names of a message's attached files, without pastes."""
    held = turn if isinstance(turn, dict) else {}
    files = [one for one in _objects(held.get("attachments")) if not _is_paste(one)]
    return [one.get("file_name") for one in (*files, *_objects(held.get("files")))]


def _message(turn: object, session: str, ids: MessageIds) -> Message:
    if not isinstance(turn, dict):
        raise FieldError(f"it is {kind_of(turn)}, not an object")
    role = _SENDERS.get(name_in(turn, "sender") or "")
    if role is None:
        raise FieldError("its sender is neither human nor assistant")
    text = "\n\n".join(part for part in (_said(turn), *_pastes(turn)) if part)
    at = time_in(turn, "created_at")
    return Message(
        text=text,
        speaker=str(role),
        role=role,
        session=session,
        at=at,
        message_id=name_in(turn, "uuid") or ids.of(session, role, at, text),
    )


def _said(turn: Mapping[str, object]) -> str:
    blocks = _objects(turn.get("content"))
    if blocks:
        texts = [block.get("text") for block in blocks if block.get("type") == "text"]
        return "\n\n".join(text for text in texts if isinstance(text, str) and text)
    text = turn.get("text")
    if text is None:
        return ""  # a message with attachments only
    if not isinstance(text, str):
        raise FieldError(f"text is {kind_of(text)}, not text")
    return text


def _pastes(turn: Mapping[str, object]) -> list[str]:
    return [str(a["extracted_content"]) for a in _objects(turn.get("attachments")) if _is_paste(a)]


def _is_paste(attachment: Mapping[str, object]) -> bool:
    return attachment.get("file_name", "") in _PASTES and isinstance(attachment.get("extracted_content"), str)


def _left_out(turn: Mapping[str, object]) -> list[str]:
    """Return why parts of a message are not in its text, one reason for each part."""
    blocks = [str(block.get("type")) for block in _objects(turn.get("content"))]
    reasons = ["thinking" if "thinking" in kind else "traffic with a tool" for kind in blocks if kind != "text"]
    reasons += ["attached file" for a in _objects(turn.get("attachments")) if not _is_paste(a)]
    return reasons + ["attached file" for _ in _objects(turn.get("files"))]


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
