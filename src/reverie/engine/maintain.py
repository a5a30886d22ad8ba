"""Maintenance of a store: checks, anchors of the journal, backups, replays, repair, models and missing vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from reverie.answers import Anchor, AnchoredScope, Fault, Repaired, Seal
from reverie.durable import create, drafted
from reverie.engine.context import Context
from reverie.engine.embedding import embed_missing
from reverie.engine.factories import Receiver, lance_folder, open_beside, require_embedder, require_reranker
from reverie.engine.logs import IN_MEMORY, copies_of, halves_of, note_copy
from reverie.engine.requests import require_path, require_progress, require_scope
from reverie.errors import Conflict, InvalidInput, ModelError, ModelUnavailable, NotFound, StoreCorrupt
from reverie.events import Event
from reverie.ports import Adviser, Embedder, Reranker, Store, info_of
from reverie.types import Scope

if TYPE_CHECKING:
    from reverie.stores.sqlite.cipher import Key

_RESTORE = "Restore a store that holds what the anchor names. If you went back on purpose, take a new anchor."
_DISTRUST = "Do not trust what the store says; restore a copy from before, and find out who wrote to the file."


def anchored(store: Store, now: datetime) -> Anchor:
    """Take an anchor: the last event of each scope's journal, and hashes of some earlier ones, denser near the end.

    Raises:
        InvalidInput: there is no event yet.
    """
    found = tuple(_anchored(store, scope, head) for scope, head in store.heads().items())
    if not found:
        raise InvalidInput("The journal is empty: there is nothing to anchor.", "Keep something first.")
    return Anchor(now, found)


def _anchored(store: Store, scope: Scope, head: tuple[int, str]) -> AnchoredScope:
    seq, own = head
    places = {seq - (1 << step) for step in range(seq.bit_length())}
    found = [event for place in sorted(places) if place > 0 and (event := _event(store, scope, place)) is not None]
    first = _event(store, scope, 1)
    return AnchoredScope(scope, first.hash if first else own, seq, own, tuple((one.seq, one.hash) for one in found))


def faults(store: Store, anchor: Anchor) -> list[Fault]:
    """Find how the journals were tampered with since the anchor was taken; [] if they were only continued."""
    return [fault for one in anchor.scopes for fault in _faults(store, one, anchor.at)]


def _faults(store: Store, anchor: AnchoredScope, at: datetime) -> list[Fault]:
    scope = anchor.scope
    taken = f"the anchor of {at:%Y-%m-%d %H:%M} names event {anchor.seq}"
    try:
        first, there = _event(store, scope, 1), _event(store, scope, anchor.seq)
    except NotFound as error:  # its key was destroyed
        return [Fault("anchor-gone", f"{error.message} {taken[0].upper()}{taken[1:]}.", _RESTORE)]
    if there is not None and there.hash == anchor.hash:
        return []
    if first is None:
        what = f"The whole journal of {scope} is gone: {taken}."
        return [Fault("anchor-gone", what, _RESTORE)]
    if first.hash != anchor.first:
        what = f"The journal of {scope} is another, or rewritten from its start: {taken} of one that began otherwise."
        return [Fault("anchor-other", what, "Check that the anchor is this store's. " + _DISTRUST)]
    same, other = _marked(store, anchor)
    head, _ = store.head(scope)
    last = other or _event(store, scope, head)
    assert last is not None
    whose = f"The journal of {scope}"
    if last.at > at:
        what = f"{whose} was rolled back to event {same} or one after it, and written on: {taken}, which is gone."
        return [Fault("anchor-rolled-back", what, _RESTORE)]
    if other is not None:
        what = f"{whose} was rewritten after event {same}: {taken}, which is gone."
        return [Fault("anchor-rewritten", what, _DISTRUST)]
    what = f"{whose} was cut, or rolled back to an older copy: it ends at event {head}, and {taken}."
    return [Fault("anchor-cut", f"{what} {anchor.seq - head} events are missing.", _RESTORE)]


def _event(store: Store, scope: Scope, seq: int) -> Event | None:
    """Return the event of a number; None if there is none."""
    found = next(iter(store.events(scope, after=seq - 1)), None)
    return found if found is not None and found.seq == seq else None


def _marked(store: Store, anchor: AnchoredScope) -> tuple[int, Event | None]:
    """Return the number of the anchor's last unchanged event, and the first event that differs now, if any."""
    same = 1
    for seq, own in (*anchor.marks, (anchor.seq, anchor.hash)):
        event = _event(store, anchor.scope, seq)
        if event is None:
            break
        if event.hash != own:
            return same, event
        same = seq
    return same, None


REPLAYED_MAX = 5_000
"""Most events of a store that the command ``doctor`` replays unasked: about a second (2026-11-29)."""
LOST_MAX = 20
"""Most memories lost in dreams that one ``verify`` reports."""
UNAVAILABLE = "unavailable"
"""Replaces the key of a model whose endpoint, which alone knows it, has not answered yet."""


@runtime_checkable
class Rewrapping(Protocol):
    """A store whose scopes' keys are wrapped by a master key; None where nothing is encrypted."""

    key: Key | None

    def rewrap(self, key: Key) -> int:
        """Wrap them with another; return how many there are."""


class Maintenance:
    """Collaborator for the store itself: checks, anchors, backups, replays, models and missing vectors."""

    def __init__(self, context: Context, catch_up: Callable[[float], None] | None = None) -> None:
        self._context = context
        self._catch_up = catch_up

    @property
    def model(self) -> str:
        """Return the embedding model's key; "none" without one, ``UNAVAILABLE`` until its endpoint answers."""
        info = info_of(self._context.embedder)
        return info.key if info is not None else UNAVAILABLE if self._context.embedder else "none"

    @property
    def reranker(self) -> str:
        """Return the reranker's name; "none" without one."""
        return "none" if self._context.rereading is None else self._context.rereading.name

    @property
    def recipe(self) -> str:
        """Return the recipe's name."""
        return self._context.recipe.name

    def use_model(self, embedder: Embedder) -> None:
        """Set the embedder of an engine that was opened without one, as when the model took time to load.

        A background thread embeds memories without vectors. Raises Conflict if there is an embedder already.
        """
        require_embedder(embedder)
        with self._context.locks.whole:
            if self._context.embedder is not None:
                raise Conflict("There is a model already.", "Open another engine for another model.")
            info = info_of(embedder)
            is_behind = info is not None and any(self._context.store.missing(one) > 0 for one in info.each)
            self._context.embedder = embedder
            if isinstance(self._context.store, Receiver):
                self._context.store.embed_with(embedder)
            self._context.catch_up = self._catch_up
        if is_behind and self._catch_up is not None:
            self._catch_up(0.0)

    def use_reranker(self, reranker: Reranker) -> None:
        """Set the reranker of a running engine, as when the model took time to load."""
        self._context.reread_with(require_reranker(reranker))

    def missing(self, *, quick: bool = False) -> int:
        """Count the missing vectors of the current model and, unless ``quick``, of its second model.

        Counts all scopes; 0 without a model, or while its endpoint does not answer.
        """
        info = info_of(self._context.embedder)
        wanted = () if info is None else info.each[:1] if quick else info.each
        return sum(self._context.store.missing(one) for one in wanted)

    def embed(self, progress: Callable[[int], None] | None = None, *, quick: bool = False) -> int:
        """Make the missing vectors, in batches that survive an interruption; return how many.

        ``quick``: of the quick model only; a longer running engine makes those of the second in the background.
        """
        require_progress(progress)
        if self._context.embedder is None:
            return 0
        return embed_missing(self._context.store, self._context.embedder, self._context.locks, progress, quick=quick)

    def head(self, scope: Scope | None = None) -> int:
        """Return the number of a scope's last event, of any process; without a scope, how many events there are.

        If it is unchanged, so is the scope, or the store.
        """
        store = self._context.store
        return store.mark() if scope is None else store.head(require_scope(scope))[0]

    def anchor(self) -> Anchor:
        """Take an anchor of all journals, to keep where nobody who can write to the store can change it.

        Raises InvalidInput if there is no event yet.
        """
        with self._context.locks.whole:
            return anchored(self._context.store, self._context.clock.now())

    def seal(self, *, anew: bool = False) -> Seal:
        """Seal the ends of all journals in the store, chained to the seal before; ``verify`` compares with it.

        Nothing is written if no journal changed since the last seal. ``anew``: begin anew, with the journals as they
        are; for after a restore.

        Raises:
            InvalidInput: there is no event yet.
            Conflict: a journal is gone, shorter or another than when it was sealed; or another process seals now.
        """
        from reverie.engine.seals import seal

        with self._context.locks.whole:
            return seal(self._context.store, self._context.clock.now(), anew=anew)

    def verify(self, anchor: Anchor | None = None) -> list[Fault]:
        """Check the file, the search index, the journal's chain and the tables; return the faults found, [] if none.

        If these are sound, also check whether a dream replaced a memory by another that lacks some of its content.
        With an ``anchor``, also check that each journal was only continued since: not cut, rolled back or rewritten.
        If the store has seals, the same is checked against these.
        """
        if not isinstance(anchor, Anchor | None):
            raise InvalidInput(
                f"The anchor is {type(anchor).__name__}.", "Give what Reverie.admin.anchor() gave, or None."
            )
        with self._context.locks.whole:
            found = self._context.store.check() or [*islice(self._lost(), LOST_MAX), *self._unsealed()]
            return found if anchor is None else [*found, *faults(self._context.store, anchor)]

    def _has_more(self, events: int) -> bool:
        try:
            return self.head() > events
        except StoreCorrupt:  # verify says what is wrong
            return False

    def _glanced(self) -> list[Fault]:
        with self._context.locks.whole:
            return self._context.store.check(replay=False) or self._unsealed()

    def _unsealed(self) -> list[Fault]:
        if next(iter(self._context.store.seals()), None) is None:
            return []
        from reverie.engine.seals import faults as unsealed

        return unsealed(self._context.store)

    def _lost(self) -> Iterator[Fault]:
        from reverie.consolidate.lossless import breaches

        for scope in self._context.store.scopes():
            for one in breaches(self._context.store, scope):
                lost = f"for {one.heir.id}, which does not hold {', '.join(one.lost)}"
                what = f"A dream closed memory {one.memory.id} of {scope} {lost}."
                back = f"take the dream back with `reverie undo --cycle {one.cycle}`"
                mend = f"Open it again with `reverie memory revive {one.memory.id}` in that scope, or {back}."
                yield Fault("lost-in-a-dream", what, mend)

    def doctor(self, replayed_max: int | None = None) -> list[Fault]:
        """Run ``verify`` and further checks of models and files; return each fault with what to do.

        In a store of more than ``replayed_max`` events, what needs the whole journal is left out: its chain, and
        whether memories and search index are as it says. None: never.
        """
        if not isinstance(replayed_max, int | None):
            raise InvalidInput(f"replayed_max is {type(replayed_max).__name__}.", "Give a number of events, or None.")
        faults = self._glanced() if replayed_max is not None and self._has_more(replayed_max) else self.verify()
        if isinstance(self._context.store, Adviser):
            faults += self._context.store.advice()
        if (fault := self._context.catch_up_fault) is not None:
            faults.append(Fault("catch-up-stopped", fault.message, fault.mend))
        if halves := halves_of(self._context.parts.place):
            what = (
                f"Copying was broken off, and left {', '.join(map(str, halves))}: they may hold what was erased since."
            )
            faults.append(Fault("half-made-copy", what, "Delete these files."))
        return [*faults, *self._model_faults(), *self._reranker_faults()]

    def _model_faults(self) -> list[Fault]:
        if self._context.embedder is None:
            return []
        try:
            info = self._context.embedder.info
        except ModelUnavailable as error:
            return [Fault("model-unavailable", error.message, error.mend)]
        missing = self._context.store.missing(info)
        what = f"{missing} memories have no vector of {info.key}; they are found by text alone."
        mend = "Let it catch up: `reverie store embed`, or Reverie.admin.embed()."
        return [Fault("not-embedded", what, mend)] if missing else []

    def _reranker_faults(self) -> list[Fault]:
        """Check that the recipe uses the reranker, and that this answers a test text (no memory) in time."""
        if self._context.rereading is None:
            return []
        if not self._context.recipe.recall.reranks:
            what = f"The recipe {self.recipe} has no place for a reranker, so {self.reranker} reads nothing."
            return [Fault("reranker-unused", what, "Choose the recipe reverie, or set reranker to none.")]
        answer = self._context.rereading("doctor", ["doctor", "reverie"])
        what = f"{answer.why} Recall goes by its own order."
        mend = "Check that it runs; a slow one needs a longer reranker.deadline_ms."
        return [] if answer.scores is not None else [Fault("reranker-unavailable", what, mend)]

    def backup(self, path: str | Path) -> None:
        """Copy the whole store to a new file, while others read and write. Raises Conflict if the file exists."""
        file = require_path(path)
        note_copy(self._context.parts.place, file)
        if self._context.counts is not None:
            self._context.counts.settle_all()
        self._context.store.backup(file)

    def copies(self) -> list[Path]:
        """Return the backups, replays and exports of the store that this user made here and that still exist.

        They contain memories that were erased later.
        """
        return copies_of(self._context.parts.place)

    def replay(self, path: str | Path, progress: Callable[[int], None] | None = None) -> str:
        """Rebuild the store at a new path from the journal alone; return the new store's digest.

        The digest equals ``digest()`` of this store if nothing was lost. If the journal is broken or an error occurs,
        no file remains. With the path ``":memory:"`` only the digest is computed.

        Raises:
            Conflict: there is something at the path.
            StoreMissing: the path's folder does not exist.
            StoreError: it cannot be written there.
            StoreCorrupt: the journal is broken.
        """
        require_progress(progress)
        file = require_path(path)
        if str(path) == IN_MEMORY or lance_folder(path) is not None:
            return self._told_to(path, progress)
        note_copy(self._context.parts.place, file)
        with drafted(file, "-wal", "-shm") as draft:
            create(draft).close()  # first, so that an error names the given path
            try:
                return self._told_to(draft, progress)
            finally:
                draft.with_name(f"{draft.name}-head").unlink(missing_ok=True)  # belongs to the draft only

    def _told_to(self, path: str | Path, progress: Callable[[int], None] | None) -> str:
        """Replay the journal into an empty store at a path; return that store's digest."""
        from reverie.engine.replication import replay

        target = open_beside(self._context.store, path, create=True)
        try:
            with self._context.locks.whole:
                return replay(self._context.store, target, progress)
        finally:
            target.close()

    def repair(self, backup: str | Path | None = None, progress: Callable[[int], None] | None = None) -> Repaired:
        """Rebuild everything in the store that derives from the journal, after a copy of the file was made.

        Tables, indexes and counters become what a replay of the journal gives. Vectors of unchanged memories are kept,
        missing ones are made if there is a model. The new content is written in one transaction: a process that is
        killed meanwhile leaves the old store or the repaired one. Others may read and write until then; what they write
        is not lost. Nothing is changed, and no copy is made, if nothing differs.

        Args:
            backup: path of the copy; by default a new file beside the store, whose name says when it was made.
            progress: called with the number of events replayed since the last call.

        Raises:
            StoreCorrupt: the journal is broken or its end is missing, which a repair never mends.
            Conflict: the store is being repaired or dreamt over, or there is a file at ``backup``.
            StoreReadOnly, StoreFull, StoreBusy: it cannot be done now; nothing was changed.
            InvalidInput: the store has no file of its own: it is in memory, or OpenClaw's table.
        """
        from reverie.engine.repair import repair

        require_progress(progress)
        done = repair(self._context, None if backup is None else require_path(backup), progress)
        with suppress(ModelError):  # a fault below
            done = replace(done, embedded=self.embed())
        return replace(done, faults=(*done.faults, *self.verify(), *self._model_faults()))

    def rotate(self, key_file: str | Path) -> int:
        """Wrap the keys of an encrypted tenant's scopes with the master key in a file, made if it is not there.

        Returns how many scopes have a key. Nothing else is changed, and what is running goes on; whoever opens the
        tenant afterwards needs the new key. With the old one, only copies of the database made before still open.

        Raises:
            InvalidInput: the store has no master key: it is no database, or not encrypted.
            StoreError: the file holds no key, or others may read it; or another process has changed the key already.
        """
        from reverie.engine.encryption import held_key

        file, store = require_path(key_file), self._context.store
        if not isinstance(store, Rewrapping) or store.key is None:
            raise InvalidInput("This store has no master key.", "Only an encrypted tenant of a database has one.")
        return store.rewrap(held_key(str(file), make=True))

    def digest(self) -> str:
        """Return a SHA-256 over the store's contents, without derived index data."""
        with self._context.locks.whole:
            return self._context.store.digest()

    def close(self) -> None:
        """Close the store. A second call does nothing; any other call afterwards raises StoreClosed."""
        self._context.stop_jobs()
        self._context.catch_up = None
        if self._context.counts is not None:
            self._context.counts.close()
        if self._context.parts.log is not None:
            self._context.parts.log.close()
        with self._context.locks.whole:
            self._context.store.close()
