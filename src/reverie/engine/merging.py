"""Merging a scope that lived elsewhere: in, its store; out, what this store lacks of it, as it stands there.

Where two journals went different ways neither can continue the other. Then the memories come over: an id or message
that is known here stays as it is here, what was erased here stays erased, the rest comes with its standing, its edges
and its accesses. What happened to it elsewhere (its events, dreams, companions) stays there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from reverie.encode.index import index
from reverie.events import Action, Draft, Erased, Formed, Payload, Related, Remembered
from reverie.ports import Store, Transaction
from reverie.types import Kind, Memory, Relation, Scope

BATCH = 256


@dataclass(slots=True)
class Merged:
    """What a merge did: memories and edges that are ``new``, memories ``known``, and ``erased`` here, so left out."""

    new: int = 0
    known: int = 0
    erased: int = 0
    edges: int = 0
    ids: dict[str, str] = field(default_factory=dict)
    """Memory there → the same here."""


class Merge:
    """One merge of a scope of ``source`` into a scope of ``target``; ``draft`` makes an event of a payload."""

    def __init__(self, source: Store, target: Store, scope: Scope, draft: Callable[[Payload, Action], Draft]) -> None:
        self._source = source
        self._target = target
        self._scope = scope
        self._draft = draft
        self._done = Merged()
        self._erased = _erased(target, scope)
        self._sessions = {memory.session for memory in target.memories(scope)}

    def run(self, origin: Scope) -> Merged:
        """Bring over what is missing of ``origin``, in batches of one transaction each."""
        corpus = self._source.corpus(origin, None)
        for first in range(0, corpus.size, BATCH):
            with self._source.begin(durable=False) as there, self._target.begin(durable=True) as here:
                for memory in corpus.fetch(range(first, min(first + BATCH, corpus.size))):
                    self._bring(memory, origin, there, here)
        edges = [edge for edge in map(self._edge, self._source.relations(origin)) if edge is not None]
        if edges:
            with self._target.begin(durable=True) as here:
                here.append(self._draft(Related(tuple(edges)), Action.RELATE))
        self._done.edges = len(edges)
        return self._done

    def _bring(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> None:
        ids = self._done.ids
        if memory.id in self._erased or any(source in self._erased for source in memory.sources):
            self._done.erased += 1
            return
        if (known := self._known(memory, origin, there, here)) is not None:
            ids[memory.id] = known
            self._done.known += 1
            return
        ids[memory.id] = memory.id
        standing = memory.standing
        linked = {
            name: ids.get(end, end) for name in ("supersedes", "superseded_by") if (end := getattr(standing, name))
        }
        ours = replace(
            memory,
            scope=self._scope,
            sources=tuple(ids.get(source, source) for source in memory.sources),
            standing=replace(standing, **linked) if linked else standing,
        )
        payload, action = self._payload(ours, origin, there, here)
        here.append(self._draft(payload, action), (index(ours),))
        self._done.new += 1

    def _known(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> str | None:
        if memory.kind is not Kind.EPISODE:
            return memory.id if self._target.memory(self._scope, memory.id) else None
        said = there.find_message(origin, memory.id)
        names = (memory.id, said.message_id if said else None)
        found = (here.find_message(self._scope, name) for name in names if name)
        return next((episode.id for episode in found if episode is not None), None)

    def _payload(self, memory: Memory, origin: Scope, there: Transaction, here: Transaction) -> tuple[Payload, Action]:
        said = there.find_message(origin, memory.id) if memory.kind is Kind.EPISODE else None
        if said is None:
            return Formed((memory,)), Action.FORM
        # A session that both have: what comes goes to its end, so that no place is taken twice.
        place = here.next_seq(self._scope, said.session) if said.session in self._sessions else said.seq
        episode = replace(said, scope=self._scope, seq=place)
        return Remembered(episode, (replace(memory, seq=place),)), Action.REMEMBER

    def _edge(self, relation: Relation) -> Relation | None:
        """The edge between the same memories here; None where an end is missing, or it is there already."""
        source, target = (self._done.ids.get(end) for end in (relation.source, relation.target))
        if source is None or target is None:
            return None
        ours = replace(relation, source=source, target=target)
        held = self._target.relations(self._scope, (source,))
        same = any(one.ends == ours.ends for one in held)
        return None if same else ours


def _erased(store: Store, scope: Scope) -> set[str]:
    events = store.events(scope, actions={Action.ERASE})
    return {name for event in events if isinstance(event.payload, Erased) for name in event.payload.memories}
