"""Create memories from episodes and fact candidates, or change existing ones; pure functions on values.

Also the index entry by which a memory is found: its stems, speaker, time and vector.
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

# The index entry.


_ADDRESS = "entity://"


def index(memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
    """Build the index entry of a memory; speaker and date are indexed as words, so that "Ada in May" finds both.

    The addresses of its entities are terms too, by which they are looked up (D16's hub). A standing instruction or
    preference gets a special term, so that recall finds all of them (decision 0023). A vector without its model is left
    out.
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


# The memory of an episode.


def form(episode: Episode, recorded_at: datetime) -> Memory:
    """Create the memory of kind episode: the text as it was said, under the episode's own id."""
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
        entities=entities(episode.text),
        keywords=keywords(episode.text),
    )


# The memory of a fact candidate, and changes of existing memories.


class DataSource(StrEnum):
    """Where the text of a memory comes from (D22)."""

    USER = "user_message"
    ASSISTANT = "assistant_message"
    SYSTEM = "system"
    FEDERATION = "federation"


SEPARATOR = "\n"
"""Separates the existing text from an appended one."""
_DATA = {Role.ASSISTANT: DataSource.ASSISTANT, Role.TOOL: DataSource.SYSTEM, Role.SYSTEM: DataSource.SYSTEM}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a candidate comes from: the episode, the observer's result, the time of recording, and the source.

    ``source`` None: by the role; ``importance`` None: as computed.
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
    """Create a memory from a candidate; its lifecycle fields follow from its importance and emotion."""
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
    """Return the write source: manual, observer (unchanged text), or formation (split, resolved or rewritten text)."""
    if origin.deliberate:
        return "manual"
    return "observer" if thought.text == origin.episode.text.strip() else "formation"


def _source(origin: Origin) -> DataSource:
    return origin.source or _DATA.get(origin.episode.role, DataSource.USER)


def superseded(old: Memory, new: Memory, why: str) -> Change:
    """Return the change that closes the older memory; each of the two names the other."""
    standing = replace(old.standing, state=State.SUPERSEDED, superseded_by=new.id)
    return difference(old, replace(old, valid_until=end_of(old, new), standing=standing), why)


def end_of(old: Memory, new: Memory) -> datetime:
    """Return when the older memory ended: when the newer became true, but within the older one's own validity."""
    end = max(new.valid_from, old.valid_from)
    return end if old.valid_until is None else min(end, old.valid_until)


def taking_back(new: Memory, old: Sequence[Memory]) -> Memory:
    """Return the new memory with the id of what it supersedes, the nearest of several."""
    return replace(new, standing=replace(new.standing, supersedes=old[0].id))


def outdated(new: Memory, by: Memory) -> Memory:
    """Return a new memory that was said before the one contradicting it, as already superseded by that one."""
    standing = replace(new.standing, state=State.SUPERSEDED, superseded_by=by.id)
    return replace(new, valid_until=max(by.valid_from, new.valid_from), standing=standing)


def reinforced(old: Memory, origin: Origin, settings: GateSettings, why: str) -> Change:
    """Return the change for a repetition: the memory fades more slowly and gains a source."""
    after = _counted(old, old.standing.importance, origin) if settings.counts else old
    stability = old.standing.stability_days * (1.0 if settings.reinforce is None else settings.reinforce)
    standing = replace(after.standing, stability_days=stability, data_source=_all_sources(old, origin))
    return difference(old, replace(after, sources=_sources(old, origin), standing=standing), why)


@dataclass(frozen=True, slots=True)
class Addition:
    """What an update adds: the candidate, its importance, the reason, and a model's merged text if there is one."""

    thought: FactCandidate
    importance: float
    why: str
    wording: str | None = None


def merged(old: Memory, new: Addition, origin: Origin, settings: GateSettings) -> Change:
    """Return the change that merges both into the old memory: the model's text, the newer text, or both appended.

    It holds as long as the longer-lasting of the two, so that nothing ends with a plan that is over.
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
    """Return the distinct data sources of both, in order."""
    return SOURCES_JOINED.join(dict.fromkeys((*old.standing.data_sources, _source(origin).value)))


CHANGING = frozenset({GateVerdict.UPDATE, GateVerdict.REINFORCE})
"""The verdicts that change a memory instead of creating one."""
