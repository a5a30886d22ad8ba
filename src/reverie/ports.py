"""What the engine needs from outside, as protocols. Adapters live in ``stores`` and ``models``; tests hold fakes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeAlias, cast, runtime_checkable

from reverie.answers import Fault, Health, Stats
from reverie.errors import ModelUnavailable
from reverie.events import Action, Draft, Event, Reach
from reverie.types import (
    BoolArray,
    Companions,
    Episode,
    FloatArray,
    IndexEntry,
    IntArray,
    Kind,
    Memory,
    ModelInfo,
    Relation,
    RelationKind,
    Scope,
    TimeArray,
)


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The current time, aware, UTC."""


class Ids(Protocol):
    """Where ids and salts come from."""

    def new_id(self, at: datetime) -> str:
        """A fresh id; ids made later sort after ids made earlier."""

    def salt(self) -> bytes:
        """Sixteen bytes of chance."""


class Embedder(Protocol):
    """Text to unit vectors. Never fails on content: any Python string is a text."""

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Shape (n, dims), unit rows; a text without content gives a zero row."""

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dims,), unit length or zero."""


class Paired(Embedder, Protocol):
    """An embedder that has a better, slower second model; ``info.second`` names it and is not None."""

    def second(self) -> Embedder:
        """The slower one, loaded when first asked for. Raises ModelError."""


@runtime_checkable
class Calibrated(Protocol):
    """An embedder that knows the documents' cosine (reading 1) for one of two texts of its own: rising, 1 at 1."""

    def calibration(self, cosine: float) -> float:
        """On the documents' scale."""
        ...


@runtime_checkable
class Confident(Protocol):
    """An embedder that knows how sure a cosine of a question and a passage is of an answer (reading 21): rising."""

    def confidence(self, cosine: float) -> float:
        """In [0, 1]."""
        ...


Scale: TypeAlias = Callable[[float], float]
"""A model's cosine → the documents'; rising."""


def as_it_is(cosine: float) -> float:
    """The cosine itself."""
    return cosine


def scale_of(embedder: object) -> Scale:
    """Return the calibration of a model's cosines; the identity if it has none."""
    return embedder.calibration if isinstance(embedder, Calibrated) else as_it_is


def confidence_of(embedder: object) -> Scale:
    """How a model's cosine of a question and a passage is read; as that of two texts where it knows no better."""
    return embedder.confidence if isinstance(embedder, Confident) else scale_of(embedder)


def info_of(embedder: Embedder | None) -> ModelInfo | None:
    """Return an embedder's model info; None without an embedder, or while its endpoint does not answer."""
    try:
        return embedder.info if embedder is not None else None
    except ModelUnavailable:
        return None


def paired(embedder: Embedder | None) -> Paired | None:
    """Return the embedder if it has a second model, else None."""
    info = info_of(embedder)
    return None if info is None or info.second is None else cast("Paired", embedder)


class Reranker(Protocol):
    """Reads a text together with the cue, and says how well it fits. Never fails on content: any string is a text."""

    @property
    def name(self) -> str:
        """What the model is called, for people to read."""

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Shape (n,), finite, higher where a text fits better; only the order counts, so any scale does.

        Raises ModelError for what the model or a network does.
        """


class Vectors(Protocol):
    """The vectors of one model in a scope, as of one moment, by the ordinals of its corpus."""

    @property
    def embedded(self) -> int:
        """How many memories have one."""

    @property
    def mean(self) -> FloatArray:
        """(dimensions,) where query and memory are seen from."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """The ``top_k`` memories of highest centred cosine (descending, ties by ordinal), and these cosines."""

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Exact centred cosines of these memories; 0 where one has no vector."""

    def of(self, ordinals: IntArray) -> FloatArray:
        """(m, dimensions) the vectors of these memories; a row of zeros where one has none."""


@dataclass(frozen=True, slots=True)
class Bond:
    """The relation of a new memory to number ``other`` (from 0) of the compared ones; ``confidence`` in [0, 1].

    ``from_new``: the new memory is the edge's source, else its target.
    """

    other: int
    kind: RelationKind
    from_new: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Said:
    """A message as a mind is given it, pronouns resolved as far as the rules can.

    ``statements`` are those of its facts that say something: no questions, no suppositions. ``before`` is what was said
    before in the session, oldest first.
    """

    text: str
    at: datetime
    statements: tuple[str, ...] = ()
    speaker: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a language model found in a message; fields that are None or empty are filled by the rules."""

    text: str
    kind: Kind | None = None
    until: datetime | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a mind made of a message: facts the message bears, why others were ``refused``, why there are none."""

    facts: tuple[Stated, ...] = ()
    refused: tuple[str, ...] = ()
    failed: str = ""


class FormingMind(Protocol):
    """A language model at what it has to do while a message is formed. Where one is None, the heuristic decides."""

    def form(self, said: Said) -> Told:
        """Extract the facts of a message; ``Told.failed`` is set if there is no answer."""

    def merge(self, old: str, new: str) -> str | None:
        """One text with every fact of both."""

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a new memory to others, with at most one bond for each; () if it is related to none."""


class Mind(FormingMind, Protocol):
    """A language model at the tasks a memory has for one. Where an answer is None, the heuristic decides.

    What it is given of memories is data, never instruction; what it answers has been checked for its form.
    """

    def route(self, cue: str) -> str | None:
        """The intent of a cue: factual, temporal, causal, entity_profile, preference, general."""

    def theme(self, texts: Sequence[str]) -> str | None:
        """What a cluster of memories says together."""

    def pattern(self, texts: Sequence[str]) -> str | None:
        """The habit behind a cluster of memories."""

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """A category in a few sentences."""


class Postings(Protocol):
    """Where a term occurs."""

    @property
    def ordinals(self) -> IntArray:
        """Ascending, each once."""

    @property
    def counts(self) -> FloatArray:
        """How often, same length."""


class Corpus(Protocol):
    """The searchable columns of one scope, as of one moment. Ordinals 0 … size−1 follow the order of writing.

    Only what lies in the scope is in the corpus: statistics, too, never see another scope.
    """

    @property
    def size(self) -> int:
        """How many memories there are."""

    @property
    def lengths(self) -> FloatArray:
        """(n,) indexed terms of each memory."""

    @property
    def mean_length(self) -> float:
        """Indexed terms of a memory on average; 0 where there is none."""

    def window_lengths(self, radius: int) -> FloatArray:
        """(n,) indexed terms within ``radius`` messages of each memory, in its session."""

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """(n,) how often any of these indexed terms occurs in each memory; kept, so for a few fixed lists alone."""

    @property
    def words(self) -> FloatArray:
        """(n,) words of each memory's own text."""

    @property
    def previous(self) -> IntArray:
        """(n,) ordinal of the message before in the same session, −1 for none."""

    @property
    def following(self) -> IntArray:
        """(n,) ordinal of the message after in the same session, −1 for none."""

    @property
    def speaker_names(self) -> Sequence[str]:
        """Distinct speakers, in order of first appearance."""

    @property
    def speakers(self) -> IntArray:
        """(n,) index into ``speaker_names``."""

    @property
    def roles(self) -> IntArray:
        """(n,) index into ``tuple(Role)``."""

    @property
    def said_at(self) -> TimeArray:
        """(n,) seconds since the epoch."""

    @property
    def valid_from(self) -> TimeArray:
        """(n,) seconds since the epoch from which each is true: the time its words name, else ``said_at``."""

    @property
    def kinds(self) -> IntArray:
        """(n,) index into ``tuple(Kind)``."""

    @property
    def states(self) -> IntArray:
        """(n,) index into ``tuple(State)``."""

    @property
    def valid_until(self) -> IntArray:
        """(n,) microseconds since the epoch until which each holds; 2⁶³−1 for ever."""

    def recallable(self, now: datetime) -> BoolArray | None:
        """(n,) which memories hold at ``now`` and are in a state that is recalled; None when all are."""

    def postings(self, term: str) -> Postings:
        """Where a stem occurs; empty for one that does not."""

    @property
    def embedded(self) -> int:
        """How many memories have a vector of the corpus's model."""

    @property
    def second(self) -> Vectors | None:
        """The vectors of the model that stands beside it (``ModelInfo.second``); None where there is none."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """The ``top_k`` memories of highest centred cosine (descending, ties by ordinal), and these cosines.

        Centred: query and memory are seen from the mean of the scope's vectors (``formulas.centring``).
        """

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Exact centred cosines of these memories; 0 where one has no vector."""

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Exact raw cosines of these memories; 0 where one has no vector."""

    @property
    def centre(self) -> FloatArray | None:
        """(dimensions,) where query and memory are seen from; None without vectors."""

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """(m, dimensions) the vectors of these memories; a row of zeros where one has none."""

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """The memories themselves, in the order asked for."""


class Transaction(Protocol):
    """One unit of writing: wholly in, or wholly out."""

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Append a draft to the journal and apply it; ``index`` has one entry for each of its memories."""

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append another journal's event unchanged (replay). Raises StoreCorrupt if it does not continue this one."""

    def next_seq(self, scope: Scope, session: str) -> int:
        """The place after the last message of a session."""

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """The episode that came with this message id, or bears it as its own: what was exported comes back once."""

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the journal events with content of these memories, or of memories formed from them."""


class Store(Protocol):
    """Where memories live. Every method that reads or writes memories names its scope."""

    def begin(self, *, durable: bool) -> AbstractContextManager[Transaction]:
        """A write transaction; ``durable``: on the disk before it returns.

        Raises StoreBusy, StoreFull, StoreReadOnly.
        """

    def corpus(self, scope: Scope, model: ModelInfo | None) -> Corpus:
        """The scope's searchable columns, brought up to date with what any process has written."""

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """The memory of this id in this scope, None where there is none."""

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """The memories of these ids that are there, in the order asked for."""

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Those of these episodes of which something was formed, and all of it superseded."""

    def formed(self, scope: Scope) -> list[Memory]:
        """Every memory of the scope that is not an episode, whatever its state, in order of writing."""

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """The formed memories accessed at least so often (from 1), in order of writing."""

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """The memories that name this episode as a source, in order of writing."""

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """The events that wrote, changed, linked or recalled a memory, in order; none where there is no such memory."""

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """The edges of the scope, or those that touch one of these memories; by source, target and kind."""

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Which formed memories were recalled together, all or those with one of these; by first and second."""

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """By time said, then place, then order of writing; ``start`` ≤ at < ``end``."""

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """The last messages of a session, by place; ``holding``: of those that hold at that moment."""

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """The id each message came with, by its memory's id; those without one are left out."""

    def scopes(self) -> list[Scope]:
        """Every scope that holds or held a memory."""

    def stats(self, scope: Scope) -> Stats:
        """Counts of a scope."""

    def health(self, scope: Scope, now: datetime) -> Health:
        """How a scope is doing."""

    def events(
        self, scope: Scope | None = None, *, after: int = 0, actions: Collection[Action] | None = None
    ) -> Iterator[Event]:
        """The journal in order, from the event after ``after``; of one scope or (for replay and verify) of all.

        ``actions``: of these kinds alone; fast for all but ``REMEMBER`` and ``RECALL``.
        """

    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the last event; (0, 64 zeros) when there is none."""

    def unindexed(self, model: ModelInfo, limit: int) -> list[Memory]:
        """Memories of any scope without a vector of this model, oldest first."""

    def missing(self, model: ModelInfo) -> int:
        """How many memories have no vector of this model."""

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors made after the fact, in one transaction; a memory erased meanwhile is passed over."""

    def drop_vectors(self, *, keep: ModelInfo) -> int:
        """Delete the vectors of every model except this one and its second; return how many were deleted."""

    def analyzer(self) -> str:
        """Version of the text analyzer that made the index; "" in a new store."""

    def reindex(self, analyzer: str, entries: Iterator[tuple[Scope, str, IndexEntry]]) -> None:
        """Replace every memory's terms, in one transaction, and note the analyzer's version."""

    def check(self) -> list[Fault]:
        """Look for damage: file, search index, journal chain, projections."""

    def digest(self) -> str:
        """SHA-256 over everything but vectors and terms; equal stores give equal digests."""

    def alone(self) -> AbstractContextManager[None]:
        """Held while a scope is worked over as a whole; raises Conflict where another process or thread does so."""

    def merge_index(self) -> None:
        """After many memories at once: put the pieces of the text index together. Nothing that is held changes."""

    def compact(self) -> int:
        """Make the index and the file as small as what they hold; how many bytes that freed."""

    def backup(self, path: Path) -> None:
        """A consistent copy while others read and write."""

    def close(self) -> None:
        """Release all resources; every later call raises StoreClosed."""
