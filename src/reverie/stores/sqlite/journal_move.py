"""Move the events of a file from one chain over all scopes (format 1) to a chain for each scope (format 2).

Part of the migration to version 7: ``event_before`` holds the old rows, ``event`` is empty. Positions stay as they are.
"""

from __future__ import annotations

from collections import Counter

from reverie.errors import ReverieError
from reverie.events import Action, Event
from reverie.stores.codec import from_micros
from reverie.stores.rechain import BROKEN, FORMER, Rechaining
from reverie.stores.sqlite.connection import Connection, Row, string, text
from reverie.types import Scope

_BLOCK = 4096
_ROWS = f"""
SELECT e.seq, e.scope, e.at, e.actor, e.action, e.why, e.payload, e.salt, e.digest, e.previous, e.hash,
  s.agent, s.user, s.project
FROM event_before e LEFT JOIN scope s ON s.id = e.scope WHERE e.seq > ? ORDER BY e.seq LIMIT {_BLOCK}
"""
_ADD = f"INSERT INTO event VALUES ({', '.join('?' * 12)})"
_FAULTS = (ReverieError, ValueError, TypeError, AttributeError, KeyError, OverflowError)


def move(connection: Connection) -> None:
    """Copy every event into the new table, with the number and hash of its place in its scope.

    A journal that was broken is copied as well, with a note of how, which ``check`` reports from then on; what comes
    after an event that cannot be read keeps the hashes that it had.
    """
    chain, counts, unreadable, after = Rechaining(), Counter[int](), "", -(2**63)
    while rows := connection.rows(_ROWS, (after,)):
        moved = []
        for row in rows:
            counts[row[1]] += 1
            made = None
            if not unreadable:
                try:
                    made = _moved(chain, row)
                except _FAULTS as error:
                    unreadable = f"event {row[0]} cannot be read ({type(error).__name__})"
            moved.append(made or (*row[:2], counts[row[1]], *row[2:11]))
        connection.run_many(_ADD, moved)
        after = rows[-1][0]
    notes = {BROKEN: unreadable or chain.end(), FORMER: f"{chain.head[0]} {chain.head[1]}" if chain.head[0] else ""}
    said = [(name, value) for name, value in notes.items() if value]
    connection.run_many("INSERT OR REPLACE INTO meta VALUES (?, ?)", said)


def _moved(chain: Rechaining, row: Row) -> Row:
    position, scope, at, actor, action, why, raw, salt, digest, previous, own, *names = row
    event = Event(
        seq=position,
        scope=Scope(*map(string, names)),
        at=from_micros(at),
        actor=string(actor),
        action=Action(action),
        why=string(why),
        payload=None,
        salt=salt,
        digest=digest.hex(),
        previous=previous.hex(),
        hash=own.hex(),
    )
    made, content = chain.next(event, raw)
    ends = (bytes.fromhex(each) for each in (made.digest, made.previous, made.hash))
    return (position, scope, made.seq, at, actor, action, text(made.why), content, salt, *ends)
