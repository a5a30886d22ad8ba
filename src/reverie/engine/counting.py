"""Count recalls later: a process that runs for long writes many recalls of a scope as one event.

A recall waits at most some time, or until so many of its scope wait, or until anybody takes the scope's lock to read or
change what access counts matter for. A process that is killed loses what waited, which are the scope's latest recalls.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, Protocol

from reverie.engine.locks import ScopeLocks
from reverie.errors import InvalidInput, ReverieError, StoreBusy, StoreError
from reverie.events import GATED, Action, CountedRecall, Draft, Recalled
from reverie.ops.log import OpsEntry
from reverie.ports import Clock, Ids, Store

if TYPE_CHECKING:
    from reverie.answers import Hit, Recollection
    from reverie.types import Memory, Scope

MOST = 64
"""Most recalls of a scope that wait, and most in one event."""
LONGEST_S = 3600.0


def require_wait(seconds: object) -> float:
    """Return how long recalls may wait to be counted. Raises InvalidInput for what is no number from 0 to an hour."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.0 <= seconds <= LONGEST_S:
        raise InvalidInput(f"count_within_s is {seconds!r}.", f"Use a number of seconds from 0 to {LONGEST_S:.0f}.")
    return float(seconds)


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A recall that waits to be written: when, who asked, the event's reason, salt, and ids of injected memories."""

    at: datetime
    actor: str
    why: str
    salt: bytes
    memories: tuple[str, ...]


class CountingContext(Protocol):
    """What counting needs of the engine."""

    store: Store
    clock: Clock
    ids: Ids
    locks: ScopeLocks

    def logged(self, entry: OpsEntry) -> None:
        """Write an entry to the ops log, if there is one."""


class RecallCounts:
    """The recalls of one engine that wait to be counted, by scope. ``within_s``: longest time that one waits."""

    def __init__(self, context: CountingContext, within_s: float) -> None:
        self._context = context
        self._within_s = within_s
        self._waiting: dict[Scope, list[Uncounted]] = {}
        self._guard = threading.Lock()
        self._due, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self.fault = ""
        context.locks.settle = self._settle

    def add(self, scope: Scope, actor: str, why: str, memories: tuple[str, ...]) -> None:
        """Let a recall wait to be counted, of the time now; enough of them are written at once."""
        context = self._context
        with context.locks.unsettled(scope):
            waiting = self._waiting.setdefault(scope, [])
            waiting.append(Uncounted(context.clock.now(), actor, why, context.ids.salt(), memories))
        if len(waiting) >= MOST:
            self.settle(scope)
        else:
            self._wake()

    def settle(self, scope: Scope) -> None:
        """Write the recalls of a scope that wait."""
        with self._context.locks.of(scope):
            pass

    def settle_all(self) -> None:
        """Write all recalls that wait, scope after scope; a scope that fails is logged and does not stop the others."""
        for scope in list(self._waiting):
            try:
                self.settle(scope)
            except ReverieError as error:
                self._failed(scope, error)

    def up_to_date(self, answer: Recollection) -> Recollection:
        """Return an answer whose memories show the accesses that wait to be counted as well."""
        counts: dict[str, tuple[int, datetime]] = {}
        for one in tuple(self._waiting.get(answer.scope, ())):
            for name in one.memories:
                counts[name] = counts.get(name, (0, one.at))[0] + 1, one.at
        if not counts:
            return answer
        held = answer.hits, answer.withheld, answer.standing
        hits, withheld, standing = (tuple(_counted(hit, counts) for hit in some) for some in held)
        return replace(answer, hits=hits, withheld=withheld, standing=standing)

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._stopped.set()
        self._due.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self.settle_all()

    def _settle(self, numbers: tuple[int, ...]) -> None:
        """Write the recalls that wait of all scopes with these locks, which the caller holds."""
        if not self._waiting:
            return
        for scope in [one for one in list(self._waiting) if self._context.locks.number(one) in numbers]:
            waiting = self._waiting.pop(scope, [])
            try:
                self._write(scope, waiting)
            except StoreBusy as error:  # later, with those that come; what is too much is lost from the end
                self._waiting[scope] = [*waiting, *self._waiting.get(scope, [])][: 16 * MOST]
                self._failed(scope, error)
            except StoreError as error:
                self._failed(scope, error)

    def _write(self, scope: Scope, waiting: Sequence[Uncounted]) -> None:
        with self._context.store.begin(scope, durable=False) as tx:
            for run in _runs(waiting):
                last, told = run[-1], Recalled(run[0].memories) if len(run) == 1 else _together(run)
                tx.append(Draft(scope, last.at, last.actor, Action.RECALL, last.why, told, last.salt))
        self.fault = ""

    def _failed(self, scope: Scope, error: ReverieError) -> None:
        self.fault = error.message
        self._context.logged(OpsEntry("count", input=str(scope), output=error.message, success=False, scope=scope))

    def _wake(self) -> None:
        with self._guard:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="reverie-counting", daemon=True)
                self._thread.start()
        self._due.set()

    def _run(self) -> None:
        """Write what waits each time, when the first of it has waited long enough."""
        while True:
            self._due.wait()
            if self._stopped.wait(self._within_s):
                return
            self._due.clear()
            self.settle_all()
            if self._waiting:  # the store was busy: tried again after the same time
                self._due.set()


def _counted(hit: Hit, counts: dict[str, tuple[int, datetime]]) -> Hit:
    memory: Memory = hit.memory
    if memory.id not in counts or hit.origin is not None:
        return hit
    count, last = counts[memory.id]
    return replace(hit, memory=replace(memory, accesses=memory.accesses + count, last_access=last))


def _runs(waiting: Sequence[Uncounted]) -> Iterator[list[Uncounted]]:
    """Yield the recalls that one event can hold: of one caller, in order; one that returned nothing is an event."""
    for (_, why), found in groupby(waiting, lambda one: (one.actor, one.why)):
        rest = iter(list(found))
        while run := list(islice(rest, 1 if why == GATED else MOST)):
            yield run


def _together(run: Sequence[Uncounted]) -> Recalled:
    memories = tuple(name for one in run for name in one.memories)
    return Recalled(memories, (), tuple(CountedRecall(one.at, len(one.memories)) for one in run))
