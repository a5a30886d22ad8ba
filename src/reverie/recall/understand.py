"""Understand: a text becomes a cue — its terms, language, people, time and whom it asks about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.language import analyzer, entities, question, times
from reverie.types import Cue, TimeWindow


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Read a cue as of ``now``; ``speakers`` are the names known in its scope, ``window`` one the caller set."""
    rest, named = (text, window) if window else times.without_bound(text, now)
    return Cue(
        text=text,
        terms=_terms(text, rest),
        language=analyzer.detect_language(text),
        entities=entities.entities(text),
        speakers=question.named_speakers(text, speakers),
        first_person=question.is_first_person(text),
        asks_assistant=question.asks_assistant(text),
        window=named,
    )


def _terms(text: str, rest: str) -> tuple[str, ...]:
    """The terms of a cue, without those that only the bound of its window has; ``rest`` is the text without that.

    The window stands for them: who asks what was before 2026 looks for nothing that tells of 2026.
    """
    terms = analyzer.query_terms(text)
    if rest == text:
        return terms
    lost = _stems(text) - _stems(rest)
    return tuple(term for term in terms if lost.isdisjoint(analyzer.stems(term)))


def _stems(text: str) -> frozenset[str]:
    """The stems of a text as either language has them: without its bound it may be taken for the other one."""
    read = text[: analyzer.QUERY_MAX]
    return frozenset(stem for language in ("en", "tr") for stem in analyzer.index_terms(read, language))
