"""Understand hosts: parse a call's JSON as a session event, strip what the host added to messages, format answers."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.tool_calls import ToolCall, tool_call
from reverie.screen.fences import holds_marker, one_line, strip_fences
from reverie.types import Role


class NotUnderstood(Exception):
    """The host's JSON is invalid, or names no event."""


class SessionMoment(StrEnum):
    """The kind of hook event, whatever the host calls it."""

    START = "start"
    PROMPT = "prompt"
    ANSWER = "answer"
    TOOL = "tool"
    COMPACT = "compact"
    END = "end"
    OTHER = "other"


class HookHost(StrEnum):
    """The program that calls the hook."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    CURSOR = "cursor"
    VSCODE = "vscode"


MOMENTS = {
    "sessionstart": SessionMoment.START,
    "userpromptsubmit": SessionMoment.PROMPT,
    "userpromptsubmitted": SessionMoment.PROMPT,
    "beforeagent": SessionMoment.PROMPT,
    "beforesubmitprompt": SessionMoment.PROMPT,
    "stop": SessionMoment.ANSWER,
    "afteragent": SessionMoment.ANSWER,
    "afteragentresponse": SessionMoment.ANSWER,
    "posttooluse": SessionMoment.TOOL,
    "posttoolusefailure": SessionMoment.TOOL,
    "aftertool": SessionMoment.TOOL,
    "aftershellexecution": SessionMoment.TOOL,
    "afterfileedit": SessionMoment.TOOL,
    "aftermcpexecution": SessionMoment.TOOL,
    "precompact": SessionMoment.COMPACT,
    "precompress": SessionMoment.COMPACT,
    "sessionend": SessionMoment.END,
}
"""Hosts' event names in lower case, and the moments they mean."""

_CURSOR_NAMES = (
    "beforesubmitprompt",
    "afteragentresponse",
    "aftershellexecution",
    "afterfileedit",
    "aftermcpexecution",
)
_SESSION_MAX, _AGENT_MAX = 200, 60


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event in a session of a host.

    ``event`` is the host's own name for it, ``turn`` its own id of the turn if it has one, ``prompt`` and ``answer``
    what was said, ``source`` why a session starts or is compacted, ``tool`` a tool call with its result. ``agent`` is
    the id of the sub-agent that the event belongs to; then ``session`` is the sub-agent's own, and nobody said the
    words.
    """

    host: HookHost
    moment: SessionMoment
    event: str
    session: str
    folder: str
    turn: str = ""
    prompt: str = ""
    answer: str = ""
    transcript: str = ""
    source: str = ""
    tool: ToolCall | None = None
    agent: str = ""


def agents_session(session: str, agent: str) -> str:
    """Return the name of the session that holds what a session's sub-agent did."""
    return f"{session} agent {agent}" if agent else session


def understand(call: HookCall) -> HookEvent:
    """Parse a call. Raises NotUnderstood."""
    said = _object(call.body)
    event = call.event or _text(said, "hook_event_name", "hookEventName", "hook_event")
    if not event:
        raise NotUnderstood("it names no event")
    host = _host(call, said, event)
    moment = MOMENTS.get(event.lower(), SessionMoment.OTHER)
    session = _text(said, "session_id", "sessionId", "conversation_id")[:_SESSION_MAX] or "default"
    agent = one_line(_text(said, "agent_id"))[:_AGENT_MAX]
    return HookEvent(
        host=host,
        moment=moment,
        event=event,
        session=agents_session(session, agent),
        folder=_text(said, "cwd") or _root(said) or call.cwd,
        turn=_text(said, "turn_id", "prompt_id", "generation_id"),
        prompt=_text(said, "prompt"),
        answer=_text(said, "last_assistant_message", "prompt_response") or _text(said, "text"),
        transcript=_text(said, "transcript_path"),
        source=_text(said, "source", "trigger"),
        tool=tool_call(said, event) if moment is SessionMoment.TOOL else None,
        agent=agent,
    )


def answer(happening: HookEvent, context: str, notice: str = "") -> bytes:
    """Return the context in the form the host reads; empty if there is none or the host would not read it.

    ``notice`` is for the person: hosts show it and keep it from their model. Cursor has no place for one.
    """
    if happening.host is HookHost.CURSOR:
        at_start = context and happening.moment is SessionMoment.START
        return json.dumps({"additional_context": context}).encode() if at_start else b""
    shape: dict[str, object] = {"systemMessage": notice} if notice else {}
    if context:
        shape["hookSpecificOutput"] = {"hookEventName": happening.event, "additionalContext": context}
    return json.dumps(shape).encode() if shape else b""


def hears(happening: HookEvent) -> bool:
    """Whether the host passes the answer to this event on to its model, at once or with the first prompt."""
    moments = (
        (SessionMoment.START,) if happening.host is HookHost.CURSOR else (SessionMoment.START, SessionMoment.PROMPT)
    )
    return happening.moment in moments


def is_compaction(happening: HookEvent) -> bool:
    """Whether the host is about to cut the session's context: Gemini CLI says so before every message, just in case."""
    is_guess = happening.host is HookHost.GEMINI and happening.source != "manual"
    return happening.moment is SessionMoment.COMPACT and not is_guess


def is_for_later(happening: HookEvent) -> bool:
    """Whether the answer to this event has to wait for the first prompt.

    Gemini CLI writes what it hears at the start before the first prompt, in the same text. When the session is resumed
    it leaves out every message that begins so, with the person's words in it.
    """
    return happening.host is HookHost.GEMINI and happening.moment is SessionMoment.START


def _object(body: bytes) -> Mapping[str, object]:
    try:
        said = json.loads(body.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(f"no JSON: {type(error).__name__}") from None
    if not isinstance(said, dict):
        raise NotUnderstood("no JSON object")
    return said


def _text(said: Mapping[str, object], *names: str) -> str:
    """Return the first of these fields that is a non-empty text."""
    for name in names:
        value = said.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _root(said: Mapping[str, object]) -> str:
    roots = said.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def _host(call: HookCall, said: Mapping[str, object], event: str) -> HookHost:
    """Return the host: from the command line, else by fields that only one of them sends."""
    if call.host in tuple(HookHost):
        return HookHost(call.host)
    if "cursor_version" in said or "conversation_id" in said or event.lower() in _CURSOR_NAMES:
        return HookHost.CURSOR
    if event in ("BeforeAgent", "AfterAgent", "AfterTool", "PreCompress"):
        return HookHost.GEMINI
    if "sessionId" in said or "hookEventName" in said:
        return HookHost.VSCODE
    return _by_the_rest(said)


def _by_the_rest(said: Mapping[str, object]) -> HookHost:
    """Tell hosts that send the same fields apart, by where they keep their transcripts."""
    path = _text(said, "transcript_path")
    if "turn_id" in said or "/.codex/" in path or "/rollout-" in path:
        return HookHost.CODEX
    return HookHost.GEMINI if "/.gemini/" in path else HookHost.CLAUDE_CODE


# Removing what nobody said: the person's words in a text from a host.


_WRAPPED = re.compile(
    r"^[ \t]*(?:<[a-z_-]{1,40}>\s{0,4})?\w{1,40} hook additional context:\s{0,4}(?:</[a-z_-]{1,40}>)?[ \t]*$",
    re.MULTILINE,
)
_EMPTY = re.compile(r"<(hook_context|system-reminder)>\s*</\1>")
# No pattern begins with an unlimited run of blanks: each blank of a long run would be a new beginning.


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message of the host with the person's words in it: how it begins, and the text before and after the words."""

    begins: str
    before: str
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Wrappings:
    """What a host writes in the person's name.

    Attributes:
        spans: opening and closing marks of what it inserts anywhere in a message.
        once: the same, but inserted only once, so that all between the first opening and the last closing belongs to
            it.
        blocks: tags it puts before or after what was said; inside a sentence they are the person's.
        messages: tags that begin a message written entirely by the host.
        openings: words that begin such a message.
        commands: tags that begin a slash command of the person's.
        envelopes: messages that contain what the person said.
        requests: tags that contain what the person said, at the end of the host's text.
    """

    spans: tuple[tuple[str, str], ...] = ()
    once: tuple[tuple[str, str], ...] = ()
    blocks: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    requests: tuple[str, ...] = ()


_REMINDER = ("<system-reminder>", "</system-reminder>")

WRAPPINGS = {
    HookHost.CLAUDE_CODE: Wrappings(
        spans=(_REMINDER, ("<user-prompt-submit-hook>", "</user-prompt-submit-hook>")),
        blocks=(
            "ide_opened_file",
            "ide_selection",
            "terminal",
            "browser",
            "browser_instruction",
            "post-tool-use-hook",
            "new-diagnostics",
        ),
        messages=(
            "bash-input",
            "bash-stdout",
            "bash-stderr",
            "bash-exit-code",
            "local-command-caveat",
            "local-command-stdout",
            "local-command-stderr",
            "task-notification",
            "agent-message",
            "teammate-message",
            "cross-session-message",
            "coordinator-relay",
            "remote-review",
            "slack-ping",
            "slack-tag-message",
            "channel",
            "wake",
            "tick",
            "fork-boilerplate",
            "fetched-web-content",
            "mcp-resource-update",
            "mcp-polling-update",
            "untrusted-widget-state",
            "artifact-room-event",
            "artifact-type-instructions",
            "artifact-file-content",
            "cowritten-artifact-html",
        ),
        openings=(
            "[Request interrupted",
            "[This turn ended before it finished.]",
            "[Agent call interrupted:",
            "[Tool call ",
            "Another Claude session sent a message",
            "A peer session sent a message while you were working:",
            "The coordinator sent a message",
            "This session is being continued from a previous conversation that ran out of context.",
        ),
        commands=("command-name", "command-message"),
        envelopes=(Envelope("<user-memory-input>", "<user-memory-input>", "</user-memory-input>"),),
    ),
    HookHost.CODEX: Wrappings(
        spans=(_REMINDER,),
        messages=(
            "environment_context",
            "session_context",
            "user_instructions",
            "INSTRUCTIONS",
            "user_shell_command",
            "user_action",
            "turn_aborted",
            "subagent_notification",
            "hook_prompt",
            "skill",
            "codex_internal_context",
            "codex_delegation",
            "realtime_conversation",
            "realtime_delegation",
            "permissions",
            "model_switch",
            "collaboration_mode",
            "multi_agent_mode",
            "multi_agent_role",
            "persistent_mode",
            "personality_spec",
            "apps_instructions",
            "plugins_instructions",
            "skills_instructions",
            "environments_instructions",
            "recommended_plugins",
            "command_sessions",
            "context_window",
            "context_window_guidance",
            "context_window_reminder",
            "content_filter_guidance",
            "current_time_reminder",
            "current_time_unavailable",
            "token_budget",
            "rollout_budget",
            "image_resize_notice",
            "user_verification_notice",
        ),
        openings=(
            "# AGENTS.md instructions",
            "Another language model started to solve this problem and produced a summary of its thinking process.",
        ),
        envelopes=(Envelope("# Context from my IDE setup:", "## My request for Codex:"),),
    ),
    HookHost.GEMINI: Wrappings(
        spans=(("<hook_context>", "</hook_context>"),),
        once=(("--- Content from referenced files ---", "--- End of content ---"),),
        messages=("session_context", "loaded_context", "state_snapshot", "background_output", "untrusted_context"),
        openings=(
            "I ran the following shell command:\n```sh\n",
            "Background execution update:\n<background_output>",
            "[System: You ",
            "System: Potential loop detected.",
        ),
        envelopes=(
            Envelope("User steering update:\n<user_input>", "<user_input>", "</user_input>"),
            Envelope("User hints:\n<user_input>", "<user_input>", "</user_input>"),
        ),
    ),
    HookHost.VSCODE: Wrappings(
        spans=(_REMINDER,),
        blocks=(
            "environment_info",
            "workspace_info",
            "customInstructions",
            "modeInstructions",
            "attachments",
            "context",
            "editorContext",
            "reminderInstructions",
            "reminder",
            "current_datetime",
        ),
        requests=("userRequest", "user_query"),
    ),
    HookHost.CURSOR: Wrappings(
        spans=(("<system_reminder>", "</system_reminder>"),),
        blocks=(
            "timestamp",
            "user_info",
            "rules",
            "git_status",
            "project_layout",
            "open_and_recently_viewed_files",
            "attached_files",
            "image_files",
            "additional_data",
            "agent_transcripts",
            "agent_skills",
            "manually_attached_skills",
            "mcp_file_system",
            "system_notification",
        ),
        requests=("user_query",),
    ),
}
"""What each host writes in the person's name: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0 and the source of
VS Code's Copilot Chat. Cursor's source is closed: its tags come from published readers of its transcripts.
"""

_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9_-]{1,60})(?=[\s>])")
_UNSEEN = "\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
"""Invisible characters, including the byte order mark; before a mark they count as blanks."""
_BLANKS = re.compile(rf"[\s{_UNSEEN}]*")
_BLANK = re.compile(rf"[\s{_UNSEEN}]")


def said_only(text: str, host: HookHost, role: Role = Role.USER) -> str:
    """Return a text without what a hook or the host added; empty if the whole message is the host's."""
    wrappings = WRAPPINGS[host]
    for opening, closing in wrappings.spans:
        text = _without(_wrapped(text, re.escape(opening), re.escape(closing)), text)
    for opening, closing in wrappings.once:
        text = _without(_outermost(text, opening, closing), text)
    if holds_marker(text):
        text = _unfenced(text)
    return _own_words(text, wrappings) if role is Role.USER else text


def said_in_parts(parts: Sequence[str], host: HookHost, role: Role = Role.USER) -> str:
    """Return what was said in a message that the host keeps in parts; a part that is one wrapping is dropped whole.

    Also dropped are parts that begin a message of the host's; if the first part does, the result is empty.
    """
    if role is not Role.USER or len(parts) == 1:
        return said_only("\n".join(parts), host, role)
    wrappings = WRAPPINGS[host]
    if parts and _is_hosts(_bared(parts[0]), wrappings):
        return ""
    told = [part for part in parts if not (_is_wrapping(part, wrappings) or _is_hosts(_bared(part), wrappings))]
    return said_only("\n".join(told), host)


def _is_wrapping(part: str, wrappings: Wrappings) -> bool:
    """Whether a part begins and ends with the same mark of the host's."""
    bare = _bared(part)[: _end(part) - _begin(part)]
    marks = chain(wrappings.spans, wrappings.once)
    return any(bare.startswith(opening) and bare.endswith(closing) for opening, closing in marks) or (
        (tag := _tag(bare)) in (*wrappings.blocks, *wrappings.messages) and bare.endswith(f"</{tag}>")
    )


def _bared(text: str) -> str:
    """Return a text from its first visible character on."""
    return text[_begin(text) :]


def _begin(text: str, first: int = 0) -> int:
    found = _BLANKS.match(text, first)
    return found.end() if found else first


def _end(text: str, last: int | None = None) -> int:
    last = len(text) if last is None else last
    while last and _BLANK.match(text, last - 1):
        last -= 1
    return last


def _unfenced(text: str) -> str:
    bare = strip_fences(text)
    if bare == text:
        bare = strip_fences(html.unescape(text))
    return _EMPTY.sub("\n", _WRAPPED.sub("", bare)).strip()


def _own_words(text: str, wrappings: Wrappings) -> str:
    """Return what the person said, in their own message or in one of the host's in their name."""
    text = _between_blocks(text, wrappings.blocks)
    start = _bared(text)
    for tag in wrappings.requests:
        if (asked := _request(tag, start)) is not None:
            return asked
    if _tag(start) in wrappings.commands:
        return _typed_command(start)
    for envelope in wrappings.envelopes:
        if start.startswith(envelope.begins) and envelope.before in start:
            return _enclosed(start, envelope)
    return "" if _is_hosts(start, wrappings) else text


def _is_hosts(start: str, wrappings: Wrappings) -> bool:
    return start.startswith(wrappings.openings) or _tag(start) in wrappings.messages


def _enclosed(text: str, envelope: Envelope) -> str:
    """Return what the person said in an envelope.

    If nothing closes it, the words come last, because the text before may contain the same heading.
    """
    if not envelope.behind:
        return text.rpartition(envelope.before)[2].strip()
    inside = text.partition(envelope.before)[2]
    closed = inside.rfind(envelope.behind)
    return (inside if closed < 0 else inside[:closed]).strip()


def _request(tag: str, text: str) -> str | None:
    """Return the content of a tag at the end of the text, else None. What precedes the tag is the host's."""
    closing = f"</{tag}>"
    text = text[: _end(text)]
    opened = text.rfind(f"<{tag}>")
    if not text.endswith(closing) or opened < 0 or not _begins_line(text, opened):
        return None
    return text[opened + len(tag) + 2 : -len(closing)].strip()


def _typed_command(text: str) -> str:
    """Return a slash command as typed, if it has arguments: ``/review the parser``; else empty."""
    name = text.partition("<command-name>")[2].partition("</command-name>")[0].strip()
    said = text.partition("<command-args>")[2].rpartition("</command-args>")[0].strip()
    return f"{name} {said}" if said else ""


def _tag(text: str, at: int = 0) -> str:
    """Return the name of the tag that begins at a place; empty for none."""
    found = _OPENING.match(text, at)
    return found[1] if found else ""


def _between_blocks(text: str, tags: Sequence[str]) -> str:
    """Return the text without the blocks of these tags at its beginning and end."""
    there = [tag for tag in tags if f"</{tag}>" in text]
    if not there:
        return text
    found = [one for tag in there for one in _wrapped(text, rf"<{tag}(?=[\s>])", f"</{tag}>")]
    ends = dict(found)
    begins = {end: begin for begin, end in found}
    start, last = _begin(text), _end(text)
    while start < last:
        if start in ends:
            start = min(last, _begin(text, ends[start]))
        elif (begin := begins.get(last, -1)) >= start and _begins_line(text, begin):
            last = max(start, _end(text, begin))
        else:
            break
    return text if (start, last) == (_begin(text), _end(text)) else text[start:last]


def _begins_line(text: str, place: int) -> bool:
    """Whether only blanks, or another block's end, precede a place in its line."""
    while place and _BLANK.match(text, place - 1):
        if text[place - 1] == "\n":
            return True
        place -= 1
    return not place or text[place - 1] == ">"


def _wrapped(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Yield beginning and end of each outermost wrapping between two patterns; unclosed ones are ignored.

    A surplus closing mark was part of the wrapped text: then everything from the first opening to it is one wrapping.
    """
    found: list[tuple[int, int]] = []
    begin, end, depth = -1, -1, 0
    for mark in re.finditer(rf"(?P<opening>{opening})|{closing}", text):
        if mark["opening"]:
            if not depth:
                found += [(begin, end)] if end > begin >= 0 else []
                begin = mark.start()
            depth += 1
        elif begin >= 0:
            if not depth:
                begin, found = (found[0][0] if found else begin), []
            depth, end = max(0, depth - 1), mark.end()
    found += [(begin, end)] if end > begin >= 0 else []
    return iter(found)


def _outermost(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Yield the span from the first opening to the last closing."""
    begin, end = text.find(opening), text.rfind(closing)
    if 0 <= begin < end:
        yield begin, end + len(closing)


def _without(wrapped: Iterator[tuple[int, int]], text: str) -> str:
    """Return the text with each of these spans replaced by a line break."""
    parts: list[str] = []
    done = 0
    for begin, end in wrapped:
        parts.append(text[done:begin].rstrip() if not parts else text[done:begin].strip())
        done = end
    return "\n".join([*parts, text[done:].lstrip()]).strip("\n") if parts else text
