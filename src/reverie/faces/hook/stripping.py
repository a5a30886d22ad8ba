"""Taking out again what was injected, before anything is kept: in, a text as a host hands it over; out, what was said.

Hosts hand injected context on: Gemini CLI within ``<hook_context>``, escaped for HTML, in front of the prompt; Claude
Code in system reminders. Our own blocks are told by their marks, whatever stands around them.
"""

from __future__ import annotations

import html
import re

from reverie.faces.hook.hosts import Host
from reverie.screen.fences import holds_marker, strip_fences

_GEMINI = re.compile(r"\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
_REMINDER = re.compile(r"\s*<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
_WRAPPED = re.compile(r"^\s*(?:<[a-z_-]+>\s*)?\w+ hook additional context:\s*(?:</[a-z_-]+>\s*)?$", re.MULTILINE)
_EMPTY = re.compile(r"\s*<(hook_context|system-reminder)>\s*</\1>\s*")


def said_only(text: str, host: Host) -> str:
    """The text without what a hook or the host put into it."""
    if host is Host.GEMINI and "<hook_context>" in text:
        text = _without(_GEMINI, text)
    if host in (Host.CLAUDE_CODE, Host.CODEX, Host.VSCODE) and "<system-reminder>" in text:
        text = _without(_REMINDER, text)
    if not holds_marker(text):
        return text
    bare = strip_fences(text)
    if bare == text:
        bare = strip_fences(html.unescape(text))
    return _EMPTY.sub("\n", _WRAPPED.sub("", bare)).strip()


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub("\n", text).strip("\n")
