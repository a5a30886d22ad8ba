"""How the engine looks back: a memory's history, past dreams, how well a memory is retrieved, how a scope is doing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from reverie.answers import Curve, Health
from reverie.engine.asking import require_count, require_scope
from reverie.engine.base import Base
from reverie.errors import InvalidInput
from reverie.events import Event
from reverie.types import Scope

if TYPE_CHECKING:  # a recall needs none of this: it is loaded when somebody looks back
    from reverie.consolidate.cycles import Cycle
    from reverie.consolidate.report import DreamSummary

DREAMS_MAX = 1000
DAYS_MAX = 36_500


class LookingBack(Base):
    """The part of the engine that tells how things came to be as they are."""

    def history(self, memory_id: str, scope: Scope) -> list[Event]:
        """Every event that touched a memory, oldest first: how it came, its accesses, changes, edges, forgetting.

        An event of a dream names other memories, too. Raises NotFound.
        """
        with self._lock:
            return self._store.history(scope, self.memory(memory_id, scope).id)

    def dreams(self, scope: Scope, *, limit: int = 20) -> list[DreamSummary]:
        """The last dreams, the newest first: what each step changed and why, with samples before → after."""
        from reverie.consolidate.retelling import newest

        require_scope(scope)
        require_count("limit", limit, 0, DREAMS_MAX)
        with self._lock:
            chosen, erased = newest(self._store, scope, limit)
        return [self._retellings.get(scope, cycle, erased, partial(self._retold, scope, cycle)) for cycle in chosen]

    def _retold(self, scope: Scope, cycle: Cycle) -> DreamSummary:
        from reverie.consolidate.retelling import retold

        with self._lock:  # for each dream anew, so that others need not wait for all
            return retold(self._store, scope, cycle)

    def health(self, scope: Scope) -> Health:
        """How the scope's memory is doing now: what it holds, what of it is junk or stale, how it grew."""
        with self._lock:
            return self._store.health(require_scope(scope), self._clock.now())

    def forgetting_curve(self, memory_id: str, scope: Scope, *, days: float = 90) -> Curve:
        """How well a memory can be retrieved, from its formation to so many days ahead, if nobody asks for it.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the recipe has no forgetting curve, or ``days`` is no number from 0 to ``DAYS_MAX``.
        """
        from reverie.consolidate.retrievability import law_of, told

        if not _is_span(days):
            raise InvalidInput(f"days is {days!r}.", f"Use a number from 0 to {DAYS_MAX}.")
        law = law_of(self._recipe.name, self._recipe.dream)
        with self._lock:
            memory = self.memory(memory_id, scope)
            events = self._store.history(scope, memory.id)
        return told(memory, events, law, self._clock.now(), float(days))


def _is_span(days: object) -> bool:
    """Whether it is a number of days that can be looked ahead."""
    return isinstance(days, int | float) and 0 <= days <= DAYS_MAX
