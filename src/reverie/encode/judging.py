"""Judge: one thought beside what is known. Its neighbours, its provisional importance, and what the gate decides.

Nothing is written here. It is asked twice where there is a language model: before the transaction, to learn what the
model must be asked, and inside, for the word that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from reverie.encode.advice import NO_ADVICE, Advice
from reverie.encode.gate import Passage, gate
from reverie.encode.laying import Origin
from reverie.encode.nearest import Near, Scale, Search, as_it_is, nearest
from reverie.encode.relate import EdgeCount
from reverie.encode.session import Session
from reverie.encode.settings import EncodeSettings, Merging
from reverie.encode.thoughts import Thought
from reverie.encode.weigh import Weight, weigh
from reverie.formulas.prediction_error import Verdict
from reverie.ports import Bond, Corpus, FormingMind
from reverie.types import FloatArray, Relation

_NEIGHBOURS = 8
"""How many are looked at where a recipe has no gate to say so."""


@dataclass(frozen=True, slots=True)
class Pondered:
    """A thought with its vector, where there is a model."""

    thought: Thought
    vector: FloatArray | None


@dataclass(frozen=True, slots=True)
class World:
    """What forming looks at: the scope's corpus and edges, the model's scale, what a mind has said."""

    corpus: Callable[[], Corpus]
    relations: Callable[[], list[Relation]]
    scale: Scale = as_it_is
    advice: Advice = NO_ADVICE
    edges: EdgeCount = field(default_factory=EdgeCount)


@dataclass(frozen=True, slots=True)
class Judged:
    """A thought with its neighbours, its weight, and what is to become of it."""

    one: Pondered
    near: tuple[Near, ...]
    weight: Weight
    passage: Passage


def judge(one: Pondered, origin: Origin, world: World, settings: EncodeSettings, session: Session) -> Judged:
    """Look a thought up, weigh it and pass it through the gate."""
    near: tuple[Near, ...] = ()
    if settings.gate or settings.weigh or settings.relate:
        top_k = settings.gate.neighbours if settings.gate else _NEIGHBOURS
        search = Search(one.thought.text, one.vector, world.scale)
        near = nearest(search, world.corpus(), origin.episode.at, origin.now, top_k)
    attention = session.attention(one.vector)
    if origin.importance is None:
        weight = weigh(origin.seen, near, attention, settings, deliberate=origin.deliberate)
    else:
        weight = Weight(origin.importance, why=f"{origin.importance:.2f}, as given")
    return Judged(one, near, weight, gate(one.thought, origin, near, weight.importance, settings.gate))


def advise(mind: FormingMind, judged: Iterable[Judged], settings: EncodeSettings) -> Advice:
    """Ask the model what it will be needed for: a wording where one is updated, bonds where one is created."""
    beside = settings.gate is not None and settings.gate.merging is Merging.BESIDE
    merges: dict[tuple[str, str], str] = {}
    bonds: dict[tuple[str, tuple[str, ...]], tuple[Bond, ...]] = {}
    for one in judged:
        text, target = one.one.thought.text, one.passage.target
        creates = one.passage.verdict in (Verdict.CREATE, Verdict.SUPERSEDE)
        if one.passage.verdict is Verdict.UPDATE and target is not None:
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
