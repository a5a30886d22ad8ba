"""How well a message matches the time, the speaker and the manner that a cue asks about.

In: columns of a corpus and a cue. Out: one score in [0, 1] a message.
"""

from __future__ import annotations

import numpy as np

from reverie.formulas.text_statistics import telling
from reverie.language.classify.question import asks_time
from reverie.language.text import analyzer
from reverie.language.text.analyzer import time_terms
from reverie.ports import Corpus
from reverie.types import ROLE_CODES, BoolArray, Cue, FloatArray, IntArray, Role, TimeArray, TimeWindow

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
    """(m,) 1 where the cue asks for a time, naming none, and a candidate holds a word that tells one; else 0."""
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
