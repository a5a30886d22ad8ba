"""The memory factory: a fact candidate becomes a memory, or changes one that is there. Values in, values out.

With the episode itself, and what makes a memory findable: its stems, speaker, time and vector.
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
    """The entry for one memory; speaker and date are indexed as words, so that "Ada in May" finds both.

    The addresses of its entities are terms, too: what names an entity is found by it (D16's hub). What stands, an order
    or a preference, is marked by a term of its own, so that a recall has all of it at hand (decision 0023).
    A vector without its model says nothing and is left out.
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


def form(episode: Episode, recorded_at: datetime) -> Memory:
    """The memory of kind episode: the words as they were said, under the episode's own id."""
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


# Formed memories.


class DataSource(StrEnum):
    """Where the words of a memory come from (D22)."""

    USER = "user_message"
    ASSISTANT = "assistant_message"
    SYSTEM = "system"
    FEDERATION = "federation"


SEPARATOR = "\n"
"""Between the words that were there and those that were appended."""
_DATA = {Role.ASSISTANT: DataSource.ASSISTANT, Role.TOOL: DataSource.SYSTEM, Role.SYSTEM: DataSource.SYSTEM}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a thought comes from: the episode, what the observer saw, when it is recorded, and by which way.

    ``source`` None: what the role says; ``importance`` None: as it is weighed.
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
    """The new memory: how it stands follows from its importance and from what was felt."""
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
    """By hand, as it was observed, or as formation put it: split off, resolved, in the third person."""
    if origin.deliberate:
        return "manual"
    return "observer" if thought.text == origin.episode.text.strip() else "formation"


def _source(origin: Origin) -> DataSource:
    return origin.source or _DATA.get(origin.episode.role, DataSource.USER)


def superseded(old: Memory, new: Memory, why: str) -> Change:
    """The older side closes; both name each other."""
    standing = replace(old.standing, state=State.SUPERSEDED, superseded_by=new.id)
    return difference(old, replace(old, valid_until=end_of(old, new), standing=standing), why)


def end_of(old: Memory, new: Memory) -> datetime:
    """Until when the older held: until the newer became true; not before it began, nor after its own end."""
    end = max(new.valid_from, old.valid_from)
    return end if old.valid_until is None else min(end, old.valid_until)


def taking_back(new: Memory, old: Sequence[Memory]) -> Memory:
    """The new memory naming what it supersedes, the nearest where it is several."""
    return replace(new, standing=replace(new.standing, supersedes=old[0].id))


def outdated(new: Memory, by: Memory) -> Memory:
    """A new memory that was said before what contradicts it: it held until then, and holds no longer."""
    standing = replace(new.standing, state=State.SUPERSEDED, superseded_by=by.id)
    return replace(new, valid_until=max(by.valid_from, new.valid_from), standing=standing)


def reinforced(old: Memory, origin: Origin, settings: GateSettings, why: str) -> Change:
    """Said again: it fades more slowly, and knows one more source."""
    after = _counted(old, old.standing.importance, origin) if settings.counts else old
    stability = old.standing.stability_days * (1.0 if settings.reinforce is None else settings.reinforce)
    standing = replace(after.standing, stability_days=stability, data_source=_all_sources(old, origin))
    return difference(old, replace(after, sources=_sources(old, origin), standing=standing), why)


@dataclass(frozen=True, slots=True)
class Addition:
    """What an update adds: the thought, its importance, why, and a model's wording of both where there is one."""

    thought: FactCandidate
    importance: float
    why: str
    wording: str | None = None


def merged(old: Memory, new: Addition, origin: Origin, settings: GateSettings) -> Change:
    """The two in one memory under the old id: the model's words, the newer words, or both one after the other.

    It holds as long as the one that holds longer, so that nothing goes with a plan that is over.
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
    """Where the words of both come from, the first first, each once."""
    return SOURCES_JOINED.join(dict.fromkeys((*old.standing.data_sources, _source(origin).value)))


CHANGING = frozenset({GateVerdict.UPDATE, GateVerdict.REINFORCE})
"""The verdicts that change a memory instead of making one."""
