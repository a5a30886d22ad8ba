"""Score the candidates of the published recipes: by similarity, activation, importance and rank, and by boosts.

In: a recall state with candidates. Out: the same candidates rescored, best first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import numpy as np

from reverie.answers import Signal
from reverie.formulas.arrays import Floats
from reverie.formulas.associations import boosted, pair_boost
from reverie.formulas.freshness import blended, recency, unfading
from reverie.formulas.retention import decayed
from reverie.formulas.scores import CompositeWeights, activation, composite, congruent, ranked_down
from reverie.formulas.similarity_scales import cosine_to_a0, cosine_to_openclaw
from reverie.language.names.named_entities import Entity, named
from reverie.recall.state import Candidate, RecallContext, RecallState, age_s, holds, ordered
from reverie.types import Companions, Kind, Memory, RelationKind

# Composite scores.


class Since(StrEnum):
    """Time from which activation counts age."""

    CREATION = "creation"
    ACCESS = "access"


class Scale(StrEnum):
    """Scale of a recipe's similarities."""

    COSINE = "cosine"
    OPENCLAW = "openclaw"
    AGENT_ZERO = "agent-zero"


@dataclass(frozen=True, slots=True)
class Composite:
    """Stage: weighted sum of similarity, activation, importance and the candidates' earlier scores.

    Attributes:
        weights: weights of the four signals.
        since: start of the age for activation.
        scale: scale of the similarity.
        decay_per_day: by kind, daily decay rate of importance in scoring; ``other_decay`` for the rest.
    """

    weights: CompositeWeights
    since: Since
    scale: Scale
    decay_per_day: tuple[tuple[Kind, float], ...] = ()
    other_decay: float = 0.0
    name: str = "activation"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with rescored candidates."""
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
    """Stage: blend similarity with recency by half-life; load-bearing, asserted, confirmed ones never age."""

    half_life_hours: float
    weight: float
    floor: float
    exempt: frozenset[str]
    scale: Scale
    name: str = "temporal decay"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with rescored candidates."""
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
class SourceTrust:
    """Stage: lower the scores of memories from a source of low confidence."""

    threshold: float
    least: float
    name: str = "source confidence"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with rescored candidates."""
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
    """Return similarities (m,) on a host's scale, in [0, 1]; a candidate without a cosine has its likeness instead."""
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


def marks(memory: Memory) -> tuple[str, ...]:
    """Return the marks of a memory as a host's classifier names them: its tags, and marks derived from its Lifecycle.

    Pinned or immutable: load_bearing; from the user or on request: user_asserted; verified: confirmed.
    """
    life = memory.standing
    bearing = ("load_bearing",) if life.pinned or life.immutable else ()
    asserted = life.write_source == "manual" or "user_message" in life.data_sources
    said = ("user_asserted",) if asserted else ()
    confirmed = ("confirmed",) if life.verified else ()
    return (*life.tags, *bearing, *said, *confirmed)


def _weighed(candidate: Candidate, score: float, parts: Sequence[tuple[str, float, float]]) -> Candidate:
    """Return the candidate with a new score, and the signals that make it up."""
    signals = tuple(Signal(name, value, weight, value * weight) for name, value, weight in parts)
    return replace(candidate, score=score, signals=signals)


# Boosts by shared entity, session, co-retrieval, mood and links.


@dataclass(frozen=True, slots=True)
class EntityBoost:
    """Stage: add ``boost`` for each entity that cue and memory share."""

    boost: float
    name: str = "entity boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates."""
        found, asked = list(quest.candidates), named(quest.queries[0])
        shared = ((candidate, _shared(asked, candidate.memory)) for candidate in found)
        return moved(quest, found, (c.touched("entities", n, self.boost * n, self.boost) for c, n in shared))


@dataclass(frozen=True, slots=True)
class EpisodeBoost:
    """Stage: add ``boost`` to memories of the session that asks."""

    boost: float
    name: str = "episode boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates."""
        found, session = list(quest.candidates), quest.request.session
        if session is None:
            return replace(quest, candidates=found).noted("no session asks")
        return moved(quest, found, (self._met(c) if c.memory.session == session else c for c in found))

    def _met(self, candidate: Candidate) -> Candidate:
        return candidate.touched("session", 1.0, self.boost, self.boost)


@dataclass(frozen=True, slots=True)
class CoActivation:
    """Stage: add ``boost``, once, to both memories of a pair recalled together at least ``least`` times.

    Partners of the best hits are added as candidates, with the hit's confidence times n/(n+1) for n joint recalls.
    """

    least: int
    boost: float
    name: str = "co-activation"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates and added partners."""
        here = {candidate.memory.id: candidate for candidate in quest.candidates}
        pairs = [pair for pair in quest.world.companions(sorted(here)) if pair.count >= self.least] if here else []
        met: dict[str, int] = {}
        for pair in pairs:
            for memory_id in (pair.first, pair.second):
                met[memory_id] = max(met.get(memory_id, 0), pair.count)
        found = [*here.values(), *_partners(here, pairs, quest)]
        counts = ((c, met.get(c.memory.id, 0)) for c in found)
        gained = ((c, n, float(pair_boost(n, self.least, self.boost))) for c, n in counts)
        return moved(quest, found, (c.touched("company", n, gain, self.boost) for c, n, gain in gained))


@dataclass(frozen=True, slots=True)
class Mood:
    """Stage: multiply by ``factor`` the score of memories with the asker's mood: the caller's, or else the cue's.

    ``felt`` computes the valence of a cue.
    """

    factor: float
    felt: Callable[[str], float]
    name: str = "mood"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates."""
        found, mood = list(quest.candidates), quest.request.mood
        mood = self.felt(quest.request.text) if mood is None else mood
        if mood == 0.0:
            return replace(quest, candidates=found).noted("no mood")
        return moved(quest, found, (self._felt(candidate, mood) for candidate in found))

    def _felt(self, candidate: Candidate, mood: float) -> Candidate:
        valence = candidate.memory.standing.valence
        return candidate.scaled("mood", abs(valence), float(congruent(1.0, mood, valence, self.factor)))


@dataclass(frozen=True, slots=True)
class RelatedBoost:
    """Stage: add ``boost``, once, to candidates below the cutoff that are linked to one above it."""

    boost: float
    name: str = "related boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with reordered candidates."""
        found = {candidate.memory.id: candidate for candidate in quest.candidates}
        top = list(found)[: quest.limit]
        links: dict[str, list[str]] = {}
        for relation in quest.world.relations(top) if top else ():
            if relation.kind is RelationKind.RELATED_TO:
                links.setdefault(relation.source, []).append(relation.target)
                links.setdefault(relation.target, []).append(relation.source)
        ranked = [(memory_id, candidate.score) for memory_id, candidate in found.items()]
        lifted = boosted(ranked, links, quest.limit, self.boost)
        after = (found[m].touched("related", 1.0, score - found[m].score, self.boost) for m, score in lifted)
        return moved(quest, list(found.values()), after)


def _partners(here: Mapping[str, Candidate], pairs: Sequence[Companions], quest: RecallState) -> list[Candidate]:
    """Return partners of the best hits that are no candidates yet and may be found, with their highest confidence."""
    sure: dict[str, tuple[float, bool]] = {}
    for pair in pairs:
        for memory_id, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if memory_id not in here and other in list(here)[: quest.limit]:
                by = here[other]
                way = (by.sure(quest.world) * pair.count / (pair.count + 1), by.alike is not None)
                sure[memory_id] = max(sure.get(memory_id, way), way)
    found = quest.world.named(sorted(sure))
    free = [memory for memory in found if not memory.is_dreamt and holds(memory, quest.request)]
    return [_led(memory, *sure[memory.id], quest.world) for memory in free]


def _led(memory: Memory, sure: float, compared: bool, world: RecallContext) -> Candidate:
    """Create the candidate of a partner, with the likeness that corresponds to its confidence."""
    alike = max(0.0, world.cosine_at(sure)) if compared else sure
    return Candidate(-1, memory, 0.0, cosine=0.0 if compared else None, likeness=alike, led=alike)


def _shared(asked: Sequence[Entity], memory: Memory) -> int:
    """Count the entities that a memory names: formed memories hold their addresses, episodes their words."""
    names = set(memory.entities)
    return sum(entity.uri in names or entity.surface in names for entity in asked)


def moved(quest: RecallState, before: Sequence[Candidate], after: Iterable[Candidate]) -> RecallState:
    """Return the state with reordered candidates, and a note of how many scores changed."""
    scores = {candidate.memory.id: candidate.score for candidate in before}
    now = ordered(after)
    count = sum(scores[candidate.memory.id] != candidate.score for candidate in now)
    return replace(quest, candidates=now).noted(f"{count} boosted")
