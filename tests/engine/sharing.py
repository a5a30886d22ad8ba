"""A reference model of sharing between scopes: who may recall what, by walking every way from a giver to a receiver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from reverie import Kind, Scope
from reverie.engine.grants import Grant


@dataclass(slots=True)
class Shared:
    """One memory as the model knows it; ``open``: it may be handed over."""

    scope: Scope
    kind: Kind
    tags: frozenset[str]
    open: bool = True


@dataclass(slots=True)
class SharingModel:
    """The memories and the standing grants of a store, by id."""

    memories: dict[str, Shared] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)

    def ways(self, receiver: Scope, now: datetime) -> Iterator[tuple[Grant, ...]]:
        """Yield every way by which memories reach a receiver: its grant first; no scope occurs twice."""
        yield from self._behind((), receiver, {receiver}, now)

    def _behind(
        self, way: tuple[Grant, ...], at: Scope, passed: set[Scope], now: datetime
    ) -> Iterator[tuple[Grant, ...]]:
        for grant in self.grants.values():
            holds = (grant.since is None or grant.since <= now) and (grant.until is None or now < grant.until)
            if grant.receiver == at and grant.giver not in passed and holds and (not way or grant.may_reshare):
                yield (*way, grant)
                yield from self._behind((*way, grant), grant.giver, passed | {grant.giver}, now)

    def granted(self, receiver: Scope, now: datetime) -> set[str]:
        """Return the ids of all memories of others that a receiver may recall."""
        ways = list(self.ways(receiver, now))
        return {name for name, one in self.memories.items() if any(_reaches(way, one) for way in ways)}


def _reaches(way: tuple[Grant, ...], memory: Shared) -> bool:
    if not memory.open or way[-1].giver != memory.scope:
        return False
    return all(
        (not grant.kinds or memory.kind in grant.kinds) and (not grant.tags or not memory.tags.isdisjoint(grant.tags))
        for grant in way
    )
