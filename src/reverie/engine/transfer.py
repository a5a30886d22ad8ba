"""Export and import: lossless journals, readable files, and conversations or memories of other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from reverie.engine.context import Context
from reverie.engine.ingest import Ingestion
from reverie.engine.logs import Work, note_copy, noted
from reverie.engine.requests import require_flag, require_method, require_path, require_progress, require_scope
from reverie.errors import Conflict, InvalidExport, InvalidInput
from reverie.events import Action, Draft, Event, Payload, Related
from reverie.ports import Store
from reverie.types import Memory, Scope

if TYPE_CHECKING:
    from reverie.engine.bundles import Accepted, Bundled, Bundles
    from reverie.engine.imports import Admission, Brought, Sorted
    from reverie.engine.replication import Aligned, Contents, Merged
    from reverie.engine.sync import SyncConflict, Synced
    from reverie.exchange import Report
    from reverie.exchange.markdown import MarkdownExport


Progress = Callable[[int], None]
_MERGE = "Merge its memories with what is here (`reverie import --merge`), or import it into a store of its own."


@dataclass(frozen=True, slots=True)
class Exported:
    """Result of a lossless export: number of events, number and hash of the last; a whole store's digest, or ""."""

    events: int
    seq: int
    hash: str
    digest: str


@dataclass(frozen=True, slots=True)
class Moved:
    """Result of importing a lossless export, or of a dry run the result it would have.

    Attributes:
        scopes: the imported scopes, by their names in this store.
        events: number of events in the file.
        new: number of events that were new to this store.
        known: number of events that this store had already.
        tombstones: number of the file's events without content, which are only taken over with a whole journal.
        merged: number of memories added where the journals had diverged.
        erased: number of memories left out because they were erased here.
        identical: whether the store now has the same journal as the file, hash by hash.
        actions: number of the file's events of each kind.
        held: number of imported memories that the screen put into quarantine.
        masked: number of other imported memories in which the screen masked words.
        unshared: number of imported grants that were ended, because only a scope's owner may share it.
    """

    scopes: tuple[Scope, ...]
    events: int
    new: int
    known: int
    tombstones: int = 0
    merged: int = 0
    erased: int = 0
    identical: bool = False
    actions: tuple[tuple[str, int], ...] = ()
    held: int = 0
    masked: int = 0
    unshared: int = 0


class Transfer:
    """Collaborator for export and import of scopes, whole stores and foreign memories."""

    def __init__(self, context: Context, ingestion: Ingestion) -> None:
        self._context = context
        self._ingestion = ingestion
        self.remember_many = ingestion.remember_many

    @cached_property
    def _bundles(self) -> Bundles:
        from reverie.engine.bundles import Bundles

        return Bundles(self._context, self._ingestion)

    @property
    def bundle(self) -> Callable[..., Bundled]:
        """Return the method that writes a signed file of memories for another store (``engine.bundles``)."""
        return self._bundles.bundle

    @property
    def accept(self) -> Callable[..., Accepted]:
        """Return the method that takes such a file in, and erases what its giver has erased (``engine.bundles``)."""
        return self._bundles.accept

    def export_memories(self, out: BinaryIO, scope: Scope) -> int:
        """Write the scope's memories as JSON lines, for people and other programs; return how many there were.

        ``import_from`` can read the messages back, each with its original id.
        """
        from reverie.exchange import write

        require_method("out", out, "write")
        with self._context.locks.of(scope):
            memories = list(self._context.store.memories(require_scope(scope)))
            message_ids = self._context.store.message_ids(scope)
        return write(memories, out, message_ids)

    def export_journal(self, out: BinaryIO, scope: Scope | None = None) -> Exported:
        """Write a lossless export as JSON lines, of one scope or (None) of the whole store.

        The file contains the journal with hashes and salts: memories in every state, edges, lifecycle changes,
        accesses, dreams, tombstones. It has no vectors: they can be made again from the texts.
        """
        from reverie.engine.replication import write

        require_method("out", out, "write")
        if scope is not None:
            require_scope(scope)
        with self._context.locks.whole if scope is None else self._context.locks.of(scope):
            end = write(self._context.store, out, scope)
        return Exported(end.events, end.seq, end.hash, end.digest)

    def import_journal(
        self,
        path: str | Path,
        *,
        into: Scope | None = None,
        into_its_own_scopes: bool = False,
        merge: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Moved:
        """Import a file that ``export_journal`` wrote. The whole file is checked first; existing events stay unchanged.

        If the store's journal is the beginning of the file's, as an empty one is, the rest is adopted with its hashes.
        A store with other scopes receives the file's scopes with their whole history, under new event numbers. Make the
        vectors afterwards with ``admin.embed``. All that is imported is screened like new messages: text that gives
        orders to a model goes into quarantine, even if the file says that somebody released it; secrets are masked,
        also in the imported events. Only ``replay`` takes events over unchanged.

        The caller decides whose memory the file becomes: by ``into``, or by ``into_its_own_scopes``.

        Args:
            path: the file.
            into: import the file's only scope as this scope.
            into_its_own_scopes: import each scope of the file under the name it has there.
            merge: for a scope whose journals diverge, add the memories that it lacks, each with its lifecycle state;
                without ``merge`` that is a Conflict, and nothing is written.
            dry_run: only report what would be done.
            progress: called with the number of events just written.

        Raises:
            InvalidExport: the file is no lossless export, or was changed or cut short. Nothing was written.
            Conflict: the journals diverge; or the file has scopes, and neither option says where they go.
            InvalidInput: ``into`` was given for a file of several scopes, or with ``into_its_own_scopes``.
        """
        from reverie.engine.replication import checked

        require_progress(progress)
        file = require_path(path)
        if into is not None and require_flag("into_its_own_scopes", into_its_own_scopes):
            raise InvalidInput("Both one scope and the file's own are named.", "Give into, or into_its_own_scopes.")
        contents = checked(file)
        if not (into or into_its_own_scopes or dry_run):
            _refuse_unnamed(contents)
        move = _Move(file, contents, None if contents.scopes == (into,) else into, progress)
        with self._context.locks.whole:
            merging = self._merging if merge else None
            if dry_run:
                return self._taken_in(move, merging, dry_run=True)
            with noted(self._context.parts.place, Work(screen_after=move.before(self._context.store))):
                return self._taken_in(move, merging, dry_run=False)

    def _taken_in(
        self, move: _Move, merging: Callable[[Store, Scope, Scope], Merged] | None, *, dry_run: bool
    ) -> Moved:
        """Import a checked file, and screen what it added."""
        last = move.before(self._context.store)
        if move.into is None and (here := move.continues(self._context.store)) is not None:
            moved = move.adopted(self._context.store, here, dry_run=dry_run)
        else:
            moved = move.told(self._context.store, merging, dry_run=dry_run)
            if not dry_run:
                moved = replace(moved, unshared=self._unshare(last))
        admission = self.admission()
        if admission is None:
            return moved
        held, masked = admission.foreseen(move.coming(self._context.store)) if dry_run else admission.screened(last)
        return replace(moved, held=held, masked=masked, identical=moved.identical and not held and not masked)

    def _unshare(self, last: Mapping[Scope, int]) -> int:
        """End the grants that an import brought, and return how many: whoever wrote the file may not share a scope."""
        from reverie.engine.grants import NO_LONGER, ended_by_import

        ends = ended_by_import(self._context.store, last)
        for scope, some in groupby(ends, key=lambda end: end.record.scope):
            with self._context.store.begin(scope, durable=True) as tx:
                for end in some:
                    tx.append(self._context.draft(scope, Action.RECORD, NO_LONGER, end))
        return len(ends)

    def sync(
        self, place: str | Path, scope: Scope, *, state: str | Path | None = None, settle: Sequence[str] = ()
    ) -> Synced:
        """Synchronise a scope with other machines of the same user, through a folder or a git repository.

        What changed here since the last sync becomes an encrypted segment; the segments of all machines are merged.
        Machines that have the same segments have the same memories, lifecycle states and relations, in whatever order
        they synchronised. What several machines changed without knowing of each other is kept, and reported; an
        erasure counts everywhere. Nothing is screened again: only who has the key can write segments.

        Accesses, reasons, records and vectors stay on each machine.

        Args:
            place: a folder that exists, or the address or path of a git repository.
            scope: the scope; each is synchronised by itself.
            state: the folder with the key and this machine's copy of the segments; None: the user's state folder.
            settle: ids of memories whose conflicts end with the values that they have here.

        Raises:
            NotFound: there is no key yet (``engine.sync_places.new_key``, ``take_key``).
            InvalidExport: a segment was changed, cut short or renamed, or has another key or a newer format. Nothing
                was changed.
            StoreMissing, StoreFull, StoreReadOnly, StoreError: the place cannot be read, or not be written; in the
                second case what came in stays, and the next sync writes the rest.
            StoreBusy: another sync of this store runs.
        """
        from reverie.engine.sync import sync

        return sync(self._context, str(place), scope, state=None if state is None else Path(state), settle=settle)

    def sync_conflicts(self, scope: Scope, *, state: str | Path | None = None) -> list[SyncConflict]:
        """Return what machines changed differently without knowing of each other, as of the last sync.

        Raises:
            NotFound: there is no key yet.
        """
        from reverie.engine.sync import conflicts

        return conflicts(self._context, scope, state=None if state is None else Path(state))

    def admission(self) -> Admission | None:
        """Return the screening of imports; None if the engine screens nothing."""
        settings = self._context.parts.screen
        if settings is None:
            return None
        from reverie.engine.imports import Admission

        return Admission(self._context.store, settings, self._context.draft)

    def export_markdown(self, folder: str | Path, scope: Scope) -> MarkdownExport:
        """Write a scope as a folder of Markdown files for people: one per session, and one per formed memory.

        Raises:
            Conflict: the folder is not empty.
        """
        from reverie.exchange.markdown import write

        target = require_path(folder)
        with self._context.locks.of(scope):
            memories, relations = (
                list(self._context.store.memories(require_scope(scope))),
                self._context.store.relations(scope),
            )
        note_copy(self._context.parts.place, target)
        return write(target, scope, memories, relations)

    def import_from(  # noqa: PLR0913 - what is imported, how, and who is told of it
        self,
        path: str | Path,
        scope: Scope,
        *,
        kind: str | None = None,
        dry_run: bool = False,
        observe: bool = False,
        report: Report | None = None,
        progress: Progress | None = None,
    ) -> Brought:
        """Import a conversation, or the memories of another program, as messages with the links between them.

        The format (``reverie.exchange.ALL_KINDS``) is detected by content. Messages get ids that follow from their
        source, so a second import adds only what is new. All is screened; of many, by helper processes.

        Args:
            path: a file, a .zip or a folder.
            scope: whose memory; of a source shared by several agents, only the rows of its agent are imported.
            kind: the format, instead of detecting it.
            dry_run: only report what would be done.
            observe: also form memories from the messages, as ``observe`` does; of known ones, if none were formed yet.
            report: called for every item that gives no message, with the reason.
            progress: called with the number of messages just stored.

        Raises:
            NotFound, InvalidExport: there is nothing at the path, or nothing that can be read; or the source breaks
                off: earlier messages stay stored, and the error counts them. Of several files a broken one is reported.
        """
        from reverie.engine.imports import Brought, Sorted, drawn, ended, foreseen
        from reverie.exchange import bring
        from reverie.stores.foreign import open_tables

        require_scope(scope)
        require_progress(progress)
        found = Sorted(bring(require_path(path), open_tables, kind=kind, report=report, agent=scope.agent))
        if dry_run:
            with self._context.locks.of(scope):
                return _whole(foreseen(self._context.store, scope, found, self._ingestion.screened_many), found)
        keep = self._ingestion.observe_many if observe else self._ingestion.keep_many
        kept = keep(found, scope, progress=progress, whole=True)
        with self._context.locks.of(scope), self._context.store.begin(scope, durable=True) as tx:
            links = drawn(tx, self._context.store, scope, found.links, self._context.clock.now())
            if links:
                tx.append(self._context.draft(scope, Action.RELATE, "imported", Related(tuple(links))))
            ends = ended(tx, self._context.store, scope, found.ends)
            for end in ends:
                tx.append(self._context.draft(scope, Action.FORGET, "imported as ended", end))
        done = Brought(kept.new, kept.known, kept.conflicts, len(links), len(ends), kept.held, kept.masked)
        return _whole(done, found, kept="kept")

    def _merging(self, elsewhere: Store, origin: Scope, scope: Scope) -> Merged:
        from reverie.engine.replication import ScopeMerge

        def draft(payload: Payload, action: Action) -> Draft:
            return self._context.draft(scope, action, "merged", payload)

        return ScopeMerge(elsewhere, self._context.store, scope, draft).run(origin)


def _refuse_unnamed(contents: Contents) -> None:
    """Raise Conflict for a file with scopes, when the caller did not say where they go."""
    if not contents.scopes:
        return
    told = ", ".join(f"{scope} ({n} memories)" for scope, n in zip(contents.scopes, contents.memories, strict=True))
    one = "a scope of yours (into, `--here`), or " if len(contents.scopes) == 1 else ""
    raise Conflict(
        f"The export has scopes that you did not name: {told}.",
        f"If you trust it, take it into {one}its own (into_its_own_scopes, `--into-its-own-scopes`). "
        "A dry run shows what it holds.",
    )


class _Move:
    """Imports one checked file into a store."""

    def __init__(self, path: Path, contents: Contents, into: Scope | None, progress: Progress | None) -> None:
        if into is not None and len(contents.scopes) > 1:
            raise InvalidInput("The file has several scopes.", "Leave out into which it is to go.")
        self.contents = contents
        self._path = path
        self.into = into
        self._progress = progress

    def before(self, store: Store) -> dict[Scope, int]:
        """Return the number of the last event of each scope that the file goes into."""
        return {target: store.head(target)[0] for target in map(self._target, self.contents.scopes)}

    def continues(self, store: Store) -> dict[Scope, int] | None:
        """Return how many events file and store have in common in each scope, if they are one store at two moments.

        That is so if each journal of one begins that of the other, and all scopes of the store are in the file; a scope
        from elsewhere is not taken as it is, because whoever wrote it may have shared what is not his.
        """
        heads = store.heads()
        if not heads.keys() <= self.contents.heads.keys() or not (self._begins(store, heads) and self._ends(heads)):
            return None
        return {scope: min(heads.get(scope, (0, ""))[0], there) for scope, (there, _) in self.contents.heads.items()}

    def _begins(self, store: Store, heads: Mapping[Scope, tuple[int, str]]) -> bool:
        """Whether the file's journals of the scopes that are at least as long here begin those."""
        for scope, (here, _) in heads.items():
            there, own = self.contents.heads[scope]
            if here >= there:
                last = next(iter(store.events(scope, after=there - 1)), None)
                if last is None or last.hash != own:
                    return False
        return True

    def _ends(self, heads: Mapping[Scope, tuple[int, str]]) -> bool:
        """Whether the journals here that are shorter than the file's begin those; the file is read once for all."""
        behind = {scope: head for scope, head in heads.items() if 0 < head[0] < self.contents.heads[scope][0]}
        if not behind:
            return True
        asked = (event for event in self._events() if behind.get(event.scope, (0, ""))[0] == event.seq)
        return all(event.hash == behind[event.scope][1] for event in islice(asked, len(behind)))

    def adopted(self, store: Store, common: Mapping[Scope, int], *, dry_run: bool) -> Moved:
        """Adopt the rest of the file's events, after those in common, with their hashes."""
        from reverie.engine.replication import adopt

        known = sum(common.values())
        if not dry_run and known < self.contents.events:
            adopt(store, (event for event in self._events() if event.seq > common[event.scope]), self._progress)
        identical = not dry_run and store.heads() == dict(sorted(self.contents.heads.items()))
        if identical and self.contents.digest and known < self.contents.events:
            identical = store.digest() == self.contents.digest
        return self._moved({"new": self.contents.events - known, "known": known}, identical=identical)

    def told(self, store: Store, merging: Callable[[Store, Scope, Scope], Merged] | None, *, dry_run: bool) -> Moved:
        """Append each scope's events to the store, or merge a diverged scope. Raises Conflict before any is written."""
        aligned = {scope: self._aligned(store, scope) for scope in self.contents.scopes}
        for scope, found in aligned.items():
            if found.diverges and merging is None:
                raise Conflict(f"The journal of scope {self._target(scope)} diverges: {found.diverges}.", _MERGE)
        counts = Counter[str]()
        for scope, found in aligned.items():
            counts["known"] += len(found.known)
            counts["tombstones"] += found.gone
            if found.diverges and merging is not None:
                merged = None if dry_run else merging(self._elsewhere(scope), scope, self._target(scope))
                counts["merged"] += merged.new if merged else 0
                counts["erased"] += merged.erased if merged else 0
            else:
                counts["new"] += found.new
                if not dry_run:
                    self._retell(store, scope, found)
        return self._moved(counts)

    def _target(self, scope: Scope) -> Scope:
        return self.into or scope

    def _retell(self, store: Store, scope: Scope, found: Aligned) -> None:
        from reverie.engine.replication import retell

        retell(store, self._events(scope), found.known, self.into, self._progress)

    def _aligned(self, store: Store, scope: Scope) -> Aligned:
        from reverie.engine.replication import align

        return align(store.events(self._target(scope)), self._events(scope))

    def _elsewhere(self, scope: Scope) -> Store:
        """Rebuild the scope's state at the end of the file, in a temporary store in memory."""
        from reverie.engine.replication import retell
        from reverie.stores.ram import RamStore

        store = RamStore()
        retell(store, self._events(scope), {})
        return store

    def coming(self, store: Store) -> Iterator[Memory]:
        """Yield the memories of the file, in their final state, that a store lacks."""
        for scope in self.contents.scopes:
            for memory in self._elsewhere(scope).memories(scope):
                if store.memory(self._target(scope), memory.id) is None:
                    yield memory

    def _events(self, scope: Scope | None = None) -> Iterator[Event]:
        from reverie.engine.replication import events

        return (event for event in events(self._path) if scope in (None, event.scope))

    def _moved(self, counts: Mapping[str, int], *, identical: bool = False) -> Moved:
        contents = self.contents
        return Moved(
            scopes=(self.into,) if self.into else contents.scopes,
            events=contents.events,
            new=counts.get("new", 0),
            known=counts.get("known", 0),
            tombstones=counts.get("tombstones", 0),
            merged=counts.get("merged", 0),
            erased=counts.get("erased", 0),
            identical=identical,
            actions=tuple((str(action), contents.actions[action]) for action in Action if action in contents.actions),
        )


def _whole(brought: Brought, found: Sorted, kept: str = "good") -> Brought:
    """Return the result of an import. Raises InvalidExport if the source broke off, with the number of messages."""
    fault, count = found.fault, brought.new + brought.known
    if fault is None:
        return brought
    if not count:
        raise fault
    raise InvalidExport(f"{fault.message} {count} messages before that are {kept}.", fault.mend) from None
