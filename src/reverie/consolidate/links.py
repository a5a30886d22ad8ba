"""Related links (document A): memories that share enough tags are linked, both ways."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Links
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.link_by_tags import links as linked_by_tags
from reverie.types import Relation, RelationKind

CONFIDENCE = 1.0
ROWS_MAX = 2_000
"""Memories compared a night, the latest: each with each, by tag."""


def links(snapshot: Snapshot, settings: Links, now: datetime) -> Outcome:
    """Add the missing links; those there are stay and count towards a memory's limit."""
    allowed = snapshot.active & ~snapshot.columns.immutable & ~snapshot.columns.dreamt
    rows = np.flatnonzero(allowed).tolist()[-ROWS_MAX:]
    places = {snapshot.memories[row].id: place for place, row in enumerate(rows)}
    existing: dict[int, list[int]] = defaultdict(list)
    for relation in snapshot.relations:
        if relation.kind is RelationKind.RELATED_TO and relation.source in places:
            existing[places[relation.source]].append(places.get(relation.target, -1))
    tags = [snapshot.memories[row].standing.tags for row in rows]
    held = [existing[place] for place in range(len(rows))]
    found = linked_by_tags(tags, held, settings.least_shared, settings.limit)
    gathering = Gathering()
    for place, targets in enumerate(found):
        source = snapshot.memories[rows[place]].id
        for other in targets[len(held[place]) :]:
            target = snapshot.memories[rows[other]].id
            gathering.related.append(Relation(source, target, RelationKind.RELATED_TO, CONFIDENCE, now))
    return gathering.outcome()
