"""Form: a message becomes thoughts, each of which may become a memory: one fact, its times, names and kind.

Its statements, times, foresight, category, third person; with a language model its facts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.given import NOTHING_GIVEN, Given
from reverie.encode.observe import PASS_OVER, Observation
from reverie.encode.own_words import Own
from reverie.encode.settings import FormSettings
from reverie.encode.telling import told
from reverie.encode.wanted import (
    FROM_PEOPLE,
    NO_CLASS,
    WEIGHTY,
    Teller,
    counted,
    is_whole,
    kind_of,
    may_plan,
    unwanted,
)
from reverie.encode.wording import worded
from reverie.language.category import category
from reverie.language.foresight import foresight
from reverie.language.keeping import asked_to_keep, asks_to_keep
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.language.validity import valid_from
from reverie.ports import FormingMind, Said, Stated
from reverie.types import PEOPLE, Kind, Message, Role


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps to form: what was said before in the session (latest last), a language model, whether forming was
    asked, what is known of the message, what was said before and by whom (for the model), whether it is from a feed.
    """

    context: Sequence[str] = ()
    mind: FormingMind | None = None
    deliberate: bool = False
    given: Given = NOTHING_GIVEN
    before: Sequence[str] = ()
    feed: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """What may become a memory. ``part`` are the words it was made of, ``because`` those of its named cause.

    ``valid_from`` is when it became true, as its words say it (``types.Standing``).
    """

    text: str
    part: str
    kind: Kind
    confidence: float
    entities: tuple[str, ...]
    keywords: tuple[str, ...]
    valid_until: datetime | None
    time_bounded: bool
    because: str = ""
    valid_from: str = ""


def think(
    message: Message, at: datetime, seen: Observation, settings: FormSettings | None, aids: Aids
) -> tuple[tuple[Thought, ...], Decision]:
    """The thoughts of a message said ``at``; without settings one, the message as it was said."""
    if settings is None:
        return (_whole(message.text, at, seen, 1.0),), Decision("form", "whole", "as it was said")
    text, own = settings.read(message.text, aids.context)
    asked = _asked(own, message)
    own = tuple(Own(asked[one.text], asked[one.text], one.because) if one.text in asked else one for one in own)
    facts, note = _told(message, text, at, own, aids)
    wanted = _wanted(facts, message, aids, settings)
    count, by = len(facts), "the model"
    if not wanted:  # a model that says nothing of use takes nothing away
        count, by = len(own), "rules"
        wanted, left = _own_wanted(own, message, aids, settings, frozenset(asked.values()))
        note = "; ".join(filter(None, (note, counted(left))))
    thoughts = tuple(_thought(fact, message, at, seen, settings) for fact in wanted[: settings.most])
    if by == "rules":
        thoughts = _reasoned(thoughts, own)
    if aids.deliberate and not thoughts:
        whole = _whole(message.text, at, seen, settings.confidence)
        thoughts = (replace(whole, kind=kind_of(message.text, Teller(message.role, aids.feed)) or _plain(whole)),)
    why = f"of {count} statements, by {by}" + (f": {note}" if note else "")
    return thoughts, Decision("form", f"{len(thoughts)} facts", why)


def _asked(own: Sequence[Own], message: Message) -> dict[str, str]:
    """The facts that the user asks to have remembered, each without the words that ask."""
    if message.role is not Role.USER or not asks_to_keep(message.text):
        return {}
    return {one.text: kept for one in own if (kept := asked_to_keep(one.text))}


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
    teller = Teller(message.role, aids.feed)
    kinds = [(fact, kind_of(fact.text, teller)) for fact in facts]
    return [
        replace(fact, kind=_told_kind(fact, kind, message.role))
        for fact, kind in kinds
        if aids.deliberate or unwanted(fact.text, kind, teller, settings) is None
    ]


def _own_wanted(
    own: Sequence[Own], message: Message, aids: Aids, settings: FormSettings, asked: frozenset[str]
) -> tuple[list[Stated], list[str]]:
    """What rules want of the facts, by themselves or in the statement they were cut from; why not the others.

    What a person gives a reason for is worth keeping, and so is the reason, and what they ask to have remembered.
    No plan of an answer's ever is.
    """
    teller = Teller(message.role, aids.feed)
    kinds = {text: kind_of(text, teller) for one in own for text in (one.text, one.said)}
    reasons = {
        text: None if aids.deliberate else unwanted(text, kind, teller, settings) for text, kind in kinds.items()
    }
    kept = {text for text, why in reasons.items() if why is None}
    if teller.is_person:
        kept |= {text for one in own if one.because for text in (one.text, one.because)}
    kept |= {text for text in asked if reasons[text] == NO_CLASS and is_whole(text)}
    facts = [Stated(one.text, kinds[one.text]) for one in own if {one.text, one.said} & kept]
    left = [reasons[one.text] or "" for one in own if not {one.text, one.said} & kept]
    return [one for one in facts if one.kind is not Kind.PLAN or aids.deliberate or may_plan(one.text, teller)], left


def _told_kind(fact: Stated, kind: Kind | None, role: Role | None) -> Kind | None:
    """The model's kind first. What changes other memories or gives orders, the rules must say."""
    if fact.kind is None or kind in WEIGHTY or fact.kind in WEIGHTY:
        return kind
    return kind if fact.kind in FROM_PEOPLE and role not in PEOPLE else fact.kind


def required(message: Message, aids: Aids) -> tuple[Decision, ...]:
    """Whether a message is passed over because its class was asked for: one decision, none where nothing was asked."""
    if not aids.given.classed or aids.deliberate:
        return ()
    if message.role not in PEOPLE and not aids.feed:
        return (Decision("observe", PASS_OVER, "no person said it"),)
    if category(message.text) is None and not asks_to_keep(message.text):
        return (Decision("observe", PASS_OVER, "it has no class"),)
    return ()


def _whole(text: str, at: datetime, seen: Observation, confidence: float) -> Thought:
    kind = category(text) or (Kind.ENTITY if seen.entity_rich else Kind.FACT)
    entities = tuple(entity.uri for entity in named(text))
    begin = valid_from(text, at, kind)
    return Thought(text, text, kind, confidence, entities, keywords(text), None, time_bounded=False, valid_from=begin)


def _plain(whole: Thought) -> Kind:
    """The kind of a message whose class is not its speaker's to give: orders are a person's."""
    return Kind.FACT if whole.kind in FROM_PEOPLE else whole.kind


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
        valid_from=valid_from(part, at, kind),
    )
