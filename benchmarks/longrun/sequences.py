"""A step of the dream that replays sequences of memories: a prototype, measured by ``python -m benchmarks replay``.

In: a snapshot. Out: changes of stability and utility, and edges. A **sequence** is what was formed in one session, in
order of time. It was measured and brought nothing (decision 0076), so no recipe has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module
from itertools import chain, pairwise, zip_longest
from random import Random
from typing import Any

import numpy as np

from reverie.consolidate.pipeline import DreamStep
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.snapshot import Gathering, Outcome, Snapshot, by_age, days_between
from reverie.formulas.associations import strengthened
from reverie.recipes.recipe import OwnRecipe, Recipe
from reverie.types import Relation, RelationKind

NAME = StepName.LINKS
"""The name under which the prototype runs: a step that neither ``reverie`` nor ``v9`` has, so that an interrupted dream
finds what it wrote."""


@dataclass(frozen=True, slots=True)
class SequenceReplay:
    """The numbers of the step, set before anything was measured.

    Attributes:
        budget: most memories replayed in a period, pairs (D31) counted in.
        by_priority: by surprise x utility x need; else in an order drawn by the cycle's id.
        least: fewest memories of a sequence.
        most: most memories of a sequence that are replayed, the latest.
        recent_days: a sequence with a memory recorded since then is recent.
        share: share added to the stability of what is replayed, document D's for pairs (D31).
        stability_most: days above which nothing is added.
        rate: share of an outcome's distance from the neutral utility that its nearest cause is credited with, before
            ``gamma``.
        gamma: factor on the credit for each edge between outcome and cause.
        hops: most edges between them.
        utility_most: largest change of a utility in a period.
        confidence: of a new edge; 0: no edges are made.
        along: the weight with which a memory counts as the cause of the next one in its sequence; 0: only edges tell
            causes.
    """

    budget: int = 8
    by_priority: bool = True
    least: int = 2
    most: int = 12
    recent_days: float = 7.0
    share: float = 0.02
    stability_most: float = 365.0
    rate: float = 0.2
    gamma: float = 0.9
    hops: int = 4
    utility_most: float = 0.05
    confidence: float = 0.5
    along: float = 0.0


NEUTRAL = 0.5
"""The utility of what was neither of use nor useless."""


def sequence_replay(snapshot: Snapshot, settings: SequenceReplay, now: datetime) -> Outcome:
    """Replay sequences forward, then credit the causes of their outcomes backward, within the budget of the period."""
    start = snapshot.night.period_start
    marks = [memory.standing.replayed_at for memory in snapshot.memories]
    spent = [mark is not None and mark >= start for mark in marks]  # also what a clock that was ahead has marked
    open_rows = frozenset(np.flatnonzero(snapshot.active & snapshot.free & ~np.array(spent, np.bool_)).tolist())
    room = settings.budget - sum(spent)
    chosen = list(_within(_ordered(snapshot, _sequences(snapshot, open_rows, settings), settings, now), room, settings))
    rows = list(dict.fromkeys(chain.from_iterable(chosen)))
    credit = _credit(snapshot, chosen, settings)
    causes = [row for row in credit if row in open_rows and row not in set(rows)][: max(0, room - len(rows))]
    gathering = Gathering()
    for row in rows:
        life = snapshot.memories[row].standing
        stability = min(float(strengthened(life.stability_days, settings.share)), settings.stability_most)
        _change(gathering, snapshot, row, credit.get(row, 0.0), max(stability, life.stability_days), now)
    for row in causes:
        _change(gathering, snapshot, row, credit[row], snapshot.memories[row].standing.stability_days, now)
    gathering.related += _edges(snapshot, chosen, settings, now)
    return gathering.outcome()


def _change(
    gathering: Gathering, snapshot: Snapshot, row: int, credit: float, stability_days: float, now: datetime
) -> None:
    memory = snapshot.memories[row]
    utility = min(1.0, max(0.0, memory.standing.utility + credit))
    gathering.alter(memory, "replayed", stability_days=stability_days, utility=utility, replayed_at=now)


# Sequences, and which of them are replayed first.


def _sequences(snapshot: Snapshot, rows: Iterable[int], settings: SequenceReplay) -> list[tuple[int, ...]]:
    """What was formed in each session and may be changed, in order of time; what was erased is not among it."""
    sessions: dict[str, list[int]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: by_age(snapshot.memories[row])):
        memory = snapshot.memories[row]
        if memory.session and not memory.is_dreamt:
            sessions[memory.session].append(row)
    return [tuple(found[-settings.most :]) for _, found in sorted(sessions.items()) if len(found) >= settings.least]


def _ordered(
    snapshot: Snapshot, sequences: Sequence[tuple[int, ...]], settings: SequenceReplay, now: datetime
) -> Iterator[tuple[int, ...]]:
    """Recent sequences and old ones by turns, each kind by priority or as drawn."""
    if settings.by_priority:
        worth = {one: _priority(snapshot, one) for one in sequences}
        ordered = sorted(sequences, key=lambda one: (-worth[one], snapshot.memories[one[0]].id))
    else:
        ordered = list(sequences)
        Random(snapshot.night.cycle).shuffle(ordered)
    recent = [one for one in ordered if _age_days(snapshot, one, now) <= settings.recent_days]
    old = [one for one in ordered if _age_days(snapshot, one, now) > settings.recent_days]
    return (one for one in chain.from_iterable(zip_longest(recent, old)) if one)


def _age_days(snapshot: Snapshot, sequence: Sequence[int], now: datetime) -> float:
    return days_between(max(snapshot.memories[row].recorded_at for row in sequence), now)


def _priority(snapshot: Snapshot, sequence: Sequence[int]) -> float:
    """Surprise x utility x need, each in [0, 1].

    Surprise is how unlike each memory is to the one before it; need is how likely the memories are asked for again, by
    how often and how lately they were.
    """
    rows, columns = list(sequence), snapshot.columns
    vectors = snapshot.vectors(rows)
    alike = np.clip((vectors[1:] * vectors[:-1]).sum(axis=1), 0.0, 1.0)
    use = (1.0 + columns.accesses[rows]) / np.sqrt(1.0 + columns.idle_days[rows])
    return float((1.0 - alike.mean()) * columns.utility[rows].mean() * (use / (1.0 + use)).mean())


def _within(ordered: Iterable[tuple[int, ...]], room: int, settings: SequenceReplay) -> Iterator[tuple[int, ...]]:
    """The first sequences that the budget allows, the last one cut."""
    for sequence in ordered:
        if room < settings.least:
            return
        yield sequence[:room]
        room -= len(sequence[:room])


# Forward: edges between neighbours. Backward: credit along causes.


def _edges(
    snapshot: Snapshot, chosen: Iterable[tuple[int, ...]], settings: SequenceReplay, now: datetime
) -> Iterator[Relation]:
    """Edges from each memory to the next one, where there is none between them."""
    linked = {frozenset((relation.source, relation.target)) for relation in snapshot.relations}
    for first, second in chain.from_iterable(map(pairwise, chosen if settings.confidence else ())):
        source, target = snapshot.memories[first].id, snapshot.memories[second].id
        if frozenset((source, target)) not in linked:
            yield Relation(source, target, RelationKind.RELATED_TO, settings.confidence, now)


def _credit(snapshot: Snapshot, chosen: Sequence[tuple[int, ...]], settings: SequenceReplay) -> dict[int, float]:
    """The change of utility of each cause, at most so much; a cause in a cycle is credited once for an outcome."""
    causes: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for relation in snapshot.relations:
        source, target = snapshot.row(relation.source), snapshot.row(relation.target)
        if relation.kind is RelationKind.CAUSES and source is not None and target is not None:
            causes[target].append((source, relation.confidence))
    for before, later in chain.from_iterable(map(pairwise, chosen if settings.along else ())):
        causes[later].append((before, settings.along))
    found: dict[int, float] = defaultdict(float)
    for row in chain.from_iterable(chosen):
        memory = snapshot.memories[row]
        reward = memory.standing.utility - NEUTRAL if memory.accesses else 0.0
        for cause, weight in _behind(row, causes, settings) if reward else ():
            found[cause] += settings.rate * weight * reward
    most = settings.utility_most
    return {row: min(most, max(-most, value)) for row, value in sorted(found.items())}


def _behind(
    outcome: int, causes: dict[int, list[tuple[int, float]]], settings: SequenceReplay
) -> Iterator[tuple[int, float]]:
    """The causes of an outcome with their weights, the nearest first."""
    rim, passed = {outcome: 1.0}, {outcome}
    for _ in range(settings.hops):
        reached: dict[int, float] = {}
        for row, weight in rim.items():
            for cause, confidence in causes.get(row, ()):
                if cause not in passed:
                    reached[cause] = max(reached.get(cause, 0.0), weight * settings.gamma * confidence)
        yield from reached.items()
        passed |= set(reached)
        rim = reached


# A recipe with the step, and the engine that runs it.


def replaying(of: Recipe) -> OwnRecipe:
    """The recipe with the step behind what fades and before what forgets, or else at the beginning."""
    order = of.dream.order
    place = order.index(StepName.FORGETTING) if StepName.FORGETTING in order else 0
    dream = replace(of.dream, order=(*order[:place], NAME, *order[place:]))
    return OwnRecipe(of.name, of.recall, of.encode, dream, of.working)


@contextmanager
def stepping(settings: SequenceReplay) -> Iterator[set[str]]:
    """Within, recipes that name the step run it; yields the ids of all memories that it changes."""
    dreams: Any = import_module("reverie.engine.dreams")
    usual, touched = dreams.steps, set[str]()

    def act(snapshot: Snapshot, now: datetime) -> Outcome:
        outcome = sequence_replay(snapshot, settings, now)
        touched.update(change.memory for change in outcome.changes)
        return outcome

    def steps(dream: DreamSettings) -> tuple[DreamStep, ...]:
        known = {step.name: step for step in usual(dream)} | {NAME: DreamStep(NAME, act)}
        return tuple(known[name] for name in dream.order if name in known)

    dreams.steps = steps
    try:
        yield touched
    finally:
        dreams.steps = usual
