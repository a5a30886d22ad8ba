"""Retention: what a scope erases when it is old enough, by kind, tag or sort of entity, at the end of each dream.

A rule is a record of the scope (``types.Record``), so setting and dropping it are events. What it erases is gone for
good, with the messages it was said in and all that was formed from these; undoing the dream does not bring it back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter

from reverie.consolidate.history import StepReport
from reverie.consolidate.settings import StepName
from reverie.engine.context import Context
from reverie.engine.governance import require_named, tags_of
from reverie.engine.requests import require_scope
from reverie.errors import InvalidInput, NotFound
from reverie.types import RETENTION, Kind, Memory, Record, Scope

DAYS_MAX = 36_500
_ADDRESS = "entity://"


@dataclass(frozen=True, slots=True)
class Retention:
    """A rule by which a scope erases memories ``days`` after they were said.

    Attributes:
        name: what the rule is called in its scope; setting another of this name replaces it.
        days: age from which a memory is erased, above 0 and at most ``DAYS_MAX``.
        kinds: memories of these kinds.
        tags: memories with one of these tags.
        entities: memories that name an entity of one of these sorts, as "place" in "entity://place/izmir".

    A memory has to meet each of the three that is given; at least one is. Pinned memories stay, and so do the messages
    that a pinned memory was formed from.
    """

    name: str
    days: float
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_named("The rule's name", self.name)
        _require_days(self.days)
        try:
            kinds = tuple(Kind(kind) for kind in self.kinds)
        except ValueError as error:
            raise InvalidInput(f"There is no such kind: {error}.", f"Use {', '.join(Kind)}.") from None
        object.__setattr__(self, "kinds", tuple(kind for kind in Kind if kind in kinds))
        for name in ("tags", "entities"):
            object.__setattr__(self, name, tags_of(getattr(self, name)))
        if not (self.kinds or self.tags or self.entities):
            raise InvalidInput("The rule would erase everything.", "Name kinds, tags or entities.")

    def meets(self, memory: Memory) -> bool:
        """Whether the rule is about this memory, whatever its age."""
        sorts = {one.removeprefix(_ADDRESS).partition("/")[0] for one in memory.entities if one.startswith(_ADDRESS)}
        return (
            (not self.kinds or memory.kind in self.kinds)
            and (not self.tags or not set(self.tags).isdisjoint(memory.standing.tags))
            and (not self.entities or not sorts.isdisjoint(self.entities))
        )

    def is_due(self, memory: Memory, said_at: datetime, now: datetime) -> bool:
        """Whether this memory, said last at ``said_at``, is to be erased at ``now``."""
        return self.meets(memory) and said_at <= now - timedelta(days=self.days)


def _require_days(days: object) -> None:
    if isinstance(days, bool) or not isinstance(days, int | float) or not 0 < days <= DAYS_MAX:
        raise InvalidInput(f"days is {days!r}.", f"Use a number of days above 0, at most {DAYS_MAX}.")


def record_of(rule: Retention, scope: Scope) -> Record:
    """Return the record that holds a rule."""
    held = {"kinds": [str(kind) for kind in rule.kinds], "tags": list(rule.tags), "entities": list(rule.entities)}
    return Record.of(scope, RETENTION, rule.name, {"days": rule.days, **held})


def retention_in(record: Record) -> Retention:
    """Return the rule that a record holds. Raises InvalidInput for one that cannot be read."""
    try:
        body = json.loads(record.body)
        return Retention(record.name, body["days"], body["kinds"], body["tags"], body["entities"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"The retention rule {record.name!r:.60} cannot be read ({error}).", "Drop it and set it anew."
        ) from None


class Retaining:
    """Collaborator for retention rules: set, drop and list those of a scope."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def retentions(self, scope: Scope) -> list[Retention]:
        """Return the retention rules of a scope, by name."""
        with self._context.locks.of(scope):
            return [retention_in(one) for one in self._context.store.records(RETENTION, scope=require_scope(scope))]

    def set_retention(self, rule: Retention, scope: Scope) -> Retention:
        """Add a rule to a scope, or replace the one of its name. A repeated call changes nothing.

        Every dream of the scope from then on erases what is due; ``dream(dry_run=True)`` says how much that would be.
        """
        if not isinstance(rule, Retention):
            raise InvalidInput(f"The rule is {type(rule).__name__}.", "Give Retention(name, days, kinds=…).")
        self._context.keep_record(require_scope(scope), RETENTION, rule.name, record_of(rule, scope))
        return rule

    def drop_retention(self, name: str, scope: Scope) -> None:
        """Take a rule away. Raises NotFound."""
        if self._context.record(require_scope(scope), RETENTION, name) is None:
            raise NotFound(
                f"Scope {scope} has no retention rule {name!r:.60}.", "`reverie audit retention` shows them."
            )
        self._context.keep_record(scope, RETENTION, name, None)


def retain(context: Context, scope: Scope, *, dry_run: bool) -> StepReport:
    """Erase what the rules of a scope name and that is old enough; return the step's report.

    ``dry_run``: only count it.
    """
    from reverie.engine.erasure import Eraser

    started = perf_counter()
    due = dict(_due(context, scope))
    if due and not dry_run:
        Eraser(context).erase(list(due), scope, why="retention")
    took = (perf_counter() - started) * 1000.0
    reasons = tuple((f"older than rule {name} allows", count) for name, count in sorted(Counter(due.values()).items()))
    return StepReport(StepName.RETENTION, len(due), 0, 0, reasons, (), (), (), took_ms=took)


def _due(context: Context, scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield the ids of memories to erase, each with its rule: those that are due, and the messages they are of."""
    now = context.clock.now()
    with context.locks.of(scope):
        rules = [retention_in(one) for one in context.store.records(RETENTION, scope=scope)]
        held = {memory.id: memory for memory in context.store.memories(scope)}
    pinned = _pinned(held.values())
    for memory in held.values():
        last = max(held[name].at for name in held.keys() & {memory.id, *memory.sources})
        rule = next((one.name for one in rules if one.is_due(memory, last, now)), None)
        if rule is not None and memory.id not in pinned:
            said = (held.keys() & {memory.id, *memory.sources}) - pinned
            yield from ((name, rule) for name in sorted(said))


def _pinned(memories: Iterable[Memory]) -> set[str]:
    """Return the ids of pinned memories, and of the messages they were formed from."""
    return {name for one in memories if one.standing.pinned for name in (one.id, *one.sources)}
