"""Category summaries: one memory a category says what is in it; it is brought up to date, never made twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from reverie.consolidate.making import (
    CATEGORY,
    Thought,
    common_entities,
    is_made,
    is_outdated,
    is_retired,
    make,
    sources_of,
)
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Summaries
from reverie.consolidate.snapshot import Snapshot
from reverie.language.keywords import keywords
from reverie.types import Kind, Memory

TOLD_MAX = 40
"""Memories a summary is made of, the most important; it names their episodes, and is made anew when they change."""


def summaries(snapshot: Snapshot, settings: Summaries, now: datetime) -> Outcome:
    """Form or refresh the summary of each category that has enough active memories."""
    del now
    made = ((row, m) for row, m in enumerate(snapshot.memories) if is_made(m, CATEGORY))
    existing = {m.standing.tags[1]: row for row, m in made if not (is_retired(m) or is_outdated(snapshot, m))}
    gathering = Gathering()
    for kind, rows in sorted(_by_category(snapshot).items()):
        if len(rows) < settings.least:
            continue
        members = [snapshot.memories[row] for row in _told(snapshot, rows)]
        if kind.value in existing:
            _refresh(snapshot, existing[kind.value], members, settings, gathering)
        else:
            text = snapshot.voice.summary(kind.value, [memory.text for memory in members])
            thought = Thought(Kind.SUMMARY, text, settings.importance, CATEGORY, kind.value)
            gathering.formed.append(make(snapshot, thought, members))
    return gathering.outcome()


def _by_category(snapshot: Snapshot) -> dict[Kind, list[int]]:
    found: dict[Kind, list[int]] = defaultdict(list)
    for row in np.flatnonzero(snapshot.active & ~snapshot.columns.dreamt).tolist():
        found[snapshot.memories[row].kind].append(row)
    return found


def _told(snapshot: Snapshot, rows: list[int]) -> list[int]:
    """The most important, useful and latest of a category, in order of writing."""
    columns = snapshot.columns
    ranked = sorted(rows, key=lambda row: (-columns.importance[row], -columns.utility[row], -row))
    return sorted(ranked[:TOLD_MAX])


def _refresh(
    snapshot: Snapshot, row: int, members: Sequence[Memory], settings: Summaries, gathering: Gathering
) -> None:
    summary = snapshot.memories[row]
    life, now = summary.standing, snapshot.night.at
    idle_s = (now - (life.consolidated_at or summary.recorded_at)).total_seconds()
    is_spared = life.pinned or life.immutable or not snapshot.active[row]
    sources = sources_of(members)
    if is_spared or sources == summary.sources or idle_s < settings.cooldown_s:
        return
    text = snapshot.voice.summary(life.tags[1], [memory.text for memory in members])
    gathering.alter(
        summary,
        "its category changed",
        text=text,
        sources=sources,
        entities=common_entities(members),
        keywords=keywords(text),
        consolidated_at=now,
    )
