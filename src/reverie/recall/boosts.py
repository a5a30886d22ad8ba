"""Boosts: what a shared entity, the session, the sub-tier, company or mood adds to a score. One small stage each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.formulas.hebbian import pair_boost
from reverie.formulas.mood import congruent
from reverie.formulas.related_boost import boosted
from reverie.language.named_entities import Entity, named
from reverie.recall.held import holds
from reverie.recall.quest import Candidate, Quest, World, ordered
from reverie.types import Companions, Memory, RelationKind


@dataclass(frozen=True, slots=True)
class EntityBoost:
    """Adds ``boost`` for each entity that cue and memory share (D6)."""

    boost: float
    name: str = "entity boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        found, asked = list(quest.candidates), named(quest.queries[0])
        shared = ((candidate, _shared(asked, candidate.memory)) for candidate in found)
        return moved(quest, found, (c.touched("entities", n, self.boost * n, self.boost) for c, n in shared))


@dataclass(frozen=True, slots=True)
class EpisodeBoost:
    """Adds ``boost`` to what was formed in the session that asks (D6)."""

    boost: float
    name: str = "episode boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        found, session = list(quest.candidates), quest.request.session
        if session is None:
            return replace(quest, candidates=found).noted("no session asks")
        return moved(quest, found, (self._met(c) if c.memory.session == session else c for c in found))

    def _met(self, candidate: Candidate) -> Candidate:
        return candidate.touched("session", 1.0, self.boost, self.boost)


@dataclass(frozen=True, slots=True)
class CoActivation:
    """Adds ``boost`` to both of a pair that was recalled together at least ``least`` times, once, when either is a hit
    (D31): a partner of what is found first comes along, as sure as the hit that brings it times n/(n+1).
    """

    least: int
    boost: float
    name: str = "co-activation"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates and the partners of the best, boosted once each."""
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
    """Multiplies by ``factor`` what was felt as the asker feels (D32); the mood is the caller's, else the cue's own.

    ``felt`` reads the valence of a cue.
    """

    factor: float
    felt: Callable[[str], float]
    name: str = "mood"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
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
    """Lifts what stands below the cut and is linked to what stands above it, once (A5)."""

    boost: float
    name: str = "related boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, reordered."""
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


def _partners(here: Mapping[str, Candidate], pairs: Sequence[Companions], quest: Quest) -> list[Candidate]:
    """Who was recalled with one of the best and is not here, and may be: as sure as the surest way to it."""
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


def _led(memory: Memory, sure: float, compared: bool, world: World) -> Candidate:
    """A memory that was brought by another: as alike as it takes to be as sure."""
    alike = max(0.0, world.cosine_at(sure)) if compared else sure
    return Candidate(-1, memory, 0.0, cosine=0.0 if compared else None, likeness=alike, led=alike)


def _shared(asked: Sequence[Entity], memory: Memory) -> int:
    """How many of the entities a memory names: what was formed holds their addresses, an episode their words."""
    names = set(memory.entities)
    return sum(entity.uri in names or entity.surface in names for entity in asked)


def moved(quest: Quest, before: Sequence[Candidate], after: Iterable[Candidate]) -> Quest:
    """The quest with its candidates in their new order, and a note how many scores changed."""
    scores = {candidate.memory.id: candidate.score for candidate in before}
    now = ordered(after)
    count = sum(scores[candidate.memory.id] != candidate.score for candidate in now)
    return replace(quest, candidates=now).noted(f"{count} boosted")
