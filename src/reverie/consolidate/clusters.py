"""Find groups of memories by their vectors and entities, without comparing every pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import TypeAlias

import numpy as np

from reverie.consolidate.settings import Clustering
from reverie.consolidate.snapshot import Cluster, Outcome, Pair, Snapshot
from reverie.formulas.arrays import Floats
from reverie.formulas.associations import is_affine
from reverie.types import FloatArray, IntArray, Standing

# Near pairs, found in blocks: memories that share an entity, or lie on the same sides of random planes.


BLOCK = 500
"""Largest number of memories compared with each other at a time."""

MOST = 20_000
"""Largest number of pairs kept; a step judges only a few at a time anyway."""

_TABLES = 8
_BUCKET = 24
_DIGITS = 5
_ASIDE = 4e-9
"""Tie-breaker per position in a block: 500 of them, twice, are less than the last digit of a cosine."""
Found: TypeAlias = dict[tuple[int, int], float]


def near_pairs(snapshot: Snapshot, rows: IntArray, above: float, nearest: int = 5) -> list[Pair]:
    """Find pairs of rows with the same speaker and a cosine above ``above``, nearest first, then in order of writing.

    Two speakers who say the same are two sources: neither memory makes the other redundant.
    ``above`` is on the documents' scale; the pairs' cosines are those of the vectors.
    Each memory is paired with at most its ``nearest`` neighbours of a block.
    """
    found: Found = {}
    above = snapshot.nearness.edge(above)
    speakers = np.unique([memory.speaker for memory in snapshot.memories], return_inverse=True)[1]
    for block, vectors in _with_vectors(snapshot, _blocks(snapshot, rows)):
        cosines = vectors @ vectors.T
        cosines[speakers[block][:, np.newaxis] != speakers[block]] = -1.0
        _compare(block, cosines, above, nearest, found)
        if len(found) > 2 * MOST:
            found = dict(_best(found))
    return [Pair(first, second, cosine) for (first, second), cosine in _best(found)]


def _best(found: Found) -> list[tuple[tuple[int, int], float]]:
    return sorted(found.items(), key=_closest)[:MOST]


def _closest(item: tuple[tuple[int, int], float]) -> tuple[float, tuple[int, int]]:
    return -item[1], item[0]


def _with_vectors(snapshot: Snapshot, blocks: Iterator[IntArray]) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield each block with its vectors; vectors of many small blocks are read together."""
    waiting: list[IntArray] = []
    size = 0
    for block in snapshot.pace(blocks):
        waiting.append(block)
        size += len(block)
        if size >= BLOCK:
            yield from _fetched(snapshot, waiting)
            waiting, size = [], 0
    yield from _fetched(snapshot, waiting)


def _fetched(snapshot: Snapshot, blocks: list[IntArray]) -> Iterator[tuple[IntArray, FloatArray]]:
    vectors = snapshot.vectors([row for block in blocks for row in block.tolist()])
    end = 0
    for block in blocks:
        end += len(block)
        yield block, vectors[end - len(block) : end]


def _compare(block: IntArray, cosines: FloatArray, above: float, nearest: int, found: Found) -> None:
    cosines.flat[:: len(block) + 1] = -1.0  # no memory is its own neighbour
    if len(block) < 2 or cosines.max() <= above:
        return
    if len(block) > nearest:
        far = np.argpartition(_ranks(cosines), len(block) - nearest, axis=1)[:, : len(block) - nearest]
        np.put_along_axis(cosines, far, -1.0, axis=1)
    for one, other in np.argwhere(cosines > above).tolist():
        first, second = sorted((int(block[one]), int(block[other])))
        # rounded, so that the order of rows in a block does not decide between equal cosines
        found[first, second] = min(1.0, round(float(cosines[one, other]), _DIGITS))


def _ranks(cosines: FloatArray) -> Floats:
    """Return cosines (m, m), equal ones ordered by distance in writing order.

    Otherwise each of a thousand equal memories would have a thousand neighbours.
    """
    places = np.arange(len(cosines))
    aside = places - places[:, np.newaxis]
    ranks: Floats = np.round(cosines.astype(np.float64), _DIGITS) - (2 * np.abs(aside) + (aside > 0)) * _ASIDE
    return ranks


def _blocks(snapshot: Snapshot, rows: IntArray) -> Iterator[IntArray]:
    if len(rows) <= BLOCK:
        yield rows
        return
    by_entity: dict[str, list[int]] = defaultdict(list)
    for row in rows.tolist():
        for entity in set(snapshot.memories[row].entities):
            by_entity[entity].append(row)
    for _, members in sorted(by_entity.items()):
        yield from _cut(np.array(members, np.int64))
    for buckets in _sides(snapshot, rows).T:
        order = np.argsort(buckets, kind="stable")
        edges = np.flatnonzero(np.diff(buckets[order])) + 1
        for bucket in np.split(rows[order], edges):
            yield from _cut(bucket)


def _cut(rows: IntArray) -> Iterator[IntArray]:
    for start in range(0, len(rows) if len(rows) > 1 else 0, BLOCK):
        yield rows[start : start + BLOCK]


def _sides(snapshot: Snapshot, rows: IntArray) -> IntArray:
    """Hash rows by random planes: (m, tables) bucket numbers."""
    bits = max(1, int(np.ceil(np.log2(len(rows) / _BUCKET))))
    middle = snapshot.vectors(rows[:BLOCK].tolist()).mean(axis=0)
    planes = _planes(len(middle), bits * _TABLES)
    weights = 1 << np.arange(bits, dtype=np.int64)
    found = np.empty((len(rows), _TABLES), np.int64)
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK]
        above = (snapshot.vectors(part.tolist()) - middle) @ planes > 0
        found[start : start + BLOCK] = above.reshape(len(part), _TABLES, bits) @ weights
    return found


def _planes(dims: int, count: int) -> FloatArray:
    """Return (dims, count) of ±1, the same on every machine: one bit each of a mixed counter (splitmix64)."""
    mixed = np.arange(1, dims * count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    signs: FloatArray = np.where(mixed >> np.uint64(63), 1.0, -1.0).astype(np.float32)
    return signs.reshape(dims, count)


# Step 9, clustering: find groups around an entity or within a category; changes no memory.


def clustering(snapshot: Snapshot, settings: Clustering, now: datetime) -> Outcome:
    """Cluster the active, unbounded memories that are in no theme yet; the largest cluster first."""
    del now
    open_rows = [
        row
        for row in np.flatnonzero(snapshot.active & snapshot.free & ~snapshot.columns.dreamt).tolist()
        if _lasts(snapshot.memories[row].standing)
    ]
    clusters: list[Cluster] = []
    for label, rows in _around_entities(snapshot, settings, open_rows):
        clusters += _cut_cluster(label, _near(snapshot, settings.nearness, rows), settings)
    if settings.affinity.importance_gap is not None:
        taken = {row for cluster in clusters for row in cluster.rows}
        for label, rows in _within_categories(snapshot, settings, [row for row in open_rows if row not in taken]):
            clusters += _cut_cluster(label, _near(snapshot, settings.nearness, rows), settings)
    clusters.sort(key=_by_size)
    note = f"{len(clusters)} clusters of {sum(len(cluster.rows) for cluster in clusters)} memories"
    return Outcome(clusters=tuple(clusters), notes=(note,))


def _lasts(life: Standing) -> bool:
    """Whether a memory may enter a theme: not in one yet, and without an end of validity that a theme would outlive."""
    return life.consolidated_at is None and not life.time_bounded


def _by_size(cluster: Cluster) -> tuple[int, str, tuple[int, ...]]:
    return -len(cluster.rows), cluster.label, cluster.rows


def _around_entities(snapshot: Snapshot, settings: Clustering, rows: list[int]) -> Iterator[tuple[str, list[int]]]:
    bearers: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in snapshot.pace(rows):
        memory = snapshot.memories[row]
        for entity in set(memory.entities):
            bearers[entity, memory.speaker].append(row)
    taken: set[int] = set()
    for (entity, _), members in sorted(bearers.items(), key=lambda item: (len(item[1]), item[0])):
        left = [row for row in members if row not in taken]
        group = [row for row in left if _share(snapshot, settings, left[0], row)]
        if len(group) >= settings.least:
            taken.update(group)
            yield entity, group


def _share(snapshot: Snapshot, settings: Clustering, one: int, other: int) -> bool:
    """Whether two memories belong together by their shared entities alone."""
    shared = set(snapshot.memories[one].entities) & set(snapshot.memories[other].entities)
    return is_affine(len(shared), same_category=False, importance_gap=0.0, edges=settings.affinity)


def _within_categories(snapshot: Snapshot, settings: Clustering, rows: list[int]) -> Iterator[tuple[str, list[int]]]:
    """Yield groups of one category and speaker, each close in importance to the first of its group."""
    importance = snapshot.columns.importance
    by_kind: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        memory = snapshot.memories[row]
        by_kind[memory.kind.value, memory.speaker].append(row)
    for (kind, _), members in sorted(by_kind.items()):
        group: list[int] = []
        for row in sorted(members, key=lambda row: (float(importance[row]), row)):
            gap = float(importance[row] - importance[group[0]]) if group else 0.0
            if not is_affine(0, same_category=True, importance_gap=gap, edges=settings.affinity):
                yield kind, group
                group = []
            group.append(row)
        yield kind, group


def _near(snapshot: Snapshot, least: float | None, rows: list[int]) -> list[int]:
    """Return the memories of a group that lie near its centre; all of them if ``least`` is None.

    With s the memories' cosines with each other on the documents' scale, the cosine of memory i with the centre is
    mean_j(s_ij) / √mean(s); on the model's own scale this is exact. Reading the scale at a mean equals the mean of its
    readings for a linear scale, as those of our models are.
    """
    if least is None or not rows:
        return rows
    vectors = snapshot.vectors(rows)
    middle = vectors.mean(axis=0)
    length = float(np.linalg.norm(middle))
    read = snapshot.nearness.read
    spread = read(length * length)
    if length == 0.0 or spread <= 0.0:
        return []  # no common direction
    means = ((vectors @ (middle / length)).astype(np.float64) * length).tolist()
    return [row for row, mean in zip(rows, means, strict=True) if read(mean) / spread**0.5 >= least]


def _cut_cluster(label: str, rows: list[int], settings: Clustering) -> list[Cluster]:
    """Split a group into clusters of at most ``most``, in order of writing; a rest below ``least`` is left out."""
    ordered = sorted(rows)
    parts = [tuple(ordered[start : start + settings.most]) for start in range(0, len(ordered), settings.most)]
    return [Cluster(label, part) for part in parts if len(part) >= settings.least]
