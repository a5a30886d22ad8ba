"""Parse a text into a cue, and score messages by how well they match the cue's time, speaker and manner.

In: the text of a cue. Out: a ``Cue`` and the vectors it is searched by; from a corpus, a score in [0, 1] per message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np

from reverie.formulas.centring import unit
from reverie.formulas.text_statistics import telling
from reverie.language.classify import question
from reverie.language.classify.question import asks_time, without_speakers
from reverie.language.names import entities
from reverie.language.text import analyzer
from reverie.language.text.analyzer import content, time_terms
from reverie.language.text.letters import detect_language
from reverie.language.time import questions
from reverie.ports import Corpus
from reverie.types import ROLE_CODES, BoolArray, Cue, FloatArray, IntArray, Role, TimeArray, TimeWindow

_DAY_S = 86_400.0
AFTER, AFTER_DAYS = 0.6, 4.0
BEFORE, BEFORE_DAYS = 0.4, 3.0
"""Tuned 2026-11-24. On questions about a time, by authors whose data was not fitted: @10 80 → 83 of 100, 85 → 88."""


def inside(corpus: Corpus, window: TimeWindow) -> BoolArray:
    """Return a mask (n,) of the memories said within a time window."""
    said = corpus.said_at
    result: BoolArray = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return result


def near_window(said: TimeArray, window: TimeWindow) -> FloatArray:
    """Return scores (m,): 1 for what was said within a window, less for soon after or shortly before it, 0 beyond.

    People report an event on its day or the next, and announce a plan the day before. Outside the window the score
    falls linearly, from ``AFTER`` to 0 within ``AFTER_DAYS`` and from ``BEFORE`` to 0 within ``BEFORE_DAYS``. Both
    spans are multiplied by the square root of the window's days, because "in spring" has vaguer edges than a day.

    Source: decision-0063
    """
    start, end = window.start.timestamp(), window.end.timestamp()
    vague = max(1.0, (end - start) / _DAY_S) ** 0.5
    after = AFTER * (1.0 - (said - end) / (AFTER_DAYS * vague * _DAY_S))
    before = BEFORE * (1.0 - (start - said) / (BEFORE_DAYS * vague * _DAY_S))
    near = np.where(said >= end, after, np.where(said < start, before, 1.0))
    result: FloatArray = np.clip(near, 0.0, 1.0).astype(np.float32)
    return result


def time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """Return scores (m,) in [0, 1] of how near to the cue's time each candidate was said; 0 if the cue has no time."""
    if cue.window is None:
        return np.zeros(len(ordinals), dtype=np.float32)
    return near_window(corpus.said_at[ordinals], cue.window)


def told_time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """Return scores (m,): 1 where the cue asks when, without a time of its own, and a candidate has a time word."""
    if cue.window is not None or not asks_time(cue.text):
        return np.zeros(len(ordinals), dtype=np.float32)
    result: FloatArray = (corpus.occurrences(time_terms())[ordinals] > 0).astype(np.float32)
    return result


USER = ROLE_CODES[Role.USER]
ASKED_ASSISTANT = 0.5
"""Factor on the speaker match where the cue asks what the assistant said."""


def speaker_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """Return scores (m,): 1 where a candidate was said by the person the cue asks about, else 0.

    That person is the speaker whom the cue names, if it names exactly one; or the user, if it names none and is in the
    first person. The score is halved where the cue asks what the assistant said.
    """
    if len(cue.speakers) == 1:
        wanted = list(corpus.speaker_names).index(cue.speakers[0])
        match = corpus.speakers[ordinals] == wanted
    elif not cue.speakers and cue.first_person:
        match = corpus.roles[ordinals] == USER
    else:
        return np.zeros(len(ordinals), dtype=np.float32)
    full = ASKED_ASSISTANT if cue.asks_assistant else 1.0
    result: FloatArray = match.astype(np.float32) * np.float32(full)
    return result


def telling_match(corpus: Corpus, ordinals: IntArray) -> FloatArray:
    """Return scores (m,) of self-reference: 1 where a candidate is about its speaker, 0 where it asks or addresses."""
    of_self = corpus.occurrences(analyzer.self_terms())[ordinals]
    of_other = corpus.occurrences(analyzer.asked_terms())[ordinals]
    return telling(of_self, of_other, corpus.words[ordinals])


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Parse a text into a cue: its terms, language, entities, speakers and time.

    ``speakers`` are the names known in the scope, ``window`` is the caller's own time window, and relative times are
    counted from ``now``.
    """
    rest, named = (text, window) if window else questions.without_bound(text, now)
    return Cue(
        text=text,
        terms=_terms(text, rest),
        language=detect_language(text),
        entities=entities.entities(text),
        speakers=question.named_speakers(text, speakers),
        first_person=question.is_first_person(text),
        asks_assistant=question.asks_assistant(text),
        window=named,
    )


def _terms(text: str, rest: str) -> tuple[str, ...]:
    """Return the query terms of a text, without those that occur only in a bound of its time window.

    ``rest`` is the text without that bound. The window replaces these terms: a question about the time before 2026 is
    not about texts that mention 2026.
    """
    terms = analyzer.query_terms(text)
    if rest == text:
        return terms
    lost = _stems(text) - _stems(rest)
    return tuple(term for term in terms if lost.isdisjoint(analyzer.stems(term)))


def _stems(text: str) -> frozenset[str]:
    """Return the stems of a text in both languages: without its bound it may be taken for the other language."""
    read = text[: analyzer.QUERY_MAX]
    return frozenset(stem for language in ("en", "tr") for stem in analyzer.index_terms(read, language))


def asked_vector(
    text: str, embed: Callable[[str], FloatArray | None], speakers: Sequence[str] = ()
) -> FloatArray | None:
    """Return a cue's vector, or None without a model; ``speakers`` are the names that the cue asks about.

    If a part of the text can no longer be embedded, the vector of the whole text replaces it.
    """
    asked = embed(text)
    if asked is None:
        return None

    def embedded(words: str) -> FloatArray:
        vector = asked if words == text else embed(words)
        return asked if vector is None else vector

    return cue_vector(text, embedded, speakers)


def cue_vector(text: str, embed: Callable[[str], FloatArray], speakers: Sequence[str] = ()) -> FloatArray:
    """Return the unit mean of two vectors: the whole question's, and that of its content words alone.

    Sentence models take a question's form for meaning and find other questions, while content words alone lose how they
    belong together (decision 0003). The content words exclude the names of the ``speakers`` asked about: people call
    themselves "I", and only others say their names (decision 0035).
    """
    asked = embed(text)
    about = without_speakers(content(text), speakers)
    return asked if about == text else unit(asked + embed(about))
