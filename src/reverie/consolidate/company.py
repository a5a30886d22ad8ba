"""Cluster candidates (document A): which memories keep being recalled together. Nothing is done about it."""

from __future__ import annotations

from datetime import datetime

from reverie.consolidate.outcome import Outcome
from reverie.consolidate.settings import Company
from reverie.consolidate.snapshot import Snapshot
from reverie.types import Companions


def company(snapshot: Snapshot, settings: Company, now: datetime) -> Outcome:
    """Name the pairs that met more often than the edge, most often first."""
    del now
    often = [pair for pair in snapshot.companions if pair.count > settings.above]
    return Outcome(notes=tuple(_told(pair) for pair in sorted(often, key=_by_count)))


def _by_count(pair: Companions) -> tuple[int, str, str]:
    return -pair.count, pair.first, pair.second


def _told(pair: Companions) -> str:
    return f"{pair.first}, {pair.second}: {pair.count} times, {pair.since:%Y-%m-%d} to {pair.last:%Y-%m-%d}"
