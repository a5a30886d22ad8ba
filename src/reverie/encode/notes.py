"""Memories that somebody writes deliberately: notes, and corrections that replace a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.encode.memory_factory import DataSource
from reverie.encode.settings import EncodeSettings
from reverie.events import Formed, Payload
from reverie.language.classify.categories import category
from reverie.language.classify.foresight import foresight
from reverie.language.names.named_entities import named
from reverie.language.text.analyzer import keywords
from reverie.types import Kind, Memory, Role, Scope, Standing, State

NOTED = "note"
"""The write source of a note, and the name of its session."""
_ADDRESS = "entity://"


@dataclass(frozen=True, slots=True)
class Note:
    """A memory that somebody wrote, to be kept word for word.

    Attributes:
        kind: None: the kind of its words, else fact.
        importance: in [0, 1]; None: the recipe's first value.
        tags: the author's own tags.
        writer: who wrote it, this agent or another; a note never counts as the user's words.
        shared: whether another agent learned it.
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
    """Build the memory of a note; it has no source episode, because nobody said it."""
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
    """Replace a memory's tags, unless ``tags`` is empty; its entities' addresses stay."""
    if not tags:
        return memory
    return replace(memory, standing=replace(memory.standing, tags=with_tags(memory.standing.tags, tags)))


def with_tags(stands: Sequence[str], tags: Sequence[str]) -> tuple[str, ...]:
    """Replace a memory's tags (``stands``) by new ones, keeping the addresses of its entities."""
    return tuple(dict.fromkeys((*(tag for tag in stands if tag.startswith(_ADDRESS)), *tags)))


MANUAL = "manual"


def corrected(old: Memory, text: str, memory_id: str, now: datetime, settings: EncodeSettings) -> Memory:
    """Build the memory that replaces one with a corrected ``text``, with the importance, stability and pin of the old.

    It has no source episode, because a person wrote it and nobody said it. The correction of an episode starts with the
    recipe's values and gets the kind of its words.
    """
    entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
    ahead = foresight(text, now)
    was = old.standing
    if old.kind is Kind.EPISODE:
        was = Standing(stability_days=settings.stability_days, utility=settings.utility, pinned=was.pinned)
    return replace(
        old,
        id=memory_id,
        kind=old.kind if old.kind is not Kind.EPISODE else category(text) or Kind.FACT,
        text=text,
        at=now,
        recorded_at=now,
        sources=(),
        entities=entities,
        keywords=words,
        valid_until=ahead.valid_until if ahead else None,
        accesses=0,
        last_access=None,
        standing=Standing(
            tier=was.tier,
            importance=was.importance,
            utility=was.utility,
            stability_days=was.stability_days,
            storage=was.storage,
            valence=was.valence,
            arousal=was.arousal,
            emotion=was.emotion,
            pinned=was.pinned,
            time_bounded=ahead is not None,
            tags=(*entities, *words),
            write_source=MANUAL,
            data_source=DataSource.USER.value,
            supersedes=old.id,
        ),
    )


def held_back(new: Memory, reason: str) -> Memory:
    """Quarantine a correction that the screen held back: it replaces nothing until a person releases it."""
    standing = replace(new.standing, state=State.QUARANTINED, tags=(reason,), supersedes="", pinned=False)
    return replace(new, standing=standing)


def correction_in(payload: Payload | None) -> Memory | None:
    """Return the memory that a correction created, if an event's payload is a correction; else None."""
    if not isinstance(payload, Formed) or payload.cycle or len(payload.added) != 1:
        return None
    made = payload.added[0]
    by_hand = made.standing.write_source == MANUAL and not made.sources
    return made if by_hand and made.standing.supersedes else None
