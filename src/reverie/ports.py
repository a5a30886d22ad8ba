"""Protocols of what the engine needs from outside. Adapters are in ``stores`` and ``models``; tests use fakes."""

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
    """Source of the current time."""

    def now(self) -> datetime:
        """Return the current time, timezone-aware, in UTC."""


class Ids(Protocol):
    """Source of ids and salts."""

    def new_id(self, at: datetime) -> str:
        """Return a new id; ids made later sort after ids made earlier."""

    def salt(self) -> bytes:
        """Return sixteen random bytes."""


class Embedder(Protocol):
    """Convert texts to unit vectors. Accepts any Python string; no content makes it fail."""

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed passages: shape (n, dims), unit rows; a text without content gives a row of zeros."""

    def embed_query(self, text: str) -> FloatArray:
        """Embed a query: shape (dims,), of unit length or zero."""


class Paired(Embedder, Protocol):
    """A fast embedder used together with a better and slower one, which ``info.second`` (never None) identifies."""

    def second(self) -> Embedder:
        """Return the slower embedder, loading it on first use. Raises ModelError."""


@runtime_checkable
class Calibrated(Protocol):
    """An embedder that maps its cosine of two texts to the documents' scale (reading 1): increasing, 1 at 1."""

    def calibration(self, cosine: float) -> float:
        """Convert a cosine to the documents' scale."""
        ...


@runtime_checkable
class Confident(Protocol):
    """An embedder that maps its cosine of question and passage to confidence in an answer (reading 21): increasing."""

    def confidence(self, cosine: float) -> float:
        """Convert a cosine to a confidence in [0, 1]."""
        ...


Scale: TypeAlias = Callable[[float], float]
"""An increasing function from a model's cosine to the documents' scale."""


def as_it_is(cosine: float) -> float:
    """Return the cosine unchanged."""
    return cosine


def scale_of(embedder: object) -> Scale:
    """Return the function that converts the embedder's cosine of two texts; the identity if it is not calibrated."""
    return embedder.calibration if isinstance(embedder, Calibrated) else as_it_is


def confidence_of(embedder: object) -> Scale:
    """Return the function that converts the embedder's cosine of question and passage; ``scale_of`` if it has none."""
    return embedder.confidence if isinstance(embedder, Confident) else scale_of(embedder)


def info_of(embedder: Embedder | None) -> ModelInfo | None:
    """Return the embedder's identity; None without an embedder, or while the endpoint that knows it does not answer."""
    try:
        return embedder.info if embedder is not None else None
    except ModelUnavailable:
        return None


def paired(embedder: Embedder | None) -> Paired | None:
    """Return the embedder if a better and slower one accompanies it, else None."""
    info = info_of(embedder)
    return None if info is None or info.second is None else cast("Paired", embedder)


class Reranker(Protocol):
    """Score texts by reading each together with the cue. Accepts any string; no content makes it fail."""

    @property
    def name(self) -> str:
        """The name of the model, for display."""

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Score the texts: shape (n,), finite, higher for a better fit; only the order counts, so any scale works.

        Raises ModelError if the model or the network fails.
        """


class Vectors(Protocol):
    """The vectors of one model in a scope at one moment, addressed by the ordinals of its corpus."""

    @property
    def embedded(self) -> int:
        """How many memories have a vector."""

    @property
    def mean(self) -> FloatArray:
        """(dimensions,) the mean that is subtracted from query and memory before they are compared."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine (descending, ties by ordinal), and these cosines."""

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for a memory without a vector."""

    def of(self, ordinals: IntArray) -> FloatArray:
        """(m, dimensions) the vectors of these memories; a row of zeros for a memory without one."""


@dataclass(frozen=True, slots=True)
class Bond:
    """A relation a language model found between a new memory and the one at index ``other`` of those it was given.

    ``confidence`` lies in [0, 1]. ``from_new``: the new memory is the edge's source, else its target.
    """

    other: int
    kind: RelationKind
    from_new: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it is given to a language model, with pronouns resolved as far as the rules can.

    ``statements`` are the assertions among its facts, without questions and suppositions. ``before`` are the previous
    messages of the session, oldest first.
    """

    text: str
    at: datetime
    statements: tuple[str, ...] = ()
    speaker: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a language model found in a message; the rules supply what is None or empty."""

    text: str
    kind: Kind | None = None
    until: datetime | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A language model's answer about a message: its ``facts``, why others were ``refused``, and why it ``failed``."""

    facts: tuple[Stated, ...] = ()
    refused: tuple[str, ...] = ()
    failed: str = ""


class FormingMind(Protocol):
    """A language model for the tasks of forming memories from a message. If it returns None, the heuristic decides."""

    def form(self, said: Said) -> Told:
        """Extract the facts of a message; ``Told.failed`` is set if the model did not answer."""

    def merge(self, old: str, new: str) -> str | None:
        """Combine two texts into one that keeps every fact of both."""

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a new memory to others, with at most one bond to each; () if it is related to none."""


class Mind(FormingMind, Protocol):
    """A language model for all optional tasks of the memory. If it returns None, the heuristic decides.

    Memories are passed to it as data, never as instructions; its answers have been checked for their form.
    """

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue: factual, temporal, causal, entity_profile, preference, general."""

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what the memories of a cluster have in common."""

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit that a cluster of memories shows."""

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarise a category in a few sentences."""


class Postings(Protocol):
    """The memories that contain a term, with counts."""

    @property
    def ordinals(self) -> IntArray:
        """Ordinals of the memories, ascending and distinct."""

    @property
    def counts(self) -> FloatArray:
        """Occurrences of the term in each memory; same length as ``ordinals``."""


class Corpus(Protocol):
    """The searchable columns of one scope at one moment. Ordinals 0 … size−1 follow the order of writing.

    It contains only this scope's memories, so that its statistics do not depend on other scopes.
    """

    @property
    def size(self) -> int:
        """Number of memories."""

    @property
    def lengths(self) -> FloatArray:
        """(n,) number of indexed terms of each memory."""

    @property
    def mean_length(self) -> float:
        """Mean number of indexed terms of a memory; 0 for an empty corpus."""

    def window_lengths(self, radius: int) -> FloatArray:
        """(n,) number of indexed terms within ``radius`` messages of each memory, in its session."""

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """(n,) how often any of these indexed terms occurs in each memory; cached, so use it for a few fixed lists."""

    @property
    def words(self) -> FloatArray:
        """(n,) number of words of each memory's own text."""

    @property
    def previous(self) -> IntArray:
        """(n,) ordinal of the previous message in the same session, −1 for none."""

    @property
    def following(self) -> IntArray:
        """(n,) ordinal of the next message in the same session, −1 for none."""

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
        """(n,) when each memory was said, in seconds since the epoch."""

    @property
    def valid_from(self) -> TimeArray:
        """(n,) seconds since the epoch from which each memory is true: the time its text names, else ``said_at``."""

    @property
    def kinds(self) -> IntArray:
        """(n,) index into ``tuple(Kind)``."""

    @property
    def states(self) -> IntArray:
        """(n,) index into ``tuple(State)``."""

    @property
    def valid_until(self) -> IntArray:
        """(n,) microseconds since the epoch until which each memory holds; 2⁶³−1 for no end."""

    def recallable(self, now: datetime) -> BoolArray | None:
        """(n,) which memories hold at ``now`` and are in a state that is recalled; None if all are."""

    def postings(self, term: str) -> Postings:
        """Return the memories that contain a stem; empty if none does."""

    @property
    def embedded(self) -> int:
        """How many memories have a vector of the corpus's model."""

    @property
    def second(self) -> Vectors | None:
        """The vectors of the slower second model (``ModelInfo.second``); None if there is none."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Return the ``top_k`` memories of highest centred cosine (descending, ties by ordinal), and these cosines.

        Centred: the mean of the scope's vectors is subtracted from query and memory (``formulas.centring``).
        """

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact centred cosines of these memories; 0 for a memory without a vector."""

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Return the exact raw cosines of these memories; 0 for a memory without a vector."""

    @property
    def centre(self) -> FloatArray | None:
        """(dimensions,) the mean that is subtracted from query and memory; None without vectors."""

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """(m, dimensions) the vectors of these memories; a row of zeros for a memory without one."""

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """Return the memories at these ordinals, in the given order."""


class Transaction(Protocol):
    """A write transaction: either all of its writes are applied or none."""

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Chain a draft to the journal and apply it; ``index`` has one entry for each memory of the draft."""

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append an event of another journal unchanged (replay). Raises StoreCorrupt if it does not fit this one."""

    def next_seq(self, scope: Scope, session: str) -> int:
        """Return the position after the last message of a session."""

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """Return the episode with this message id or this own id, so that a message once exported is imported once."""

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Return the journal events that contain content of these memories or of memories formed from them."""


class Store(Protocol):
    """Storage for memories. Every method that reads or writes memories names its scope."""

    def begin(self, *, durable: bool) -> AbstractContextManager[Transaction]:
        """Open a write transaction; ``durable``: its data is on disk before the transaction returns.

        Raises StoreBusy, StoreFull, StoreReadOnly.
        """

    def corpus(self, scope: Scope, model: ModelInfo | None) -> Corpus:
        """Return the scope's searchable columns, including what other processes have written."""

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return the memory with this id in this scope, None if there is none."""

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids that exist, in the given order."""

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes from which memories were formed that have all been superseded."""

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, whatever its state, in order of writing."""

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` (from 1) accesses, in order of writing."""

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source, in order of writing."""

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that wrote, changed, linked or recalled a memory, in order; none for an unknown memory."""

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the edges of the scope, or those that touch one of these memories; by source, target and kind."""

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return the pairs of formed memories recalled together, all or those with one of these; by first, second."""

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories with ``start`` ≤ at < ``end``, by time said, then session position, then order of writing."""

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last messages of a session, by position; ``holding``: only those that hold at that moment."""

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Return the message id that each memory was stored with, by memory id; memories without one are left out."""

    def scopes(self) -> list[Scope]:
        """Return every scope that contains or contained a memory."""

    def stats(self, scope: Scope) -> Stats:
        """Return counts of a scope."""

    def health(self, scope: Scope, now: datetime) -> Health:
        """Return the condition of a scope's memory at ``now``."""

    def events(
        self, scope: Scope | None = None, *, after: int = 0, actions: Collection[Action] | None = None
    ) -> Iterator[Event]:
        """Yield the journal's events in order, after number ``after``; of one scope, or of all (for replay and verify).

        ``actions`` selects events of these kinds; fast for all but ``REMEMBER`` and ``RECALL``.
        """

    def head(self) -> tuple[int, str]:
        """Return sequence number and hash of the last event; (0, 64 zeros) if there is none."""

    def unindexed(self, model: ModelInfo, limit: int) -> list[Memory]:
        """Return memories of any scope without a vector of this model, oldest first."""

    def missing(self, model: ModelInfo) -> int:
        """Return how many memories have no vector of this model."""

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors computed later, in one transaction; memories that were erased meanwhile are skipped."""

    def drop_vectors(self, *, keep: ModelInfo) -> int:
        """Delete the vectors of every model but this and its second model; return how many were deleted."""

    def analyzer(self) -> str:
        """Return the version of the text analyzer that made the indexed terms; "" in a new store."""

    def reindex(self, analyzer: str, entries: Iterator[tuple[Scope, str, IndexEntry]]) -> None:
        """Replace every memory's terms in one transaction, and record the analyzer's version."""

    def check(self) -> list[Fault]:
        """Find damage in the file, the search index, the journal chain and the tables derived from it."""

    def digest(self) -> str:
        """Return the SHA-256 over everything but vectors and terms; equal stores give equal digests."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold the lock for work on a whole scope; raises Conflict while another process or thread holds it."""

    def merge_index(self) -> None:
        """Merge the segments of the text index, after many writes at once; the stored content does not change."""

    def compact(self) -> int:
        """Shrink the index and the file to what they contain; return the bytes freed."""

    def backup(self, path: Path) -> None:
        """Write a consistent copy while others read and write."""

    def close(self) -> None:
        """Release all resources; every later call raises StoreClosed."""
