"""Taking out again what was injected, before anything is kept: in, a text as a host hands it over; out, what was said.

Hosts hand injected context on: Gemini CLI within ``<hook_context>``, escaped for HTML, in front of the prompt; Claude
Code in system reminders. Our own blocks are told by their marks, whatever stands around them.
"""

from __future__ import annotations

import html
import re

from reverie.faces.hook.hosts import Host
from reverie.screen.fences import holds_marker, strip_fences

_WRAPPED = re.compile(
    r"^[ \t]*(?:<[a-z_-]{1,40}>\s{0,4})?\w{1,40} hook additional context:\s{0,4}(?:</[a-z_-]{1,40}>)?[ \t]*$",
    re.MULTILINE,
)
_EMPTY = re.compile(r"<(hook_context|system-reminder)>\s*</\1>")
# No pattern begins with blanks of any number: on a long run of them each blank would be a new beginning.


def said_only(text: str, host: Host) -> str:
    """The text without what a hook or the host put into it."""
    if host is Host.GEMINI:
        text = _without("hook_context", text)
    if host in (Host.CLAUDE_CODE, Host.CODEX, Host.VSCODE):
        text = _without("system-reminder", text)
    if not holds_marker(text):
        return text
    bare = strip_fences(text)
    if bare == text:
        bare = strip_fences(html.unescape(text))
    return _EMPTY.sub("\n", _WRAPPED.sub("", bare)).strip()


def _without(tag: str, text: str) -> str:
    """The text without what stands between the tags, a line's end in its place; one that is never closed stays."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    parts: list[str] = []
    done = 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        parts.append(text[done:start].rstrip() if not parts else text[done:start].strip())
        done = end + len(closing)
    return "\n".join([*parts, text[done:].lstrip()]).strip("\n") if parts else text
