"""Lay down: a thought becomes a memory, or changes one that is there. Values in, values out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from reverie.encode.observe import Observation
from reverie.encode.settings import EncodeSettings, GateSettings, Merging
from reverie.encode.thoughts import Thought
from reverie.events import Change, difference
from reverie.formulas.flashbulb import Encoded, encoded
from reverie.formulas.prediction_error import Verdict
from reverie.formulas.synaptic import is_weak
from reverie.types import Episode, Memory, Role, Standing, State

_DATA = {Role.ASSISTANT: "assistant_message", Role.TOOL: "system", Role.SYSTEM: "system"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a thought comes from: the episode, what the observer saw, when it is recorded, and by which way."""

    episode: Episode
    seen: Observation
    now: datetime
    deliberate: bool


def lay_down(memory_id: str, thought: Thought, importance: float, origin: Origin, settings: EncodeSettings) -> Memory:
    """The new memory: how it stands follows from its importance and from what was felt."""
    episode, feeling = origin.episode, origin.seen.emotion
    law = settings.flashbulb
    laid = Encoded(importance, settings.stability_days, False)
    if law is not None:
        laid = encoded(importance, settings.stability_days, feeling.arousal, law)
    tag = settings.tag
    weak = tag is not None and is_weak(laid.importance, tag.weak)
    standing = Standing(
        importance=laid.importance,
        utility=settings.utility,
        stability_days=laid.stability_days,
        confidence=1.0 if origin.deliberate else thought.confidence,
        valence=feeling.valence,
        arousal=feeling.arousal,
        emotion=feeling.category or "",
        pinned=laid.flashbulb,
        flashbulb=laid.flashbulb,
        time_bounded=thought.time_bounded,
        tags=(*thought.entities, *thought.keywords),
        write_source="manual" if origin.deliberate else "observer",
        data_source=_DATA.get(episode.role, "user_message"),
        tagged_until=origin.now + timedelta(hours=tag.hours) if weak and tag is not None else None,
    )
    return Memory(
        id=memory_id,
        scope=episode.scope,
        kind=thought.kind,
        text=thought.text,
        at=episode.at,
        recorded_at=origin.now,
        session=episode.session,
        seq=episode.seq,
        speaker=episode.speaker,
        role=episode.role,
        sources=(episode.id,),
        entities=thought.entities,
        keywords=thought.keywords,
        valid_until=thought.valid_until,
        accesses=settings.accesses,
        last_access=origin.now if settings.accesses else None,
        standing=standing,
    )


def superseded(old: Memory, new: Memory, why: str) -> Change:
    """The older side closes at the moment the newer was said (never before it began), and both name each other."""
    standing = replace(old.standing, state=State.SUPERSEDED, superseded_by=new.id)
    return difference(old, replace(old, valid_until=max(new.at, old.at), standing=standing), why)


def reinforced(old: Memory, origin: Origin, settings: GateSettings, why: str) -> Change:
    """Said again: it fades more slowly, and knows one more source."""
    after = _counted(old, old.standing.importance, origin) if settings.counts else old
    standing = replace(after.standing, stability_days=old.standing.stability_days * settings.reinforce)
    return difference(old, replace(after, sources=_sources(old, origin), standing=standing), why)


@dataclass(frozen=True, slots=True)
class Addition:
    """What an update adds: the thought, its importance, why, and a model's wording of both where there is one."""

    thought: Thought
    importance: float
    why: str
    wording: str | None = None


def merged(old: Memory, new: Addition, origin: Origin, settings: GateSettings) -> Change:
    """The two in one memory under the old id: the model's words, the newer words, or both one after the other."""
    thought = new.thought
    text = new.wording or (thought.text if settings.merging is Merging.NEWER else _appended(old.text, thought.text))
    after = _counted(old, new.importance, origin) if settings.counts else old
    after = replace(
        after,
        text=text,
        sources=_sources(old, origin),
        entities=tuple(dict.fromkeys((*old.entities, *thought.entities))),
        keywords=tuple(dict.fromkeys((*old.keywords, *thought.keywords))),
    )
    return difference(old, after, new.why)


def _appended(old: str, new: str) -> str:
    return old if new in old else f"{old}\n{new}"


def _counted(old: Memory, importance: float, origin: Origin) -> Memory:
    standing = replace(old.standing, importance=max(old.standing.importance, importance))
    return replace(old, accesses=old.accesses + 1, last_access=origin.now, standing=standing)


def _sources(old: Memory, origin: Origin) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old.sources, origin.episode.id)))


CHANGING = frozenset({Verdict.UPDATE, Verdict.REINFORCE})
"""The verdicts that change a memory instead of making one."""
