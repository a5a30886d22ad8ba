"""Understand: a text becomes a cue — its terms, language, people, time and whom it asks about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.language import analyzer, entities, question, times
from reverie.types import Cue, TimeWindow


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Read a cue as of ``now``; ``speakers`` are the names known in its scope, ``window`` one the caller set."""
    return Cue(
        text=text,
        terms=analyzer.query_terms(text),
        language=analyzer.detect_language(text),
        entities=entities.entities(text),
        speakers=question.named_speakers(text, speakers),
        first_person=question.is_first_person(text),
        asks_assistant=question.asks_assistant(text),
        window=window or times.time_window(text, now),
    )
