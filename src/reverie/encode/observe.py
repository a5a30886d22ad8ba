"""Observe: what kind of message this is, and whether anything is to be formed of it. The episode is kept anyhow."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.answers import Decision
from reverie.encode.feeling import CALM, Emotion
from reverie.encode.settings import ObserveSettings
from reverie.formulas.density import is_thin
from reverie.language.density import density
from reverie.language.keeping import asks_to_keep
from reverie.language.observation_class import Classified, classify
from reverie.language.observer_filters import filtered
from reverie.language.pregate import trivial_write
from reverie.types import Kind

PASS, PASS_OVER = "pass", "pass over"
_CLASSES = {Kind.ENTITY: "entity-rich"}
"""The class of a kind, where the two do not bear the same name."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the observer saw: classes (best first), emotion, density, and what it decided."""

    classes: tuple[Classified, ...]
    emotion: Emotion
    density: int
    decisions: tuple[Decision, ...]

    @property
    def passed(self) -> bool:
        """Whether anything is to be formed."""
        return all(decision.verdict != PASS_OVER for decision in self.decisions)

    @property
    def entity_rich(self) -> bool:
        """Whether the best that can be said of it is that it names several things."""
        return bool(self.classes) and self.classes[0].kind == _CLASSES[Kind.ENTITY]

    @property
    def confidence(self) -> float | None:
        """How sure the observer is of the best class; None where there is none."""
        return self.classes[0].confidence if self.classes else None

    def confidence_in(self, kind: Kind) -> float | None:
        """How sure it is of the class of this kind, or else of the best."""
        name = _CLASSES.get(kind, kind.value)
        return next((found.confidence for found in self.classes if found.kind == name), self.confidence)


def observe(text: str, settings: ObserveSettings | None, *, deliberate: bool) -> Observation:
    """Look at a message. What somebody asked to have remembered passes every filter; if they ask it in the words
    themselves ("Remember that …"), it need only not be filtered.

    What is passed over is looked at no further: it has no classes, and its emotion is not felt.
    """
    if settings is None:
        return Observation((), CALM, density(text).total, ())
    content, decisions = _decisions(text, settings, deliberate)
    if any(decision.verdict == PASS_OVER for decision in decisions):
        return Observation((), CALM, content, decisions)
    feeling = CALM if settings.feel is None else settings.feel(text)
    return Observation(classify(text, settings.classes), feeling, content, decisions)


def _decisions(text: str, settings: ObserveSettings, deliberate: bool) -> tuple[int, tuple[Decision, ...]]:
    """The density; and what the observer decides, and the pre-gate where it is reached."""
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
