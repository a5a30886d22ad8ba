"""What becomes of one message's thoughts, inside the transaction: gate → weigh → lay down → tag and capture → relate.

In: a kept episode and its thoughts. Out: events in the transaction, and what was decided, thought by thought.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.gate import Passage, gate
from reverie.encode.index import index
from reverie.encode.laying import CHANGING, Addition, Origin, lay_down, merged, reinforced, superseded
from reverie.encode.nearest import Near, nearest
from reverie.encode.relate import caused, prune, relate
from reverie.encode.session import Session
from reverie.encode.settings import EncodeSettings
from reverie.encode.thoughts import Thought
from reverie.encode.weigh import weigh
from reverie.events import Action, Change, Changed, Draft, Formed, Payload, Related, difference
from reverie.formulas.prediction_error import Verdict
from reverie.formulas.synaptic import captured_stability, is_strong
from reverie.ports import Corpus, Ids, Mind, Transaction
from reverie.types import FloatArray, IndexEntry, Kind, Memory, ModelInfo, Relation, RelationKind, Scope

_NEIGHBOURS = 8
_RECENT = 64
"""Memories read at a time on the way back to what is still tagged."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Who writes, when, why and with which model: what every message of one call shares."""

    scope: Scope
    now: datetime
    ids: Ids
    actor: str
    why: str
    model: ModelInfo | None
    deliberate: bool = False

    def draft(self, action: Action, payload: Payload, why: str = "") -> Draft:
        """An event of this hand."""
        return Draft(self.scope, self.now, self.actor, action, why or self.why, payload, self.ids.salt())


@dataclass(frozen=True, slots=True)
class World:
    """What forming looks at: the scope's corpus and edges as of now, and a language model if there is one."""

    corpus: Callable[[], Corpus]
    relations: Callable[[], list[Relation]]
    mind: Mind | None = None


@dataclass(frozen=True, slots=True)
class Pondered:
    """A thought with its vector, where there is a model."""

    thought: Thought
    vector: FloatArray | None


@dataclass(slots=True)
class Outcome:
    """What came of a message's thoughts: the memories made or changed, and each decision."""

    laid: list[tuple[Thought, Memory]] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


class Forming:
    """Forms one message's thoughts with one hand in one transaction."""

    def __init__(self, tx: Transaction, hand: Hand, world: World, settings: EncodeSettings, session: Session) -> None:
        self._tx = tx
        self._hand = hand
        self._world = world
        self._settings = settings
        self._session = session

    def run(self, pondered: Sequence[Pondered], origin: Origin) -> Outcome:
        """Take the thoughts in order; a later one sees what an earlier one became."""
        outcome = Outcome()
        for one in pondered:
            self._pass(one, origin, outcome)
        law = self._settings.relate
        self._write(caused(origin.episode.text, outcome.laid, origin.now, law.cause) if law else [])
        return outcome

    def _pass(self, one: Pondered, origin: Origin, outcome: Outcome) -> None:
        settings, thought = self._settings, one.thought
        top_k = settings.gate.neighbours if settings.gate else _NEIGHBOURS
        near = nearest(thought.text, one.vector, self._world.corpus(), origin.now, top_k)
        attention = self._session.attention(one.vector)
        importance = weigh(origin.seen, near, attention, settings, deliberate=origin.deliberate)
        passage = gate(thought, origin.episode, near, importance, settings.gate)
        outcome.decisions.append(Decision("gate", passage.verdict, passage.why))
        if passage.verdict is Verdict.SKIP:
            return
        if passage.verdict in CHANGING and passage.target is not None:
            self._change(passage, one, importance, origin, outcome)
        else:
            self._create(passage, one, near, importance, origin, outcome)

    def _change(self, passage: Passage, one: Pondered, importance: float, origin: Origin, outcome: Outcome) -> None:
        gate_settings, old = self._settings.gate, passage.target
        assert gate_settings is not None
        assert old is not None
        if passage.verdict is Verdict.REINFORCE:
            change = reinforced(old, origin, gate_settings, passage.why)
        else:
            model = self._world.mind.merge(old.text, one.thought.text) if self._world.mind else None
            change = merged(old, Addition(one.thought, importance, passage.why, model), origin, gate_settings)
        if not change.fields:
            return
        entries: tuple[IndexEntry, ...] = ()
        if change.rewords:
            text = next(str(field.after) for field in change.fields if field.name == "text")
            entries = (index(replace(old, text=text)),)
            outcome.reworded.append(old.id)
        self._tx.append(self._hand.draft(Action.CHANGE, Changed((change,))), entries)
        outcome.touched.append(old.id)

    def _create(
        self,
        passage: Passage,
        one: Pondered,
        near: Sequence[Near],
        importance: float,
        origin: Origin,
        outcome: Outcome,
    ) -> None:
        memory = lay_down(self._hand.ids.new_id(origin.now), one.thought, importance, origin, self._settings)
        old = passage.target
        if passage.verdict is Verdict.SUPERSEDE and old is not None:
            memory = replace(memory, standing=replace(memory.standing, supersedes=old.id))
        entry = index(memory, one.vector, self._hand.model)
        self._tx.append(self._hand.draft(Action.FORM, Formed((memory,))), (entry,))
        outcome.laid.append((one.thought, memory))
        outcome.touched.append(memory.id)
        changes = [superseded(old, memory, passage.why)] if memory.standing.supersedes and old else []
        changes += self._captured(memory, origin, outcome)
        if changes:
            self._tx.append(self._hand.draft(Action.CHANGE, Changed(tuple(changes))))
        self._write(self._edges(memory, old, near, origin))

    def _edges(self, memory: Memory, old: Memory | None, near: Sequence[Near], origin: Origin) -> list[Relation]:
        settings = self._settings.relate
        if settings is None:
            return []
        edges: list[Relation] = []
        if old is not None:
            kind = RelationKind.SUPERSEDES if memory.standing.supersedes else RelationKind.CONTRADICTS
            edges.append(Relation(memory.id, old.id, kind, 1.0, origin.now))
        others = [found for found in near if old is None or found.memory.id != old.id]
        return edges + relate(memory, others, origin.now, settings, self._world.mind)

    def _captured(self, memory: Memory, origin: Origin, outcome: Outcome) -> list[Change]:
        """What a strong memory keeps: the weak ones of its session that are still tagged."""
        tag = self._settings.tag
        if tag is None or not is_strong(memory.standing.importance, tag.strong):
            return []
        changes: list[Change] = []
        for weak in self._tagged(memory, origin):
            stability = float(captured_stability(weak.standing.stability_days, tag.factor))
            standing = replace(weak.standing, stability_days=stability, tagged_until=None)
            changes.append(difference(weak, replace(weak, standing=standing), f"captured by {memory.id}"))
        if changes:
            outcome.decisions.append(Decision("capture", f"{len(changes)} captured", f"by {memory.id}"))
        return changes

    def _tagged(self, memory: Memory, origin: Origin) -> list[Memory]:
        """The tagged memories of the session, latest first; what was recorded before any tag could last is not read."""
        corpus, tag = self._world.corpus(), self._settings.tag
        assert tag is not None
        formed = [int(i) for i in (corpus.kinds != tuple(Kind).index(Kind.EPISODE)).nonzero()[0]]
        found: list[Memory] = []
        while formed:
            block = corpus.fetch(formed[-_RECENT:][::-1])
            del formed[-_RECENT:]
            found += [m for m in block if _is_tagged(m, memory, origin.now)]
            if (origin.now - block[-1].recorded_at).total_seconds() > tag.hours * 3600.0:
                break
        return found

    def _write(self, edges: Sequence[Relation]) -> None:
        settings = self._settings.relate
        if not edges or settings is None:
            return
        added = tuple({(edge.source, edge.target, edge.kind): edge for edge in edges}.values())
        self._tx.append(self._hand.draft(Action.RELATE, Related(added)))
        gone = prune(self._world.relations(), settings.most, settings.keep)
        if gone:
            self._tx.append(self._hand.draft(Action.RELATE, Related((), tuple(gone)), "too many relations"))


def _is_tagged(weak: Memory, strong: Memory, now: datetime) -> bool:
    until = weak.standing.tagged_until
    return until is not None and until > now and weak.session == strong.session and weak.id != strong.id
