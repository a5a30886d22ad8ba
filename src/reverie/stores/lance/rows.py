"""A row of OpenClaw's table and a memory of ours, each as the other. Pure: values in, values out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from reverie.types import EPOCH, Kind, Memory, Scope, State

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LATEST_MS = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) / timedelta(milliseconds=1)

OTHER = "other"
_KINDS = {
    "preference": Kind.PREFERENCE,
    "fact": Kind.FACT,
    "decision": Kind.DECISION,
    "entity": Kind.ENTITY,
}
_CATEGORIES = {kind: name for name, kind in _KINDS.items()} | {
    Kind.INSTRUCTION: "preference",
    Kind.CORRECTION: "fact",
}
_SHOWN = frozenset({State.ACTIVE, State.FADING, State.DORMANT})
"""What stands in the table: who sleeps is left out of recall, never deleted (C5)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``created_ms`` counts from the epoch; ``agent`` "": the table does not say whose it is.

    The last four are the columns we add, None where they are empty or absent.
    """

    id: str
    text: str
    importance: float
    category: str
    created_ms: float
    agent: str = ""
    accesses: float | None = None
    last_ms: float | None = None
    stability: float | None = None
    state: str | None = None

    @property
    def mark(self) -> str:
        """Changes when the row says something else."""
        told = f"{len(self.text)}:{self.text}\0{self.importance!r}\0{self.category}"
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_row_id(name: str) -> bool:
    """Whether an id may stand in a predicate: nothing but UUIDs does."""
    return _UUID.fullmatch(name) is not None


def row_id(memory: Memory) -> str:
    """The row id of a memory that came from us, always the same."""
    scope = memory.scope
    told = "\0".join((scope.agent, scope.user, scope.project, memory.id))
    made = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{made[:8]}-{made[8:12]}-8{made[13:16]}-a{made[17:20]}-{made[20:32]}"  # version 8: of our own making


def kind_of(category: str) -> Kind:
    """What we call a category."""
    return _KINDS.get(category, Kind.FACT)


def category_of(kind: Kind, before: str = "") -> str:
    """What the table calls a kind; the word that stands there already where it means the same."""
    return before if before and kind_of(before) is kind else _CATEGORIES.get(kind, OTHER)


def clean(text: str) -> str:
    """The text as a column of UTF-8 holds it: what no UTF-8 carries (a lone surrogate) is marked as lost."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _is_odd(text) else text


def _is_odd(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def words_mark(text: str) -> str:
    """Changes when our words do."""
    return _digest(text)


def own_mark(memory: Memory) -> str:
    """Changes when anything changes that the table tells of a memory."""
    standing = memory.standing
    return _digest(
        memory.text,
        memory.kind.value,
        repr(standing.importance),
        standing.state.value,
        repr(standing.stability_days),
        repr(memory.accesses),
        repr(memory.last_access),
    )


def is_shown(memory: Memory, now: datetime) -> bool:
    """Whether a memory stands in the table: it holds, and was neither superseded nor held back."""
    return memory.kind is not Kind.EPISODE and memory.holds_at(now) and memory.standing.state in _SHOWN


def row_of(memory: Memory, name: str, before: Row | None) -> Row:
    """The row of a memory; ``before`` is what stands there now."""
    standing = memory.standing
    return Row(
        id=name,
        text=clean(memory.text),
        importance=standing.importance,
        category=category_of(memory.kind, before.category if before else ""),
        created_ms=before.created_ms if before else to_ms(memory.at),
        agent=memory.scope.agent,
        accesses=float(memory.accesses),
        last_ms=None if memory.last_access is None else to_ms(memory.last_access),
        stability=standing.stability_days,
        state=standing.state.value,
    )


def scope_of(row: Row, home: Scope) -> Scope | None:
    """Whose row it is; None where the name cannot be an agent's."""
    if not row.agent:
        return home
    usable = row.agent.strip() and len(row.agent) <= 200 and "\0" not in row.agent
    return Scope(row.agent, home.user, home.project) if usable else None


def to_ms(at: datetime) -> float:
    """Milliseconds since the epoch."""
    return (at - EPOCH) / timedelta(milliseconds=1)


def from_ms(ms: float | None) -> datetime | None:
    """The moment; None for what is no moment of our calendar."""
    if ms is None or not 0 <= ms <= _LATEST_MS:  # false for what is no number, too
        return None
    return EPOCH + timedelta(milliseconds=ms)


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]
