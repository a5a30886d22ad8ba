"""A note: words that somebody wrote down as a memory in, the memory out, as it stands before its life begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.encode.laying import DataSource
from reverie.encode.settings import EncodeSettings
from reverie.language.category import category
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.types import Kind, Memory, Role, Scope, Standing

NOTED = "note"
"""The write source of a note, and the session it belongs to."""
_ADDRESS = "entity://"


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody wrote down: one memory, as it is to stand.

    Attributes:
        kind: None: what its words are, else a fact.
        importance: None: what the recipe starts with; in [0, 1].
        tags: in its author's words.
        writer: who wrote it. It is the agent's own note or another's, never the user's word.
        shared: another agent learned it.
    """

    text: str
    kind: Kind | None = None
    at: datetime | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    verified: bool = False
    writer: str = ""
    shared: bool = False


def noted(note: Note, memory_id: str, scope: Scope, now: datetime, settings: EncodeSettings) -> Memory:
    """The memory of a note. It stems from no episode: nobody said it."""
    entities = tuple(entity.uri for entity in named(note.text))
    words = keywords(note.text)
    source = DataSource.FEDERATION if note.shared else DataSource.ASSISTANT
    return Memory(
        id=memory_id,
        scope=scope,
        kind=note.kind or category(note.text) or Kind.FACT,
        text=note.text,
        at=min(note.at or now, now),
        recorded_at=now,
        session=NOTED,
        seq=0,
        speaker=note.writer or scope.agent,
        role=Role.PERSON,
        entities=entities,
        keywords=words,
        accesses=settings.accesses,
        last_access=now if settings.accesses else None,
        standing=Standing(
            importance=settings.importance if note.importance is None else note.importance,
            utility=settings.utility,
            stability_days=settings.stability_days,
            verified=note.verified,
            tags=with_tags((*entities, *words), note.tags) if note.tags else (*entities, *words),
            write_source=NOTED,
            data_source=source.value,
        ),
    )


def tagged(memory: Memory, tags: Sequence[str]) -> Memory:
    """The memory with these tags, where there are any."""
    if not tags:
        return memory
    return replace(memory, standing=replace(memory.standing, tags=with_tags(memory.standing.tags, tags)))


def with_tags(stands: Sequence[str], tags: Sequence[str]) -> tuple[str, ...]:
    """These tags in the place of those a memory has; the addresses of its entities stay."""
    return tuple(dict.fromkeys((*(tag for tag in stands if tag.startswith(_ADDRESS)), *tags)))
