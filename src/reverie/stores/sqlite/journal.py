"""Read and write the journals' events in the SQLite file.

An event has a number (``seq``) in its scope, which is what everybody else knows it by, and a ``position`` in the order
of writing of the whole file, which the other tables refer to it by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import Action, Event, Reach
from reverie.stores import codec
from reverie.stores.codec import FOREVER, from_micros, to_micros
from reverie.stores.digest import Mark
from reverie.stores.sqlite.connection import Connection, Row, string, text
from reverie.types import Scope

_EVENT = """
SELECT e.position, e.seq, s.agent, s.user, s.project, e.at, e.actor, e.action, e.why, e.payload, e.salt, e.digest,
  e.previous, e.hash
FROM event e JOIN scope s ON s.id = e.scope
"""
_ANY = f"{_EVENT} WHERE e.position > ? {{}} ORDER BY e.position LIMIT 256"
_PAGE = f"{_EVENT} WHERE e.scope = ? AND e.seq > ? {{}} ORDER BY e.seq LIMIT 256"
_FEW_OF = f"{_EVENT} WHERE e.scope = ? AND e.position > ? {{}} ORDER BY e.position LIMIT 256"
"""As ``_PAGE``, by the small indexes, which know positions."""
_POSITION = "SELECT max(position) FROM event WHERE scope = ? AND seq <= ?"
_NUMBERS = "SELECT position, seq FROM event WHERE position IN ({})"
_HEADS = """
SELECT s.agent, s.user, s.project, e.seq, lower(hex(e.hash)) FROM scope s
JOIN event e ON e.scope = s.id AND e.seq = (SELECT max(seq) FROM event WHERE scope = s.id)
"""

_HISTORY = f"""
{_EVENT} WHERE e.position IN (
  SELECT event FROM memory WHERE key = ?1 UNION ALL SELECT event FROM touch WHERE memory = ?1)
ORDER BY e.position
"""
_RECALLED = f"{_EVENT} WHERE e.scope = ? AND e.action = 'recall' AND e.position > ? AND instr(e.payload, ?)"
_ADDING = {Action.REMEMBER, Action.RECALL}
_FEW = {Action.DREAM, Action.ERASE}


def last(connection: Connection) -> tuple[int, str]:
    """Return position and hash of the last event of the file; raises StoreCorrupt if it has no hash."""
    return _end(connection.row("SELECT position, hash FROM event ORDER BY position DESC LIMIT 1"))


def head(connection: Connection, scope: int) -> tuple[int, str]:
    """Return number and hash of the last event of a scope; raises StoreCorrupt if it has no hash."""
    return _end(connection.row("SELECT seq, hash FROM event WHERE scope = ? ORDER BY seq DESC LIMIT 1", (scope,)))


def _end(row: Row | None) -> tuple[int, str]:
    if row is None:
        return 0, codec.NO_HASH
    number, own = row
    if not (isinstance(number, int) and isinstance(own, bytes)):  # otherwise each later write would fail without reason
        raise StoreCorrupt(f"Event {number} has no hash, or no number.", "Run `reverie doctor`.")
    return number, own.hex()


def heads(connection: Connection) -> dict[Scope, tuple[int, str]]:
    """Return the head of every scope's journal, scopes in order."""
    found = {Scope(*row[:3]): (row[3], row[4]) for row in connection.rows(_HEADS)}
    return dict(sorted(found.items()))


def happened(connection: Connection, after: int, actions: Collection[Action]) -> bool:
    """Whether an event of one of these kinds lies after a position in the file."""
    also, values = _only(actions)
    return connection.row(f"SELECT 1 FROM event e WHERE e.position > ? {also} LIMIT 1", (after, *values)) is not None


def marks(connection: Connection, scope: int) -> Iterator[Mark]:
    """Yield number, hash and erasure of every event of a scope, for its digest."""
    query = "SELECT seq, lower(hex(hash)), payload IS NULL FROM event WHERE scope = ? ORDER BY seq"
    for block in connection.blocks(query, (scope,)):
        yield from ((seq, own, bool(erased)) for seq, own, erased in block)


def numbers(connection: Connection, positions: Iterable[int]) -> list[int]:
    """Return the numbers that the events at these positions have in their scopes, ascending."""
    return sorted(seq for _, seq in connection.rows_among(_NUMBERS, sorted(positions)))


def write(connection: Connection, position: int, scope: int, event: Event, raw: bytes | None) -> None:
    """Add a sealed event; ``raw`` is its encoded payload, None if it was erased."""
    connection.run(
        "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            scope,
            event.seq,
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
    """Erase the content of events, and reasons that quote content; the rest of the header and the digest stay.

    ``reach`` names the events by their positions.
    """
    for position in (*reach.emptied, *reach.unreasoned):
        why = codec.without_reason(one(connection, position)).why
        connection.run("UPDATE event SET why = ? WHERE position = ? AND why <> ?", (text(why), position, text(why)))
    rows = [(position,) for position in reach.emptied]
    connection.run_many("UPDATE event SET payload = NULL, salt = NULL WHERE position = ?", rows)


def one(connection: Connection, position: int) -> Event:
    """Return an event by its position, without its payload."""
    (row,) = connection.rows(f"{_EVENT} WHERE e.position = ?", (position,))
    return _read(row, decoded=False)[1]


def page(connection: Connection, scope: int, after: int, *, actions: Collection[Action] | None = None) -> list[Event]:
    """Return up to 256 events of a scope after number ``after``, with their payloads."""
    also, values = _only(actions)
    query, after = _PAGE, min(after, FOREVER)
    if actions is not None and not _ADDING & set(actions):
        row = connection.row(_POSITION, (scope, after))
        query, after = _FEW_OF, (row[0] if row else None) or 0
    rows = connection.rows(query.format(also), (scope, after, *values))
    _require_rising([0, *(row[1] for row in rows)])
    return [_read(row, decoded=True)[1] for row in rows]


def any_page(
    connection: Connection, after: int, *, decoded: bool = True, actions: Collection[Action] | None = None
) -> list[tuple[int, Event, bytes | None]]:
    """Return up to 256 events of any scope after a position, each with its position and its payload's bytes.

    Payloads are decoded only if ``decoded``.
    """
    also, values = _only(actions)
    rows = connection.rows(_ANY.format(also), (min(after, FOREVER), *values))
    _require_rising([after, *(row[0] for row in rows)])
    return [_read(row, decoded) for row in rows]


def _only(actions: Collection[Action] | None) -> tuple[str, tuple[str, ...]]:
    """Return the condition that events are of these actions, and its values."""
    if actions is None:
        return "", ()
    also = f" AND e.action IN ({', '.join('?' * len(actions))})"
    if not _ADDING & set(actions):
        few = "IN ('dream', 'erase')" if set(actions) <= _FEW else "NOT IN ('remember', 'recall')"
        also += f" AND e.action {few}"  # so that the small index is used
    return also, tuple(sorted(action.value for action in actions))


def _require_rising(numbers: Iterable[object]) -> None:
    """Raise StoreCorrupt unless these are rising numbers; otherwise paging might never end."""
    for earlier, later in pairwise(numbers):
        if not (isinstance(earlier, int) and isinstance(later, int) and earlier < later):
            raise StoreCorrupt("The journal's order is damaged.", "Restore the last backup.")


def history(connection: Connection, scope: int, key: int, memory_id: str) -> list[Event]:
    """Return the events that wrote, affected or recalled a memory, in order."""
    rows = connection.rows(_HISTORY, (key,))
    if not rows:
        raise StoreCorrupt(f"No event tells of memory {memory_id!r}.", "Restore the last backup.")
    rows += connection.rows(_RECALLED, (scope, rows[0][0], codec.dump(memory_id)))
    return sorted((_read(row, decoded=True)[1] for row in rows), key=lambda event: event.seq)


def _read(row: Row, decoded: bool) -> tuple[int, Event, bytes | None]:
    position, seq, agent, user, project, at, actor, action, why, raw, salt, digest, previous, own = row
    try:
        if not (isinstance(seq, int) and isinstance(raw, bytes | None) and isinstance(salt, bytes | None)):
            raise TypeError("the number is none, or content or salt is not bytes")
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
    return position, event, raw
