"""How memories stand, in words and in numbers: in, memories; out, rows for people and a census of a scope."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from reverie.faces.cli.screen import Column, Screen, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.engine.core import Reverie
    from reverie.types import Memory, Scope


@dataclass(frozen=True, slots=True)
class Census:
    """How many memories were formed, of which kinds, in which tiers and states; how many of all are in quarantine."""

    formed: int
    kinds: Counter[str]
    tiers: Counter[str]
    states: Counter[str]
    pinned: int
    immutable: int
    quarantined: int
    relations: int

    def rows(self) -> list[tuple[str, str]]:
        """For people: what, and how many; nothing that there is none of."""
        counted = [pair for counts in (self.kinds, self.tiers, self.states) for pair in sorted(counts.items())]
        marked = [("pinned", self.pinned), ("immutable", self.immutable), ("links", self.relations)]
        rows = [("formed", self.formed), *((f"  {name}", count) for name, count in [*counted, *marked] if count)]
        return [(name, str(count)) for name, count in [*rows, ("in quarantine", self.quarantined)]]

    def shape(self) -> dict[str, object]:
        """For programs: every count under its own name."""
        counted = {name: dict(getattr(self, name)) for name in ("kinds", "tiers", "states")}
        return {field.name: getattr(self, field.name) for field in fields(self)} | counted


def census(memory: Reverie, scope: Scope) -> Census:
    """How a scope stands."""
    formed = memory.formed(scope)
    return Census(
        formed=len(formed),
        kinds=Counter(str(one.kind) for one in formed),
        tiers=Counter(str(one.standing.tier) for one in formed),
        states=Counter(str(one.standing.state) for one in formed),
        pinned=sum(one.standing.pinned for one in formed),
        immutable=sum(one.standing.immutable for one in formed),
        quarantined=len(memory.quarantined(scope)),
        relations=len(memory.relations(scope)),
    )


def describe(memory: Memory) -> str:
    """How a memory stands, in a few words."""
    life = memory.standing
    marks = [mark for mark, is_set in (("pinned", life.pinned), ("immutable", life.immutable)) if is_set]
    marks += ["verified"] if life.verified else []
    numbers = f"importance {life.importance:.2f}, utility {life.utility:.2f}"
    return ", ".join([str(memory.kind), str(life.tier), str(life.state), numbers, *marks])


def show_memories(screen: Screen, memories: Sequence[Memory]) -> None:
    """A row a memory: what it is, how it stands, and its words."""
    if not memories:
        return
    columns = [Column("kind", style="cyan"), Column("stands", style="green"), Column("memory", wraps=True)]
    columns += [Column("entities", style="magenta", under=True), Column("id", style="dim", under=True)]
    rows = [(str(m.kind), stands(m), cut(m.text), ", ".join(m.entities), m.id) for m in memories]
    screen.table(columns, rows)


def stands(memory: Memory) -> str:
    """A formed memory's tier and state, in two words; nothing for an episode that is as it was said."""
    life = memory.standing
    if memory.sources == (memory.id,):
        return "" if life.state == "active" else str(life.state)
    return f"{life.tier} {life.state}"
