"""Read and write the journal's events in the SQLite file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import Action, Event, Reach
from reverie.stores import codec
from reverie.stores.codec import FOREVER, from_micros, to_micros
from reverie.stores.digest import Mark
from reverie.stores.sqlite.connection import Connection, Row, string, text
from reverie.types import Scope

_EVENT = """
SELECT e.seq, s.agent, s.user, s.project, e.at, e.actor, e.action, e.why, e.payload, e.salt, e.digest, e.previous,
  e.hash
FROM event e JOIN scope s ON s.id = e.scope
"""
_PAGE = f"{_EVENT} WHERE e.seq > ? {{}} ORDER BY e.seq LIMIT 256"

_HISTORY = f"""
{_EVENT} WHERE e.seq IN (SELECT event FROM memory WHERE key = ?1 UNION ALL SELECT event FROM touch WHERE memory = ?1)
ORDER BY e.seq
"""
_RECALLED = f"{_EVENT} WHERE e.scope = ? AND e.action = 'recall' AND e.seq > ? AND instr(e.payload, ?)"
_ADDING = {Action.REMEMBER, Action.RECALL}
_FEW = {Action.DREAM, Action.ERASE}


def head(connection: Connection) -> tuple[int, str]:
    """Return sequence number and hash of the last event; raises StoreCorrupt if it has no hash."""
    row = connection.row("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")
    if row is None:
        return 0, codec.NO_HASH
    seq, own = row
    if not isinstance(own, bytes):  # otherwise every later write would fail without saying why
        raise StoreCorrupt(f"Event {seq} has no hash.", "Run `reverie doctor`.")
    return seq, own.hex()


def marks(connection: Connection) -> Iterator[Mark]:
    """Yield number, hash and erasure of every event, for the store's digest."""
    for block in connection.blocks("SELECT seq, lower(hex(hash)), payload IS NULL FROM event ORDER BY seq"):
        yield from ((seq, own, bool(erased)) for seq, own, erased in block)


def write(connection: Connection, scope: int, event: Event, raw: bytes | None) -> None:
    """Add a sealed event; ``raw`` is its encoded payload, None if it was erased."""
    connection.run(
        "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.seq,
            scope,
            to_micros(event.at),
            text(event.actor),
            event.action.value,
            text(event.why),
            raw,
            None if raw is None else event.salt,
            bytes.fromhex(event.digest),
            bytes.fromhex(event.previous),
            bytes.fromhex(event.hash),
        ),
    )


def blank(connection: Connection, reach: Reach) -> None:
    """Erase the content of events, and reasons that quote content; the rest of the header and the digest stay."""
    for seq in (*reach.emptied, *reach.unreasoned):
        why = codec.without_reason(one(connection, seq)).why
        connection.run("UPDATE event SET why = ? WHERE seq = ? AND why <> ?", (text(why), seq, text(why)))
    rows = [(seq,) for seq in reach.emptied]
    connection.run_many("UPDATE event SET payload = NULL, salt = NULL WHERE seq = ?", rows)


def one(connection: Connection, seq: int) -> Event:
    """Return an event by its number, without its payload."""
    (row,) = connection.rows(f"{_EVENT} WHERE e.seq = ?", (seq,))
    return _read(row, decoded=False)[0]


def page(
    connection: Connection,
    scope: Scope | None,
    after: int,
    *,
    decoded: bool = True,
    actions: Collection[Action] | None = None,
) -> list[tuple[Event, bytes | None]]:
    """Return up to 256 events after a number, each with its payload's bytes (decoded only if ``decoded``)."""
    also = "" if scope is None else "AND s.agent = ? AND s.user = ? AND s.project = ?"
    values: tuple[object, ...] = () if scope is None else (scope.agent, scope.user, scope.project)
    if actions is not None:
        also += f" AND e.action IN ({', '.join('?' * len(actions))})"
        values = (*values, *sorted(action.value for action in actions))
        if not _ADDING & set(actions):
            few = "IN ('dream', 'erase')" if set(actions) <= _FEW else "NOT IN ('remember', 'recall')"
            also += f" AND e.action {few}"  # so that the small index is used
    rows = connection.rows(_PAGE.format(also), (min(after, FOREVER), *values))
    seqs = [after, *(row[0] for row in rows)]
    if any(later <= earlier for earlier, later in pairwise(seqs)):  # otherwise paging might never end
        raise StoreCorrupt("The journal's order is damaged.", "Restore the last backup.")
    return [_read(row, decoded) for row in rows]


def history(connection: Connection, scope: int, key: int, memory_id: str) -> list[Event]:
    """Return the events that wrote, affected or recalled a memory, in order."""
    rows = connection.rows(_HISTORY, (key,))
    if not rows:
        raise StoreCorrupt(f"No event tells of memory {memory_id!r}.", "Restore the last backup.")
    rows += connection.rows(_RECALLED, (scope, rows[0][0], codec.dump(memory_id)))
    return sorted((_read(row, decoded=True)[0] for row in rows), key=lambda event: event.seq)


def _read(row: Row, decoded: bool) -> tuple[Event, bytes | None]:
    seq, agent, user, project, at, actor, action, why, raw, salt, digest, previous, own = row
    try:
        if not (isinstance(raw, bytes | None) and isinstance(salt, bytes | None)):
            raise TypeError("content or salt is not bytes")
        scope, did = Scope(agent, user, project), Action(action)
        event = Event(
            seq=seq,
            scope=scope,
            at=from_micros(at),
            actor=string(actor),
            action=did,
            why=string(why),
            payload=codec.decode(did, scope, raw) if decoded and raw is not None else None,
            salt=salt,
            digest=digest.hex(),
            previous=previous.hex(),
            hash=own.hex(),
        )
    except (ValueError, TypeError, AttributeError, OverflowError, InvalidInput) as error:
        raise StoreCorrupt(f"Event {seq} cannot be read ({error}).", "Restore the last backup.") from error
    return event, raw
