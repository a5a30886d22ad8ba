"""How the engine tends what it formed: feedback, protection, waking, links, working memory, quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from reverie.encode.accept import require_share
from reverie.engine.asking import require_count, require_flag, require_ids, require_scope, require_words
from reverie.engine.base import Base, Line, is_protected, require_free
from reverie.engine.retiring import retirements
from reverie.errors import Conflict, InvalidInput
from reverie.events import Action, Change, Changed, Related, difference
from reverie.formulas.earned_importance import Happening
from reverie.formulas.earned_importance import after as after_event
from reverie.formulas.utility import after_use
from reverie.types import STATE_CODES, Memory, Relation, RelationKind, Scope, Standing, State

if TYPE_CHECKING:  # the write path's rooms are loaded by the first write
    from reverie.encode.session import WorkingItem

ALPHA = 0.1
"""How far one use moves utility (D15)."""
IMPORTANT = 0.95
"""The importance of what a person flags as important (B3)."""

HOPS_MAX = 10
_BY_HAND = "related by hand"


class Feedback(StrEnum):
    """What turned out about a memory."""

    USED = "used"
    USELESS = "useless"
    VERIFIED = "verified"
    WRONG = "wrong"
    IMPORTANT = "important"


_EARNS = {Feedback.USED: Happening.GOOD_OUTCOME, Feedback.VERIFIED: Happening.VERIFIED}
"""What a verdict is among the events that importance is earned by (B3)."""


class Tending(Base):
    """The part of the engine that a person, or the agent's outcome, tends memories with."""

    def feedback(self, memory_id: str, scope: Scope, verdict: Feedback | str, *, why: str = "") -> Memory:
        """Say what turned out: it was of use, or of none; it is verified, wrong, or important.

        Used and useless move its utility towards 1 or 0; verified trusts its source; important lifts its importance to
        .95; wrong takes it to 0 and lets it hold no longer. Where a recipe's importance is earned, each use raises it
        too, as a good outcome, and so does being verified, once. Raises NotFound; InvalidInput for an unknown verdict;
        Conflict where something pinned or immutable is said to be wrong.
        """
        said = _verdict(verdict)
        with self._line("feedback", scope, memory_id) as line, self._lock:
            memory = self.memory(memory_id, scope)
            reason = require_words("why", why) or f"feedback: {said}"
            if said is not Feedback.WRONG:
                return self._changed(memory, self._judged(memory, said), reason, line)
            require_free(memory)
            retired = retirements(self._store, [memory], self._clock.now())
            return self._changed(memory, self._judged(memory, said), reason, line, retired)

    def _judged(self, memory: Memory, said: Feedback) -> Memory:
        standing = memory.standing
        if said is Feedback.WRONG:
            wrong = replace(standing, importance=0.0, confidence=0.0, state=State.SUPERSEDED)
            return replace(memory, valid_until=memory.valid_until or self._clock.now(), standing=wrong)
        after: dict[Feedback, Standing] = {
            Feedback.USED: replace(standing, utility=float(after_use(standing.utility, 1.0, ALPHA))),
            Feedback.USELESS: replace(standing, utility=float(after_use(standing.utility, 0.0, ALPHA))),
            Feedback.VERIFIED: replace(standing, verified=True, confidence=1.0),
            Feedback.IMPORTANT: replace(standing, importance=max(standing.importance, IMPORTANT)),
        }
        return replace(memory, standing=replace(after[said], importance=self._earned(standing, after[said], said)))

    def _earned(self, before: Standing, after: Standing, said: Feedback) -> float:
        """The importance after a verdict, with what that earns in a recipe where importance is earned."""
        happening = _EARNS.get(said)
        if happening is None or (happening is Happening.VERIFIED and before.verified):
            return after.importance
        earning = self._recipe.dream.earning
        return after.importance if earning is None else after_event(after.importance, happening, earning.table)

    def pin(self, memory_id: str, scope: Scope, *, pinned: bool = True) -> Memory:
        """Protect a memory from everything that forgets, or no longer."""
        with self._line("pin" if require_flag("pinned", pinned) else "unpin", scope, memory_id) as line, self._lock:
            memory = self.memory(memory_id, scope)
            after = replace(memory, standing=replace(memory.standing, pinned=pinned))
            return self._changed(memory, after, "pinned" if pinned else "unpinned", line)

    def protect(self, memory_id: str, scope: Scope, *, immutable: bool = True) -> Memory:
        """Protect a memory from everything that edits, merges or moves it, or no longer."""
        with (
            self._line("protect" if require_flag("immutable", immutable) else "unprotect", scope, memory_id) as line,
            self._lock,
        ):
            memory = self.memory(memory_id, scope)
            after = replace(memory, standing=replace(memory.standing, immutable=immutable))
            return self._changed(memory, after, "made immutable" if immutable else "made mutable", line)

    def revive(self, memory_id: str, scope: Scope) -> Memory:
        """Wake a memory that sleeps or fades: active again, in the tier it came from, its last access now.

        One that a dream closed for another is open again, too; what newer words superseded has a newer version.
        """
        with self._line("revive", scope, memory_id) as line, self._lock:
            memory = self.memory(memory_id, scope)
            if memory.standing.state not in (State.DORMANT, State.FADING, State.ACTIVE) and not self._is_merged(memory):
                raise InvalidInput(
                    f"Memory {memory_id} is {memory.standing.state}, not asleep.",
                    "What was superseded has a newer version; what is in quarantine is released.",
                )
            awake = replace(memory.standing, state=State.ACTIVE, superseded_by="")
            after = replace(memory, last_access=self._clock.now(), standing=awake)
            return self._changed(memory, after, "revived", line)

    def _is_merged(self, memory: Memory) -> bool:
        """Whether a dream superseded it."""
        from reverie.consolidate.law import is_closed_by_dream

        if memory.standing.state is not State.SUPERSEDED:
            return False
        return is_closed_by_dream(memory.id, self._store.history(memory.scope, memory.id))

    def quarantined(self, scope: Scope) -> list[Memory]:
        """What the screen holds back: kept, never recalled, until a person releases it."""
        require_scope(scope)
        with self._lock:
            corpus = self._store.corpus(scope, None)
            held = (corpus.states == STATE_CODES[State.QUARANTINED]).nonzero()[0]
            return corpus.fetch(held.tolist())

    def release(self, memory_id: str, scope: Scope, *, why: str) -> Memory:
        """Let a memory out of quarantine."""
        with self._line("release", scope, memory_id) as line, self._lock:
            memory = self.memory(memory_id, scope)
            if memory.standing.state is not State.QUARANTINED:
                raise InvalidInput(f"Memory {memory_id} is not in quarantine.", "List what is with `quarantined`.")
            after = replace(memory, standing=replace(memory.standing, state=State.ACTIVE))
            return self._changed(memory, after, why or "released", line)

    def relate(
        self, source: str, target: str, scope: Scope, kind: RelationKind | str, *, confidence: float = 1.0
    ) -> Relation:
        """Draw an edge between two memories; one that is there already is set anew.

        What is superseded by hand is closed like anything that is. Raises NotFound; InvalidInput for no such kind;
        Conflict where the target is pinned or immutable, or supersedes the source itself.
        """
        require_share("confidence", confidence)
        if source == target:
            raise InvalidInput("A memory is to be related to itself.", "Name two memories.")
        with self._line("relate", scope, source, target) as line, self._lock:
            newer, older = self.memory(source, scope), self.memory(target, scope)
            relation = Relation(newer.id, older.id, _kind(kind), confidence, self._clock.now())
            changes = self._closed(newer, older) if relation.kind is RelationKind.SUPERSEDES else ()
            with self._store.begin(durable=True) as tx:
                if changes:
                    tx.append(self._draft(scope, Action.CHANGE, _BY_HAND, Changed(changes)))
                tx.append(self._draft(scope, Action.RELATE, _BY_HAND, Related((relation,))))
            line.did(str(relation.kind), 1 + len(changes))
        return relation

    def _closed(self, newer: Memory, older: Memory) -> tuple[Change, ...]:
        """What closes a memory that another takes the place of; nothing where it is closed already."""
        from reverie.encode.laying import superseded

        if any(
            (edge.source, edge.kind) == (older.id, RelationKind.SUPERSEDES) and edge.target == newer.id
            for edge in self._store.relations(newer.scope, (newer.id,))
        ):
            raise Conflict(f"Memory {older.id} supersedes {newer.id} already.", "Take that edge back first.")
        if older.standing.state is State.SUPERSEDED:
            return ()
        require_free(older)
        return (superseded(older, newer, _BY_HAND),)

    def relations(self, scope: Scope, memory_ids: tuple[str, ...] | None = None) -> list[Relation]:
        """The edges of the scope, or those that touch these memories."""
        require_scope(scope)
        if memory_ids is not None:
            require_ids("memory_ids", memory_ids)
        with self._lock:
            return self._store.relations(scope, memory_ids)

    def graph(
        self, memory_id: str, scope: Scope, *, hops: int = 2, kinds: Sequence[RelationKind | str] = ()
    ) -> tuple[list[Memory], list[Relation]]:
        """What is connected with a memory, breadth first to so many hops: the memories, itself first, and the edges.

        ``kinds``: only along edges of these kinds; none given, along all.

        Raises:
            InvalidInput: one of them is no kind of edge, or ``hops`` is out of range.
            NotFound: there is no such memory.
        """
        require_count("hops", hops, 0, HOPS_MAX)
        wanted = _kinds(kinds)
        with self._lock:
            found = {memory_id: self.memory(memory_id, scope)}
            edges: dict[tuple[str, str, str], Relation] = {}
            rim = [memory_id]
            for _ in range(hops):
                edges_here = self._store.relations(scope, rim) if rim else []
                touching = [edge for edge in edges_here if edge.kind in wanted]
                edges |= {edge.ends: edge for edge in touching}
                ends = dict.fromkeys(end for edge in touching for end in (edge.source, edge.target) if end not in found)
                reached = {end: memory for end in ends if (memory := self._store.memory(scope, end)) is not None}
                found |= reached
                rim = list(reached)
        return list(found.values()), list(edges.values())

    def about(self, entity: str, scope: Scope) -> list[Memory]:
        """Every memory that names an entity (``entity://kind/slug``), in order of writing."""
        require_scope(scope)
        with self._lock:
            corpus = self._store.corpus(scope, None)
            return corpus.fetch(corpus.postings(require_words("entity", entity)).ordinals.tolist())

    def working(self, scope: Scope, session: str = "default") -> list[WorkingItem]:
        """What the session has in working memory now, strongest first; what no longer holds is left out."""
        require_scope(scope)
        with self._lock:
            held = self._sessions.find(scope, require_words("session", session))
            items = held.working.items(self._clock.now()) if held else []
            return [item for item in items if self._held(item.id, scope) is not None]

    def end_session(self, scope: Scope, session: str = "default") -> list[WorkingItem]:
        """Clear what a session held in this process; what should outlive it is returned, and gains an access.

        What is pinned or immutable outlives it as it is: nothing moves it.
        """
        require_scope(scope)
        require_words("The session", session)
        with self._lock:
            ended = self._sessions.end(scope, session)
            self._caches.end(scope, session)
            now, why = self._clock.now(), "outlived its session"
            kept = [(item, self._held(item.id, scope)) for item in (ended.working.outliving(now) if ended else [])]
            free = [memory for _, memory in kept if memory is not None and not is_protected(memory)]
            after = [replace(memory, accesses=memory.accesses + 1, last_access=now) for memory in free]
            changes = tuple(difference(*pair, why) for pair in zip(free, after, strict=True))
            if changes:
                self._append(scope, Action.CHANGE, why, Changed(changes))
        return [item for item, memory in kept if memory is not None]

    def _changed(
        self, before: Memory, after: Memory, why: str, line: Line | None = None, retired: tuple[Change, ...] = ()
    ) -> Memory:
        """Write what changed, and in the same transaction, as an event of its own, what goes with it."""
        change = difference(before, after, self._masked(why))
        if change.fields:
            with self._store.begin(durable=True) as tx:
                tx.append(self._draft(before.scope, Action.CHANGE, why, Changed((change,))))
                self._retire(tx, before.scope, retired)
        if line is not None:
            line.did(" ".join(one.name for one in change.fields), len(change.fields and (change, *retired)))
        return self.memory(before.id, before.scope)


def _verdict(verdict: Feedback | str) -> Feedback:
    try:
        return Feedback(verdict)
    except ValueError:
        raise InvalidInput(f"There is no feedback {verdict!r}.", f"Use one of {', '.join(Feedback)}.") from None


def _kind(kind: RelationKind | str) -> RelationKind:
    try:
        return RelationKind(kind)
    except ValueError:
        raise InvalidInput(f"There is no relation {kind!r}.", f"Use one of {', '.join(RelationKind)}.") from None


def _kinds(kinds: Sequence[RelationKind | str]) -> frozenset[RelationKind]:
    """The kinds of edges that are asked for; all where none is. Raises InvalidInput for what is none."""
    known = ", ".join(RelationKind)
    if isinstance(kinds, str):
        raise InvalidInput("The kinds are one text, not several.", f"Give a list of {known}.")
    try:
        return frozenset(map(RelationKind, kinds)) or frozenset(RelationKind)
    except (ValueError, TypeError):
        raise InvalidInput(f"{list(kinds)!r} names a kind of link there is not.", f"Give some of {known}.") from None
