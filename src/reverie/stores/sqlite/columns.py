"""Pack what a recall loads of a block of memories into one value, so that a first recall reads no row for each.

Only what never changes without the block being made anew is in it; states and ends of validity are read besides.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from reverie.stores.codec import FOREVER, to_micros
from reverie.stores.corpus import Names, Rows
from reverie.stores.sqlite.connection import Connection, Row, string
from reverie.types import KIND_CODES, ROLE_CODES, STATE_CODES, IntArray, beginning

_READ = """
SELECT key - ?, kind, session, place, speaker, role, at, length, words FROM memory
WHERE key >= ? AND key < ? ORDER BY key
"""
_PARTS = (
    *(("<i8", "places"), ("<i8", "said_at"), ("<f4", "lengths"), ("<f4", "words"), ("<u2", "keys")),
    *(("<u2", "sessions"), ("<u2", "speakers"), ("<i1", "kinds"), ("<i1", "roles")),
)
_HEAD = 8
_CLOSED = "SELECT key, valid_until FROM memory WHERE scope = ? AND valid_until IS NOT NULL"
_STOOD = """
SELECT memory, state, CASE WHEN instr(data, '"valid_from"') THEN data END FROM standing
WHERE memory > ? AND memory < ? AND (state <> 'active' OR instr(data, '"valid_from"')) ORDER BY memory
"""


def packed(connection: Connection, first: int, end: int) -> bytes:
    """Return the columns of the memories with keys from ``first`` to below ``end``."""
    rows = [row for block in connection.blocks(_READ, (first, first, end)) for row in block]
    keys, kinds, sessions, places, speakers, roles, said_at, lengths, words = (
        zip(*rows, strict=True) if rows else ((),) * 9
    )
    told = dict.fromkeys(map(string, sessions)), dict.fromkeys(map(string, speakers))
    codes = [{name: code for code, name in enumerate(names)} for names in told]
    held: dict[str, Sequence[int]] = {
        "places": places,
        "said_at": said_at,
        "lengths": lengths,
        "words": words,
        "keys": keys,
        "sessions": [codes[0][string(name)] for name in sessions],
        "speakers": [codes[1][string(name)] for name in speakers],
        "kinds": [KIND_CODES[kind] for kind in kinds],
        "roles": [ROLE_CODES[role] for role in roles],
    }
    names = json.dumps([list(each) for each in told]).encode("ascii")
    names += b" " * (-len(names) % 8)
    head = np.array([len(rows), len(names)], "<u4").tobytes()
    return b"".join((head, names, *(np.array(held[name], kind).tobytes() for kind, name in _PARTS)))


def unpacked(data: bytes, first: int) -> Rows:
    """Return the memories of a block, all active and valid since they were said. Raises ValueError, LookupError."""
    size, length = np.frombuffer(data, "<u4", 2).tolist()
    sessions, speakers = json.loads(data[_HEAD : _HEAD + length])
    at, held = _HEAD + length, dict[str, npt.NDArray[np.generic]]()
    for kind, name in _PARTS:
        held[name] = np.frombuffer(data, kind, size, at)
        at += held[name].nbytes
    said_at = held["said_at"].astype(np.int64, copy=False)
    return Rows(
        keys=held["keys"].astype(np.int64) + first,
        kinds=held["kinds"].astype(np.int8, copy=False),
        states=np.zeros(size, np.int8),
        sessions=_names(sessions, held["sessions"]),
        places=held["places"].astype(np.int64, copy=False),
        speakers=_names(speakers, held["speakers"]),
        roles=held["roles"].astype(np.int8, copy=False),
        said_at=said_at,
        valid_from=said_at,
        valid_until=np.full(size, FOREVER, np.int64),
        lengths=held["lengths"].astype(np.float32, copy=False),
        words=held["words"].astype(np.float32, copy=False),
        tokens=None,
    )


def _names(distinct: list[str], codes: npt.NDArray[np.generic]) -> Names:
    """Return the names of rows. Raises ValueError if a code has none."""
    found = codes.astype(np.int64)
    if len(found) and int(found.max()) >= len(distinct):
        raise ValueError("a name is missing")
    return Names(distinct, found)


class Changing:
    """What changes in the life of a scope's memories without their blocks being made anew: state, begin and end."""

    def __init__(self, connection: Connection, scope: int, bounds: tuple[int, int]) -> None:
        closed = sorted(connection.rows(_CLOSED, (scope,)))
        stood = connection.rows(_STOOD, bounds)
        begun = [(key, begin(0, life)) for key, _, life in stood if life is not None]
        self._ends = _pairs(closed)
        self._begins = _pairs(begun)
        self._states = _pairs([(key, STATE_CODES[state]) for key, state, _ in stood])

    def applied(self, rows: Rows) -> Rows:
        """Return a block's memories as they are now."""
        return replace(
            rows,
            valid_until=_set(rows.keys, rows.valid_until, self._ends),
            valid_from=_set(rows.keys, rows.valid_from, self._begins),
            states=_set(rows.keys, rows.states, self._states),
        )


def begin(said_at: int, life: str | bytes | None) -> int:
    """Return from when a memory is valid, in microseconds: as set in its Lifecycle state, else when it was said."""
    return said_at if life is None else to_micros(beginning(json.loads(string(life))["valid_from"]))


def _pairs(rows: Sequence[Row]) -> tuple[IntArray, IntArray]:
    keys, values = np.array(rows, np.int64).reshape(-1, 2).T
    return keys, values


def _set(keys: IntArray, values: IntArray, pairs: tuple[IntArray, IntArray]) -> IntArray:
    """Return values, by ascending keys, with those of some keys replaced."""
    if not len(keys):
        return values
    low, high = np.searchsorted(pairs[0], keys[0]), np.searchsorted(pairs[0], keys[-1], side="right")
    if low == high:
        return values
    changed, found = values.copy(), np.searchsorted(keys, pairs[0][low:high])
    ours = keys[np.minimum(found, len(keys) - 1)] == pairs[0][low:high]
    changed[found[ours]] = pairs[1][low:high][ours]
    return changed
