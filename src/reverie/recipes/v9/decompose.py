"""Decompose: a question that asks several things is looked for part by part, and the parts' answers are fused (D29)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.formulas.rrf import rrf
from reverie.formulas.utility import UtilityWeights, weighted
from reverie.recall.quest import Candidate, Quest, Stage
from reverie.recipes.v9.decomposition import sub_queries


@dataclass(frozen=True, slots=True)
class Decompose:
    """Runs the inner stages for each part of the cue; several rankings are fused by rank with ``k``.

    What stands equally high for different parts has one score: then meaning, utility and importance decide, by
    ``ties`` (D15).
    """

    stages: tuple[Stage, ...]
    k: int
    ties: UtilityWeights
    name: str = "decompose"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with the candidates of all its parts, each once."""
        parts = sub_queries(quest.request.text)
        answers = [self._run(replace(quest, queries=(part,), notes=())) for part in parts]
        notes = tuple(note for answer in answers for note in answer.notes)
        if len(answers) == 1:
            return replace(answers[0], queries=quest.queries, notes=(*quest.notes, *notes))
        best: dict[str, Candidate] = {}
        for candidate in (candidate for answer in answers for candidate in answer.candidates):
            known = best.get(candidate.memory.id)
            best[candidate.memory.id] = candidate if known is None else _surer(known, candidate)
        ranks = rrf([[candidate.memory.id for candidate in answer.candidates] for answer in answers], self.k)
        fused = [best[memory_id].rescored("parts", score, score) for memory_id, score in ranks.items()]
        told = f"{len(parts)} parts: {' | '.join(parts)}"
        first = sorted(fused, key=lambda one: (-one.score, -self._worth(one), one.ordinal))
        return replace(quest, candidates=first, notes=(*quest.notes, told, *notes))

    def _worth(self, candidate: Candidate) -> float:
        life, alike = candidate.memory.standing, candidate.alike
        meaning = candidate.likeness if alike is None else alike
        return float(weighted(meaning, life.utility, life.importance, self.ties))

    def _run(self, quest: Quest) -> Quest:
        for stage in self.stages:
            before = len(quest.notes)
            quest = stage(quest)
            named = tuple(f"{stage.name}: {note}" for note in quest.notes[before:])
            quest = replace(quest, notes=(*quest.notes[:before], *named))
        return quest


def _surer(one: Candidate, other: Candidate) -> Candidate:
    """Of one memory found for two parts the more similar: how sure we are is how well it answers either."""
    return one if (one.alike or 0.0, one.likeness) >= (other.alike or 0.0, other.likeness) else other
