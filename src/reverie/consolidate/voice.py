"""Who puts a cluster into words: the language model where there is one and it answers, else the extract."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.consolidate.extracting import Extractive
from reverie.ports import Mind

TOLD_MAX = 40
"""Most texts a model is given at a time."""


class Spoken:
    """A voice that asks a model first (``snapshot.Voice``); every None falls back to the extract."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._own = Extractive()

    def theme(self, texts: Sequence[str]) -> str:
        """What a cluster says together."""
        return self._mind.theme(texts[:TOLD_MAX]) or self._own.theme(texts)

    def pattern(self, texts: Sequence[str]) -> str:
        """The habit behind a cluster."""
        return self._mind.pattern(texts[:TOLD_MAX]) or self._own.pattern(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """A category in a few sentences."""
        return self._mind.summary(category, texts[:TOLD_MAX]) or self._own.summary(category, texts)
