"""Wanted: which statements of a message are worth a memory, and of which kind; what is not, and why not.

In: statements, who said them, where they come from. Out: kinds, and reasons. What a recipe asks for is in its settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.encode.settings import FormSettings
from reverie.encode.standing_alone import stands_alone
from reverie.language import patterns
from reverie.language.apostrophes import spelled
from reverie.language.category import category
from reverie.language.density import density
from reverie.language.kin import is_kin_subject, theirs
from reverie.language.letters import lower
from reverie.language.life import life
from reverie.language.pregate import trivial_write
from reverie.language.question import is_first_person
from reverie.types import PEOPLE, Kind, Role

FROM_PEOPLE = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE})
WEIGHTY = frozenset({Kind.INSTRUCTION, Kind.CORRECTION})
_MACHINES = frozenset({Role.SYSTEM, Role.TOOL})
_OF_ITSELF = {Kind.FACT: "statement/own-doing", Kind.DECISION: "statement/own-decision"}
"""The list of patterns by which an assistant speaks of itself, for each kind it may form otherwise."""
NO_CLASS, POINTS_BACK, NOT_THEIRS = "without a class", "not to be understood alone", "not a person's own"


@dataclass(frozen=True, slots=True)
class Teller:
    """Who said a statement, and whether it comes from a feed: what another agent learned of people."""

    role: Role | None
    feed: bool = False

    @property
    def is_person(self) -> bool:
        """Whether a person said it."""
        return self.role in PEOPLE

    @property
    def is_assistant(self) -> bool:
        """Whether an assistant did, and nobody learned it of people."""
        return self.role is Role.ASSISTANT and not self.feed

    @property
    def is_machine(self) -> bool:
        """Whether a tool or a host did: its dates are appointments, no talk."""
        return self.role in _MACHINES


def kind_of(part: str, teller: Teller) -> Kind | None:
    """The category of a statement. Only people give orders and correct; a feed tells what they prefer."""
    kind = category(part)
    if teller.is_machine and kind not in FROM_PEOPLE and is_appointment(part):
        return Kind.PLAN
    barred = frozenset() if teller.is_person else WEIGHTY if teller.feed else FROM_PEOPLE
    return None if kind in barred else kind


def is_appointment(part: str) -> bool:
    """Whether a statement names an appointment and when it is."""
    return patterns.found("statement/appointment", part) and density(part).temporal > 0


def unwanted(part: str, kind: Kind | None, teller: Teller, settings: FormSettings) -> str | None:
    """Why nothing is formed of a statement; None where something is."""
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
    """Reasons with how often each is given, in the order in which they first were: "2 without a class"."""
    return ", ".join(f"{count} {reason}" for reason, count in Counter(reasons).items())


def is_whole(part: str) -> bool:
    """Whether it can be understood alone."""
    if _is_of_somebody(part):
        return False
    part = spelled(part)
    return stands_alone(part) or patterns.found("statement/names-speaker", part) or life(part) is not None


def _is_of_somebody(part: str) -> bool:
    """Whether a Turkish statement begins with the kin of somebody who is not named: annesi Bursa'da yaşıyor."""
    first = part.strip().partition(" ")[0]
    return "tr" in patterns.read(part).languages and is_kin_subject(first) and not theirs(lower(first, "tr"))


def _is_theirs(part: str, kind: Kind | None, teller: Teller) -> bool:
    """Whether names and plans are somebody's own: an answer's are knowledge of the world, or over with the talk.

    Nor is anything kept that an assistant says of itself: what it uses in an example, what it decided to do.
    """
    if kind is Kind.ENTITY:
        return teller.feed or (teller.is_person and is_first_person(spelled(part)))
    if kind in _OF_ITSELF and teller.is_assistant and patterns.found(_OF_ITSELF[kind], spelled(part)):
        return False
    return kind is not Kind.PLAN or may_plan(part, teller)


def may_plan(part: str, teller: Teller) -> bool:
    """Whether a plan is worth keeping: a person's, and a dated appointment of a tool's; no answer's ever is."""
    return teller.is_person or teller.feed or (teller.is_machine and is_appointment(part))
