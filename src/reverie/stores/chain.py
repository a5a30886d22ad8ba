"""The journal's chain: a draft and the hash before it in, a sealed event out; and the check that a chain holds.

digest = SHA-256(salt, payload); hash = SHA-256(previous hash, header, digest). The header is everything about an event
but its content, so content can be erased (digest stays, salt and payload go) and the chain still holds.

A reason in somebody's own words is content as well: the header holds its salted digest, which takes its place when it
is erased. Events written before 2026-11-24 have the reason itself in the header's hash. One of those whose reason was
erased can no longer be hashed anew; the erasure, which is under the chain, vouches for the rest of its header.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from json.encoder import encode_basestring as quoted

from reverie.errors import StoreCorrupt
from reverie.events import Action, Draft, Erased, Event, is_wordless
from reverie.stores import codec
from reverie.stores.codec import moment

NO_HASH = "0" * 64
"""What stands before the first event."""

ERASED_REASON = "[erased]"
"""Stands for the reason of an old event, whose header hash covers the reason itself."""
_DIGEST_CHARS = 32

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
        hash=_hash(draft, seq, previous, digest, _sealed(draft.why, draft.salt)),
    )


def break_in(event: Event, raw: bytes | None, seq: int, previous: str) -> str:
    """What is wrong with an event that should be number ``seq`` after ``previous``; "" when nothing is.

    Of the event's content only ``raw``, its bytes, is looked at.
    """
    if event.seq != seq:
        return f"event {seq} is missing (event {event.seq} stands in its place)"
    if event.previous != previous:
        return f"event {seq} does not follow the event before it"
    if (raw is None) != (event.salt is None):
        return f"event {seq} is only half erased"
    if event.why != ERASED_REASON and _how_hashed(event) is None:
        return f"the header of event {seq} was changed"
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


def without_reason(event: Event) -> Event:
    """The event once its reason was erased; one of the engine's own stays, for it says nothing of the content."""
    if is_wordless(event.why) or event.why == ERASED_REASON:
        return event
    hashed = _how_hashed(event)
    if hashed is None or hashed == event.why:
        return event if _is_digest(event.why) else replace(event, why=ERASED_REASON)
    return replace(event, why=hashed)


def vouched(event: Event) -> str:
    """The digest of an event's header without its reason."""
    return _hash(event, event.seq, event.previous + event.hash, event.digest, ERASED_REASON)


class Vouching:
    """Looks at a journal's events in order: a later erasure must vouch for every header that lost its reason."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}

    def look(self, event: Event, raw: bytes | None) -> None:
        """Take note of an event; ``raw`` is its payload as it was hashed."""
        if event.why == ERASED_REASON and _how_hashed(event) is None:
            self._open[vouched(event)] = event.seq
        if event.action is not Action.ERASE or raw is None:
            return
        payload = codec.decode(event.action, event.scope, raw)
        for header in payload.headers if isinstance(payload, Erased) else ():
            self._open.pop(header, None)

    def break_in(self) -> str:
        """What is wrong once all were looked at; "" when nothing is."""
        return f"the header of event {min(self._open.values())} was changed" if self._open else ""


def headers_of(events: Iterable[Event]) -> tuple[str, ...]:
    """What an erasure has to vouch for, of events that are about to lose their reasons."""
    going = (event for event in events if event.why != ERASED_REASON)
    return tuple(vouched(event) for event in going if without_reason(event).why == ERASED_REASON)


def _is_digest(why: str) -> bool:
    return why.startswith("[erased ") and len(why) == len("[erased ]") + _DIGEST_CHARS


def _sealed(why: str, salt: bytes) -> str:
    """A reason as the header's hash covers it."""
    if is_wordless(why):
        return why
    digest = sha256(b"why" + salt + why.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[erased {digest[:_DIGEST_CHARS]}]"


def _how_hashed(event: Event) -> str | None:
    """The reason as it entered the event's hash: sealed, or, in an old event, itself; None: the hash fits neither."""
    ways = (*((_sealed(event.why, event.salt),) if event.salt is not None else ()), event.why)
    fits = (way for way in ways if event.hash == _hash(event, event.seq, event.previous, event.digest, way))
    return next(fits, None)


def _hash(header: Draft | Event, seq: int, previous: str, digest: str, why: str) -> str:
    scope = header.scope
    written = (  # canonical JSON: as codec.write would write the list of these
        f"[{seq},{quoted(scope.agent)},{quoted(scope.user)},{quoted(scope.project)},"
        f'"{moment(header.at)}",{quoted(header.actor)},"{header.action.value}",{quoted(why)}]'
    )
    return sha256(f"{previous}{written}{digest}".encode("utf-8", "surrogatepass")).hexdigest()
