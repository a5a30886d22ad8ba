"""Form: a message becomes thoughts, each of which may become a memory: one fact, its times, names and kind.

Coreference, atomic facts, times, foresight, category, third person; with a language model its facts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.given import NOTHING_GIVEN, Given
from reverie.encode.mentioning import antecedents
from reverie.encode.observe import PASS_OVER, Observation
from reverie.encode.settings import FormSettings
from reverie.encode.standing_alone import stands_alone
from reverie.language.category import category
from reverie.language.coreference import Antecedent, resolved
from reverie.language.dating import dated
from reverie.language.foresight import foresight
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.language.question import is_first_person
from reverie.language.rewriting import third_person
from reverie.language.sentences import is_question
from reverie.language.splitting import atomic
from reverie.ports import Mind
from reverie.types import Kind, Message, Role

PEOPLE = frozenset({Role.USER, Role.PERSON})
_FROM_PEOPLE = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE})
_SUBJECTS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps to form: what the session spoke of (latest last), a language model, whether forming was asked, and
    what is known of the message.
    """

    context: Sequence[Antecedent] = ()
    mind: Mind | None = None
    deliberate: bool = False
    given: Given = NOTHING_GIVEN


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
    message: Message, at: datetime, seen: Observation, settings: FormSettings | None, aids: Aids
) -> tuple[tuple[Thought, ...], Decision]:
    """The thoughts of a message said ``at``; without settings one, the message as it was said."""
    if settings is None:
        return (_whole(message.text, seen, 1.0),), Decision("form", "whole", "as it was said")
    text = resolved(message.text, (*aids.context, *antecedents(message.text)))
    told = aids.mind.atoms(text, at) if aids.mind else None
    parts = told if told is not None else tuple(part for part in atomic(text) if not is_question(part))
    kinds = [(part, _kind(part, message.role)) for part in parts]
    wanted = [(part, kind) for part, kind in kinds if aids.deliberate or _is_wanted(part, kind, message.role, settings)]
    thoughts = tuple(_thought(part, kind, message, at, seen, settings) for part, kind in wanted[: settings.most])
    if aids.deliberate and not thoughts:
        thoughts = (_whole(message.text, seen, settings.confidence),)
    by = "rules" if told is None else "the model"
    return thoughts, Decision("form", f"{len(thoughts)} facts", f"of {len(parts)} statements, by {by}")


def required(message: Message, aids: Aids) -> tuple[Decision, ...]:
    """Whether a message is passed over because its class was asked for: one decision, none where nothing was asked."""
    if not aids.given.classed or aids.deliberate:
        return ()
    if message.role not in PEOPLE:
        return (Decision("observe", PASS_OVER, "no person said it"),)
    if category(message.text) is None:
        return (Decision("observe", PASS_OVER, "it has no class"),)
    return ()


def _kind(part: str, role: Role | None) -> Kind | None:
    """The category of a statement. Only people give orders and correct: what reads so in an answer is none."""
    kind = category(part)
    return None if kind in _FROM_PEOPLE and role not in PEOPLE else kind


def _is_wanted(part: str, kind: Kind | None, role: Role | None, settings: FormSettings) -> bool:
    if kind is None and settings.needs_class:
        return False
    return not settings.standalone or (_is_theirs(part, kind, role) and stands_alone(part))


def _is_theirs(part: str, kind: Kind | None, role: Role | None) -> bool:
    """Whether names and plans are somebody's own: an answer's are knowledge of the world, or over with the talk."""
    if kind is Kind.ENTITY:
        return role in PEOPLE and is_first_person(part)
    return kind is not Kind.PLAN or role in PEOPLE


def _whole(text: str, seen: Observation, confidence: float) -> Thought:
    kind = category(text) or (Kind.ENTITY if seen.entity_rich else Kind.FACT)
    entities = tuple(entity.uri for entity in named(text))
    return Thought(text, text, kind, confidence, entities, keywords(text), None, time_bounded=False)


def _thought(
    part: str, kind: Kind | None, message: Message, at: datetime, seen: Observation, settings: FormSettings
) -> Thought:
    kind = kind or (Kind.ENTITY if seen.entity_rich else Kind.FACT)
    text = dated(part, at).text
    if settings.rewrite:
        text = third_person(text, _SUBJECTS.get(message.role or Role.PERSON, message.speaker), settings.limit_chars)
    ahead = foresight(part, at, settings.foresight_days)
    confidence = seen.confidence_in(kind)
    return Thought(
        text=text[: settings.limit_chars],
        part=part,
        kind=kind,
        confidence=settings.confidence if confidence is None else confidence,
        entities=tuple(entity.uri for entity in named(part, settings.entities)),
        keywords=keywords(part),
        valid_until=ahead.valid_until if ahead else None,
        time_bounded=ahead is not None,
    )
