"""Operations on single memories: correct, note, amend, forget, restore, protect, link, rate, release."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from reverie.encode.validation import require_formed_kind, require_share
from reverie.engine.context import Context, is_protected, require_free, require_mutable
from reverie.engine.ingest import IMPORT_BATCH, Ingestion
from reverie.engine.requests import (
    require_count,
    require_flag,
    require_ids,
    require_many,
    require_member,
    require_scope,
    require_words,
    written_by,
)
from reverie.engine.retractions import retirements
from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.events import Action, Change, Changed, Event, Forgotten, Formed, Related, alteration, difference
from reverie.formulas.tiers import after_use
from reverie.formulas.vault import ObservationHappening
from reverie.formulas.vault import after as after_event
from reverie.types import (
    STATE_CODES,
    FeedbackName,
    FloatArray,
    Kind,
    Memory,
    Message,
    Relation,
    RelationKind,
    RelationName,
    Scope,
    Standing,
    State,
)

if TYPE_CHECKING:
    from reverie.encode.notes import Note
    from reverie.encode.pipeline import Prepared
    from reverie.encode.session import WorkingItem
    from reverie.engine.undo import UndoReport
    from reverie.ops.log import LogLine


ALPHA = 0.1
"""The share by which one use moves utility towards 1 or 0."""
IMPORTANT = 0.95
"""The least importance of a memory rated as important."""

HOPS_MAX = 10
_BY_HAND = "related by hand"


class Feedback(StrEnum):
    """Verdicts of ``feedback`` about a memory."""

    USED = "used"
    USELESS = "useless"
    VERIFIED = "verified"
    WRONG = "wrong"
    IMPORTANT = "important"


_EARNS = {Feedback.USED: ObservationHappening.GOOD_OUTCOME, Feedback.VERIFIED: ObservationHappening.VERIFIED}
"""The event by which a verdict earns importance."""


def _kinds(kinds: Sequence[RelationKind | str]) -> frozenset[RelationKind]:
    """Return the given kinds of edges as a set; all kinds if none is given. Raises InvalidInput for unknown kinds."""
    known = ", ".join(RelationKind)
    if isinstance(kinds, str):
        raise InvalidInput("The kinds are one text, not several.", f"Give a list of {known}.")
    try:
        return frozenset(map(RelationKind, kinds)) or frozenset(RelationKind)
    except (ValueError, TypeError):
        raise InvalidInput(f"{list(kinds)!r} names a kind of link there is not.", f"Give some of {known}.") from None


class Curation:
    """Collaborator for changes of single memories: correct, note, amend, forget, protect, link, rate, release."""

    def __init__(self, context: Context, ingestion: Ingestion) -> None:
        self._context = context
        self._ingestion = ingestion

    def correct(self, memory_id: str, text: str, scope: Scope, *, why: str = "", tags: Sequence[str] = ()) -> Memory:
        """Correct a memory: a new one with ``text`` supersedes it; the old one stays stored, closed and linked."""
        require_many("tags", tags)
        said, tags = self._ingestion.screened(Message(text)), tuple(map(self._context.masked, tags))
        words = said.message.text
        if not words.strip():
            raise InvalidInput("A correction needs words.", "Give the text that is right, or forget the memory.")
        with self._context.locks.of(scope):
            old = self._context.memory(memory_id, scope)
        vector = (
            None if old.text == words else self._context.vectors([words])[0]
        )  # outside the lock: a model may take seconds
        with self._context.locks.of(scope):
            old = self._context.memory(memory_id, scope)
            known = self._already(old, words)
            right = known or self._replace(old, said, vector, why, tags)
        self._context.embed_later()
        return right

    def _already(self, old: Memory, words: str) -> Memory | None:
        """Return the memory that already has this text, if any. Raises Conflict if the old one may not be corrected."""
        standing = old.standing
        if standing.state is State.SUPERSEDED:
            newer = self._context.store.memory(old.scope, standing.superseded_by)
            if newer is not None and newer.text == words:
                return newer
            instead = f"Correct {newer.id} instead." if newer else "It was said to be wrong; remember what is right."
            raise Conflict(f"Memory {old.id} is superseded.", instead)
        require_mutable(old)
        if standing.state is State.QUARANTINED:
            raise Conflict(f"Memory {old.id} is in quarantine.", "Release it, or forget it.")
        return old if old.text == words else None

    def _replace(self, old: Memory, said: Prepared, vector: FloatArray | None, why: str, tags: Sequence[str]) -> Memory:
        from reverie.encode.memory_factory import index, superseded
        from reverie.encode.notes import corrected, held_back, tagged

        scope, now, made = old.scope, self._context.clock.now(), f"corrects {old.id}"
        reason = self._context.masked(why) or made
        quarantine = said.quarantine
        new = corrected(old, said.message.text, self._context.ids.new_id(now), now, self._context.recipe.encode)
        new = tagged(written_by(new), tags)
        if quarantine:
            new = held_back(new, quarantine)
        gone = [] if quarantine else [old, *self._formed_alone(old)]
        changes = tuple(superseded(one, new, f"corrected by {new.id}") for one in gone)
        edges = tuple(Relation(new.id, one.id, RelationKind.SUPERSEDES, 1.0, now) for one in gone)
        retired = retirements(self._context.store, gone, now, [new] if gone and old.is_dreamt else ())
        entry = index(
            new, vector, self._context.embedder.info if vector is not None and self._context.embedder else None
        )
        with self._context.store.begin(scope, durable=True) as tx:
            tx.append(self._context.draft(scope, Action.FORM, made if gone else reason, Formed((new,))), (entry,))
            if gone:  # these events name both memories, so that erasing either one erases the reason
                tx.append(self._context.draft(scope, Action.CHANGE, reason, Changed(changes)))
                tx.append(self._context.draft(scope, Action.RELATE, reason, Related(edges)))
            self._context.retire(tx, scope, retired)
        return self._context.memory(new.id, scope)

    def _formed_alone(self, old: Memory) -> list[Memory]:
        """Return the memories formed from this message alone, without protected or superseded ones."""
        if old.kind is not Kind.EPISODE:
            return []
        formed = self._context.store.made_from(old.scope, old.id)
        alone = [one for one in formed if set(one.sources) == {old.id} and not is_protected(one)]
        return [one for one in alone if one.standing.state is not State.SUPERSEDED]

    def undo_event(self, event: int | str, scope: Scope) -> UndoReport:
        """Undo one event: a forget, a correction, feedback, a pin or protection, a revival, an edge.

        The events of one call are undone together: with a forgotten message the memories formed from it, with a
        correction all its three events. ``event`` is a number in the journal. An undo is an event, and can be undone.

        Raises:
            NotFound: there is no such event in this scope.
            InvalidInput: events of this kind cannot be undone; ``mend`` says what to do instead.
            Conflict: a later event, which the message names, depends on it; or its content was erased.
        """
        from reverie.engine.undo import EventUndoing

        with self._context.line("undo", scope, f"event {event}") as line, self._context.locks.of(scope):
            undoing = EventUndoing(self._context.store, self._event(event, scope))
            undoing.plan()
            why = f"event {undoing.event.seq} taken back"
            with self._context.store.begin(scope, durable=True) as tx:
                for action, payload, entries in undoing.planned:
                    tx.append(self._context.draft(scope, action, why, payload), entries)
            line.did(why, undoing.changed + undoing.unmade + undoing.unrelated)
        self._context.embed_again(scope, undoing.reworded)
        return undoing.report()

    def _event(self, number: int | str, scope: Scope) -> Event:
        text = str(number)
        if isinstance(number, bool) or not text.isascii() or not text.isdecimal():
            raise InvalidInput(f"{number!r} is no event.", "Give its number, as history shows it.")
        seq = int(text)
        found = next(self._context.store.events(scope, after=seq - 1), None) if 0 < seq < 2**63 else None
        if found is None or found.seq != seq:
            raise NotFound(f"There is no event {seq} in scope {scope}.", "Look it up with history.")
        return found

    def feedback(self, memory_id: str, scope: Scope, verdict: Feedback | FeedbackName, *, why: str = "") -> Memory:
        """Rate a memory: it was used or useless, or is verified, wrong or important."""
        said = require_member("feedback", Feedback, verdict)
        with self._context.line("feedback", scope, memory_id) as line, self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            reason = require_words("why", why) or f"feedback: {said}"
            if said is not Feedback.WRONG:
                return self._changed(memory, self._judged(memory, said), reason, line)
            require_free(memory)
            retired = retirements(self._context.store, [memory], self._context.clock.now())
            return self._changed(memory, self._judged(memory, said), reason, line, retired)

    def _judged(self, memory: Memory, said: Feedback) -> Memory:
        standing = memory.standing
        if said is Feedback.WRONG:
            wrong = replace(standing, importance=0.0, confidence=0.0, state=State.SUPERSEDED)
            return replace(memory, valid_until=memory.valid_until or self._context.clock.now(), standing=wrong)
        after: dict[Feedback, Standing] = {
            Feedback.USED: replace(standing, utility=float(after_use(standing.utility, 1.0, ALPHA))),
            Feedback.USELESS: replace(standing, utility=float(after_use(standing.utility, 0.0, ALPHA))),
            Feedback.VERIFIED: replace(standing, verified=True, confidence=1.0),
            Feedback.IMPORTANT: replace(standing, importance=max(standing.importance, IMPORTANT)),
        }
        return replace(memory, standing=replace(after[said], importance=self._earned(standing, after[said], said)))

    def _earned(self, before: Standing, after: Standing, said: Feedback) -> float:
        """Return the importance after a verdict, including what it earns in a recipe with earned importance."""
        happening = _EARNS.get(said)
        if happening is None or (happening is ObservationHappening.VERIFIED and before.verified):
            return after.importance
        earning = self._context.recipe.dream.earning
        return after.importance if earning is None else after_event(after.importance, happening, earning.table)

    def pin(self, memory_id: str, scope: Scope, *, pinned: bool = True) -> Memory:
        """Pin a memory, so that nothing forgets it; ``pinned=False`` ends that."""
        with (
            self._context.line("pin" if require_flag("pinned", pinned) else "unpin", scope, memory_id) as line,
            self._context.locks.of(scope),
        ):
            memory = self._context.memory(memory_id, scope)
            after = replace(memory, standing=replace(memory.standing, pinned=pinned))
            return self._changed(memory, after, "pinned" if pinned else "unpinned", line)

    def protect(self, memory_id: str, scope: Scope, *, immutable: bool = True) -> Memory:
        """Make a memory immutable, so that nothing edits, merges or moves it; ``immutable=False`` ends that."""
        with (
            self._context.line(
                "protect" if require_flag("immutable", immutable) else "unprotect", scope, memory_id
            ) as line,
            self._context.locks.of(scope),
        ):
            memory = self._context.memory(memory_id, scope)
            after = replace(memory, standing=replace(memory.standing, immutable=immutable))
            return self._changed(memory, after, "made immutable" if immutable else "made mutable", line)

    def revive(self, memory_id: str, scope: Scope) -> Memory:
        """Make a dormant or fading memory active again, in its former tier, with its last access set to now.

        A memory that a dream superseded is reopened too. Raises InvalidInput for others superseded or in quarantine.
        """
        with self._context.line("revive", scope, memory_id) as line, self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            if memory.standing.state not in (State.DORMANT, State.FADING, State.ACTIVE) and not self._is_merged(memory):
                raise InvalidInput(
                    f"Memory {memory_id} is {memory.standing.state}, not asleep.",
                    "What was superseded has a newer version; what is in quarantine is released.",
                )
            awake = replace(memory.standing, state=State.ACTIVE, superseded_by="")
            after = replace(memory, last_access=self._context.clock.now(), standing=awake)
            return self._changed(memory, after, "revived", line)

    def _is_merged(self, memory: Memory) -> bool:
        """Whether a dream superseded the memory."""
        from reverie.consolidate.lossless import is_closed_by_dream

        if memory.standing.state is not State.SUPERSEDED:
            return False
        return is_closed_by_dream(memory.id, self._context.store.history(memory.scope, memory.id))

    def quarantined(self, scope: Scope) -> list[Memory]:
        """List the memories in quarantine: held back by the screen, and not recalled until a person releases them."""
        require_scope(scope)
        with self._context.locks.of(scope):
            corpus = self._context.store.corpus(scope, None)
            held = (corpus.states == STATE_CODES[State.QUARANTINED]).nonzero()[0]
            return corpus.fetch(held.tolist())

    def quarantine(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Put a memory into quarantine: it is kept, and not recalled until a person releases it.

        So are memories formed from a quarantined message alone, unless pinned or immutable, and what dreams made of
        them is retracted. A repeated call changes nothing. Raises Conflict for a pinned, immutable or superseded one.
        """
        with self._context.line("quarantine", scope, memory_id) as line, self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            if memory.standing.state is State.QUARANTINED:
                return memory
            if memory.standing.state is State.SUPERSEDED:
                raise Conflict(f"Memory {memory.id} is superseded.", "It is not recalled; forget it or erase it.")
            require_free(memory)
            held = [memory, *(one for one in self._formed_alone(memory) if one.standing.state is not State.QUARANTINED)]
            reason = self._context.masked(require_words("why", why) or "quarantined by hand")
            changes = tuple(alteration(one, reason, state=State.QUARANTINED) for one in held)
            retired = retirements(self._context.store, held, self._context.clock.now())
            with self._context.store.begin(scope, durable=True) as tx:
                tx.append(self._context.draft(scope, Action.CHANGE, reason, Changed(changes)))
                self._context.retire(tx, scope, retired)
            line.did("quarantined", len(changes) + len(retired))
        return self._context.memory(memory_id, scope)

    def release(self, memory_id: str, scope: Scope, *, why: str) -> Memory:
        """Release a memory from quarantine. Raises InvalidInput if it is not there."""
        with self._context.line("release", scope, memory_id) as line, self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            if memory.standing.state is not State.QUARANTINED:
                raise InvalidInput(f"Memory {memory_id} is not in quarantine.", "List what is with `quarantined`.")
            after = replace(memory, standing=replace(memory.standing, state=State.ACTIVE))
            return self._changed(memory, after, why or "released", line)

    def relate(
        self, source: str, target: str, scope: Scope, kind: RelationKind | RelationName, *, confidence: float = 1.0
    ) -> Relation:
        """Add an edge between two memories; an existing edge of this kind is replaced."""
        require_share("confidence", confidence)
        if source == target:
            raise InvalidInput("A memory is to be related to itself.", "Name two memories.")
        with self._context.line("relate", scope, source, target) as line, self._context.locks.of(scope):
            newer, older = self._context.memory(source, scope), self._context.memory(target, scope)
            chosen = require_member("relation", RelationKind, kind)
            relation = Relation(newer.id, older.id, chosen, confidence, self._context.clock.now())
            changes = self._closed(newer, older) if relation.kind is RelationKind.SUPERSEDES else ()
            with self._context.store.begin(scope, durable=True) as tx:
                if changes:
                    tx.append(self._context.draft(scope, Action.CHANGE, _BY_HAND, Changed(changes)))
                tx.append(self._context.draft(scope, Action.RELATE, _BY_HAND, Related((relation,))))
            line.did(str(relation.kind), 1 + len(changes))
        return relation

    def _closed(self, newer: Memory, older: Memory) -> tuple[Change, ...]:
        """Compute the change that closes a superseded memory; () if it is closed already. Raises Conflict."""
        from reverie.encode.memory_factory import superseded

        if any(
            (edge.source, edge.kind) == (older.id, RelationKind.SUPERSEDES) and edge.target == newer.id
            for edge in self._context.store.relations(newer.scope, (newer.id,))
        ):
            raise Conflict(f"Memory {older.id} supersedes {newer.id} already.", "Take that edge back first.")
        if older.standing.state is State.SUPERSEDED:
            return ()
        require_free(older)
        return (superseded(older, newer, _BY_HAND),)

    def relations(self, scope: Scope, memory_ids: tuple[str, ...] | None = None) -> list[Relation]:
        """Return the edges of the scope, or those that touch these memories."""
        require_scope(scope)
        if memory_ids is not None:
            require_ids("memory_ids", memory_ids)
        with self._context.locks.of(scope):
            return self._context.store.relations(scope, memory_ids)

    def graph(
        self, memory_id: str, scope: Scope, *, hops: int = 2, kinds: Sequence[RelationKind | str] = ()
    ) -> tuple[list[Memory], list[Relation]]:
        """Return the memories connected with a memory, breadth first up to ``hops`` edges away, and the edges.

        The memory itself comes first. ``kinds``: follow edges of these kinds only; by default of all.

        Raises:
            InvalidInput: a kind is unknown, or ``hops`` is out of range.
            NotFound: there is no such memory.
        """
        require_count("hops", hops, 0, HOPS_MAX)
        wanted = _kinds(kinds)
        with self._context.locks.of(scope):
            found = {memory_id: self._context.memory(memory_id, scope)}
            edges: dict[tuple[str, str, str], Relation] = {}
            rim = [memory_id]
            for _ in range(hops):
                edges_here = self._context.store.relations(scope, rim) if rim else []
                touching = [edge for edge in edges_here if edge.kind in wanted]
                edges |= {edge.ends: edge for edge in touching}
                ends = dict.fromkeys(end for edge in touching for end in (edge.source, edge.target) if end not in found)
                reached = {
                    end: memory for end in ends if (memory := self._context.store.memory(scope, end)) is not None
                }
                found |= reached
                rim = list(reached)
        return list(found.values()), list(edges.values())

    def about(self, entity: str, scope: Scope) -> list[Memory]:
        """Return every memory that names an entity (``entity://kind/slug``), in order of writing."""
        require_scope(scope)
        with self._context.locks.of(scope):
            corpus = self._context.store.corpus(scope, None)
            return corpus.fetch(corpus.postings(require_words("entity", entity)).ordinals.tolist())

    def working(self, scope: Scope, session: str = "default") -> list[WorkingItem]:
        """Return the session's working memory, strongest first, without items that are no longer valid."""
        require_scope(scope)
        with self._context.locks.of(scope):
            held = self._context.sessions.find(scope, require_words("session", session))
            items = held.working.items(self._context.clock.now()) if held else []
            return [item for item in items if self._context.held(item.id, scope) is not None]

    def end_session(self, scope: Scope, session: str = "default") -> list[WorkingItem]:
        """Clear a session's working memory in this process; return the items to keep, which count as accessed.

        Pinned and immutable memories among them are kept without a change.
        """
        require_scope(scope)
        require_words("The session", session)
        with self._context.locks.of(scope):
            ended = self._context.sessions.end(scope, session)
            self._context.caches.end(scope, session)
            now, why = self._context.clock.now(), "outlived its session"
            kept = [
                (item, self._context.held(item.id, scope)) for item in (ended.working.outliving(now) if ended else [])
            ]
            free = [memory for _, memory in kept if memory is not None and not is_protected(memory)]
            after = [replace(memory, accesses=memory.accesses + 1, last_access=now) for memory in free]
            changes = tuple(difference(*pair, why) for pair in zip(free, after, strict=True))
            if changes:
                self._context.append(scope, Action.CHANGE, why, Changed(changes))
        return [item for item, memory in kept if memory is not None]

    def _changed(
        self, before: Memory, after: Memory, why: str, line: LogLine | None = None, retired: tuple[Change, ...] = ()
    ) -> Memory:
        """Write the change of a memory, and in the same transaction, as another event, its dependent retractions."""
        change = difference(before, after, self._context.masked(why))
        if change.fields:
            with self._context.store.begin(before.scope, durable=True) as tx:
                tx.append(self._context.draft(before.scope, Action.CHANGE, why, Changed((change,))))
                self._context.retire(tx, before.scope, retired)
        if line is not None:
            line.did(" ".join(one.name for one in change.fields), len(change.fields and (change, *retired)))
        return self._context.memory(before.id, before.scope)

    def note(self, notes: Iterable[Note], scope: Scope, *, why: str = "noted") -> list[Memory]:
        """Store each note as one whole memory, without forming, merging or filtering; return the memories, in order.

        Secrets are masked first; a note that gives orders to a model goes into quarantine.

        Raises:
            InvalidInput: a note is blank, is of the kind episode, has a time without a zone, or an importance outside
                [0, 1]. Earlier batches of notes stay stored.
        """
        require_scope(scope)
        require_many("notes", notes)
        incoming = iter(notes)
        kept: list[Memory] = []
        while batch := list(islice(incoming, IMPORT_BATCH)):
            said = [self._ingestion.screened(_message(note)) for note in batch]
            vectors = self._context.vectors([one.message.text for one in said])
            kept += self._noted_down(list(zip(batch, said, vectors, strict=True)), scope, why)
            self._context.embed_later()
        return kept

    def _noted_down(
        self, batch: Sequence[tuple[Note, Prepared, FloatArray | None]], scope: Scope, why: str
    ) -> list[Memory]:
        from reverie.encode.memory_factory import index
        from reverie.encode.notes import held_back, noted

        made: list[Memory] = []
        with self._context.locks.of(scope), self._context.store.begin(scope, durable=True) as tx:
            now = self._context.clock.now()
            for note, said, vector in batch:
                clean = replace(
                    note,
                    text=said.message.text,
                    at=said.message.at,
                    tags=tuple(map(self._context.masked, note.tags)),
                    writer=said.message.speaker if note.writer else "",
                )
                memory = written_by(
                    noted(clean, self._context.ids.new_id(now), scope, now, self._context.recipe.encode)
                )
                if said.quarantine:
                    memory = held_back(memory, said.quarantine)
                model = self._context.embedder.info if vector is not None and self._context.embedder else None
                tx.append(
                    self._context.draft(scope, Action.FORM, why, Formed((memory,))), (index(memory, vector, model),)
                )
                made.append(memory)
        return made

    def amend(
        self,
        memory_id: str,
        scope: Scope,
        *,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        verified: bool | None = None,
        why: str = "",
    ) -> Memory:
        """Set the importance, the tags or the verified mark of a memory; its text stays.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the importance is no number from 0 to 1.
            Conflict: the memory is immutable.
        """
        from reverie.encode.notes import with_tags

        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            require_mutable(memory)
            standing = memory.standing
            if importance is not None:
                standing = replace(standing, importance=require_share("importance", importance))
            if tags is not None:
                require_many("tags", tags)
                standing = replace(standing, tags=with_tags(standing.tags, tuple(map(self._context.masked, tags))))
            if verified is not None:
                standing = replace(standing, verified=require_flag("verified", verified))
            return self._changed(memory, replace(memory, standing=standing), why or "amended by hand")

    def reopen(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Make a forgotten or dormant memory valid and active again, with its last access set to now.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is superseded or in quarantine.
        """
        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            if memory.standing.state is State.SUPERSEDED:
                raise Conflict(f"Memory {memory.id} is superseded.", "Note it again, or take the correction back.")
            if memory.standing.state is State.QUARANTINED:
                raise Conflict(f"Memory {memory.id} is in quarantine.", "Release it, or forget it.")
            now = self._context.clock.now()
            over = not memory.holds_at(now)
            if not over and memory.standing.state is State.ACTIVE:
                return memory
            awake = replace(memory.standing, state=State.ACTIVE)
            end = None if over else memory.valid_until
            after = replace(memory, valid_until=end, last_access=now, standing=awake)
            return self._changed(memory, after, why or "holds again")

    def restore(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Reopen a forgotten memory, or revive a dormant one or one that a dream superseded."""
        memory = self._context.memory(memory_id, scope)
        if memory.standing.state is State.QUARANTINED:
            raise Conflict(f"Memory {memory.id} is in quarantine.", "Let it out with admin.release, or forget it.")
        if not memory.holds_at(self._context.clock.now()) and not self._is_merged(memory):
            return self.reopen(memory_id, scope, why=why)
        return self.revive(memory_id, scope)

    def forget(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Forget a memory: it is no longer valid or recalled, but stays stored and in the timeline."""
        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            require_free(memory)
            formed = self._context.store.made_from(scope, memory_id)
            alone = [one for one in formed if set(one.sources) == {memory_id} and not is_protected(one)]
            now = self._context.clock.now()
            gone = [one for one in (memory, *alone) if one.holds_at(now)]
            retired = retirements(self._context.store, gone, now)
            with self._context.store.begin(scope, durable=True) as tx:
                for one in gone:
                    tx.append(self._context.draft(scope, Action.FORGET, why, Forgotten(one.id, one.valid_until, now)))
                self._context.retire(tx, scope, retired)
            return self._context.memory(memory_id, scope)


def _message(note: Note) -> Message:
    """Validate a note and return its text, writer and time as a message, for the screen. Raises InvalidInput."""
    from reverie.encode.notes import Note

    if not isinstance(note, Note):
        raise InvalidInput(f"A note is {type(note).__name__}.", "Give reverie.encode.notes.Note values.")
    if not str(note.text).strip():
        raise InvalidInput("A note needs words.", "Say what is to be kept.")
    if note.importance is not None:
        require_share("importance", note.importance)
    require_formed_kind(note.kind)
    if not isinstance(note.tags, (tuple, list, set, frozenset)):
        raise InvalidInput(f"The tags are {note.tags!r}.", "Give them as a tuple of words.")
    return Message(note.text, at=note.at) if not note.writer else Message(note.text, note.writer, at=note.at)
