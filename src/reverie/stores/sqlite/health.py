"""How a scope is doing, counted by the file: grouped queries in place of reading every memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from reverie.answers import JUNK_DAYS, JUNK_MOST, Growth, Health
from reverie.errors import StoreCorrupt
from reverie.events import OBSERVED
from reverie.stores.health import ordered
from reverie.stores.moments import to_micros
from reverie.stores.sqlite import keys
from reverie.stores.sqlite.connection import Connection, Row, whole
from reverie.types import EPOCH, RECALLED_STATES, Kind, Scope, State, Tier

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
# A standing holds what is not as all begin, in canonical JSON; a quote within a text is escaped, so what stands in
# quotes before a colon is a field. Reading one number so takes half the time that reading the JSON takes.
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
    """The health of one scope."""
    held = -1 if number is None else number
    bounds = (0, 0) if number is None else (keys.base(number), keys.base(number + 1))
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
