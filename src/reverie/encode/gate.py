"""Gate: what becomes of a thought beside what is known: created, merged, said again, taking back, or nothing.

In: a thought, its neighbours and its provisional importance. Out: a verdict with its reason and the memories concerned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.conflicts.pairs import statement
from reverie.conflicts.replacing import replacing
from reverie.encode.laying import Origin
from reverie.encode.nearest import Near
from reverie.encode.settings import GateSettings, Merging
from reverie.encode.thoughts import Thought
from reverie.formulas.arrays import Floats
from reverie.formulas.prediction_error import Verdict, decide, prediction_error
from reverie.language.coverage import lacks
from reverie.language.question import is_first_person
from reverie.types import PEOPLE, Episode, Memory, Role

APPENDED_MAX = 2_000
"""Characters an appended memory may reach: what is longer is read by no rule of agreement and meant by no vector."""
_PERSON = "entity://person/"
_TOLD_MAX = 3
"""Words that are told of what a memory does not say."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A verdict and why; the memories it updates, supersedes, reinforces or, where it creates, speaks against.

    ``late``: the thought is the older side of a contradiction; it was said before what is known, and learned after.
    """

    verdict: Verdict
    why: str
    targets: tuple[Memory, ...] = ()
    late: bool = False

    @property
    def target(self) -> Memory | None:
        """The first of them."""
        return self.targets[0] if self.targets else None


@dataclass(frozen=True, slots=True)
class _Against:
    """A memory that does not hold beside a thought, how likely that is, and whether the memory is the later side."""

    memory: Memory
    chance: float
    late: bool

    @property
    def why(self) -> str:
        return f"replaced with probability {self.chance:.2f}"

    @property
    def protected(self) -> bool:
        return self.memory.standing.immutable or self.memory.standing.pinned


def gate(
    thought: Thought, origin: Origin, near: Sequence[Near], importance: float, settings: GateSettings | None
) -> Passage:
    """Decide about one thought of what was said.

    Only people take something back, and who has something kept on purpose: prose is misread. Nobody takes back
    what the person said but the person, nor is anything of others' written into it.
    """
    if settings is None:
        return Passage(Verdict.CREATE, "the recipe has no gate")
    if near and settings.supersede is not None and (origin.episode.role in PEOPLE or origin.deliberate):
        against = _against(thought, origin, near, settings.supersede)
        if against:
            return _taking_back(against)
    if not near:
        return Passage(Verdict.CREATE, "nothing like it is known")
    passage = _by_similarity(thought, origin.episode, near[0], importance, settings)
    if passage.verdict is Verdict.SKIP and origin.deliberate:
        return Passage(Verdict.CREATE, f"{passage.why}; somebody asked to have it remembered")
    return passage


def _taking_back(against: Sequence[_Against]) -> Passage:
    """What is taken back; one that was said later stands above this, and a protected one beside it."""
    for one in against:
        if one.late:
            return Passage(Verdict.SUPERSEDE, f"said before {one.memory.id} ({one.why})", (one.memory,), late=True)
    free = [one for one in against if not one.protected]
    if not free:
        first = against[0]
        why = f"contradicts {first.memory.id}, which is protected ({first.why})"
        return Passage(Verdict.CREATE, why, tuple(one.memory for one in against))
    why = "; ".join(f"{one.memory.id} {one.why}" for one in free)
    return Passage(Verdict.SUPERSEDE, why, tuple(one.memory for one in free))


def _by_similarity(thought: Thought, said: Episode, best: Near, importance: float, settings: GateSettings) -> Passage:
    verdict = decide(best.similarity, importance, False, settings.edges)
    error = f"prediction error {prediction_error(best.similarity):.3f} to {best.memory.id}, importance {importance:.2f}"
    if verdict is Verdict.CREATE:
        return Passage(verdict, error)
    if best.memory.speaker != said.speaker and is_first_person(thought.part):
        return Passage(Verdict.CREATE, f"{error}; they differ in who speaks")
    known = verdict in (Verdict.SKIP, Verdict.REINFORCE)
    if known and settings.agree and (apart := _apart(best.memory, thought, said)):  # no cosine is enough: decision 0015
        return Passage(Verdict.CREATE, f"{error}; that one does not say {apart}")
    if verdict is Verdict.SKIP:
        return Passage(verdict, error)
    if best.memory.standing.immutable:
        return _beside_immutable(verdict, error)
    if verdict is Verdict.UPDATE and (best.memory.role is Role.USER) != (said.role is Role.USER):
        return Passage(Verdict.CREATE, f"{error}; the person said one of them and somebody else the other")
    if verdict is Verdict.UPDATE and (hindered := _hindered(best.memory, thought, settings)):
        return Passage(Verdict.CREATE, f"{error}; {hindered}")
    return Passage(verdict, error, (best.memory,))


def _beside_immutable(verdict: Verdict, error: str) -> Passage:
    """An immutable memory is not touched: what it says already is not said twice, what adds to it stands beside it."""
    if verdict is Verdict.REINFORCE:
        return Passage(Verdict.SKIP, f"{error}; that one is immutable and says it already")
    return Passage(Verdict.CREATE, f"{error}; that one is immutable")


def _hindered(old: Memory, thought: Thought, settings: GateSettings) -> str:
    """Why a memory must not take up a thought; empty: it may."""
    if settings.merging is Merging.NEWER:
        return "that one is pinned, and its words would go" if old.standing.pinned else ""
    return "together they are too long" if len(old.text) + len(thought.text) >= APPENDED_MAX else ""


def _apart(memory: Memory, thought: Thought, said: Episode) -> str:
    """What a memory does not say of a thought; empty: it says it all. Two people's "I" are two people."""
    if memory.speaker != said.speaker and is_first_person(memory.text):
        return "who speaks"
    return ", ".join(lacks(memory.text, thought.text, same_day=memory.at.date() == said.at.date())[:_TOLD_MAX])


def _against(thought: Thought, origin: Origin, near: Sequence[Near], least: float) -> list[_Against]:
    """The neighbours, said by the same person, that most likely do not hold beside the thought, the nearest first."""
    told = [*(statement(one.memory) for one in near), statement(origin.episode, thought.text)]
    chances = replacing(told, alike=_alike(near))
    found = [
        _Against(one.memory, float(max(before, after)), after > before)
        for one, before, after in zip(near, chances[:-1, -1], chances[-1, :-1], strict=True)
        if max(before, after) >= least and _of_one(one.memory, origin.episode)
    ]
    return [] if _may_be_either(thought, found) else found


def _alike(near: Sequence[Near]) -> Floats | None:
    """How like each neighbour is to the thought, which stands last; None without vectors."""
    if any(one.centred is None for one in near):
        return None
    alike = np.zeros((len(near) + 1,) * 2)
    alike[:-1, -1] = alike[-1, :-1] = [one.centred or 0.0 for one in near]
    return alike


def _of_one(memory: Memory, said: Episode) -> bool:
    """Whether the same one said both; a tool that is called like the person is not the person."""
    return memory.speaker == said.speaker and (memory.role is Role.USER) == (said.role is Role.USER)


def _may_be_either(thought: Thought, against: Sequence[_Against]) -> bool:
    """Whether what names nobody speaks against what is known of several people: of two sisters either may be meant."""
    people = {frozenset(name for name in one.memory.entities if name.startswith(_PERSON)) for one in against}
    return len(people) > 1 and not any(name.startswith(_PERSON) for name in thought.entities)
