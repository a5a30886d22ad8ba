"""Hash everything a store holds except vectors and terms, to compare two stores.

Two stores that applied the same events have the same digest, whatever kind of store they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias

from reverie.stores.codec import dump, plain_standing, to_micros
from reverie.types import BEGINNING, Episode, Memory, Record, Scope

Mark: TypeAlias = tuple[int, str, bool]
"""An event's number in its scope, its hash, and whether its content was erased."""


def by_name(record: Record) -> tuple[Scope, str, str]:
    """Return what records are sorted by: scope, sort, name."""
    return record.scope, record.sort, record.name


def digest(
    scope: Scope,
    events: Iterable[Mark],
    episodes: Iterable[Episode],
    memories: Iterable[Memory],
    records: Iterable[Record],
) -> str:
    """Return the SHA-256 of a scope: its journal, its episodes in that order, its memories, its records by name."""
    total = sha256(dump(_scope("scope", scope)))
    for mark in events:
        total.update(dump(mark))
    for episode in episodes:
        total.update(dump(_episode(episode)))
    for memory in memories:
        total.update(dump(_memory(memory)))
    for record in records:
        total.update(dump((*_scope("record", record.scope), record.sort, record.name, record.about, record.body)))
    return total.hexdigest()


def digest_of_all(scopes: Iterable[tuple[Scope, str]]) -> str:
    """Return the SHA-256 of a whole store: of the digests of its scopes, scopes in order."""
    total = sha256()
    for scope, one in scopes:
        total.update(dump((*_scope("digest", scope), one)))
    return total.hexdigest()


def root(heads: Mapping[Scope, tuple[int, str]]) -> str:
    """Return the SHA-256 of the heads of all journals: it changes if any of them grows, shrinks or vanishes."""
    total = sha256()
    for scope, head in sorted(heads.items()):
        total.update(dump((*_scope("head", scope), *head)))
    return total.hexdigest()


def _scope(what: str, scope: Scope) -> tuple[str, str, str, str]:
    return what, scope.agent, scope.user, scope.project


def _episode(episode: Episode) -> tuple[object, ...]:
    return (
        *_scope("episode", episode.scope),
        episode.id,
        episode.session,
        episode.seq,
        episode.speaker,
        episode.role,
        episode.text,
        to_micros(episode.at),
        episode.message_id,
    )


def _memory(memory: Memory) -> tuple[object, ...]:
    return (
        "memory",
        memory.id,
        memory.kind,
        memory.text,
        to_micros(memory.at),
        to_micros(memory.recorded_at),
        memory.session,
        memory.seq,
        memory.speaker,
        memory.role,
        memory.sources,
        memory.entities,
        memory.keywords,
        _moment(memory.valid_until),
        memory.accesses,
        _moment(memory.last_access),
        *([plain_standing(memory.standing)] if memory.standing != BEGINNING else ()),
    )


def _moment(at: datetime | None) -> int | None:
    return None if at is None else to_micros(at)
