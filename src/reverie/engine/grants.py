"""Grants: one scope lets another read some of its memories, until it revokes that.

In: grants, kept as records of the giver's scope. Out: which memories a receiver may recall, as one corpus with its own.
Nothing is copied: a recall reads the giver's memories as they are, so that every change there takes effect at once.
"""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from reverie.engine.requests import actor, by_tool, require_flag, require_many, require_scope, require_words
from reverie.errors import Conflict, InvalidInput, NotFound, ReverieError
from reverie.events import Action, Changed, Erased, Formed, Payload, Recorded
from reverie.recall.granted import RECALLED, JoinedCorpus, Part
from reverie.stores.codec import FOREVER, from_micros, to_micros
from reverie.types import (
    GRANT,
    KIND_CODES,
    POLICY,
    RECALLED_STATES,
    BoolArray,
    IntArray,
    Kind,
    Memory,
    ModelInfo,
    Record,
    Scope,
    in_utc,
)

if TYPE_CHECKING:
    from reverie.engine.context import Context
    from reverie.ports import Corpus, Store

NO_LONGER = "a grant does not come with an import"
"""Reason of the event that ends an imported grant."""
TAGS_MAX, TAG_CHARS = 50, 200
STEPS_MAX = 1_000
"""Most grants that one recall follows, over all givers; what lies behind them is not handed over."""
SCOPES_KEPT = 8
"""Most scopes whose joined columns are kept."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What one scope lets another recall: read-only, until ``until`` or until the giver revokes it.

    Attributes:
        giver: whose memories they are.
        receiver: who may recall them.
        kinds: only memories of these kinds; empty: of all.
        tags: only memories with at least one of these tags; empty: all.
        since: from when on it holds; None: at once.
        until: when it ends; None: never.
        may_reshare: whether the receiver's own grants pass these memories on, as far as both grants allow.
        id: identifies it in the giver's scope; given by the engine.
    """

    giver: Scope
    receiver: Scope
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    may_reshare: bool = False
    id: str = ""

    def holds_at(self, now: datetime) -> bool:
        """Whether it holds at a moment."""
        return (self.since is None or self.since <= now) and (self.until is None or now < self.until)


class Grants:
    """Collaborator for sharing memories: gives, revokes and lists grants."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def grant(self, grant: Grant, *, why: str = "") -> Grant:
        """Let ``grant.receiver`` recall memories of ``grant.giver``, the scope of this call; return it with its id.

        The receiver recalls them read-only, marked with their origin; nothing is copied. A grant with the same terms as
        one that stands changes nothing.

        Raises:
            InvalidInput: the receiver is the giver, the end lies before the start or in the past, or a kind is unknown.
            Conflict: a model's tool calls; only a person or a program may share memories.
        """
        asked = _checked(grant)
        _refuse_tools()
        with self._context.locks.of(asked.giver), self._context.store.begin(asked.giver, durable=True) as tx:
            now = self._context.clock.now()
            if asked.until is not None and asked.until <= now:
                raise InvalidInput(f"The grant would have ended at {asked.until.isoformat()}.", "Give a later end.")
            standing = given(self._context.store, asked.giver)
            same = next((one for one in standing if replace(one, id="") == asked), None)
            if same is not None:
                return same
            made = replace(asked, id=self._context.ids.new_id(now))
            tx.append(self._context.draft(made.giver, Action.RECORD, why, Recorded(None, record_of(made))))
        return made

    def revoke(self, grant_id: str, scope: Scope, *, why: str = "") -> Grant:
        """End a grant that ``scope`` gave, from the next recall on, and return it; undoing the event gives it again.

        Raises:
            NotFound: the scope has given no grant of this id.
            Conflict: another scope gave it, and only that one can revoke it; or a model's tool calls.
        """
        require_words("The grant's id", grant_id)
        _refuse_tools()
        with self._context.locks.of(scope), self._context.store.begin(require_scope(scope), durable=True) as tx:
            found = self._context.store.records(GRANT, scope=scope)
            record = next((one for one in found if one.name == grant_id), None)
            if record is None:
                raise self._not_given(grant_id, scope)
            tx.append(self._context.draft(scope, Action.RECORD, why, Recorded(record, None)))
        return read(record) or Grant(scope, scope, id=grant_id)

    def grants(self, scope: Scope) -> list[Grant]:
        """Return the grants that a scope gave, then those it received, also before their start and after their end."""
        with self._context.locks.of(scope):
            return [*given(self._context.store, require_scope(scope)), *received(self._context.store, scope)]

    def _not_given(self, grant_id: str, scope: Scope) -> ReverieError:
        for one in received(self._context.store, scope):
            if one.id == grant_id:
                return Conflict(f"{one.giver} gave the grant {grant_id}.", "Only its giver can revoke it.")
        return NotFound(f"{scope} gave no grant {grant_id!r}.", "`reverie project grants` lists those it gave.")


def _refuse_tools() -> None:
    if tool := by_tool():
        raise Conflict(f"The tool {tool} may not share memories.", "Let a person do it: `reverie project grant`.")


def _checked(grant: Grant) -> Grant:
    """Return a grant with its values in canonical form. Raises InvalidInput."""
    if not isinstance(grant, Grant):
        raise InvalidInput(f"The grant is {type(grant).__name__}.", "Give Grant(giver=…, receiver=…).")
    giver, receiver = require_scope(grant.giver), require_scope(grant.receiver)
    if giver == receiver:
        raise InvalidInput(f"{giver} would share with itself.", "Name another scope as the receiver.")
    since, until = (None if at is None else in_utc(at) for at in (grant.since, grant.until))
    if since is not None and until is not None and until <= since:
        raise InvalidInput("The grant ends before it begins.", "Swap since and until.")
    return Grant(
        giver=giver,
        receiver=receiver,
        kinds=chosen_kinds(grant.kinds),
        tags=chosen_tags(grant.tags),
        since=since,
        until=until,
        may_reshare=require_flag("may_reshare", grant.may_reshare),
    )


def chosen_kinds(kinds: object) -> tuple[Kind, ...]:
    """Return kinds in the order of ``Kind``, each once. Raises InvalidInput for an unknown one."""
    require_many("kinds", kinds)
    asked = list(kinds)  # type: ignore[call-overload]  # just checked
    unknown = [one for one in asked if one not in list(Kind)]
    if unknown:
        raise InvalidInput(f"There is no kind {unknown[0]!r}.", f"Use one of {', '.join(Kind)}.")
    return tuple(kind for kind in Kind if kind in asked)


def chosen_tags(tags: object) -> tuple[str, ...]:
    """Return tags sorted, each once. Raises InvalidInput for a blank or a long one, or for too many."""
    require_many("tags", tags)
    asked = {require_words("A tag", tag).strip() for tag in tags}  # type: ignore[attr-defined]  # just checked
    if len(asked) > TAGS_MAX or any(not tag or len(tag) > TAG_CHARS for tag in asked):
        raise InvalidInput("The tags do not fit.", f"Give at most {TAGS_MAX}, each of 1 to {TAG_CHARS} characters.")
    return tuple(sorted(asked))


# Records: how a grant is kept. The giver is the record's scope and the receiver what it is about, so that nothing in
# the body can name another.


def record_of(grant: Grant) -> Record:
    """Return the record that keeps a grant."""
    terms = {
        "kinds": [str(kind) for kind in grant.kinds],
        "may_reshare": grant.may_reshare,
        "since": grant.since and grant.since.isoformat(),
        "tags": list(grant.tags),
        "until": grant.until and grant.until.isoformat(),
    }
    return Record.of(grant.giver, GRANT, grant.id, terms, grant.receiver.canonical)


def read(record: Record) -> Grant | None:
    """Return the grant that a record keeps; None if it is not exactly what ``record_of`` writes."""
    try:
        receiver, terms = Scope(*json.loads(record.about)), json.loads(record.body)
        found = Grant(
            giver=record.scope,
            receiver=receiver,
            kinds=tuple(map(Kind, terms["kinds"])),
            tags=tuple(terms["tags"]),
            since=_moment(terms["since"]),
            until=_moment(terms["until"]),
            may_reshare=terms["may_reshare"] is True,
            id=record.name,
        )
        return found if record_of(found) == record and found.giver != receiver else None
    except (ValueError, TypeError, LookupError, AttributeError, ReverieError):
        return None


def _moment(said: str | None) -> datetime | None:
    return None if said is None else in_utc(datetime.fromisoformat(said))


def given(store: Store, scope: Scope) -> list[Grant]:
    """Return the grants that a scope gave, by id; records that are no grant are left out."""
    return list(filter(None, map(read, store.records(GRANT, scope=scope))))


def received(store: Store, scope: Scope) -> list[Grant]:
    """Return the grants that a scope received, by giver and id; records that are no grant are left out."""
    return list(filter(None, map(read, store.records(GRANT, about=scope.canonical))))


# Terms: what the grants on the way from a giver to a receiver allow together.


@dataclass(frozen=True, slots=True)
class Terms:
    """What may be recalled: memories of these kinds (None: all) that have a tag of each of these sets."""

    kinds: frozenset[Kind] | None = None
    tags: frozenset[frozenset[str]] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Whether they allow every memory."""
        return self.kinds is None and not self.tags

    def narrowed(self, grant: Grant) -> Terms | None:
        """Return what these terms and a grant allow together; None if that is nothing."""
        kinds, tags = self.kinds, self.tags
        if grant.kinds:
            kinds = frozenset(grant.kinds) if kinds is None else kinds & frozenset(grant.kinds)
        if grant.tags:
            tags |= {frozenset(grant.tags)}
        return None if kinds is not None and not kinds else Terms(kinds, tags)

    def are_within(self, other: Terms) -> bool:
        """Whether the others allow all that these allow."""
        if other.kinds is not None and (self.kinds is None or not self.kinds <= other.kinds):
            return False
        return all(any(own <= wide for own in self.tags) for wide in other.tags)

    def allow(self, memory: Memory) -> bool:
        """Whether they allow a memory."""
        has = memory.standing.tags
        return (self.kinds is None or memory.kind in self.kinds) and all(not one.isdisjoint(has) for one in self.tags)


def terms_of(kinds: Iterable[Kind], tags: Iterable[str]) -> Terms:
    """Return the terms that allow these kinds (none given: all) and memories with one of these tags (none: all)."""
    named, tagged = frozenset(kinds), frozenset(tags)
    return Terms(named or None, frozenset({tagged}) if tagged else frozenset())


@dataclass(frozen=True, slots=True)
class Sources:
    """Each scope whose memories may be recalled, with the terms of which one must allow it; ``until``: so long."""

    terms: dict[Scope, list[Terms]]
    until: datetime | None


def sources(store: Store, scope: Scope, now: datetime) -> Sources:
    """Find the scopes whose memories ``scope`` may recall at ``now``.

    A grant to a giver is followed only if it may be reshared. Terms that another way allows already are not followed
    again, so that cycles end.
    """
    found: dict[Scope, list[Terms]] = {}
    queue, steps, ends = deque([(scope, Terms())]), 0, list[datetime]()
    while queue:
        at, so_far = queue.popleft()
        for grant in received(store, at)[: STEPS_MAX - steps]:
            steps += 1
            ends += [moment for moment in (grant.since, grant.until) if moment is not None and moment > now]
            terms = _along(grant, so_far, scope, now, reshared=at != scope)
            known = found.get(grant.giver, [])
            if terms is not None and not any(terms.are_within(one) for one in known):
                found[grant.giver] = [*known, terms]
                queue.append((grant.giver, terms))
    return Sources(found, min(ends, default=None))


def _along(grant: Grant, so_far: Terms, scope: Scope, now: datetime, *, reshared: bool) -> Terms | None:
    """Return what is allowed behind one more grant; None if it leads nowhere."""
    if grant.giver == scope or not grant.holds_at(now) or (reshared and not grant.may_reshare):
        return None
    return so_far.narrowed(grant)


# Recall: the corpora of givers, and what of them is granted.

_LOUD = frozenset(Action) - {Action.RECALL}
"""The kinds of events that can change what is granted."""
_RETAG = frozenset({Action.CHANGE, Action.FORM, Action.ERASE})
"""The kinds of events that can change tags, or which memory has which ordinal."""


@dataclass(frozen=True, slots=True)
class _Tagged:
    """The tags of each memory of a corpus, by ordinal, as of event ``seq`` of its scope."""

    seq: int
    tags: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What was joined for a scope at ``made_at``, when the store's mark was ``mark``.

    It stays the same until ``until``, if nothing is written.

    ``is_whole``: every memory of it had its vectors, which no event tells of.
    """

    own: Corpus
    principal: str
    joined: JoinedCorpus | None
    mark: int
    made_at: datetime
    until: datetime | None
    is_whole: bool

    def is_in_time(self, now: datetime) -> bool:
        """Whether no grant began or ended, and no memory ended, between then and ``now``."""
        return self.made_at <= now and (self.until is None or now < self.until)


class SharedCorpora:
    """Joins a scope's corpus with what others granted to it; keeps the joined columns while nothing changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[Scope, _Kept] = OrderedDict()
        self._tagged: dict[Scope, _Tagged] = {}

    def forget(self) -> None:
        """Drop everything, as after an erasure."""
        self._kept.clear()
        self._tagged.clear()

    def joined(self, scope: Scope, own: Corpus, model: ModelInfo | None, now: datetime) -> JoinedCorpus | None:
        """Return a scope's corpus with all that is granted to it at ``now``; None if nothing is."""
        mark = self._store.mark()
        kept = self._kept.pop(scope, None)
        if kept is None or kept.own is not own or not (self._is_current(kept, actor(scope), now)):
            kept = self._join(scope, own, model, now, kept)
        self._kept[scope] = replace(kept, mark=mark)
        if len(self._kept) > SCOPES_KEPT:
            self._kept.popitem(last=False)
        return kept.joined

    def _is_current(self, kept: _Kept, principal: str, now: datetime) -> bool:
        """Whether it was made for this caller, and since then no event but recalls came, in any scope."""
        if kept.principal != principal or not kept.is_whole or not kept.is_in_time(now):
            return False
        return not self._store.happened(kept.mark, _LOUD)

    def _join(self, scope: Scope, own: Corpus, model: ModelInfo | None, now: datetime, before: _Kept | None) -> _Kept:
        found = sources(self._store, scope, now)
        corpora = {giver: self._store.corpus(giver, model) for giver in sorted(found.terms)}
        parts = list(self._parts(corpora, found, now, actor(scope)))
        joined = None if before is None or before.own is not own else before.joined
        if joined is None or not _are_same(joined.parts, parts):
            joined = JoinedCorpus(own, parts) if parts else None
        ends = filter(None, (found.until, *(_next_end(corpus, now) for corpus in corpora.values())))
        is_whole = model is None or all(one.embedded == one.size for one in (own, *corpora.values()))
        return _Kept(own, actor(scope), joined, 0, now, min(ends, default=None), is_whole)

    def _parts(self, corpora: Mapping[Scope, Corpus], found: Sources, now: datetime, principal: str) -> Iterator[Part]:
        for giver, corpus in corpora.items():
            ordinals = self._ordinals(giver, corpus, found.terms[giver], now, principal)
            if len(ordinals):
                yield Part(giver, corpus, ordinals)

    def _ordinals(
        self, giver: Scope, corpus: Corpus, terms: Sequence[Terms], now: datetime, principal: str
    ) -> IntArray:
        """Return which memories of a giver are granted: active or fading ones, valid now, that some terms allow.

        What a policy of the giver denies the caller to read is not among them.
        """
        held: BoolArray = RECALLED[corpus.states] & (corpus.valid_until > to_micros(now))
        if not any(one.is_everything for one in terms):
            allowed = np.zeros(corpus.size, np.bool_)
            for one in terms:
                allowed |= self._allowed(giver, corpus, one)
            held &= allowed
        for one in self._denied(giver, principal):
            held &= ~self._allowed(giver, corpus, one)
        return np.flatnonzero(held)

    def _denied(self, giver: Scope, principal: str) -> list[Terms]:
        """Return what the policies of a giver deny a caller to read."""
        if not self._store.records(POLICY, scope=giver):
            return []
        from reverie.engine.governance import Permission, rules_of

        rules = rules_of(self._store, giver, principal)
        denials = [] if rules is None else rules.denials(Permission.READ)
        return [terms_of(one.kinds, one.tags) for one in denials]

    def _allowed(self, giver: Scope, corpus: Corpus, terms: Terms) -> BoolArray:
        allowed = np.ones(corpus.size, np.bool_)
        if terms.kinds is not None:
            allowed &= np.isin(corpus.kinds, [KIND_CODES[kind] for kind in terms.kinds])
        if terms.tags:
            tags = self._tags(giver, corpus)
            allowed &= np.array([all(not one.isdisjoint(has) for one in terms.tags) for has in tags], np.bool_)
        return allowed

    def _tags(self, giver: Scope, corpus: Corpus) -> tuple[frozenset[str], ...]:
        """Return the tags of each memory of a corpus; only those that are new since the last time are read."""
        seq = self._store.head(giver)[0]
        kept = self._tagged.get(giver)
        if kept is None or len(kept.tags) > corpus.size or self._are_stale(giver, kept.seq):
            kept = _Tagged(seq, ())
        lacking = range(len(kept.tags), corpus.size)
        fresh = [frozenset(memory.standing.tags) for memory in corpus.fetch(list(lacking))] if lacking else []
        self._tagged[giver] = kept = _Tagged(seq, (*kept.tags, *fresh))
        return kept.tags

    def _are_stale(self, giver: Scope, seq: int) -> bool:
        return any(_retags(event.payload) for event in self._store.events(giver, after=seq, actions=_RETAG))


def _next_end(corpus: Corpus, now: datetime) -> datetime | None:
    """Return when the next of a corpus's valid memories ends; None: none does."""
    ends = corpus.valid_until[corpus.valid_until > to_micros(now)]
    first = int(ends.min(initial=FOREVER))
    return None if first == FOREVER else from_micros(first)


def _are_same(held: Sequence[Part], parts: Sequence[Part]) -> bool:
    return len(held) == len(parts) and all(one.is_same(other) for one, other in zip(held, parts, strict=True))


def _retags(payload: Payload | None) -> bool:
    """Whether an event can have changed the tags of a memory, or the ordinals of all."""
    match payload:
        case Formed(_, removed):
            return bool(removed)
        case Changed(changes):
            return any(field.name == "tags" for change in changes for field in change.fields)
    return payload is None or isinstance(payload, Erased)


# What the rest of the engine asks.


def owner(store: Store, scope: Scope, memory_id: str, now: datetime) -> Scope | None:
    """Return the scope that a memory belongs to, if it is granted to ``scope`` at ``now``; None otherwise."""
    for giver, terms in sorted(sources(store, scope, now).terms.items()):
        memory = store.memory(giver, memory_id)
        if memory is not None and is_handed_over(memory, now) and any(one.allow(memory) for one in terms):
            return giver
    return None


def is_handed_over(memory: Memory, now: datetime) -> bool:
    """Whether a memory is in a state in which others may have it: active or fading, and valid."""
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def ended_by_import(store: Store, after: Mapping[Scope, int]) -> list[Recorded]:
    """Return the payloads that end the grants that an import brought, which stand and come from events after these.

    Only the owner of a scope may share it, and whoever wrote a file need not be that.
    """
    brought = {
        (event.scope, event.payload.record.name)
        for scope, seq in after.items()
        for event in store.events(scope, after=seq, actions={Action.RECORD})
        if isinstance(event.payload, Recorded) and event.payload.record.sort == GRANT
    }
    held = (one for scope in sorted({scope for scope, _ in brought}) for one in store.records(GRANT, scope=scope))
    return [Recorded(one, None) for one in held if (one.scope, one.name) in brought]
