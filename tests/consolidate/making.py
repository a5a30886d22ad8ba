"""What the tests of the dream are made of: memories, nights and snapshots, and where memories lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from reverie.consolidate.snapshot import Night, Outcome, Snapshot, snapshot_of
from reverie.consolidate.themes import Extractive
from reverie.events import Value
from reverie.types import Companions, FloatArray, Kind, Memory, Relation, RelationKind, Role, Scope, Standing

HERE = Scope("helper", "ada", "home")
NOW = datetime(2026, 6, 15, 3, tzinfo=UTC)
TODAY = datetime(2026, 6, 15, tzinfo=UTC)
_LIFE = {field.name for field in fields(Standing)}


def days_ago(days: float) -> datetime:
    """A moment before the night."""
    return NOW - timedelta(days=days)


def memory(
    name: str, text: str = "", *, age_days: float = 100.0, idle_days: float | None = None, **more: object
) -> Memory:
    """A formed memory, recorded ``age_days`` before the night and last accessed ``idle_days`` before it."""
    life = Standing(**{key: value for key, value in more.items() if key in _LIFE})  # type: ignore[arg-type]  # tests name fields
    made = Memory(
        id=name,
        scope=HERE,
        kind=Kind.FACT,
        text=text or f"Something about {name}.",
        at=days_ago(age_days),
        recorded_at=days_ago(age_days),
        session="s",
        seq=0,
        speaker="Ada",
        role=Role.USER,
        sources=(f"e-{name}",),
        last_access=None if idle_days is None else days_ago(idle_days),
        standing=life,
    )
    own = {key: value for key, value in more.items() if key not in _LIFE}
    return replace(made, **own)  # type: ignore[arg-type]  # tests name the fields they mean


class Lying:
    """Memories lie where a test says, by id; all others nowhere, near nothing.

    ``spread``: so many times closer together than a recipe's numbers mean.
    """

    def __init__(self, places: dict[str, Sequence[float]] | None = None, dims: int = 16, spread: float = 1.0) -> None:
        self._places = places or {}
        self._dims = dims
        self._spread = spread

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """(m, dims)."""
        rows = np.zeros((len(memories), self._dims), np.float32)
        for row, one in zip(rows, memories, strict=True):
            given = self._places.get(one.id, ())
            row[: len(given)] = given
        return rows

    def read(self, cosine: float) -> float:
        return 1.0 - (1.0 - cosine) * self._spread

    def edge(self, cosine: float) -> float:
        return 1.0 - (1.0 - cosine) / self._spread


def at_cosine(cosine: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two unit vectors of this cosine."""
    return (1.0, 0.0), (cosine, float(np.sqrt(1.0 - cosine * cosine)))


def night(since: datetime | None = None, start: datetime = TODAY) -> Night:
    """The night of 15 June."""
    return Night("cycle", NOW, start, since)


def snapshot(
    *memories: Memory,
    relations: Sequence[Relation] = (),
    companions: Sequence[Companions] = (),
    lying: Lying | None = None,
    when: Night | None = None,
) -> Snapshot:
    """A snapshot of these memories."""
    return snapshot_of(memories, when or night(), HERE, lying or Lying(), Extractive(), relations, companions)


def edge(source: str, target: str, kind: RelationKind, *, days: float = 1.0) -> Relation:
    """An edge found some days before the night."""
    return Relation(source, target, kind, 1.0, days_ago(days))


def together(first: str, second: str, count: int, *, days: float = 1.0) -> Companions:
    """Two memories that were recalled together."""
    return Companions(first, second, count, days_ago(days + 1), days_ago(days))


def after(outcome: Outcome) -> dict[str, dict[str, Value]]:
    """What an outcome sets, by memory and field."""
    found: dict[str, dict[str, Value]] = {}
    for change in outcome.changes:
        found.setdefault(change.memory, {}).update({field.name: field.after for field in change.fields})
    return found


def why(outcome: Outcome) -> dict[str, str]:
    """Why an outcome changes each memory."""
    return {change.memory: change.why for change in outcome.changes}
