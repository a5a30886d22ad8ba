"""Fact candidates: extract from a message the facts that may become memories, each with its times, names and kind.

In: a message, and what was said before it. Out: whether facts are formed from it, the candidates, and the reasons for
what is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.settings import FormSettings, ObserveSettings
from reverie.encode.statements import OwnStatements, stands_alone
from reverie.encode.validation import NOTHING_GIVEN, CallerHints
from reverie.formulas.text_statistics import is_thin
from reverie.language.claims import life
from reverie.language.classify.categories import Classified, category, classify
from reverie.language.classify.foresight import foresight
from reverie.language.classify.question import is_first_person
from reverie.language.classify.worth import density, filtered, trivial_write
from reverie.language.names.named_entities import named
from reverie.language.names.people import is_kin_subject, theirs
from reverie.language.orders import asked_to_keep, asks_to_keep
from reverie.language.text import patterns
from reverie.language.text.analyzer import keywords
from reverie.language.text.letters import lower, spelled
from reverie.language.time.dates import dated, valid_from
from reverie.ports import FormingMind, Said, Stated
from reverie.types import CALM, PEOPLE, Emotion, Kind, Message, Role

PASS, PASS_OVER = "pass", "pass over"
_CLASSES = {Kind.ENTITY: "entity-rich"}
"""The class of a kind of memory, where the two have different names."""


@dataclass(frozen=True, slots=True)
class ObservedMessage:
    """The analysis of a message: its classes (best first), emotion and information density, and the decisions on it."""

    classes: tuple[Classified, ...]
    emotion: Emotion
    density: int
    decisions: tuple[Decision, ...]

    @property
    def passed(self) -> bool:
        """Whether facts are to be formed from the message."""
        return all(decision.verdict != PASS_OVER for decision in self.decisions)

    @property
    def entity_rich(self) -> bool:
        """Whether the message's best class is that it names several things."""
        return bool(self.classes) and self.classes[0].kind == _CLASSES[Kind.ENTITY]

    @property
    def confidence(self) -> float | None:
        """The confidence of the best class; None if the message has no class."""
        return self.classes[0].confidence if self.classes else None

    def confidence_in(self, kind: Kind) -> float | None:
        """Return the confidence of a kind's class, or of the best class if the message is not in that class."""
        name = _CLASSES.get(kind, kind.value)
        return next((found.confidence for found in self.classes if found.kind == name), self.confidence)


def observe(text: str, settings: ObserveSettings | None, *, deliberate: bool) -> ObservedMessage:
    """Analyse a message and decide whether facts are formed from it.

    A ``deliberate`` message, which the caller asks to remember, passes every check. One that asks for it in its own
    words ("Remember that …") needs to pass the filters alone. A message that is passed over gets no classes and a calm
    emotion.
    """
    if settings is None:
        return ObservedMessage((), CALM, density(text).total, ())
    content, decisions = _decisions(text, settings, deliberate)
    if any(decision.verdict == PASS_OVER for decision in decisions):
        return ObservedMessage((), CALM, content, decisions)
    feeling = CALM if settings.feel is None else settings.feel(text)
    return ObservedMessage(classify(text, settings.classes), feeling, content, decisions)


def _decisions(text: str, settings: ObserveSettings, deliberate: bool) -> tuple[int, tuple[Decision, ...]]:
    """Return a message's information density, and the decisions of the observer and of the pre-gate if reached."""
    if not deliberate and (name := filtered(text, settings.filters)):
        return 0, (Decision("observe", PASS_OVER, f"filter: {name}"),)
    content = density(text).total
    if deliberate or asks_to_keep(text):
        return content, (Decision("observe", PASS, "somebody asked to have it remembered"),)
    if is_thin(content, settings.min_density):
        return content, (Decision("observe", PASS_OVER, f"density {content} below {settings.min_density}"),)
    seen = Decision("observe", PASS, f"density {content}")
    if not settings.pre_gate:
        return content, (seen,)
    why = trivial_write(text)
    return content, (seen, Decision("pre-gate", PASS_OVER, why) if why else Decision("pre-gate", PASS))


# Facts by a language model.


_REASONS_MOST = 3


def told(mind: FormingMind, said: Said) -> tuple[tuple[Stated, ...], str]:
    """Ask a language model for a message's facts, and return with them a note on failures or refused facts, else ""."""
    answer = mind.form(said)
    if answer.failed:
        return (), f"the model did not answer ({answer.failed})"
    every = len(answer.facts) + len(answer.refused)
    refused = f"{len(answer.refused)} of {every} facts refused: {_listed(answer.refused)}" if answer.refused else ""
    return answer.facts, refused


def _listed(reasons: Sequence[str]) -> str:
    """List the most common reasons, each once."""
    return "; ".join(reason for reason, _ in Counter(reasons).most_common(_REASONS_MOST))


_SUBJECTS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}


def worded(part: str, role: Role | None, speaker: str, at: datetime, settings: FormSettings) -> str:
    """Word a statement as a memory: relative times from ``at`` get their dates, and some recipes reword it."""
    text = dated(part, at).text
    if settings.rewrite:
        text = settings.rewrite(text, _SUBJECTS.get(role or Role.PERSON, speaker), settings.limit_chars)
    return text[: settings.limit_chars]


# Which statements of a message become fact candidates, and of which kind.


FROM_PEOPLE = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE})
WEIGHTY = frozenset({Kind.INSTRUCTION, Kind.CORRECTION})
_MACHINES = frozenset({Role.SYSTEM, Role.TOOL})
_OF_ITSELF = {Kind.FACT: "statement/own-doing", Kind.DECISION: "statement/own-decision"}
"""Names of the patterns for an assistant's statements about itself, by kind; nothing is formed from those."""
NO_CLASS, POINTS_BACK, NOT_THEIRS = "without a class", "not to be understood alone", "not a person's own"


@dataclass(frozen=True, slots=True)
class Teller:
    """Who said a statement, and whether it comes from a feed of what another agent learned about people."""

    role: Role | None
    feed: bool = False

    @property
    def is_person(self) -> bool:
        """Whether a person said the statement."""
        return self.role in PEOPLE

    @property
    def is_assistant(self) -> bool:
        """Whether an assistant said the statement, and it is not from a feed."""
        return self.role is Role.ASSISTANT and not self.feed

    @property
    def is_machine(self) -> bool:
        """Whether a tool or a host said the statement; dates in such statements are appointments."""
        return self.role in _MACHINES


def kind_of(part: str, teller: Teller) -> Kind | None:
    """Return the kind of a statement, or None.

    Only people's statements can be orders, corrections or preferences; a feed's can be preferences.
    """
    kind = category(part)
    if teller.is_machine and kind not in FROM_PEOPLE and is_appointment(part):
        return Kind.PLAN
    barred = frozenset() if teller.is_person else WEIGHTY if teller.feed else FROM_PEOPLE
    return None if kind in barred else kind


def is_appointment(part: str) -> bool:
    """Whether a statement names an appointment and its time."""
    return patterns.found("statement/appointment", part) and density(part).temporal > 0


def unwanted(part: str, kind: Kind | None, teller: Teller, settings: FormSettings) -> str | None:
    """Return the reason why nothing is formed from a statement; None if it is worth a memory."""
    if why := trivial_write(part):
        return why
    if kind is None and settings.needs_class:
        return NO_CLASS if category(part) is None else NOT_THEIRS
    if not settings.standalone:
        return None
    if not is_whole(part):
        return POINTS_BACK
    return None if _is_theirs(part, kind, teller) else NOT_THEIRS


def counted(reasons: Iterable[str]) -> str:
    """Write reasons with their counts, in the order of their first occurrence: "2 without a class"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(reasons).items())


def is_whole(part: str) -> bool:
    """Whether a statement is self-contained: it can be understood without the talk around it."""
    if _is_of_somebody(part):
        return False
    part = spelled(part)
    return stands_alone(part) or patterns.found("statement/names-speaker", part) or life(part) is not None


def _is_of_somebody(part: str) -> bool:
    """Whether a Turkish statement begins with a relative of an unnamed person: annesi Bursa'da yaşıyor."""
    first = part.strip().partition(" ")[0]
    return "tr" in patterns.read(part).languages and is_kin_subject(first) and not theirs(lower(first, "tr"))


def _is_theirs(part: str, kind: Kind | None, teller: Teller) -> bool:
    """Whether a statement is about its speaker's own life, so that it is worth a memory.

    Names and plans in an assistant's answers are general knowledge or only matter in that talk. What an assistant says
    about itself, such as what it decided to do, is not kept either.
    """
    if kind is Kind.ENTITY:
        return teller.feed or (teller.is_person and is_first_person(spelled(part)))
    if kind in _OF_ITSELF and teller.is_assistant and patterns.found(_OF_ITSELF[kind], spelled(part)):
        return False
    return kind is not Kind.PLAN or may_plan(part, teller)


def may_plan(part: str, teller: Teller) -> bool:
    """Whether a plan is worth keeping: a person's, a feed's, or a tool's dated appointment; never an assistant's."""
    return teller.is_person or teller.feed or (teller.is_machine and is_appointment(part))


# From a message to its fact candidates.


@dataclass(frozen=True, slots=True)
class Aids:
    """Further input for forming facts from a message.

    ``context``: the earlier messages of the session, latest last; ``before``: the same with speakers, for the language
    model ``mind``. ``deliberate``: the caller asks to remember the message. ``given``: what the caller knows about it.
    ``feed``: it comes from a feed.
    """

    context: Sequence[str] = ()
    mind: FormingMind | None = None
    deliberate: bool = False
    given: CallerHints = NOTHING_GIVEN
    before: Sequence[str] = ()
    feed: bool = False


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A fact that may become a memory; ``part`` is the statement it was made from, ``because`` that of its cause.

    ``valid_from`` is when the fact became true according to its words (``types.Standing``).
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
    message: Message, at: datetime, seen: ObservedMessage, settings: FormSettings | None, aids: Aids
) -> tuple[tuple[FactCandidate, ...], Decision]:
    """Form the fact candidates of a message said at ``at``; without settings one, the whole message word for word."""
    if settings is None:
        return (_whole(message.text, at, seen, 1.0),), Decision("form", "whole", "as it was said")
    text, own = settings.read(message.text, aids.context)
    asked = _asked(own, message)
    own = tuple(
        OwnStatements(asked[one.text], asked[one.text], one.because) if one.text in asked else one for one in own
    )
    facts, note = _told(message, text, at, own, aids)
    wanted = _wanted(facts, message, aids, settings)
    count, by = len(facts), "the model"
    if not wanted:  # without useful facts from the model, the rules decide
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


def _asked(own: Sequence[OwnStatements], message: Message) -> dict[str, str]:
    """Map statements that the user asks to remember to their facts, without the words of the request."""
    if message.role is not Role.USER or not asks_to_keep(message.text):
        return {}
    return {one.text: kept for one in own if (kept := asked_to_keep(one.text))}


def _reasoned(thoughts: Sequence[FactCandidate], own: Sequence[OwnStatements]) -> tuple[FactCandidate, ...]:
    """Add to each candidate the statement that its speaker gives as its cause."""
    reasons = {one.text: one.because for one in own}
    return tuple(replace(thought, because=reasons.get(thought.part, "")) for thought in thoughts)


def _told(
    message: Message, text: str, at: datetime, own: Sequence[OwnStatements], aids: Aids
) -> tuple[tuple[Stated, ...], str]:
    """Return the language model's facts and a note on its answer; nothing without a model."""
    if aids.mind is None:
        return (), ""
    said = Said(text, at, tuple(fact.text for fact in own), message.speaker, tuple(aids.before))
    return told(aids.mind, said)


def _wanted(facts: Sequence[Stated], message: Message, aids: Aids, settings: FormSettings) -> list[Stated]:
    """Select the model's facts that are worth a memory, each with its kind if it has one."""
    teller = Teller(message.role, aids.feed)
    kinds = [(fact, kind_of(fact.text, teller)) for fact in facts]
    return [
        replace(fact, kind=_told_kind(fact, kind, message.role))
        for fact, kind in kinds
        if aids.deliberate or unwanted(fact.text, kind, teller, settings) is None
    ]


def _own_wanted(
    own: Sequence[OwnStatements], message: Message, aids: Aids, settings: FormSettings, asked: frozenset[str]
) -> tuple[list[Stated], list[str]]:
    """Select the facts worth a memory by rules, and return the reasons against the others.

    A fact counts if it, or the statement it was cut from, is worth a memory. So do facts for which a person gives a
    reason, the reason itself, and what they ask to remember. Plans of an assistant never count.
    """
    teller = Teller(message.role, aids.feed)
    kinds = {text: kind_of(text, teller) for one in own for text in (one.text, one.said)}
    reasons = {
        text: None if aids.deliberate else unwanted(text, kind, teller, settings) for text, kind in kinds.items()
    }
    kept = _kept(own, reasons, teller, asked)
    facts: list[Stated] = []
    left: list[str] = []
    for one in own:
        kind = kinds[one.text]
        if kept.isdisjoint((one.text, one.said)):
            left.append(reasons[one.text] or "")
        elif kind is not Kind.PLAN or aids.deliberate or may_plan(one.text, teller):
            facts.append(Stated(one.text, kind))
    return facts, left


def _kept(
    own: Sequence[OwnStatements], reasons: Mapping[str, str | None], teller: Teller, asked: frozenset[str]
) -> set[str]:
    """Return the texts worth a memory: those nothing speaks against, those with a cause, causes, and requested ones."""
    kept = {text for text, why in reasons.items() if why is None}
    if teller.is_person:
        kept |= {text for one in own if one.because for text in (one.text, one.because)}
    return kept | {text for text in asked if reasons[text] == NO_CLASS and is_whole(text)}


def _told_kind(fact: Stated, kind: Kind | None, role: Role | None) -> Kind | None:
    """Return a fact's kind: the model's, except that only the rules decide about orders and corrections."""
    if fact.kind is None or kind in WEIGHTY or fact.kind in WEIGHTY:
        return kind
    return kind if fact.kind in FROM_PEOPLE and role not in PEOPLE else fact.kind


def required(message: Message, aids: Aids) -> tuple[Decision, ...]:
    """Pass over a message without a class or a person as speaker, if the caller wants classed facts alone.

    Returns that one decision, or none if the message is not passed over.
    """
    if not aids.given.classed or aids.deliberate:
        return ()
    if message.role not in PEOPLE and not aids.feed:
        return (Decision("observe", PASS_OVER, "no person said it"),)
    if category(message.text) is None and not asks_to_keep(message.text):
        return (Decision("observe", PASS_OVER, "it has no class"),)
    return ()


def _whole(text: str, at: datetime, seen: ObservedMessage, confidence: float) -> FactCandidate:
    kind = category(text) or (Kind.ENTITY if seen.entity_rich else Kind.FACT)
    entities = tuple(entity.uri for entity in named(text))
    begin = valid_from(text, at, kind)
    return FactCandidate(
        text, text, kind, confidence, entities, keywords(text), None, time_bounded=False, valid_from=begin
    )


def _plain(whole: FactCandidate) -> Kind:
    """Return a whole message's kind; fact instead of an order, correction or preference, which only people give."""
    return Kind.FACT if whole.kind in FROM_PEOPLE else whole.kind


def _thought(
    fact: Stated, message: Message, at: datetime, seen: ObservedMessage, settings: FormSettings
) -> FactCandidate:
    part = fact.text
    found = [*named(part, settings.entities), *(entity for name in fact.names for entity in named(name))]
    kind = fact.kind or (Kind.ENTITY if seen.entity_rich and found else Kind.FACT)
    ahead = foresight(part, at, settings.foresight_days)
    until = fact.until or (ahead.valid_until if ahead else None)
    confidence = seen.confidence_in(kind)
    return FactCandidate(
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
