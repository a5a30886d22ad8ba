"""Read ChatGPT's data export: one conversation of its ``conversations.json`` as messages, without citation marks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from reverie.exchange.fields import (
    FieldError,
    MessageIds,
    Report,
    Skipped,
    attached,
    heading,
    kind_of,
    name_in,
    time_in,
    time_or_none,
)
from reverie.types import Message, Role

# Citation marks that ChatGPT's answers carry for its own user interface.


_MARK = re.compile(
    "(?P<before>(?<![ \t])[ \t]*)(?:\ue200(?P<kind>[^\ue200-\ue202]*)(?P<parts>(?:\ue202[^\ue200-\ue202]*)*)\ue201"
    r"|\ue202turn\d+[a-z]+\d+|【\d+(?::\d+)?†[^【】\n]*】)"
)
_BOUNDS = re.compile("[\ue200-\ue206]")


def without_marks(text: str) -> str:
    """Remove citation marks from an answer; words inside a mark stay."""
    if "\u3010" not in text and _BOUNDS.search(text) is None:
        return text
    cleaned = _BOUNDS.sub("", _MARK.sub(_words, text))
    return text if cleaned == text else cleaned.lstrip("\r\n").rstrip()


def _words(found: re.Match[str]) -> str:
    """Return the words a mark shows in the sentence, with the space before it; empty for a mere citation."""
    parts = (found["parts"] or "").split("\ue202")[1:]
    shown = ""
    if found["kind"] == "entity" and parts:
        shown = _name_in(parts[0])
    elif found["kind"] == "url" and len(parts) > 1:
        shown = parts[0]
    return found["before"] + shown if shown else ""


def _name_in(part: str) -> str:
    """Return an entity's name, the second item of its list; empty if there is none."""
    try:
        fields = json.loads(part)
    except (ValueError, RecursionError):
        return ""
    named = isinstance(fields, list) and len(fields) > 1 and isinstance(fields[1], str)
    return fields[1] if named else ""


_AUTHORS = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SAID = ("text", "multimodal_text", "code")
"""Content types that hold what the two participants said; code counts if it is addressed to all."""


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record is a conversation of this export."""
    return isinstance(record.get("mapping"), dict)


def messages(record: Mapping[str, object], where: str, ids: MessageIds, report: Report) -> Iterator[Message]:
    """Yield the messages on the path from the root to the current node."""
    nodes = {key: node for key, node in _object(record.get("mapping")).items() if isinstance(node, dict)}
    session = name_in(record, "conversation_id", "id") or name_in(record, "title") or where
    path = _path(nodes, record.get("current_node"))
    at = time_or_none(record, "create_time")
    title = heading(record, session, at, ids)
    for key in path:
        place = f"{where}, message {key}"
        try:
            outcome = _message(nodes[key], session, at, ids)
        except FieldError as error:
            report(Skipped(place, "message that cannot be read", broken=True, detail=str(error)))
            continue
        if isinstance(outcome, Message):
            at = outcome.at
            _report_attachments(nodes[key], place, report)
            yield from title
            yield outcome
            yield from attached(_names(nodes[key]), session, at, ids)
        elif outcome is not None:
            report(Skipped(place, outcome))
    _report_branches(nodes, set(path), where, report)


def _report_branches(nodes: Mapping[str, dict[str, object]], path: set[str], where: str, report: Report) -> None:
    for key, node in nodes.items():
        if key not in path and isinstance(node.get("message"), dict):
            report(Skipped(f"{where}, message {key}", "branch that was left for another"))


def _report_attachments(node: Mapping[str, object], place: str, report: Report) -> None:
    parts = _object(_object(node.get("message")).get("content")).get("parts")
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, dict) and "text" not in part:
            report(Skipped(place, "image, sound or attached file"))


def _names(node: Mapping[str, object]) -> list[object]:
    """Return the names of a message's attached files."""
    held = _object(_object(node.get("message")).get("metadata")).get("attachments")
    return [_object(one).get("name") for one in (held if isinstance(held, list) else [])]


def _path(nodes: Mapping[str, dict[str, object]], current: object) -> list[str]:
    """Return the node keys from the root to ``current``, or to the newest leaf if that is missing."""
    if not isinstance(current, str) or current not in nodes:
        leaves = [key for key, node in nodes.items() if not node.get("children")]
        current = max(leaves, key=lambda key: _written(nodes[key]), default=None)
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:
        seen.add(current)
        path.append(current)
        current = nodes[current].get("parent")
    return path[::-1]


def _message(
    node: Mapping[str, object], session: str, before: datetime | None, ids: MessageIds
) -> Message | str | None:
    """Return a node's message, or the reason why it has none; None if nothing is skipped."""
    message = _object(node.get("message"))
    if not message:
        return None  # the root of the tree, and nodes that only connect others
    role = _AUTHORS.get(str(_object(message.get("author")).get("role")))
    unsaid = _unsaid(message)
    text = "" if unsaid else _text(_object(message.get("content")))
    text = without_marks(text) if role is Role.ASSISTANT else text
    if role is None or not text.strip():
        return unsaid or "message without words"
    at = time_in(message, "create_time") or before
    return Message(
        text=text,
        speaker=str(role),
        role=role,
        session=session,
        at=at,
        message_id=name_in(message, "id") or name_in(node, "id") or ids.of(session, role, at, text),
    )


def _unsaid(message: Mapping[str, object]) -> str:
    """Return why a message is not part of the conversation between the two; empty if it is."""
    if _object(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return "hidden message"
    if str(_object(message.get("author")).get("role")) not in _AUTHORS:
        return "system note or tool's output"
    if message.get("recipient", "all") != "all":
        return "traffic with a tool"
    if _object(message.get("content")).get("content_type", "text") not in _SAID:
        return "reasoning, instructions or another kind that was not said"
    return ""


def _text(content: Mapping[str, object]) -> str:
    parts = content.get("parts", content.get("text", ""))
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, list):
        raise FieldError(f"its content is {kind_of(parts)}, not a list")
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _written(node: Mapping[str, object]) -> float:
    at = time_or_none(_object(node.get("message")), "create_time")
    return at.timestamp() if at else 0.0


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
