"""A journal between store and file: in, events; out, a lossless export, and back, checked from end to end.

Nothing of a file is written before every line of it was read: its chain holds, each payload is the one that was hashed,
and each field is of its type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from reverie.errors import InvalidExport, ReverieError
from reverie.events import Action, Event, Formed, Remembered
from reverie.exchange import journal
from reverie.exchange.journal import End, Head, Told, broken
from reverie.exchange.sound import fault_in
from reverie.ports import Store
from reverie.stores import chain, codec
from reverie.types import Scope


@dataclass(frozen=True, slots=True)
class Contents:
    """What a lossless export holds.

    Attributes:
        scopes: the scopes it tells of, in order of appearance.
        memories: how many memories came in each of them.
        events: how many events.
        actions: how many of each kind.
        seq: number of the last event.
        hash: hash of the last event: the journal's head.
        digest: that of the whole store it was exported from; "" for a scope's.
        contiguous: it begins with event 1 and misses none, so that it can be adopted with its hashes.
    """

    scopes: tuple[Scope, ...]
    events: int
    actions: dict[Action, int]
    seq: int
    hash: str
    digest: str
    contiguous: bool
    memories: tuple[int, ...] = ()


def write(store: Store, out: BinaryIO, scope: Scope | None) -> End:
    """Write the journal of a store, or of one scope; the last line that was written.

    What others write meanwhile is in it too, up to a moment at the end.
    """
    out.write(journal.head_line(scope))
    count, last = 0, (0, chain.NO_HASH)
    digest = ""
    while True:
        for event in store.events(scope, after=last[0]):
            out.write(journal.event_line(event, chain.payload_bytes(event)))
            count, last = count + 1, (event.seq, event.hash)
        if scope is not None:
            break
        digest = store.digest()
        if store.head() == last:
            break
    end = End(count, *last, digest)
    out.write(journal.end_line(end))
    return end


def checked(path: Path) -> Contents:
    """Read a lossless export whole and say what it holds.

    Raises:
        NotFound: there is no such file.
        InvalidExport: a line is broken, was changed, or is missing.
    """
    scopes: Counter[Scope] = Counter()
    actions: Counter[Action] = Counter()
    whose: Scope | None = None
    last, contiguous, vouching = (0, chain.NO_HASH), True, chain.Vouching()
    for item in journal.read(path):
        if isinstance(item, Head):
            whose = item.scope
        elif isinstance(item, End):
            _require(item.seq == last[0] and item.hash == last[1], "the end", "it names another last event")
            _require(not vouching.break_in(), "the end", vouching.break_in())
            digest = item.digest if whose is None else ""
            return Contents(
                tuple(scopes), item.events, dict(actions), *last, digest, contiguous, tuple(scopes.values())
            )
        else:
            contiguous &= _follows(item, last, whose)
            vouching.look(item.event, item.raw)
            scopes[item.event.scope] += _brought(item)
            actions[item.event.action] += 1
            last = item.event.seq, item.event.hash
    raise broken("the end", "the last line is missing")


def _brought(told: Told) -> int:
    """How many memories an event brings."""
    if told.raw is None or told.event.action not in (Action.REMEMBER, Action.FORM):
        return 0
    match codec.decode(told.event.action, told.event.scope, told.raw):
        case Remembered(_, memories):
            return len(memories)
        case Formed(added, removed):
            return len(added) - len(removed)
    return 0


def _follows(told: Told, last: tuple[int, str], whose: Scope | None) -> bool:
    """Whether an event comes right after the last one. Raises InvalidExport where it cannot follow it at all."""
    event = told.event
    follows = event.seq == last[0] + 1 and event.previous == last[1]
    _require(follows or (whose is not None and event.seq > last[0]), told.where, "an event before it is missing")
    _require(whose in (None, event.scope), told.where, "it is of another scope")
    wrong = chain.break_in(event, told.raw, event.seq, event.previous)
    _require(not wrong, told.where, wrong)
    _require_sound(told)
    return follows


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise broken(where, what)


def events(path: Path) -> Iterator[Event]:
    """The events of a file that was checked, with their payloads."""
    for item in journal.read(path):
        if isinstance(item, Told):
            raw, event = item.raw, item.event
            yield event if raw is None else replace(event, payload=codec.decode(event.action, event.scope, raw))


def _require_sound(told: Told) -> None:
    """Raise InvalidExport unless the payload can be read, is of its types, and is written as we would write it."""
    if told.raw is None:
        return
    try:
        payload = codec.decode(told.event.action, told.event.scope, told.raw)
        fault = fault_in(payload)
        _require(not fault, told.where, f"{fault} holds what it cannot hold")
        same = chain.payload_bytes(replace(told.event, payload=payload)) == told.raw
    except ReverieError as error:
        raise error if isinstance(error, InvalidExport) else broken(told.where, error.message) from None
    _require(same, told.where, "its content is not written as it is told")
