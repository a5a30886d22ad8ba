"""Events of the journal, as values: every mutation of a store is one, with its actor, time, reason and payload.

A ``Change`` is the only way to alter a memory; it holds the value of each field before and after, so it can be read,
applied and reversed. The functions are pure: they take a memory and a change and return a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from reverie.types import Episode, Memory, Record, Relation, Scope, Standing

OBSERVED = "observed"
"""Reason of the event of an observed message, one that went through the whole write path."""

GATED = "gated"
"""Reason of the event of a recall that returned nothing, because no candidate was certain enough."""

_PLAIN_REASONS = frozenset({"", "said", "imported", OBSERVED, GATED})
_MADE_REASON = (
    r"dream [\w-]+(: [a-z ]+| taken back)|dream (begun|done|undone)|event \d+ taken back|taken back|restored"
    r"|(captured|contradicted|corrected) by [\w-]+|corrects [\w-]+|part of a theme|a source was taken back"
    r"|related by hand|noted|below its bound|amended by hand|holds again|released|revived|(un)?pinned|made (im)?mutable"
    r"|feedback: [a-z]+|too many relations|outlived its session|prediction error [\d.]+ to [\w-]+, importance [\d.]+"
)


def is_wordless(why: str) -> bool:
    """Whether an event's reason is one of the engine's own, which contain ids, numbers and steps but no user content.

    Any other reason counts as content: it is hashed with the event's salt and erased with the memories it is about.
    """
    return why in _PLAIN_REASONS or re.fullmatch(_MADE_REASON, why) is not None


class Action(StrEnum):
    """The kind of change an event made to the store."""

    REMEMBER = "remember"
    RECALL = "recall"
    FORM = "form"
    CHANGE = "change"
    RELATE = "relate"
    DREAM = "dream"
    FORGET = "forget"
    ERASE = "erase"
    RECORD = "record"


Value: TypeAlias = str | float | int | bool | datetime | tuple[str, ...] | None
"""What a field of a memory can hold; tiers, states and kinds are given by name."""

_STANDING = tuple(field.name for field in fields(Standing))
_OWN = ("kind", "text", "at", "sources", "entities", "keywords", "valid_until", "accesses", "last_access")
CHANGEABLE = (*_OWN, *_STANDING)
"""The fields of a memory that an event may change; the others record its origin."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The value of one field of a memory before and after a change."""

    name: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Change:
    """The changed fields of one memory, given by its id, and the reason."""

    memory: str
    fields: tuple[FieldChange, ...]
    why: str = ""

    @property
    def rewords(self) -> bool:
        """Whether the memory's text changes, so that it must be indexed again."""
        return any(field.name == "text" for field in self.fields)

    def reverse(self, why: str) -> Change:
        """Return the change that undoes this one."""
        return Change(self.memory, tuple(FieldChange(f.name, f.after, f.before) for f in self.fields), why)


def difference(before: Memory, after: Memory, why: str = "") -> Change:
    """Compute the change that turns ``before`` into ``after``; it has no fields when they are equal."""
    own = [(name, getattr(before, name), getattr(after, name)) for name in _OWN]
    if before.standing is not after.standing:
        own += [(name, getattr(before.standing, name), getattr(after.standing, name)) for name in _STANDING]
    return _change(before, own, why)


def alteration(memory: Memory, why: str, **after: Value) -> Change:
    """Compute the change that sets these fields of a memory; fields that have the value already are left out."""
    held = ((name, getattr(memory.standing if name in _STANDING else memory, name), now) for name, now in after.items())
    return _change(memory, held, why)


def _change(memory: Memory, rows: Iterable[tuple[str, Value, Value]], why: str) -> Change:
    """Make a change of rows (field name, before, after), sorted by name, without those whose values are equal."""
    return Change(memory.id, tuple(FieldChange(*row) for row in sorted(rows, key=_name) if row[1] != row[2]), why)


def _name(row: tuple[str, Value, Value]) -> str:
    return row[0]


def changed(memory: Memory, change: Change) -> Memory:
    """Apply a change to a memory and return the new memory."""
    if not change.fields:
        return memory
    own = {field.name: field.after for field in change.fields if field.name not in _STANDING}
    life = {field.name: field.after for field in change.fields if field.name in _STANDING}
    if life:
        own["standing"] = replace(memory.standing, **life)  # type: ignore[arg-type,assignment] # checked when encoded
    return replace(memory, **own)  # type: ignore[arg-type] # checked when encoded


def folded(memory: Memory, changes: Iterable[Change]) -> Memory:
    """Apply several changes to a memory, in order, and return the new memory."""
    for change in changes:
        memory = changed(memory, change)
    return memory


@dataclass(frozen=True, slots=True)
class Remembered:
    """Payload of ``REMEMBER``: the episode and the memories that hold its text word for word."""

    episode: Episode
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class CountedRecall:
    """One of the recalls that one event holds: when it was, and how many of the event's memories it injected."""

    at: datetime
    memories: int


@dataclass(frozen=True, slots=True)
class Recalled:
    """Payload of ``RECALL``: the ids of the injected memories, and how they were strengthened.

    Access counts, and how often two memories were recalled together, are computed from these events alone. An event
    can hold many ``recalls``, which strengthened nothing; ``memories`` are then those of one after the other, and the
    event's time is that of the last. Empty: it holds one.
    """

    memories: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    recalls: tuple[CountedRecall, ...] = ()

    def each(self, at: datetime) -> Iterator[tuple[datetime, tuple[str, ...]]]:
        """Yield time and memories of each recall, in order; ``at`` is the event's time."""
        if not self.recalls:
            yield at, self.memories
            return
        start = 0
        for one in self.recalls:
            yield one.at, self.memories[start : start + one.memories]
            start += one.memories


@dataclass(frozen=True, slots=True)
class Formed:
    """Payload of ``FORM``: memories formed from episodes (all from the same ones), or ``removed`` by an undo.

    ``cycle`` names the dream or the undo it belongs to; empty: neither.
    """

    added: tuple[Memory, ...]
    removed: tuple[Memory, ...] = ()
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """Payload of ``CHANGE``: the changes of some memories. An event that changes a text changes one memory only."""

    changes: tuple[Change, ...]
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """Payload of ``RELATE``: edges that were added and removed."""

    added: tuple[Relation, ...]
    removed: tuple[Relation, ...] = ()
    cycle: str = ""


class DreamStage(StrEnum):
    """Progress of a dream, as its events record it."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Dreamt:
    """Payload of ``DREAM``: the consolidation of a period has begun, is done, or was undone as a whole."""

    cycle: str
    period: str
    stage: DreamStage


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Payload of ``FORGET``: the end of the memory's validity, before and after; None: it is still valid."""

    memory: str
    before: datetime | None
    after: datetime | None


@dataclass(frozen=True, slots=True)
class Erased:
    """Payload of ``ERASE``: the erased memories, and the sequence numbers of the events whose content was erased.

    ``headers`` are digests of the remaining headers of old events whose reason was erased: until 2026-11-24 a header's
    hash covered the reason itself, so only this digest can show that the rest is unchanged. ``reasons`` are the numbers
    of events that keep their content but lost a reason that quoted an erased memory.
    """

    memories: tuple[str, ...]
    events: tuple[int, ...]
    headers: tuple[str, ...] = ()
    reasons: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """Payload of ``RECORD``: one of the scope's records, before and after; None: there is none. One of them is given.

    Both have the same sort and name.
    """

    before: Record | None
    after: Record | None

    @property
    def record(self) -> Record:
        """Return the record that the event is about, as it was last."""
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Reach:
    """What an erasure removes from the journal: the numbers, ascending, of the events that lose their content.

    ``unreasoned`` are the numbers of events that keep their content and lose the reason a caller gave for them.
    """

    emptied: tuple[int, ...]
    unreasoned: tuple[int, ...]


Payload: TypeAlias = Remembered | Recalled | Formed | Changed | Related | Dreamt | Forgotten | Erased | Recorded


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before the store chains it. ``salt`` (16 random bytes) prevents guessing the content by its digest."""

    scope: Scope
    at: datetime
    actor: str
    action: Action
    why: str
    payload: Payload
    salt: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """One mutation in the journal. ``payload`` and ``salt`` are None after the content was erased.

    ``hash`` = SHA-256 over the previous hash, the header and ``digest``; ``digest`` = SHA-256 over salt and payload.
    All three are lower-case hex.
    """

    seq: int
    scope: Scope
    at: datetime
    actor: str
    action: Action
    why: str
    payload: Payload | None
    salt: bytes | None
    digest: str
    previous: str
    hash: str


def apart(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events, those that hold many recalls as one for each recall, with its time; else they are unchanged."""
    for event in events:
        if not isinstance(event.payload, Recalled) or not event.payload.recalls:
            yield event
            continue
        for at, memories in event.payload.each(event.at):
            yield replace(event, at=at, payload=Recalled(memories))
