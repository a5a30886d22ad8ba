"""Synchronise a vault with its engine, once or whenever something changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from reverie.encode.memory_factory import DataSource
from reverie.encode.notes import NOTED
from reverie.engine.core import Reverie
from reverie.errors import Conflict, NotFound, ReverieError
from reverie.events import Action, Erased, Formed
from reverie.locking import locked
from reverie.ports import Clock
from reverie.screen.values import ScreenSettings
from reverie.types import Memory, Scope
from reverie.vault.contents import FileFault
from reverie.vault.files import Places
from reverie.vault.laws import Laws
from reverie.vault.linking.diff import NOTHING, Act, SyncVerdict, is_edited, judge, judge_shared
from reverie.vault.linking.executor import NEW, EngineSide, Judged, SyncExecutor, SyncReport, clear
from reverie.vault.linking.links import FilePlace, Tie, VaultLink, holds, load, save, sidecar, without_ties, words
from reverie.vault.linking.scan import FilePair, Folders, Pairs, SeenFiles, Side, paired, seen, seen_shared
from reverie.vault.maintenance import ObservationChange

PASSES = 3
"""Most passes over both sides in one sync; the last one finds nothing to do."""
FEW = 10
"""Up to this many files may be deleted without ``gone``; above it, at most half of an agent's files."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, or (dry run) would do; ``conflicts`` counts the changes that kept both sides."""

    changes: tuple[ObservationChange, ...]
    conflicts: int
    faults: tuple[FileFault, ...]
    tied: int


def _nothing() -> None:
    return None


@dataclass(slots=True)
class LinkedVault:
    """A vault, its engine and the clock.

    Attributes:
        warm: called before the first text is written to the engine, to load a model.
        screening: the engine's screen settings; None: no screen.
    """

    places: Places
    laws: Laws
    engine: Reverie
    clock: Clock
    warm: Callable[[], None] = _nothing
    screening: ScreenSettings | None = field(default_factory=ScreenSettings)

    def sync(self, *, dry_run: bool = False, gone: bool = False) -> Synced:
        """Synchronise both sides. A second call writes nothing, neither event nor file.

        Args:
            dry_run: only report what the first pass would do.
            gone: the absence of many files is intended.

        Raises:
            NotFound: the vault is not linked.
            Conflict: more files are gone than a person would delete, and ``gone`` is not set.
            StoreError: one side cannot be read or written. What was done stays done; the next sync goes on.
        """
        if dry_run:
            return self._look(linked(self.places), dry_run=True, gone=True)[1]
        with locked(self.places.lock):
            before = link = linked(self.places)
            told: list[Synced] = []
            for _ in range(PASSES):
                link, done = self._look(link, dry_run=False, gone=gone)
                told.append(done)
                if not done.changes:
                    break
                save(sidecar(self.places), link)
            if link != before:
                save(sidecar(self.places), link)
        changes = tuple(change for one in told for change in one.changes)
        return Synced(changes, sum(one.conflicts for one in told), told[-1].faults, told[-1].tied)

    def agents(self, link: VaultLink) -> list[str]:
        """Return the agents whose folders are linked."""
        there = self.places.agents()
        return [agent for agent in there if agent in link.agents] if link.agents else there

    def _look(self, link: VaultLink, *, dry_run: bool, gone: bool) -> tuple[VaultLink, Synced]:
        """Make one pass over both sides; agents without changes are skipped."""
        head, told, ties = self.engine.admin.head(), SyncReport(), list[Tie]()
        agents, until = self.agents(link), _NEVER
        for agent in agents:
            one = _Agent(self, Scope(agent, link.user, link.project), told, dry_run=dry_run)
            known = link.of(agent)
            if one.is_quiet(link, known, head):
                ties += known
                until = min(until, link.until)
                continue
            if not dry_run:
                clear(self.places, agent)
            ties += one.together(known, gone=gone)
            until = min(until, one.until)
        ties += [tie for tie in link.ties if tie.agent not in agents]
        faults = {(fault.path, fault.line, fault.reason): fault for fault in told.faults}
        done = Synced(tuple(told.changes), told.conflicts, tuple(faults.values()), len(ties))
        return replace(link, head=head, until=until, ties=tuple(ties)), done


_FEW_EVENTS = 1000
_NEVER = datetime(9999, 1, 1, tzinfo=UTC).timestamp()


class _Agent:
    """One agent's folders and scope during one pass."""

    def __init__(self, linked: LinkedVault, scope: Scope, told: SyncReport, *, dry_run: bool) -> None:
        self._linked = linked
        self._scope = scope
        self._told = told
        self._dry_run = dry_run
        self._erased: set[str] = set()
        self._undone: dict[str, str] = {}
        self.until = _NEVER
        self._now = linked.clock.now()
        self._engine = EngineSide(linked.engine, scope, linked.warm, linked.screening)

    def is_quiet(self, link: VaultLink, ties: Sequence[Tie], head: int) -> bool:
        """Whether nothing changed on either side since both agreed, judging by times and numbers."""
        if link.head < 0 or self._now.timestamp() >= link.until or not self._is_silent(link.head, head):
            return False
        own, theirs = _split(ties)
        found = seen(self._linked.places, self._scope.agent, own, self._now)
        shared = _others(seen_shared(self._linked.places, theirs, self._now), found, self._scope.agent)
        if not (_alike(found, own) and _alike(shared, theirs)):
            return False
        self._told.faults += [*found.faults, *shared.faults]
        return True

    def _is_silent(self, known: int, head: int) -> bool:
        """Whether the engine has only recalled since."""
        if known == head:
            return True
        events = self._linked.engine.admin.events(self._scope, after=known, limit=_FEW_EVENTS)
        return len(events) < _FEW_EVENTS and all(event.action is Action.RECALL for event in events)

    def together(self, ties: Sequence[Tie], *, gone: bool) -> list[Tie]:
        """Synchronise the agent and return the ties that agree. Raises Conflict, StoreError."""
        own, theirs = _split(ties)
        found = seen(self._linked.places, self._scope.agent, own, self._now)
        shared = _others(seen_shared(self._linked.places, theirs, self._now), found, self._scope.agent)
        self._told.faults += [*found.faults, *shared.faults]
        if not gone:
            _require_there(self._scope.agent, own, found)
        memories = self._engine.formed()
        self.until = _first_end(memories.values(), self._now)
        if any(tie.memory and tie.memory not in memories for tie in ties):
            self._look_back()
        borrowed_ids = {one.id for one in memories.values() if _is_borrowed(one)}
        side = Side(memories, borrowed_ids, self._engine.screened, self._now, self._undone)
        borrowed = paired(theirs, shared, side, shared=True)
        lent = {pair.memory.id for pair in borrowed.pairs if pair.memory} | {tie.memory for tie in theirs}
        pairs = paired(own, found, replace(side, free=memories.keys() - borrowed_ids - lent), shared=False)
        kept = self._done(pairs, shared=False)
        return kept + self._done(replace(borrowed, memories=()), shared=True)

    def _done(self, pairs: Pairs, *, shared: bool) -> list[Tie]:
        judged = [(pair, self._verdict(pair, shared=shared)) for pair in pairs.pairs]
        if self._dry_run:
            self._foretold(judged, pairs, shared=shared)
            return [pair.tie for pair in pairs.pairs]
        start = self._linked.laws.start
        carrying = SyncExecutor(self._linked.places, self._engine, start, self._now, self._told)
        return carrying.ties(judged, pairs, shared=shared)

    def _verdict(self, pair: FilePair, *, shared: bool) -> SyncVerdict:
        if pair.memory is None:
            if pair.file is not None and not shared and pair.tie.memory in self._erased:
                return SyncVerdict(Act.DELETE, "erased in the engine")
            if _is_active(pair.file) and not is_edited(pair) and not shared and pair.tie.memory in self._undone:
                return SyncVerdict(Act.ARCHIVE, "taken back in the engine")
            return SyncVerdict(Act.NOTE, "the engine does not know it") if _is_active(pair.file) else NOTHING
        judged = judge_shared if shared else judge
        return judged(pair, self._now, same=self._same(pair, pair.memory))

    def _same(self, pair: FilePair, memory: Memory) -> bool:
        """Whether file and memory have the same text; False unless the file was edited."""
        if pair.file is None or not is_edited(pair):
            return False
        read = pair.file.opened().read
        return read is not None and self._engine.screened(words(read.body)) == memory.text

    def _look_back(self) -> None:
        """Collect the memories that were erased, and those whose creation was undone."""
        for event in self._linked.engine.admin.events(self._scope):
            if isinstance(event.payload, Erased):
                self._erased |= set(event.payload.memories)
            elif isinstance(event.payload, Formed):
                self._undone |= {memory.id: memory.standing.supersedes for memory in event.payload.removed}

    def _foretold(self, judged: Sequence[Judged], pairs: Pairs, *, shared: bool) -> None:
        for pair, verdict in judged:
            if verdict.act is not Act.NOTHING:
                self._told.of(pair.tie.label, verdict)
        for file in pairs.files:
            if _is_active(file):
                self._told.of(f"{'shared' if shared else self._scope.agent}/{file.name}", NEW)
        for memory in () if shared else pairs.memories:
            if holds(memory, self._now):
                self._told.of(f"{self._scope.agent}/…", SyncVerdict(Act.WRITE, "learned by the engine"))


def link(places: Places, wished: VaultLink) -> bool:
    """Record the engine a vault is linked with; return whether that is new. Raises Conflict if another is linked."""
    with locked(places.lock):
        known = load(sidecar(places))
        if known is not None and without_ties(known) == without_ties(wished):
            return False
        if known is not None and (known.store, known.user, known.project) != (
            wished.store,
            wished.user,
            wished.project,
        ):
            other = f"{known.store} for user {known.user}, project {known.project}"
            raise Conflict(f"The vault is linked with {other}.", "Run `reverie vault unlink` first.")
        save(sidecar(places), wished if known is None else replace(known, agents=wished.agents, head=-1))
        return True


def unlink(places: Places) -> VaultLink:
    """End the link: files and memories stay as they are, and no longer follow each other. Raises NotFound."""
    with locked(places.lock):
        known = linked(places)
        sidecar(places).unlink(missing_ok=True)
        return known


def linked(places: Places) -> VaultLink:
    """Return the link of a vault. Raises NotFound, StoreCorrupt."""
    known = load(sidecar(places))
    if known is None:
        raise NotFound(f"{places.root} is not linked with an engine.", "Link it: `reverie vault link`.")
    return known


def _split(ties: Sequence[Tie]) -> tuple[list[Tie], list[Tie]]:
    """Split ties into an agent's own and those of shared files."""
    return [tie for tie in ties if not tie.shared], [tie for tie in ties if tie.shared]


def _first_end(memories: Iterable[Memory], now: datetime) -> float:
    """Return when the next of these memories expires, in seconds since the epoch."""
    ends = [one.valid_until for one in memories if one.valid_until and one.valid_until > now]
    return min((end.timestamp() for end in ends), default=_NEVER)


def _is_active(file: SeenFiles | None) -> bool:
    return file is not None and file.place is FilePlace.ACTIVE


def _is_borrowed(memory: Memory) -> bool:
    """Whether a memory was made from a file that another agent shared."""
    standing = memory.standing
    return standing.write_source == NOTED and standing.data_source == DataSource.FEDERATION.value


def _alike(found: Folders, ties: Sequence[Tie]) -> bool:
    """Whether every readable file is known and unchanged."""
    if found.missing or any(one.read is not None for one in found.files.values()):
        return False
    known = {(tie.name, tie.place) for tie in ties if tie.place is not FilePlace.GONE and tie.name not in found.broken}
    return {(one.name, one.place) for one in found.files.values()} == known


def _require_there(agent: str, ties: Sequence[Tie], found: Folders) -> None:
    """Raise Conflict if so many files are gone that the folder may be the wrong one, or missing."""
    active = [tie for tie in ties if tie.place is FilePlace.ACTIVE and tie.here]
    bodies = {one.body for one in found.files.values()}
    there = found.files.keys() | found.broken
    gone = [tie for tie in active if tie.name not in there and tie.body not in bodies]
    if gone and (found.missing or (len(gone) > FEW and 2 * len(gone) > len(active))):
        raise Conflict(
            f"{len(gone)} of {len(active)} files of {agent} are gone; their memories would be forgotten.",
            "Bring the folder back, or say that it is meant: `reverie vault sync --gone`.",
        )


def _others(shared: Folders, own: Folders, agent: str) -> Folders:
    """Return the shared files without copies of the agent's own files."""
    active = {name: one.body for name, one in own.files.items() if one.place is FilePlace.ACTIVE}
    mine = {f"{agent}-{name}" for name in (*active, *own.broken)}
    bodies = set(active.values())
    left = {
        name: one
        for name, one in shared.files.items()
        if name not in mine
        and not (
            one.body in bodies and any(name.endswith(f"-{its}") for its, body in active.items() if body == one.body)
        )
    }
    return replace(shared, files=left)


def watch(
    linked: LinkedVault, wait: Callable[[], bool], told: Callable[[Synced], None], left: Callable[[str], None]
) -> None:
    """Synchronise repeatedly; report a failure once, and try again.

    Args:
        linked: the vault and its engine.
        wait: called between two syncs; False ends the loop.
        told: called with every sync that changed something, or left other files alone than the last one.
        left: called with the reason why a sync failed.
    """
    last: tuple[FileFault, ...] = ()
    why = ""
    while True:
        try:
            done = linked.sync()
            if done.changes or done.faults != last:
                told(done)
            last, why = done.faults, ""
        except ReverieError as error:
            if error.message != why:
                left(f"{error.message} {error.mend}")
            why = error.message
        if not wait():
            return
