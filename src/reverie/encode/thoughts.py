"""Form: a message becomes thoughts, each of which may become a memory: one fact, its times, names and kind.

Coreference, atomic facts, times, foresight, category, third person; with a language model its facts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.observe import Observation
from reverie.encode.settings import FormSettings
from reverie.language.category import category
from reverie.language.coreference import Antecedent, resolved
from reverie.language.dating import dated
from reverie.language.foresight import foresight
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.language.rewriting import third_person
from reverie.language.sentences import is_question
from reverie.language.splitting import atomic
from reverie.ports import Mind
from reverie.types import Kind, Message, Role

_PEOPLE = frozenset({Role.USER, Role.PERSON})
_FROM_PEOPLE = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE})
_SUBJECTS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps to form: the entities the session spoke of (latest last), and a language model if there is one."""

    context: Sequence[Antecedent] = ()
    mind: Mind | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """What may become a memory. ``part`` are the words it was made of."""

    text: str
    part: str
    kind: Kind
    confidence: float
    entities: tuple[str, ...]
    keywords: tuple[str, ...]
    valid_until: datetime | None
    time_bounded: bool


def think(
    message: Message, at: datetime, seen: Observation, settings: FormSettings, aids: Aids
) -> tuple[tuple[Thought, ...], Decision]:
    """The thoughts of a message said ``at``."""
    if settings.whole:
        thought = _thought(message.text, message, at, seen, settings)
        return ((thought,) if thought else ()), Decision("form", "whole", "as it was said")
    model = aids.mind.atoms(message.text, at) if aids.mind else None
    parts = _parts(message.text, aids.context) if model is None else model
    thoughts = [thought for part in parts if (thought := _thought(part, message, at, seen, settings))]
    kept = tuple(thoughts[: settings.most])
    by = "rules" if model is None else "the model"
    return kept, Decision("form", f"{len(kept)} facts", f"of {len(parts)} statements, by {by}")


def _kind(part: str, role: Role | None) -> Kind | None:
    """The category of a statement. Only people give orders and correct: what reads so in an answer is none."""
    kind = category(part)
    return None if kind in _FROM_PEOPLE and role not in _PEOPLE else kind


def _parts(text: str, context: Sequence[Antecedent]) -> tuple[str, ...]:
    return tuple(part for part in atomic(resolved(text, context)) if not is_question(part))


def _thought(part: str, message: Message, at: datetime, seen: Observation, settings: FormSettings) -> Thought | None:
    kind = _kind(part, message.role)
    if kind is None and settings.needs_class:
        return None
    text = part if settings.whole else dated(part, at).text
    if settings.rewrite:
        text = third_person(text, _SUBJECTS.get(message.role or Role.PERSON, message.speaker), settings.limit_chars)
    ahead = foresight(part, at, settings.foresight_days)
    return Thought(
        text=text if settings.whole else text[: settings.limit_chars],
        part=part,
        kind=kind or (Kind.ENTITY if seen.entity_rich else Kind.FACT),
        confidence=1.0 if seen.confidence is None else seen.confidence,
        entities=tuple(entity.uri for entity in named(part, settings.entities)),
        keywords=keywords(part),
        valid_until=ahead.valid_until if ahead else None,
        time_bounded=ahead is not None,
    )
