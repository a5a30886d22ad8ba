"""What a host's files say of a session besides its messages: its title, and whether it is a sub-agent's.

In: the path of a transcript, and for Codex the index beside its transcripts. Out: text, never executed or trusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from reverie.faces.hook.hosts import HookHost

ENDS = 256 * 1024
"""Bytes at the beginning and at the end of a file that are searched for a title: hosts write it again and again."""
_HEAD = 1024 * 1024
"""Most bytes of a transcript's first line, in which Codex writes its instructions too."""
_CLAUDE = (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary"))
"""Claude Code's entries with a title, and its field: the person's own first, then the model's."""
_SIGNS = (b'-title"', b'"summary"')
"""What a line holds that may be such an entry, so that the others need not be parsed."""
_INDEX = "session_index.jsonl"
_CUT = 4 * 1024 * 1024
"""Bytes at the end of a transcript in which a compaction is searched for, at each prompt."""
_SNAPSHOT, _SNAPSHOT_END = b"<state_snapshot>", b"</state_snapshot>"


def host_title(host: HookHost, session: str, transcript: Path) -> str:
    """Return the title that the host gave a session, its latest; empty for none, or if it cannot be read."""
    if host is HookHost.CODEX:
        return _codex_title(session, transcript)
    found: dict[str, str] = {}
    for entry in _objects(transcript, _SIGNS):
        held = entry.get("$set") if host is HookHost.GEMINI else entry
        if isinstance(held, dict):
            found.update(_gemini(held) if host is HookHost.GEMINI else _claude(held))
    return next((found[kind] for kind, _ in _CLAUDE if kind in found), "")


def _claude(entry: Mapping[str, object]) -> dict[str, str]:
    """Return the title in an entry of Claude Code's, by its kind."""
    field = dict(_CLAUDE).get(str(entry.get("type")), "")
    title = entry.get(field)
    return {str(entry["type"]): title} if isinstance(title, str) and title.strip() else {}


def _gemini(changed: Mapping[str, object]) -> dict[str, str]:
    title = changed.get("summary")
    return {"summary": title} if isinstance(title, str) and title.strip() else {}


def _codex_title(session: str, transcript: Path) -> str:
    """Return the name of a thread in the index that lies beside Codex's folder of sessions."""
    folder = next((parent for parent in transcript.parents if parent.name == "sessions"), None)
    if folder is None:
        return ""
    name = ""
    for entry in _objects(folder.parent / _INDEX, (session.encode("utf-8", "surrogatepass"),)):
        if entry.get("id") == session and isinstance(entry.get("thread_name"), str):
            name = str(entry["thread_name"])
    return name


def cut_mark(transcript: Path) -> str:
    """Return what identifies the last compaction in a transcript of Gemini CLI's; empty for none.

    It tells hooks of each attempt, and of success only by the summary in its transcript, which it may write again.
    """
    content = _read(transcript, max(0, _size(transcript) - _CUT), _CUT)
    lines = [line for line in content.splitlines() if _SNAPSHOT in line and b'"$set"' in line]
    if not lines:
        return ""
    text = lines[-1].rpartition(_SNAPSHOT)[2].partition(_SNAPSHOT_END)[0]
    return blake2b(text, digest_size=16).hexdigest()


def is_agents(transcript: Path) -> bool:
    """Whether a transcript is a sub-agent's, by its first line, whatever the hook's call says."""
    entry = next(iter(_parsed(_read(transcript, 0, _HEAD).partition(b"\n")[0])), {})
    payload = entry.get("payload")
    about = payload if isinstance(payload, dict) else {}
    source = about.get("source")
    by_source = isinstance(source, dict) and "subagent" in source
    by_kind = "subagent" in (about.get("thread_source"), entry.get("kind"))
    return by_source or by_kind or entry.get("isSidechain") is True


def _objects(path: Path, signs: tuple[bytes, ...]) -> Iterator[Mapping[str, object]]:
    """Yield the objects in the lines at both ends of a file that hold one of these signs, in order."""
    size = _size(path)
    ends = [(0, 2 * ENDS)] if size <= 2 * ENDS else [(0, ENDS), (size - ENDS, ENDS)]
    for line in b"\n".join(_read(path, start, length) for start, length in ends).splitlines():
        if any(sign in line for sign in signs):
            yield from _parsed(line)


def _parsed(line: bytes) -> Iterator[Mapping[str, object]]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(entry, dict):
        yield entry


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _read(path: Path, start: int, size: int) -> bytes:
    """Return bytes of a regular file, none if it cannot be read: reading a pipe would wait for its end."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            file.seek(start)
            return file.read(size)
    except OSError:
        return b""
