"""Protocols of what the engine needs from outside: clock, ids, models, store; adapters in ``stores`` and ``models``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from reverie.answers import Fault, Health, Job, JobState, Stats
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
    Record,
    Relation,
    RelationKind,
    Scope,
    TimeArray,
)

T = TypeVar("T")
CORPUS_MB = 512
"""Most megabytes of columns and vectors that a store keeps in memory for recall, by default: at 512 dimensions those of
32 scopes of 7,000 memories each, or of 250 scopes of 1,000."""


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """Return the current time, timezone-aware, in UTC."""


class Ids(Protocol):
    """A source of ids and salts."""

    def new_id(self, at: datetime) -> str:
        """Return a new unique id; ids made later sort after ids made earlier."""

    def salt(self) -> bytes:
        """Return sixteen random bytes."""


class Embedder(Protocol):
    """Embedding model: turns texts into unit vectors. Accepts any Python string."""

    @property
    def info(self) -> ModelInfo:
        """Return the identity of the model."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts to store: shape (n, dims), unit rows; a text without content gives a zero row."""

    def embed_query(self, text: str) -> FloatArray:
        """Embed a query: shape (dims,), unit length or zero."""


class Paired(Embedder, Protocol):
    """An embedder that comes with a better and slower one; ``info.second`` identifies that and is not None."""

    def second(self) -> Embedder:
        """Return the slower embedder, loaded on the first call. Raises ModelError."""


@runtime_checkable
class Calibrated(Protocol):
    """An embedder that can convert its cosine of two texts to the scale of the published recipes (reading 1)."""

    def calibration(self, cosine: float) -> float:
        """Convert a cosine to that scale; monotonically rising, 1 at 1."""
        ...


@runtime_checkable
class Confident(Protocol):
    """An embedder that can say how likely a passage answers a question, given their cosine (reading 21)."""

    def confidence(self, cosine: float) -> float:
        """Return that likelihood, in [0, 1]; monotonically rising with the cosine."""
        ...


Scale: TypeAlias = Callable[[float], float]
"""A monotonically rising function from a model's cosine to the scale of the published recipes."""


def as_it_is(cosine: float) -> float:
    """Return the cosine unchanged: the scale of a model without calibration."""
    return cosine


def scale_of(embedder: object) -> Scale:
    """Return the embedder's calibration of the cosine of two texts; without one, the identity."""
    return embedder.calibration if isinstance(embedder, Calibrated) else as_it_is


def confidence_of(embedder: object) -> Scale:
    """Return the embedder's scale for the cosine of a question and a passage; without one, that of two texts."""
    return embedder.confidence if isinstance(embedder, Confident) else scale_of(embedder)


def info_of(embedder: Embedder | None) -> ModelInfo | None:
    """Return an embedder's identity; None without an embedder, or if its endpoint does not answer."""
    try:
        return embedder.info if embedder is not None else None
    except ModelUnavailable:
        return None


def paired(embedder: Embedder | None) -> Paired | None:
    """Return the embedder if it comes with a better and slower one, else None."""
    info = info_of(embedder)
    return None if info is None or info.second is None else cast("Paired", embedder)


class Reranker(Protocol):
    """Reranking model: reads each text together with the cue and scores the match. Accepts any string."""

    @property
    def name(self) -> str:
        """Return the model's name, for people to read."""

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Score texts for a cue: shape (n,), finite, higher for a better match; only the order counts.

        Raises ModelError when the model or the network fails.
        """


class Vectors(Protocol):
    """The vectors of one model in a scope at one moment, addressed by the ordinals of its corpus."""

    @property
    def embedded(self) -> int:
        """Return how many memories have a vector."""

    @property
    def mean(self) -> FloatArray:
        """Return the mean of the vectors, (dimensions,); it is subtracted before cosines are taken."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Find the ``top_k`` memories of highest centred cosine: ordinals (descending, ties by ordinal) and cosines."""

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Compute exact centred cosines of these memories; 0 for one without a vector."""

    def of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories, (m, dimensions); a row of zeros for one without a vector."""


@dataclass(frozen=True, slots=True)
class Bond:
    """The relation of a new memory to number ``other`` (from 0) of those it was compared with.

    ``confidence`` in [0, 1]; ``from_new``: the new memory is the edge's source, else its target.
    """

    other: int
    kind: RelationKind
    from_new: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Said:
    """A message as a language model receives it, with pronouns resolved as far as the rules can.

    ``statements`` are those of its facts that assert something: no questions, no suppositions. ``before`` are the
    previous messages of the session, oldest first.
    """

    text: str
    at: datetime
    statements: tuple[str, ...] = ()
    speaker: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a language model found in a message; the rules fill in what is None or empty."""

    text: str
    kind: Kind | None = None
    until: datetime | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A language model's answer for a message: its facts, why some were ``refused``, and why the call ``failed``."""

    facts: tuple[Stated, ...] = ()
    refused: tuple[str, ...] = ()
    failed: str = ""


class FormingMind(Protocol):
    """Language-model tasks of forming memories from a message. Where an answer is None, the heuristic decides."""

    def form(self, said: Said) -> Told:
        """Extract the facts of a message; ``Told.failed`` is set where there is no answer."""

    def merge(self, old: str, new: str) -> str | None:
        """Merge two texts into one with every fact of both."""

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Find the relations of a new memory to others, at most one to each; () where there is none."""


class Mind(FormingMind, Protocol):
    """All tasks that a memory has for a language model. Where an answer is None, the heuristic decides.

    The texts of memories are given as data, never as instructions; the format of each answer has been checked.
    """

    def route(self, cue: str) -> str | None:
        """Classify the intent of a cue: factual, temporal, causal, entity_profile, preference, general."""

    def theme(self, texts: Sequence[str]) -> str | None:
        """State what a cluster of memories has in common."""

    def pattern(self, texts: Sequence[str]) -> str | None:
        """State the habit behind a cluster of memories."""

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarize the memories of a category in a few sentences."""


class Postings(Protocol):
    """The memories in which a term occurs, and how often."""

    @property
    def ordinals(self) -> IntArray:
        """Return the memories' ordinals, ascending, each once."""

    @property
    def counts(self) -> FloatArray:
        """Return how often the term occurs in each, same length."""


class Corpus(Protocol):
    """The searchable columns of one scope, as of one moment. Ordinals 0 … size−1 follow the order of writing.

    All its contents and statistics are of this scope alone.
    """

    @property
    def size(self) -> int:
        """Return the number of memories, n."""

    @property
    def lengths(self) -> FloatArray:
        """Return the number of indexed terms of each memory, (n,)."""

    @property
    def mean_length(self) -> float:
        """Return the mean number of indexed terms of a memory; 0 without memories."""

    def window_lengths(self, radius: int) -> FloatArray:
        """Return the number of indexed terms within ``radius`` messages of each memory in its session, (n,)."""

    def occurrences(self, terms: tuple[str, ...]) -> FloatArray:
        """Count the occurrences of any of these indexed terms in each memory, (n,). Cached: for fixed lists only."""

    @property
    def words(self) -> FloatArray:
        """Return the number of words of each memory's own text, (n,)."""

    @property
    def previous(self) -> IntArray:
        """Return the ordinal of the message before each memory in its session, (n,); −1 for none."""

    @property
    def following(self) -> IntArray:
        """Return the ordinal of the message after each memory in its session, (n,); −1 for none."""

    @property
    def speaker_names(self) -> Sequence[str]:
        """Return the distinct speakers, in order of first appearance."""

    @property
    def speakers(self) -> IntArray:
        """Return each memory's speaker, (n,), as an index into ``speaker_names``."""

    @property
    def roles(self) -> IntArray:
        """Return each memory's role, (n,), as an index into ``tuple(Role)``."""

    @property
    def said_at(self) -> TimeArray:
        """Return when each memory was said, (n,), in seconds since the epoch."""

    @property
    def valid_from(self) -> TimeArray:
        """Return since when each is true, (n,), in epoch seconds: the time its text names, else ``said_at``."""

    @property
    def kinds(self) -> IntArray:
        """Return each memory's kind, (n,), as an index into ``tuple(Kind)``."""

    @property
    def states(self) -> IntArray:
        """Return each memory's state, (n,), as an index into ``tuple(State)``."""

    @property
    def valid_until(self) -> IntArray:
        """Return until when each memory is valid, (n,), in epoch microseconds; 2⁶³−1 for ever."""

    def recallable(self, now: datetime) -> BoolArray | None:
        """Return which memories are valid at ``now`` and in a state that is recalled, (n,); None when all are."""

    def postings(self, term: str) -> Postings:
        """Find the memories in which a stem occurs; empty for an unknown stem."""

    @property
    def embedded(self) -> int:
        """Return how many memories have a vector of the corpus's model."""

    @property
    def second(self) -> Vectors | None:
        """Return the vectors of the second model (``ModelInfo.second``); None without one."""

    def nearest(self, query: FloatArray, top_k: int, among: BoolArray | None) -> tuple[IntArray, FloatArray]:
        """Find the ``top_k`` memories of highest centred cosine: ordinals (descending, ties by ordinal) and cosines.

        Centred: the mean of the scope's vectors is subtracted from query and memory (``formulas.centring``).
        """

    def similarities(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Compute exact centred cosines of these memories; 0 for one without a vector."""

    def cosines(self, query: FloatArray, ordinals: IntArray) -> FloatArray:
        """Compute exact raw cosines of these memories; 0 for one without a vector."""

    @property
    def centre(self) -> FloatArray | None:
        """Return the mean vector that is subtracted before centred cosines, (dimensions,); None without vectors."""

    def vectors_of(self, ordinals: IntArray) -> FloatArray:
        """Return the vectors of these memories, (m, dimensions); a row of zeros for one without a vector."""

    def fetch(self, ordinals: Sequence[int]) -> list[Memory]:
        """Load the memories of these ordinals, in the given order."""


class Transaction(Protocol):
    """One unit of writing in one scope, applied completely or not at all."""

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Chain a draft to its scope's journal and apply it; ``index`` has one entry for each of its memories.

        Raises InvalidInput for a draft of another scope than the transaction's.
        """

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append an event of another store unchanged (replay). Raises StoreCorrupt if it does not continue ours."""

    def next_seq(self, scope: Scope, session: str) -> int:
        """Return the position after the last message of a session."""

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """Find the episode that came with this message id or has it as its own id, as an export gives it."""

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that hold content of these memories, or of what was formed from them."""


class Store(Protocol):
    """Storage of memories: journals, tables and indexes. Methods that read or write memories take a scope.

    Each scope has a journal of its own: its events are numbered from 1 and chained by hash, independent of the others.
    """

    def begin(self, scope: Scope, *, durable: bool) -> AbstractContextManager[Transaction]:
        """Open a write transaction in one scope; ``durable``: its commit waits until the data is on disk.

        Raises StoreBusy, StoreFull, StoreReadOnly.
        """

    def corpus(self, scope: Scope, model: ModelInfo | None) -> Corpus:
        """Return the scope's searchable columns, including what other processes have written."""

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return the memory of this id in this scope; None where there is none."""

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories of these ids, in the given order; unknown ids are left out."""

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes that have formed memories, all of which are superseded."""

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, in any state, in order of writing."""

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` (from 1) accesses, in order of writing."""

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source, in order of writing."""

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that wrote, changed, linked or recalled a memory, in order; [] for an unknown id."""

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the edges of the scope, or those that touch one of these memories; by source, target and kind."""

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return pairs of formed memories recalled together, all or those with one of these; by first and second."""

    def records(self, sort: str, *, scope: Scope | None = None, about: str | None = None) -> list[Record]:
        """Return the records of a sort, by scope and name: those of one scope, those about one name, or all."""

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories by time said, then position, then order of writing; ``start`` ≤ at < ``end``."""

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last messages of a session, by position; ``holding``: only those valid at that moment."""

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Map memory ids to the ids that their messages came with; memories without one are left out."""

    def scopes(self) -> list[Scope]:
        """Return every scope that has or had a memory."""

    def stats(self, scope: Scope) -> Stats:
        """Count the memories, sessions, events and so on of a scope."""

    def health(self, scope: Scope, now: datetime) -> Health:
        """Compute the health counts of a scope at ``now``."""

    def events(self, scope: Scope, *, after: int = 0, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of a scope's journal after number ``after``, in order.

        ``actions``: only these kinds of events; fast for all but ``REMEMBER`` and ``RECALL``.
        """

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope's journal; (0, 64 zeros) when there is none."""

    def heads(self) -> dict[Scope, tuple[int, str]]:
        """Return the head of every scope's journal, scopes in order."""

    def mark(self) -> int:
        """Return how many events were written, in all scopes; if it is unchanged, so are all journals."""

    def happened(self, after: int, actions: Collection[Action]) -> bool:
        """Whether an event of one of these kinds was written, in any scope, after the mark was ``after``."""

    def unindexed(self, model: ModelInfo, limit: int, scope: Scope | None = None) -> list[Memory]:
        """Return up to ``limit`` memories without a vector of this model, of a scope or of any, oldest first."""

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of existing memories, in one transaction; a memory erased meanwhile is skipped."""

    def outdated(self, keep: ModelInfo) -> list[Scope]:
        """Return the scopes that have, or had, vectors of other models than this and its second one."""

    def drop_vectors(self, scope: Scope, *, keep: ModelInfo) -> int:
        """Delete a scope's vectors of all models but this and its second one; return how many were deleted."""

    def analyzer(self, scope: Scope | None = None) -> str:
        """Return the version of the analyzer that made the indexed terms, of a scope or of all; "" in a new store."""

    def reindex(self, scope: Scope, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
        """Replace the indexed terms of a scope's memories, in one transaction, and record the analyzer's version.

        ``entries`` are pairs of id and entry; a memory without one has no terms afterwards.
        """

    def reindexed(self, analyzer: str) -> None:
        """Record that the terms of all scopes, and of those to come, are of this version of the analyzer."""

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Check file, search index, journal chain and tables for damage; return what was found.

        Without ``replay`` only what does not read the whole journal: the file's form, counts and orphaned rows.
        """

    def digest(self, scope: Scope | None = None) -> str:
        """Return a SHA-256 over everything but vectors and terms, of a scope or of all."""

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the store's seals, ascending (``engine.seals``)."""

    def seal(self, number: int, text: str) -> None:
        """Keep a seal; ``text`` is ASCII. Raises Conflict if there is one of this number."""

    def alone(self, scope: Scope) -> AbstractContextManager[None]:
        """Lock a scope for work on the whole of it, as a dream; Conflict if another process or thread has the lock.

        A store may lock more than the scope.
        """

    def merge_index(self) -> None:
        """Merge the segments of the text index, after many writes. Its contents do not change."""

    def compact(self) -> int:
        """Shrink the index and the file to their contents; return how many bytes that freed."""

    def backup(self, path: Path) -> None:
        """Write a consistent copy to ``path`` while others read and write."""

    def close(self) -> None:
        """Release all resources; every later call raises StoreClosed."""


class Distant(Protocol):
    """A store on a server, whose answers take a while: it is asked for much at once."""

    def ahead(self, scope: Scope, model: ModelInfo | None, do: Callable[[], T], writes: bool) -> T:
        """Run a call that names one scope, and answer in few round trips what it asks before its first write.

        ``do`` may be run twice, if ``writes`` and the scope's records changed meanwhile; the first run wrote nothing.
        """

    def append(self, draft: Draft, durable: bool) -> Event:
        """Write one event that adds no memories, in a transaction of its own; raises as ``Store.begin``."""


def distant(store: Store) -> Distant | None:
    """Return the store as a distant one, if it is one."""
    return cast("Distant", store) if hasattr(store, "ahead") else None


class Jobs(Protocol):
    """A queue of jobs that outlives its processes: what is to be done, how far it is, and who may work on it now.

    At most one process or thread works on the jobs of a scope, by a lock that the death of its process releases.
    """

    def enqueue(self, job: Job) -> Job:
        """Add a waiting job, durably; or return the open one of its scope, kind and key, if the key is not empty."""

    def jobs(self, scope: Scope) -> list[Job]:
        """Return the jobs of a scope, newest first."""

    def show(self, job_id: str, scope: Scope) -> Job:
        """Return one job. Raises NotFound, also for a job of another scope."""

    def is_open(self) -> bool:
        """Whether a job is waiting or running, in any scope."""

    def claim(self, at: datetime) -> AbstractContextManager[Job | None]:
        """Take the next job that nobody works on, for the length of the block; None: there is none."""

    def progress(self, job_id: str, done: int, total: int, at: datetime) -> bool:
        """Record how far a job is; return False when somebody wants it cancelled.

        Going further than ever before starts the count of attempts again.
        """

    def end(self, job_id: str, state: JobState, reason: str, at: datetime) -> None:
        """Record how an attempt ended; waiting with a reason: it failed, without: it was interrupted."""

    def cancel(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Cancel a job, at once or at its next step. Raises NotFound; Conflict if it has ended."""

    def retry(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Let a failed or cancelled job wait again. Raises NotFound, Conflict."""

    def close(self) -> None:
        """Release all resources; jobs stay."""


@runtime_checkable
class Queued(Protocol):
    """A store that can keep its jobs itself; those of any other lie beside it."""

    def queue(self) -> Jobs | None:
        """Return the jobs of the store; None: it keeps none, and they lie beside it."""


@runtime_checkable
class Adviser(Protocol):
    """A store that can give advice beyond the report of damage."""

    def advice(self) -> list[Fault]:
        """Return remarks that are no faults and yet worth knowing."""
