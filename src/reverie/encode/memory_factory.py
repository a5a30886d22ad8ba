"""The memory factory: build memories from fact candidates and episodes, compute changes of memories, and index entries.

Values in, values out: nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from reverie.encode.facts import FactCandidate, ObservedMessage
from reverie.encode.settings import EncodeSettings, GateSettings, Merging
from reverie.events import Change, difference
from reverie.formulas.associations import Encoded, encoded, is_weak
from reverie.formulas.gates import GateVerdict
from reverie.language.names.entities import entities
from reverie.language.orders import marks
from reverie.language.text.analyzer import index_terms, keywords, reading
from reverie.language.time import questions
from reverie.types import (
    SOURCES_JOINED,
    Episode,
    FloatArray,
    IndexEntry,
    Kind,
    Memory,
    ModelInfo,
    Role,
    Standing,
    State,
)

_ADDRESS = "entity://"


def index(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """Build the index entry of a memory: the terms and the vector by which a search finds it.

    Speaker and date are indexed as words, so that "Ada in May" finds both, and so are the addresses of its entities
    (a hub). Standing instructions and preferences get a term of their own, so that a recall can find all of them
    (decision 0023). A vector without its model is left out.
    """
    text = reading(memory.text)
    terms = [
        *text.terms(),
        *index_terms(memory.speaker, text.language),
        *questions.date_terms(memory.at, text.language),
        *(name for name in memory.entities if name.startswith(_ADDRESS)),
    ]
    terms += marks(memory.text, memory.kind, memory.role)
    return IndexEntry(tuple(terms), len(text.chunks), None if model is None else vector, model)


@dataclass(frozen=True, slots=True)
class EpisodeReading:
    """What is read from a message for its memory of kind episode, before it has an id: names, and index terms."""

    entities: tuple[str, ...]
    keywords: tuple[str, ...]
    terms: tuple[str, ...]
    words: int


def form(episode: Episode, recorded_at: datetime, read: EpisodeReading | None = None) -> Memory:
    """Build the memory of kind episode: the message's text word for word, under the episode's own id."""
    return Memory(
        id=episode.id,
        scope=episode.scope,
        kind=Kind.EPISODE,
        text=episode.text,
        at=episode.at,
        recorded_at=recorded_at,
        session=episode.session,
        seq=episode.seq,
        speaker=episode.speaker,
        role=episode.role,
        sources=(episode.id,),
        entities=entities(episode.text) if read is None else read.entities,
        keywords=keywords(episode.text) if read is None else read.keywords,
    )


# Formed memories.


class DataSource(StrEnum):
    """The kind of source that a memory's text comes from."""

    USER = "user_message"
    ASSISTANT = "assistant_message"
    SYSTEM = "system"
    FEDERATION = "federation"


SEPARATOR = "\n"
"""What separates a memory's old text from an appended one."""
_DATA = {Role.ASSISTANT: DataSource.ASSISTANT, Role.TOOL: DataSource.SYSTEM, Role.SYSTEM: DataSource.SYSTEM}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a fact candidate comes from: the episode, its analysis, the time of recording, and the way it arrived.

    ``source`` None: it follows from the episode's role; ``importance`` None: the write path computes it.
    """

    episode: Episode
    seen: ObservedMessage
    now: datetime
    deliberate: bool = False
    source: DataSource | None = None
    importance: float | None = None


def lay_down(
    memory_id: str, thought: FactCandidate, importance: float, origin: Origin, settings: EncodeSettings
) -> Memory:
    """Build a new memory from a fact candidate; importance and emotion decide how long it lasts."""
    episode = origin.episode
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
        standing=_standing(thought, importance, origin, settings),
    )


def _standing(thought: FactCandidate, importance: float, origin: Origin, settings: EncodeSettings) -> Standing:
    feeling, law, tag = origin.seen.emotion, settings.flashbulb, settings.tag
    laid = Encoded(importance, settings.stability_days, False)
    if law is not None:
        laid = encoded(importance, settings.stability_days, feeling.arousal, law)
    weak = tag is not None and is_weak(laid.importance, tag.weak)
    return Standing(
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
        valid_from=thought.valid_from,
        tags=(*thought.entities, *thought.keywords),
        write_source=_written(thought, origin),
        data_source=_source(origin).value,
        tagged_until=origin.now + timedelta(hours=tag.hours) if weak and tag is not None else None,
    )


def _written(thought: FactCandidate, origin: Origin) -> str:
    """Return the write source: manual, the observer's (the whole message), or formation's (split off or reworded)."""
    if origin.deliberate:
        return "manual"
    return "observer" if thought.text == origin.episode.text.strip() else "formation"


def _source(origin: Origin) -> DataSource:
    return origin.source or _DATA.get(origin.episode.role, DataSource.USER)


def superseded(old: Memory, new: Memory, why: str) -> Change:
    """Compute the change that closes a superseded memory, with a link to the new one."""
    standing = replace(old.standing, state=State.SUPERSEDED, superseded_by=new.id)
    return difference(old, replace(old, valid_until=end_of(old, new), standing=standing), why)


def end_of(old: Memory, new: Memory) -> datetime:
    """Return when a superseded memory ends: when the new one became true, but within the old one's own validity."""
    end = max(new.valid_from, old.valid_from)
    return end if old.valid_until is None else min(end, old.valid_until)


def taking_back(new: Memory, old: Sequence[Memory]) -> Memory:
    """Link a new memory to the one it supersedes; of several to the nearest."""
    return replace(new, standing=replace(new.standing, supersedes=old[0].id))


def outdated(new: Memory, by: Memory) -> Memory:
    """Close a new memory that a later-said one already supersedes: it was valid until that became true."""
    standing = replace(new.standing, state=State.SUPERSEDED, superseded_by=by.id)
    return replace(new, valid_until=max(by.valid_from, new.valid_from), standing=standing)


def reinforced(old: Memory, origin: Origin, settings: GateSettings, why: str) -> Change:
    """Compute the change of a memory that is said again: more stability, and one more source."""
    after = _counted(old, old.standing.importance, origin) if settings.counts else old
    stability = old.standing.stability_days * (1.0 if settings.reinforce is None else settings.reinforce)
    standing = replace(after.standing, stability_days=stability, data_source=_all_sources(old, origin))
    return difference(old, replace(after, sources=_sources(old, origin), standing=standing), why)


@dataclass(frozen=True, slots=True)
class Addition:
    """What an update adds to a memory: the candidate, its importance, the reason, and a model's merged text, if any."""

    thought: FactCandidate
    importance: float
    why: str
    wording: str | None = None


def merged(old: Memory, new: Addition, origin: Origin, settings: GateSettings) -> Change:
    """Compute the change that merges a candidate into a memory: the model's text, the newer text, or both in order.

    The merged memory is valid as long as the longer-valid of the two, so that no fact ends with a plan that is over.
    """
    thought = new.thought
    text = new.wording or (thought.text if settings.merging is Merging.NEWER else _appended(old.text, thought.text))
    after = _counted(old, new.importance, origin) if settings.counts else old
    entities = tuple(dict.fromkeys((*old.entities, *thought.entities)))
    keywords = tuple(dict.fromkeys((*old.keywords, *thought.keywords)))
    standing = replace(
        after.standing,
        time_bounded=old.standing.time_bounded and thought.time_bounded,
        valid_from=old.standing.valid_from or thought.valid_from,
        data_source=_all_sources(old, origin),
        tags=tuple(dict.fromkeys((*old.standing.tags, *thought.entities, *thought.keywords))),
    )
    after = replace(
        after,
        text=text,
        sources=_sources(old, origin),
        entities=entities,
        keywords=keywords,
        valid_until=_later(old.valid_until, thought.valid_until),
        standing=standing,
    )
    return difference(old, after, new.why)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return None if one is None or other is None else max(one, other)


def _appended(old: str, new: str) -> str:
    return old if new in old.split(SEPARATOR) else f"{old}{SEPARATOR}{new}"


def _counted(old: Memory, importance: float, origin: Origin) -> Memory:
    standing = replace(old.standing, importance=max(old.standing.importance, importance))
    return replace(old, accesses=old.accesses + 1, last_access=origin.now, standing=standing)


def _sources(old: Memory, origin: Origin) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old.sources, origin.episode.id)))


def _all_sources(old: Memory, origin: Origin) -> str:
    """Return the data sources of a memory and a new origin, in order, each once."""
    return SOURCES_JOINED.join(dict.fromkeys((*old.standing.data_sources, _source(origin).value)))


CHANGING = frozenset({GateVerdict.UPDATE, GateVerdict.REINFORCE})
"""The verdicts that change an existing memory instead of creating one."""
