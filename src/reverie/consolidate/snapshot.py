"""Values a step of the dream reads and returns: snapshot and outcome.

In: the scope's formed memories, their numbers as columns, edges, co-retrieved pairs, vectors. Out: changes, new
memories, edges and notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, TypeVar

import numpy as np

from reverie.consolidate.runs import RecordedRun
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

TOLD = 3
"""Number of changed memories whose text an outcome keeps, for reports."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that belong together, as rows of the snapshot; ``label`` is the entity or category they share."""

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
    """Decisions of a step; each ``formed`` memory precedes the changes and edges that refer to it.

    ``clusters``, ``pairs`` (all near ones, if searched), ``hot`` and ``texts`` (texts of a few changed memories, by id)
    are for later steps and the caller, and are not written.
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
    """Builder of an outcome: collects the decisions of a step in order."""

    changes: list[Change] = field(default_factory=list)
    formed: list[Memory] = field(default_factory=list)
    related: list[Relation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def alter(self, memory: Memory, why: str, **after: Value) -> None:
        """Add a change of a memory's fields, unless nothing differs."""
        change = alteration(memory, why, **after)
        if change.fields:
            self.changes.append(change)
            if len(self.texts) < TOLD:
                self.texts[memory.id] = memory.text

    def outcome(self) -> Outcome:
        """Return the collected outcome."""
        return Outcome(self.changes, tuple(self.formed), self.related, (), tuple(self.notes), texts=self.texts)


# The scope as a step sees it.


T = TypeVar("T")

DAY_S = 86_400.0
TIERS = {tier: code for code, tier in enumerate(Tier)}


class Nearness(Protocol):
    """Vectors of memories: unit vectors, or zeros for a memory without one."""

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """Return the vectors (m, dims) of memories."""
        ...

    def read(self, cosine: float) -> float:
        """Convert a cosine of these vectors to the documents' scale, because models differ in their cosines."""
        ...

    def edge(self, cosine: float) -> float:
        """Convert a cosine on the documents' scale, as recipes give it, to one of these vectors."""
        ...


class Voice(Protocol):
    """Writer of summaries: a language model, or extraction of the memories' own sentences."""

    def theme(self, texts: Sequence[str]) -> str:
        """Summarise texts as a theme."""
        ...

    def pattern(self, texts: Sequence[str]) -> str:
        """State the habit common to the texts."""
        ...

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """Summarise a category's texts in a few sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Columns:
    """Numeric fields of n memories, (n,) each. ``idle_days`` count from the last access, else from recording."""

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
        """Compute the columns as of ``now``; ``fresh``: recorded after ``since``, or True for all if that is None."""
        rows = [_row(memory, now, since) for memory in memories]
        if not rows:
            return cls(*(np.empty(0, kind) for kind in _DTYPES))
        return cls(*(np.array(values, kind) for values, kind in zip(zip(*rows, strict=True), _DTYPES, strict=True)))

    def put(self, rows: Sequence[int], fresh: Columns) -> Columns:
        """Return a copy with these rows replaced; rows beyond the end are appended."""
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
        days_between(memory.last_access or memory.aged_from, now),
        days_between(memory.aged_from, now),
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
    """Sort key that orders memories from the oldest to the newest."""
    return memory.at, memory.recorded_at, memory.id


def days_between(before: datetime, now: datetime) -> float:
    """Return the days from one time to another; 0 if negative."""
    return max(0.0, (now - before).total_seconds() / DAY_S)


_RECALLED = np.array([state in RECALLED_STATES for state in State])


@dataclass(frozen=True, slots=True)
class Night:
    """Identity of a dream: cycle id, time, start of its period, and end of an earlier dream in the period.

    ``since``: None for the period's first dream; otherwise only memories recorded after it are processed, because the
    others already were in this period.
    """

    cycle: str
    at: datetime
    period_start: datetime
    since: datetime | None = None


class Pace(Protocol):
    """Iteration policy of long loops: without pauses, or with pauses for other work."""

    def __call__(self, things: Iterable[T], /) -> Iterable[T]:
        """Yield the things in order."""
        ...


def at_once(things: Iterable[T]) -> Iterable[T]:
    """Return the things unchanged, without pauses."""
    return things


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a step may read. ``memories`` are the formed ones in order of writing.

    ``clusters`` and ``pairs`` are results of an earlier step of the dream. Long loops run at ``pace``. ``runs`` are the
    runs of skills, oldest first, for a dream that has the step for them.
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
    runs: tuple[RecordedRun, ...] = ()

    @property
    def active(self) -> Bools:
        """Compute (n,) which memories are valid and in a state that is recalled."""
        recalled: Bools = _RECALLED[self.columns.states]
        return recalled & self.columns.holds

    @property
    def free(self) -> Bools:
        """Compute (n,) which memories a step may change: neither immutable nor pinned nor processed in this period."""
        return self.columns.fresh & ~self.columns.immutable & ~self.columns.pinned

    def vectors(self, rows: Sequence[int]) -> FloatArray:
        """Return the unit vectors (m, dims) of rows."""
        return self.nearness.vectors([self.memories[row] for row in rows])

    def row(self, memory_id: str) -> int | None:
        """Return the row of a formed memory, or None."""
        return self.places.get(memory_id)

    def memory(self, memory_id: str) -> Memory | None:
        """Return a formed memory by its id, or None."""
        row = self.places.get(memory_id)
        return None if row is None else self.memories[row]

    def resting_in(self, memory_id: str) -> list[Memory]:
        """Return the memories that this one replaces."""
        return [memory for memory in self.memories if memory.standing.superseded_by == memory_id]

    def linked(self) -> set[tuple[str, str, RelationKind]]:
        """Return the identities of all edges."""
        return {relation.ends for relation in self.relations}

    def after(self, outcome: Outcome) -> Snapshot:
        """Apply an outcome and return the resulting snapshot."""
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
    """Create a snapshot of formed memories as of a dream."""
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
