"""How much there is: a scope or a model in, counts out."""

from __future__ import annotations

from reverie.answers import Stats
from reverie.errors import StoreCorrupt
from reverie.events import GATED
from reverie.stores.sqlite import keys
from reverie.stores.sqlite.connection import Connection, whole
from reverie.stores.sqlite.reading import when
from reverie.types import ModelInfo, Scope


def stats(connection: Connection, scope: Scope, number: int | None, disk_bytes: int) -> Stats:
    """Counts of one scope."""
    counted = connection.row(
        """SELECT count(*), count(*) - count(valid_until), count(DISTINCT session), count(DISTINCT speaker),
             min(at), max(at) FROM memory WHERE key > ? AND key < ?""",
        (0, 0) if number is None else (keys.base(number), keys.base(number + 1)),
    )
    held = connection.row(
        """SELECT events, (SELECT coalesce(max(count), 0) FROM coverage WHERE scope = s.id),
             (SELECT coalesce(sum(count), 0) FROM access WHERE memory > ? AND memory < ?),
             (SELECT count(*) FROM event WHERE scope = s.id AND action = 'recall' AND why = ?)
           FROM scope s WHERE id = ?""",
        (0, 0, GATED, 0) if number is None else (keys.base(number), keys.base(number + 1), GATED, number),
    )
    memories, current, sessions, speakers, first, last = counted or (0, 0, 0, 0, None, None)
    events, embedded, accesses, gated = map(whole, held or (0, 0, 0, 0))
    try:
        first_at, last_at = when(first), when(last)
    except (TypeError, OverflowError) as error:
        raise StoreCorrupt(f"A time cannot be read ({error}).", "Run `reverie doctor`.") from error
    return Stats(
        scope=scope,
        memories=memories,
        current=current,
        sessions=sessions,
        speakers=speakers,
        accesses=accesses,
        embedded=embedded,
        first_at=first_at,
        last_at=last_at,
        events=events,
        disk_bytes=disk_bytes,
        gated=gated,
    )


def missing(connection: Connection, model: ModelInfo) -> int:
    """How many memories have no vector of a model."""
    row = connection.row(
        """SELECT (SELECT coalesce(sum(memories), 0) FROM scope)
             - (SELECT coalesce(sum(count), 0) FROM coverage WHERE model = (SELECT id FROM model WHERE key = ?))""",
        (model.key,),
    )
    return 0 if row is None else whole(row[0])
