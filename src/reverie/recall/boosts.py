"""Boosts: what a shared entity, the session, the sub-tier, company or mood adds to a score. One small stage each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from reverie.formulas.hebbian import pair_boost
from reverie.formulas.mood import congruent
from reverie.formulas.related_boost import boosted
from reverie.language.emotion import emotion
from reverie.language.named_entities import named
from reverie.recall.quest import Candidate, Quest, ordered
from reverie.recall.subtiers import SubTier, sub_tier


@dataclass(frozen=True, slots=True)
class EntityBoost:
    """Adds ``boost`` for each entity that cue and memory share (D6)."""

    boost: float
    name: str = "entity boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        asked = {entity.uri for entity in named(quest.request.text)}
        shared = ((candidate, len(asked & set(candidate.memory.entities))) for candidate in quest.candidates)
        return _kept(quest, (c.touched("entities", n, self.boost * n, self.boost) for c, n in shared))


@dataclass(frozen=True, slots=True)
class EpisodeBoost:
    """Adds ``boost`` to what was formed in the session that asks (D6)."""

    boost: float
    name: str = "episode boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        session = quest.request.session
        same = ((c, session is not None and c.memory.session == session) for c in quest.candidates)
        return _kept(
            quest, (c.touched("session", 1.0, self.boost, self.boost) if is_same else c for c, is_same in same)
        )


@dataclass(frozen=True, slots=True)
class SubTierBoost:
    """Multiplies by the factor of the memory's sub-tier (D37)."""

    factors: tuple[tuple[SubTier, float], ...]
    name: str = "sub-tier boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        factors = dict(self.factors)
        return _kept(quest, (c.scaled("sub-tier", 1.0, factors[sub_tier(c.memory)]) for c in quest.candidates))


@dataclass(frozen=True, slots=True)
class CoActivation:
    """Adds ``boost`` to a memory that was recalled with another hit at least ``least`` times (D31)."""

    least: int
    boost: float
    name: str = "co-activation"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted once each."""
        found = list(quest.candidates)
        here = {candidate.memory.id for candidate in found}
        pairs = quest.world.companions(sorted(here)) if here else []
        met: dict[str, int] = {}
        for pair in pairs:
            if pair.first in here and pair.second in here:
                for memory_id in (pair.first, pair.second):
                    met[memory_id] = max(met.get(memory_id, 0), pair.count)
        gained = ((c, float(pair_boost(met.get(c.memory.id, 0), self.least, self.boost))) for c in found)
        return _kept(quest, (c.touched("company", met.get(c.memory.id, 0), gain, self.boost) for c, gain in gained))


@dataclass(frozen=True, slots=True)
class Mood:
    """Multiplies by ``factor`` what was felt as the asker feels (D32); the mood is the caller's, else the cue's own."""

    factor: float
    name: str = "mood"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        mood = quest.request.mood
        mood = emotion(quest.request.text).valence if mood is None else mood
        return _kept(quest, (self._felt(candidate, mood) for candidate in quest.candidates))

    def _felt(self, candidate: Candidate, mood: float) -> Candidate:
        valence = candidate.memory.standing.valence
        return candidate.scaled("mood", abs(valence), float(congruent(1.0, mood, valence, self.factor)))


@dataclass(frozen=True, slots=True)
class RelatedBoost:
    """Lifts what stands below the cut and is linked to what stands above it, once (A5)."""

    boost: float
    name: str = "related boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, reordered."""
        found = {candidate.memory.id: candidate for candidate in quest.candidates}
        top = list(found)[: quest.limit]
        links: dict[str, list[str]] = {}
        for relation in quest.world.relations(top) if top else ():
            links.setdefault(relation.source, []).append(relation.target)
            links.setdefault(relation.target, []).append(relation.source)
        ranked = [(memory_id, candidate.score) for memory_id, candidate in found.items()]
        lifted = boosted(ranked, links, quest.limit, self.boost)
        return _kept(
            quest, (found[m].touched("related", 1.0, score - found[m].score, self.boost) for m, score in lifted)
        )


def _kept(quest: Quest, candidates: Iterable[Candidate]) -> Quest:
    before = {candidate.memory.id: candidate.score for candidate in quest.candidates}
    after = ordered(candidates)
    moved = sum(before[candidate.memory.id] != candidate.score for candidate in after)
    return replace(quest, candidates=after).noted(f"{moved} boosted")
