"""Formation: write a message's fact candidates in a transaction: judge → lay down or change → capture → relate.

In: a written episode and its fact candidates. Out: events in the transaction, and the decision about each candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.answers import Decision
from reverie.encode.facts import FactCandidate
from reverie.encode.gate import GateContext, Judged, Passage, Pondered, judge
from reverie.encode.memory_factory import (
    CHANGING,
    Addition,
    DataSource,
    Origin,
    index,
    lay_down,
    merged,
    outdated,
    reinforced,
    superseded,
    taking_back,
)
from reverie.encode.neighbours import bound, caused, prune, relate
from reverie.encode.session import Session
from reverie.encode.settings import EncodeSettings, Merging, TagSettings
from reverie.encode.validation import NOTHING_GIVEN, CallerHints
from reverie.events import Action, Change, Changed, Draft, Formed, Payload, Related, difference
from reverie.formulas.associations import captured_stability, is_strong
from reverie.formulas.gates import GateVerdict
from reverie.ports import Ids, Transaction
from reverie.types import KIND_CODES, IndexEntry, Kind, Memory, ModelInfo, Relation, RelationKind, Scope

_RECENT = 64
"""How many memories are read at a time in the search for tagged ones, from the latest back."""
TAGS_MOST = 256
"""How many latest formed memories are searched for tags: an import writes thousands within the hours of a tag."""


def _formed_before(_episode_id: str) -> bool:
    """Return that nothing is to be formed from a message that is known already."""
    return True


@dataclass(frozen=True, slots=True)
class WriteContext:
    """What all messages of one write share: the scope, who writes, when, why, and with which embedding model.

    ``write_source`` is that of the episodes' memories; "": none. ``is_formed`` says of a known message, by its
    episode's id, whether memories were formed from it already; if not, they are formed now.
    """

    scope: Scope
    now: datetime
    ids: Ids
    actor: str
    why: str
    model: ModelInfo | None
    deliberate: bool = False
    source: DataSource | None = None
    given: CallerHints = NOTHING_GIVEN
    write_source: str = ""
    is_formed: Callable[[str], bool] = _formed_before

    def draft(self, action: Action, payload: Payload, why: str = "") -> Draft:
        """Build an event of this write, with the write's reason unless ``why`` is given."""
        return Draft(self.scope, self.now, self.actor, action, why or self.why, payload, self.ids.salt())


@dataclass(slots=True)
class FormationOutcome:
    """The results of forming a message's fact candidates: the memories created or changed, and each decision.

    ``laid`` are the created memories; ``known`` the candidates that went into an existing memory, each with its id;
    ``closed`` the superseded memories as they were before, and ``newer`` those that superseded them.
    """

    laid: list[tuple[FactCandidate, Memory]] = field(default_factory=list)
    known: list[tuple[FactCandidate, str]] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    closed: list[Memory] = field(default_factory=list)
    newer: list[Memory] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


class Formation:
    """Writes the fact candidates of one message in one transaction."""

    def __init__(
        self, tx: Transaction, hand: WriteContext, world: GateContext, settings: EncodeSettings, session: Session
    ) -> None:
        self._tx = tx
        self._hand = hand
        self._world = world
        self._settings = settings
        self._session = session

    def run(self, pondered: Sequence[Pondered], origin: Origin) -> FormationOutcome:
        """Write the candidates in order; each is compared with the memories of the earlier ones too."""
        outcome = FormationOutcome()
        for one in pondered:
            judged = self._beside(judge(one, origin, self._world, self._settings, self._session))
            outcome.decisions.append(Decision("gate", judged.passage.verdict, judged.passage.why))
            if judged.passage.verdict in CHANGING:
                self._change(judged, origin, outcome)
            elif judged.passage.verdict is not GateVerdict.SKIP:
                self._create(judged, origin, outcome)
        law = self._settings.relate
        formed = [*((thought, memory.id) for thought, memory in outcome.laid), *outcome.known]
        sure = law.cause if law else None
        self._write([] if sure is None else caused(formed, origin.now, sure), outcome)
        return outcome

    def _beside(self, judged: Judged) -> Judged:
        """Turn an update into a creation if merging needs a language model's text and there is none."""
        gate, passage = self._settings.gate, judged.passage
        if gate is None or gate.merging is not Merging.BESIDE or passage.verdict is not GateVerdict.UPDATE:
            return judged
        if passage.target and self._world.advice.merged(passage.target.text, judged.one.thought.text) is not None:
            return judged
        return replace(judged, passage=Passage(GateVerdict.CREATE, f"{passage.why}; nobody words both in one"))

    def _change(self, judged: Judged, origin: Origin, outcome: FormationOutcome) -> None:
        """Reinforce the memory that says a candidate already, or merge the candidate into it."""
        settings, old, why = self._settings.gate, judged.passage.target, judged.passage.why
        assert settings is not None
        assert old is not None
        outcome.known.append((judged.one.thought, old.id))
        if judged.passage.verdict is GateVerdict.REINFORCE:
            change = reinforced(old, origin, settings, why)
        else:
            thought = judged.one.thought
            wording = self._world.advice.merged(old.text, thought.text)
            change = merged(old, Addition(thought, judged.weight.importance, why, wording), origin, settings)
        if not change.fields:
            return
        entries: tuple[IndexEntry, ...] = ()
        if change.rewords:
            text = next(str(field.after) for field in change.fields if field.name == "text")
            entries = (index(replace(old, text=text)),)
            outcome.reworded.append(old.id)
        self._tx.append(self._hand.draft(Action.CHANGE, Changed((change,))), entries)
        outcome.touched.append(old.id)

    def _create(self, judged: Judged, origin: Origin, outcome: FormationOutcome) -> None:
        """Write a new memory, close those it supersedes, and relate it to its neighbours."""
        weight, passage = judged.weight, judged.passage
        outcome.decisions.append(Decision("weigh", weight.priority or "as given", weight.why))
        memory = lay_down(
            self._hand.ids.new_id(origin.now), judged.one.thought, weight.importance, origin, self._settings
        )
        changes: list[Change] = []
        if passage.verdict is GateVerdict.SUPERSEDE and passage.late:
            memory = outdated(memory, passage.targets[0])
        elif passage.verdict is GateVerdict.SUPERSEDE:
            memory = taking_back(memory, passage.targets)
            changes = [superseded(old, memory, f"contradicted by {memory.id}") for old in passage.targets]
            outcome.closed += passage.targets
            outcome.newer.append(memory)
        entry = index(memory, judged.one.vector, self._hand.model)
        self._tx.append(self._hand.draft(Action.FORM, Formed((memory,))), (entry,))
        outcome.laid.append((judged.one.thought, memory))
        outcome.touched.append(memory.id)
        outcome.decisions += _laid(memory)
        changes += self._captured(memory, origin, outcome)
        if changes:
            self._tx.append(self._hand.draft(Action.CHANGE, Changed(tuple(changes))))
        self._write(self._edges(memory, judged, origin), outcome)

    def _edges(self, memory: Memory, judged: Judged, origin: Origin) -> list[Relation]:
        """Return the relations of a new memory, by a language model's advice if there is any, else by heuristics."""
        settings, passage = self._settings.relate, judged.passage
        if settings is None:
            return []
        edges = _against(memory, passage, origin.now)
        others = tuple(found.memory for found in judged.near)
        bonds = self._world.advice.related(memory.text, [other.text for other in others])
        gone = {old.id for old in passage.targets}
        if bonds is not None:
            drawn = bound(memory, others, bonds, origin.now)
            return edges + [edge for edge in drawn if gone.isdisjoint((edge.source, edge.target))]
        near = [found for found in judged.near if found.memory.id not in gone]
        return edges + relate(memory, near, origin.now, settings)

    def _captured(self, memory: Memory, origin: Origin, outcome: FormationOutcome) -> list[Change]:
        """Compute the changes by which a strong memory makes the tagged weak ones of its session more stable."""
        tag = self._settings.tag
        if tag is None or not is_strong(memory.standing.importance, tag.strong):
            return []
        changes: list[Change] = []
        for weak in self._tagged(memory, origin.now, tag):
            stability = float(captured_stability(weak.standing.stability_days, tag.factor))
            standing = replace(weak.standing, stability_days=stability, tagged_until=None, captured=True)
            changes.append(difference(weak, replace(weak, standing=standing), f"captured by {memory.id}"))
        if changes:
            outcome.decisions.append(Decision("capture", f"{len(changes)} captured", f"by {memory.id}"))
        return changes

    def _tagged(self, memory: Memory, now: datetime, tag: TagSettings) -> list[Memory]:
        """Return the tagged memories of the session, latest first; those too old to be still tagged are not read."""
        corpus = self._world.corpus()
        formed = [int(i) for i in (corpus.kinds != KIND_CODES[Kind.EPISODE]).nonzero()[0][-TAGS_MOST:]]
        found: list[Memory] = []
        while formed:
            block = corpus.fetch(formed[-_RECENT:][::-1])
            del formed[-_RECENT:]
            found += [m for m in block if _is_tagged(m, memory, now)]
            if (now - block[-1].recorded_at).total_seconds() > tag.hours * 3600.0:
                break
        return found

    def _write(self, edges: Sequence[Relation], outcome: FormationOutcome) -> None:
        """Write relations, and prune the scope's relations if there are too many."""
        settings = self._settings.relate
        if not edges or settings is None:
            return
        added = tuple({edge.ends: edge for edge in edges}.values())
        self._tx.append(self._hand.draft(Action.RELATE, Related(added)))
        outcome.decisions.append(Decision("relate", f"{len(added)} edges", ", ".join(edge.kind for edge in added)))
        if not self._world.edges.is_due(len(added), settings):
            return
        held = self._world.relations()
        gone = prune(held, settings.most, settings.keep)
        if gone:
            self._tx.append(self._hand.draft(Action.RELATE, Related((), tuple(gone)), "too many relations"))
        self._world.edges.looked(len(held) - len(gone))


def _against(memory: Memory, passage: Passage, now: datetime) -> list[Relation]:
    """Return the edges from a memory to those it supersedes or contradicts; in reverse if those were said later."""
    kind = RelationKind.SUPERSEDES if passage.verdict is GateVerdict.SUPERSEDE else RelationKind.CONTRADICTS
    ends = [(old.id, memory.id) if passage.late else (memory.id, old.id) for old in passage.targets]
    return [Relation(*two, kind, 1.0, now) for two in ends]


def _laid(memory: Memory) -> list[Decision]:
    """Return the decisions about a new memory's flashbulb and tag."""
    standing, found = memory.standing, []
    if standing.flashbulb:
        found.append(Decision("flashbulb", "kept vivid", f"arousal {standing.arousal:.2f}"))
    if standing.tagged_until is not None:
        until = standing.tagged_until.isoformat(timespec="seconds")
        found.append(Decision("tag", f"until {until}", f"importance {standing.importance:.2f}"))
    return found


def _is_tagged(weak: Memory, strong: Memory, now: datetime) -> bool:
    until = weak.standing.tagged_until
    return until is not None and until > now and weak.session == strong.session and weak.id != strong.id
