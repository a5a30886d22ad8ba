"""List the steps of a recipe's dream, each with its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from reverie.consolidate.clusters import clustering
from reverie.consolidate.compression import compression
from reverie.consolidate.forgetting import forgetting, redundancy, trimming
from reverie.consolidate.published_steps import (
    company,
    deduplication,
    dormancy,
    earning,
    falling_asleep,
    links,
    sharing,
    sweep,
)
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.skills import skill_cards
from reverie.consolidate.snapshot import Outcome, Snapshot
from reverie.consolidate.themes import abstraction, consolidation, summaries
from reverie.consolidate.tiers import drift, emotion, foresight, hot, rehearsal, replay, tier_decay, tiers

S = TypeVar("S")
Act: TypeAlias = Callable[[Snapshot, datetime], Outcome]


@dataclass(frozen=True, slots=True)
class DreamStep:
    """A step of a dream: its name, and a pure function with the recipe's settings bound."""

    name: StepName
    act: Act


def steps(settings: DreamSettings) -> tuple[DreamStep, ...]:
    """Return the steps of a recipe's dream, in order."""
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
        StepName.TRIMMING: _with(trimming, settings.trimming),
        StepName.SKILLS: _with(skill_cards, settings.skills),
        StepName.COMPRESSION: _with(compression, settings.compression),
    }
    found = ((name, acts.get(name)) for name in settings.order)  # resting needs episodes, not a snapshot
    return tuple(DreamStep(name, act) for name, act in found if act is not None)


def _with(function: Callable[[Snapshot, S, datetime], Outcome], settings: S | None) -> Act | None:
    """Bind the settings to a step; None if the recipe does not have it."""
    if settings is None:
        return None
    held = settings
    return lambda snapshot, now: function(snapshot, held, now)
