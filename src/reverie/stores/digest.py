"""One hash over everything a store holds but vectors and terms: journal and projections in, SHA-256 out.

Two stores that applied the same events have the same digest, whatever they are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from reverie.stores import codec
from reverie.types import Episode, Event, Memory, Scope


def digest(events: Iterable[Event], scopes: Iterable[tuple[Scope, Iterator[Episode], Iterator[Memory]]]) -> str:
    """SHA-256 over the journal, then every scope (by name) with its episodes and memories in order of writing."""
    total = sha256()
    for event in events:
        total.update(codec.dump([event.seq, event.hash, event.payload is None]))
    for scope, episodes, memories in scopes:
        total.update(codec.dump([scope.agent, scope.user, scope.project]))
        for episode in episodes:
            total.update(codec.dump(codec.episode_fields(episode)))
        for memory in memories:
            total.update(codec.dump(codec.memory_fields(memory)))
    return total.hexdigest()
