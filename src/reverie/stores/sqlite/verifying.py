"""Whether the tables are what the journal says: every event's content in, what differs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from reverie.stores import chain
from reverie.stores.sqlite import journal, keys, reading
from reverie.stores.sqlite.connection import Connection, text
from reverie.stores.vectors import unpack
from reverie.types import Event, Forgotten, Memory, Recalled, Remembered, Scope

Ends: TypeAlias = dict[tuple[Scope, str], tuple[int, datetime | None]]

_MOST = 20
_COUNTS = {
    "scope's memories": """SELECT s.id FROM scope s
        WHERE memories <> (SELECT count(*) FROM memory WHERE key > s.id << 32 AND key < s.id + 1 << 32)""",
    "scope's events": """SELECT s.id FROM scope s LEFT JOIN (SELECT scope, count(*) AS n FROM event GROUP BY scope) e
        ON e.scope = s.id WHERE events <> coalesce(n, 0)""",
    "model's vectors": """SELECT scope FROM (SELECT scope, model, count FROM coverage
        UNION ALL SELECT key >> 32 & 16777215, key >> 56, -count(*) FROM vector GROUP BY 1, 2)
        GROUP BY scope, model HAVING sum(count) <> 0""",
}
_STRAYS = {
    "memories without an episode": "SELECT key FROM memory WHERE event NOT IN (SELECT event FROM episode)",
    "vectors without a memory": "SELECT key FROM vector WHERE key & ((1 << 56) - 1) NOT IN (SELECT key FROM memory)",
    "access counts without a memory": "SELECT memory FROM access WHERE memory NOT IN (SELECT key FROM memory)",
    "episodes without an event": """SELECT event FROM episode
        WHERE event NOT IN (SELECT seq FROM event WHERE action = 'remember' AND payload IS NOT NULL)""",
}


def broken_chain(connection: Connection) -> Iterator[str]:
    """Where the journal's chain breaks first."""
    expected, previous = 1, chain.NO_HASH
    for event, raw in _pages(connection, decoded=False):
        wrong = chain.break_in(event, raw, expected, previous)
        if wrong:
            yield f"The chain is broken: {wrong}."
            return
        expected, previous = event.seq + 1, event.hash


def wrong_rows(connection: Connection) -> Iterator[str]:
    """What in the tables is not what the events wrote, the first of it."""
    yield from islice(_differing(connection), _MOST)
    for what, query in _COUNTS.items():
        for (scope,) in islice(connection.rows(query), _MOST):
            yield f"The count of a {what} is wrong (scope {scope})."
    for what, query in _STRAYS.items():
        found = connection.rows(query)
        if found:
            yield f"There are {len(found)} {what}."


def bad_vectors(connection: Connection) -> Iterator[str]:
    """Vectors that are none: of the wrong length, or with what is no number. A wrong number cannot be told."""
    dims: dict[int, int] = dict(connection.rows("SELECT id, dims FROM model"))
    for block in connection.blocks("SELECT key, data FROM vector"):
        for key, data in block:
            try:
                whole = len(unpack(data, dims[key >> keys.VECTOR_BITS])) == 1
            except (ValueError, TypeError, KeyError):
                whole = False
            if not whole:
                yield f"The vector of memory {key & keys.MEMORY_MASK} is damaged."
                return


def _pages(connection: Connection, *, decoded: bool) -> Iterator[tuple[Event, bytes | None]]:
    after = 0
    while found := journal.page(connection, None, after, decoded=decoded):
        yield from found
        after = found[-1][0].seq


def _differing(connection: Connection) -> Iterator[str]:
    numbers = {scope: number for number, scope in reading.scopes(connection).items()}
    ends = _ends(connection)
    counted: Counter[tuple[int, int]] = Counter()
    for event, _ in _pages(connection, decoded=True):
        number = numbers[event.scope]
        match event.payload:
            case Remembered() as payload:
                yield from _remembered(connection, number, event.seq, payload, ends)
            case Recalled() as payload:
                for memory_id in payload.memories:
                    key = _key(connection, number, memory_id, event.seq)
                    if key is not None:
                        counted[number, key] += 1
    held = {row[0]: row[1] for row in connection.rows("SELECT memory, count FROM access")}
    if held != {key: times for (_, key), times in counted.items()}:
        yield "The access counts are not those of the recalls in the journal."


def _remembered(connection: Connection, number: int, seq: int, payload: Remembered, ends: Ends) -> Iterator[str]:
    row = connection.row(f"{reading.EPISODE} WHERE event = ?", (seq,))
    if row is None or reading.episode(payload.episode.scope, row) != payload.episode:
        yield f"Episode {payload.episode.id} of event {seq} is missing or was changed."
    for memory in payload.memories:
        found = reading.by_id(connection, memory.scope, number, memory.id)
        if found != memory and (found is None or _bare(found) != _bare(_ended(memory, seq, ends))):
            yield f"Memory {memory.id} of event {seq} is missing or was changed."


def _ended(memory: Memory, seq: int, ends: Ends) -> Memory:
    after, end = ends.get((memory.scope, memory.id), (0, None))
    return replace(memory, valid_until=end) if after > seq else memory


def _bare(memory: Memory) -> Memory:
    return replace(memory, accesses=0, last_access=None)


def _ends(connection: Connection) -> Ends:
    """Until when memories hold, by what was forgotten last, and which event said so."""
    forgotten = connection.rows("SELECT seq FROM event WHERE action = 'forget' ORDER BY seq")
    found: Ends = {}
    for (seq,) in forgotten:
        for event, _ in journal.page(connection, None, seq - 1)[:1]:
            if isinstance(event.payload, Forgotten):
                found[event.scope, event.payload.memory] = (seq, event.payload.after)
    return found


def _key(connection: Connection, number: int, memory_id: str, before: int) -> int | None:
    """The key of a memory that was there before an event."""
    row = connection.row(
        "SELECT key FROM memory WHERE scope = ? AND id = ? AND event < ?", (number, text(memory_id), before)
    )
    return None if row is None else int(row[0])
