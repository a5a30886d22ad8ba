"""Policies of a scope: who may read, write, forget and govern there; asked before each call that names the scope.

A scope without policies is open to everybody who can open the store. From the first policy on, what no policy allows is
denied, and a denial wins over a permission. Policies are records of the scope (``types.Record``): each change of one is
an event, so it is journaled, replayed and undone like any other. They bind the callers of this engine, by the name
under which events record them; they do not protect the file from somebody who can read it.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from reverie.engine.context import Context
from reverie.engine.requests import actor, require_flag, require_scope, require_words
from reverie.errors import Conflict, Denied, InvalidInput, NotFound
from reverie.events import Recorded
from reverie.ops.log import OpsEntry
from reverie.types import KIND_CODES, POLICY, STATE_CODES, BoolArray, IntArray, Kind, Memory, Record, Scope, State

if TYPE_CHECKING:
    from datetime import datetime

    from reverie.answers import Recollection
    from reverie.ports import Corpus, Store
    from reverie.types import ModelInfo, Relation

T = TypeVar("T")
EVERYBODY = "*"
"""The principal of a policy for all callers."""
_NOBODY_NAMED = "\0"
_NAME_MAX = 200


class Permission(StrEnum):
    """What a policy allows or denies: to read, to write, to forget or erase, to change the policies themselves."""

    READ = "read"
    WRITE = "write"
    FORGET = "forget"
    GOVERN = "govern"


@dataclass(frozen=True, slots=True)
class Policy:
    """One rule of a scope: whether a principal has permissions there, for all memories or only for some.

    Attributes:
        name: what the policy is called in its scope; setting another of this name replaces it.
        principal: the caller's name as events record it (``actor``), or ``EVERYBODY``. Compared exactly.
        permissions: what it is about, at least one.
        kinds: only memories of these kinds; empty: of any kind.
        tags: only memories with one of these tags; empty: with any or none.
        allows: whether it allows or denies.

    Raises:
        InvalidInput: a value has the wrong type, or ``govern`` is limited to some memories.
    """

    name: str
    principal: str
    permissions: tuple[Permission, ...]
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    allows: bool = True

    def __post_init__(self) -> None:
        for what in ("name", "principal"):
            require_named(f"The policy's {what}", getattr(self, what))
        require_flag("allows", self.allows)
        object.__setattr__(self, "permissions", _members("permissions", self.permissions, Permission))
        object.__setattr__(self, "kinds", _members("kinds", self.kinds, Kind))
        object.__setattr__(self, "tags", tags_of(self.tags))
        if not self.permissions:
            raise InvalidInput("The policy is about nothing.", f"Name one of {', '.join(Permission)}.")
        if Permission.GOVERN in self.permissions and (self.kinds or self.tags):
            raise InvalidInput(
                "Governing cannot be limited to some memories.", "Give it a policy without kinds and tags."
            )

    @property
    def is_limited(self) -> bool:
        """Whether it is about some memories only."""
        return bool(self.kinds or self.tags)

    def concerns(self, principal: str, permission: Permission) -> bool:
        """Whether it says anything of what this caller may do."""
        return permission in self.permissions and self.principal in (principal, EVERYBODY)

    def covers(self, kind: Kind, tags: Iterable[str]) -> bool:
        """Whether it is about memories of this kind with these tags."""
        return (not self.kinds or kind in self.kinds) and (not self.tags or not set(self.tags).isdisjoint(tags))


def tags_of(values: object) -> tuple[str, ...]:
    """Return tags, each once and sorted; one text is one tag. Raises InvalidInput for anything but texts."""
    given = (values,) if isinstance(values, str) else tuple(cast("Iterable[Any]", values))
    return tuple(sorted({require_words("A tag", tag) for tag in given}))


def require_named(what: str, value: object) -> None:
    """Raise InvalidInput unless the value is a name: 1 to 200 characters, none of them a control or half a pair."""
    words = require_words(what, value)
    if not words.strip() or len(words) > _NAME_MAX or any(ord(c) < 32 or 0xD800 <= ord(c) <= 0xDFFF for c in words):
        raise InvalidInput(f"{what} is {words!r:.60}.", f"Use 1 to {_NAME_MAX} ordinary characters.")


def _members(what: str, values: object, kind: type[T]) -> tuple[T, ...]:
    """Return values of an enumeration, given by value or name, each once, in its order. Raises InvalidInput."""
    given = (values,) if isinstance(values, str) else tuple(cast("Iterable[Any]", values))
    known = list(cast("Iterable[T]", kind))
    unknown = [one for one in given if one not in known]
    if unknown:
        raise InvalidInput(f"{unknown[0]!r} is none of the policy's {what}.", f"Use {', '.join(map(str, known))}.")
    return tuple(one for one in known if one in given)


def record_of(policy: Policy, scope: Scope) -> Record:
    """Return the record that holds a policy."""
    body = {
        "allows": policy.allows,
        "kinds": [str(kind) for kind in policy.kinds],
        "permissions": [str(one) for one in policy.permissions],
        "tags": list(policy.tags),
    }
    return Record.of(scope, POLICY, policy.name, body, policy.principal)


def policy_in(record: Record) -> Policy:
    """Return the policy that a record holds; one that cannot be read denies its principal everything."""
    try:
        body = json.loads(record.body)
        return Policy(record.name, record.about, body["permissions"], body["kinds"], body["tags"], body["allows"])
    except (ValueError, KeyError, TypeError, InvalidInput):
        return Policy(record.name, record.about or EVERYBODY, tuple(Permission), allows=False)


class Rules:
    """The policies of one scope, at least one, as they apply to one caller."""

    def __init__(self, policies: Iterable[Policy], principal: str) -> None:
        self._policies = tuple(policies)
        self.principal = principal

    def everywhere(self, permission: Permission) -> bool:
        """Whether the caller has the permission for every memory, present and future."""
        about = self._about(permission)
        return all(one.allows for one in about) and any(one.allows and not one.is_limited for one in about)

    def somewhere(self, permission: Permission) -> bool:
        """Whether the caller has the permission for some memories at least."""
        return any(one.allows for one in self._about(permission))

    def on(self, permission: Permission, kind: Kind, tags: Iterable[str]) -> bool:
        """Whether the caller has the permission for memories of this kind with these tags."""
        held = tuple(tags)
        about = [one for one in self._about(permission) if one.covers(kind, held)]
        return bool(about) and all(one.allows for one in about)

    def to(self, permission: Permission, memory: Memory) -> bool:
        """Whether the caller has the permission for this memory."""
        return self.on(permission, memory.kind, memory.standing.tags)

    def denials(self, permission: Permission) -> list[Policy]:
        """Return the policies that deny the caller the permission, for all memories or some."""
        return [one for one in self._about(permission) if not one.allows]

    def by_tag(self, permission: Permission) -> bool:
        """Whether the decision depends on the tags of a memory."""
        return any(one.tags for one in self._about(permission))

    def _about(self, permission: Permission) -> list[Policy]:
        return [one for one in self._policies if one.concerns(self.principal, permission)]


def rules_of(store: Store, scope: Scope, principal: str = "") -> Rules | None:
    """Return the rules of a scope for a principal, by default the current caller; None if it has no policies."""
    records = store.records(POLICY, scope=scope)
    return Rules(map(policy_in, records), principal or actor(scope)) if records else None


class Governance:
    """Collaborator for policies: set, drop and list those of a scope."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def policies(self, scope: Scope) -> list[Policy]:
        """Return the policies of a scope, by name; [] for a scope that is open."""
        with self._context.locks.of(scope):
            return [policy_in(one) for one in self._context.store.records(POLICY, scope=require_scope(scope))]

    def set_policy(self, policy: Policy, scope: Scope) -> Policy:
        """Add a policy to a scope, or replace the one of its name. A repeated call changes nothing.

        Raises:
            InvalidInput: its principal can be mistaken for that of another policy.
            Conflict: nobody could change the scope's policies any more.
            Denied: the caller may not govern the scope.
        """
        if not isinstance(policy, Policy):
            raise InvalidInput(f"The policy is {type(policy).__name__}.", "Give Policy(name, principal, permissions).")
        with self._context.locks.of(scope):
            held = self.policies(scope)
            _require_distinct(policy.principal, held)
            after = [one for one in held if one.name != policy.name] + [policy]
            if not held and not Rules(after, actor(scope)).everywhere(Permission.GOVERN):
                raise _ungoverned()
            self._put(scope, policy.name, after, record_of(policy, scope))
        return policy

    def drop_policy(self, name: str, scope: Scope) -> None:
        """Take a policy away; without its last policy a scope is open again.

        Raises:
            NotFound: the scope has no policy of this name.
            Conflict: nobody could change the scope's policies any more.
            Denied: the caller may not govern the scope.
        """
        with self._context.locks.of(scope):
            held = self.policies(scope)
            if name not in [one.name for one in held]:
                raise NotFound(f"Scope {scope} has no policy {name!r:.60}.", "`reverie audit policy` shows them.")
            self._put(scope, name, [one for one in held if one.name != name], None)

    def _put(self, scope: Scope, name: str, after: Sequence[Policy], record: Record | None) -> None:
        require_governable(after)
        self._context.keep_record(scope, POLICY, name, record)


def require_governable(policies: Sequence[Policy]) -> None:
    """Raise Conflict if there are policies, and nobody whom they let change them."""
    named = {one.principal for one in policies if one.principal != EVERYBODY} | {_NOBODY_NAMED}
    if policies and not any(Rules(policies, one).everywhere(Permission.GOVERN) for one in named):
        raise _ungoverned()


def _ungoverned() -> Conflict:
    return Conflict(
        "Nobody could change the policies of this scope any more.",
        "First allow somebody to govern: a policy with the permission govern, for yourself.",
    )


def _require_distinct(principal: str, held: Iterable[Policy]) -> None:
    """Raise InvalidInput if a principal can be mistaken for another's name: by letters, marks, case or blanks."""
    seen = _skeleton(principal)
    alike = [one.principal for one in held if one.principal != principal and _skeleton(one.principal) == seen]
    if alike:
        raise InvalidInput(
            f"The principal {principal!r} looks like {alike[0]!r}, whom another policy names.",
            "Write the same name, or rename one of the two callers.",
        )


def _skeleton(name: str) -> str:
    """Return a name without what a reader does not see: look-alike letters, marks, case, blanks."""
    from reverie.screen.normalisation import latin, normal

    plain = normal(name).casefold()
    letters = unicodedata.normalize("NFD", (latin(plain) or plain).casefold().replace("ı", "i"))
    return "".join(letter for letter in letters if not (unicodedata.combining(letter) or letter.isspace()))


_GOVERNING = frozenset({"set_policy", "drop_policy", "set_retention", "drop_retention", "grant", "revoke", "sync"})
_OPEN = frozenset({"policies", "retentions", "erase_rest", "decay_at_open", "has_slept"})
"""Verbs that anybody may call: the rules themselves can be read; the last three the engine calls when it opens."""
_FILTERED = frozenset({"timeline", "latest", "formed", "quarantined", "about", "hot"})
"""Verbs that return memories: a limited reader receives those that are allowed."""
_FINDING = frozenset({"recall", "explain"})
_ON_ONE: dict[str, Permission] = {
    "memory": Permission.READ,
    "history": Permission.READ,
    "forgetting_curve": Permission.READ,
    **dict.fromkeys(
        (
            *("correct", "feedback", "pin", "protect", "revive", "quarantine", "release", "amend", "reopen", "restore"),
            "settle",
        ),
        Permission.WRITE,
    ),
    "forget": Permission.FORGET,
    "erase": Permission.FORGET,
}
"""Verbs about one memory, whose id is the first argument: asked for that memory."""
_WHOLE: dict[str, Permission] = {
    **dict.fromkeys(
        (
            *("provenance", "expand", "condense", "dreams", "health", "stats", "events", "relations", "graph"),
            *("working", "held_of", "grants", "bundle", "export_memories", "export_journal", "export_markdown"),
            *("intentions", "due", "calendar", "runs", "skills", "what_worked", "sync_conflicts", "jobs", "show"),
            "injected",
        ),
        Permission.READ,
    ),
    **dict.fromkeys(
        (
            *(
                "remember_many",
                "keep_many",
                "observe_many",
                "note",
                "relate",
                "undo_event",
                "undo",
                "end_session",
                "dream",
            ),
            *("decay", "compact"),
            *("import_from", "import_journal", "accept", "intend", "heard", "hand_over", "record_run"),
            *("enqueue", "cancel", "retry"),
        ),
        Permission.WRITE,
    ),
    **dict.fromkeys(("erase_all", "erase_rest", "shred"), Permission.FORGET),
}
"""Verbs about a whole scope: asked for every memory."""
_SAYING = frozenset({"remember", "observe"})
_SHOWING = frozenset({"hand_over", "end_session", "dream"})
"""Verbs that write and show memories of the whole scope: they need both permissions."""
_COPYING: dict[str, Permission] = {"backup": Permission.READ, "replay": Permission.READ}
"""Verbs that copy the whole store. A repair asks nobody: it shows nothing, and the policies may be what is damaged."""


class Guard:
    """Asks the policies of a scope before a verb runs, and filters what a limited reader receives."""

    def __init__(self, context: Context, scope: Scope, rules: Rules, inner: Any, *, everywhere: bool) -> None:
        self._context = context
        self._inner = inner
        self._everywhere = everywhere  # the call names no scope alone
        self._scope = scope
        self._rules = rules

    def call(self, name: str, method: Callable[..., T], args: Sequence[Any], given: dict[str, Any]) -> T:
        """Run a verb if the policies allow it. Raises Denied."""
        if name in _OPEN:
            return method(*args, **given)
        if name in _FINDING or name in _FILTERED:
            self._require(name, Permission.READ, self._rules.somewhere(Permission.READ))
            return self._allowed(method(*args, **given))
        if name in _SAYING:
            return self._saying(name, method, args, given)
        if (permission := _ON_ONE.get(name)) is not None:
            ids = args[0] if args else given.get("memory_id")
            for one in (permission, *((Permission.READ,) if permission is Permission.WRITE else ())):
                self._require(name, one, self._may_all(one, ids))  # what is changed is returned
            return method(*args, **given)
        for one in self._needed(name):
            self._require(name, one, self._rules.everywhere(one))
        if name == "undo_event":
            self._undoing(args[0] if args else given.get("event"))
        return method(*args, **given)

    def _needed(self, name: str) -> tuple[Permission, ...]:
        """Return the permissions that a verb about the whole scope, or store, needs for every memory."""
        if name in _GOVERNING or (name == "import_journal" and self._everywhere):
            return (Permission.GOVERN,)
        permission = _COPYING.get(name) or _WHOLE[name]
        return (permission, Permission.READ) if name in _SHOWING else (permission,)

    def _saying(self, name: str, method: Callable[..., T], args: Sequence[Any], given: dict[str, Any]) -> T:
        """Store a message; who may write messages alone has nothing formed from theirs."""
        whole = self._rules.everywhere(Permission.WRITE)
        self._require(name, Permission.WRITE, whole or self._rules.on(Permission.WRITE, Kind.EPISODE, ()))
        if name == "observe" and not whole:
            kept = {
                key: value for key, value in given.items() if key in ("speaker", "session", "at", "scope", "message")
            }
            return cast("T", self._inner.remember(*args, **kept))
        return method(*args, **given)

    def _may_all(self, permission: Permission, ids: object) -> bool:
        """Whether the caller has the permission for these memories; one that does not exist is for the verb to miss."""
        if self._rules.everywhere(permission):
            return True
        names = [ids] if isinstance(ids, str) else list(ids) if isinstance(ids, list | tuple) else []
        found = self._context.store.named(self._scope, [name for name in names if isinstance(name, str)])
        return self._rules.somewhere(permission) and all(self._rules.to(permission, one) for one in found)

    def _undoing(self, event: object) -> None:
        """Undoing a change of the policies is governing, and must leave somebody who can."""
        number = int(str(event)) if str(event).isascii() and str(event).isdecimal() else 0
        found = next(self._context.store.events(self._scope, after=number - 1), None) if 0 < number < 2**63 else None
        payload = None if found is None or found.seq != number else found.payload
        if isinstance(payload, Recorded):
            self._require("undo_event", Permission.GOVERN, self._rules.everywhere(Permission.GOVERN))
            if payload.record.sort == POLICY:
                held = self._context.store.records(POLICY, scope=self._scope)
                left = [one for one in held if one.name != payload.record.name]
                require_governable([policy_in(one) for one in (*left, *filter(None, [payload.before]))])

    def _allowed(self, found: T) -> T:
        """Return what of a result the caller may read."""
        if self._rules.everywhere(Permission.READ):
            return found
        if isinstance(found, list):
            return cast("T", [one for one in found if self._rules.to(Permission.READ, one)])
        from reverie.recall.explain import Explanation, explain

        if isinstance(found, Explanation):
            return cast("T", explain(self._readable(found.recollection)))
        return cast("T", self._readable(cast("Recollection", found)))

    def _readable(self, answer: Recollection) -> Recollection:
        """The last wall: the read path was given no memory that is not allowed."""
        hits, withheld, standing = (
            tuple(hit for hit in hits if self._rules.to(Permission.READ, hit.memory))
            for hits in (answer.hits, answer.withheld, answer.standing)
        )
        return replace(answer, hits=hits, withheld=withheld, standing=standing)

    def _require(self, verb: str, permission: Permission, is_allowed: bool) -> None:
        """Raise Denied, and log the denial, unless the call is allowed."""
        if is_allowed:
            return
        who = self._rules.principal
        self._context.logged(OpsEntry("denied", f"{self._scope}", f"{who}: {verb}", success=False, scope=self._scope))
        self._context.parts.telemetry.count("reverie.denied", 1)
        raise Denied(
            f"The policies of scope {self._scope} do not allow {who!r} to {permission} there ({verb}).",
            "Ask somebody who governs the scope: `reverie audit policy` shows who does.",
        )


def guarded(
    context: Context, scopes: Iterable[Scope], method: Callable[..., T], args: Sequence[Any], given: dict[str, Any]
) -> T:
    """Run a collaborator's method as far as the policies of these scopes allow. Raises Denied."""
    name, plain = method.__name__, getattr(method, "__self__", None)
    everywhere = not any(isinstance(one, Scope) for one in (*args, *given.values()))
    for scope in dict.fromkeys(scopes):
        with context.locks.of(scope):
            rules = rules_of(context.store, scope)
        if rules is not None:
            method = _behind(Guard(context, scope, rules, plain, everywhere=everywhere), name, method)
    return method(*args, **given)


def _behind(guard: Guard, name: str, method: Callable[..., T]) -> Callable[..., T]:
    return lambda *args, **given: guard.call(name, method, args, given)


class ReadableStore:
    """A store without the memories that a caller may not read, for the read path of one recall."""

    def __init__(self, store: Store, rules: Rules) -> None:
        self._store = store
        self._rules = rules

    def corpus(self, scope: Scope, model: ModelInfo | None) -> Corpus:
        """Return the scope's columns, with the memories that are not allowed in the state of quarantined ones."""
        return cast("Corpus", ReadableCorpus(self._store.corpus(scope, model), self._rules))

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory that is allowed, else None."""
        found = self._store.memory(scope, memory_id)
        return found if found is not None and self._rules.to(Permission.READ, found) else None

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the allowed ones of these memories."""
        return self._allowed(self._store.named(scope, memory_ids))

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the allowed ones of the often accessed memories."""
        return self._allowed(self._store.often(scope, least))

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the allowed ones of the memories formed from an episode."""
        return self._allowed(self._store.made_from(scope, episode_id))

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes whose formed memories are all superseded."""
        return self._store.outlived(scope, episode_ids)

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the edges between allowed memories."""
        found = self._store.relations(scope, memory_ids)
        ends = {end for one in found for end in (one.source, one.target)}
        seen = {one.id for one in self.named(scope, sorted(ends))}
        return [one for one in found if one.source in seen and one.target in seen]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _allowed(self, found: Iterable[Memory]) -> list[Memory]:
        return [one for one in found if self._rules.to(Permission.READ, one)]


class ReadableCorpus:
    """A scope's columns as a caller may read them: what is not allowed counts as quarantined, and is never recalled."""

    def __init__(self, corpus: Corpus, rules: Rules) -> None:
        self._corpus = corpus
        self._rules = rules

    @cached_property
    def _allowed(self) -> BoolArray:
        """Which memories are allowed, (n,); where tags decide, every memory of the scope is read."""
        if self._rules.by_tag(Permission.READ):
            memories = self._corpus.fetch(range(self._corpus.size))
            return np.array([self._rules.to(Permission.READ, one) for one in memories], bool)
        codes = [KIND_CODES[kind] for kind in Kind if self._rules.on(Permission.READ, kind, ())]
        allowed: BoolArray = np.isin(self._corpus.kinds, codes)
        return allowed

    @property
    def states(self) -> IntArray:
        """Return each memory's state, (n,); quarantined where it is not allowed."""
        return np.where(self._allowed, self._corpus.states, STATE_CODES[State.QUARANTINED])

    def recallable(self, now: datetime) -> BoolArray:
        """Return which memories are recalled at ``now`` and allowed, (n,)."""
        among = self._corpus.recallable(now)
        return self._allowed if among is None else self._allowed & among

    def __getattr__(self, name: str) -> Any:
        return getattr(self._corpus, name)
