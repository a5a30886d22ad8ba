"""A language model behind the screen: what it writes is fit to be written, whoever asked it and for what.

Secrets and personal data are masked as in a message. What gives orders to a model is no answer: the heuristic decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reverie.ports import Bond, Mind, Said, Stated, Told
from reverie.screen.screening import screen
from reverie.screen.settings import ScreenSettings


class ScreenedMind:
    """A mind whose words have been seen by the screen (``Mind``)."""

    def __init__(self, mind: Mind, settings: ScreenSettings) -> None:
        self._mind = mind
        self._settings = settings

    def form(self, said: Said) -> Told:
        """Its facts; what is held back of them is refused, with the reason."""
        told = self._mind.form(said)
        seen = [(fact, screen(fact.text, self._settings)) for fact in told.facts]
        held = [one.quarantine for _, one in seen if one.quarantine]
        reasons = [screen(reason, self._settings).text for reason in told.refused]
        facts = tuple(_as_seen(fact, one.text) for fact, one in seen if not one.quarantine)
        return replace(told, facts=facts, refused=(*reasons, *held))

    def merge(self, old: str, new: str) -> str | None:
        """One text with every fact of both."""
        return self._fit(self._mind.merge(old, new))

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """How a new memory stands to others."""
        return self._mind.relate(new, others)

    def route(self, cue: str) -> str | None:
        """The intent of a cue."""
        return self._mind.route(cue)

    def theme(self, texts: Sequence[str]) -> str | None:
        """What a cluster of memories says together."""
        return self._fit(self._mind.theme(texts))

    def pattern(self, texts: Sequence[str]) -> str | None:
        """The habit behind a cluster of memories."""
        return self._fit(self._mind.pattern(texts))

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """A category in a few sentences."""
        return self._fit(self._mind.summary(category, texts))

    def _fit(self, answer: str | None) -> str | None:
        if answer is None:
            return None
        seen = screen(answer, self._settings)
        return None if seen.quarantine else seen.text


def _as_seen(fact: Stated, text: str) -> Stated:
    """A fact in the words that may be written, with the names that are left in them."""
    return replace(fact, text=text, names=tuple(name for name in fact.names if name in text))
