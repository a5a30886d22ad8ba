"""Synchronise a scope of several machines without a server: what each changed, merged to the same contents everywhere.

A machine compares its scope with the contents that the segments gave it last time; the differences are its next
segment. The contents of a scope follow from the set of segments alone, whatever their order.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from reverie.encode.memory_factory import index
from reverie.engine.context import Context
from reverie.engine.erasure import Eraser
from reverie.engine.logs import note_copy
from reverie.engine.requests import require_many, require_scope
from reverie.engine.retractions import ever_erased
from reverie.engine.sync_places import FOLDER, Folder, Mirror, is_git, mirror_of, through
from reverie.errors import InvalidExport, ReverieError
from reverie.events import (
    Action,
    Change,
    Changed,
    Event,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Recorded,
    Related,
    Remembered,
    difference,
)
from reverie.exchange.journal import fault_in
from reverie.exchange.segments import Op, Segment, Slot, contiguous, erased_in, owners, registers
from reverie.ports import Store, Transaction
from reverie.stores import codec
from reverie.types import Episode, IndexEntry, Kind, Memory, Record, Relation, Scope, Standing, State

SORT = "sync"
SYNCED = "synced"
"""Reason of the events by which a sync brings in what other machines changed."""
_ALIVE, _FIXED, _WORDING, _VALIDITY = "alive", "fixed", "wording", "validity"
_GROUPS = {
    _FIXED: ("session", "speaker", "role"),
    _WORDING: ("kind", "text", "at", "sources", "entities", "keywords"),
    _VALIDITY: ("valid_until", "state", "supersedes", "superseded_by"),
}
"""Fields of a memory that are one register: they only make sense together."""
_OWN = frozenset({"id", "accesses", "last_access", "seq", "recorded_at"})
"""Fields that every machine has for itself."""
_SHOWN = {_WORDING: "text", _VALIDITY: "validity", "pinned": "pinned", "immutable": "immutable", "tags": "tags"}
"""Registers whose conflicts are shown, by the word for each; in the others the latest value counts."""
_WORDY = frozenset({"text", "entities", "keywords", "tags", "emotion"})
_STANDING = frozenset(one.name for one in fields(Standing))
BATCH = 200

Visible: TypeAlias = dict[Slot, Any]
"""The contents of a scope: the value of each register that has another than its default."""


@dataclass(frozen=True, slots=True)
class SyncConflict:
    """Machines that did not know of each other's change gave a memory different values; all of them are kept.

    Attributes:
        memory: id of the memory.
        what: what differs: "text", "validity" (corrected, forgotten, restored), "pinned", "immutable" or "tags".
        kept: the value that counts, as JSON.
        kept_from: the machine that gave it.
        others: machine and value, as JSON, of each of the others.
    """

    memory: str
    what: str
    kept: str
    kept_from: str
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Synced:
    """Result of a sync.

    Attributes:
        scope: the scope.
        machine: the id of this machine.
        new: number of memories that came in.
        changed: number of memories that were changed here.
        removed: number of formed memories that another machine's undo took back.
        erased: number of memories erased here because another machine erased them.
        taken: number of segments that were new or had lost content.
        sent: number of segments written to the place.
        contents: digest of the scope's contents, the same on every machine that has the same segments.
        conflicts: what machines changed differently.
        waiting: names of segments that are missing, so that later ones of their machine wait.
        ignored: names of files in the place that are no segments.
    """

    scope: Scope
    machine: str
    new: int
    changed: int
    removed: int
    erased: int
    taken: int
    sent: int
    contents: str
    conflicts: tuple[SyncConflict, ...] = ()
    waiting: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


@dataclass(slots=True)
class _Counts:
    new: int = 0
    changed: int = 0
    removed: int = 0
    erased: int = 0
    taken: int = 0


def contents_digest(store: Store, scope: Scope) -> str:
    """Return a SHA-256 of a scope's memories, their lifecycle states and relations, independent of the journal's order.

    It covers neither what each machine has for itself (accesses, time of storing, position in a session) nor records.
    """
    plain = sorted((list(slot), value) for slot, value in visible_in(store, scope).items())
    return sha256(codec.dump(plain)).hexdigest()


def visible_in(store: Store, scope: Scope) -> Visible:
    """Return the contents of a scope in a store."""
    found: Visible = {}
    for memory in store.memories(scope):
        found.update(_slots(memory))
    for edge in store.relations(scope):
        found[edge.source, edge.target, edge.kind.value] = codec.plain_relation(edge)
    return found


def _slots(memory: Memory) -> Iterator[tuple[Slot, Any]]:
    plain = codec.plain_memory(memory, None)
    flat = plain | plain.pop("standing", {})
    held: dict[str, Any] = {name: list(value) if isinstance(value, tuple) else value for name, value in flat.items()}
    yield (memory.id, _ALIVE), True
    for group, names in _GROUPS.items():
        if value := {name: held.pop(name) for name in names if name in held}:
            yield (memory.id, group), value
    for name, value in held.items():
        if name not in _OWN and name != "standing":
            yield (memory.id, name), value


class Known:
    """The contents that follow from segments, and the conflicts among them."""

    def __init__(self, segments: Collection[Segment], erased: frozenset[str]) -> None:
        self.erased = erased
        self.registers = registers(segments)
        self.alive = {
            slot[0]
            for slot, held in self.registers.items()
            if slot[-1] == _ALIVE and len(slot) == 2 and slot[0] not in erased and held.winner(_rank).value
        }
        self.visible: Visible = {}
        for slot, held in self.registers.items():
            if self.alive.issuperset(owners(slot)) and (value := held.winner(_rank).value) is not None:
                self.visible[slot] = value
        self._follow_corrections()

    def conflicts(self) -> Iterator[SyncConflict]:
        """Yield what machines changed differently, by memory."""
        for slot, held in sorted(self.registers.items()):
            if len(slot) != 2 or slot[1] not in _SHOWN or slot[0] not in self.alive:
                continue
            winner = held.winner(_rank)
            others = [op for op in held.heads if _told(op) != _told(winner)]
            if others:
                told = tuple((op.key[1], _json(op.value)) for op in others)
                yield SyncConflict(slot[0], _SHOWN[slot[1]], _json(winner.value), winner.key[1], told)

    def _follow_corrections(self) -> None:
        """Where two machines corrected a memory, the correction that counts supersedes the other, which is kept."""
        for slot, held in sorted(self.registers.items()):
            if slot[-1] != _VALIDITY or slot[0] not in self.alive or len(held.heads) < 2:
                continue
            winner = self._last(_superseder(held.winner(_rank)))
            for op in held.heads:
                loser = self._last(_superseder(op))
                mine = self.registers.get((loser, _VALIDITY))
                if loser and winner and loser != winner and (mine is None or len(mine.ops) == 1):
                    before = self.visible.get((loser, _VALIDITY), {})
                    after = {"state": State.SUPERSEDED.value, "superseded_by": winner}
                    self.visible[loser, _VALIDITY] = before | after

    def _last(self, name: str) -> str:
        """Follow corrections of a memory to the last one; "" if that is not there."""
        seen = set[str]()
        while name in self.alive and name not in seen:
            seen.add(name)
            later = self.visible.get((name, _VALIDITY), {}).get("superseded_by", "")
            if not later:
                return name
            name = later
        return ""


def _superseder(op: Op) -> str:
    return str((op.value or {}).get("superseded_by", ""))


def _rank(value: Any) -> int:
    """Rank values that nobody's later words decide between: an end beats a mere change of state."""
    if not isinstance(value, dict):
        return 0
    ended = "valid_until" in value or "superseded_by" in value or value.get("state") == State.QUARANTINED
    return int(ended)


def _told(op: Op) -> Any:
    """Return the part of a value that a conflict is about."""
    if op.slot[1] == _VALIDITY:
        return {name: one for name, one in (op.value or {}).items() if name in ("valid_until", "superseded_by")}
    if op.slot[1] == _WORDING:
        return (op.value or {}).get("text")
    return op.value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def touched_at(events: Iterable[Event]) -> tuple[dict[Slot, int], set[str]]:
    """Return when events last changed each memory and edge, in microseconds; and the ids of memories taken back."""
    at: dict[Slot, int] = {}
    removed = set[str]()
    for event in events:
        if isinstance(event.payload, Formed):
            removed.update(one.id for one in event.payload.removed)
            removed.difference_update(one.id for one in event.payload.added)
        at.update(dict.fromkeys(_about(event.payload), codec.to_micros(event.at)))
    return at, removed


def _about(payload: Payload | None) -> Iterator[Slot]:
    match payload:
        case Remembered(_, memories) | Formed(memories):
            yield from ((one.id,) for one in memories)
        case Changed(changes) | Recalled(_, changes):
            yield from ((change.memory,) for change in changes)
        case Forgotten(memory):
            yield (memory,)
        case Related(added, removed):
            yield from ((edge.source, edge.target) for edge in (*added, *removed))
    if isinstance(payload, Formed):
        yield from ((one.id,) for one in payload.removed)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a store's contents held after its last sync: the last segment of each machine, the scope's last event."""

    segments: Mapping[str, int]
    seq: int


def _seen(store: Store, scope: Scope) -> tuple[Record | None, _Seen]:
    record = next(iter(store.records(SORT, scope=scope)), None)
    if record is None:
        return None, _Seen({}, 0)
    try:
        body = json.loads(record.body)
        return record, _Seen(
            {str(name): int(number) for name, number in body["segments"].items()}, int(body.get("number", 0))
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return record, _Seen({}, 0)


class Syncing:
    """Synchronises one scope of an engine with a place."""

    def __init__(self, context: Context, scope: Scope, mirror: Mirror, settle: Collection[str] = ()) -> None:
        self._context = context
        self._store = context.store
        self._scope = scope
        self._mirror = mirror
        self._settle = frozenset(settle)
        self._counts = _Counts()
        self._fresh: list[str] = []

    def run(self, folder: Folder) -> Synced:
        """Take in the segments of a folder, add what is new here, and write to it what it lacks."""
        mirror = self._mirror
        mirror.finish(_seen(self._store, self._scope)[1].segments)
        self._counts.taken += mirror.take(folder)
        whole, waiting = contiguous(mirror.segments())
        with self._context.locks.of(self._scope):
            self._erase(erased_in(whole))
            known = self._merge(whole, erased_in(whole))
            self._erase(known.erased)
            contents = contents_digest(self._store, self._scope)
        self._context.embed_again(self._scope, self._fresh)
        mirror.scrub(known.erased)
        sent = mirror.give(folder)
        counts = self._counts
        return Synced(
            self._scope,
            mirror.machine,
            counts.new,
            counts.changed,
            counts.removed,
            counts.erased,
            counts.taken,
            sent,
            contents,
            tuple(known.conflicts()),
            tuple(waiting),
            tuple(folder.ignored),
        )

    def _erase(self, erased: Collection[str]) -> None:
        here = [one.id for one in self._store.named(self._scope, sorted(erased))]
        if here:
            self._counts.erased += len(
                Eraser(self._context, is_syncing=True).erase(here, self._scope, why=SYNCED).memories
            )

    def _merge(self, whole: Sequence[Segment], erased: frozenset[str]) -> Known:
        """Add what is new here as a segment, and bring the store to the contents of all; one transaction."""
        with self._store.begin(self._scope, durable=True) as tx:
            record, seen = _seen(self._store, self._scope)
            base = Known([one for one in whole if one.number <= seen.segments.get(one.machine, 0)], erased)
            local = visible_in(self._store, self._scope)
            own = self._own(tx, seen, base, local, {name for one in whole for name in one.erased})
            every = [*whole, *([own] if own else [])]
            known = Known(every, erased_in(every))
            seq = self._bring(tx, local, known)
            numbers = dict(seen.segments)
            for one in every:
                numbers[one.machine] = max(one.number, numbers.get(one.machine, 0))
            if numbers != seen.segments:
                self._note(tx, record, numbers, seq)
            if own:
                self._mirror.prepare(own)
        if own:
            self._mirror.finish(numbers)
        return known

    def _note(self, tx: Transaction, record: Record | None, numbers: Mapping[str, int], seq: int) -> None:
        """Write what the contents now hold, in the same transaction, so that a killed sync cannot tell it wrongly."""
        after = Record.of(self._scope, SORT, "seen", {"segments": numbers, "number": seq})
        tx.append(self._context.draft(self._scope, Action.RECORD, SYNCED, Recorded(record, after)))

    def _own(self, tx: Transaction, seen: _Seen, base: Known, local: Visible, told: Collection[str]) -> Segment | None:
        """Return the segment of what changed here since the last sync; None if nothing did."""
        at, removed = touched_at(self._store.events(self._scope, after=seen.seq))
        now = codec.to_micros(self._context.clock.now())
        alive = {slot[0] for slot in local if slot[-1] == _ALIVE and len(slot) == 2}
        gone = {name for name in base.alive - alive if name not in removed}
        ended = (gone | ever_erased(self._store, self._scope)) - set(told) - alive
        machine, number = self._mirror.machine, self._mirror.next_number()
        ops = []
        for slot, value in _changes(base, local, alive, removed, self._settle):
            heads = base.registers[slot].heads if slot in base.registers else []
            over = tuple(op.key for op in heads)
            micros = max([at.get(owners(slot), now), *(key[0] + 1 for key in over)])
            ops.append(Op(slot, (micros, machine, number), over, self._whole(tx, slot, value)))
        return Segment(machine, number, tuple(ops), frozenset(ended)) if ops or ended else None

    def _whole(self, tx: Transaction, slot: Slot, value: Any) -> Any:
        """Add to the fields that never change those that other machines take only with a new memory."""
        if slot[-1] != _FIXED or len(slot) != 2:
            return value
        (memory,) = self._store.named(self._scope, slot[:1])
        said = tx.find_message(self._scope, memory.id) if memory.kind is Kind.EPISODE else None
        more = {"message_id": said.message_id} if said is not None and said.message_id else {}
        return value | more | {"recorded_at": codec.moment(memory.recorded_at), "seq": memory.seq}

    def _bring(self, tx: Transaction, local: Visible, known: Known) -> int:
        """Bring the store to the known contents; return the number of the scope's last event."""
        held = {one.id: one for one in self._store.memories(self._scope)}
        coming = _by_memory(known.visible)
        new = [_memory(self._scope, name, parts) for name, parts in coming.items() if name not in held]
        changes = _differences(self._scope, held, coming, _by_memory(local))
        lost = held.keys() - coming.keys() - known.erased
        gone = [held[name] for name in sorted(lost) if held[name].kind is not Kind.EPISODE]
        self._counts.removed += len(gone)
        self._counts.new += len(new)
        self._counts.changed += len(changes)
        self._fresh = [one.id for one in new] + [one.memory for one in changes if one.rewords]
        seq = self._store.head(self._scope)[0]
        for action, payload, entries in (
            *((Action.FORM, Formed((), (one,)), ()) for one in gone),
            *self._additions(tx, new, coming),
            *_alterations(held, changes),
            *_edges(local, known.visible, coming),
        ):
            seq = self._append(tx, action, payload, entries)
        return seq

    def _append(self, tx: Transaction, action: Action, payload: Payload, entries: Sequence[IndexEntry]) -> int:
        if fault := fault_in(payload):
            raise InvalidExport(f"A segment holds what cannot be: {fault}.", "Update Reverie on this machine.")
        return tx.append(self._context.draft(self._scope, action, SYNCED, payload), entries).seq

    def _additions(
        self, tx: Transaction, new: Sequence[Memory], coming: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[tuple[Action, Payload, tuple[IndexEntry, ...]]]:
        """Yield an event for each new memory, messages first: erasing one then leaves the others."""
        said = [one for one in new if one.kind is Kind.EPISODE]
        for memory in sorted(said, key=lambda one: (one.at, one.session, one.seq, one.id)):
            placed = replace(memory, seq=tx.next_seq(self._scope, memory.session))
            message_id = coming[memory.id][_FIXED].get("message_id")
            if message_id is not None and tx.find_message(self._scope, message_id) is not None:
                message_id = None  # the same message was stored on both machines
            yield Action.REMEMBER, Remembered(_episode(placed, message_id), (placed,)), (index(placed),)
        formed = [one for one in new if one.kind is not Kind.EPISODE]
        for memory in sorted(formed, key=lambda one: (one.recorded_at, one.id)):
            yield Action.FORM, Formed((memory,)), (index(memory),)


def _changes(
    base: Known, local: Visible, alive: Collection[str], removed: Collection[str], settle: Collection[str]
) -> Iterator[tuple[Slot, Any]]:
    """Yield the registers, in order, that differ here from the last sync, or whose conflict is to be settled."""
    for slot in sorted(base.visible.keys() | local.keys()):
        is_edge = len(slot) == 3
        if not all(owner in alive for owner in owners(slot)):
            if not is_edge and slot[1] == _ALIVE and slot[0] in removed:
                yield slot, None
        elif not is_edge and slot[1] == _FIXED:
            if slot not in base.visible:
                yield slot, local[slot]
        elif base.visible.get(slot) != local.get(slot) or _open(base, slot, settle):
            yield slot, local.get(slot)


def _open(base: Known, slot: Slot, settle: Collection[str]) -> bool:
    """Whether a register has a conflict that is to be settled with the value that it has here."""
    return slot[0] in settle and slot in base.registers and len(base.registers[slot].heads) > 1


def _by_memory(visible: Visible) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for slot, value in visible.items():
        if len(slot) == 2:
            found.setdefault(slot[0], {})[slot[1]] = value
    return found


def _differ(coming: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    return {**coming, _FIXED: None} != {**ours, _FIXED: None}


def _differences(
    scope: Scope, held: Mapping[str, Memory], coming: Mapping[str, Any], ours: Mapping[str, Any]
) -> list[Change]:
    """Return the changes that give the memories here the values that come in."""
    both = [(held[name], parts) for name, parts in coming.items() if name in held and _differ(parts, ours[name])]
    found = [difference(mine, _memory(scope, mine.id, parts, mine), SYNCED) for mine, parts in both]
    return [one for one in found if one.fields]


def _memory(scope: Scope, name: str, parts: Mapping[str, Any], mine: Memory | None = None) -> Memory:
    """Rebuild a memory of its registers; what each machine has for itself is taken from ``mine``."""
    try:
        fixed = parts[_FIXED]
        validity = dict(parts.get(_VALIDITY, {}))
        ends = {key: validity.pop(key) for key in ("valid_until",) if key in validity}
        rest = {key: value for key, value in parts.items() if key in _STANDING}
        found = codec.read_memory(
            scope, {"id": name, **parts[_WORDING], **fixed, **ends, "standing": {**validity, **rest}}
        )
    except (ReverieError, KeyError, TypeError, ValueError) as error:
        raise InvalidExport(
            f"A segment's memory {name} cannot be read ({type(error).__name__}).", "Update Reverie on this machine."
        ) from None
    if mine is None:
        return found
    own = {key: getattr(mine, key) for key in (*_GROUPS[_FIXED], *_OWN)}
    return replace(found, **own)


def _episode(memory: Memory, message_id: str | None) -> Episode:
    return Episode(
        memory.id,
        memory.scope,
        memory.session,
        memory.seq,
        memory.speaker,
        memory.role,
        memory.text,
        memory.at,
        message_id,
    )


def _alterations(
    held: Mapping[str, Memory], changes: Sequence[Change]
) -> Iterator[tuple[Action, Payload, tuple[IndexEntry, ...]]]:
    """Yield the events of changes: each with words alone, so that erasing one memory leaves the others."""
    from reverie.events import changed

    wordless = list[Change]()
    for change in changes:
        if change.rewords:
            yield Action.CHANGE, Changed((change,)), (index(changed(held[change.memory], change)),)
        elif any(one.name in _WORDY for one in change.fields):
            yield Action.CHANGE, Changed((change,)), ()
        else:
            wordless.append(change)
    for first in range(0, len(wordless), BATCH):
        yield Action.CHANGE, Changed(tuple(wordless[first : first + BATCH])), ()


def _edges(
    local: Visible, coming: Visible, memories: Collection[str]
) -> Iterator[tuple[Action, Payload, tuple[IndexEntry, ...]]]:
    """Yield the event that adds and removes edges, if there is any to add or remove."""
    added = [_edge(value) for slot, value in _edges_in(coming) if value != local.get(slot)]
    lost = [(slot, value) for slot, value in _edges_in(local) if slot not in coming]
    removed = [_edge(value) for slot, value in lost if slot[0] in memories and slot[1] in memories]
    if added or removed:
        yield Action.RELATE, Related(tuple(added), tuple(removed)), ()


def _edges_in(visible: Visible) -> list[tuple[Slot, Any]]:
    return sorted((slot, value) for slot, value in visible.items() if len(slot) == 3)


def _edge(plain: Any) -> Relation:
    try:
        return codec.read_relation(plain)
    except (ReverieError, KeyError, TypeError, ValueError, IndexError):
        raise InvalidExport("A segment's relation cannot be read.", "Update Reverie on this machine.") from None


def sync(
    context: Context, place: str, scope: Scope, *, state: Path | None = None, settle: Sequence[str] = ()
) -> Synced:
    """Synchronise a scope with a folder or a git repository; see ``Transfer.sync``."""
    require_many("settle", settle)
    if not is_git(place):  # an erasure then names the folder as a copy, until the next sync
        note_copy(context.parts.place, Path(place).expanduser() / FOLDER)
    with mirror_of(context.parts.place, require_scope(scope), state, context.clock, context.ids) as mirror:
        return through(place, mirror.tag, Syncing(context, scope, mirror, settle).run)


def conflicts(context: Context, scope: Scope, *, state: Path | None = None) -> list[SyncConflict]:
    """Return what machines changed differently, as of the last sync; see ``Transfer.sync_conflicts``."""
    with mirror_of(context.parts.place, require_scope(scope), state, context.clock, context.ids) as mirror:
        whole, _ = contiguous(mirror.segments())
        return list(Known(whole, erased_in(whole)).conflicts())
