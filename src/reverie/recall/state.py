"""Define the state of a recall, the context that stages read, and the rules for which memories are eligible.

A stage is a frozen settings object that is called with the state and returns a new one. A recipe lists its stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np

from reverie.answers import Signal
from reverie.conflicts.pairs import Numbers, SeenVectors, Statement
from reverie.ports import Corpus
from reverie.recall.query import inside
from reverie.recall.search import CueWords
from reverie.recall.settings import RerankSettings
from reverie.types import (
    RECALLED_STATES,
    STATE_CODES,
    BoolArray,
    Companions,
    Cue,
    FloatArray,
    Kind,
    Memory,
    Relation,
    RelationKind,
    Scope,
    State,
    TimeWindow,
)

# Lanes: search settings for each kind of question (D18). ``route`` chooses one, the other stages read it.


class Intent(StrEnum):
    """What kind of answer a cue wants, which determines how it is searched for."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Lane:
    """Search settings for one intent.

    Attributes:
        vector: weight of the vector list.
        text: weight of the text list.
        limit: number of hits if the caller does not say.
        graph: weight of the list found by graph expansion.
        utility: added to a score for a utility of 1.
        hops: number of edges that graph expansion follows from the hits.
        hub: whether every memory that names one of the cue's entities is a candidate.
        latest: whether the newest come first, including superseded ones.
        kinds: restrict to memories of these kinds, if there are any.
        steps: the kinds of edges that graph expansion follows.
    """

    vector: float
    text: float
    limit: int
    graph: float = 0.0
    utility: float = 0.0
    hops: int = 0
    hub: bool = False
    latest: bool = False
    kinds: tuple[Kind, ...] = ()
    steps: tuple[RelationKind, ...] = (RelationKind.CAUSES, RelationKind.ELABORATES)


Lanes: TypeAlias = tuple[tuple[Intent, Lane], ...]


def lane_of(lanes: Sequence[tuple[Intent, Lane]], intent: Intent) -> Lane:
    """Return the search settings of an intent."""
    return dict(lanes)[intent]


# The state that stages pass on, and the context they read.


LOW = "low confidence"
"""Reason for withholding a hit that may be irrelevant; also the operation name in the ops log."""
CONTRADICTS = "contradicts"
"""The signal that names the other side of a contradiction."""


@dataclass(frozen=True, slots=True)
class Request:
    """A caller's recall: the cue's text, its scope, the time, limits, and the context of the question.

    ``top_k`` None: the default of the recipe, or of the cue's lane. ``window`` filters by the time said. ``session`` is
    the one that asks, ``mood`` its valence in [−1, 1], ``domain`` a hint of a few words. ``as_of``: what held at that
    moment, instead of what holds now. ``past``: include superseded memories. ``automatic``: the host
    asks for every message by itself.
    """

    text: str
    scope: Scope
    now: datetime
    top_k: int | None
    budget_tokens: int | None
    window: TimeWindow | None = None
    session: str | None = None
    mood: float | None = None
    domain: str = ""
    as_of: datetime | None = None
    past: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RerankScores:
    """A reranker's result: a finite score for each text, higher is better, or ``why`` there are none."""

    scores: FloatArray | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RecallContext:
    """The data and functions that stages read from the store and its models.

    ``embed`` returns a text's vector, None without a model; ``why_none`` says why, ``model`` is its name.
    ``embed_second`` uses the slower second model, if any. ``relations`` and ``companions`` return those that touch one
    of the ids, ``memory`` one memory by id, ``often`` the formed memories with at least so many accesses, ``made_from``
    those formed from an episode. ``kept`` returns the ids chosen for this scope less than so many minutes ago, else
    chooses them now. ``scale`` converts a cosine of two texts to the documents' scale (reading 1), ``confidence`` one
    of a cue and a memory (reading 21); ``cosine_at`` inverts ``confidence``. ``read`` scores texts for a cue by a
    reranker, within the limits of ``rerank``; None without one.
    """

    corpus: Corpus
    embed: Callable[[str], FloatArray | None]
    relations: Callable[[Sequence[str]], list[Relation]]
    companions: Callable[[Sequence[str]], list[Companions]]
    memory: Callable[[str], Memory | None]
    often: Callable[[int], list[Memory]]
    why_none: Callable[[], str] = lambda: "no model"
    model: str = ""
    route: Callable[[str], str | None] = lambda _: None
    made_from: Callable[[str], list[Memory]] = lambda _: []
    outlived: Callable[[Sequence[str]], set[str]] = lambda _: set()
    named: Callable[[Sequence[str]], list[Memory]] = lambda _: []
    kept: Callable[[float, Callable[[], tuple[str, ...]]], tuple[str, ...]] = lambda _, choose: choose()
    scale: Callable[[float], float] = lambda cosine: cosine
    confidence: Callable[[float], float] = lambda cosine: cosine
    cosine_at: Callable[[float], float] = lambda confidence: confidence
    embed_second: Callable[[str], FloatArray | None] = lambda _: None
    read: Callable[[str, Sequence[str]], RerankScores] | None = None
    rerank: RerankSettings = field(default_factory=RerankSettings)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory on its way through recall, with every signal that contributed; the shares add up to the score.

    ``cosine`` is raw and never overwritten. ``likeness``, in [0, 1], replaces it if no vector was compared: the text
    score over the best of its list, or what came along the edges of the graph. If a candidate with a cosine was also
    reached along edges, that is ``led``, and the higher of the two counts. ``shown`` is injected instead of the text,
    ``withheld`` is why nothing is.
    """

    ordinal: int
    memory: Memory
    score: float
    signals: tuple[Signal, ...] = ()
    cosine: float | None = None
    likeness: float = 0.0
    shown: str = ""
    withheld: str = ""
    led: float = 0.0

    @property
    def alike(self) -> float | None:
        """The cosine, or ``led`` if that is higher; None if no vector was compared."""
        return None if self.cosine is None else max(self.cosine, self.led)

    def sure(self, world: RecallContext) -> float:
        """Return the confidence in [0, 1] that it is relevant to the cue, from its cosine or from ``likeness``."""
        return self.likeness if self.alike is None else max(0.0, world.confidence(self.alike))

    def touched(self, name: str, value: float, share: float, weight: float = 1.0) -> Candidate:
        """Return it with one more signal, whose ``share`` is added to the score (or subtracted, if negative)."""
        if share == 0.0:
            return self
        return self._telling((*self.signals, Signal(name, value, weight, share)), self.score + share)

    def marked(self, name: str, about: str = "", sure: float = 1.0) -> Candidate:
        """Return it with a signal that only annotates it, with confidence ``sure``; ``about``: another memory's id."""
        return self._telling((*self.signals, Signal(name, sure, 0.0, 0.0, about)), self.score)

    def _telling(self, signals: tuple[Signal, ...], score: float) -> Candidate:
        """Return it with these signals and score; built field by field for speed, as ``RecallState.noted``."""
        return Candidate(
            self.ordinal,
            self.memory,
            score,
            signals,
            self.cosine,
            self.likeness,
            self.shown,
            self.withheld,
            self.led,
        )

    def scaled(self, name: str, value: float, factor: float) -> Candidate:
        """Return it with the score multiplied by ``factor``."""
        return self.touched(name, value, self.score * (factor - 1.0), factor)

    def rescored(self, name: str, value: float, score: float, weight: float = 1.0) -> Candidate:
        """Return it with a new score that consists of one signal only."""
        return replace(self, score=score, signals=(Signal(name, value, weight, score),))


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The pairwise comparison of some candidates as statements: their memories' ids, and the numbers of each pair.

    ``seen`` are their vectors in the order of their first comparison; None if there are none.
    """

    ids: tuple[str, ...]
    statements: tuple[Statement, ...]
    seen: SeenVectors | None
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Page:
    """Settings shared by several stages of a read path.

    Attributes:
        size: hits on the first page, which is also the default number of hits.
        looked: candidates that are compared pairwise.
        same: a formed memory replaces its episode if it holds at least this share of the episode's words.
    """

    size: int
    looked: int
    same: float


@dataclass(frozen=True, slots=True)
class RecallState:
    """The state of a recall between stages: the request, the parsed cue, and the candidates so far, best first.

    ``queries`` are the texts to search for (the cue's own first), ``limit`` the number of hits wanted, ``page`` the
    settings shared by stages, ``intent`` the router's result and ``lane`` its search settings, ``hot`` what is injected
    for any cue, ``confidence`` that any candidate answers it and ``grounds`` its evidence, ``traits`` the features that
    set the signals' weights. ``ended`` says why the recall stops, ``gated`` that nothing was sure enough, ``compared``
    is the pairwise comparison of the first candidates, ``words`` are the cue's words as looked up by the search.
    """

    request: Request
    world: RecallContext
    cue: Cue
    limit: int
    queries: tuple[str, ...]
    page: Page
    candidates: Iterable[Candidate] = ()
    hot: tuple[Candidate, ...] = ()
    intent: str = ""
    lane: Lane | None = None
    confidence: float | None = None
    grounds: tuple[Signal, ...] = ()
    traits: tuple[Signal, ...] = ()
    ended: str = ""
    notes: tuple[str, ...] = ()
    gated: bool = False
    compared: Compared | None = None
    words: CueWords | None = None

    def noted(self, note: str, candidates: Iterable[Candidate] | None = None) -> RecallState:
        """Return the state with a line for the trace about this stage, and with these candidates if they changed.

        Built field by field, as each stage calls it: ``replace`` takes three times as long.
        """
        return RecallState(
            self.request,
            self.world,
            self.cue,
            self.limit,
            self.queries,
            self.page,
            self.candidates if candidates is None else candidates,
            self.hot,
            self.intent,
            self.lane,
            self.confidence,
            self.grounds,
            self.traits,
            self.ended,
            (*self.notes, note),
            self.gated,
            self.compared,
            self.words,
        )


class Stage(Protocol):
    """A stage of the read path: called with the state of a recall, it returns the next state."""

    @property
    def name(self) -> str:
        """The stage's name in the trace."""
        ...

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state after this stage."""
        ...


def ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort candidates by score, best first; equal scores by order of writing."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.ordinal))


def age_s(memory: Memory, now: datetime, *, created: bool = False) -> float:
    """Return seconds since the last access (``created``, or never accessed: since it was recorded), at least 1."""
    since = memory.recorded_at if created or memory.last_access is None else memory.last_access
    return max(1.0, (now - since).total_seconds())


# Eligibility: the memories that hold now, or held at a moment, or ever; within a window if one is set.


_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_DORMANT = STATE_CODES[State.DORMANT]
_THEN_STATES = frozenset({*RECALLED_STATES, State.SUPERSEDED})
_THEN = np.array([state in _THEN_STATES for state in State])


def held_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories a request may return; None: all.

    With ``as_of`` these are the memories that were true then: said before and still holding, or said later about an
    earlier time ("I moved in May 2025" is true of June 2025, whenever it was said). ``past`` adds superseded ones. A
    memory that a person forgot stays excluded.
    """
    among = _at_any_time(corpus, request)
    if request.window is None:
        return among
    within = inside(corpus, request.window)
    return within if among is None else among & within


def known_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories may contribute their words and meaning to their neighbours; None: all.

    These are the memories eligible at any time, whatever the window, and dormant ones, which are not returned but were
    said. Memories that are forgotten, superseded, quarantined, or not yet said at that moment do not contribute.
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
    """Whether a request may return this memory; the same rule as ``held_at``."""
    window, state = request.window, memory.standing.state
    if window is not None and not window.start <= memory.at < window.end:
        return False
    if request.as_of is not None:
        return held_then(memory, request.as_of)
    if request.past and state is State.SUPERSEDED:
        return True
    return state in RECALLED_STATES and memory.holds_at(request.now)


def held_then(memory: Memory, moment: datetime) -> bool:
    """Whether a memory was true at a moment; the rule of ``held_at`` for ``as_of``."""
    return memory.valid_from <= moment and memory.holds_at(moment) and memory.standing.state in _THEN_STATES
