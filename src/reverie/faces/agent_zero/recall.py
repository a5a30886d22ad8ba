"""Which memories come into a turn: in, what was asked and what the index brought; out, the chosen ones (A1 to A6).

The stages are the recipe ``exocortex``'s own; only its pool is the host's index instead of ours. A stage that fails is
left out, and the others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from reverie.faces.agent_zero.records import HERE, Record
from reverie.faces.agent_zero.settings import Profile, Settings
from reverie.formulas.similarity_scales import cosine_to_a0
from reverie.ports import Corpus
from reverie.recall.pipeline import ReadPath
from reverie.recall.state import Candidate, Quest, Request, Stage, World, ordered
from reverie.recipes.published.candidates import Nearest
from reverie.recipes.published.exocortex import read_path
from reverie.types import Cue, Relation, RelationKind

MAX_INJECTED = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What a turn asks: the user's words, the domain if one is known, and when."""

    text: str
    domain: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Search:
    """A turn's search: what is asked of the index, and the stages for what it brings.

    ``ended`` says why nothing is searched for; ``faults`` which stages had to be left out.
    """

    quest: Quest
    after: tuple[Stage, ...]
    each: int
    most_related: int
    ended: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A document that the index brought: as a memory, its place in the index, and its cosine."""

    record: Record
    place: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Chosen:
    """What comes into the prompt, best first; of how many; and which stages had to be left out."""

    records: tuple[Record, ...]
    among: int
    faults: tuple[str, ...]


def path(settings: Settings, profile: Profile, host_threshold: float | None) -> ReadPath:
    """The recipe's stages as the configuration and the model's profile set them.

    Without a threshold in the profile the host's own holds: what it would not recall is not recalled here.
    """
    most = MAX_INJECTED if profile.max_injected is None else profile.max_injected
    least = profile.similarity_threshold
    how = replace(
        settings.enhancement,
        max_injected=most if settings.most_injected is None else min(most, settings.most_injected),
        similarity_threshold=host_threshold if least is None else least,
        disabled_domains=profile.disabled,
    )
    return read_path(how)


def begin(asked: Asked, settings: Settings, profile: Profile, stages: ReadPath) -> Search:
    """The variants that are searched for (A1, A2); none in a domain that is switched off (A6)."""
    helpful = asked.domain in profile.disabled or asked.domain not in profile.unscoped
    domain = asked.domain if helpful else ""
    request = Request(asked.text, HERE, asked.now, None, None, domain=domain)
    quest = Quest(request, _world({}, 0, asked.now), Cue(asked.text, (), "en"), stages.limit, (asked.text,))
    at = next(place for place, stage in enumerate(stages.stages) if isinstance(stage, Nearest))
    quest, faults = _through(quest, stages.stages[:at])
    return Search(
        quest, stages.stages[at + 1 :], settings.enhancement.each, settings.most_related, quest.ended, tuple(faults)
    )


def choose(search: Search, found: Sequence[Found]) -> Chosen:
    """The best of what the index brought, as many as the profile says (A3 to A6)."""
    records = {one.record.memory.id: one.record for one in found}
    world = _world(records, search.most_related, search.quest.request.now)
    quest = replace(search.quest, world=world, candidates=ordered(_candidate(one) for one in found))
    quest, faults = _through(quest, search.after)
    top = list(quest.candidates)[: quest.limit]
    return Chosen(tuple(records[c.memory.id] for c in top), len(found), (*search.faults, *faults))


def _through(quest: Quest, stages: Iterable[Stage]) -> tuple[Quest, list[str]]:
    faults: list[str] = []
    for stage in stages:
        try:
            quest = stage(quest)
        except Exception as error:  # noqa: BLE001 - a component that fails is skipped, the others go on (A13)
            faults.append(f"{stage.name} skipped: {type(error).__name__}")
        if quest.ended:
            break
    return quest, faults


def _candidate(one: Found) -> Candidate:
    candidate = Candidate(one.place, one.record.memory, 0.0, cosine=one.cosine)
    similarity = float(cosine_to_a0(one.cosine))
    return candidate.rescored("similarity", similarity, similarity)


def _world(records: Mapping[str, Record], most_related: int, now: datetime) -> World:
    """What the stages behind the pool look at: the links in the documents' lineage, and nothing else."""

    def relations(ids: Sequence[str]) -> list[Relation]:
        return [
            Relation(name, other, RelationKind.RELATED_TO, 1.0, now)
            for name in ids
            for other in (records[name].related[:most_related] if name in records else ())
        ]

    return World(
        corpus=cast("Corpus", None),  # only the pool looks at it, and that is the host's
        embed=lambda _: None,
        relations=relations,
        companions=lambda _: [],
        memory=lambda _: None,
        often=lambda _: [],
    )
