"""Turn a journal of format 1, one chain over all scopes, into one of format 2, a chain for each scope.

An event keeps its header, its salt and its content; its number, the hash before it and its own hash become those of its
place in its scope. Numbers of events that an erasure or a reason names are replaced by the new ones. An event whose
content was erased keeps the digest of that content.
"""

from __future__ import annotations

import re
from dataclasses import replace

from reverie.events import Action, Draft, Erased, Event
from reverie.stores import codec
from reverie.types import Scope

FORMER = "head-1"
"""Under this name a file keeps the head of its journal of format 1: number and hash."""
BROKEN = "broken-1"
"""Under this name a file keeps how its journal of format 1 was broken; the new chains cannot show it any more."""
_TAKEN_BACK = re.compile(r"event (\d+) taken back")


class Rechaining:
    """Converts the events of one journal of format 1, in order; ``broken``: how its chain was broken, "" if whole."""

    def __init__(self) -> None:
        self.head = (0, codec.NO_HASH)
        self.broken = ""
        self._vouching = codec.Vouching()
        self._heads: dict[Scope, tuple[int, str]] = {}
        self._numbers: dict[int, int] = {}

    def next(self, event: Event, raw: bytes | None) -> tuple[Event, bytes | None]:
        """Convert the next event, given without its payload, and its encoded payload; None: it was erased."""
        self.broken = self.broken or codec.break_in(event, raw, self.head[0] + 1, self.head[1])
        self._vouching.look(event, raw)
        self.head = event.seq, event.hash
        seq, previous = self._heads.get(event.scope, (0, codec.NO_HASH))
        self._numbers[event.seq] = seq + 1
        if raw is not None and event.action is Action.ERASE:
            raw = self._erased(event, raw)
        made = codec.resealed(replace(event, why=self._why(event)), raw, seq + 1, previous)
        self._heads[event.scope] = made.seq, made.hash
        return made, raw

    def end(self) -> str:
        """Return how the old chain was broken, after its last event; "" if it was whole."""
        return self.broken or self._vouching.break_in()

    def _erased(self, event: Event, raw: bytes) -> bytes:
        """Return an erasure's content with the new numbers; the old headers it vouched for are there no more."""
        payload = codec.decode(event.action, event.scope, raw)
        assert isinstance(payload, Erased)
        numbers = (tuple(map(self._number, named)) for named in (payload.events, payload.reasons))
        events, reasons = (tuple(one for one in some if one) for some in numbers)
        made = replace(payload, events=events, reasons=reasons, headers=())
        return codec.encode(Draft(event.scope, event.at, event.actor, event.action, event.why, made, event.salt or b""))

    def _number(self, before: int) -> int:
        return self._numbers.get(before, 0)

    def _why(self, event: Event) -> str:
        named = _TAKEN_BACK.fullmatch(event.why)
        number = self._number(int(named[1])) if named else 0
        return f"event {number} taken back" if number else event.why
