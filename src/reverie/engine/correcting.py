"""How a person puts things right: a correction takes a memory's place, and a single event is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.engine.asking import require_many
from reverie.engine.base import is_protected, require_mutable
from reverie.engine.callers import written_by
from reverie.engine.retiring import retirements
from reverie.engine.writing import Writing
from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.events import Action, Changed, Event, Formed, Related
from reverie.types import FloatArray, Kind, Memory, Message, Relation, RelationKind, Scope, State

if TYPE_CHECKING:  # loaded by the first correction or undoing
    from reverie.encode.pipeline import Prepared
    from reverie.engine.undoing import UndoReport


class Correcting(Writing):
    """The part of the engine that puts right."""

    def correct(self, memory_id: str, text: str, scope: Scope, *, why: str = "", tags: Sequence[str] = ()) -> Memory:
        """Let a memory say ``text`` from now on: a new one takes its place, the old one stays, closed and linked.

        What was formed of a corrected message alone is closed with it, unless it is pinned or immutable. Secrets are
        masked first; a correction that gives orders to a model goes into quarantine, and the old memory stands until
        then. Twice is once. ``tags`` are the new one's, instead of those its words give.

        Returns:
            the new memory; the one that is there where it says so already.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the text is blank.
            Conflict: the memory is immutable, in quarantine, or something else took its place already.
        """
        require_many("tags", tags)
        said, tags = self._screened(Message(text)), tuple(map(self._masked, tags))
        words = said.message.text
        if not words.strip():
            raise InvalidInput("A correction needs words.", "Give the text that is right, or forget the memory.")
        with self._lock:
            old = self.memory(memory_id, scope)
        vector = None if old.text == words else self._vectors([words])[0]  # outside the lock: a model may take seconds
        with self._lock:
            old = self.memory(memory_id, scope)
            known = self._already(old, words)
            right = known or self._replace(old, said, vector, why, tags)
        self._embed_later()
        return right

    def _already(self, old: Memory, words: str) -> Memory | None:
        """The memory that says so already. Raises Conflict where nothing may take this one's place."""
        standing = old.standing
        if standing.state is State.SUPERSEDED:
            newer = self._store.memory(old.scope, standing.superseded_by)
            if newer is not None and newer.text == words:
                return newer
            instead = f"Correct {newer.id} instead." if newer else "It was said to be wrong; remember what is right."
            raise Conflict(f"Memory {old.id} is superseded.", instead)
        require_mutable(old)
        if standing.state is State.QUARANTINED:
            raise Conflict(f"Memory {old.id} is in quarantine.", "Release it, or forget it.")
        return old if old.text == words else None

    def _replace(self, old: Memory, said: Prepared, vector: FloatArray | None, why: str, tags: Sequence[str]) -> Memory:
        from reverie.encode.correction import corrected, held_back
        from reverie.encode.index import index
        from reverie.encode.laying import superseded
        from reverie.encode.note import tagged

        scope, now, made = old.scope, self._clock.now(), f"corrects {old.id}"
        reason = self._masked(why) or made
        quarantine = said.quarantine
        new = corrected(old, said.message.text, self._ids.new_id(now), now, self._recipe.encode)
        new = tagged(written_by(new), tags)
        if quarantine:
            new = held_back(new, quarantine)
        gone = [] if quarantine else [old, *self._formed_alone(old)]
        changes = tuple(superseded(one, new, f"corrected by {new.id}") for one in gone)
        edges = tuple(Relation(new.id, one.id, RelationKind.SUPERSEDES, 1.0, now) for one in gone)
        retired = retirements(self._store, gone, now, [new] if gone and old.is_dreamt else ())
        entry = index(new, vector, self._embedder.info if vector is not None and self._embedder else None)
        with self._store.begin(durable=True) as tx:
            tx.append(self._draft(scope, Action.FORM, made if gone else reason, Formed((new,))), (entry,))
            if gone:  # the reason stands with what names both, so that it goes with either
                tx.append(self._draft(scope, Action.CHANGE, reason, Changed(changes)))
                tx.append(self._draft(scope, Action.RELATE, reason, Related(edges)))
            self._retire(tx, scope, retired)
        return self.memory(new.id, scope)

    def _formed_alone(self, old: Memory) -> list[Memory]:
        """What says what a message said, and nothing else does."""
        if old.kind is not Kind.EPISODE:
            return []
        formed = self._store.made_from(old.scope, old.id)
        alone = [one for one in formed if set(one.sources) == {old.id} and not is_protected(one)]
        return [one for one in alone if one.standing.state is not State.SUPERSEDED]

    def undo_event(self, event: int | str, scope: Scope) -> UndoReport:
        """Take one event back: a forgetting, a correction, feedback, a pin or protection, a waking, an edge.

        What belongs to one call goes together: with a forgotten message what was formed of it, with a correction all
        three of its events. ``event`` is its number in the journal. An undoing is an event, too, and can be taken back.

        Raises:
            NotFound: there is no such event in this scope.
            InvalidInput: nothing of its kind can be taken back; ``mend`` says what to do instead.
            Conflict: a later event stands on it, which is named; or its content was erased.
        """
        from reverie.engine.taking_back import EventUndoing

        with self._line("undo", scope, f"event {event}") as line, self._lock:
            undoing = EventUndoing(self._store, self._event(event, scope))
            undoing.plan()
            why = f"event {undoing.event.seq} taken back"
            with self._store.begin(durable=True) as tx:
                for action, payload, entries in undoing.planned:
                    tx.append(self._draft(scope, action, why, payload), entries)
            line.did(why, undoing.changed + undoing.unmade + undoing.unrelated)
        self._embed_again(scope, undoing.reworded)
        return undoing.report()

    def _event(self, number: int | str, scope: Scope) -> Event:
        text = str(number)
        if isinstance(number, bool) or not text.isascii() or not text.isdecimal():
            raise InvalidInput(f"{number!r} is no event.", "Give its number, as history shows it.")
        seq = int(text)
        found = next(self._store.events(scope, after=seq - 1), None) if 0 < seq < 2**63 else None
        if found is None or found.seq != seq:
            raise NotFound(f"There is no event {seq} in scope {scope}.", "Look it up with history.")
        return found
