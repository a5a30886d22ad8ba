"""Form: a message becomes thoughts, each of which may become a memory: one fact, its times, names and kind.

Coreference, atomic facts, times, foresight, category, third person; with a language model its facts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.given import NOTHING_GIVEN, Given
from reverie.encode.mentioning import antecedents
from reverie.encode.observe import PASS_OVER, Observation
from reverie.encode.own_words import Own, own_facts
from reverie.encode.settings import FormSettings
from reverie.encode.standing_alone import stands_alone
from reverie.encode.telling import told
from reverie.encode.wording import worded
from reverie.language import patterns
from reverie.language.category import category
from reverie.language.coreference import Antecedent, resolved
from reverie.language.foresight import foresight
from reverie.language.keywords import keywords
from reverie.language.life import life
from reverie.language.named_entities import named
from reverie.language.pregate import trivial_write
from reverie.language.question import is_first_person
from reverie.ports import FormingMind, Said, Stated
from reverie.types import Kind, Message, Role

PEOPLE = frozenset({Role.USER, Role.PERSON})
_FROM_PEOPLE = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE})
_WEIGHTY = frozenset({Kind.INSTRUCTION, Kind.CORRECTION})


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps to form: what the session spoke of (latest last), a language model, whether forming was asked, what
    is known of the message, and what was said before it (for the model).
    """

    context: Sequence[Antecedent] = ()
    mind: FormingMind | None = None
    deliberate: bool = False
    given: Given = NOTHING_GIVEN
    before: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """What may become a memory. ``part`` are the words it was made of, ``because`` those of its named cause."""

    text: str
    part: str
    kind: Kind
    confidence: float
    entities: tuple[str, ...]
    keywords: tuple[str, ...]
    valid_until: datetime | None
    time_bounded: bool
    because: str = ""


def think(
    message: Message, at: datetime, seen: Observation, settings: FormSettings | None, aids: Aids
) -> tuple[tuple[Thought, ...], Decision]:
    """The thoughts of a message said ``at``; without settings one, the message as it was said."""
    if settings is None:
        return (_whole(message.text, seen, 1.0),), Decision("form", "whole", "as it was said")
    text = resolved(message.text, (*aids.context, *antecedents(message.text)))
    own = own_facts(text)
    facts, note = _told(message, text, at, own, aids)
    wanted = _wanted(facts, message, aids, settings)
    count, by = len(facts), "the model"
    if not wanted:  # a model that says nothing of use takes nothing away
        count, wanted, by = len(own), _own_wanted(own, message, aids, settings), "rules"
    thoughts = tuple(_thought(fact, message, at, seen, settings) for fact in wanted[: settings.most])
    if by == "rules":
        thoughts = _reasoned(thoughts, own)
    if aids.deliberate and not thoughts:
        thoughts = (_whole(message.text, seen, settings.confidence),)
    why = f"of {count} statements, by {by}" + (f": {note}" if note else "")
    return thoughts, Decision("form", f"{len(thoughts)} facts", why)


def _reasoned(thoughts: Sequence[Thought], own: Sequence[Own]) -> tuple[Thought, ...]:
    """The thoughts with their reasons."""
    reasons = {one.text: one.because for one in own}
    return tuple(replace(thought, because=reasons.get(thought.part, "")) for thought in thoughts)


def _told(message: Message, text: str, at: datetime, own: Sequence[Own], aids: Aids) -> tuple[tuple[Stated, ...], str]:
    """The facts of the model, and what is to be said of its answer."""
    if aids.mind is None:
        return (), ""
    said = Said(text, at, tuple(fact.text for fact in own), message.speaker, tuple(aids.before))
    return told(aids.mind, said)


def _wanted(facts: Sequence[Stated], message: Message, aids: Aids, settings: FormSettings) -> list[Stated]:
    """The facts that are to be formed, each with its kind where it has one."""
    kinds = [(fact, _kind(fact.text, message.role)) for fact in facts]
    return [
        replace(fact, kind=_told_kind(fact, kind, message.role))
        for fact, kind in kinds
        if aids.deliberate or _is_wanted(fact.text, kind, message.role, settings)
    ]


def _own_wanted(own: Sequence[Own], message: Message, aids: Aids, settings: FormSettings) -> list[Stated]:
    """What rules want of the facts, by themselves or in the statement they were cut from.

    What a person gives a reason for is worth keeping, and so is the reason. No plan of an answer's ever is.
    """
    kinds = {text: _kind(text, message.role) for one in own for text in (one.text, one.said)}
    wanted = {text for text, kind in kinds.items() if aids.deliberate or _is_wanted(text, kind, message.role, settings)}
    if message.role in PEOPLE:
        wanted |= {text for one in own if one.because for text in (one.text, one.because)}
    facts = [Stated(one.text, kinds[one.text]) for one in own if {one.text, one.said} & wanted]
    return [fact for fact in facts if fact.kind is not Kind.PLAN or message.role in PEOPLE]


def _told_kind(fact: Stated, kind: Kind | None, role: Role | None) -> Kind | None:
    """The model's kind first. What changes other memories or gives orders, the rules must say."""
    if fact.kind is None or kind in _WEIGHTY or fact.kind in _WEIGHTY:
        return kind
    return kind if fact.kind in _FROM_PEOPLE and role not in PEOPLE else fact.kind


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
    if (kind is None and settings.needs_class) or trivial_write(part):
        return False
    if not settings.standalone:
        return True
    whole = stands_alone(part) or patterns.found("names-speaker", part) or life(part) is not None
    return whole and _is_theirs(part, kind, role)


def _is_theirs(part: str, kind: Kind | None, role: Role | None) -> bool:
    """Whether names and plans are somebody's own: an answer's are knowledge of the world, or over with the talk."""
    if kind is Kind.ENTITY:
        return role in PEOPLE and is_first_person(part)
    return kind is not Kind.PLAN or role in PEOPLE


def _whole(text: str, seen: Observation, confidence: float) -> Thought:
    kind = category(text) or (Kind.ENTITY if seen.entity_rich else Kind.FACT)
    entities = tuple(entity.uri for entity in named(text))
    return Thought(text, text, kind, confidence, entities, keywords(text), None, time_bounded=False)


def _thought(fact: Stated, message: Message, at: datetime, seen: Observation, settings: FormSettings) -> Thought:
    part = fact.text
    found = [*named(part, settings.entities), *(entity for name in fact.names for entity in named(name))]
    kind = fact.kind or (Kind.ENTITY if seen.entity_rich and found else Kind.FACT)
    ahead = foresight(part, at, settings.foresight_days)
    until = fact.until or (ahead.valid_until if ahead else None)
    confidence = seen.confidence_in(kind)
    return Thought(
        text=worded(part, message.role, message.speaker, at, settings),
        part=part,
        kind=kind,
        confidence=settings.confidence if confidence is None else confidence,
        entities=tuple(dict.fromkeys(entity.uri for entity in found))[: settings.entities],
        keywords=keywords(part),
        valid_until=until,
        time_bounded=until is not None,
    )
