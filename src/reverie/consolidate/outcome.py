"""What a step decides, as values: changes, new memories, edges, and what it found worth telling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reverie.events import Change, Value, alteration
from reverie.types import Memory, Relation

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
