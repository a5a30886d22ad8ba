"""Shorten tool calls: from a host's JSON, make a line of what was done and a line of what came back.

``Bash: alembic upgrade head → failed (exit 1)`` and, below it, ``KeyError: 'DATABASE_URL'``. Hosts name the fields
differently; missing ones are left out. Outputs are untrusted text: a single line is kept, without control characters
and fenced blocks, and only if the screen finds no instructions in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from reverie.screen.fences import holds_marker, strip_fences
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings

_READING_OF = {
    "Claude Code": "read notebookread glob grep ls toolsearch todowrite todoread taskcreate taskupdate taskget "
    "tasklist taskoutput bashoutput askuserquestion enterplanmode exitplanmode skill",
    "Codex": "read_file list_dir grep_files view_image update_plan request_user_input wait_agent "
    "multi_agent_v1wait_agent",
    "Gemini CLI": "read_file read_many_files list_directory glob search_file_content grep_search write_todos "
    "save_memory ask_user",
    "Copilot": "view read_bash rg report_intent file_search grep_search semantic_search get_errors manage_todo_list",
    "Cursor": "read grep readlints list_dir read_file codebase_search todo_write",
}
READING = frozenset(chain.from_iterable(names.split() for names in _READING_OF.values()))
"""Each host's tools that read, search or plan and change nothing, in lower case: not kept unless named."""
_OURS = re.compile(r"mcp[_:]+(?:\w*_)?reverie", re.IGNORECASE)
"""Reverie's own tools; their results are remembered already."""

ARROW = "→"
NAME_MAX, TARGET_MAX, LINE_MAX = 40, 140, 100
_READ_MAX = 20_000
"""Characters at an output's end, or beginning, that are searched for its line."""
_REPORT = 200
"""Characters at either end of a command's output that are searched for its exit code."""
_COMMANDS = ("command", "cmd", "script", "code")
_PATHS = ("file_path", "filePath", "notebook_path", "path", "absolute_path", "target_file", "dir_path")
_ADDRESSES = ("url", "uri")
_WORDS = ("query", "description", "subject", "prompt", "pattern", "name")
_BACK = ("tool_response", "tool_output", "tool_result", "toolResult", "result_json", "output")
_INNER = ("stderr", "stdout", "error", "output", "textResultForLlm", "llmContent", "result", "content", "text")
_CODES = ("exit_code", "exitCode", "returncode", "return_code")
_EXIT = re.compile(
    r"^<?(?:error: ?)?(?:process |command )?exit(?:ed|s)?(?: with)?(?: exit)?"
    r"(?: status)?[ _]?(?:code)?:? (-?\d{1,9})\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A shell's report of a command that ended: "Exit code 1", "Process exited with code 2", "Exit Code: 127"."""
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,300})$", re.MULTILINE)
_MOVED_TO = re.compile(r"^\s*cd [^&;|\n]{1,300}&&\s*")
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[ -/]?[@-~]|\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)?|[@-_])")
_BLOB = re.compile(r"\S{80,}")
"""A long run of characters without a blank is an encoding or a minified file, not readable text."""
_NOT_TEXT = 0.2
_DURATION = re.compile(r"\d+(?:[.,:]\d+)*\s?(?:ms|s|secs?|seconds?|m|mins?|minutes?|sn|dk)\b")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A host's report of a tool call.

    ``given`` are its arguments, ``back`` its result, ``error`` the host's error text, ``failed`` whether the host calls
    it a failure, ``id`` the host's own id of the call.
    """

    name: str
    given: Mapping[str, object]
    back: object = None
    error: str = ""
    failed: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True)
class Short:
    """A tool call in short form: ``head`` is what was called, ``text`` the same with its result."""

    head: str
    text: str

    def is_of(self, text: str) -> bool:
        """Whether another text is of the same call, whatever its result."""
        return text.startswith(f"{self.head} {ARROW} ")

    def same(self, text: str) -> bool:
        """Whether another text is of the same call with the same result, regardless of durations."""
        return _DURATION.sub("", text) == _DURATION.sub("", self.text)


def tools_session(session: str) -> str:
    """Return the name of the session that holds a session's tool calls."""
    return f"{session} tools"


def tool_call(said: Mapping[str, object], event: str) -> ToolCall | None:
    """Parse the call in a host's JSON; None if it names neither a tool nor a command."""
    name = _text(said, "tool_name", "toolName")
    given = _given(said)
    if not name:
        name = "shell" if "command" in said else "edit" if "file_path" in said else ""  # Cursor names none
    if not name.strip():
        return None
    back = next((said[key] for key in _BACK if said.get(key) is not None), None)
    back = _parsed(back) if isinstance(back, str) and back[:1] in "{[" else back
    error, call_id = _text(said, "error", "error_message"), _text(said, "tool_use_id", "toolUseId")
    return ToolCall(name, given, back, error, "failure" in event.lower() or bool(error), call_id)


def _text(said: Mapping[str, object], *keys: str) -> str:
    """Return the first of some fields that is a text."""
    return next((str(said[key]) for key in keys if isinstance(said.get(key), str)), "")


def is_kept(call: ToolCall, names: str) -> bool:
    """Whether a tool's calls are kept: those in ``names`` (comma-separated), or if empty all that are not READING.

    ``*`` is every tool. Reverie's own are never kept.
    """
    if _OURS.match(call.name):
        return False
    wanted = {name.strip().lower() for name in names.split(",") if name.strip()}
    if not wanted:
        return call.name.lower() not in READING
    return "*" in wanted or call.name.lower() in wanted


def shortened(call: ToolCall, folder: str, settings: ScreenSettings) -> Short:
    """Return a call in about three hundred characters at most; secrets are masked before anything is cut."""
    name, target = _cut(_clean(call.name), NAME_MAX), _target(call, folder)
    target = _cut(_clean(screen(_begun(target), settings).text), TARGET_MAX)
    head = f"{name}: {target}" if target else name
    told = " ".join(part for part in (f"{head} {ARROW} {_outcome(call)}", _changed(call)) if part)
    line = "" if _is_ours(target) else _line(call, settings)
    return Short(head, f"{told}\n{line}" if line else told)


# --- what was called --------------------------------------------------------------------------------------------------


def _given(said: Mapping[str, object]) -> Mapping[str, object]:
    """Return the arguments: those of the call, or Cursor's fields for a command or an edit."""
    for key in ("tool_input", "toolArgs", "tool_args"):
        value = said.get(key)
        value = _parsed(value) if isinstance(value, str) else value
        if isinstance(value, dict):
            return value
        if isinstance(value, str) and value:
            return {"command": value}
    return {key: said[key] for key in ("command", "file_path", "edits") if key in said}


def _target(call: ToolCall, folder: str) -> str:
    """Return what a call is about: a command's first line, the file, the address without its query, else its first
    words.
    """
    given = call.given
    command = _command(given)
    patched = _PATCHED.findall(command[:_READ_MAX])
    if patched:
        return ", ".join(_inside(path.strip(), folder) for path in patched[:4])
    if command.strip():
        return _MOVED_TO.sub("", command.strip().splitlines()[0])
    if path := _first(given, _PATHS):
        return _inside(path, folder)
    if address := _first(given, _ADDRESSES):
        return _address(address)
    return _first(given, _WORDS) or next((str(v) for v in given.values() if isinstance(v, str) and v.strip()), "")


def _command(given: Mapping[str, object]) -> str:
    for key in _COMMANDS:
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value:  # Codex: ["bash", "-lc", "make test"]
            words = [str(word) for word in value]
            return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    patch = given.get("input", given.get("patch"))
    return patch if isinstance(patch, str) and "*** " in patch[:200] else ""


def _first(given: Mapping[str, object], names: Iterable[str]) -> str:
    return next((v for name in names if isinstance(v := given.get(name), str) and v.strip()), "")


def _inside(path: str, folder: str) -> str:
    base = folder.rstrip("/") + "/"
    return path[len(base) :] if len(base) > 1 and path.startswith(base) else path


def _address(text: str) -> str:
    """Return an address without user, password, query and fragment, which may be secret."""
    try:
        parts = urlsplit(text.strip())
        return f"{parts.hostname or ''}{parts.path}" or text
    except ValueError:
        return ""


def _is_ours(target: str) -> bool:
    """Whether a command calls Reverie, whose output is remembered already."""
    return target.partition(" ")[0].rpartition("/")[2] == "reverie"


# --- what came of it --------------------------------------------------------------------------------------------------


def _outcome(call: ToolCall) -> str:
    """Return how it ended: ok, failed (with the exit code if known) or interrupted."""
    code = _exit_code(call)
    if _flag(call, "interrupted", "is_interrupt"):
        return "interrupted"
    if code:
        return f"failed (exit {code})"
    if call.failed or _flag(call, "is_error", "isError") or _says_failure(call.back):
        return "failed"
    return "ok" if code is None else "exit 0"


def _exit_code(call: ToolCall) -> int | None:
    back = call.back
    held = back if isinstance(back, dict) else {}
    code = _told_code(held)
    if code is not None:
        return code
    if not _command(call.given):
        return None
    told = held.get("llmContent", held.get("textResultForLlm")) if held else back
    for text in (call.error, told if isinstance(told, str) else ""):  # not from the program's own output
        found = _EXIT.search(text[:_REPORT]) or _EXIT.search(text[-_REPORT:])
        if found is not None:
            return int(found[1])
    return None


def _flag(call: ToolCall, *names: str) -> bool:
    return isinstance(call.back, dict) and any(call.back.get(name) is True for name in names)


def _says_failure(back: object) -> bool:
    if not isinstance(back, dict):
        return False
    error, kind = back.get("error"), back.get("resultType")
    return back.get("success") is False or bool(error) or (isinstance(kind, str) and kind not in ("", "success"))


def _told_code(held: Mapping[str, Any]) -> int | None:
    inner = held.get("metadata")
    for fields in (held, inner if isinstance(inner, dict) else {}):
        for key in _CODES:
            if isinstance(fields.get(key), int) and not isinstance(fields.get(key), bool):
                return int(fields[key])
    return None


def _patched(hunks: Iterable[object]) -> Iterator[str]:
    """Yield the lines of a patch."""
    for hunk in hunks:
        if isinstance(hunk, dict) and isinstance(hunk.get("lines"), list):
            yield from (line for line in hunk["lines"] if isinstance(line, str))


def _changed(call: ToolCall) -> str:
    """Return how many lines an edit added and removed, ``(+9 -1)``; empty if unknown."""
    back = call.back if isinstance(call.back, dict) else {}
    patch = back.get("structuredPatch")
    lines = list(_patched(patch if isinstance(patch, list) else []))
    added, taken = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    if not lines:
        edits = call.given.get("edits")
        for edit in (call.given, *(edits if isinstance(edits, list) else ())):
            if isinstance(edit, dict):
                added, taken = added + _count(edit, "new_string"), taken + _count(edit, "old_string")
        added += _count(call.given, "content") if _first(call.given, _PATHS) else 0
    return f"(+{added} -{taken})" if added or taken else ""


def _count(fields: Mapping[str, object], name: str) -> int:
    text = fields.get(name)
    return len(text.splitlines()) if isinstance(text, str) else 0


def _line(call: ToolCall, settings: ScreenSettings) -> str:
    """Return one line of the result: of a command the last line, of anything else the first that says something."""
    is_command = bool(_command(call.given)) and not _PATCHED.search(_command(call.given)[:_READ_MAX])
    if not is_command and not call.failed and _first(call.given, _PATHS):
        return ""  # a file's content is not an outcome
    for text in _texts(call):
        found = strip_fences(text[-_READ_MAX:] if is_command else text[:_READ_MAX])
        lines = [_clean(line) for line in found.splitlines()]
        for line in reversed(lines) if is_command else lines:
            if _is_told(line):
                told = screen(_begun(line), settings)
                return "" if told.quarantine else _cut(told.text, LINE_MAX)
    return ""


def _is_told(line: str) -> bool:
    """Whether a line says something: it has letters or digits and is no exit report, blob or fence mark."""
    return any(map(str.isalnum, line)) and not (_EXIT.match(line) or _BLOB.search(line) or holds_marker(line))


def _texts(call: ToolCall) -> Iterator[str]:
    """Yield the texts of the result, errors first."""
    yield from (text for text in (call.error, *_inner(call.back, 0)) if text.strip() and _is_text(text))


def _inner(back: object, depth: int) -> Iterator[str]:
    if isinstance(back, str):
        yield back
    elif isinstance(back, dict) and depth < 4:
        for name in _INNER:
            if name in back:
                yield from _inner(back[name], depth + 1)
    elif isinstance(back, list) and depth < 4:
        for part in back[:8]:
            yield from _inner(part, depth + 1)


def _is_text(text: str) -> bool:
    """Whether a text is readable; in binary data, over a fifth of the characters are unprintable."""
    seen = _ANSI.sub("", text[:1_000])
    odd = sum(not (char.isprintable() or char.isspace()) or char == "\ufffd" for char in seen)
    return odd <= _NOT_TEXT * max(len(seen), 1)


def _clean(text: str) -> str:
    """Return a text as one line without colour codes, control characters and half characters."""
    whole = _ANSI.sub("", text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join("".join(char if char.isprintable() else " " for char in whole).split())


def _begun(text: str) -> str:
    """Return the beginning of a long text in whole words, because half a secret would not be recognised."""
    return text if len(text) <= _READ_MAX else text[:_READ_MAX].rpartition(" ")[0]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
