"""What a step of the dream sees and what it decides, as values.

In: the scope's formed memories, their numbers as columns, edges, companions, how near they lie. Out: changes, new
memories, edges, and what was found worth telling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, TypeVar

import numpy as np

from reverie.events import Change, Value, alteration, changed
from reverie.formulas.arrays import Bools, Floats
from reverie.types import (
    KIND_CODES,
    RECALLED_STATES,
    STATE_CODES,
    Companions,
    FloatArray,
    IntArray,
    Memory,
    Relation,
    RelationKind,
    Scope,
    State,
    Tier,
)

# What a step decides, as values: changes, new memories, edges, and what it found worth telling.


TOLD = 3
"""Changed memories of which an outcome keeps the words, to be told by them."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that belong together, by their rows in the snapshot; ``label`` says around what."""

    label: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows of a snapshot, ``first`` < ``second``, and their cosine."""

    first: int
    second: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step wants done; each ``formed`` memory comes before the changes and edges that name it.

    ``clusters``, ``pairs`` (all near ones, if it looked for them), ``hot`` and ``texts`` (the words of a few changed
    memories, by id) are for the steps after and for the caller; they are not written.
    """

    changes: Sequence[Change] = ()
    formed: tuple[Memory, ...] = ()
    related: Sequence[Relation] = ()
    unrelated: Sequence[Relation] = ()
    notes: tuple[str, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    pairs: Sequence[Pair] | None = None
    hot: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(slots=True)
class Gathering:
    """Collects what a step decides, in the order it decides it."""

    changes: list[Change] = field(default_factory=list)
    formed: list[Memory] = field(default_factory=list)
    related: list[Relation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def alter(self, memory: Memory, why: str, **after: Value) -> None:
        """Note a change, if there is one."""
        change = alteration(memory, why, **after)
        if change.fields:
            self.changes.append(change)
            if len(self.texts) < TOLD:
                self.texts[memory.id] = memory.text

    def outcome(self) -> Outcome:
        """All of it."""
        return Outcome(self.changes, tuple(self.formed), self.related, (), tuple(self.notes), texts=self.texts)


# The scope as a step sees it: formed memories, their numbers as columns, edges, companions, and how near they lie.


T = TypeVar("T")

DAY_S = 86_400.0
TIERS = {tier: code for code, tier in enumerate(Tier)}


class Nearness(Protocol):
    """Where memories lie: a unit vector each, zeros where there is none."""

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """(m, dims) for these memories."""
        ...

    def read(self, cosine: float) -> float:
        """A cosine of these vectors on the documents' scale: models differ in how near unrelated texts lie."""
        ...

    def edge(self, cosine: float) -> float:
        """The other way round: the cosine of these vectors that a recipe means by one."""
        ...


class Voice(Protocol):
    """Who puts a group of memories into words: a language model, or the memories' own sentences."""

    def theme(self, texts: Sequence[str]) -> str:
        """What they say together."""
        ...

    def pattern(self, texts: Sequence[str]) -> str:
        """The habit behind them."""
        ...

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """A category in a few sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Columns:
    """The numbers of n memories, (n,) each. ``idle_days`` counts from the last access, else from recording."""

    importance: Floats
    utility: Floats
    stability_days: Floats
    accesses: Floats
    idle_days: Floats
    age_days: Floats
    kinds: IntArray
    states: IntArray
    tiers: IntArray
    pinned: Bools
    immutable: Bools
    holds: Bools
    fresh: Bools
    dreamt: Bools

    @classmethod
    def of(cls, memories: Iterable[Memory], now: datetime, since: datetime | None) -> Columns:
        """The columns as of ``now``; ``fresh`` are those recorded after ``since``, all where it is None."""
        rows = [_row(memory, now, since) for memory in memories]
        if not rows:
            return cls(*(np.empty(0, kind) for kind in _DTYPES))
        return cls(*(np.array(values, kind) for values, kind in zip(zip(*rows, strict=True), _DTYPES, strict=True)))

    def put(self, rows: Sequence[int], fresh: Columns) -> Columns:
        """A copy with these rows replaced; rows from the end on are added."""
        at = np.asarray(rows, np.int64)
        size = len(self.importance)
        inside, beyond = at < size, at >= size
        made = []
        for name in self.__slots__:
            column, values = getattr(self, name).copy(), getattr(fresh, name)
            column[at[inside]] = values[inside]
            made.append(np.concatenate([column, values[beyond]]) if beyond.any() else column)
        return Columns(*made)


_DTYPES = (*[np.float64] * 6, *[np.int64] * 3, *[np.bool_] * 5)


def _row(memory: Memory, now: datetime, since: datetime | None) -> tuple[float | bool, ...]:
    life = memory.standing
    return (
        life.importance,
        life.utility,
        life.stability_days,
        memory.accesses,
        days_between(memory.last_access or memory.recorded_at, now),
        days_between(memory.recorded_at, now),
        KIND_CODES[memory.kind],
        STATE_CODES[life.state],
        TIERS[life.tier],
        life.pinned,
        life.immutable,
        memory.holds_at(now),
        since is None or memory.recorded_at > since,
        memory.is_dreamt,
    )


def by_age(memory: Memory) -> tuple[datetime, datetime, str]:
    """What memories are put in order by, the oldest first."""
    return memory.at, memory.recorded_at, memory.id


def days_between(before: datetime, now: datetime) -> float:
    """Days from one moment to another; 0 if the clock ran backwards."""
    return max(0.0, (now - before).total_seconds() / DAY_S)


_RECALLED = np.array([state in RECALLED_STATES for state in State])


@dataclass(frozen=True, slots=True)
class Night:
    """Which dream it is: the cycle, its moment, when its period began, and when an earlier one of the period ended.

    ``since``: None where this is the period's first; else only what came after is taken up, for everything else has
    had its night.
    """

    cycle: str
    at: datetime
    period_start: datetime
    since: datetime | None = None


class Pace(Protocol):
    """How a loop goes over things: as they are, or with pauses for who cannot wait."""

    def __call__(self, things: Iterable[T], /) -> Iterable[T]:
        """The things, in order."""
        ...


def at_once(things: Iterable[T]) -> Iterable[T]:
    """The things without a pause."""
    return things


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a step may look at. ``memories`` are the formed ones in order of writing.

    ``clusters`` and ``pairs`` are what an earlier step of the night has found. Long loops go at ``pace``.
    """

    scope: Scope
    night: Night
    memories: tuple[Memory, ...]
    columns: Columns
    places: Mapping[str, int]
    relations: tuple[Relation, ...]
    companions: tuple[Companions, ...]
    nearness: Nearness
    voice: Voice
    clusters: tuple[Cluster, ...] = ()
    pairs: Sequence[Pair] | None = None
    pace: Pace = at_once

    @property
    def active(self) -> Bools:
        """(n,) which memories hold and are in a state that is recalled."""
        recalled: Bools = _RECALLED[self.columns.states]
        return recalled & self.columns.holds

    @property
    def free(self) -> Bools:
        """(n,) which memories a step may strengthen or move on: neither immutable nor taken up in this period."""
        return self.columns.fresh & ~self.columns.immutable & ~self.columns.pinned

    def vectors(self, rows: Sequence[int]) -> FloatArray:
        """(m, dims) unit vectors of these rows."""
        return self.nearness.vectors([self.memories[row] for row in rows])

    def row(self, memory_id: str) -> int | None:
        """The row of a formed memory."""
        return self.places.get(memory_id)

    def memory(self, memory_id: str) -> Memory | None:
        """A formed memory by its id."""
        row = self.places.get(memory_id)
        return None if row is None else self.memories[row]

    def resting_in(self, memory_id: str) -> list[Memory]:
        """Return the memories that this one replaces."""
        return [memory for memory in self.memories if memory.standing.superseded_by == memory_id]

    def linked(self) -> set[tuple[str, str, RelationKind]]:
        """The edges there are."""
        return {relation.ends for relation in self.relations}

    def after(self, outcome: Outcome) -> Snapshot:
        """The snapshot that an outcome leads to."""
        memories = list(self.memories)
        places = dict(self.places) if outcome.formed else self.places
        touched: dict[int, None] = {}
        for memory in outcome.formed:
            places[memory.id] = len(memories)  # type: ignore[index]  # a copy of our own, made above
            touched[len(memories)] = None
            memories.append(memory)
        for change in self.pace(outcome.changes):
            row = places[change.memory]
            memories[row] = changed(memories[row], change)
            touched[row] = None
        columns = self.columns
        if touched:
            rows = list(touched)
            changed_rows = self.pace([memories[row] for row in rows])
            fresh = Columns.of(changed_rows, self.night.at, self.night.since)
            columns = columns.put(rows, fresh)
        gone = {relation.ends for relation in outcome.unrelated}
        kept = [relation for relation in self.relations if relation.ends not in gone] if gone else self.relations
        return replace(
            self,
            memories=tuple(memories),
            columns=columns,
            places=places,
            relations=(*kept, *outcome.related),
            clusters=outcome.clusters or self.clusters,
            pairs=self.pairs if outcome.pairs is None else outcome.pairs,
        )


def snapshot_of(  # noqa: PLR0913 - it gathers what a step may look at, which is as much as there is
    memories: Sequence[Memory],
    night: Night,
    scope: Scope,
    nearness: Nearness,
    voice: Voice,
    relations: Sequence[Relation] = (),
    companions: Sequence[Companions] = (),
) -> Snapshot:
    """A snapshot of formed memories as of a night."""
    return Snapshot(
        scope=scope,
        night=night,
        memories=tuple(memories),
        columns=Columns.of(memories, night.at, night.since),
        places={memory.id: row for row, memory in enumerate(memories)},
        relations=tuple(relations),
        companions=tuple(companions),
        nearness=nearness,
        voice=voice,
    )
