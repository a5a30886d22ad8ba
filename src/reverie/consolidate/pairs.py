"""Memories that lie close together, without comparing each with each: blocks by entity, by category, by direction.

Two memories that say the same nearly always share an entity; where they do not, their vectors point the same way, so
that they stand near each other in a category sorted by any one direction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reverie.consolidate.snapshot import Snapshot
from reverie.types import FloatArray, IntArray

BLOCK = 500
"""Most memories held against each other at a time (document D, B4)."""

MOST = 20_000
"""Most pairs kept: of thousands of equal memories a few at a time are judged anyway."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows of a snapshot, ``first`` < ``second``, and their cosine."""

    first: int
    second: int
    cosine: float


def near_pairs(snapshot: Snapshot, rows: IntArray, above: float, nearest: int = 5) -> list[Pair]:
    """Pairs among these rows whose cosine lies above an edge, nearest first, then in order of writing.

    Each memory is paired with at most its ``nearest`` neighbours of a block.
    """
    found: dict[tuple[int, int], float] = {}
    for block in _blocks(snapshot, rows):
        _compare(snapshot, block, above, nearest, found)
        if len(found) > 2 * MOST:
            found = dict(_best(found))
    return [Pair(first, second, cosine) for (first, second), cosine in _best(found)]


def _best(found: dict[tuple[int, int], float]) -> list[tuple[tuple[int, int], float]]:
    return sorted(found.items(), key=_closest)[:MOST]


def _closest(item: tuple[tuple[int, int], float]) -> tuple[float, tuple[int, int]]:
    return -item[1], item[0]


def _compare(
    snapshot: Snapshot, block: IntArray, above: float, nearest: int, found: dict[tuple[int, int], float]
) -> None:
    vectors = snapshot.vectors(block.tolist())
    cosines = np.clip(np.einsum("ik,jk->ij", vectors, vectors, optimize=True), -1.0, 1.0)
    np.fill_diagonal(cosines, -1.0)
    if len(block) > nearest:
        least = np.partition(cosines, len(block) - nearest, axis=1)[:, len(block) - nearest]
        cosines[cosines < least[:, np.newaxis]] = -1.0
    for one, other in np.argwhere(cosines > above).tolist():
        first, second = sorted((int(block[one]), int(block[other])))
        # Rounded, so that the order of a block's rows does not decide between equals.
        found[first, second] = round(float(cosines[one, other]), 5)


def _blocks(snapshot: Snapshot, rows: IntArray) -> Iterator[IntArray]:
    by_entity: dict[str, list[int]] = defaultdict(list)
    by_kind: dict[int, list[int]] = defaultdict(list)
    kinds = snapshot.columns.kinds
    for row in rows.tolist():
        by_kind[int(kinds[row])].append(row)
        for entity in set(snapshot.memories[row].entities):
            by_entity[entity].append(row)
    for _, members in sorted(by_entity.items()):
        if len(members) > 1:
            yield from _cut(np.array(members, np.int64), overlap=0)
    for _, members in sorted(by_kind.items()):
        ordered = np.array(members, np.int64)
        if len(members) > BLOCK:
            ordered = ordered[np.argsort(_direction(snapshot, ordered), kind="stable")]
        yield from _cut(ordered, overlap=BLOCK // 2)


def _cut(rows: IntArray, overlap: int) -> Iterator[IntArray]:
    for start in range(0, max(1, len(rows) - overlap), BLOCK - overlap):
        yield rows[start : start + BLOCK]


def _direction(snapshot: Snapshot, rows: IntArray) -> FloatArray:
    """Where each row stands along one fixed direction."""
    first = snapshot.vectors(rows[:1].tolist())
    along = np.cos(np.arange(first.shape[1], dtype=np.float32) * 1.7)
    parts = [snapshot.vectors(rows[start : start + BLOCK].tolist()) @ along for start in range(0, len(rows), BLOCK)]
    joined: FloatArray = np.concatenate(parts)
    return joined
