"""Seal the journals of a store: a row a night that chains the ends of all of them, kept in the store itself.

A chain by scope cannot tell that a scope vanished whole; the seals can, and that a journal is shorter or another than
when it was sealed. Whoever can write to the store can drop its seals as well: the hash of the last one, kept elsewhere
(`serve` logs it), shows that too, as an anchor does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from reverie.answers import Fault, Seal
from reverie.errors import Conflict, InvalidInput
from reverie.ports import Store
from reverie.stores.codec import from_micros, to_micros
from reverie.stores.digest import root
from reverie.types import Scope

_RESTORE = "Restore a store that holds it. If that was meant, seal anew: `reverie audit seal --anew`."
_FIND_OUT = "Find out who wrote to the store, then seal anew: `reverie audit seal --anew`."
_FIRST = "0" * 64


@dataclass(slots=True)
class Sealed:
    """What the seals of a store say together: the last end of each scope's journal, and the last seal, if any."""

    heads: dict[Scope, tuple[int, str]] = field(default_factory=dict)
    last: Seal | None = None
    fault: Fault | None = None

    def take(self, number: int, text: str) -> None:
        """Read the next seal; one that begins anew mends what was broken before it.

        Raises ValueError if it is none, or does not continue the one before.
        """
        told = json.loads(text)
        before = (0, _FIRST) if self.last is None else (self.last.number, self.last.hash)
        if not told["anew"] and (self.fault is not None or (number - 1, told["previous"]) != before):
            raise ValueError(f"it does not continue seal {before[0]}")
        heads = dict[Scope, tuple[int, str]]() if told["anew"] else dict(self.heads)
        heads.update((Scope(*names), (seq, own)) for *names, seq, own in told["changed"])
        if told["root"] != root(heads):
            raise ValueError("its root is not that of the journals it names")
        own, events = sha256(text.encode()).hexdigest(), sum(seq for seq, _ in heads.values())
        self.last = Seal(number, from_micros(told["at"]), len(heads), events, told["root"], own)
        self.heads, self.fault = heads, None


def sealed(store: Store) -> Sealed:
    """Read the seals of a store; the first damaged one is reported."""
    found = Sealed()
    for number, text in store.seals():
        try:
            found.take(number, text)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, InvalidInput) as error:
            what = f"Seal {number} cannot be relied on: {error}."
            found.fault = found.fault or Fault("seal-broken", what, _FIND_OUT)
    return found


def faults(store: Store) -> list[Fault]:
    """Find the journals that are gone, shorter or others than when they were sealed; [] if they only went on."""
    found = sealed(store)
    broken = [] if found.fault is None else [found.fault]
    return broken + _differences(store, found, store.heads())


def _differences(store: Store, found: Sealed, heads: dict[Scope, tuple[int, str]]) -> list[Fault]:
    changed = ((scope, end) for scope, end in sorted(found.heads.items()) if heads.get(scope) != end)
    compared = (_difference(store, (scope, *end), heads.get(scope), found.last) for scope, end in changed)
    return [fault for fault in compared if fault is not None]


def _difference(
    store: Store, end: tuple[Scope, int, str], head: tuple[int, str] | None, last: Seal | None
) -> Fault | None:
    scope, seq, own = end
    named = f"the seal of {last.at:%Y-%m-%d %H:%M} knows its event {seq}" if last is not None else ""
    if head is None or not head[0]:
        return Fault("seal-gone", f"The whole journal of {scope} is gone: {named}.", _RESTORE)
    if head[0] < seq:
        what = f"The journal of {scope} was cut, or rolled back: it ends at event {head[0]}, and {named}."
        return Fault("seal-cut", what, _RESTORE)
    there = next(iter(store.events(scope, after=seq - 1)), None)
    if there is not None and (there.seq, there.hash) == (seq, own):
        return None
    what = f"The journal of {scope} was rewritten, or is another: {named}, with other content."
    return Fault("seal-other", what, _RESTORE)


def _require_sound(store: Store, found: Sealed, heads: dict[Scope, tuple[int, str]]) -> None:
    """Raise Conflict if a seal or a sealed journal is not what it was."""
    for fault in (found.fault, *_differences(store, found, heads)):
        if fault is not None:
            raise Conflict(f"Nothing was sealed. {fault.what}", fault.mend)


def seal(store: Store, now: datetime, *, anew: bool = False) -> Seal:
    """Write a seal of all journals, and return it; return the last one if no journal changed since.

    Raises:
        InvalidInput: there is no event yet.
        Conflict: a journal is not what was sealed; ``anew`` seals it as it is now. Or another process seals.
    """
    found = sealed(store)
    heads = store.heads()
    if not heads:
        raise InvalidInput("The journal is empty: there is nothing to seal.", "Keep something first.")
    if not anew:
        _require_sound(store, found, heads)
    before = {} if anew else found.heads
    changed = {scope: end for scope, end in heads.items() if before.get(scope) != end}
    if found.last is not None and not changed:
        return found.last
    number = max((number for number, _ in store.seals()), default=0) + 1
    told = {
        "anew": anew,
        "at": to_micros(now),
        "changed": [[scope.agent, scope.user, scope.project, *end] for scope, end in sorted(changed.items())],
        "previous": _FIRST if found.last is None else found.last.hash,
        "root": root(before | changed),
    }
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    found.take(number, text)
    store.seal(number, text)
    assert found.last is not None
    return found.last
