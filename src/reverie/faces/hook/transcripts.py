"""Reading a host's own record of a session: in, its file; out, what the person and the assistant said, in order.

Claude Code and Codex write a line of JSON for each thing that happens, Gemini CLI one object with messages (or lines of
them). What is no message of the two, and what cannot be read, is passed over: a transcript is a help, not a contract.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.types import Role

_ASIDE = ("isMeta", "isSidechain", "isCompactSummary")
BYTES_MAX = 64 * 1024 * 1024
"""Of a longer transcript the end is read."""
TAIL = 1024 * 1024
"""How much of the end is enough for the last answer."""
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_TYPES = (None, "message", *_ROLES)
_ENVELOPES = (*_TYPES, "response_item")
"""Claude Code's and Codex's other lines repeat what was said: requests, snapshots, events."""
_TOLD_BY_THE_HOST = re.compile(
    r"\s*<(environment_context|session_context|user_instructions|turn_aborted|permissions)\b"
)
"""How a message begins that the host wrote in the person's name."""
_TEXT_PARTS = ("text", "input_text", "output_text", None)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a transcript; ``at`` is the host's ISO time or empty."""

    role: Role
    text: str
    at: str = ""


def read(path: Path, last: int = BYTES_MAX) -> list[Said]:
    """The messages in the last so many bytes of a transcript; none where it cannot be read, or is no plain file."""
    if not path.is_file():  # of a pipe the end would be waited for
        return []
    try:
        content = _end(path, last)
    except OSError:
        return []
    found = [said for entry in _entries(content) if (said := _said(entry)) is not None]
    return _joined(found)


def last_answer(path: Path) -> str:
    """What the assistant said last, after the person's last message; empty where that cannot be told."""
    said = read(path, TAIL)
    return said[-1].text if said and said[-1].role is Role.ASSISTANT else ""


def _end(path: Path, last: int) -> bytes:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - last))
        return file.read(last)


def _entries(content: bytes) -> Iterator[Mapping[str, object]]:
    """The objects of a transcript: its lines, or the messages of its one object."""
    whole = _parsed(content) if content.lstrip()[:1] in (b"{", b"[") else None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        whole = whole["messages"]
    if isinstance(whole, list):
        yield from (entry for entry in whole if isinstance(entry, dict))
        return
    for line in content.splitlines():
        entry = _parsed(line)
        if isinstance(entry, dict):
            yield entry


def _parsed(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _said(entry: Mapping[str, object]) -> Said | None:
    """The message in an entry: its own, or that of the envelope's ``message`` or ``payload``."""
    if entry.get("type") not in _ENVELOPES or any(entry.get(mark) for mark in _ASIDE):
        return None
    inner = next((entry[name] for name in ("message", "payload") if isinstance(entry.get(name), dict)), entry)
    if not isinstance(inner, dict) or inner.get("type") not in _TYPES:
        return None
    role = _ROLES.get(str(inner.get("role") or inner.get("type") or entry.get("type") or ""))
    text = _text(inner.get("content", inner.get("parts")))
    at = entry.get("timestamp")
    if role is None or not text.strip() or _TOLD_BY_THE_HOST.match(text):
        return None
    return Said(role, text, at if isinstance(at, str) else "")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in _TEXT_PARTS]
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _joined(found: list[Said]) -> list[Said]:
    """Of what the assistant says in one turn the last counts: before it come words between tools."""
    kept: list[Said] = []
    for said in found:
        if kept and said.role is Role.ASSISTANT and kept[-1].role is Role.ASSISTANT:
            kept[-1] = said
        else:
            kept.append(said)
    return kept
