"""The dream (consolidation): run a recipe's steps one after another and write their outcomes as events.

Others can recall in between. Similarity of memories is computed from the store's vectors, or from hashed words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from time import perf_counter
from typing import TypeAlias, TypeVar

import numpy as np

from reverie.consolidate.forgetting import resting
from reverie.consolidate.history import (
    Cycle,
    DreamReport,
    Mark,
    StepReport,
    as_made,
    by_step,
    cycles,
    left_of,
    made_by,
    marks,
    period_of,
    reason,
    rewound,
    unwanted,
    without,
    written,
)
from reverie.consolidate.lossless import lawful
from reverie.consolidate.pipeline import DreamStep, steps
from reverie.consolidate.runs import SESSION, RecordedRun, runs_of
from reverie.consolidate.settings import DreamSettings, StepName
from reverie.consolidate.snapshot import Cluster, Nearness, Night, Outcome, Snapshot, snapshot_of
from reverie.consolidate.themes import Extractive, Spoken
from reverie.encode.memory_factory import index
from reverie.engine.context import Guests, settle, short_turns
from reverie.engine.requests import actor
from reverie.errors import ModelUnavailable, NotFound
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    DreamStage,
    Dreamt,
    Erased,
    Event,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Related,
    changed,
)
from reverie.formulas.similarity_scales import lowest_cosine
from reverie.models.hashing import HashEmbedder
from reverie.models.port_values import one_thread
from reverie.ports import Clock, Corpus, Embedder, Ids, Mind, Scale, Store, Transaction, as_it_is, info_of, scale_of
from reverie.stores.corpus import CorpusView
from reverie.stores.vectors import VectorView, wide
from reverie.types import KIND_CODES, FloatArray, IndexEntry, Kind, Memory, Scope

_WORDS_DIMS = 256


def nearness_of(places: Mapping[str, int], corpus: Corpus, scale: Scale = as_it_is) -> Nearness:
    """Return the similarity source for a dream: the corpus's vectors if it has any, else hashed vectors of words.

    ``places`` maps ids to ordinals; ``scale`` converts the model's cosines to the scale of the published recipes.
    """
    if corpus.embedded and isinstance(corpus, CorpusView) and corpus.vectors is not None:
        return ByVector(corpus.vectors, places, scale)
    return ByWords()


class ByVector:
    """Similarity of memories by the vectors of a store's corpus (``Nearness``)."""

    def __init__(self, view: VectorView, places: Mapping[str, int], scale: Scale) -> None:
        self._view = view
        self._places = places
        self._scale = scale

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """Return the memories' vectors, (m, dims); zeros for one without a vector."""
        ordinals = np.array([self._places.get(memory.id, -1) for memory in memories], np.int64)
        rows: FloatArray = wide(self._view.rows[ordinals])
        absent = ordinals < 0
        if self._view.present is not None:
            absent |= ~self._view.present[ordinals]
        rows[absent] = 0.0
        return rows

    def read(self, cosine: float) -> float:
        """Convert a cosine of the model to the calibrated scale."""
        return self._scale(cosine)

    def edge(self, cosine: float) -> float:
        """Return the lowest cosine of the model whose calibrated value is at least ``cosine``."""
        if self._scale is as_it_is:
            return cosine
        return lowest_cosine(self._scale, cosine)


class ByWords:
    """Similarity of memories by hashed vectors of their words, for a store without an embedder (``Nearness``)."""

    def __init__(self) -> None:
        self._model = HashEmbedder(_WORDS_DIMS)
        self._known: dict[str, FloatArray] = {}

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        """Return the memories' vectors, (m, dims)."""
        new = [memory for memory in memories if memory.id not in self._known]
        made = self._model.embed_passages([memory.text for memory in new])
        self._known.update((memory.id, row.astype(np.float16)) for memory, row in zip(new, made, strict=True))
        if not memories:
            return np.empty((0, _WORDS_DIMS), np.float32)
        return np.stack([self._known[memory.id] for memory in memories]).astype(np.float32)

    def read(self, cosine: float) -> float:
        """Return the cosine unchanged."""
        return cosine

    edge = read


BATCH = 50
"""Changes per transaction. An event may hold 500 changes, but recalls wait for a transaction to end: 5 ms."""
_PAGE = 250

T = TypeVar("T")
Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of steps done, the number of all steps and the name of the current step."""


def _unheard(*told: object) -> None:
    """Do nothing: the default callback."""


@dataclass(frozen=True, slots=True)
class DreamContext:
    """What a dream works with. ``lock`` is held during each transaction only; running recalls (``guests``) go first.

    ``progress`` is called before each step and after each transaction; an exception it raises interrupts the dream.
    ``quiet``: write no event if nothing changes. ``unembedded`` is called if the model is down, with the number of
    texts that got no vector.
    """

    store: Store
    clock: Clock
    ids: Ids
    lock: AbstractContextManager[object]
    embedder: Embedder | None = None
    mind: Mind | None = None
    guests: Guests = field(default_factory=Guests)
    progress: Progress = _unheard
    quiet: bool = False
    unembedded: Callable[[int, ModelUnavailable], None] = _unheard


def dream(means: DreamContext, scope: Scope, settings: DreamSettings, *, dry_run: bool = False) -> DreamReport:
    """Consolidate a scope once, or complete an interrupted dream; ``dry_run`` writes nothing.

    Raises:
        Conflict: another process or thread is dreaming over this store.
    """
    with nullcontext() if dry_run else means.store.alone(scope):
        return _dream(means, scope, settings, dry_run=dry_run)


def _dream(means: DreamContext, scope: Scope, settings: DreamSettings, *, dry_run: bool) -> DreamReport:
    ahead = steps(settings)
    begun = _begin(means, scope, settings)
    with short_turns(), one_thread():
        seen = _look(means, scope, begun, ahead)
        writer = _Writer(means, scope, begun, dry_run=dry_run, head=seen.head)
        reports, warm = _step_by_step(seen, ahead, writer)
        reports += _rest(means, scope, settings, seen, writer)
        writer.end()
    return DreamReport(
        night=begun.night,
        period=begun.period,
        memories=len(seen.snapshot.memories),
        steps=reports,
        hot=warm,
        dry_run=dry_run,
        resumed=begun.interrupted is not None,
    )


def _step_by_step(
    seen: _Seen, ahead: Sequence[DreamStep], writer: _Writer
) -> tuple[tuple[StepReport, ...], tuple[str, ...]]:
    """Compute each step's outcome, write it, and pass the changed snapshot to the next step.

    A step whose computation fails writes nothing and is reported; the others go on. An error while writing (a full
    disk) ends the dream; the next dream continues from there.
    """
    snapshot, warm, done, made = seen.snapshot, tuple[str, ...](), seen.done, seen.made
    reports: list[StepReport] = []
    for done_steps, step in enumerate(ahead[seen.first :], seen.first):
        writer.at(done_steps, len(ahead), step.name)
        started = perf_counter()
        try:
            outcome = as_made(step.act(snapshot, snapshot.night.at), made)
            outcome = lawful(outcome, snapshot.memory, snapshot.night.at, snapshot.resting_in)
        except Exception as error:  # noqa: BLE001 - a step writes nothing while it is computed; the others go on
            why = f"{type(error).__name__}: {error}"
            reports.append(StepReport.of_failed(step.name, why, (perf_counter() - started) * 1000.0))
            done, made = frozenset(), {}
            continue
        writer.unmake(step.name, unwanted(outcome, made, done))
        left = writer.write(step.name, snapshot, left_of(outcome, done))
        reports.append(StepReport.of(step.name, outcome, left, (perf_counter() - started) * 1000.0))
        snapshot = snapshot.after(outcome)
        warm, done, made = outcome.hot or warm, frozenset(), {}
    return tuple(reports), warm


def _rest(
    means: DreamContext, scope: Scope, settings: DreamSettings, seen: _Seen, writer: _Writer
) -> tuple[StepReport, ...]:
    """Run the step that makes old episodes dormant, after all others; it ignores those that are dormant already."""
    if settings.resting is None or StepName.RESTING not in settings.order:
        return ()
    night, started = seen.snapshot.night, perf_counter()
    with means.lock:
        corpus = means.store.corpus(scope, None)
        among = corpus.recallable(night.at)
    episodes = corpus.kinds == KIND_CODES[Kind.EPISODE]
    awake = np.ones(corpus.size, np.bool_) if among is None else among
    _, memories = _fetch(means, corpus, np.flatnonzero(awake & episodes).tolist())
    held = {memory.id: memory for memory in memories}
    outcome = resting(memories, int((awake & ~episodes).sum()), settings.resting, night.at)
    outcome = lawful(outcome, held.get, night.at, lambda _: ())
    left = writer.write(StepName.RESTING, seen.snapshot, outcome)
    return (StepReport.of(StepName.RESTING, outcome, left, (perf_counter() - started) * 1000.0),)


@dataclass(frozen=True, slots=True)
class _Begun:
    """The dream cycle to run: its night and period, and the interrupted cycle it continues, if any."""

    night: Night
    period: str
    interrupted: Cycle | None


def _begin(means: DreamContext, scope: Scope, settings: DreamSettings) -> _Begun:
    with means.lock:
        known = cycles(means.store, scope)
    interrupted = _interrupted(known, settings)
    at = means.clock.now() if interrupted is None else interrupted.at
    cycle = means.ids.new_id(at) if interrupted is None else interrupted.id
    period, start = period_of(at, settings.period_hours, cycle)
    ended = [one.at for one in known if one.stage is DreamStage.DONE and one.period == period]
    return _Begun(Night(cycle, at, start, max(ended, default=None)), period, interrupted)


def _interrupted(known: Sequence[Cycle], settings: DreamSettings) -> Cycle | None:
    """Return the interrupted cycle to continue: for a full dream only a full one, for a single step only such a one."""
    alone = settings.period_hours is None
    same = (one for one in reversed(known) if (one.period == one.id) == alone)
    newest = next(same, None)
    return newest if newest is not None and newest.stage is DreamStage.BEGUN else None


@dataclass(frozen=True, slots=True)
class _Seen:
    """The scope before the step number ``first``; ``done`` is what that step has written, ``made`` what it formed."""

    snapshot: Snapshot
    head: int
    first: int = 0
    done: frozenset[Mark] = frozenset()
    made: Mapping[str, Memory] = field(default_factory=dict)


def _look(means: DreamContext, scope: Scope, begun: _Begun, ahead: Sequence[DreamStep]) -> _Seen:
    store, model = means.store, info_of(means.embedder)
    with means.lock:
        head = store.head(scope)[0]
        corpus = store.corpus(scope, model)
    ordinals = np.flatnonzero(corpus.kinds != KIND_CODES[Kind.EPISODE]).tolist()
    places, memories = _fetch(means, corpus, ordinals)
    with means.lock:
        relations, companions = store.relations(scope), store.companions(scope)
    snapshot = snapshot_of(
        memories,
        begun.night,
        scope,
        nearness_of(places, corpus, scale_of(means.embedder)),
        Extractive() if means.mind is None else Spoken(means.mind),
        relations,
        companions,
    )
    snapshot = replace(snapshot, pace=means.guests.paced, runs=_runs(means, scope, begun, ahead))
    if begun.interrupted is None:
        return _Seen(snapshot, head)
    with means.lock:
        events = by_step(written(store, scope, begun.interrupted))
    return _resumed(_Seen(snapshot, head), ahead, events)


def _runs(means: DreamContext, scope: Scope, begun: _Begun, ahead: Sequence[DreamStep]) -> tuple[RecordedRun, ...]:
    """Load the runs of skills; none if no step needs them."""
    if all(step.name is not StepName.SKILLS for step in ahead):
        return ()
    with means.lock:
        return tuple(runs_of(means.store.memories(scope, session=SESSION), begun.night.at))


def _fetch(means: DreamContext, corpus: Corpus, ordinals: Sequence[int]) -> tuple[dict[str, int], list[Memory]]:
    """Load the memories at these ordinals, with the ordinal by id; page by page, so that others read in between."""
    places: dict[str, int] = {}
    memories: list[Memory] = []
    for start in range(0, len(ordinals), _PAGE):
        page = ordinals[start : start + _PAGE]
        with means.lock:
            found = _fetch_page(corpus, page)
        settle()
        means.guests.give_way()
        places.update((memory.id, ordinal) for ordinal, memory in found)
        memories += [memory for _, memory in found]
    return places, memories


def _fetch_page(corpus: Corpus, page: Sequence[int]) -> list[tuple[int, Memory]]:
    try:
        return list(zip(page, corpus.fetch(page), strict=True))
    except NotFound:  # one of them was erased after the corpus was read
        if len(page) == 1:
            return []
        half = len(page) // 2
        return [*_fetch_page(corpus, page[:half]), *_fetch_page(corpus, page[half:])]


def _resumed(seen: _Seen, ahead: Sequence[DreamStep], events: dict[StepName, list[Event]]) -> _Seen:
    """Restore what the interrupted step had seen, with the clusters it was given."""
    names = [step.name for step in ahead]
    ran = [place for place, name in enumerate(names) if name in events]
    if not ran:
        return seen
    first = ran[-1]
    snapshot = _before(seen.snapshot, events[names[first]])
    if StepName.CLUSTERING in names[:first]:
        place = names.index(StepName.CLUSTERING)
        later = [event for name in names[place:] for event in events.get(name, ())]
        then = _before(seen.snapshot, later)
        found = ahead[place].act(then, then.night.at).clusters
        snapshot = replace(snapshot, clusters=tuple(_moved(cluster, then, snapshot) for cluster in found))
    ran_last = events[names[first]]
    return _Seen(snapshot, seen.head, first, marks(ran_last), made_by(ran_last))


def _before(snapshot: Snapshot, events: Sequence[Event]) -> Snapshot:
    memories, relations = rewound(snapshot.memories, snapshot.relations, events)
    before = snapshot_of(
        memories, snapshot.night, snapshot.scope, snapshot.nearness, snapshot.voice, relations, snapshot.companions
    )
    return replace(before, runs=snapshot.runs)


def _moved(cluster: Cluster, before: Snapshot, after: Snapshot) -> Cluster:
    """Return a cluster with the row numbers of another snapshot of the same scope."""
    return Cluster(cluster.label, tuple(after.places[before.memories[row].id] for row in cluster.rows))


class _Writer:
    """Writes outcomes as events of one cycle, in small transactions; skips memories that others changed meanwhile."""

    def __init__(self, means: DreamContext, scope: Scope, begun: _Begun, *, dry_run: bool, head: int) -> None:
        self._means = means
        self._scope = scope
        self._begun = begun
        self._dry_run = dry_run
        self._seen = head
        self._touched: set[str] = set()
        self._erased = False
        self._is_open = begun.interrupted is not None
        self._place = (0, 0, "")

    def at(self, done: int, steps: int, step: StepName) -> None:
        """Report which step is running, to ``progress``."""
        self._place = (done, steps, str(step))
        self._means.progress(*self._place)

    def write(self, step: StepName, snapshot: Snapshot, outcome: Outcome) -> int:
        """Write an outcome; return how many of its changes were skipped because others changed the memories first."""
        if self._dry_run or _does_nothing(outcome):
            return 0
        why, cycle = reason(self._begun.night.cycle, step), self._begun.night.cycle
        self._open()
        unformed = [memory.id for memory in outcome.formed if not self._form(memory, why)]
        outcome = without(outcome, unformed)
        for edges in _batches(outcome.related):
            with self._transaction() as tx:
                self._append(tx, Action.RELATE, why, Related(edges, cycle=cycle))
        for edges in _batches(outcome.unrelated):
            with self._transaction() as tx:
                self._append(tx, Action.RELATE, why, Related((), edges, cycle))
        left = sum(self._change(batch, why) for batch in _batches([one for one in outcome.changes if not one.rewords]))
        return len(unformed) + left + sum(self._reword(snapshot, one, why) for one in outcome.changes if one.rewords)

    def unmake(self, step: StepName, made: Sequence[Memory]) -> None:
        """Remove memories that an interrupted step formed of members since changed, unless others changed them too."""
        why, cycle = reason(self._begun.night.cycle, step), self._begun.night.cycle
        for memory in made if not self._dry_run else ():
            with self._transaction() as tx:
                self._look_around()
                stands = self._means.store.memory(self._scope, memory.id)
                if stands == memory and memory.id not in self._touched:
                    self._append(tx, Action.FORM, why, Formed((), (memory,), cycle))

    def end(self) -> None:
        """Mark the cycle as done; a repeated dream within a period that changed nothing writes no event."""
        if not self._dry_run and (self._is_open or (self._begun.night.since is None and not self._means.quiet)):
            self._open()
            self._mark(DreamStage.DONE)

    def _form(self, memory: Memory, why: str) -> bool:
        """Write a new memory, unless something was erased meanwhile, which its text might quote."""
        entry = self._entry(memory)
        with self._transaction() as tx:
            self._look_around()
            if not self._erased:
                self._append(tx, Action.FORM, why, Formed((memory,), cycle=self._begun.night.cycle), (entry,))
        return not self._erased

    def _change(self, batch: Sequence[Change], why: str) -> int:
        with self._transaction() as tx:
            self._look_around()
            kept = tuple(change for change in batch if change.memory not in self._touched)
            if kept:
                # Nobody else writes within this transaction, so its own event need not be read again.
                self._seen = self._append(tx, Action.CHANGE, why, Changed(kept, self._begun.night.cycle)).seq
        return len(batch) - len(kept)

    def _reword(self, snapshot: Snapshot, change: Change, why: str) -> int:
        entry = self._entry(changed(snapshot.memories[snapshot.places[change.memory]], change))
        with self._transaction() as tx:
            self._look_around()
            if change.memory in self._touched or self._erased:
                return 1
            self._append(tx, Action.CHANGE, why, Changed((change,), self._begun.night.cycle), (entry,))
        return 0

    def _entry(self, memory: Memory) -> IndexEntry:
        """Make the index entry of a memory; without a vector if the model cannot be reached."""
        embedder = self._means.embedder
        try:
            if embedder is not None:
                return index(memory, embedder.embed_passages([memory.text])[0], embedder.info)
        except ModelUnavailable as error:
            self._means.unembedded(1, error)
        return index(memory)

    def _look_around(self) -> None:
        """Record which memories others changed since the snapshot was taken."""
        for event in self._means.store.events(self._scope, after=self._seen):
            self._seen = event.seq
            self._touched.update(_touched(event.payload, self._begun.night.cycle))
            self._erased = self._erased or event.action is Action.ERASE

    def _open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._mark(DreamStage.BEGUN)

    def _mark(self, stage: DreamStage) -> None:
        night = self._begun.night
        payload = Dreamt(night.cycle, self._begun.period, stage)
        with self._means.lock, self._means.store.begin(self._scope, durable=True) as tx:
            self._append(tx, Action.DREAM, f"dream {stage.value}", payload)

    @contextmanager
    def _transaction(self) -> Iterator[Transaction]:
        with self._means.lock, self._means.store.begin(self._scope, durable=False) as tx:
            yield tx
        self._means.guests.let_through()
        self._means.progress(*self._place)

    def _append(
        self, tx: Transaction, action: Action, why: str, payload: Payload, entries: Sequence[IndexEntry] = ()
    ) -> Event:
        begun = isinstance(payload, Dreamt) and payload.stage is DreamStage.BEGUN
        at = self._begun.night.at if begun else self._means.clock.now()
        draft = Draft(self._scope, at, actor(self._scope), action, why, payload, self._means.ids.salt())
        return tx.append(draft, entries)


def _does_nothing(outcome: Outcome) -> bool:
    return not (outcome.changes or outcome.formed or outcome.related or outcome.unrelated)


def _touched(payload: Payload | None, cycle: str) -> Iterator[str]:
    """Yield the memories that an event outside this cycle changed."""
    match payload:
        case Recalled(memories, changes):
            yield from memories
            yield from (change.memory for change in changes)
        case Changed(changes, own) if own != cycle:
            yield from (change.memory for change in changes)
        case Formed(_, removed, own) if own != cycle:
            yield from (memory.id for memory in removed)
        case Forgotten(memory):
            yield memory
        case Erased(memories):
            yield from memories
        case _:
            pass


def _batches(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    rest = iter(things)
    while batch := tuple(islice(rest, BATCH)):
        yield batch
