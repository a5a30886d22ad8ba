"""The state of a recall on its way through the stages, the context they look at, and which memories may come.

A stage is a frozen settings object that is called with the state and gives one back. A recipe is a list of stages.
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

# The state of a recall on its way through the stages, and the context the stages look at.


# Lanes: how each kind of question is looked for (D18). Values alone; ``route`` chooses, the other stages read them.


class Intent(StrEnum):
    """What a cue is after, and so how it is searched for."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Lane:
    """How one intent is looked for.

    Attributes:
        vector: weight of the vector list.
        text: weight of the text list.
        limit: how many are wanted where the caller does not say.
        graph: weight of the list that the graph brings.
        utility: added to a score for a utility of 1.
        hops: how far the graph is walked from what was found.
        hub: whether everything about the named entities is a candidate.
        latest: whether the newest comes first, superseded ones too.
        kinds: only memories of these kinds, where there are any.
        steps: along which kinds of edges the graph is walked.
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
    """The lane of an intent."""
    return dict(lanes)[intent]


# What the stages of the read path hand to each other: a quest with its candidates, and the world they look at.


LOW = "low confidence"
"""Why a hit is withheld that may not bear on the cue; the operation under which the ops log tells of it."""
CONTRADICTS = "contradicts"
"""The signal that names the other side of a contradiction."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller asks: the cue's text, its scope, as of when, how much, and what it is asked amid.

    ``top_k`` None: as many as the recipe, or the lane the cue takes, hands over. ``window`` filters by the time said.
    ``session`` is the one that asks, ``mood`` its valence in [−1, 1], ``domain`` a hint of a few words. ``as_of``: what
    held at that moment, instead of what holds now. ``past``: also what was superseded. ``automatic``: a host asks for
    every message, nobody asked by hand.
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
    """What a reranker made of texts: a finite score each, higher is better, or ``why`` there is none."""

    scores: FloatArray | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RecallContext:
    """The data that stages use. ``embed`` embeds a text (None without a model; ``why_none`` says why), ``model`` is the
    model's name, and ``embed_second`` embeds by the second model, if there is one.

    ``relations`` and ``companions`` are those that touch one of the ids, ``memory`` one memory by id, ``often`` the
    formed memories accessed at least so many times, ``made_from`` those formed from an episode. ``kept`` gives the
    ids chosen for this scope less than so many minutes ago, else has them chosen. ``scale`` reads a cosine of two
    texts on the documents' scale (reading 1), ``confidence`` one of a cue and a memory (reading 21), and ``cosine_at``
    gives the cosine that it reads as a confidence. ``read`` has a reranker score texts for a cue, within the limits of
    ``rerank``; None where there is none.
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
    """A memory on its way through recall, with every signal that touched it; the shares add up to the score.

    ``cosine`` is raw and never overwritten. ``likeness``, in [0, 1], stands in for it where no vector was compared: the
    text score over the best of its list, or what came along the edges of the graph. Where that came to one with a
    cosine it is ``led``, and the higher of the two counts. ``shown`` is what is injected instead of the text,
    ``withheld`` why nothing is.
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
        """The cosine, or what the graph brought along where that is more; None where no vector was compared."""
        return None if self.cosine is None else max(self.cosine, self.led)

    def sure(self, world: RecallContext) -> float:
        """Probability in [0, 1] that the candidate is relevant, from its calibrated cosine or a substitute."""
        return self.likeness if self.alike is None else max(0.0, world.confidence(self.alike))

    def touched(self, name: str, value: float, share: float, weight: float = 1.0) -> Candidate:
        """With one more signal that added ``share`` to the score (or took it)."""
        if share == 0.0:
            return self
        return self._telling((*self.signals, Signal(name, value, weight, share)), self.score + share)

    def marked(self, name: str, about: str = "", sure: float = 1.0) -> Candidate:
        """With a signal that says something of it, how ``sure`` it is, and adds nothing; ``about`` another memory."""
        return self._telling((*self.signals, Signal(name, sure, 0.0, 0.0, about)), self.score)

    def _telling(self, signals: tuple[Signal, ...], score: float) -> Candidate:
        """With these signals and this score; field by field, as ``RecallState.noted``."""
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
        """With the score times ``factor``."""
        return self.touched(name, value, self.score * (factor - 1.0), factor)

    def rescored(self, name: str, value: float, score: float, weight: float = 1.0) -> Candidate:
        """With a new score that is made of one signal alone."""
        return replace(self, score=score, signals=(Signal(name, value, weight, score),))


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Some candidates two by two, as statements: the ids of their memories, and the numbers of every two.

    ``seen`` are their vectors in the order in which they were first compared; None where there are none.
    """

    ids: tuple[str, ...]
    statements: tuple[Statement, ...]
    seen: SeenVectors | None
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Page:
    """What several stages of a read path go by.

    Attributes:
        size: hits on the first page: so many are handed over where nobody says how many.
        looked: candidates that are compared two by two.
        same: an episode is said by what was formed of it that holds at least this share of its words.
    """

    size: int
    looked: int
    same: float


@dataclass(frozen=True, slots=True)
class RecallState:
    """A recall in progress: the request, the parsed query, and the candidates so far, best first.

    ``queries`` are the texts searched for (the cue's own first), ``limit`` how many are wanted, ``page`` what several
    stages go by, ``intent`` what the router made of it and ``lane`` how it is looked for, ``hot`` what is injected
    whatever the cue, ``confidence`` that anything here answers it and ``grounds`` what that rests on, ``traits`` what
    the weights of the signals follow from. ``ended`` says why nothing more is done, ``gated`` that nothing was sure
    enough, ``compared`` what the first candidates are to one another, ``words`` those of the cue as the search has
    looked them up.
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
        """With a line for the trace about what this stage did, and with these candidates where there are others now.

        Field by field, as each stage calls it: ``replace`` takes three times as long.
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
    """One stage of the read path."""

    @property
    def name(self) -> str:
        """The stage's name in the trace."""
        ...

    def __call__(self, quest: RecallState) -> RecallState:
        """Run the stage and return the new recall state."""
        ...


def ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Best first; equal scores by order of writing."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.ordinal))


def age_s(memory: Memory, now: datetime, *, created: bool = False) -> float:
    """Seconds since the last access (or since it was recorded, if never), at least 1; ``created``: since recorded."""
    since = memory.recorded_at if created or memory.last_access is None else memory.last_access
    return max(1.0, (now - since).total_seconds())


# Held: which memories may come — those that hold now, or held at a moment, or ever; within a window if one is set.


_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_DORMANT = STATE_CODES[State.DORMANT]
_THEN_STATES = frozenset({*RECALLED_STATES, State.SUPERSEDED})
_THEN = np.array([state in _THEN_STATES for state in State])


def held_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """(n,) which memories a request may find; None: all.

    A point in time (``as_of``) asks for what was true then: what had been said and still held, and what was said later
    of a time before ("I moved in May 2025" is true of June 2025, whenever it was said); ``past`` for superseded ones as
    well. What a person forgot does not come back with the past.
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
