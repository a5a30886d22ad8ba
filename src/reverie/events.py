"""What happens to a store, as values: every mutation is an event with who, when, why, before and after.

A ``Change`` is the one way a memory is altered; it says each field's value before and after, so it can be read,
applied, and taken back. What is computed here is pure: a memory and a change in, a memory out.
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
"""Why an event was written that the whole write path wrote: more than keeping words was meant."""

GATED = "gated"
"""Why a recall was written that handed nothing over, because nothing was sure enough."""


_PLAIN_REASONS = frozenset({"", "said", "imported", OBSERVED, GATED})
_MADE_REASON = (
    r"dream [\w-]+(: [a-z ]+| taken back)|dream (begun|done|undone)|event \d+ taken back|taken back|restored"
    r"|(captured|contradicted|corrected) by [\w-]+|corrects [\w-]+|part of a theme|a source was taken back"
    r"|related by hand|noted|amended by hand|holds again|released|revived|(un)?pinned|made (im)?mutable"
    r"|feedback: [a-z]+|too many relations|outlived its session|prediction error [\d.]+ to [\w-]+, importance [\d.]+"
)


def is_wordless(why: str) -> bool:
    """Whether a reason is one of the engine's own, which name ids, numbers and steps but nothing that anybody said.

    Any other reason counts as content: it is hashed with the event's salt and goes with what it speaks of.
    """
    return why in _PLAIN_REASONS or re.fullmatch(_MADE_REASON, why) is not None


class Action(StrEnum):
    """What an event did to the store."""

    REMEMBER = "remember"
    RECALL = "recall"
    FORM = "form"
    CHANGE = "change"
    RELATE = "relate"
    DREAM = "dream"
    FORGET = "forget"
    ERASE = "erase"


Value: TypeAlias = str | float | int | bool | datetime | tuple[str, ...] | None
"""What a field of a memory can hold; tiers, states and kinds stand as their names."""

_STANDING = tuple(field.name for field in fields(Standing))
_OWN = ("kind", "text", "at", "sources", "entities", "keywords", "valid_until", "accesses", "last_access")
CHANGEABLE = (*_OWN, *_STANDING)
"""The fields of a memory that an event may change; the rest is where it came from."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a memory, before → after."""

    name: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed in one memory, and why."""

    memory: str
    fields: tuple[FieldChange, ...]
    why: str = ""

    @property
    def rewords(self) -> bool:
        """Whether the memory's words change, so that it must be indexed anew."""
        return any(field.name == "text" for field in self.fields)

    def reverse(self, why: str) -> Change:
        """The change that takes this one back."""
        return Change(self.memory, tuple(FieldChange(f.name, f.after, f.before) for f in self.fields), why)


def difference(before: Memory, after: Memory, why: str = "") -> Change:
    """Return the change that turns ``before`` into ``after``; without fields if they are equal."""
    own = [(name, getattr(before, name), getattr(after, name)) for name in _OWN]
    if before.standing is not after.standing:
        own += [(name, getattr(before.standing, name), getattr(after.standing, name)) for name in _STANDING]
    return _change(before, own, why)


def alteration(memory: Memory, why: str, **after: Value) -> Change:
    """The change that sets these fields of a memory; without fields when they hold already."""
    held = ((name, getattr(memory.standing if name in _STANDING else memory, name), now) for name, now in after.items())
    return _change(memory, held, why)


def _change(memory: Memory, rows: Iterable[tuple[str, Value, Value]], why: str) -> Change:
    """A change by the name of each field, before and after, where the two differ."""
    return Change(memory.id, tuple(FieldChange(*row) for row in sorted(rows, key=_name) if row[1] != row[2]), why)


def _name(row: tuple[str, Value, Value]) -> str:
    return row[0]


def changed(memory: Memory, change: Change) -> Memory:
    """The memory after the change."""
    if not change.fields:
        return memory
    own = {field.name: field.after for field in change.fields if field.name not in _STANDING}
    life = {field.name: field.after for field in change.fields if field.name in _STANDING}
    if life:
        own["standing"] = replace(memory.standing, **life)  # type: ignore[arg-type,assignment] # checked when encoded
    return replace(memory, **own)  # type: ignore[arg-type] # checked when encoded


def folded(memory: Memory, changes: Iterable[Change]) -> Memory:
    """The memory after all changes, in order."""
    for change in changes:
        memory = changed(memory, change)
    return memory


@dataclass(frozen=True, slots=True)
class Remembered:
    """Payload of ``REMEMBER``: the episode and the memories that carry its own words."""

    episode: Episode
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Payload of ``RECALL``: the ids that were injected, and what that strengthened.

    Access counts, and how often two memories were recalled together, derive from these events alone.
    """

    memories: tuple[str, ...]
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Formed:
    """Payload of ``FORM``: memories made from episodes (all from the same ones), or, taken back, unmade.

    ``cycle`` names the dream or undoing it belongs to; empty: a write.
    """

    added: tuple[Memory, ...]
    removed: tuple[Memory, ...] = ()
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """Payload of ``CHANGE``: what was changed in which memories. One that rewords a memory changes no other."""

    changes: tuple[Change, ...]
    cycle: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """Payload of ``RELATE``: edges that came and edges that went."""

    added: tuple[Relation, ...]
    removed: tuple[Relation, ...] = ()
    cycle: str = ""


class DreamStage(StrEnum):
    """How far a dream has come."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Dreamt:
    """Payload of ``DREAM``: a consolidation of a period began, came to its end, or was taken back whole."""

    cycle: str
    period: str
    stage: DreamStage


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Payload of ``FORGET``: the memory's validity, before → after."""

    memory: str
    before: datetime | None
    after: datetime | None


@dataclass(frozen=True, slots=True)
class Erased:
    """Payload of ``ERASE``: the erased memories, and the numbers of the events whose content was erased.

    ``headers`` are digests of what is left of the headers of old events whose reason went: until 2026-11-24 a header's
    hash covered the reason itself, so without it only this digest shows that the rest is unchanged. ``reasons`` are the
    numbers of events that stay, without reasons that quote what went.
    """

    memories: tuple[str, ...]
    events: tuple[int, ...]
    headers: tuple[str, ...] = ()
    reasons: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """What an erasure takes from the journal: the numbers, ascending, of the events that lose their content.

    ``unreasoned`` are those that stay without the reason somebody gave for them.
    """

    emptied: tuple[int, ...]
    unreasoned: tuple[int, ...]


Payload: TypeAlias = Remembered | Recalled | Formed | Changed | Related | Dreamt | Forgotten | Erased


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before the store has chained it. ``salt`` (16 bytes of chance) keeps the digest from being guessed."""

    scope: Scope
    at: datetime
    actor: str
    action: Action
    why: str
    payload: Payload
    salt: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """One mutation in the journal. ``payload`` and ``salt`` are None once the content was erased.

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
