"""What the hosts say and want to hear: in, a call's JSON; out, the moment it means; and an answer in the host's shape.

Claude Code, Codex and VS Code name the same moments alike; Gemini CLI and Cursor have names of their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reverie.faces.hook.frames import Call
from reverie.faces.hook.tool_calls import ToolCall, tool_call


class NotUnderstood(Exception):
    """The host's JSON is none, or names no moment."""


class Moment(StrEnum):
    """When a host calls."""

    START = "start"
    PROMPT = "prompt"
    ANSWER = "answer"
    TOOL = "tool"
    COMPACT = "compact"
    END = "end"
    OTHER = "other"


class Host(StrEnum):
    """Who calls."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    CURSOR = "cursor"
    VSCODE = "vscode"


MOMENTS = {
    "sessionstart": Moment.START,
    "userpromptsubmit": Moment.PROMPT,
    "userpromptsubmitted": Moment.PROMPT,
    "beforeagent": Moment.PROMPT,
    "beforesubmitprompt": Moment.PROMPT,
    "stop": Moment.ANSWER,
    "afteragent": Moment.ANSWER,
    "afteragentresponse": Moment.ANSWER,
    "posttooluse": Moment.TOOL,
    "posttoolusefailure": Moment.TOOL,
    "aftertool": Moment.TOOL,
    "aftershellexecution": Moment.TOOL,
    "afterfileedit": Moment.TOOL,
    "aftermcpexecution": Moment.TOOL,
    "precompact": Moment.COMPACT,
    "precompress": Moment.COMPACT,
    "sessionend": Moment.END,
}
"""A host's name of a moment in small letters → the moment."""

_CURSOR_NAMES = (
    "beforesubmitprompt",
    "afteragentresponse",
    "aftershellexecution",
    "afterfileedit",
    "aftermcpexecution",
)
_SESSION_MAX = 200


@dataclass(frozen=True, slots=True)
class Happening:
    """One moment in a session of a host.

    ``event`` is the host's own name for it, ``turn`` its own id of the turn where it has one, ``prompt`` and
    ``answer`` what was said, ``source`` why a session starts, ``tool`` what a tool was called for and what came back.
    """

    host: Host
    moment: Moment
    event: str
    session: str
    folder: str
    turn: str = ""
    prompt: str = ""
    answer: str = ""
    transcript: str = ""
    source: str = ""
    tool: ToolCall | None = None


def understand(call: Call) -> Happening:
    """What a call means. Raises NotUnderstood."""
    said = _object(call.body)
    event = call.event or _text(said, "hook_event_name", "hookEventName", "hook_event")
    if not event:
        raise NotUnderstood("it names no event")
    host = _host(call, said, event)
    moment = MOMENTS.get(event.lower(), Moment.OTHER)
    return Happening(
        host=host,
        moment=moment,
        event=event,
        session=_text(said, "session_id", "sessionId", "conversation_id")[:_SESSION_MAX] or "default",
        folder=_text(said, "cwd") or _root(said) or call.cwd,
        turn=_text(said, "turn_id", "prompt_id", "generation_id"),
        prompt=_text(said, "prompt"),
        answer=_text(said, "last_assistant_message", "prompt_response") or _text(said, "text"),
        transcript=_text(said, "transcript_path"),
        source=_text(said, "source"),
        tool=tool_call(said, event) if moment is Moment.TOOL else None,
    )


def answer(happening: Happening, context: str, notice: str = "") -> bytes:
    """The context in the shape the host reads; nothing where there is none, or where it would not be read.

    ``notice`` is for the person alone: hosts show it and keep it from their model. Cursor has no place for one.
    """
    if happening.host is Host.CURSOR:
        at_start = context and happening.moment is Moment.START
        return json.dumps({"additional_context": context}).encode() if at_start else b""
    shape: dict[str, object] = {"systemMessage": notice} if notice else {}
    if context:
        shape["hookSpecificOutput"] = {"hookEventName": happening.event, "additionalContext": context}
    return json.dumps(shape).encode() if shape else b""


def hears(happening: Happening) -> bool:
    """Whether the host hands what it is told at this moment to its model."""
    moments = (Moment.START,) if happening.host is Host.CURSOR else (Moment.START, Moment.PROMPT)
    return happening.moment in moments


def _object(body: bytes) -> Mapping[str, object]:
    try:
        said = json.loads(body.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(f"no JSON: {type(error).__name__}") from None
    if not isinstance(said, dict):
        raise NotUnderstood("no JSON object")
    return said


def _text(said: Mapping[str, object], *names: str) -> str:
    """The first of these fields that is a text with something in it."""
    for name in names:
        value = said.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _root(said: Mapping[str, object]) -> str:
    roots = said.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def _host(call: Call, said: Mapping[str, object], event: str) -> Host:
    """Who it is: as the command line says, else by what only one of them sends."""
    if call.host in tuple(Host):
        return Host(call.host)
    if "cursor_version" in said or "conversation_id" in said or event.lower() in _CURSOR_NAMES:
        return Host.CURSOR
    if event in ("BeforeAgent", "AfterAgent", "AfterTool", "PreCompress"):
        return Host.GEMINI
    if "sessionId" in said or "hookEventName" in said:
        return Host.VSCODE
    return _by_the_rest(said)


def _by_the_rest(said: Mapping[str, object]) -> Host:
    """Hosts that send the same fields, by where they keep their transcripts."""
    path = _text(said, "transcript_path")
    if "turn_id" in said or "/.codex/" in path or "/rollout-" in path:
        return Host.CODEX
    return Host.GEMINI if "/.gemini/" in path else Host.CLAUDE_CODE
