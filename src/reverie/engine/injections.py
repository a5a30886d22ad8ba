"""What was handed over to models: the record that hooks write, and the list of it for people.

In: what a hook delivered, as ids, signals and reasons. Out: one ``Injection`` a prompt, with the memories themselves.
The record holds no text: memories and prompts are looked up in the store, so an erased one is in neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, Any

from reverie.answers import InjectedMemory, Injection, InjectionTrigger, Signal, WithheldMemory
from reverie.engine.logs import log_folder, sign
from reverie.errors import InvalidScope
from reverie.events import Action, Recalled
from reverie.formulas.text_statistics import estimated_tokens
from reverie.ops.log import RotatingFile, family
from reverie.types import Kind, Memory, Role, Scope

if TYPE_CHECKING:
    from reverie.engine.context import Context
    from reverie.events import Event
    from reverie.ports import Clock

FILE = "injected.jsonl"
HOOK = "hook:"
"""Beginning of the actor of whatever a host's hook does."""
PROMPT, START, RECALL = "prompt", "session start", "recall"
SIGNALS, WITHHELD_MAX = 3, 50
_BEFORE_S, _AFTER_S = 60.0, 2.0
"""How long before and after a hook's call the message of its prompt may be dated."""
_FIRST = 16
"""Memories of a session, from its first, that are searched for its title."""
_WINDOW = 20_000
"""Events of the journal that are read at a time, backwards."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a hook handed over, by ids: ``asked_at`` when the host asked, ``until`` when the answer was ready.

    ``memories`` are ids with the signals that brought them, ``withheld`` ids with reasons.
    """

    scope: Scope
    session: str
    caller: str
    moment: str
    asked_at: datetime
    until: datetime
    tokens: int = 0
    memories: tuple[tuple[str, tuple[Signal, ...]], ...] = ()
    withheld: tuple[tuple[str, str], ...] = ()

    def line(self) -> bytes:
        """Return the delivery as one line of JSON, in ASCII."""
        record = {
            "ts": self.asked_at.astimezone(UTC).isoformat(),
            "until": self.until.astimezone(UTC).isoformat(),
            "scope": [self.scope.agent, self.scope.user, self.scope.project],
            "session": self.session,
            "caller": self.caller,
            "moment": self.moment,
            "tokens": self.tokens,
            "memories": [[name, [_brief(one) for one in strongest(signals)]] for name, signals in self.memories],
            "withheld": [list(one) for one in self.withheld[:WITHHELD_MAX]],
        }
        return json.dumps(record).encode("ascii") + b"\n"


def strongest(signals: Iterable[Signal]) -> list[Signal]:
    """Return the signals that added most to a score, at most three; equal ones by name."""
    return sorted((one for one in signals if one.share > 0.0), key=lambda one: (-one.share, one.name))[:SIGNALS]


def _brief(signal: Signal) -> list[Any]:
    return [signal.name, round(signal.value, 4), round(signal.weight, 4), round(signal.share, 4)]


def delivery_in(line: bytes) -> Delivery | None:
    """Return the delivery that a line holds; None for a line that is none."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError, InvalidScope):
        told = json.loads(line)
        return Delivery(
            Scope(*told["scope"]),
            str(told["session"]),
            str(told["caller"]),
            str(told["moment"]),
            datetime.fromisoformat(told["ts"]).astimezone(UTC),
            datetime.fromisoformat(told["until"]).astimezone(UTC),
            int(told["tokens"]),
            tuple((str(name), tuple(Signal(*one) for one in signals)) for name, signals in told["memories"]),
            tuple((str(name), str(why)) for name, why in told["withheld"]),
        )
    return None


class InjectionLog:
    """The record of deliveries beside the ops log of a store; for a store without a file there is none."""

    def __init__(self, store: str | Path, clock: Clock) -> None:
        folder = log_folder(store)
        self._store = store
        self._clock = clock
        self.path = None if folder is None else folder / FILE

    def write(self, delivery: Delivery) -> None:
        """Append a delivery. Raises OSError."""
        if self.path is not None:
            sign(self._store, self.path)
            RotatingFile(self.path, self._clock).append(delivery.line())

    def latest(self, scope: Scope) -> Iterator[Delivery]:
        """Yield the deliveries of a scope, the last written first; what cannot be read is left out."""
        for part in reversed(family(self.path) if self.path is not None else []):
            with suppress(OSError):
                for line in reversed(part.read_bytes().splitlines()):
                    found = delivery_in(line)
                    if found is not None and found.scope == scope:
                        yield found


@dataclass(frozen=True, slots=True)
class _Recall:
    """One recall of the journal: who asked, when, and which memories were given."""

    actor: str
    at: datetime
    memories: tuple[str, ...]


@dataclass(slots=True)
class Injections:
    """Lists what was handed over in one scope, the newest first."""

    context: Context
    scope: Scope
    _sessions: dict[str, list[Memory]] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)

    def latest(self, limit: int, session: str | None, before: datetime | None) -> list[Injection]:
        """Return at most ``limit``, of one session or all, asked for before a moment."""
        log = InjectionLog(self.context.parts.place, self.context.clock)
        written = [one for one in log.latest(self.scope) if before is None or one.asked_at < before]
        by_hooks = [one for one in written if session in (None, one.session)]
        told = [self._of_delivery(one) for one in sorted(by_hooks, key=_moment, reverse=True)[:limit]]
        told += islice(self._of_events(written, before), min(limit, maxsize)) if session is None else ()
        return sorted(told, key=lambda one: (one.at, one.session), reverse=True)[:limit]

    def _of_delivery(self, one: Delivery) -> Injection:
        names = [name for name, _ in (*one.memories, *one.withheld)]
        held = self._held(names)
        memories = [InjectedMemory(held[n], _words(held[n]), signals) for n, signals in one.memories if n in held]
        return Injection(
            one.asked_at,
            one.session,
            one.caller,
            InjectionTrigger.AUTOMATIC,
            one.moment,
            self._prompt(one) if one.moment == PROMPT else None,
            sum(found.words for found in memories),
            one.tokens,
            tuple(memories),
            tuple(WithheldMemory(held[name], why) for name, why in one.withheld if name in held),
            len({*names} - {*held}),
            title=self._title(one.session),
        )

    def _title(self, session: str) -> str:
        """Return the title of a session, from its first memories."""
        from reverie.exchange.fields import title_of  # not where a hook only writes its record

        if session not in self._titles:
            with self.context.locks.of(self.scope):
                first = list(self.context.store.memories(self.scope, session=session, limit=_FIRST))
            self._titles[session] = title_of(first, self.context.clock.now())
        return self._titles[session]

    def _of_events(self, written: Sequence[Delivery], before: datetime | None) -> Iterator[Injection]:
        """Yield the recalls of the journal that no delivery records, newest first."""
        for recall in self._recalls():
            if before is not None and recall.at >= before:
                continue
            by_hook = recall.actor.startswith(HOOK)
            if not (by_hook and any(_tells(one, recall) for one in written)):
                yield self._of_recall(recall, by_hook)

    def _of_recall(self, recall: _Recall, by_hook: bool) -> Injection:
        names = recall.memories
        held = self._held(names)
        memories = [InjectedMemory(held[name], _words(held[name])) for name in names if name in held]
        return Injection(
            recall.at,
            "",
            recall.actor,
            InjectionTrigger.AUTOMATIC if by_hook else InjectionTrigger.MANUAL,
            RECALL,
            None,
            sum(found.words for found in memories),
            sum(estimated_tokens(found.memory.text) for found in memories),
            tuple(memories),
            (),
            len({*names} - {*held}),
            complete=not by_hook,
        )

    def _recalls(self) -> Iterator[_Recall]:
        """Yield the scope's recalls, the newest first, read in windows from the journal's end."""
        store, scope = self.context.store, self.scope
        with self.context.locks.of(scope):
            end = store.head(scope)[0]
        while end > 0:
            start = max(0, end - _WINDOW)
            with self.context.locks.of(scope):
                events = store.events(scope, after=start, actions=(Action.RECALL,))
                found = list(takewhile(partial(_is_up_to, end), events))
            for event in reversed(found):
                if isinstance(event.payload, Recalled):
                    each = [_Recall(event.actor, at, names) for at, names in event.payload.each(event.at)]
                    yield from reversed(each)
            end = start

    def _held(self, names: Iterable[str]) -> dict[str, Memory]:
        with self.context.locks.of(self.scope):
            return {one.id: one for one in self.context.store.named(self.scope, list(dict.fromkeys(names)))}

    def _prompt(self, one: Delivery) -> Memory | None:
        """Return the message of the session that was said as the hook was called; None if none was kept."""
        if one.session not in self._sessions:
            with self.context.locks.of(self.scope):
                said = self.context.store.memories(self.scope, session=one.session)
                self._sessions[one.session] = [
                    memory for memory in said if memory.kind is Kind.EPISODE and memory.role is Role.USER
                ]
        first, last = one.asked_at - timedelta(seconds=_BEFORE_S), one.asked_at + timedelta(seconds=_AFTER_S)
        near = [memory for memory in self._sessions[one.session] if first <= memory.at <= last]
        return min(near, key=lambda memory: (abs(memory.at - one.asked_at), memory.id), default=None)


def _is_up_to(end: int, event: Event) -> bool:
    return event.seq <= end


def _moment(one: Delivery) -> datetime:
    return one.asked_at


def _tells(one: Delivery, event: _Recall) -> bool:
    """Whether a delivery is of the recall that an event records."""
    return one.caller == event.actor and one.asked_at <= event.at <= one.until


def _words(memory: Memory) -> int:
    return len(memory.text.split())
