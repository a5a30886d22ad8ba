"""Compress clusters into digests: short statements that hold every fact of their members, which then sleep.

In: a snapshot with its clusters. Out: a digest for each of the largest ones that gets short enough, the edges to its
members, and the members put to sleep. No recipe has this step by default (decision 0075).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.consolidate.lossless import DIGEST, left_out
from reverie.consolidate.settings import Compression
from reverie.consolidate.snapshot import Cluster, Gathering, Outcome, Snapshot
from reverie.consolidate.themes import NewMemory, made_since, make
from reverie.formulas.text_statistics import estimated_tokens
from reverie.language.digest import lost, statements
from reverie.types import Kind, Memory, Relation, RelationKind, State

FEWEST = 2
"""A digest of one memory would only be the same memory with fewer words."""


def compression(snapshot: Snapshot, settings: Compression, now: datetime) -> Outcome:
    """Form digests up to the limit per period; a member sleeps if its digest holds all that it says.

    Members that contradict one another, or that are pinned or immutable, are neither compressed nor put to sleep.
    """
    gathering = Gathering()
    room = max(0, settings.limit - made_since(snapshot, DIGEST))
    denied = _denied(snapshot)
    for cluster in snapshot.clusters:
        if room == 0:
            break
        members, made = _made(snapshot, settings, cluster.label, _members(snapshot, cluster, denied))
        told = sum(estimated_tokens(memory.text) for memory in members)
        if made is None or estimated_tokens(made.text) > settings.share * told:
            continue
        room -= 1
        gathering.formed.append(made)
        for memory in members:
            why = "held by a digest"
            gathering.alter(memory, why, state=State.DORMANT, superseded_by=made.id, consolidated_at=now)
            gathering.related.append(Relation(made.id, memory.id, RelationKind.SUPERSEDES, 1.0, now))
    return gathering.outcome()


def _made(
    snapshot: Snapshot, settings: Compression, label: str, members: list[Memory]
) -> tuple[list[Memory], Memory | None]:
    """Return the members that a digest of them holds whole, and this digest; None if they are too few.

    It has no word of the others, so that erasing one of these leaves nothing of it.
    """
    while len(members) >= FEWEST:
        thought = NewMemory(Kind.SUMMARY, condensed(members), settings.importance, DIGEST, label)
        made = make(snapshot, thought, members)
        held = [memory for memory in members if not left_out(made, memory)]
        if len(held) == len(members):
            return members, made
        members = held
    return members, None


def condensed(members: Sequence[Memory]) -> str:
    """Return the short statements of memories, one a line, in their order; what was said already is not repeated."""
    text = ""
    for memory in members:
        if text and not lost(text, memory.text):
            continue
        text = "\n".join(filter(None, (text, *statements(memory.text))))
    return text


def _members(snapshot: Snapshot, cluster: Cluster, denied: set[str]) -> list[Memory]:
    """Return those members of a cluster that may sleep, by the time they were said."""
    columns, active = snapshot.columns, snapshot.active
    rows = [row for row in cluster.rows if active[row] and not (columns.pinned[row] or columns.immutable[row])]
    members = [snapshot.memories[row] for row in rows if snapshot.memories[row].valid_until is None]
    return sorted((one for one in members if one.id not in denied), key=lambda one: (one.at, one.id))


def _denied(snapshot: Snapshot) -> set[str]:
    """Return the ids of memories that contradict another."""
    edges = (edge for edge in snapshot.relations if edge.kind is RelationKind.CONTRADICTS)
    return {name for edge in edges for name in (edge.source, edge.target)}
