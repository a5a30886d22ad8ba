"""Taking out what nobody said: in, a text as a host hands it over; out, the words of who speaks, empty for none.

Hosts write into the person's message, before it, behind it, or whole messages in the person's name: a command's output,
a finished task, the open file, the project's instructions. ``WRAPPINGS`` lists what each of them writes, from its own
source (docs/hooks.md has it as a table). Our own blocks are told by their marks, whatever is around them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from dataclasses import dataclass

from reverie.faces.hook.hosts import Host
from reverie.screen.fences import holds_marker, strip_fences
from reverie.types import Role

_WRAPPED = re.compile(
    r"^[ \t]*(?:<[a-z_-]{1,40}>\s{0,4})?\w{1,40} hook additional context:\s{0,4}(?:</[a-z_-]{1,40}>)?[ \t]*$",
    re.MULTILINE,
)
_EMPTY = re.compile(r"<(hook_context|system-reminder)>\s*</\1>")
# No pattern begins with blanks of any number: on a long run of them each blank would be a new beginning.


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message of the host's with the person's words in it: how it begins, and what stands before and behind them."""

    begins: str
    before: str
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Wrappings:
    """What a host writes in the person's name.

    Attributes:
        spans: the opening and closing words of what it puts anywhere into a message.
        blocks: the tags it puts before or behind what was said; amid a sentence they are the person's.
        messages: the tags that begin a message which is the host's as a whole.
        openings: the words that begin such a message.
        commands: the tags that begin a slash command of the person's.
        envelopes: the messages that hold what the person said.
    """

    spans: tuple[tuple[str, str], ...] = ()
    blocks: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    envelopes: tuple[Envelope, ...] = ()


_REMINDER = ("<system-reminder>", "</system-reminder>")

WRAPPINGS = {
    Host.CLAUDE_CODE: Wrappings(
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
    Host.CODEX: Wrappings(
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
    Host.GEMINI: Wrappings(
        spans=(
            ("<hook_context>", "</hook_context>"),
            ("--- Content from referenced files ---", "--- End of content ---"),
        ),
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
    Host.VSCODE: Wrappings(spans=(_REMINDER,)),
    Host.CURSOR: Wrappings(),
}
"""What each host writes in the person's name: of Claude Code 2.1.330, Codex 0.169.0 and Gemini CLI 0.61.0."""

_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9_-]{1,60})(?=[\s>])")
_CLOSING = re.compile(r"</([A-Za-z][A-Za-z0-9_-]{1,60})>\Z")
_BLANKS = re.compile(r"\s*")


def said_only(text: str, host: Host, role: Role = Role.USER) -> str:
    """The text without what a hook or the host put into it; empty where the whole message is the host's."""
    wrappings = WRAPPINGS[host]
    for opening, closing in wrappings.spans:
        text = _without(opening, closing, text)
    if holds_marker(text):
        text = _unfenced(text)
    return _own_words(text, wrappings) if role is Role.USER else text


def _unfenced(text: str) -> str:
    bare = strip_fences(text)
    if bare == text:
        bare = strip_fences(html.unescape(text))
    return _EMPTY.sub("\n", _WRAPPED.sub("", bare)).strip()


def _own_words(text: str, wrappings: Wrappings) -> str:
    """What the person said in a message of theirs, or of the host's in their name."""
    text = _between_blocks(text, wrappings.blocks)
    start = text.lstrip()
    if _tag(start) in wrappings.commands:
        return _typed_command(start)
    for envelope in wrappings.envelopes:
        if start.startswith(envelope.begins) and envelope.before in start:
            inside = start.partition(envelope.before)[2]
            closed = inside.rfind(envelope.behind) if envelope.behind else -1
            return (inside if closed < 0 else inside[:closed]).strip()
    if start.startswith(wrappings.openings) or _tag(start) in wrappings.messages:
        return ""
    return text


def _typed_command(text: str) -> str:
    """A slash command as it was typed, where something was said with it: ``/review the parser``."""
    said = _inside("command-args", text).strip()
    return f"{_inside('command-name', text).strip()} {said}" if said else ""


def _inside(tag: str, text: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]


def _tag(text: str, at: int = 0) -> str:
    """The name of the tag that begins at a place; empty for none."""
    found = _OPENING.match(text, at)
    return found[1] if found else ""


def _between_blocks(text: str, tags: Collection[str]) -> str:
    """The text without the blocks of these tags that it begins and ends with."""
    if "<" not in text or not tags:
        return text
    start, end = 0, len(text)
    while True:
        after = _block_end(text, start, end, tags)
        before = _block_start(text, start, end, tags) if after == start else end
        if (after, before) == (start, end):
            return text[start:end].strip() if end - start < len(text) else text
        start, end = after, before


def _block_end(text: str, start: int, end: int, tags: Collection[str]) -> int:
    """Where the block ends that the text between two places begins with; its start for none."""
    first = _BLANKS.match(text, start, end)
    tag = _tag(text, first.end() if first else start)
    closing = f"</{tag}>"
    closed = text.find(closing, start, end) if tag in tags else -1
    return start if closed < 0 else closed + len(closing)


def _block_start(text: str, start: int, end: int, tags: Collection[str]) -> int:
    """Where the block begins, on a line of its own, that the text between two places ends with; its end for none."""
    last = end
    while last > start and text[last - 1].isspace():
        last -= 1
    found = _CLOSING.search(text, max(start, last - 64), last)
    if found is None or found[1] not in tags:
        return end
    opened = text.rfind(f"<{found[1]}", start, last)
    return opened if opened >= 0 and _begins_line(text, opened) else end


def _begins_line(text: str, place: int) -> bool:
    """Whether only blanks, or another block's end, are before a place in its line."""
    before = text[text.rfind("\n", 0, place) + 1 : place].rstrip()
    return not before or before.endswith(">")


def _without(opening: str, closing: str, text: str) -> str:
    """The text without what stands between the two, a line's end in its place; one that is never closed stays."""
    parts: list[str] = []
    done = 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        parts.append(text[done:start].rstrip() if not parts else text[done:start].strip())
        done = end + len(closing)
    return "\n".join([*parts, text[done:].lstrip()]).strip("\n") if parts else text
