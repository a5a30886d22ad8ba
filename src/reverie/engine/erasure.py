"""Erase memories of a scope for good, with everything that quotes them, in one transaction; return a proof.

Reasons of events that quote an erased memory are erased too, and so are spooled hook calls that contain its text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from reverie.durable import state_folder
from reverie.engine.context import Context
from reverie.engine.logs import Work, emptied, logs_of, noted
from reverie.engine.requests import require_scope, require_words
from reverie.engine.retractions import bereaved, ever_made, makings
from reverie.errors import InvalidInput
from reverie.events import (
    Action,
    Change,
    Changed,
    Erased,
    Event,
    FieldChange,
    Formed,
    Payload,
    Reach,
    Recorded,
    Related,
    Remembered,
    Value,
    is_wordless,
)
from reverie.ports import Store, Transaction
from reverie.stores import codec
from reverie.types import GRANT, IndexEntry, Kind, Memory, Relation, Scope

if TYPE_CHECKING:
    from datetime import datetime

_REASONED = frozenset(Action) - {Action.REMEMBER, Action.RECALL}
"""The kinds of events that can have a reason given by a caller."""
_WORDY = ("text", "entities", "keywords", "tags")
_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class Quoting:
    """Events that lose their reason, and events that lose all content because a reason in it quotes."""

    unreasoned: list[Event] = field(default_factory=list)
    emptied: list[Event] = field(default_factory=list)


def quoting(store: Store, scope: Scope, texts: Iterable[str], gone: Collection[str], done: Collection[int]) -> Quoting:
    """Find events whose reason has a word of these texts, in any inflection, that no remaining memory has.

    ``gone`` are the ids of the erased memories, ``done`` the numbers of events that lose their reasons in any case.
    """
    words = terms(" ".join(texts))
    found = [
        (event, own, inner)
        for event in store.events(scope, actions=_REASONED)
        if event.seq not in done
        for own, inner in [(_own(event) & words, _inner(event.payload) & words)]
        if own or inner
    ]
    only = _unheld({word for _, own, inner in found for word in own | inner}, store.memories(scope), gone)
    told = Quoting()
    for event, own, inner in found:
        if inner & only:
            told.emptied.append(event)
        elif own & only:
            told.unreasoned.append(event)
    return told


def texts_of(memories: Iterable[Memory], payloads: Iterable[Payload | None]) -> Iterator[str]:
    """Yield every text of memories, including earlier texts in the events that changed them."""
    for memory in memories:
        yield from (memory.text, memory.speaker, *memory.entities, *memory.keywords, *memory.standing.tags)
    for payload in payloads:
        for change in payload.changes if isinstance(payload, Changed) else ():
            for one in change.fields:
                if one.name in _WORDY:
                    for value in (one.before, one.after):
                        yield from (str(part) for part in (value if isinstance(value, tuple) else (value,)))


def quotes(why: str, texts: Iterable[str]) -> bool:
    """Whether a reason has a word of these texts, in any inflection."""
    return not is_wordless(why) and not _all_terms(" ".join(texts)).isdisjoint(_all_terms(why))


def terms(text: str) -> set[str]:
    """Return the words of a text for comparison: folded, and stemmed in English and Turkish; no function words."""
    from reverie.language.text.letters import plain

    return {word for word in _all_terms(text) if plain(word) not in _small_words()}


def _all_terms(text: str) -> set[str]:
    from reverie.language.text.analyzer import index_terms
    from reverie.language.text.letters import plain

    plainly = {plain(word) for word in _WORD.findall(text)}
    return plainly.union(*(index_terms(text, language) for language in ("en", "tr")))


@cache
def _small_words() -> frozenset[str]:
    from reverie.language.text import lists
    from reverie.language.text.letters import plain

    names = ("function-words.en", "function-words.tr", "stop-index.en", "stop-index.tr")
    return frozenset(plain(word) for name in names for word in lists.entries(name))


def _own(event: Event) -> set[str]:
    return set() if codec.without_reason(event) is event else terms(event.why)


def _inner(payload: Payload | None) -> set[str]:
    """Return the words of the reasons inside an event's payload; a dream's reasons quote nothing."""
    if not isinstance(payload, Changed) or payload.cycle:
        return set()
    return terms(" ".join(change.why for change in payload.changes if not is_wordless(change.why)))


def _unheld(words: set[str], memories: Iterable[Memory], gone: Collection[str]) -> set[str]:
    """Return those of the words that no memory has except the erased ones."""
    if not words:
        return words
    from reverie.language.text.letters import plain

    left = set(words)
    for memory in memories:
        text = " ".join(texts_of([memory], ()))
        if memory.id not in gone and any(word in plain(text) for word in left):
            left -= terms(text)
        if not left:
            break
    return left


FOLDER = "hook-spool"
SHORT = 12
"""A text of fewer characters can be in a hook call by chance; it must be a whole string of the call to match."""
_MASK = re.compile(r"\[[a-z][a-z -]{0,40}\]")
"""Matches the placeholder of a masked secret."""


def forget_waiting(texts: Iterable[str]) -> None:
    """Delete the spooled hook calls that contain one of these texts. Raises OSError if one cannot be deleted."""
    state = state_folder(os.environ)
    folder = None if state is None else state / FOLDER
    if folder is None or not folder.is_dir():
        return
    wanted = [pieces for text in texts if (pieces := tuple(_pieces(text)))]
    for file in sorted(folder.iterdir()):
        content = b""
        with suppress(OSError):  # deleted meanwhile, or unreadable
            content = file.read_bytes()
        if any(all(any(form in content for form in forms) for forms in pieces) for pieces in wanted):
            file.unlink(missing_ok=True)


def _pieces(text: str) -> Iterator[tuple[bytes, ...]]:
    """Yield the pieces of a text between masked secrets, each in the forms that JSON can encode it."""
    pieces = [piece.strip() for piece in _MASK.split(text)]
    is_short = sum(map(len, pieces)) < SHORT
    for piece in filter(None, pieces):
        ways = dict.fromkeys(json.dumps(piece, ensure_ascii=ascii_only) for ascii_only in (False, True))
        yield tuple((way if is_short else way[1:-1]).encode("utf-8", "surrogatepass") for way in ways)


RESTORED = "restored"
"""Reason of an event that repeats what remains valid of an event whose content was erased."""
BROKEN_OFF = "an erasure that was broken off"
"""Reason of the event that completes an interrupted erasure of several scopes."""
UNQUOTED = "[the reason quoted what was erased]"


@dataclass(frozen=True, slots=True)
class Erasure:
    """Result of an erasure: the erased memories, and the journal's head (number and hash) before and after it."""

    scope: Scope
    memories: tuple[str, ...]
    before: tuple[int, str]
    after: tuple[int, str]


@runtime_checkable
class Shredding(Protocol):
    """A store that seals each scope with a key of its own."""

    def shred(self, scope: Scope, at: datetime) -> list[str]:
        """Destroy a scope's key and delete its rows; return the ids of its memories."""


class Eraser:
    """Collaborator for erasing: deletes memories for good, with everything that quotes them."""

    def __init__(self, context: Context, *, is_syncing: bool = False) -> None:
        """``is_syncing``: called by a sync, which itself removes what its segments hold."""
        self._context = context
        self._is_syncing = is_syncing

    def erase(self, memory_id: str | list[str] | tuple[str, ...], scope: Scope, *, why: str) -> Erasure:
        """Delete memories for good, with everything formed from them: text, vector, index, journal content, log text.

        Several ids are erased in one transaction: all or none. A tombstone without content remains. Meant for a
        person's request to delete data; use ``forget`` for everything else.

        Raises:
            NotFound: there is no memory of one of these ids in this scope; nothing was erased.
            StoreError: the memories are erased, but a log cannot be written; opening the store tries again.
        """
        names = tuple(dict.fromkeys(memory_id)) if isinstance(memory_id, list | tuple) else (memory_id,)
        if not names:
            raise InvalidInput("Nothing is named that should be erased.", "Give the id of a memory.")
        done = self._erase(names, require_scope(scope), why)
        self._unsync([done])
        return done

    def _erase(self, names: Sequence[str], scope: Scope, why: str, beside: Sequence[str] = ()) -> Erasure:
        """Erase memories; ``beside`` are texts being erased in other scopes, which no reason here may quote either."""
        with self._context.locks.of(scope):
            found = [self._context.memory(name, scope) for name in names]
            before = self._context.store.head(scope)
            with emptied(self._context.parts.place, self._logs()):
                gone = self._erased(found, scope, self._context.masked(why), beside)
                self._forget(scope)
            return Erasure(scope, gone, before, self._context.store.head(scope))

    def shred(self, scope: Scope) -> Erasure:
        """Destroy the key of a scope of an encrypted database, and with it all that was ever said there.

        Its rows are deleted too, and whoever asks for the scope afterwards is told that it is gone. Copies of the
        server's files made before still hold the key, wrapped by the master key: ``admin.rotate`` the master key and
        destroy the old one, and these do not open either.

        Raises:
            InvalidInput: the store has no key for each scope.
            NotFound: nothing was ever said there, or its key was destroyed before.
            StoreError: the tenant is not encrypted; or a log cannot be written: opening the store tries again.
        """
        store = self._context.store
        with self._context.locks.of(require_scope(scope)):
            if not isinstance(store, Shredding):
                raise InvalidInput("This store has no key for each scope.", "Erase the scope's memories instead.")
            before = store.head(scope)
            texts = [one.text for one in store.memories(scope) if one.kind is Kind.EPISODE]
            with emptied(self._context.parts.place, self._logs()):
                gone = tuple(store.shred(scope, self._context.clock.now()))
                forget_waiting(texts)
                self._forget(scope)
            done = Erasure(scope, gone, before, store.head(scope))
        self._unsync([done])
        return done

    def _forget(self, scope: Scope) -> None:
        """Drop what this process keeps of a scope, and of answers."""
        self._context.sessions.forget(scope)
        self._context.caches.forget(scope)
        self._context.retellings.forget(scope)
        for drop in self._context.at_erasure:
            drop()
        if self._context.parts.log is not None:
            self._context.parts.log.flush()

    def erase_all(self, held: Mapping[Scope, Sequence[str]], *, why: str) -> list[Erasure]:
        """Erase memories in several scopes, one after another; after a crash, opening the store completes it.

        A reason in one of these scopes that quotes an erased memory of another is erased as well.

        Raises as ``erase`` does; scopes erased before the error stay erased.
        """
        going = {require_scope(scope): tuple(names) for scope, names in held.items()}
        found = [self._context.memory(name, scope) for scope, names in going.items() for name in names]
        texts = tuple(dict.fromkeys(texts_of(found, ())))
        with noted(self._context.parts.place, Work(erase=tuple(going.items()))):
            done = [self._erase(names, scope, why, texts) for scope, names in going.items() if names]
        self._unsync(done)
        return done

    def _unsync(self, done: Sequence[Erasure]) -> None:
        """Rewrite this machine's segments of a sync without what was erased; the next sync does so everywhere."""
        state = state_folder(os.environ)
        if self._is_syncing or state is None or not (state / "sync").is_dir():
            return
        from reverie.engine.sync_places import scrub_here

        for one in done:
            scrub_here(self._context.parts.place, one.scope, one.memories, self._context.ids)

    def erase_rest(self, scope: Scope, names: Sequence[str]) -> None:
        """Erase those of these memories that still exist, to complete an interrupted erasure."""
        with self._context.locks.of(scope):
            rest = [one.id for one in self._context.store.named(scope, list(names))]
        if rest:
            self.erase(rest, scope, why=BROKEN_OFF)

    def held_of(self, name: str, scopes: Iterable[Scope]) -> dict[Scope, list[Memory]]:
        """Find the memories of each scope that a person said or that name them, by time; empty scopes are left out.

        Names are looked for in texts, entities and tags, in English and Turkish forms ("Elif'in", "@elif").

        Raises:
            InvalidInput: the name has no letter.
        """
        from reverie.language.names.people import names, naming

        if not any(map(str.isalnum, require_words("The name", name))):
            raise InvalidInput("Nobody is named.", "Give the name of a person.")
        told = naming(name)
        held: dict[Scope, list[Memory]] = {}
        for scope in map(require_scope, scopes):
            with self._context.locks.of(scope):
                memories = list(self._context.store.memories(scope))
            found = [m for m in memories if names(told, (m.speaker, m.text, *m.entities, *m.standing.tags))]
            if found:
                held[scope] = found
        return held

    def _logs(self) -> tuple[Path, ...]:
        """Return every log that may contain a text of the store: this engine's own, and those of other programs."""
        own = () if self._context.parts.log is None else self._context.parts.log.files
        return (*own, *logs_of(self._context.parts.place))

    def _erased(self, found: Sequence[Memory], scope: Scope, why: str, beside: Sequence[str]) -> tuple[str, ...]:
        """Erase memories, those formed from them and those that dreams made of them; return all erased ids."""
        with self._context.store.begin(scope, durable=True) as tx:
            names, reach = self._doomed(tx, found, scope)
            events = reached(self._context.store, scope, reach)
            written = {memory.id: memory for event in events for memory in _written(event.payload)}
            gone = self._context.store.named(scope, list(dict.fromkeys((*names, *written))))
            made = makings(self._context.store, gone, [one.id for one in found])
            texts = (*texts_of((*gone, *written.values()), (event.payload for event in events)), *beside)
            ids = {one.id for one in gone}
            quoted = quoting(self._context.store, scope, texts, ids, {*reach.emptied, *reach.unreasoned})
            reasons = tuple(event.seq for event in quoted.unreasoned)
            shares = self._shares(scope, ids)
            numbers = tuple(sorted({*reach.emptied, *(event.seq for event in (*quoted.emptied, *shares))}))
            headers = codec.headers_of((*events, *quoted.emptied, *quoted.unreasoned, *shares))
            reason = UNQUOTED if quotes(why, texts) else why
            tx.append(self._context.draft(scope, Action.ERASE, reason, Erased(names, numbers, headers, reasons)))
            self._context.retire(tx, scope, bereaved(self._context.store, made, self._context.clock.now()))
            self._restore(tx, scope, (*events, *quoted.emptied), set(numbers))
            forget_waiting(one.text for one in gone if one.kind is Kind.EPISODE)
        return self._no_more(scope, gone)

    def _shares(self, scope: Scope, gone: Collection[str]) -> list[Event]:
        """Return the events of the scope's grants if nothing of it stays: with its last memory they end."""
        if any(memory.id not in gone for memory in self._context.store.memories(scope)):
            return []
        found = self._context.store.events(scope, actions={Action.RECORD})
        return [one for one in found if isinstance(one.payload, Recorded) and one.payload.record.sort == GRANT]

    def _restore(self, tx: Transaction, scope: Scope, events: Sequence[Event], emptied: Set[int]) -> None:
        payloads = [event.payload for event in events if event.seq in emptied]
        for action, payload, entries in restored(self._context.store, scope, payloads):
            tx.append(self._context.draft(scope, action, RESTORED, payload), entries)

    def _no_more(self, scope: Scope, memories: Sequence[Memory]) -> tuple[str, ...]:
        return tuple(one.id for one in memories if self._context.store.memory(scope, one.id) is None)

    def _doomed(self, tx: Transaction, found: Sequence[Memory], scope: Scope) -> tuple[tuple[str, ...], Reach]:
        """Return the ids to erase, including memories that dreams made, and what that removes from the journal."""
        made = ever_made(self._context.store, scope)
        names = dict.fromkeys(one.id for one in found)
        while True:
            reach = tx.events_about(scope, list(names))
            written = (
                one.id for event in reached(self._context.store, scope, reach) for one in _written(event.payload)
            )
            more = made.of(self._context.store.named(scope, list(dict.fromkeys((*names, *written))))) - names.keys()
            if not more:
                return tuple(names), reach
            names.update(dict.fromkeys(sorted(more)))


def restored(
    store: Store, scope: Scope, payloads: Sequence[Payload | None]
) -> Iterator[tuple[Action, Payload, tuple[IndexEntry, ...]]]:
    """Yield the payloads that repeat, for remaining memories, the net effect of events whose content was erased."""
    before = _before(payloads)
    changes = [_change(memory, before[memory.id]) for memory in store.named(scope, list(before))]
    for change in changes:
        if change.rewords:
            yield Action.CHANGE, Changed((change,)), (_entry(store, scope, change.memory),)
    if rest := tuple(change for change in changes if not change.rewords):
        yield Action.CHANGE, Changed(rest), ()
    edges = [payload for payload in payloads if isinstance(payload, Related)]
    if edges and (related := _redrawn(store, scope, edges)):
        yield Action.RELATE, related, ()


def _before(payloads: Iterable[Payload | None]) -> dict[str, dict[str, Value]]:
    """Return the value of each changed field before the first of these events, by memory."""
    before: dict[str, dict[str, Value]] = {}
    for change in (change for payload in payloads if isinstance(payload, Changed) for change in payload.changes):
        fields = before.setdefault(change.memory, {})
        for one in change.fields:
            fields.setdefault(one.name, one.before)
    return before


def _change(memory: Memory, before: dict[str, Value]) -> Change:
    from reverie.engine.undo import field_of

    now = ((name, was, field_of(memory, name)) for name, was in sorted(before.items()))
    return Change(memory.id, tuple(FieldChange(name, was, value) for name, was, value in now), RESTORED)  # type: ignore[arg-type]  # a memory's field


def _entry(store: Store, scope: Scope, memory_id: str) -> IndexEntry:
    from reverie.encode.memory_factory import index

    (memory,) = store.named(scope, (memory_id,))
    return index(memory)


def _redrawn(store: Store, scope: Scope, gone_from: Sequence[Related]) -> Related | None:
    """Return the current state of edges of erased events between remaining memories: added, or removed."""
    ends = {edge.ends: edge for one in gone_from for edge in (*one.removed, *one.added)}
    held = {edge.ends: edge for edge in store.relations(scope, list(dict.fromkeys(name for name, *_ in ends)))}
    drawn = tuple(held[name] for name in ends if name in held)
    gone = _between_staying(store, scope, [edge for name, edge in ends.items() if name not in held])
    return Related(drawn, gone) if drawn or gone else None


def _between_staying(store: Store, scope: Scope, edges: Sequence[Relation]) -> tuple[Relation, ...]:
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    there = {one.id for one in store.named(scope, list(ends))}
    return tuple(edge for edge in edges if {edge.source, edge.target} <= there)


def reached(store: Store, scope: Scope, reach: Reach) -> list[Event]:
    """Return the events that an erasure affects, with their payloads."""
    wanted = {*reach.emptied, *reach.unreasoned}
    if not wanted:
        return []
    found: list[Event] = []
    for event in store.events(scope, after=min(wanted) - 1):
        if event.seq in wanted:
            found.append(event)
        if len(found) == len(wanted):
            break
    return found


def _written(payload: Payload | None) -> Iterable[Memory]:
    match payload:
        case Remembered(_, memories):
            return memories
        case Formed(added):
            return added
    return ()
