"""Reading a host's own record of a session: in, its file; out, what the person and the assistant said, in order.

Claude Code and Codex write a line of JSON for each thing that happens, Gemini CLI one object with messages (or lines of
them). What is no message of the two, and what cannot be read, is passed over: a transcript is a help, not a contract.
What a host marks as its own is left out here; what only its words show to be the host's, in ``stripping``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.types import Role

_ASIDE = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVirtual",
    "isVisibleInTranscriptOnly",
    "isApiErrorMessage",
    "textNotTyped",
)
"""Claude Code's marks of an entry that neither of the two said."""
BYTES_MAX = 64 * 1024 * 1024
"""Of a longer transcript the end is read."""
TAIL = 1024 * 1024
"""How much of the end is enough for the last answer."""
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_TYPES = (None, "message", *_ROLES)
_ENVELOPES = (*_TYPES, "response_item")
"""Claude Code's and Codex's other lines repeat what was said: requests, snapshots, events."""
_LOCAL = "<local-command-caveat>"
_TEXT_PARTS = ("text", "input_text", "output_text", None)


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a transcript; ``at`` is the host's ISO time or empty, ``parts`` its texts where it has several."""

    role: Role
    text: str
    at: str = ""
    parts: tuple[str, ...] = ()


def read(path: Path, last: int = BYTES_MAX) -> list[Said]:
    """The messages in the last so many bytes of a transcript; none where it cannot be read, or is no plain file."""
    if not path.is_file():  # of a pipe the end would be waited for
        return []
    try:
        content = _end(path, last)
    except OSError:
        return []
    return _joined(_messages(_entries(content)))


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


def _messages(entries: Iterable[Mapping[str, object]]) -> Iterator[Said]:
    """The messages in entries, but for the command that Claude Code says it ran itself, in the entry before."""
    is_local = False
    for entry in entries:
        said = _said(entry)
        if said is not None:
            yield replace(said, text="", parts=()) if is_local and said.role is Role.USER else said
        message = entry.get("message")
        is_local = isinstance(message, dict) and _text(message.get("content")).lstrip("\ufeff").startswith(_LOCAL)


def _said(entry: Mapping[str, object]) -> Said | None:
    """The message in an entry: its own, or that of the envelope's ``message`` or ``payload``.

    Its text is empty for a message that the host marks as its own, in the person's name.
    """
    if entry.get("type") == "attachment":
        return _queued(entry)
    if entry.get("type") not in _ENVELOPES or any(entry.get(mark) for mark in _ASIDE):
        return None
    inner = next((entry[name] for name in ("message", "payload") if isinstance(entry.get(name), dict)), entry)
    if not isinstance(inner, dict) or inner.get("type") not in _TYPES:
        return None
    role = _ROLES.get(str(inner.get("role") or inner.get("type") or entry.get("type") or ""))
    shown = inner.get("displayContent")  # what the person typed, where Gemini CLI sends more than that
    parts = _parts(shown if shown is not None and role is Role.USER else inner.get("content", inner.get("parts")))
    if role is None or not "".join(parts).strip() or _summarizes(entry):
        return None
    return _told(role, parts if role is Role.ASSISTANT or _is_typed(entry) else (), entry)


def _queued(entry: Mapping[str, object]) -> Said | None:
    """What the person typed into Claude Code while the assistant was at work."""
    inner = entry.get("attachment")
    if not isinstance(inner, dict) or inner.get("type") != "queued_command" or _kind(inner) != "human":
        return None
    parts = _parts(inner.get("prompt"))
    return _told(Role.USER, parts, entry) if "".join(parts).strip() else None


def _told(role: Role, parts: tuple[str, ...], entry: Mapping[str, object]) -> Said:
    return Said(role, "\n".join(parts), _time(entry), parts if len(parts) > 1 else ())


def _is_typed(entry: Mapping[str, object]) -> bool:
    """Whether a message in the person's name may be theirs: Claude Code says of its own where they come from."""
    return _kind(entry) in ("", "human") and entry.get("promptSource") != "system"


def _kind(entry: Mapping[str, object]) -> str:
    """Where a message came from, as Claude Code says it; empty where it says nothing."""
    origin = entry.get("origin")
    return str(origin.get("kind", "")) if isinstance(origin, dict) else ""


def _summarizes(entry: Mapping[str, object]) -> bool:
    """Whether the assistant's words are Codex's summary of the session."""
    metadata = entry.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("compaction_output"))


def _time(entry: Mapping[str, object]) -> str:
    at = entry.get("timestamp")
    return at if isinstance(at, str) else ""


def _text(content: object) -> str:
    return "\n".join(_parts(content))


def _parts(content: object) -> tuple[str, ...]:
    """The texts that a message is made of."""
    if isinstance(content, str):
        return (content,)
    if not isinstance(content, list):
        return ()
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in _TEXT_PARTS]
    return tuple(part["text"] for part in parts if isinstance(part.get("text"), str))


def _joined(found: Iterable[Said]) -> list[Said]:
    """Of what the assistant says in one turn the last counts: before it come words between tools.

    A message of the host's in the person's name ends a turn, and is left out.
    """
    kept: list[Said] = []
    for said in found:
        if kept and said.role is Role.ASSISTANT and kept[-1].role is Role.ASSISTANT:
            kept[-1] = said
        else:
            kept.append(said)
    return [said for said in kept if said.text]
