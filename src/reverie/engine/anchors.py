"""Anchors: in, a store and, later, an anchor taken of it; out, what became of the journal since.

The journal's chain shows a change to whoever knows its last hash, and to nobody else: who can rewrite the whole file
can chain it anew. An anchor is that hash, kept elsewhere. It holds no content, and erasing leaves it valid: the chain
covers digests, which stay.
"""

from __future__ import annotations

from datetime import datetime

from reverie.answers import Anchor, Fault
from reverie.errors import InvalidInput
from reverie.events import Event
from reverie.ports import Store

_RESTORE = "Restore a store that holds what the anchor names. If you went back on purpose, take a new anchor."
_DISTRUST = "Do not trust what the store says; restore a copy from before, and find out who wrote to the file."


def anchored(store: Store, now: datetime) -> Anchor:
    """The journal's end as it is now, with the hashes of some events before it: the nearer, the denser.

    Raises:
        InvalidInput: the journal is empty.
    """
    seq, own = store.head()
    first = _event(store, 1)
    if first is None:
        raise InvalidInput("The journal is empty: there is nothing to anchor.", "Keep something first.")
    places = {seq - (1 << step) for step in range(seq.bit_length())}
    found = [event for place in sorted(places) if place > 0 and (event := _event(store, place)) is not None]
    return Anchor(first.hash, seq, own, now, tuple((event.seq, event.hash) for event in found))


def faults(store: Store, anchor: Anchor) -> list[Fault]:
    """What happened to the journal since the anchor was taken; nothing where it only went on."""
    taken = f"the anchor of {anchor.at:%Y-%m-%d %H:%M} names event {anchor.seq}"
    first, there = _event(store, 1), _event(store, anchor.seq)
    if there is not None and there.hash == anchor.hash:
        return []
    if first is None or first.hash != anchor.store:
        what = f"This is another journal, or one rewritten from its start: {taken} of one that began otherwise."
        return [Fault("anchor-other", what, "Check that the anchor is this store's. " + _DISTRUST)]
    same, other = _marked(store, anchor)
    head, _ = store.head()
    last = other or _event(store, head)
    assert last is not None
    if last.at > anchor.at:
        what = f"The journal was rolled back to event {same} or one after it, and written on: {taken}, which is gone."
        return [Fault("anchor-rolled-back", what, _RESTORE)]
    if other is not None:
        what = f"The journal was rewritten after event {same}: {taken}, which is gone."
        return [Fault("anchor-rewritten", what, _DISTRUST)]
    what = f"The journal was cut, or rolled back to an older copy: it ends at event {head}, and {taken}."
    return [Fault("anchor-cut", f"{what} {anchor.seq - head} events are missing.", _RESTORE)]


def _event(store: Store, seq: int) -> Event | None:
    """The event of a number."""
    found = next(iter(store.events(after=seq - 1)), None)
    return found if found is not None and found.seq == seq else None


def _marked(store: Store, anchor: Anchor) -> tuple[int, Event | None]:
    """The last event of the anchor that is as it was, and the first that is another now; None where there is none."""
    same = 1
    for seq, own in (*anchor.marks, (anchor.seq, anchor.hash)):
        event = _event(store, seq)
        if event is None:
            break
        if event.hash != own:
            return same, event
        same = seq
    return same, None
