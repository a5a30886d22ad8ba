"""Held: which memories may come — those that hold now, or held at a moment, or ever; within a window if one is set.

And which may lend to others: a message is recalled for what was said beside it, but not for what is forgotten there.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.ports import Corpus
from reverie.recall.cue_match import inside
from reverie.recall.state import Request
from reverie.types import RECALLED_STATES, STATE_CODES, BoolArray, Memory, State

_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_DORMANT = STATE_CODES[State.DORMANT]
_THEN_STATES = frozenset({*RECALLED_STATES, State.SUPERSEDED})
_THEN = np.array([state in _THEN_STATES for state in State])


def held_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories a request may find; None: all.

    A point in time (``as_of``) asks for what was true then: what had been said and still held, and what was said later
    of a time before ("I moved in May 2025" is true of June 2025, whenever it was said); ``past`` for superseded ones
    as well.
    What a person forgot does not come back with the past.
    """
    among = _at_any_time(corpus, request)
    if request.window is None:
        return among
    within = inside(corpus, request.window)
    return within if among is None else among & within


def known_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories may lend their words and meaning to those beside them; None: all.

    Those that may come at any time, whatever the window, and those that sleep: they are not found, but they were said.
    What is forgotten, replaced, held back, or not said yet at the moment asked for lends nothing.
    """
    among = _at_any_time(corpus, request)
    if among is None:
        return None
    moment = request.now if request.as_of is None else request.as_of
    sleeping = (corpus.states == _DORMANT) & (corpus.said_at <= moment.timestamp())
    known: BoolArray = among | (sleeping & (corpus.valid_until > moment.timestamp() * 1e6))
    return known


def _at_any_time(corpus: Corpus, request: Request) -> BoolArray | None:
    among = corpus.recallable(request.now)
    if request.as_of is not None:
        moment = request.as_of.timestamp()
        among = (corpus.valid_from <= moment) & (corpus.valid_until > moment * 1e6) & _THEN[corpus.states]
    elif request.past and among is not None:
        among = among | (corpus.states == _SUPERSEDED)
    return among


def holds(memory: Memory, request: Request) -> bool:
    """Whether a request may find one memory: the same rule."""
    window, state = request.window, memory.standing.state
    if window is not None and not window.start <= memory.at < window.end:
        return False
    if request.as_of is not None:
        return held_then(memory, request.as_of)
    if request.past and state is State.SUPERSEDED:
        return True
    return state in RECALLED_STATES and memory.holds_at(request.now)


def held_then(memory: Memory, moment: datetime) -> bool:
    """Whether a memory was true at a moment: the same rule, for that alone."""
    return memory.valid_from <= moment and memory.holds_at(moment) and memory.standing.state in _THEN_STATES
