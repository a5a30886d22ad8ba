"""A text becomes a query, and how well a message matches the time, speaker and manner it asks about.

In: the text of a cue. Out: a ``Cue`` and the vectors it is searched by; of columns, one score in [0, 1] a message.
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

# How well a message matches the time, the speaker and the manner that a cue asks about.


# Weigh the time a cue speaks of, or asks for.


_DAY_S = 86_400.0
AFTER, AFTER_DAYS = 0.6, 4.0
BEFORE, BEFORE_DAYS = 0.4, 3.0
"""2026-11-24, lives of hands nobody fitted this to, of what happened at a time: @10 80 → 83 of 100 and 85 → 88."""


def inside(corpus: Corpus, window: TimeWindow) -> BoolArray:
    """(n,) which memories were said within the window."""
    said = corpus.said_at
    result: BoolArray = (said >= window.start.timestamp()) & (said < window.end.timestamp())
    return result


def near_window(said: TimeArray, window: TimeWindow) -> FloatArray:
    """(m,) 1 for what was said within a window, less for what was said soon after it or shortly before, 0 beyond.

    What happened on a day is told that day or the next, and what is planned for it the day before. From the edge on it
    falls in a line, from ``AFTER`` to 0 within ``AFTER_DAYS`` and from ``BEFORE`` within ``BEFORE_DAYS``, both times
    the root of the window's days: who says "in spring" means its edges less exactly than who names a day.

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
    """(m,) how near to the time the cue speaks of each candidate was said; 0 where it speaks of none."""
    if cue.window is None:
        return np.zeros(len(ordinals), dtype=np.float32)
    return near_window(corpus.said_at[ordinals], cue.window)


def told_time_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 where the query asks when and the candidate has a word that says when; else 0."""
    if cue.window is not None or not asks_time(cue.text):
        return np.zeros(len(ordinals), dtype=np.float32)
    result: FloatArray = (corpus.occurrences(time_terms())[ordinals] > 0).astype(np.float32)
    return result


# Weigh who is asked about: one named speaker, or the asker themself.


USER = ROLE_CODES[Role.USER]
ASKED_ASSISTANT = 0.5
"""What is left of the match where the cue asks what the assistant said."""


def speaker_match(corpus: Corpus, cue: Cue, ordinals: IntArray) -> FloatArray:
    """(m,) 1 where a candidate was said by the one the cue asks about, else 0.

    The cue asks about a speaker when it names exactly one; about the asker when it names none and speaks of itself in
    the first person; where it asks what the assistant said, that counts half.
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


# Weigh the manner of a message: whether it tells of its speaker, by counts of a few words that the store keeps.


def telling_match(corpus: Corpus, ordinals: IntArray) -> FloatArray:
    """(m,) in [0, 1]: 1 where a candidate speaks of its speaker, 0 where it asks or addresses the other."""
    of_self = corpus.occurrences(analyzer.self_terms())[ordinals]
    of_other = corpus.occurrences(analyzer.asked_terms())[ordinals]
    return telling(of_self, of_other, corpus.words[ordinals])


# A text becomes a query: its terms, language, people, time, whom it asks about, and its vectors.


# Understand: a text becomes a cue — its terms, language, people, time and whom it asks about.


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Read a cue as of ``now``; ``speakers`` are the names known in its scope, ``window`` one the caller set."""
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


# Embed: a cue's vector, from the question as asked and from what it asks about, and where its answers lie.


def asked_vector(
    text: str, embed: Callable[[str], FloatArray | None], speakers: Sequence[str] = ()
) -> FloatArray | None:
    """A cue's vector as its world embeds it, ``speakers`` being those it asks about; None without a model.

    The vector of the whole text stands in for a part that cannot be embedded any more.
    """
    asked = embed(text)
    if asked is None:
        return None

    def embedded(words: str) -> FloatArray:
        vector = asked if words == text else embed(words)
        return asked if vector is None else vector

    return cue_vector(text, embedded, speakers)


def cue_vector(text: str, embed: Callable[[str], FloatArray], speakers: Sequence[str] = ()) -> FloatArray:
    """The unit mean of two vectors: the text's, and that of its words without those that only carry the question.

    Sentence models take a question's form for meaning and find other questions; its words alone lose how they belong
    together. Measured in decision 0003. Nor do these words name the speakers asked about: who tells of themself says
    "I", and who says their name is the other one (decision 0035).
    """
    asked = embed(text)
    about = without_speakers(content(text), speakers)
    return asked if about == text else unit(asked + embed(about))
