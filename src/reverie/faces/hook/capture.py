"""Keep a session: read the host's transcript or a hook event, and store each message of both sides once."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

from reverie.engine.core import Reverie
from reverie.errors import Conflict
from reverie.exchange.fields import EXPORT, TITLE_MAX
from reverie.faces.hook.hosts import HookEvent, SessionMoment, said_in_parts
from reverie.faces.hook.tool_calls import ARROW, shortened, tools_session
from reverie.faces.hook.transcripts import host_title, is_agents
from reverie.screen.fences import one_line, strip_fences
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import TITLE, TOOL_SPEAKER, Kind, Message, Role, Scope, is_title
from reverie.wire.blocks import SPEAKERS

_ASIDE = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVirtual",
    "isVisibleInTranscriptOnly",
    "isApiErrorMessage",
    "textNotTyped",
)
"""Claude Code's marks of an entry that neither the person nor the assistant said."""
BYTES_MAX = 64 * 1024 * 1024
"""Most bytes read of a transcript, from its end."""
TAIL = 1024 * 1024
"""Bytes at the end that are enough to find the last answer."""
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_TYPES = (None, "message", *_ROLES)
_ENVELOPES = (*_TYPES, "response_item")
"""Types of entries that may hold messages; other lines (requests, snapshots, events) repeat what was said."""
_LOCAL = "<local-command-caveat>"
_TITLE_READ = 1000
"""Characters of a host's title that are looked at."""
_TEXT_PARTS = ("text", "input_text", "output_text", None)


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One message of a transcript; ``at`` is the host's ISO time or empty, ``parts`` its texts if it has several."""

    role: Role
    text: str
    at: str = ""
    parts: tuple[str, ...] = ()


def read(path: Path, last: int = BYTES_MAX) -> list[RecordedMessage]:
    """Return the messages in the last ``last`` bytes of a transcript; none if it is unreadable or no regular file."""
    if not path.is_file():  # reading a pipe would wait for its end
        return []
    try:
        content = _end(path, last)
    except OSError:
        return []
    return _joined(_recorded_messages(_entries(content)))


def last_answer(path: Path) -> str:
    """Return what the assistant said after the person's last message; empty if that cannot be found."""
    said = read(path, TAIL)
    return said[-1].text if said and said[-1].role is Role.ASSISTANT else ""


def _end(path: Path, last: int) -> bytes:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - last))
        return file.read(last)


def _entries(content: bytes) -> Iterator[Mapping[str, object]]:
    """Yield the objects of a transcript: its lines, or the messages of its single object."""
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


def _recorded_messages(entries: Iterable[Mapping[str, object]]) -> Iterator[RecordedMessage]:
    """Yield the messages in entries; a command that Claude Code announces as its own has an empty text."""
    is_local = False
    for entry in entries:
        said = _said(entry)
        if said is not None:
            yield replace(said, text="", parts=()) if is_local and said.role is Role.USER else said
        message = entry.get("message")
        is_local = isinstance(message, dict) and _text(message.get("content")).lstrip("\ufeff").startswith(_LOCAL)


def _said(entry: Mapping[str, object]) -> RecordedMessage | None:
    """Return the message in an entry: its own, or that in the envelope's ``message`` or ``payload``.

    Its text is empty for a message that the host itself wrote in the person's name.
    """
    if entry.get("type") == "attachment":
        return _queued(entry)
    inner = _inner(entry)
    if inner is None:
        return None
    role = _ROLES.get(str(inner.get("role") or inner.get("type") or entry.get("type")))
    shown = inner.get("displayContent")  # what the person typed, where Gemini CLI sends more than that
    parts = _parts(shown if shown is not None and role is Role.USER else inner.get("content", inner.get("parts")))
    if role is None or not "".join(parts).strip() or _summarizes(entry):
        return None
    return _told(role, parts if role is Role.ASSISTANT or _is_typed(entry) else (), entry)


def _inner(entry: Mapping[str, object]) -> Mapping[str, Any] | None:
    """Return the message's fields, possibly from an envelope; None if the entry holds none or is marked as aside."""
    if entry.get("type") not in _ENVELOPES or any(entry.get(mark) for mark in _ASIDE):
        return None
    inner = next((entry[name] for name in ("message", "payload") if isinstance(entry.get(name), dict)), entry)
    return inner if isinstance(inner, dict) and inner.get("type") in _TYPES else None


def _queued(entry: Mapping[str, object]) -> RecordedMessage | None:
    """Return what the person typed into Claude Code while the assistant was at work."""
    inner = entry.get("attachment")
    if not isinstance(inner, dict) or inner.get("type") != "queued_command" or _kind(inner) != "human":
        return None
    parts = _parts(inner.get("prompt"))
    return _told(Role.USER, parts, entry) if "".join(parts).strip() else None


def _told(role: Role, parts: tuple[str, ...], entry: Mapping[str, object]) -> RecordedMessage:
    return RecordedMessage(role, "\n".join(parts), _entry_time(entry), parts if len(parts) > 1 else ())


def _is_typed(entry: Mapping[str, object]) -> bool:
    """Whether the person may have typed a message in their name: Claude Code marks those it made itself."""
    return _kind(entry) in ("", "human") and entry.get("promptSource") != "system"


def _kind(entry: Mapping[str, object]) -> str:
    """Return where Claude Code says a message came from; empty if it says nothing."""
    origin = entry.get("origin")
    return str(origin.get("kind", "")) if isinstance(origin, dict) else ""


def _summarizes(entry: Mapping[str, object]) -> bool:
    """Whether an assistant message is Codex's own summary of the session."""
    metadata = entry.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("compaction_output"))


def _entry_time(entry: Mapping[str, object]) -> str:
    at = entry.get("timestamp")
    return at if isinstance(at, str) else ""


def _text(content: object) -> str:
    return "\n".join(_parts(content))


def _parts(content: object) -> tuple[str, ...]:
    """Return the texts a message consists of."""
    if isinstance(content, str):
        return (content,)
    if not isinstance(content, list):
        return ()
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in _TEXT_PARTS]
    return tuple(part["text"] for part in parts if isinstance(part.get("text"), str))


def _joined(found: Iterable[RecordedMessage]) -> list[RecordedMessage]:
    """Keep only the last message of the assistant in each turn: those before it are remarks between tool calls.

    A message that the host wrote in the person's name ends a turn, and is left out.
    """
    kept: list[RecordedMessage] = []
    for said in found:
        if kept and said.role is Role.ASSISTANT and kept[-1].role is Role.ASSISTANT:
            kept[-1] = said
        else:
            kept.append(said)
    return [said for said in kept if said.text]


@dataclass(frozen=True, slots=True)
class CapturePlace:
    """Where captured messages go: the engine, the scope, and the settings of the screen that masks them.

    ``runs``: whether each turn that used tools is also kept as a run of a skill.
    """

    engine: Reverie
    scope: Scope
    screen: ScreenSettings
    runs: bool = False


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the store holds of a session: the count of each (role, text), the last prompt, and the last message."""

    texts: Counter[tuple[Role, str]]
    prompt: str
    last: tuple[Role, str] | None

    def count(self, role: Role) -> int:
        return sum(count for (who, _), count in self.texts.items() if who is role)


def capture(happening: HookEvent, place: CapturePlace, at: datetime) -> int:
    """Keep what a hook event brings; return the number of new messages. Raises ReverieError.

    Of a sub-agent only tool calls are kept, in a session of its own: its prompt is the agent's, not the person's, and
    its report reaches the person in the agent's answer.
    """
    if happening.moment is SessionMoment.TOOL:
        return sum(place.engine.remember(done, place.scope).new for done in _done(happening, place, at))
    if happening.agent or (happening.transcript and is_agents(_path(happening))):
        return 0
    new = 0
    for message in list(_messages(happening, place, at)):
        new += place.engine.observe(message, place.scope).new
    if happening.moment in (SessionMoment.ANSWER, SessionMoment.COMPACT):
        new += _keep_title(happening, place)
    if place.runs and happening.moment is SessionMoment.ANSWER:
        _keep_run(happening, place, at)
    return new


def _keep_title(happening: HookEvent, place: CapturePlace) -> int:
    """Keep the host's title of the session as a message of its own, dated before all others; 1 if it is new.

    The newest comes first. One that was forgotten is not kept again until the host gives another.
    """
    title = _bare_title(host_title(happening.host, happening.session, _path(happening))) if happening.transcript else ""
    if not title:
        return 0
    session = place.engine.timeline(place.scope, session=happening.session)
    text = f"{TITLE}{title}"
    known = next((memory.text for memory in session if is_title(memory)), None)
    if not session or known == _masked(text, place):
        return 0
    digest = blake2b(f"{happening.session}\0title\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    at = min(memory.at for memory in session) - timedelta(microseconds=1)
    message = Message(text, EXPORT, Role.SYSTEM, happening.session, at, f"hook-{digest}")
    return int(place.engine.remember(message, place.scope).new)


def _bare_title(title: str) -> str:
    return one_line(strip_fences(title[:_TITLE_READ]))[:TITLE_MAX]


def _messages(happening: HookEvent, place: CapturePlace, at: datetime) -> Iterator[Message]:
    if happening.moment is SessionMoment.PROMPT:
        yield from _one(happening, Role.USER, happening.prompt, place, at)
    elif happening.moment is SessionMoment.ANSWER:
        yield from _answered(happening, place, at)
    elif happening.moment is SessionMoment.COMPACT:
        yield from _missed(happening, place, at)


def _done(happening: HookEvent, place: CapturePlace, at: datetime) -> Iterator[Message]:
    """Yield a tool call as a message, unless the last same call in the session had the same outcome."""
    if happening.tool is None:
        return
    session = tools_session(happening.session)
    short = shortened(happening.tool, happening.folder, place.screen)
    known = place.engine.timeline(place.scope, session=session)
    calls = [memory for memory in known if short.is_of(memory.text)]
    if calls and short.same(max(calls, key=lambda memory: memory.seq).text):
        return
    parts = (session, happening.tool.id or f"after {len(calls)}", short.text)
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    yield Message(short.text, TOOL_SPEAKER, Role.TOOL, session, at, f"hook-{digest}")


def _answered(happening: HookEvent, place: CapturePlace, at: datetime) -> Iterator[Message]:
    """Yield the answer, and before it the prompt if the host repeats one that was not stored yet."""
    prompt = _bare(happening, (happening.prompt,), Role.USER)
    if prompt:
        kept = _kept(happening, place)
        if kept.prompt != _masked(prompt, place):
            yield _message(happening, Role.USER, prompt, at, _turn(happening, kept.count(Role.ASSISTANT)))
    answer = happening.answer
    if not answer and happening.transcript:
        answer = last_answer(_path(happening))
    yield from _one(happening, Role.ASSISTANT, answer, place, at)


def _one(happening: HookEvent, role: Role, text: str, place: CapturePlace, at: datetime) -> Iterator[Message]:
    """Yield a message unless it is already the session's last: a hook called twice, or a transcript read before."""
    said = _bare(happening, (text,), role)
    kept = _kept(happening, place) if said else None
    if kept is not None and kept.last != (role, _masked(said, place)):
        other = Role.ASSISTANT if role is Role.USER else Role.USER
        yield _message(happening, role, said, at, _turn(happening, kept.count(other)))


def _missed(happening: HookEvent, place: CapturePlace, at: datetime) -> Iterator[Message]:
    """Yield the messages that the transcript holds more often than the store."""
    if not happening.transcript:
        return
    kept, seen = _kept(happening, place).texts, Counter[tuple[Role, str]]()
    for said in read(_path(happening)):
        text = _bare(happening, said.parts or (said.text,), said.role)
        if not text:
            continue
        told = (said.role, _masked(text, place))
        seen[told] += 1
        if seen[told] > kept[told]:
            yield _message(happening, said.role, text, _time(said.at) or at, f"transcript {seen[told]}")


# A turn as a run of a skill: its tool calls are the steps, and the last one says how it ended.


TURN = "turn"
"""The skill of a turn whose prompt names none by a slash command."""
_COMMAND = re.compile(r"/([\w:.-]{1,100})(?:\s|$)")
_WORD = re.compile(r"[a-zA-Z][\w.-]{0,30}$")
_SUFFIX = re.compile(r"\.\w{1,8}$")


def _keep_run(happening: HookEvent, place: CapturePlace, at: datetime) -> None:
    """Record the tool calls since the last prompt as a run; a turn without any, or one recorded before, is left out."""
    from reverie.consolidate.runs import RunOutcome, SkillRun

    said = place.engine.timeline(place.scope, session=happening.session)
    prompt = max((one for one in said if one.role is Role.USER), key=lambda one: one.seq, default=None)
    if prompt is None:
        return
    done = place.engine.timeline(place.scope, session=tools_session(happening.session), start=prompt.at)
    calls = [one.text.partition("\n")[0].rpartition(f" {ARROW} ") for one in sorted(done, key=lambda one: one.seq)]
    if not calls:
        return
    last = calls[-1][2]
    ended = RunOutcome.FAILED if last.startswith("failed") else RunOutcome.SUCCEEDED
    ended = RunOutcome.UNFINISHED if last.startswith("interrupted") else ended
    command = _COMMAND.match(prompt.text)
    run = SkillRun(
        skill=command[1] if command else TURN,
        outcome=ended,
        steps=[_step(head) for head, _, _ in calls],
        at=at,
        id=f"hook-{prompt.id}",
    )
    with suppress(Conflict):  # a host may report the end of a turn again
        place.engine.admin.record_run(run, place.scope)


def _step(head: str) -> str:
    """Return what kind of call it was: a command's program and its first plain word, of a file only its suffix."""
    name, _, target = head.partition(": ")
    words = target.split()
    if words and _WORD.match(words[0]) and not _SUFFIX.search(words[0]):
        return f"{name}: {' '.join(word for word in words[:2] if _WORD.match(word))}"
    found = _SUFFIX.search(words[0] if words else "") or _SUFFIX.search(target)
    return f"{name}: {found[0]}" if found else name


def _turn(happening: HookEvent, count: int) -> str:
    return happening.turn or f"after {count}"


def _message(happening: HookEvent, role: Role, text: str, at: datetime, turn: str) -> Message:
    parts = (happening.session, str(role), turn, text)
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Message(text, SPEAKERS[role], role, happening.session, at, f"hook-{digest}")


def _kept(happening: HookEvent, place: CapturePlace) -> _Kept:
    texts: Counter[tuple[Role, str]] = Counter()
    prompt, last = "", None
    memories = place.engine.timeline(place.scope, session=happening.session)
    for memory in sorted(memories, key=lambda one: one.seq):
        if memory.kind is Kind.EPISODE and not is_title(memory):
            last = memory.role, memory.text
            texts[last] += 1
            prompt = memory.text if memory.role is Role.USER else prompt
    return _Kept(texts, prompt, last)


def _bare(happening: HookEvent, parts: Sequence[str], role: Role) -> str:
    """Return only what was said; empty if that is blank."""
    said = said_in_parts(parts, happening.host, role)
    return said if said.strip() else ""


def _masked(text: str, place: CapturePlace) -> str:
    return screen(text, place.screen).text


def _path(happening: HookEvent) -> Path:
    return Path(happening.folder or ".", happening.transcript)


def _time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
