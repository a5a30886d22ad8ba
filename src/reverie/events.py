"""Define the events of a store as values: who changed what, when and why, with the values before and after.

A ``Change`` is the only way to alter a memory. It holds each field's value before and after, so that it can be read,
applied and reversed. The functions here are pure: they map a memory and a change to a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from reverie.types import Episode, Memory, Relation, Scope, Standing

OBSERVED = "observed"
"""Reason of the events written by ``observe``, which runs the whole write path and not only keeps the text."""

GATED = "gated"
"""Reason of a recall event whose recall returned nothing because no candidate was sure enough."""


_PLAIN_REASONS = frozenset({"", "said", "imported", OBSERVED, GATED})
_MADE_REASON = (
    r"dream [\w-]+(: [a-z ]+| taken back)|dream (begun|done|undone)|event \d+ taken back|taken back|restored"
    r"|(captured|contradicted|corrected) by [\w-]+|corrects [\w-]+|part of a theme|a source was taken back"
    r"|related by hand|noted|amended by hand|holds again|released|revived|(un)?pinned|made (im)?mutable"
    r"|feedback: [a-z]+|too many relations|outlived its session|prediction error [\d.]+ to [\w-]+, importance [\d.]+"
)


def is_wordless(why: str) -> bool:
    """Whether a reason is one of the engine's own, which contain ids, numbers and steps but no user text.

    Any other reason counts as content: it is hashed with the event's salt, and is erased with the memories it mentions.
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


Value: TypeAlias = str | float | int | bool | datetime | tuple[str, ...] | None
"""The value of a memory's field; tiers, states and kinds are represented by their names."""

_STANDING = tuple(field.name for field in fields(Standing))
_OWN = ("kind", "text", "at", "sources", "entities", "keywords", "valid_until", "accesses", "last_access")
CHANGEABLE = (*_OWN, *_STANDING)
"""The fields of a memory that an event may change; the other fields record its origin."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The change of one field of a memory, with its value before and after."""

    name: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Change:
    """The changed fields of one memory, and the reason."""

    memory: str
    fields: tuple[FieldChange, ...]
    why: str = ""

    @property
    def rewords(self) -> bool:
        """Whether the memory's text changes, so that it must be indexed again."""
        return any(field.name == "text" for field in self.fields)

    def reverse(self, why: str) -> Change:
        """Return the change that reverses this one."""
        return Change(self.memory, tuple(FieldChange(f.name, f.after, f.before) for f in self.fields), why)


def difference(before: Memory, after: Memory, why: str = "") -> Change:
    """Compute the change that turns ``before`` into ``after``; it has no fields if they are equal."""
    own = [(name, getattr(before, name), getattr(after, name)) for name in _OWN]
    if before.standing is not after.standing:
        own += [(name, getattr(before.standing, name), getattr(after.standing, name)) for name in _STANDING]
    return _change(before, own, why)


def alteration(memory: Memory, why: str, **after: Value) -> Change:
    """Compute the change that sets these fields of a memory; it has no fields if they are already set."""
    held = ((name, getattr(memory.standing if name in _STANDING else memory, name), now) for name, now in after.items())
    return _change(memory, held, why)


def _change(memory: Memory, rows: Iterable[tuple[str, Value, Value]], why: str) -> Change:
    """Build a change from rows of field name, value before and value after, leaving out fields that are equal."""
    return Change(memory.id, tuple(FieldChange(*row) for row in sorted(rows, key=_name) if row[1] != row[2]), why)


def _name(row: tuple[str, Value, Value]) -> str:
    return row[0]


def changed(memory: Memory, change: Change) -> Memory:
    """Apply one change to a memory."""
    if not change.fields:
        return memory
    own = {field.name: field.after for field in change.fields if field.name not in _STANDING}
    life = {field.name: field.after for field in change.fields if field.name in _STANDING}
    if life:
        own["standing"] = replace(memory.standing, **life)  # type: ignore[arg-type,assignment] # checked when encoded
    return replace(memory, **own)  # type: ignore[arg-type] # checked when encoded


def folded(memory: Memory, changes: Iterable[Change]) -> Memory:
    """Apply changes to a memory, in order."""
    for change in changes:
        memory = changed(memory, change)
    return memory


@dataclass(frozen=True, slots=True)
class Remembered:
    """Payload of ``REMEMBER``: the episode and the memories that carry its text."""

    episode: Episode
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Payload of ``RECALL``: the ids of the injected memories, and the changes that strengthened them.

    Access counts, and how often two memories were recalled together, are derived from these events alone.
    """

    memories: tuple[str, ...]
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Formed:
    """Payload of ``FORM``: memories ``added``, all formed from the same episodes, or ``removed`` by an undo.

    ``cycle`` names the dream that made the event, or that it undoes; empty: a write.
    """

    added: tuple[Memory, ...]
    removed: tuple[Memory, ...] = ()
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """Payload of ``CHANGE``: changes of memories. If one changes a memory's text, it is the only change."""

    changes: tuple[Change, ...]
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """Payload of ``RELATE``: edges added and edges removed."""

    added: tuple[Relation, ...]
    removed: tuple[Relation, ...] = ()
    cycle: str = ""


class DreamStage(StrEnum):
    """The progress of a dream."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Dreamt:
    """Payload of ``DREAM``: a dream over a period began, finished, or was undone as a whole."""

    cycle: str
    period: str
    stage: DreamStage


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Payload of ``FORGET``: the end of the memory's validity (``valid_until``), before and after."""

    memory: str
    before: datetime | None
    after: datetime | None


@dataclass(frozen=True, slots=True)
class Erased:
    """Payload of ``ERASE``: the erased memories, and the numbers of the events whose content was erased with them.

    ``headers`` are digests of what remains of the headers of old events whose reason was erased: until 2026-11-24 a
    header's hash covered the reason itself, so that only this digest shows the rest is unchanged. ``reasons`` are the
    numbers of events that remain but lost a reason that quoted erased text.
    """

    memories: tuple[str, ...]
    events: tuple[int, ...]
    headers: tuple[str, ...] = ()
    reasons: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """What an erasure removes from the journal: the numbers, ascending, of the events that lose their content.

    ``unreasoned`` are the events that remain and lose only the reason given for them.
    """

    emptied: tuple[int, ...]
    unreasoned: tuple[int, ...]


Payload: TypeAlias = Remembered | Recalled | Formed | Changed | Related | Dreamt | Forgotten | Erased


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before the store chains it. ``salt`` (16 random bytes) keeps its digest from revealing its content."""

    scope: Scope
    at: datetime
    actor: str
    action: Action
    why: str
    payload: Payload
    salt: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """One change in the journal. ``payload`` and ``salt`` are None once the content was erased.

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
