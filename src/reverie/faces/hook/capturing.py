"""What is kept of a session: in, a moment; out, messages of both sides observed, each once however often it is told.

What a tool did is kept word for word in its short form, and nothing is formed of it: a tool tells of no life and gives
no orders. It has a session of its own, so that prompt and answer stay next to each other.

A message's id follows from its session, its turn and its words. Hosts that name no turn are counted: a prompt belongs
to the number of answers before it, an answer to the number of prompts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from reverie.engine.core import Reverie
from reverie.faces.hook import transcripts
from reverie.faces.hook.hosts import Happening, Moment
from reverie.faces.hook.stripping import said_in_parts
from reverie.faces.hook.tool_calls import shortened, tools_session
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import TOOL_SPEAKER, Kind, Message, Role, Scope

SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "assistant"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where captures go: the engine, whose memory, and what its screen masks."""

    engine: Reverie
    scope: Scope
    screen: ScreenSettings


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the store holds of a session: how often each (role, text), the last prompt, and the last of all."""

    texts: Counter[tuple[Role, str]]
    prompt: str
    last: tuple[Role, str] | None

    def count(self, role: Role) -> int:
        return sum(count for (who, _), count in self.texts.items() if who is role)


def capture(happening: Happening, place: Place, at: datetime) -> int:
    """Keep what a moment tells; how many messages were new. Raises ReverieError."""
    if happening.moment is Moment.TOOL:
        return sum(place.engine.remember(done, place.scope).new for done in _done(happening, place, at))
    new = 0
    for message in list(_messages(happening, place, at)):
        new += place.engine.observe(message, place.scope).new
    return new


def _messages(happening: Happening, place: Place, at: datetime) -> Iterator[Message]:
    if happening.moment is Moment.PROMPT:
        yield from _one(happening, Role.USER, happening.prompt, place, at)
    elif happening.moment is Moment.ANSWER:
        yield from _answered(happening, place, at)
    elif happening.moment is Moment.COMPACT:
        yield from _missed(happening, place, at)


def _done(happening: Happening, place: Place, at: datetime) -> Iterator[Message]:
    """What a tool did, unless the same call had the same outcome when it was last made in the session."""
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


def _answered(happening: Happening, place: Place, at: datetime) -> Iterator[Message]:
    """The answer, and before it the prompt where the host tells it again and nobody told it before."""
    prompt = _bare(happening, (happening.prompt,), Role.USER)
    if prompt:
        kept = _kept(happening, place)
        if kept.prompt != _masked(prompt, place):
            yield _message(happening, Role.USER, prompt, at, _turn(happening, kept.count(Role.ASSISTANT)))
    answer = happening.answer
    if not answer and happening.transcript:
        answer = transcripts.last_answer(_path(happening))
    yield from _one(happening, Role.ASSISTANT, answer, place, at)


def _one(happening: Happening, role: Role, text: str, place: Place, at: datetime) -> Iterator[Message]:
    """A message, unless it is the session's last already: a hook that is called twice, or a transcript read before."""
    said = _bare(happening, (text,), role)
    kept = _kept(happening, place) if said else None
    if kept is not None and kept.last != (role, _masked(said, place)):
        other = Role.ASSISTANT if role is Role.USER else Role.USER
        yield _message(happening, role, said, at, _turn(happening, kept.count(other)))


def _missed(happening: Happening, place: Place, at: datetime) -> Iterator[Message]:
    """What the transcript holds more often than the store does."""
    if not happening.transcript:
        return
    kept, seen = _kept(happening, place).texts, Counter[tuple[Role, str]]()
    for said in transcripts.read(_path(happening)):
        text = _bare(happening, said.parts or (said.text,), said.role)
        if not text:
            continue
        told = (said.role, _masked(text, place))
        seen[told] += 1
        if seen[told] > kept[told]:
            yield _message(happening, said.role, text, _time(said.at) or at, f"transcript {seen[told]}")


def _turn(happening: Happening, count: int) -> str:
    return happening.turn or f"after {count}"


def _message(happening: Happening, role: Role, text: str, at: datetime, turn: str) -> Message:
    parts = (happening.session, str(role), turn, text)
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Message(text, SPEAKERS[role], role, happening.session, at, f"hook-{digest}")


def _kept(happening: Happening, place: Place) -> _Kept:
    texts: Counter[tuple[Role, str]] = Counter()
    prompt, last = "", None
    memories = place.engine.timeline(place.scope, session=happening.session)
    for memory in sorted(memories, key=lambda one: one.seq):
        if memory.kind is Kind.EPISODE:
            last = memory.role, memory.text
            texts[last] += 1
            prompt = memory.text if memory.role is Role.USER else prompt
    return _Kept(texts, prompt, last)


def _bare(happening: Happening, parts: Sequence[str], role: Role) -> str:
    """What was said; empty where that is blank."""
    said = said_in_parts(parts, happening.host, role)
    return said if said.strip() else ""


def _masked(text: str, place: Place) -> str:
    return screen(text, place.screen).text


def _path(happening: Happening) -> Path:
    return Path(happening.folder or ".", happening.transcript)


def _time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
