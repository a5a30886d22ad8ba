"""Weigh who is asked about: one named speaker, or the asker themself."""

from __future__ import annotations

import numpy as np

from reverie.ports import Corpus
from reverie.types import ROLE_CODES, Cue, FloatArray, IntArray, Role

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
