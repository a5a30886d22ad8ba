"""The journal's chain: a draft and the hash before it in, a sealed event out; and the check that a chain holds.

digest = SHA-256(salt, payload); hash = SHA-256(previous hash, header, digest). The header is everything about an event
but its content, so content can be erased (digest stays, salt and payload go) and the chain still holds.
"""

from __future__ import annotations

from hashlib import sha256

from reverie.errors import StoreCorrupt
from reverie.events import Draft, Event
from reverie.stores import codec
from reverie.stores.plain import moment
from reverie.stores.plainly import quoted

NO_HASH = "0" * 64
"""What stands before the first event."""

_MEND = "Restore the last backup; `reverie verify` names every event that does not fit."


def seal(draft: Draft, raw: bytes, seq: int, previous: str) -> Event:
    """The draft as event number ``seq`` after the hash ``previous``; ``raw`` is its encoded payload."""
    digest = sha256(draft.salt + raw).hexdigest()
    return Event(
        seq=seq,
        scope=draft.scope,
        at=draft.at,
        actor=draft.actor,
        action=draft.action,
        why=draft.why,
        payload=draft.payload,
        salt=draft.salt,
        digest=digest,
        previous=previous,
        hash=_hash(draft, seq, previous, digest),
    )


def break_in(event: Event, raw: bytes | None, seq: int, previous: str) -> str:
    """What is wrong with an event that should be number ``seq`` after ``previous``; "" when nothing is.

    Of the event's content only ``raw``, its bytes, is looked at.
    """
    if event.seq != seq:
        return f"event {seq} is missing (event {event.seq} stands in its place)"
    if event.previous != previous:
        return f"event {seq} does not follow the event before it"
    if event.hash != _hash(event, seq, event.previous, event.digest):
        return f"the header of event {seq} was changed"
    if (raw is None) != (event.salt is None):
        return f"event {seq} is only half erased"
    if raw is not None and event.salt is not None and sha256(event.salt + raw).hexdigest() != event.digest:
        return f"the content of event {seq} was changed"
    return ""


def require(event: Event, raw: bytes | None, seq: int, previous: str) -> None:
    """Raise StoreCorrupt unless the event is number ``seq`` after ``previous``, unchanged."""
    wrong = break_in(event, raw, seq, previous)
    if wrong:
        raise StoreCorrupt(f"The journal does not continue: {wrong}.", _MEND)


def payload_bytes(event: Event) -> bytes | None:
    """The event's payload as it was hashed; None once it was erased.

    Raises:
        StoreCorrupt: the payload is there without its salt, or the salt without its payload.
    """
    if event.payload is None and event.salt is None:
        return None
    if event.payload is None or event.salt is None:
        raise StoreCorrupt(f"The journal does not continue: event {event.seq} is only half erased.", _MEND)
    return codec.encode(Draft(event.scope, event.at, event.actor, event.action, event.why, event.payload, event.salt))


def _hash(header: Draft | Event, seq: int, previous: str, digest: str) -> str:
    scope = header.scope
    written = (  # canonical JSON: as codec.write would write the list of these
        f"[{seq},{quoted(scope.agent)},{quoted(scope.user)},{quoted(scope.project)},"
        f'"{moment(header.at)}",{quoted(header.actor)},"{header.action.value}",{quoted(header.why)}]'
    )
    return sha256(f"{previous}{written}{digest}".encode("utf-8", "surrogatepass")).hexdigest()
