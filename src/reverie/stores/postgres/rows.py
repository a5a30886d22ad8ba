"""Turn memories, events and terms into the columns of the tables and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import GATED, OBSERVED, Action, Event
from reverie.stores import codec
from reverie.stores.codec import from_micros, plain_standing, read_standing, to_micros
from reverie.stores.postgres.wire import Row, Statement
from reverie.stores.postings import token, tokens_line
from reverie.stores.vectors import pack
from reverie.types import BEGINNING, FloatArray, IndexEntry, Kind, Memory, ModelInfo, Role, Scope, Standing

_MEMORY = """
SELECT m.ord, m.id, m.kind, m.text, m.at, m.recorded_at, m.session, m.place, m.speaker, m.role, m.lists, m.valid_until,
  a.n, a.last, m.standing
"""
MEMORY = f"{_MEMORY} FROM memory m LEFT JOIN access a ON a.scope = m.scope AND a.ord = m.ord"
_LOOK_UP = f"""
{_MEMORY} FROM unnest(%s::{{}}[]) asked (key),
  LATERAL (SELECT * FROM memory WHERE scope = %s AND {{}} = asked.key OFFSET 0) m
  LEFT JOIN LATERAL (SELECT n, last FROM access WHERE scope = %s AND ord = m.ord OFFSET 0) a ON true
"""
_BY_ORD, _BY_ID = _LOOK_UP.format("bigint", "ord"), _LOOK_UP.format("bytea", "id")
RECORD = """
SELECT s.agent, s.usr, s.project, r.sort, r.name, r.about, r.body FROM record r JOIN scope s ON s.id = r.scope
WHERE r.tenant = %s
"""
_OWN_RECORDS = f"""
{RECORD} AND r.scope = (SELECT id FROM scope WHERE tenant = %s AND agent = %s AND usr = %s AND project = %s)
ORDER BY r.sort, r.name
"""
EVENT = "SELECT seq, at, actor, action, why, payload, salt, digest, previous, hash FROM event"
ADD_MEMORY = f"INSERT INTO memory VALUES ({', '.join(['%s'] * 21)})"
SET_MEMORY = """
UPDATE memory SET kind = %s, state = %s, at = %s, began = %s, recorded_at = %s, session = %s, place = %s, speaker = %s,
  role = %s, valid_until = %s, lists = %s, text = %s, standing = %s WHERE scope = %s AND ord = %s
"""
NOTES = {GATED: 1, OBSERVED: 2}
_WHY = {note: why for why, note in NOTES.items()}
_STORED = np.dtype("<f2")
_DAMAGE = (ValueError, TypeError, AttributeError, KeyError, OverflowError, InvalidInput)
_KINDS = {kind.value: kind for kind in Kind}
_ROLES = {role.value: role for role in Role}


@dataclass(slots=True)
class Head:
    """The locked row of a scope, as the transaction has changed it so far."""

    number: int
    seq: int
    hash: str
    top: int
    memories: int
    models: set[int]
    version: int = 0
    stamp: int = 0
    did: Counter[str] = field(default_factory=Counter)
    _sent: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        self._sent = self.seq, self.top, self.memories

    @property
    def dirty(self) -> bool:
        """Whether the row must be written."""
        return self.stamp > 0 or (self.seq, self.top, self.memories) != self._sent

    def written(self) -> None:
        """Note that the row is as this says."""
        self._sent, self.stamp = (self.seq, self.top, self.memories), 0
        self.did.clear()


class Box:
    """What lies between a scope's words and the bytes that are stored; this one changes nothing (see ``keys``)."""

    def seal(self, plain: bytes) -> bytes:
        """Return the bytes to store."""
        return plain

    hides = False
    """Whether what it stores is not plain."""

    def same(self, plain: bytes) -> bytes:
        """Return the bytes to store, the same for the same plain ones, which can then be counted and compared."""
        return plain

    def key(self, plain: bytes) -> bytes:
        """Return the bytes to look something up by: short, and not to be opened where the box hides."""
        return plain

    def open(self, stored: bytes) -> bytes:
        """Return the bytes that ``seal`` or ``same`` was given."""
        return stored


CLEAR = Box()
SEALED_MORE = 29
"""Bytes that sealing adds."""


def by_ord(scope: int, ords: list[int]) -> Statement:
    """Return the query for the memories with these places in a scope.

    Each is looked up by its key (``OFFSET 0``), whatever the server believes of the size of the tables.
    """
    return _BY_ORD, (ords, scope, scope)


def by_id(scope: int, ids: list[bytes]) -> Statement:
    """Return the query for the memories with these ids in a scope, each looked up by its key."""
    return _BY_ID, (ids, scope, scope)


def records_of(tenant: int, scope: Scope) -> Statement:
    """Return the query for a scope's records, in an order of their own."""
    return _OWN_RECORDS, (tenant, tenant, scope.agent, scope.user, scope.project)


def head_in(state: Row) -> Row:
    """Return number, last event, its hash, last place and count of memories from a row of a scope's state."""
    return state[0], state[8], state[9], state[10], state[3]


def raw(text: str) -> bytes:
    """Return a string as bytes, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def string(stored: bytes) -> str:
    """Return the string that ``raw`` stored."""
    return stored.decode("utf-8", "surrogatepass")


def note(why: str) -> int:
    """Return the number of a reason that is counted; 0 for any other."""
    return NOTES.get(why, 0)


def why_of(number: int) -> str:
    """Return the reason of a number; "" for none that is counted."""
    return _WHY.get(number, "")


def line(box: Box, terms: Sequence[str]) -> bytes:
    """Encode the terms of one memory: as a line where they are their own tokens, else as JSON after a NUL."""
    if not terms:
        return b""
    tokens = tokens_line("", terms)
    is_plain = all(terms) and tokens == " ".join(terms)
    return box.seal(raw(tokens) if is_plain else b"\x00" + codec.dump(list(terms)))


def terms_of(box: Box, stored: bytes) -> list[str]:
    """Return the terms that ``line`` encoded."""
    plain = box.open(stored) if stored else b""
    if not plain.startswith(b"\x00"):
        return string(plain).split(" ") if plain else []
    found: list[str] = codec.load(plain[1:])
    return found


def tokens_of(box: Box, stored: bytes) -> list[str]:
    """Return the tokens by which the encoded terms are looked up."""
    plain = box.open(stored) if stored else b""
    if not plain.startswith(b"\x00"):
        return string(plain).split(" ") if plain else []
    return [token(term) for term in codec.load(plain[1:])]


def memory_row(box: Box, place: tuple[int, int, int, int], memory: Memory, entry: IndexEntry) -> Row:
    """Return the row of a new memory; ``place``: its scope, ord, tenant and event."""
    return (
        *place,
        raw(memory.id),
        *_columns(box, memory),
        len(entry.terms),
        entry.words,
        _lists(box, memory),
        box.seal(raw(memory.text)),
        _standing(box, memory),
        line(box, entry.terms),
    )


def vector(box: Box, found: FloatArray, model: ModelInfo) -> bytes:
    """Return a vector of shape (dims,) as it is stored: half precision, little-endian, sealed."""
    return box.seal(pack(found, model).astype(_STORED, copy=False).tobytes())


def numbers(seqs: Iterable[int]) -> list[int]:
    """Return those of some sequence numbers that the tables can hold."""
    return [seq for seq in seqs if 0 < seq < 2**63]


def changed_row(box: Box, scope: int, ord_: int, memory: Memory) -> Row:
    """Return the values that rewrite a memory's row."""
    return (
        *_columns(box, memory),
        _lists(box, memory),
        box.seal(raw(memory.text)),
        _standing(box, memory),
        scope,
        ord_,
    )


def _columns(box: Box, memory: Memory) -> Row:
    """Return what is searched and sorted by, names sealed, the rest as it is: from the kind to its validity's end."""
    return (
        memory.kind.value,
        memory.standing.state.value,
        to_micros(memory.at),
        to_micros(memory.valid_from),
        to_micros(memory.recorded_at),
        box.key(raw(memory.session)),
        memory.seq,
        box.same(raw(memory.speaker)),
        memory.role.value,
        None if memory.valid_until is None else to_micros(memory.valid_until),
    )


def _lists(box: Box, memory: Memory) -> bytes | None:
    lists = (memory.sources, memory.entities, memory.keywords)
    if box.hides:  # the column of the session then has but its key
        return box.seal(codec.dump((*lists, (memory.session,))))
    return box.seal(codec.dump(lists)) if any(lists) else None


def _standing(box: Box, memory: Memory) -> bytes | None:
    plain = None if memory.standing is BEGINNING else plain_standing(memory.standing)
    return box.seal(codec.dump(plain)) if plain else None


def memory(box: Box, scope: Scope, row: Row) -> Memory:
    """Make a memory of a row of ``MEMORY``; raises StoreCorrupt if it cannot be read."""
    _, name, kind, text, at, recorded_at, session, place, speaker, role, lists, end, accesses, last, life = row
    try:
        sources, entities, keywords, *own = ((), (), ()) if lists is None else _read_lists(box.open(lists))
        return Memory(
            id=string(name),
            scope=scope,
            kind=_KINDS[kind],
            text=string(box.open(text)),
            at=from_micros(at),
            recorded_at=from_micros(recorded_at),
            session=own[0][0] if own else string(session),
            seq=place,
            speaker=string(box.open(speaker)),
            role=_ROLES[role],
            sources=sources,
            entities=entities,
            keywords=keywords,
            valid_until=None if end is None else from_micros(end),
            accesses=accesses or 0,
            last_access=None if last is None else from_micros(last),
            standing=BEGINNING if life is None else _read_standing(box.open(life)),
        )
    except _DAMAGE as error:
        raise StoreCorrupt(f"A memory cannot be read ({error}).", "Restore the last backup.") from error


@lru_cache(maxsize=4096)
def _read_standing(stored: bytes) -> Standing:
    return read_standing(codec.load(stored))


@lru_cache(maxsize=4096)
def _read_lists(stored: bytes) -> tuple[tuple[str, ...], ...]:
    found: list[list[str]] = codec.load(stored)
    return tuple(map(tuple, found))


def event(box: Box, scope: Scope, row: Row, *, decoded: bool = True) -> tuple[Event, bytes | None]:
    """Make an event of a row of ``EVENT``, and its encoded payload; raises StoreCorrupt if it cannot be read."""
    seq, at, actor, action, why, payload, salt, digest, previous, own = row
    try:
        did = Action(action)
        plain = None if payload is None else box.open(payload)
        found = Event(
            seq=seq,
            scope=scope,
            at=from_micros(at),
            actor=string(box.open(actor)),
            action=did,
            why=string(box.open(why)),
            payload=codec.decode(did, scope, plain) if decoded and plain is not None else None,
            salt=None if salt is None else box.open(salt),
            digest=digest.hex(),
            previous=previous.hex(),
            hash=own.hex(),
        )
    except _DAMAGE as error:
        raise StoreCorrupt(f"Event {seq} cannot be read ({error}).", "Restore the last backup.") from error
    return found, plain
