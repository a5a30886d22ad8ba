"""Observe: what kind of message this is, and whether anything is to be formed of it. The episode is kept anyhow."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.answers import Decision
from reverie.encode.settings import ObserveSettings
from reverie.formulas.density import is_thin
from reverie.language.density import density
from reverie.language.emotion import Emotion, emotion
from reverie.language.observation_class import Classified, classify
from reverie.language.observer_filters import filtered
from reverie.language.pregate import trivial_write


@dataclass(frozen=True, slots=True)
class Observation:
    """What the observer saw: classes (best first), emotion, density, and why nothing is to be formed, if so."""

    classes: tuple[Classified, ...]
    emotion: Emotion
    density: int
    passed: bool
    decisions: tuple[Decision, ...]

    @property
    def entity_rich(self) -> bool:
        """Whether the best that can be said of it is that it names several things."""
        return bool(self.classes) and self.classes[0].kind == "entity-rich"

    @property
    def confidence(self) -> float | None:
        """How sure the observer is of the best class; None where there is none."""
        return self.classes[0].confidence if self.classes else None


def observe(text: str, settings: ObserveSettings | None, *, deliberate: bool) -> Observation:
    """Look at a message. What somebody asked to have remembered passes every filter."""
    feeling = emotion(text)
    if settings is None:
        return Observation((), feeling, density(text).total, True, ())
    classes = classify(text, settings.classes)
    content = density(text).total
    reason = "" if deliberate else _reason(text, content, settings)
    verdict = Decision("observe", "pass" if not reason else "pass over", reason or f"density {content}")
    return Observation(classes, feeling, content, not reason, (verdict,))


def _reason(text: str, content: int, settings: ObserveSettings) -> str:
    if settings.pre_gate and (why := trivial_write(text)):
        return why
    if name := filtered(text, settings.filters):
        return f"filter: {name}"
    return f"density {content} below {settings.min_density}" if is_thin(content, settings.min_density) else ""
