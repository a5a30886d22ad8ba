"""The write gate: decide whether a fact candidate creates, updates, reinforces or supersedes memories, or is skipped.

In: a candidate and its neighbours. Out: the decision with its reason, and the candidate's importance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reverie.conflicts.pairs import statement
from reverie.conflicts.verdict import replacing
from reverie.encode.facts import FactCandidate, ObservedMessage
from reverie.encode.memory_factory import Origin
from reverie.encode.neighbours import EdgeCount, Near, NeighbourSearch, nearest
from reverie.encode.session import Session
from reverie.encode.settings import EncodeSettings, GateSettings, Merging, WeighSettings
from reverie.formulas.arrays import Floats
from reverie.formulas.gates import GateVerdict, decide, prediction_error
from reverie.formulas.tiers import Channels, encoding_boost, importance, priority
from reverie.language.classify.question import is_first_person
from reverie.language.text.coverage import lacks
from reverie.ports import Bond, Corpus, FormingMind, Scale, as_it_is
from reverie.types import PEOPLE, Episode, FloatArray, Memory, Relation, Role


@dataclass(frozen=True, slots=True)
class Advice:
    """A language model's answers about fact candidates, asked for before the transaction; empty without a model."""

    merges: Mapping[tuple[str, str], str] = field(default_factory=dict)
    bonds: Mapping[tuple[str, tuple[str, ...]], tuple[Bond, ...]] = field(default_factory=dict)

    def merged(self, old: str, new: str) -> str | None:
        """Return the model's merged text of an old memory and a new candidate; None if it gave none."""
        return self.merges.get((old, new))

    def related(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Return the relations that the model found between a new memory and others; None if it was not asked."""
        return self.bonds.get((new, tuple(others)))


NO_ADVICE = Advice()


@dataclass(frozen=True, slots=True)
class Weight:
    """Importance in [0, 1], the priority that follows from it, and why it is so high."""

    importance: float
    priority: str = ""
    why: str = "the recipe's constant"


def weigh(
    seen: ObservedMessage, near: Sequence[Near], attention: float | None, settings: EncodeSettings, *, deliberate: bool
) -> Weight:
    """Compute a fact candidate's importance; without settings the recipe's constant. ``attention`` None: unknown."""
    law = settings.weigh
    if law is None:
        return Weight(settings.importance)
    channels = Channels(
        novelty=1.0 - min(1.0, max(0.0, near[0].similarity)) if near else 1.0,
        arousal=seen.emotion.arousal,
        reward=_reward(near, law),
        attention=law.unknown if attention is None else min(1.0, max(0.0, attention)),
    )
    certainty = law.unknown if seen.confidence is None else seen.confidence
    boost = encoding_boost(seen.density, certainty, deliberate, law.boost)
    value = importance(channels, law.weights, boost)
    parts = f"novelty {channels.novelty:.2f}, arousal {channels.arousal:.2f}, reward {channels.reward:.2f}"
    why = f"{value:.2f}: {parts}, attention {channels.attention:.2f}, boost {boost:.2f}"
    return Weight(value, priority(value, law.priorities).value, why)


def _reward(near: Sequence[Near], law: WeighSettings) -> float:
    """Return the mean utility of similar memories, or the value for unknown if there are none."""
    useful = [found.memory.standing.utility for found in near if found.similarity >= law.similar]
    return sum(useful) / len(useful) if useful else law.unknown


# The verdict.


APPENDED_MAX = 2_000
"""Below how many characters a memory is appended to: no vector and no rule of agreement works for longer ones."""
_PERSON = "entity://person/"
_TOLD_MAX = 3
"""How many words that a memory lacks are named in the gate's reason."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The gate's verdict on a fact candidate, its reason, and the memories it concerns.

    ``targets`` are the memories that are updated, reinforced or superseded, or that a created memory contradicts.
    ``late``: the candidate was said before the memory that contradicts it, but arrived after it.
    """

    verdict: GateVerdict
    why: str
    targets: tuple[Memory, ...] = ()
    late: bool = False

    @property
    def target(self) -> Memory | None:
        """The first of the targets; None without any."""
        return self.targets[0] if self.targets else None


@dataclass(frozen=True, slots=True)
class _Against:
    """A memory that conflicts with a fact candidate, with the probability, and whether the memory is the later one."""

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
    thought: FactCandidate, origin: Origin, near: Sequence[Near], importance: float, settings: GateSettings | None
) -> Passage:
    """Decide whether a fact candidate creates, updates, reinforces or supersedes a memory, or is skipped.

    Only people's messages supersede memories, and messages that somebody asks to remember; other texts are misread too
    often. What the user said is superseded only by the user, and nobody else's words are merged into it.
    """
    if settings is None:
        return Passage(GateVerdict.CREATE, "the recipe has no gate")
    if near and settings.supersede is not None and (origin.episode.role in PEOPLE or origin.deliberate):
        against = _against(thought, origin, near, settings.supersede)
        if against:
            return _taking_back(against)
    if not near:
        return Passage(GateVerdict.CREATE, "nothing like it is known")
    passage = _by_similarity(thought, origin.episode, near[0], importance, settings)
    if passage.verdict is GateVerdict.SKIP and origin.deliberate:
        return Passage(GateVerdict.CREATE, f"{passage.why}; somebody asked to have it remembered")
    return passage


def _taking_back(against: Sequence[_Against]) -> Passage:
    """Decide about a candidate that conflicts with memories: later ones supersede it, protected ones stay valid."""
    for one in against:
        if one.late:
            return Passage(GateVerdict.SUPERSEDE, f"said before {one.memory.id} ({one.why})", (one.memory,), late=True)
    free = [one for one in against if not one.protected]
    if not free:
        first = against[0]
        why = f"contradicts {first.memory.id}, which is protected ({first.why})"
        return Passage(GateVerdict.CREATE, why, tuple(one.memory for one in against))
    why = "; ".join(f"{one.memory.id} {one.why}" for one in free)
    return Passage(GateVerdict.SUPERSEDE, why, tuple(one.memory for one in free))


def _by_similarity(
    thought: FactCandidate, said: Episode, best: Near, importance: float, settings: GateSettings
) -> Passage:
    """Decide about a candidate by its similarity to the nearest memory, without a conflict between the two."""
    verdict = decide(best.similarity, importance, False, settings.edges)
    error = f"prediction error {prediction_error(best.similarity):.3f} to {best.memory.id}, importance {importance:.2f}"
    if verdict is GateVerdict.CREATE:
        return Passage(verdict, error)
    if best.memory.speaker != said.speaker and is_first_person(thought.part):
        return Passage(GateVerdict.CREATE, f"{error}; they differ in who speaks")
    known = verdict in (GateVerdict.SKIP, GateVerdict.REINFORCE)
    if known and settings.agree and (apart := _apart(best.memory, thought, said)):  # no cosine is enough: decision 0015
        return Passage(GateVerdict.CREATE, f"{error}; that one does not say {apart}")
    if verdict is GateVerdict.SKIP:
        return Passage(verdict, error)
    if best.memory.standing.immutable:
        return _beside_immutable(verdict, error)
    if verdict is GateVerdict.UPDATE and (hindered := _hindered(best.memory, thought, said, settings)):
        return Passage(GateVerdict.CREATE, f"{error}; {hindered}")
    return Passage(verdict, error, (best.memory,))


def _beside_immutable(verdict: GateVerdict, error: str) -> Passage:
    """Decide about a candidate near an immutable memory: skip what that says already, else create a new memory."""
    if verdict is GateVerdict.REINFORCE:
        return Passage(GateVerdict.SKIP, f"{error}; that one is immutable and says it already")
    return Passage(GateVerdict.CREATE, f"{error}; that one is immutable")


def _hindered(old: Memory, thought: FactCandidate, said: Episode, settings: GateSettings) -> str:
    """Return the reason why a candidate must not be merged into a memory; empty if it may."""
    if (old.role is Role.USER) != (said.role is Role.USER):
        return "the person said one of them and somebody else the other"
    if settings.merging is Merging.NEWER:
        return "that one is pinned, and its words would go" if old.standing.pinned else ""
    return "together they are too long" if len(old.text) + len(thought.text) >= APPENDED_MAX else ""


def _apart(memory: Memory, thought: FactCandidate, said: Episode) -> str:
    """Return what a memory lacks of a candidate; empty if nothing. Two speakers' "I" are different people."""
    if memory.speaker != said.speaker and is_first_person(memory.text):
        return "who speaks"
    return ", ".join(lacks(memory.text, thought.text, same_day=memory.at.date() == said.at.date())[:_TOLD_MAX])


def _against(thought: FactCandidate, origin: Origin, near: Sequence[Near], least: float) -> list[_Against]:
    """Return the neighbours by the same speaker that probably conflict with the candidate, the nearest first."""
    told = [*(statement(one.memory) for one in near), statement(origin.episode, thought.text)]
    chances = replacing(told, alike=_alike(near))
    found = [
        _Against(one.memory, float(max(before, after)), after > before)
        for one, before, after in zip(near, chances[:-1, -1], chances[-1, :-1], strict=True)
        if max(before, after) >= least and _of_one(one.memory, origin.episode)
    ]
    return [] if _may_be_either(thought, found) else found


def _alike(near: Sequence[Near]) -> Floats | None:
    """Return the centred cosines of each neighbour and the candidate, which is last; None without vectors."""
    if any(one.centred is None for one in near):
        return None
    alike = np.zeros((len(near) + 1,) * 2)
    alike[:-1, -1] = alike[-1, :-1] = [one.centred or 0.0 for one in near]
    return alike


def _of_one(memory: Memory, said: Episode) -> bool:
    """Whether the same speaker said both; a tool with the user's name is not the user."""
    return memory.speaker == said.speaker and (memory.role is Role.USER) == (said.role is Role.USER)


def _may_be_either(thought: FactCandidate, against: Sequence[_Against]) -> bool:
    """Whether a candidate without a person's name conflicts with memories of several: either sister may be meant."""
    people = {frozenset(name for name in one.memory.entities if name.startswith(_PERSON)) for one in against}
    return len(people) > 1 and not any(name.startswith(_PERSON) for name in thought.entities)


# The whole decision about one candidate: neighbours, importance, verdict; and a language model's advice.


_NEIGHBOURS = 8
"""How many neighbours are searched for if the recipe has no gate settings."""


@dataclass(frozen=True, slots=True)
class Pondered:
    """A fact candidate with its vector; None without a model."""

    thought: FactCandidate
    vector: FloatArray | None


@dataclass(frozen=True, slots=True)
class GateContext:
    """What the write gate reads: the scope's corpus and relations, the model's scale, and a language model's advice."""

    corpus: Callable[[], Corpus]
    relations: Callable[[], list[Relation]]
    scale: Scale = as_it_is
    advice: Advice = NO_ADVICE
    edges: EdgeCount = field(default_factory=EdgeCount)


@dataclass(frozen=True, slots=True)
class Judged:
    """A fact candidate with its neighbours, its importance, and the gate's verdict."""

    one: Pondered
    near: tuple[Near, ...]
    weight: Weight
    passage: Passage


def judge(one: Pondered, origin: Origin, world: GateContext, settings: EncodeSettings, session: Session) -> Judged:
    """Find a fact candidate's neighbours, compute its importance, and let the gate decide about it."""
    near: tuple[Near, ...] = ()
    if settings.gate or settings.weigh or settings.relate:
        top_k = settings.gate.neighbours if settings.gate else _NEIGHBOURS
        search = NeighbourSearch(one.thought.text, one.vector, world.scale)
        near = nearest(search, world.corpus(), origin.episode.at, origin.now, top_k)
    attention = session.attention(one.vector)
    if origin.importance is None:
        weight = weigh(origin.seen, near, attention, settings, deliberate=origin.deliberate)
    else:
        weight = Weight(origin.importance, why=f"{origin.importance:.2f}, as given")
    return Judged(one, near, weight, gate(one.thought, origin, near, weight.importance, settings.gate))


def advise(mind: FormingMind, judged: Iterable[Judged], settings: EncodeSettings) -> Advice:
    """Ask a language model for merged texts where memories are updated, and for relations where some are created."""
    beside = settings.gate is not None and settings.gate.merging is Merging.BESIDE
    merges: dict[tuple[str, str], str] = {}
    bonds: dict[tuple[str, tuple[str, ...]], tuple[Bond, ...]] = {}
    for one in judged:
        text, target = one.one.thought.text, one.passage.target
        creates = one.passage.verdict in (GateVerdict.CREATE, GateVerdict.SUPERSEDE)
        if one.passage.verdict is GateVerdict.UPDATE and target is not None:
            wording = mind.merge(target.text, text)
            if wording is not None:
                merges[target.text, text] = wording
            creates = beside and wording is None
        if creates and settings.relate and one.near:
            others = tuple(near.memory.text for near in one.near)
            found = mind.relate(text, others)
            if found is not None:
                bonds[text, others] = found
    return Advice(merges, bonds)
