"""Data that the stages of a recall share: the request, its context, the candidates, and which memories are eligible.

A stage is a frozen settings object that is called with a recall state and returns one. A recipe is a list of stages.
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


class Intent(StrEnum):
    """The kind of answer that a cue looks for; it decides how the cue is searched."""

    FACTUAL = "factual"
    TEMPORAL = "temporal"
    CAUSAL = "causal"
    ENTITY_PROFILE = "entity_profile"
    PREFERENCE = "preference"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Lane:
    """The search settings for one intent (query routing).

    Attributes:
        vector: weight of the vector search's ranking.
        text: weight of the text search's ranking.
        limit: number of hits where the caller does not set one.
        graph: weight of the ranking by graph expansion.
        utility: added to a score for a utility of 1.
        hops: number of edges that graph expansion follows from what was found.
        hub: whether everything about the named entities is a candidate.
        latest: whether the newest comes first, superseded memories included.
        kinds: only memories of these kinds, where there are any.
        steps: kinds of edges that graph expansion follows.
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
    """Return the search settings for an intent."""
    return dict(lanes)[intent]


LOW = "low confidence"
"""Reason for withholding a hit that may be irrelevant to the cue; also the name of that operation in the ops log."""
CONTRADICTS = "contradicts"
"""The signal that names the other side of a contradiction."""


@dataclass(frozen=True, slots=True)
class Request:
    """The caller's arguments of one recall: the cue's text, its scope, the time, the limits and the situation.

    ``top_k`` None: the recipe's or the intent's own limit. ``window`` keeps only what was said in that time.
    ``session`` is the caller's session, ``mood`` its valence in [−1, 1], ``domain`` a hint of a few words. ``as_of``:
    search what was valid at that moment instead of what is valid now. ``past``: include superseded memories.
    ``automatic``: a host recalls on its own for every message; False: somebody recalls manually. ``without_repeats``:
    withhold what only repeats the cue in a manual recall too.
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
    without_repeats: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RerankScores:
    """A reranker's finite score for each text, higher is better; or no scores, and ``why`` there are none."""

    scores: FloatArray | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RecallContext:
    """The data and models that the stages of a recall read from.

    ``embed`` returns a text's vector, or None without a model; then ``why_none`` returns the reason. ``model`` is the
    model's name; ``embed_second`` embeds with the second, slower model, if there is one. ``relations`` and
    ``companions`` return those of the given ids, ``memory`` one memory by id, ``often`` the formed memories accessed at
    least that many times, ``made_from`` those formed from an episode, ``named`` memories by ids, ``outlived`` those
    episodes whose formed memories are all superseded. ``route`` returns the intent that a language model chose for a
    cue, or None. ``kept`` returns the ids chosen for this scope less than so many minutes ago, or chooses anew.
    ``scale`` maps a cosine of two texts to the documents' scale (reading 1), ``confidence`` one of a cue and a memory
    to a confidence (reading 21), ``cosine_at`` is its inverse. ``read`` scores texts for a cue with a reranker, within
    ``rerank``; None without one. ``own``: how many ordinals of the corpus are the scope's own, where the memories
    behind them were granted by other scopes; None: all are. ``outlived_there`` is ``outlived`` in one of
    those scopes; None: nothing of theirs is superseded.
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
    own: int | None = None
    outlived_there: Callable[[Scope, Sequence[str]], set[str]] | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory on its way through recall, with every signal that changed its score; the shares add up to the score.

    ``cosine`` is raw and never overwritten. ``likeness``, in [0, 1], replaces it where no vector was compared: the
    text score over the best of its list, or the likeness from graph expansion. For a candidate with a cosine, the
    likeness from graph expansion is ``led``, and the higher of the two counts. ``shown`` is injected instead of the
    memory's text; ``withheld`` is the reason why nothing is injected.
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
        """The cosine, or the likeness from graph expansion if that is higher; None where no vector was compared."""
        return None if self.cosine is None else max(self.cosine, self.led)

    def sure(self, world: RecallContext) -> float:
        """Return the confidence, in [0, 1], that the memory is relevant to the cue: from its cosine, else likeness."""
        return self.likeness if self.alike is None else max(0.0, world.confidence(self.alike))

    def touched(self, name: str, value: float, share: float, weight: float = 1.0) -> Candidate:
        """Return a copy with one more signal, whose ``share`` (negative too) is added to the score."""
        if share == 0.0:
            return self
        return self.rated(self.score + share, (*self.signals, Signal(name, value, weight, share)))

    def marked(self, name: str, about: str = "", sure: float = 1.0) -> Candidate:
        """Return a copy with a signal that leaves the score as it is; ``about`` is another memory's id."""
        return self.rated(self.score, (*self.signals, Signal(name, sure, 0.0, 0.0, about)))

    def rated(self, score: float, signals: tuple[Signal, ...]) -> Candidate:
        """Return a copy with these signals and this score; built field by field for speed, as ``RecallState.noted``."""
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
        """Return a copy with the score times ``factor``, and a signal that says so."""
        return self.touched(name, value, self.score * (factor - 1.0), factor)

    def rescored(self, name: str, value: float, score: float, weight: float = 1.0) -> Candidate:
        """Return a copy with a new score that consists of one signal alone."""
        return replace(self, score=score, signals=(Signal(name, value, weight, score),))


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The pairwise comparison of some candidates: memory ids, statements, and the numbers of every pair.

    ``seen`` are their vectors in the order in which they were first compared; None where there are none.
    """

    ids: tuple[str, ...]
    statements: tuple[Statement, ...]
    seen: SeenVectors | None
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Page:
    """Limits that several stages of a read path share.

    Attributes:
        size: hits on the first page: the limit where the caller sets none.
        looked: number of first candidates that are compared pairwise.
        same: a formed memory of at least this share of its episode's length makes the episode a repeat.
    """

    size: int
    looked: int
    same: float


@dataclass(frozen=True, slots=True)
class RecallState:
    """The state of one recall between two stages: the request, the cue, and the candidates so far, best first.

    ``queries`` are the texts searched for (the cue's own first), ``limit`` is the number of hits wanted, ``page`` holds
    limits that several stages share. Query routing chose ``intent`` and ``lane``; ``hot`` are memories injected for
    every cue. ``confidence`` is the probability that the store contains an answer, ``grounds`` its evidence,
    ``traits`` the numbers that the signals' weights are computed from. ``ended`` is the reason why the recall ends
    early, ``gated`` whether a gate withheld the answer as too unsure, ``compared`` the pairwise comparison of the first
    candidates, ``words`` the cue's words as the search looked them up.
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
        """Return a copy with a line for the trace, and with ``candidates`` in place of the old ones unless None.

        Built field by field, because every stage calls it and ``replace`` takes three times as long.
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
    """A stage of the read path: called with a recall state, it returns the next one."""

    @property
    def name(self) -> str:
        """The stage's name in the trace."""
        ...

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state after this stage."""
        ...


def ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort candidates by falling score, equal scores by order of writing."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.ordinal))


def age_s(memory: Memory, now: datetime, *, created: bool = False) -> float:
    """Return the seconds since a memory was last accessed, or said if never or with ``created``; at least 1."""
    since = memory.aged_from if created or memory.last_access is None else memory.last_access
    return max(1.0, (now - since).total_seconds())


# Eligibility: which memories may be recalled.


_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_DORMANT = STATE_CODES[State.DORMANT]
_THEN_STATES = frozenset({*RECALLED_STATES, State.SUPERSEDED})
_THEN = np.array([state in _THEN_STATES for state in State])


def held_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """Return a mask (n,) of the memories that are eligible for a request; None: all.

    With ``as_of`` these are the memories valid at that moment, including those said later about an earlier time ("I
    moved in May 2025" is valid for June 2025, whenever it was said). ``past`` adds superseded memories. Neither brings
    back what a person forgot.
    """
    among = _at_any_time(corpus, request)
    if request.window is None:
        return among
    within = inside(corpus, request.window)
    return within if among is None else among & within


def known_at(corpus: Corpus, request: Request) -> BoolArray | None:
    """Return a mask (n,) of the memories that may raise the score of their neighbouring messages; None: all.

    These are the eligible memories, whether in the time window or not, and the dormant ones: nobody finds those, but
    they were said. Memories that are forgotten, superseded, quarantined, or not yet said at the requested moment do not
    count.
    """
    among = _at_any_time(corpus, request)
    if among is None:
        return None
    moment = request.now if request.as_of is None else request.as_of
    sleeping = (corpus.states == _DORMANT) & (corpus.said_at <= moment.timestamp())
    known: BoolArray = among | (sleeping & (corpus.valid_until > moment.timestamp() * 1e6))
    return known


def _at_any_time(corpus: Corpus, request: Request) -> BoolArray | None:
    """Return a mask (n,) of the memories eligible for a request, without regard to its window; None: all."""
    among = corpus.recallable(request.now)
    if request.as_of is not None:
        moment = request.as_of.timestamp()
        among = (corpus.valid_from <= moment) & (corpus.valid_until > moment * 1e6) & _THEN[corpus.states]
    elif request.past and among is not None:
        among = among | (corpus.states == _SUPERSEDED)
    return among


def holds(memory: Memory, request: Request) -> bool:
    """Whether one memory is eligible for a request, by the rule of ``held_at``."""
    window, state = request.window, memory.standing.state
    if window is not None and not window.start <= memory.at < window.end:
        return False
    if request.as_of is not None:
        return held_then(memory, request.as_of)
    if request.past and state is State.SUPERSEDED:
        return True
    return state in RECALLED_STATES and memory.holds_at(request.now)


def held_then(memory: Memory, moment: datetime) -> bool:
    """Whether a memory was valid at a moment, by the rule of ``held_at``."""
    return memory.valid_from <= moment and memory.holds_at(moment) and memory.standing.state in _THEN_STATES
