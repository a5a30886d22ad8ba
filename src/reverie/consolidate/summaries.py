"""Category summaries: one memory a speaker's category says what is in it; brought up to date, never made twice.

What two people say of themselves is never told in one text: nobody could tell whose words are whose.
"""

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
from reverie.types import Kind, Memory, State

TOLD_MAX = 40
"""Memories a summary is made of, the most important; it names their episodes, and is made anew when they change."""


def summaries(snapshot: Snapshot, settings: Summaries, now: datetime) -> Outcome:
    """Form or refresh the summary of each speaker's category that has enough active memories.

    One that was made is kept up to date, however few are left.
    """
    del now
    made = ((row, m) for row, m in enumerate(snapshot.memories) if is_made(m, CATEGORY))
    alive = ((row, m) for row, m in made if not (is_retired(m) or is_outdated(snapshot, m)))
    existing = {(m.standing.tags[1], m.speaker): row for row, m in alive}
    gathering = Gathering()
    for (kind, speaker), rows in sorted(_by_category(snapshot).items()):
        members = [snapshot.memories[row] for row in _told(snapshot, rows)]
        if (kind.value, speaker) in existing:
            _refresh(snapshot, existing[kind.value, speaker], members, settings, gathering)
        elif len(rows) >= settings.least:
            text = snapshot.voice.summary(kind.value, [memory.text for memory in members])
            thought = Thought(Kind.SUMMARY, text, settings.importance, CATEGORY, kind.value)
            gathering.formed.append(make(snapshot, thought, members))
    return gathering.outcome()


def _by_category(snapshot: Snapshot) -> dict[tuple[Kind, str], list[int]]:
    """The rows of each speaker's category: what is active, and what a theme that is active stands in for."""
    found: dict[tuple[Kind, str], list[int]] = defaultdict(list)
    active = snapshot.active
    for row in np.flatnonzero(snapshot.columns.holds & ~snapshot.columns.dreamt).tolist():
        memory = snapshot.memories[row]
        if not (active[row] or _is_in_theme(snapshot, memory)):
            continue
        found[memory.kind, memory.speaker].append(row)
    return found


def _is_in_theme(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether a dream's memory that is active stands in for it: it says the same, so the category has lost nothing."""
    heir = snapshot.row(memory.standing.superseded_by) if memory.standing.state is State.SUPERSEDED else None
    return heir is not None and snapshot.memories[heir].is_dreamt and bool(snapshot.active[heir])


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
