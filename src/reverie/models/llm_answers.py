"""What a model must write for each task, to the letter: the types its JSON is validated against.

No field has a default and none may be added, so that the schema says all there is to say. Dates are ISO dates as text.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]

Category: TypeAlias = Literal["preference", "fact", "decision", "correction", "plan", "entity"]
Intent: TypeAlias = Literal["factual", "temporal", "causal", "entity_profile", "preference", "general"]
Link: TypeAlias = Literal[
    "supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to", "caused_by", "superseded_by"
]


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A part of an answer."""


class ForesightWire(_Wire, frozen=True):
    """Something that is to happen, and the day until which it is open."""

    text: Text
    until: str | None


class FormWire(_Wire, frozen=True):
    """D12's output. What is ``SPARE`` may be wrong without the facts being lost: then this stands in its place."""

    SPARE: ClassVar[dict[str, object]] = {
        "foresightSignals": [],
        "temporalType": "persistent",
        "validUntil": None,
        "entities": [],
        "category": "fact",
    }

    resolved_text: Text
    atomic_facts: Annotated[list[Text], msgspec.Meta(max_length=16)]
    foresight_signals: Annotated[list[ForesightWire], msgspec.Meta(max_length=8)]
    temporal_type: Literal["persistent", "time_bounded"]
    valid_until: str | None
    entities: Annotated[list[Text], msgspec.Meta(max_length=16)]
    category: Category


class TextWire(_Wire, frozen=True):
    """One text: a merge or a summary."""

    text: Text


class LinkWire(_Wire, frozen=True):
    """How the new memory stands to the one of this number."""

    number: Number
    kind: Link
    confidence: Share


class RelateWire(_Wire, frozen=True):
    """The links there are; none for memories that have nothing to do with one another."""

    links: Annotated[list[LinkWire], msgspec.Meta(max_length=16)]


class RouteWire(_Wire, frozen=True):
    """What a question is after."""

    intent: Intent
    confidence: Share


class DrawnWire(_Wire, frozen=True):
    """A text drawn from the memories of these numbers."""

    text: Text
    numbers: Annotated[list[Number], msgspec.Meta(min_length=1, max_length=32)]


class DrawnsWire(_Wire, frozen=True):
    """The themes or patterns of a cluster."""

    found: Annotated[list[DrawnWire], msgspec.Meta(max_length=8)]
