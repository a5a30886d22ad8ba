"""Step 9, clustering: what belongs together, around an entity or within a category. Nothing is changed by it.

Each memory is in one cluster at most: the rarest entity that gathers enough memories claims them first.
All members of a cluster are one speaker's: two people's "I" in one text would put words into somebody's mouth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

import numpy as np

from reverie.consolidate.settings import Clustering
from reverie.consolidate.snapshot import Cluster, Outcome, Snapshot
from reverie.formulas.associations import is_affine
from reverie.types import Standing


def clustering(snapshot: Snapshot, settings: Clustering, now: datetime) -> Outcome:
    """The clusters of what is active, lasts and is in no theme yet, the largest first."""
    del now
    open_rows = [
        row
        for row in np.flatnonzero(snapshot.active & snapshot.free & ~snapshot.columns.dreamt).tolist()
        if _lasts(snapshot.memories[row].standing)
    ]
    clusters: list[Cluster] = []
    for label, rows in _around_entities(snapshot, settings, open_rows):
        clusters += _cut(label, _near(snapshot, settings.nearness, rows), settings)
    if settings.affinity.importance_gap > 0.0:
        taken = {row for cluster in clusters for row in cluster.rows}
        for label, rows in _within_categories(snapshot, settings, [row for row in open_rows if row not in taken]):
            clusters += _cut(label, _near(snapshot, settings.nearness, rows), settings)
    clusters.sort(key=_by_size)
    note = f"{len(clusters)} clusters of {sum(len(cluster.rows) for cluster in clusters)} memories"
    return Outcome(clusters=tuple(clusters), notes=(note,))


def _lasts(life: Standing) -> bool:
    """Whether it is in no theme yet and may be in one: of a plan that has an end a theme would tell beyond that."""
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
    """Whether two memories belong together by their entities alone."""
    shared = set(snapshot.memories[one].entities) & set(snapshot.memories[other].entities)
    return is_affine(len(shared), same_category=False, importance_gap=0.0, edges=settings.affinity)


def _within_categories(snapshot: Snapshot, settings: Clustering, rows: list[int]) -> Iterator[tuple[str, list[int]]]:
    """Memories of one category and speaker, close in importance to the first of their group."""
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
    """Those of a group that lie near its middle; all of them where nothing is asked of that.

    With s the memories' cosines with each other on the documents' scale, memory i lies mean_j(s_ij) / √mean(s) from
    the middle: where that scale is the model's own, this is its cosine with the middle itself. A scale is read at the
    mean, which is the mean of what it reads for one that stretches evenly, as our models' do.
    """
    if least is None or not rows:
        return rows
    vectors = snapshot.vectors(rows)
    middle = vectors.mean(axis=0)
    length = float(np.linalg.norm(middle))
    read = snapshot.nearness.read
    spread = read(length * length)
    if length == 0.0 or spread <= 0.0:
        return []  # they point nowhere together
    means = ((vectors @ (middle / length)).astype(np.float64) * length).tolist()
    return [row for row, mean in zip(rows, means, strict=True) if read(mean) / spread**0.5 >= least]


def _cut(label: str, rows: list[int], settings: Clustering) -> list[Cluster]:
    """Clusters of bearable size, in order of writing; a rest that is too small is left for another night."""
    ordered = sorted(rows)
    parts = [tuple(ordered[start : start + settings.most]) for start in range(0, len(ordered), settings.most)]
    return [Cluster(label, part) for part in parts if len(part) >= settings.least]
