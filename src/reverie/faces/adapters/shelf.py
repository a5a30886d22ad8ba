"""Key-value storage for the adapters: exact texts under keys, kept as memories in a scope of their own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from threading import Lock

from reverie.answers import Receipt
from reverie.engine.core import Reverie
from reverie.errors import InvalidInput
from reverie.types import Kind, Memory, Message, Role, Scope, State

Names = tuple[str, ...]

_NEAR = 4
"""Versions of a key that are read at first; all are read only if these do not suffice."""
_TIMES = 10_000


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """The text under a key. ``searched``: a recall may find it; ``held_back``: it is quarantined by the screen."""

    key: str
    text: str
    created_at: datetime
    updated_at: datetime
    searched: bool
    held_back: bool


@dataclass(frozen=True, slots=True)
class ShelfHit:
    """An entry that was recalled: ``score`` is comparable across shelves, ``cosine`` is the raw similarity."""

    entry: ShelfEntry
    score: float
    cosine: float | None


class Shelves:
    """The shelves of one framework below one scope of the caller's.

    The shelf ``("users", "42")`` of framework "langgraph" below project "shop" lies in the scope of the same agent and
    user whose project is "shop/langgraph/users/42"; a slash or percent sign in a name is escaped.
    """

    def __init__(self, engine: Reverie, scope: Scope, framework: str, *, erase: bool = False) -> None:
        """Create the shelves. ``erase``: deleting removes every version of a text for good, instead of forgetting."""
        self._engine = engine
        self._scope = scope
        self._framework = framework
        self._erase = erase
        self._times = _Times()
        self._lock = Lock()
        self._root = f"{_escaped(scope.project)}/{framework}"

    def at(self, names: Names = ()) -> Shelf:
        """Return the shelf with these names, empty or not. Raises InvalidScope for overlong names."""
        project = "/".join((self._root, *map(_escaped, names)))
        scope = Scope(self._scope.agent, self._scope.user, project)
        return Shelf(self._engine, scope, self._framework, (self._times, self._lock), self._erase)

    def under(self, prefix: Names = ()) -> list[tuple[Names, Shelf]]:
        """Return the shelves that were ever used and whose names begin with ``prefix``, by name."""
        names = sorted(names for names in self._names() if names[: len(prefix)] == prefix)
        return [(each, self.at(each)) for each in names]

    def _names(self) -> Iterator[Names]:
        root = f"{self._root}/"
        for scope in self._engine.admin.scopes():
            if (scope.agent, scope.user) == (self._scope.agent, self._scope.user) and scope.project.startswith(root):
                yield tuple(map(_unescaped, scope.project[len(root) :].split("/")))


class Shelf:
    """Exact texts under keys, in one scope. Safe to share between threads."""

    def __init__(self, engine: Reverie, scope: Scope, label: str, shared: tuple[_Times, Lock], erase: bool) -> None:
        self.scope = scope
        self._engine = engine
        self._label = label
        self._times, self._lock = shared
        self._erase = erase

    def get(self, key: str) -> ShelfEntry | None:
        """Return the entry under a key, without reading the whole scope; None if there is none."""
        held = self._held(key)
        return self._entry(held[-1]) if held else None

    def put(self, key: str, text: str, *, searched: bool = True, exact: bool = True) -> Receipt:
        """Store a text under a key, replacing the earlier one.

        Raises:
            InvalidInput: the screen would mask a part of the text, and it must come back ``exact``.
        """
        role = Role.TOOL if searched else Role.SYSTEM
        with self._lock:
            before = self._held(key)
            receipt = self._engine.remember(Message(text, self._label, role, key), self.scope)
            if exact and is_masked(receipt):
                self._engine.forget(receipt.id, self.scope, why="not kept exactly")
                raise InvalidInput(
                    f"{key!r} holds a secret or personal data, which the screen takes out of what is written.",
                    "Leave it out, or open the engine with a screen that leaves it.",
                )
            if before:
                self._times.put(receipt.id, self._entry(before[-1]).created_at)
            for memory in before:
                self._engine.forget(memory.id, self.scope, why="overwritten")
        return receipt

    def drop(self, key: str) -> bool:
        """Remove the text under a key; return whether there was one."""
        with self._lock:
            held = self._all(key)
            if self._erase:
                for memory in self._all(key, forgotten=True):
                    self._engine.admin.erase(memory.id, self.scope, why="deleted")
            else:
                for memory in held:
                    self._engine.forget(memory.id, self.scope, why="deleted")
        return bool(held)

    def is_empty(self) -> bool:
        """Whether the shelf is empty."""
        return self._engine.admin.stats(self.scope).current == 0 or not self.first(1)

    def entries(self) -> list[ShelfEntry]:
        """Return all entries, in the order in which their keys were first stored."""
        versions: dict[str, list[Memory]] = {}
        for memory in self._engine.timeline(self.scope):
            if self._is_ours(memory):
                versions.setdefault(memory.session, []).append(memory)
        found = [_entry(each) for each in versions.values()]
        return sorted((entry for entry in found if entry), key=lambda entry: entry.created_at)

    def first(self, count: int) -> list[ShelfEntry]:
        """Return the first ``count`` entries, without reading the rest of a long shelf."""
        told: dict[str, ShelfEntry] = {}
        seen, reach = 0, count
        while True:
            read = self._engine.timeline(self.scope, limit=reach)
            for memory in read[seen:]:
                entry = self.get(memory.session) if self._is_ours(memory) else None
                if entry and entry.created_at == memory.at:  # a key that was removed and put again comes later
                    told[entry.key] = entry
            if len(told) >= count or len(read) < reach:
                return list(told.values())[:count]
            seen, reach = len(read), reach * 4

    def find(self, query: str, limit: int) -> list[ShelfHit]:
        """Return the entries that answer a query, best first, by Reverie's recall over this shelf alone."""
        answer = self._engine.recall(query, self.scope, top_k=limit, budget_tokens=None)
        trust = 1.0 if answer.confidence is None else answer.confidence
        found: dict[str, ShelfHit] = {}
        for hit in chain(answer.hits, answer.standing):
            memory = hit.memory
            if self._is_ours(memory) and memory.role is not Role.SYSTEM and memory.session not in found:
                found[memory.session] = ShelfHit(self._entry(memory), hit.score * trust, hit.cosine)
        return list(found.values())

    def _held(self, key: str) -> list[Memory]:
        """Return the current versions of a key: usually one, two if a writer was interrupted. Old ones are not read."""
        near = self._engine.admin.latest(key, self.scope, limit=_NEAR, forgotten=True)
        held = [memory for memory in near if memory.valid_until is None and self._is_ours(memory)]
        return held if held or len(near) < _NEAR else self._all(key)

    def _all(self, key: str, *, forgotten: bool = False) -> list[Memory]:
        return list(filter(self._is_ours, self._engine.admin.latest(key, self.scope, forgotten=forgotten)))

    def _is_ours(self, memory: Memory) -> bool:
        """Whether a memory was stored by this shelf: a dream or a person may have added others to the scope."""
        return memory.kind is Kind.EPISODE and memory.speaker == self._label

    def _entry(self, newest: Memory) -> ShelfEntry:
        created = newest.at if newest.seq == 0 else self._times.get(newest.id)
        if created is None:
            entry = _entry(self._all(newest.session, forgotten=True))
            created = newest.at if entry is None else entry.created_at
            self._times.put(newest.id, created)
        return _told(newest, created)


class _Times:
    """Cache of the time a key was first stored, by the id of a later version, since finding it means reading all
    versions.
    """

    def __init__(self) -> None:
        self._held: OrderedDict[str, datetime] = OrderedDict()
        self._lock = Lock()

    def get(self, memory_id: str) -> datetime | None:
        with self._lock:
            return self._held.get(memory_id)

    def put(self, memory_id: str, created: datetime) -> None:
        with self._lock:
            self._held[memory_id] = created
            while len(self._held) > _TIMES:
                self._held.popitem(last=False)


def is_masked(receipt: Receipt) -> bool:
    """Whether the screen masked a part of what was written."""
    return any(decision.stage == "screen" and decision.verdict == "mask" for decision in receipt.decisions)


def _entry(versions: list[Memory]) -> ShelfEntry | None:
    """Combine the versions of one key to an entry. Each replaced version was forgotten after the next was written."""
    held = [memory for memory in versions if memory.valid_until is None]
    if not held:
        return None
    newest = held[-1]
    created = newest.at
    for older in reversed(versions[: versions.index(newest)]):
        if older.valid_until is None or older.valid_until >= created:
            created = min(created, older.at)
    return _told(newest, created)


def _told(memory: Memory, created: datetime) -> ShelfEntry:
    return ShelfEntry(
        key=memory.session,
        text=memory.text,
        created_at=created,
        updated_at=memory.at,
        searched=memory.role is not Role.SYSTEM,
        held_back=memory.standing.state is State.QUARANTINED,
    )


def _escaped(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def _unescaped(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")
