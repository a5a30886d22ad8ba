"""Read memories, relations and counts from the tables of the SQLite store.

A memory's key is its scope's number and its place in the scope, a vector's key its model's number and the memory's.
A scope's health is counted by grouped queries.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

from reverie.answers import JUNK_DAYS, JUNK_MOST, Growth, Health, Stats
from reverie.errors import InvalidInput, NotFound, StoreCorrupt, StoreFull
from reverie.events import GATED, OBSERVED
from reverie.stores.codec import FOREVER, from_micros, read_standing, to_micros
from reverie.stores.digest import by_name
from reverie.stores.health import ordered
from reverie.stores.sqlite.connection import Connection, Row, string, text, whole
from reverie.types import (
    BEGINNING,
    EPOCH,
    RECALLED_STATES,
    Companions,
    Episode,
    Kind,
    Memory,
    ModelInfo,
    Record,
    Relation,
    RelationKind,
    Role,
    Scope,
    Standing,
    State,
    Tier,
)

_PLACE_BITS = 32
VECTOR_BITS = 56
SCOPES_MAX = 2 ** (VECTOR_BITS - _PLACE_BITS) - 1
MODELS_MAX = 2 ** (63 - VECTOR_BITS) - 1
MEMORY_MASK = 2**VECTOR_BITS - 1


def base(scope: int) -> int:
    """Return the lower bound (exclusive) of the keys of a scope's memories."""
    return scope << _PLACE_BITS


def scope_of(key: int) -> int:
    """Return the scope's number from a memory's key."""
    return key >> _PLACE_BITS


def vector_base(model: int) -> int:
    """Return what is added to a memory's key to get the key of its vector by this model."""
    return model << VECTOR_BITS


def require_room(what: str, number: int, most: int) -> None:
    """Raise StoreFull if ``number`` exceeds ``most``, so that no further number is left."""
    if number > most:
        raise StoreFull(f"A store holds at most {most} {what}.", "Begin a second store.")


PAGE = 256
"""Memories read at a time; others may write between two pages."""

_MEMORY = """
SELECT m.id, m.kind, coalesce(m.text, e.text), m.at, m.recorded_at, m.session, m.place, m.speaker, m.role,
  m.lists, m.valid_until, a.count, a.last_at, m.key, s.data
FROM memory m LEFT JOIN episode e ON e.event = m.event LEFT JOIN access a ON a.memory = m.key
  LEFT JOIN standing s ON s.memory = m.key
"""
_BY_KEYS = _MEMORY + "WHERE m.key IN ({})"
_BY_ID = _MEMORY + "WHERE m.scope = ? AND m.id = ?"
EPISODE = "SELECT id, session, place, speaker, role, text, at, message_id FROM episode"
_FIND_MESSAGE = f"""
{EPISODE} WHERE event = coalesce(
  (SELECT event FROM episode WHERE scope = ?1 AND message_id = ?2),
  (SELECT event FROM memory WHERE scope = ?1 AND id = ?2)
) AND (message_id = ?2 OR id = ?2)
"""
_WITHOUT = """
SELECT key FROM memory m WHERE key > ? AND key < ? AND NOT EXISTS (SELECT 1 FROM vector WHERE key = m.key + ?)
ORDER BY key LIMIT ?
"""
_MISSING = """
SELECT (SELECT coalesce(sum(memories), 0) FROM scope)
  - (SELECT coalesce(sum(count), 0) FROM coverage WHERE model = (SELECT id FROM model WHERE key = ?))
"""
_MISSING_IN = """
SELECT memories - coalesce((SELECT count FROM coverage WHERE model = (SELECT id FROM model WHERE key = ?)
  AND scope = s.id), 0) FROM scope s WHERE id = ?
"""
_NAMED = "SELECT id, key, kind FROM memory WHERE id IN ({}) AND scope = ?"
_OUTLIVED = f"""
SELECT s.episode FROM source s LEFT JOIN standing t ON t.memory = s.memory
WHERE s.episode IN ({{}}) AND s.scope = ?
GROUP BY s.episode HAVING min(coalesce(t.state, '') = '{State.SUPERSEDED.value}')
"""
_TIMELINE = f"""
{_MEMORY} WHERE m.scope = ? AND (m.at, m.place, m.key) > (?, ?, ?) AND m.at < ? {{}}
ORDER BY m.at, m.place, m.key LIMIT ?
"""
_LATEST = """
SELECT m.key FROM episode e JOIN memory m ON m.scope = e.scope AND m.id = e.id
WHERE e.scope = ? AND e.session = ? AND (m.valid_until IS NULL OR m.valid_until > ?)
ORDER BY e.place DESC, e.event DESC LIMIT ?
"""

_RELATION = """
SELECT x.id, y.id, r.kind, r.confidence, r.at
FROM relation r JOIN memory x ON x.key = r.source JOIN memory y ON y.key = r.target
"""
_RECORD = """
SELECT s.agent, s.user, s.project, r.sort, r.name, r.about, r.body FROM record r JOIN scope s ON s.id = r.scope WHERE 1
"""
_COMPANION = """
SELECT x.id, y.id, c.count, c.since, c.last
FROM companion c JOIN memory x ON x.key = c.first JOIN memory y ON y.key = c.second
"""

_OFTEN = 10
"""The index ``access_often`` holds memories with so many accesses; for a lower count all accessed ones are scanned. The
query contains it as a literal, because only then does SQLite see that the index can be used."""
_ACCESSED = f"""
{_MEMORY} WHERE m.key IN (SELECT memory FROM access WHERE memory > ? AND memory < ? AND count >= ? {{}})
  AND m.kind <> 'episode' ORDER BY m.key
"""

_KEY = 13
_DAMAGE = (ValueError, TypeError, AttributeError, KeyError, OverflowError)
_KINDS = {kind.value: kind for kind in Kind}
_ROLES = {role.value: role for role in Role}
_JSON = json.JSONDecoder()
_EDGES = {kind.value: kind for kind in RelationKind}

Place = tuple[int, int, int]
"""Time, sequence number and key of a memory: where a page of the timeline ends."""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A part of a timeline: the scope's number, one session or all, and the exclusive end in microseconds."""

    scope: int
    session: str | None
    end: int


def by_keys(connection: Connection, scope: Scope, wanted: Sequence[int]) -> list[Memory]:
    """Return the memories with these keys, in the order given.

    Raises:
        NotFound: one of them was erased meanwhile.
    """
    found = {row[_KEY]: _memory(scope, row) for row in connection.rows_among(_BY_KEYS, wanted)}
    try:
        return [found[key] for key in wanted]
    except KeyError as missing:
        if connection.row("SELECT 1 FROM memory WHERE key = ?", missing.args) is not None:
            raise StoreCorrupt("A memory has lost its episode.", "Run `reverie doctor`.") from None
        raise NotFound("A memory was erased while it was being recalled.", "Ask again.") from None


def named(connection: Connection, number: int, memory_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Map each of these ids that exists to its memory's key and kind."""
    names = [text(name) for name in dict.fromkeys(memory_ids)]
    return {string(name): (key, kind) for name, key, kind in connection.rows_among(_NAMED, names, (number,))}


def by_ids(connection: Connection, scope: Scope, number: int, memory_ids: Sequence[str]) -> list[Memory]:
    """Return the memories with these ids, in the order of the ids; unknown ids are left out."""
    found = named(connection, number, memory_ids)
    return by_keys(connection, scope, [found[name][0] for name in memory_ids if name in found])


def by_id(connection: Connection, scope: Scope, number: int, memory_id: str) -> Memory | None:
    """Return a memory by id; None if there is none."""
    row = connection.row(_BY_ID, (number, text(memory_id)))
    return None if row is None else _memory(scope, row)


def timeline(
    connection: Connection, scope: Scope, span: TimeSpan, after: Place, limit: int
) -> tuple[list[Memory], Place]:
    """Return the next memories of a timeline after a place, and the place of the last of them.

    Raises:
        StoreCorrupt: they are out of order, so that paging might never end.
    """
    only = "" if span.session is None else "AND m.session = ?"
    values = (span.scope, *after, span.end, *(() if span.session is None else (text(span.session),)), limit)
    rows = connection.rows(_TIMELINE.format(only), values)
    places = [after, *((row[3], row[6], row[_KEY]) for row in rows)]
    if not _in_order(places):
        raise StoreCorrupt("The memories' order of time is damaged.", "Restore the last backup, or replay the journal.")
    return [_memory(scope, row) for row in rows], places[-1]


def _in_order(places: Sequence[Place]) -> bool:
    """Whether each place comes after the one before; a value that is no number, in a damaged file, does not."""
    try:
        return all(earlier < later for earlier, later in pairwise(places))
    except TypeError:
        return False


def latest(
    connection: Connection, scope: Scope, session: tuple[int, str], limit: int | None, holding: datetime | None
) -> list[Memory]:
    """Return the last messages of a session (scope number, name), oldest first; only those valid at ``holding``."""
    since = -(2**63) if holding is None else to_micros(holding)
    number, name = session
    rows = connection.rows(_LATEST, (number, text(name), since, -1 if limit is None else min(limit, FOREVER)))
    return by_keys(connection, scope, [key for (key,) in reversed(rows)])


def find_message(connection: Connection, scope: Scope, number: int, message_id: str) -> Episode | None:
    """Find an episode by the message id that its host gave it, or by its own id; None if there is none."""
    row = connection.row(_FIND_MESSAGE, (number, text(message_id)))
    return None if row is None else episode(scope, row)


def message_ids(connection: Connection, number: int) -> dict[str, str]:
    """Map each episode's id to the message id that its host gave it; episodes without one are left out."""
    rows = connection.rows("SELECT id, message_id FROM episode WHERE scope = ? AND message_id IS NOT NULL", (number,))
    return {string(name): string(known) for name, known in rows}


def next_place(connection: Connection, number: int, session: str) -> int:
    """Return the sequence number for the next message of a session."""
    row = connection.row("SELECT max(place) FROM episode WHERE scope = ? AND session = ?", (number, text(session)))
    return 0 if row is None or row[0] is None else whole(row[0]) + 1


def episodes(connection: Connection, scope: Scope, number: int) -> Iterator[Episode]:
    """Yield every episode of a scope in order of writing; the caller must read to the end under the lock."""
    for block in connection.blocks(f"{EPISODE} WHERE scope = ? ORDER BY event", (number,)):
        yield from (episode(scope, row) for row in block)


def formed(connection: Connection, scope: Scope, number: int) -> list[Memory]:
    """Return the formed memories of a scope, in order of writing."""
    query = f"{_MEMORY} WHERE m.key > ? AND m.key < ? AND m.kind <> 'episode' ORDER BY m.key"
    return [_memory(scope, row) for row in connection.rows(query, _bounds(number))]


def often(connection: Connection, scope: Scope, number: int, least: int) -> list[Memory]:
    """Return the formed memories of a scope with at least ``least`` accesses, in order of writing."""
    query = _ACCESSED.format(f"AND count >= {_OFTEN}" if least >= _OFTEN else "")
    return [_memory(scope, row) for row in connection.rows(query, (*_bounds(number), least))]


def made_from(connection: Connection, scope: Scope, number: int, episode_id: str) -> list[Memory]:
    """Return the memories formed from an episode, in order of writing."""
    found = "SELECT memory FROM source WHERE scope = ? AND episode = ?"
    rows = connection.rows(f"{_MEMORY} WHERE m.key IN ({found}) ORDER BY m.key", (number, text(episode_id)))
    return [_memory(scope, row) for row in rows]


def outlived(connection: Connection, number: int, episode_ids: Sequence[str]) -> set[str]:
    """Return those of these episodes whose formed memories are all superseded (at least one was formed)."""
    names = [text(name) for name in dict.fromkeys(episode_ids)]
    return {string(name) for (name,) in connection.rows_among(_OUTLIVED, names, (number,))}


def relations(connection: Connection, number: int, memory_ids: Sequence[str] | None) -> list[Relation]:
    """Return a scope's relations, all or those with one of these memories at an end; by source, target and kind."""
    rows = _pairs(connection, _RELATION, number, memory_ids)
    try:
        found = [Relation(string(a), string(b), _EDGES[kind], sure, from_micros(at)) for a, b, kind, sure, at in rows]
    except _DAMAGE as error:
        raise StoreCorrupt(f"A relation cannot be read ({error}).", "Run `reverie doctor`.") from error
    return sorted(found, key=lambda relation: (relation.source, relation.target, relation.kind))


def records(connection: Connection, sort: str | None, scope: Scope | None, about: str | None) -> list[Record]:
    """Return records that are no memories, by scope, sort and name; None: of every sort, in every scope, about all."""
    given = {"r.sort": sort, "r.about": about}
    if scope is not None:
        given |= {"s.agent": scope.agent, "s.user": scope.user, "s.project": scope.project}
    wanted = {column: text(value) for column, value in given.items() if value is not None}
    rows = connection.rows(" AND ".join([_RECORD, *(f"{column} = ?" for column in wanted)]), tuple(wanted.values()))
    try:
        found = [Record(Scope(*map(string, row[:3])), *map(string, row[3:])) for row in rows]
    except _DAMAGE as error:
        raise StoreCorrupt(f"A record cannot be read ({error}).", "Run `reverie doctor`.") from error
    return sorted(found, key=by_name)


def companions(connection: Connection, number: int, memory_ids: Sequence[str] | None) -> list[Companions]:
    """Return the pairs of memories that were recalled together; sorted by first and second id."""
    rows = _pairs(connection, _COMPANION, number, memory_ids)
    try:
        found = [
            Companions(min(names), max(names), count, from_micros(since), from_micros(last))
            for names, count, since, last in (((string(a), string(b)), *rest) for a, b, *rest in rows)
        ]
    except _DAMAGE as error:
        raise StoreCorrupt(f"What was recalled together cannot be read ({error}).", "Run `reverie doctor`.") from error
    return sorted(found, key=lambda pair: (pair.first, pair.second))


def _pairs(connection: Connection, query: str, number: int, memory_ids: Sequence[str] | None) -> set[Row]:
    """Return rows of a table of pairs: all of a scope, or those with one of these memories on either side."""
    if memory_ids is None:
        return set(connection.rows(f"{query} WHERE x.key > ? AND x.key < ?", _bounds(number)))
    found = [key for key, _ in named(connection, number, memory_ids).values()]
    sides = [f"{query} WHERE {side}.key IN ({{}})" for side in ("x", "y")]
    return {row for side in sides for row in connection.rows_among(side, found)}


def _bounds(number: int) -> tuple[int, int]:
    return base(number), base(number + 1)


def in_order(connection: Connection, scope: Scope, number: int) -> Iterator[Memory]:
    """Yield the memories of a scope in order of writing; the caller must read to the end under the lock."""
    for block in connection.blocks(f"{_MEMORY} WHERE m.key > ? AND m.key < ? ORDER BY m.key", _bounds(number)):
        yield from (_memory(scope, row) for row in block)


def scopes(connection: Connection) -> dict[int, Scope]:
    """Map each scope's number to the scope, the oldest first."""
    rows = connection.rows("SELECT id, agent, user, project FROM scope ORDER BY id")
    try:
        return {row[0]: Scope(*row[1:]) for row in rows}
    except InvalidInput as error:
        raise StoreCorrupt(f"A scope cannot be read ({error.message})", "Run `reverie doctor`.") from error


def unindexed(
    connection: Connection, model: ModelInfo, bounds: tuple[int, int], limit: int
) -> list[tuple[int, Memory]]:
    """Return (key, memory) of memories without a vector of a model, with keys between ``bounds``, in order of keys."""
    row = connection.row("SELECT id FROM model WHERE key = ?", (model.key,))
    base = vector_base(row[0] if row else 0)  # no model has number 0, so none of its vectors is found
    names = scopes(connection)
    rows = connection.rows(f"{_MEMORY} WHERE m.key IN ({_WITHOUT}) ORDER BY m.key", (*bounds, base, limit))
    try:
        return [(row[_KEY], _memory(names[scope_of(row[_KEY])], row)) for row in rows]
    except KeyError as error:
        raise StoreCorrupt(f"The scope {error} is gone.", "Run `reverie doctor`.") from None


def episode(scope: Scope, row: Row) -> Episode:
    """Make an episode of a row; raises StoreCorrupt if it cannot be read."""
    name, session, place, speaker, role, said, at, message_id = row
    try:
        return Episode(
            id=string(name),
            scope=scope,
            session=string(session),
            seq=whole(place),
            speaker=string(speaker),
            role=_ROLES[role],
            text=string(said),
            at=from_micros(at),
            message_id=None if message_id is None else string(message_id),
        )
    except _DAMAGE as error:
        raise StoreCorrupt(f"An episode cannot be read ({error}).", "Run `reverie doctor`.") from error


def _memory(scope: Scope, row: Row) -> Memory:
    name, kind, said, at, recorded_at, session, place, speaker, role, lists, end, accesses, last_access, _, life = row
    try:
        sources, entities, keywords = ((), (), ()) if lists is None else _lists(lists)
        return Memory(
            id=string(name),
            scope=scope,
            kind=_KINDS[kind],
            text=string(said),
            at=from_micros(at),
            recorded_at=from_micros(recorded_at),
            session=string(session),
            seq=whole(place),
            speaker=string(speaker),
            role=_ROLES[role],
            sources=sources,
            entities=entities,
            keywords=keywords,
            valid_until=when(end),
            accesses=whole(accesses or 0),
            last_access=when(last_access),
            standing=BEGINNING if life is None else _standing(life),
        )
    except _DAMAGE as error:
        raise StoreCorrupt(f"A memory cannot be read ({error}).", "Run `reverie doctor`.") from error


@lru_cache(maxsize=4096)  # a recall reads what is hot, linked or superseded several times, and the next one again
def _standing(stored: str | bytes) -> Standing:
    return read_standing(_plain(stored))


@lru_cache(maxsize=4096)
def _lists(stored: str | bytes) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    sources, entities, keywords = map(tuple, _plain(stored))
    return sources, entities, keywords


def _plain(stored: str | bytes) -> Any:
    """Parse a column of JSON; ``raw_decode`` skips the search for white space, which costs more than the parsing."""
    written = string(stored)
    value, end = _JSON.raw_decode(written)
    if end != len(written):
        raise ValueError("more than one value")
    return value


def when(micros: int | None) -> datetime | None:
    """Convert a column of microseconds to a datetime; None stays None."""
    return None if micros is None else from_micros(micros)


def key_of(connection: Connection, scope: int, memory_id: str) -> int | None:
    """Return the key of a memory; None if there is none."""
    row = connection.row("SELECT key FROM memory WHERE scope = ? AND id = ?", (scope, text(memory_id)))
    return None if row is None else whole(row[0])


def start_of(moment: datetime | None) -> Place:
    """Return the place right before everything said at ``moment`` or later."""
    return (-(2**63) if moment is None else to_micros(moment) - 1, 2**63 - 1, 2**63 - 1)


def end_of(moment: datetime | None) -> int:
    """Convert an exclusive end to microseconds; None (no end) becomes the largest number."""
    return 2**63 - 1 if moment is None else to_micros(moment)


def stats(connection: Connection, scope: Scope, number: int | None, disk_bytes: int) -> Stats:
    """Count the memories, sessions, speakers and events of a scope; zeros if ``number`` is None."""
    counted = connection.row(
        """SELECT count(*), count(*) - count(valid_until), count(DISTINCT session), count(DISTINCT speaker),
             min(at), max(at) FROM memory WHERE key > ? AND key < ?""",
        (0, 0) if number is None else (base(number), base(number + 1)),
    )
    held = connection.row(
        """SELECT events, (SELECT coalesce(max(count), 0) FROM coverage WHERE scope = s.id),
             (SELECT coalesce(sum(count), 0) FROM access WHERE memory > ? AND memory < ?),
             (SELECT count(*) FROM event WHERE scope = s.id AND action = 'recall' AND why = ?)
           FROM scope s WHERE id = ?""",
        (0, 0, GATED, 0) if number is None else (base(number), base(number + 1), GATED, number),
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


def other_models(connection: Connection, scope: int, keep: ModelInfo) -> list[int]:
    """Return the numbers of the models, other than this and its second one, that a scope has or had vectors of."""
    beside = keep.second or keep
    query = "SELECT l.model FROM lacking l JOIN model m ON m.id = l.model WHERE l.scope = ? AND m.key NOT IN (?, ?)"
    return [model for (model,) in connection.rows(query, (scope, keep.key, beside.key))]


def outdated(connection: Connection, keep: ModelInfo) -> list[Scope]:
    """Return the scopes with other models than this and its second one, the oldest first."""
    beside = keep.second or keep
    query = "SELECT DISTINCT l.scope FROM lacking l JOIN model m ON m.id = l.model WHERE m.key NOT IN (?, ?)"
    numbers = {number for (number,) in connection.rows(query, (keep.key, beside.key))}
    return [scope for number, scope in scopes(connection).items() if number in numbers] if numbers else []


def missing(connection: Connection, model: ModelInfo, scope: int | None = None) -> int:
    """Count the memories without a vector of a model, of a scope or of all."""
    query, values = (_MISSING, ()) if scope is None else (_MISSING_IN, (scope,))
    row = connection.row(query, (model.key, *values))
    return 0 if row is None else whole(row[0])


_EPISODE = Kind.EPISODE.value
_FORMED = sorted(kind.value for kind in Kind if kind is not Kind.EPISODE)
_LIVE = sorted(state.value for state in RECALLED_STATES)
_GROWN = """
SELECT kind, recorded_at / 86400000000, count(*) FROM memory WHERE scope = ? GROUP BY kind, recorded_at / 86400000000
"""
_CLOSED = f"""
SELECT coalesce(s.state, '{State.ACTIVE.value}'), count(*) FROM memory m LEFT JOIN standing s ON s.memory = m.key
WHERE m.scope = ? AND m.valid_until <= ? GROUP BY 1
"""
# A standing row holds the fields that are not at their default, in canonical JSON; quotes within a text are escaped, so
# a quoted word before a colon is a field. Finding one number this way takes half the time of parsing the JSON.
_SEMANTIC = f"""
SELECT count(*) FROM standing WHERE memory > ? AND memory < ? AND instr(data, '"tier":"{Tier.SEMANTIC.value}"')
"""
_JUNK = f"""
SELECT count(*) FROM memory m LEFT JOIN standing s ON s.memory = m.key
WHERE m.scope = ? AND m.kind IN ({", ".join(f"'{kind}'" for kind in _FORMED)}) AND m.recorded_at <= ?
  AND coalesce(m.valid_until > ?, 1)
  AND NOT EXISTS (SELECT 1 FROM access a WHERE a.memory = m.key AND a.count > 0)
  AND (s.memory IS NULL OR s.state IN ({", ".join(f"'{state}'" for state in _LIVE)})
    AND NOT instr(s.data, '"pinned":true') AND NOT instr(s.data, '"immutable":true')
    AND (NOT instr(s.data, '"importance":')
      OR CAST(substr(CAST(s.data AS TEXT), instr(CAST(s.data AS TEXT), '"importance":') + 13, 25) AS REAL)
        <= {JUNK_MOST}))
"""
_STATES = f"""
SELECT state, count(*) FROM standing WHERE state <> '{State.ACTIVE.value}' AND memory > ? AND memory < ? GROUP BY state
"""
_OUTDATED = f"""
SELECT count(*) FROM (
  SELECT 1 FROM source s LEFT JOIN standing t ON t.memory = s.memory
  WHERE s.scope = ?1 AND s.episode IN (
    SELECT x.episode FROM standing y JOIN source x ON x.memory = y.memory
    WHERE y.state = '{State.SUPERSEDED.value}' AND y.memory > ?2 AND y.memory < ?3
  ) GROUP BY s.episode HAVING min(coalesce(t.state, '') = '{State.SUPERSEDED.value}')
)
"""
_OBSERVED = f"SELECT count(*) FROM event WHERE scope = ? AND action = 'remember' AND why = '{OBSERVED}'"
_SOURCES = "SELECT count(*) FROM (SELECT DISTINCT episode FROM source WHERE scope = ?)"


def health(connection: Connection, scope: Scope, number: int | None, now: datetime, disk_bytes: int) -> Health:
    """Count a scope's memories by kind, tier and state, its junk (unimportant, never accessed) and growth a day."""
    held = -1 if number is None else number
    bounds = (0, 0) if number is None else (base(number), base(number + 1))
    at, settled = to_micros(now), to_micros(now - timedelta(days=JUNK_DAYS))
    grown = connection.rows(_GROWN, (held,))
    over = _by_name(connection.rows(_CLOSED, (held, at)))
    kinds = _by_name((kind, count) for kind, _, count in grown)
    memories = kinds.total()
    states = _by_name(connection.rows(_STATES, bounds))
    states[State.ACTIVE.value] = memories - states.total()
    semantic = _count(connection, _SEMANTIC, *bounds)
    observed = _count(connection, _OBSERVED, held)
    return Health(
        scope=scope,
        at=now,
        memories=memories,
        current=sum(states[state] - over[state] for state in _LIVE),
        kinds=ordered(kinds),
        tiers=ordered(
            Counter({Tier.SEMANTIC.value: semantic, Tier.EPISODIC.value: memories - kinds[_EPISODE] - semantic})
        ),
        states=ordered(states),
        junk=_count(connection, _JUNK, held, settled, at),
        superseded=states[State.SUPERSEDED.value],
        outdated=_count(connection, _OUTDATED, held, *bounds),
        forgotten=over.total() - over[State.SUPERSEDED.value],
        quarantined=states[State.QUARANTINED.value],
        growth=_growth(grown),
        observed=observed,
        gated=max(0, observed - _count(connection, _SOURCES, held)),
        events=_count(connection, "SELECT events FROM scope WHERE id = ?", held),
        disk_bytes=disk_bytes,
    )


def _count(connection: Connection, query: str, *values: int) -> int:
    row = connection.row(query, values)
    return 0 if row is None else whole(row[0])


def _by_name(rows: Iterable[Row]) -> Counter[str]:
    counts = Counter[str]()
    for name, count in rows:
        if not isinstance(name, str):
            raise StoreCorrupt(f"{name!r:.40} stands where a state or a kind should.", "Run `reverie doctor`.")
        counts[name] += count
    return counts


def _growth(grown: Sequence[Row]) -> tuple[Growth, ...]:
    days: dict[int, list[int]] = {}
    for kind, day, count in grown:
        days.setdefault(day, [0, 0])[kind != _EPISODE] += count
    try:
        return tuple(Growth(EPOCH.date() + timedelta(days=day), *counts) for day, counts in sorted(days.items()))
    except (TypeError, OverflowError) as error:
        raise StoreCorrupt(f"A time cannot be read ({error}).", "Run `reverie doctor`.") from error
