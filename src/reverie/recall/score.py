"""Score: one number out of similarity, activation, importance and rank, as the recipe weighs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import numpy as np

from reverie.answers import Signal
from reverie.formulas.activation import activation
from reverie.formulas.arrays import Floats
from reverie.formulas.category_decay import decayed
from reverie.formulas.composite import CompositeWeights, composite
from reverie.formulas.recency_half_life import blended, recency, unfading
from reverie.formulas.similarity_scales import cosine_to_a0, cosine_to_openclaw
from reverie.formulas.source_confidence import ranked_down
from reverie.recall.quest import Candidate, Quest, ordered
from reverie.types import Kind, Memory


class Since(StrEnum):
    """From when an activation counts the age."""

    CREATION = "creation"
    ACCESS = "access"


class Scale(StrEnum):
    """On which scale a recipe's similarities are."""

    COSINE = "cosine"
    OPENCLAW = "openclaw"
    AGENT_ZERO = "agent-zero"


@dataclass(frozen=True, slots=True)
class Composite:
    """Similarity, activation, importance and what the pool scored, weighed (D6, C1).

    Attributes:
        weights: of the four signals.
        since: from when the activation's age is counted.
        scale: of the similarity.
        decay_per_day: by kind, what importance loses a day in scoring (D8); ``other_decay`` for the rest.
    """

    weights: CompositeWeights
    since: Since
    scale: Scale
    decay_per_day: tuple[tuple[Kind, float], ...] = ()
    other_decay: float = 0.0
    name: str = "activation"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, scored anew."""
        found = list(quest.candidates)
        if not found:
            return quest.noted("nothing to score")
        now, weights = quest.request.now, self.weights
        alike = similarities(found, self.scale)
        active = self._activation([candidate.memory for candidate in found], now)
        matter = self._importance([candidate.memory for candidate in found], now)
        pooled = np.array([candidate.score for candidate in found])
        columns = (
            ("similarity", alike, weights.similarity),
            ("activation", active, weights.activation),
            ("importance", matter, weights.importance),
            ("fused", pooled, weights.fused),
        )
        counted = [column for column in columns if column[2]]
        scores = composite(alike, active, matter, pooled, weights).tolist()
        scored = [
            _weighed(candidate, score, [(name, float(values[row]), weight) for name, values, weight in counted])
            for row, (candidate, score) in enumerate(zip(found, scores, strict=True))
        ]
        return replace(quest, candidates=ordered(scored)).noted(f"{len(scored)} scored")

    def _activation(self, memories: Sequence[Memory], now: datetime) -> Floats:
        counts = np.array([max(memory.accesses, 1) for memory in memories], np.float64)
        ages = [age_s(memory, now, created=self.since is Since.CREATION) for memory in memories]
        return activation(counts, np.array(ages))

    def _importance(self, memories: Sequence[Memory], now: datetime) -> Floats:
        rates = dict(self.decay_per_day)
        rate = np.array([rates.get(memory.kind, self.other_decay) for memory in memories])
        days = np.array([age_s(memory, now) for memory in memories]) / 86_400.0
        return decayed(np.array([memory.standing.importance for memory in memories]), rate, days)


@dataclass(frozen=True, slots=True)
class Recency:
    """Similarity and recency by half-life, blended (A3); load-bearing, asserted and confirmed ones do not fade (A4)."""

    half_life_hours: float
    weight: float
    floor: float
    exempt: frozenset[str]
    scale: Scale
    name: str = "temporal decay"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, scored anew."""
        found = list(quest.candidates)
        if not found:
            return quest.noted("nothing to score")
        hours = np.array([age_s(candidate.memory, quest.request.now) for candidate in found]) / 3600.0
        exempt = np.array([not self.exempt.isdisjoint(marks(candidate.memory)) for candidate in found])
        fresh = unfading(recency(hours, self.half_life_hours, self.floor), exempt)
        alike = similarities(found, self.scale)
        columns = (blended(alike, fresh, self.weight).tolist(), alike.tolist(), fresh.tolist())
        scored = [
            _weighed(candidate, score, [("similarity", near, 1.0 - self.weight), ("recency", young, self.weight)])
            for candidate, score, near, young in zip(found, *columns, strict=True)
        ]
        return replace(quest, candidates=ordered(scored)).noted(f"{len(scored)} scored, {int(exempt.sum())} unfading")


@dataclass(frozen=True, slots=True)
class Trust:
    """Ranks down what comes from a source of little confidence (D22)."""

    threshold: float
    least: float
    name: str = "source confidence"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, the doubtful lower."""
        judged = [self._judged(candidate) for candidate in quest.candidates]
        doubted = sum(candidate.memory.standing.confidence < self.threshold for candidate in judged)
        return replace(quest, candidates=ordered(judged)).noted(f"{doubted} of little confidence")

    def _judged(self, candidate: Candidate) -> Candidate:
        confidence = candidate.memory.standing.confidence
        if confidence >= self.threshold:
            return candidate
        factor = float(ranked_down(1.0, confidence, self.threshold, self.least))
        return candidate.scaled("source", confidence, factor)


def similarities(candidates: Sequence[Candidate], scale: Scale) -> Floats:
    """(m,) similarities on a host's scale, in [0, 1]; where no vector was compared, what stands in for it, as it is."""
    compared = np.array([candidate.cosine is not None for candidate in candidates], np.bool_)
    cosines = np.array([candidate.alike or 0.0 for candidate in candidates], np.float64)
    likeness = np.array([candidate.likeness for candidate in candidates], np.float64)
    result: Floats = np.where(compared, _on_scale(cosines, scale), likeness)
    return result


def _on_scale(cosines: Floats, scale: Scale) -> Floats:
    if scale is Scale.OPENCLAW:
        return cosine_to_openclaw(cosines)
    if scale is Scale.AGENT_ZERO:
        return cosine_to_a0(cosines)
    return np.clip(cosines, 0.0, 1.0)


def age_s(memory: Memory, now: datetime, *, created: bool = False) -> float:
    """Seconds since the last access (or since it was recorded, if never), at least 1; ``created``: since recorded."""
    since = memory.recorded_at if created or memory.last_access is None else memory.last_access
    return max(1.0, (now - since).total_seconds())


def marks(memory: Memory) -> tuple[str, ...]:
    """What a host's classifier calls a memory: its own words where they are tags, else what stands for them in ours.

    Protected is load-bearing, said by the user (or kept because somebody asked) is asserted, verified is confirmed.
    """
    life = memory.standing
    bearing = ("load_bearing",) if life.pinned or life.immutable else ()
    asserted = life.write_source == "manual" or "user_message" in life.data_sources
    said = ("user_asserted",) if asserted else ()
    confirmed = ("confirmed",) if life.verified else ()
    return (*life.tags, *bearing, *said, *confirmed)


def _weighed(candidate: Candidate, score: float, parts: Sequence[tuple[str, float, float]]) -> Candidate:
    """With a new score, and the signals whose shares make it up."""
    signals = tuple(Signal(name, value, weight, value * weight) for name, value, weight in parts)
    return replace(candidate, score=score, signals=signals)
