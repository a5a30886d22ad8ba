"""Dreaming: a recipe's steps one after another, each outcome written as events, others recalling in between.

A dream that was killed goes on where it stopped: the step it was in is worked out again from what it had seen, and
only what it had not written yet is written. Within a period a memory is taken up once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

import numpy as np

from reverie.consolidate.cycles import Cycle, by_step, cycles, period_of, reason, written
from reverie.consolidate.extracting import Extractive
from reverie.consolidate.outcome import Cluster, Outcome
from reverie.consolidate.pipeline import DreamStep, steps
from reverie.consolidate.report import DreamReport, StepReport
from reverie.consolidate.rewinding import Mark, left_of, marks, rewound
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.snapshot import Nearness, Night, Snapshot, snapshot_of
from reverie.consolidate.voice import Spoken
from reverie.encode.index import index
from reverie.errors import ModelUnavailable
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    Dreamt,
    Erased,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Related,
    Stage,
    changed,
)
from reverie.models.hashing import HashEmbedder
from reverie.ports import Clock, Corpus, Embedder, Ids, Mind, Store, Transaction
from reverie.stores.corpus import CorpusView
from reverie.stores.vectors import VectorView, wide
from reverie.types import FloatArray, IndexEntry, IntArray, Kind, Memory, Scope

BATCH = 100
"""Changes a transaction: the event may hold 500, but whoever recalls waits for a transaction to end."""

_PAUSE_S = 0.001
_WORDS_DIMS = 256
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Means:
    """What a dream needs of the world. ``lock`` is held for each transaction and no longer."""

    store: Store
    clock: Clock
    ids: Ids
    lock: AbstractContextManager[object]
    embedder: Embedder | None = None
    mind: Mind | None = None


def dream(means: Means, scope: Scope, settings: DreamSettings, *, dry_run: bool = False) -> DreamReport:
    """Dream once over a scope, or bring an interrupted dream to its end; ``dry_run`` writes nothing."""
    ahead = steps(settings)
    begun = _begin(means, scope, settings)
    seen = _look(means, scope, begun, ahead)
    writer = _Writer(means, scope, begun, dry_run=dry_run, head=seen.head)
    snapshot, hot, done = seen.snapshot, tuple[str, ...](), seen.done
    reports: list[StepReport] = []
    for step in ahead[seen.first :]:
        outcome = step.act(snapshot, begun.night.at)
        left = writer.write(step.name, snapshot, left_of(outcome, done))
        reports.append(StepReport.of(step.name, outcome, left))
        snapshot = snapshot.after(outcome)
        hot, done = outcome.hot or hot, frozenset()
    writer.end()
    return DreamReport(
        night=begun.night,
        period=begun.period,
        memories=len(seen.snapshot.memories),
        steps=tuple(reports),
        hot=hot,
        dry_run=dry_run,
        resumed=begun.interrupted is not None,
    )


# What was there before


@dataclass(frozen=True, slots=True)
class _Begun:
    """The cycle to run: its night and period, and the interrupted cycle it goes on with."""

    night: Night
    period: str
    interrupted: Cycle | None


def _begin(means: Means, scope: Scope, settings: DreamSettings) -> _Begun:
    with means.lock:
        known = cycles(means.store, scope)
    interrupted = known[-1] if known and known[-1].stage is Stage.BEGUN else None
    at = means.clock.now() if interrupted is None else interrupted.at
    cycle = means.ids.new_id(at) if interrupted is None else interrupted.id
    period, start = period_of(at, settings.period_hours, cycle)
    ended = [one.at for one in known if one.stage is Stage.DONE and one.period == period]
    return _Begun(Night(cycle, at, start, max(ended, default=None)), period, interrupted)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The scope before the step at ``first``; ``done`` is what that step has written already, ``head`` the journal's."""

    snapshot: Snapshot
    head: int
    first: int = 0
    done: frozenset[Mark] = frozenset()


def _look(means: Means, scope: Scope, begun: _Begun, ahead: Sequence[DreamStep]) -> _Seen:
    store, model = means.store, means.embedder.info if means.embedder else None
    with means.lock:
        head = store.head()[0]
        corpus = store.corpus(scope, model)
        memories = store.formed(scope)
    with means.lock:
        relations, companions = store.relations(scope), store.companions(scope)
    snapshot = snapshot_of(
        memories,
        begun.night,
        scope,
        nearness_of(memories, corpus),
        Extractive() if means.mind is None else Spoken(means.mind),
        relations,
        companions,
    )
    if begun.interrupted is None:
        return _Seen(snapshot, head)
    with means.lock:
        events = by_step(written(store, scope, begun.interrupted))
    return _resumed(_Seen(snapshot, head), ahead, events)
