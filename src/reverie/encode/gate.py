"""Gate: what becomes of a thought beside what is known: created, merged, said again, taking back, or nothing.

In: a thought, its neighbours and its provisional importance. Out: a verdict with its reason and the memory concerned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.encode.nearest import Near
from reverie.encode.settings import GateSettings
from reverie.encode.thoughts import Thought
from reverie.formulas.prediction_error import Verdict, decide, prediction_error
from reverie.language.agreement import agrees
from reverie.language.contradiction import Contradiction, contradicts
from reverie.types import Episode, Memory, Role

_PEOPLE = frozenset({Role.USER, Role.PERSON})


@dataclass(frozen=True, slots=True)
class Passage:
    """A verdict, why, and the memory that is updated, superseded or reinforced by it."""

    verdict: Verdict
    why: str
    target: Memory | None = None


def gate(
    thought: Thought, said: Episode, near: Sequence[Near], importance: float, settings: GateSettings | None
) -> Passage:
    """Decide about one thought of what was said. Only people take something back: the rules misread prose."""
    if settings is None:
        return Passage(Verdict.CREATE, "the recipe has no gate")
    if settings.contradictions and said.role in _PEOPLE and (found := _taken_back(thought, said.speaker, near)):
        memory, how = found
        why = f"{how.reason}: {how.subject}: {how.was} → {how.now}"
        if memory.standing.immutable or memory.standing.pinned:
            return Passage(Verdict.CREATE, f"contradicts {memory.id}, which is protected ({why})", memory)
        return Passage(Verdict.SUPERSEDE, why, memory)
    if not near:
        return Passage(Verdict.CREATE, "nothing like it is known")
    return _by_similarity(thought, near[0], importance, settings)


def _by_similarity(thought: Thought, best: Near, importance: float, settings: GateSettings) -> Passage:
    verdict = decide(best.similarity, importance, False, settings.edges)
    error = f"prediction error {prediction_error(best.similarity):.3f} to {best.memory.id}, importance {importance:.2f}"
    if verdict in (Verdict.CREATE, Verdict.SKIP):
        return Passage(verdict, error)
    if best.memory.standing.immutable:
        return Passage(Verdict.CREATE, f"{error}; that one is immutable")
    if settings.agree and (apart := _differing(best.memory.text, thought.text)):  # no cosine is enough: decision 0015
        return Passage(Verdict.CREATE, f"{error}; they differ in {apart}")
    return Passage(verdict, error, best.memory)


def _differing(one: str, other: str) -> str:
    """In what two texts do not agree; empty: in nothing."""
    agreement = agrees(one, other)
    parts = ("entities", "numbers", "negation", "time")
    apart = ", ".join(part for part in parts if not getattr(agreement, part))
    return apart or ("what they claim" if contradicts(one, other) else "")


def _taken_back(thought: Thought, speaker: str, near: Sequence[Near]) -> tuple[Memory, Contradiction] | None:
    """The first neighbour, said by the same person, that the thought takes back."""
    for found in near:
        if found.memory.speaker == speaker and (how := contradicts(found.memory.text, thought.text)):
            return found.memory, how
    return None
