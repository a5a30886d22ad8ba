"""Lanes: how each kind of question is looked for (D18). Values alone; ``route`` chooses, the other stages read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from reverie.types import Kind, RelationKind


class Intent(StrEnum):
    """What a cue is after, and so how it is searched for."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Lane:
    """How one intent is looked for.

    Attributes:
        vector: weight of the vector list.
        text: weight of the text list.
        limit: how many are wanted where the caller does not say.
        graph: weight of the list that the graph brings.
        utility: added to a score for a utility of 1.
        hops: how far the graph is walked from what was found.
        hub: whether everything about the named entities is a candidate.
        latest: whether the newest comes first, superseded ones too.
        kinds: only memories of these kinds, where there are any.
        steps: along which kinds of edges the graph is walked.
    """

    vector: float
    text: float
    limit: int
    graph: float = 0.0
    utility: float = 0.0
    hops: int = 0
    hub: bool = False
    latest: bool = False
    kinds: tuple[Kind, ...] = ()
    steps: tuple[RelationKind, ...] = (RelationKind.CAUSES, RelationKind.ELABORATES)


Lanes: TypeAlias = tuple[tuple[Intent, Lane], ...]


def lane_of(lanes: Sequence[tuple[Intent, Lane]], intent: Intent) -> Lane:
    """The lane of an intent."""
    return dict(lanes)[intent]
