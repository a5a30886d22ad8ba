"""Parse a cue and embed it, and score messages by the time, speaker and manner that the cue asks about.

In: the text of a cue. Out: a ``Cue`` and its query vectors; from corpus columns, a score in [0, 1] for each message.
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

# Time: the one a cue mentions, or asks for.


_DAY_S = 86_400.0
AFTER, AFTER_DAYS = 0.6, 4.0
BEFORE, BEFORE_DAYS = 0.4, 3.0
"""Chosen on 2026-11-24 on questions about a time in unfitted test data: hits in the top 10 rose from 80 to 83 and from
85 to 88 of 100."""


def inside(corpus: Corpus, window: TimeWindow) -> BoolArray:
    """(n,) which memories were said within the window."""
    said = corpus.said_at
    result: BoolArray = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return result


def near_window(said: TimeArray, window: TimeWindow) -> FloatArray:
    """(m,) 1 for what was said within a window, less for what was said soon after it or shortly before, 0 beyond.

    What happened on a day is often mentioned on the next, and a plan on the day before. Outside the window the score
    falls linearly, from ``AFTER`` to 0 within ``AFTER_DAYS`` and from ``BEFORE`` within ``BEFORE_DAYS``, both
    multiplied by the square root of the window's days: the edges of "in spring" are vaguer than those of a day.

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
    """(m,) how close to the cue's time each candidate was said; 0 if the cue mentions no time."""
    if cue.window is None:
        return np.zeros(len(ordinals), dtype=np.float32)
    return near_window(corpus.said_at[ordinals], cue.window)


def told_time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 if the cue asks "when" without naming a time, and a candidate has a word for a time; else 0."""
    if cue.window is not None or not asks_time(cue.text):
        return np.zeros(len(ordinals), dtype=np.float32)
    result: FloatArray = (corpus.occurrences(time_terms())[ordinals] > 0).astype(np.float32)
    return result


# Speaker: one named in the cue, or the asker.


USER = ROLE_CODES[Role.USER]
ASKED_ASSISTANT = 0.5
"""The match's value if the cue asks what the assistant said."""


def speaker_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 for a candidate said by the person the cue asks about, else 0.

    The cue asks about a speaker if it names exactly one; about the asker if it names none and uses the first person. If
    it asks what the assistant said, a match counts half.
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


# Self-reference: whether a message is about its speaker, by counts of a few words that the store keeps.


def telling_match(corpus: Corpus, ordinals: IntArray) -> FloatArray:
    """(m,) in [0, 1]: 1 for a candidate about its speaker, 0 for a question or one that addresses the other."""
    of_self = corpus.occurrences(analyzer.self_terms())[ordinals]
    of_other = corpus.occurrences(analyzer.asked_terms())[ordinals]
    return telling(of_self, of_other, corpus.words[ordinals])


# Parsing a cue.


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Parse a cue as of ``now``; ``speakers`` are the names known in its scope, ``window`` one that the caller set."""
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
    """Return the terms of a cue without those that only its time bound contains; ``rest`` is the text without it.

    The window replaces these terms: a question about what was before 2026 does not look for "2026".
    """
    terms = analyzer.query_terms(text)
    if rest == text:
        return terms
    lost = _stems(text) - _stems(rest)
    return tuple(term for term in terms if lost.isdisjoint(analyzer.stems(term)))


def _stems(text: str) -> frozenset[str]:
    """Return the stems of a text in either language, since without its time bound it may be taken for the other one."""
    read = text[: analyzer.QUERY_MAX]
    return frozenset(stem for language in ("en", "tr") for stem in analyzer.index_terms(read, language))


# Embedding a cue.


def asked_vector(
    text: str, embed: Callable[[str], FloatArray | None], speakers: Sequence[str] = ()
) -> FloatArray | None:
    """Return a cue's vector; ``speakers`` are those it asks about; None without a model.

    If a part of the text cannot be embedded any more, the vector of the whole text replaces it.
    """
    asked = embed(text)
    if asked is None:
        return None

    def embedded(words: str) -> FloatArray:
        vector = asked if words == text else embed(words)
        return asked if vector is None else vector

    return cue_vector(text, embedded, speakers)


def cue_vector(text: str, embed: Callable[[str], FloatArray], speakers: Sequence[str] = ()) -> FloatArray:
    """Return the unit mean of two vectors: the whole text's, and that of its content words.

    A sentence model takes the form of a question for meaning and finds other questions; content words alone lose their
    relations. Measured in decision 0003. The content words also leave out the names of the speakers asked about: people
    who speak of themselves say "I", and those who use their name are others (decision 0035).
    """
    asked = embed(text)
    about = without_speakers(content(text), speakers)
    return asked if about == text else unit(asked + embed(about))
