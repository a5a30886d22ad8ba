"""The dream on one screen: every step a recipe can have, and the ones it has, in its order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from reverie.consolidate.abstraction import abstraction
from reverie.consolidate.clustering import clustering
from reverie.consolidate.company import company
from reverie.consolidate.consolidation import consolidation
from reverie.consolidate.deduplication import deduplication
from reverie.consolidate.dormancy import dormancy
from reverie.consolidate.drift import drift
from reverie.consolidate.earning import earning
from reverie.consolidate.emotion import emotion
from reverie.consolidate.falling_asleep import falling_asleep
from reverie.consolidate.foresight import foresight
from reverie.consolidate.forgetting import forgetting
from reverie.consolidate.hot import hot
from reverie.consolidate.links import links
from reverie.consolidate.outcome import Outcome
from reverie.consolidate.redundancy import redundancy
from reverie.consolidate.rehearsal import rehearsal
from reverie.consolidate.replay import replay
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.sharing import sharing
from reverie.consolidate.snapshot import Snapshot
from reverie.consolidate.summaries import summaries
from reverie.consolidate.sweep import sweep
from reverie.consolidate.tier_decay import tier_decay
from reverie.consolidate.tiers import tiers

S = TypeVar("S")
Act: TypeAlias = Callable[[Snapshot, datetime], Outcome]


@dataclass(frozen=True, slots=True)
class DreamStep:
    """A step of a recipe's dream: its name, and the pure function with the recipe's numbers in it."""

    name: StepName
    act: Act


def steps(settings: DreamSettings) -> tuple[DreamStep, ...]:
    """The steps a recipe has, in its order."""
    acts = {
        StepName.TIER_DECAY: _with(tier_decay, settings.tier_decay),
        StepName.EMOTION: _with(emotion, settings.emotion),
        StepName.REPLAY: _with(replay, settings.replay),
        StepName.TIERS: _with(tiers, settings.tiers),
        StepName.DRIFT: _with(drift, settings.drift),
        StepName.REHEARSAL: _with(rehearsal, settings.rehearsal),
        StepName.FORESIGHT: _with(foresight, settings.foresight),
        StepName.FORGETTING: _with(forgetting, settings.forgetting),
        StepName.CLUSTERING: _with(clustering, settings.clustering),
        StepName.CONSOLIDATION: _with(consolidation, settings.consolidation),
        StepName.REDUNDANCY: _with(redundancy, settings.redundancy),
        StepName.ABSTRACTION: _with(abstraction, settings.abstraction),
        StepName.SUMMARIES: _with(summaries, settings.summaries),
        StepName.HOT: _with(hot, settings.hot),
        StepName.FALLING: _with(falling_asleep, settings.falling),
        StepName.DEDUPLICATION: _with(deduplication, settings.deduplication),
        StepName.LINKS: _with(links, settings.links),
        StepName.COMPANY: _with(company, settings.company),
        StepName.DORMANCY: _with(dormancy, settings.dormancy),
        StepName.EARNING: _with(earning, settings.earning),
        StepName.SWEEP: _with(sweep, settings.sweep),
        StepName.SHARING: _with(sharing, settings.sharing),
    }
    found = ((name, acts.get(name)) for name in settings.order)  # resting looks at episodes, which no snapshot holds
    return tuple(DreamStep(name, act) for name, act in found if act is not None)


def _with(function: Callable[[Snapshot, S, datetime], Outcome], settings: S | None) -> Act | None:
    """The step with its numbers in it; None where the recipe does not have it."""
    if settings is None:
        return None
    held = settings
    return lambda snapshot, now: function(snapshot, held, now)
