"""Held: which memories may come — those that hold now, or held at a moment, or ever; within a window if one is set."""

from __future__ import annotations

import numpy as np

from reverie.ports import Corpus
from reverie.recall.quest import Request
from reverie.recall.timing import inside
from reverie.types import BoolArray, State

_STATES = tuple(State)
_EVER = np.array([state is not State.QUARANTINED for state in _STATES])
_THEN = np.array([state not in (State.QUARANTINED, State.DORMANT) for state in _STATES])


def held_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories a request may find; None: all.

    A point in time (``as_of``) asks for what had been said and still held then; ``past`` for superseded ones as well.
    """
    among = corpus.recallable(request.now)
    if request.as_of is not None:
        moment = request.as_of.timestamp()
        among = (corpus.said_at <= moment) & (corpus.valid_until > moment * 1e6) & _THEN[corpus.states]
    elif request.past:
        among = np.asarray(_EVER[corpus.states])
    if request.window is None:
        return among
    within = inside(corpus, request.window)
    return within if among is None else among & within
