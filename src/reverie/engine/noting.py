"""How somebody writes into the memory by hand: notes go in as they are, are amended, and what was let go comes back.

``observe`` forms memories of what is said; this is for what was written down as a memory already, a file of a vault
above all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from reverie.encode.accept import require_formed_kind, require_share
from reverie.engine.asking import require_flag, require_many, require_scope
from reverie.engine.base import require_mutable
from reverie.engine.callers import written_by
from reverie.engine.correcting import Correcting
from reverie.engine.tending import Tending
from reverie.engine.writing import IMPORT_BATCH
from reverie.errors import Conflict, InvalidInput
from reverie.events import Action, Formed
from reverie.types import FloatArray, Memory, Message, Scope, State

if TYPE_CHECKING:  # loaded by the first note
    from reverie.encode.note import Note
    from reverie.encode.pipeline import Prepared


class Noting(Correcting, Tending):
    """The part of the engine that a hand writes into."""

    def note(self, notes: Iterable[Note], scope: Scope, *, why: str = "noted") -> list[Memory]:
        """Keep each note as one memory, whole; nothing is formed, merged or passed over. The memories, in order.

        Secrets are masked first; a note that gives orders to a model goes into quarantine.

        Raises:
            InvalidInput: a note is blank, of a kind that is not formed, of a time without a zone, or its importance is
                no number from 0 to 1. The batches before it are kept.
        """
        require_scope(scope)
        require_many("notes", notes)
        incoming = iter(notes)
        kept: list[Memory] = []
        while batch := list(islice(incoming, IMPORT_BATCH)):
            said = [self._screened(_message(note)) for note in batch]
            vectors = self._vectors([one.message.text for one in said])
            kept += self._noted_down(list(zip(batch, said, vectors, strict=True)), scope, why)
            self._embed_later()
        return kept

    def _noted_down(
        self, batch: Sequence[tuple[Note, Prepared, FloatArray | None]], scope: Scope, why: str
    ) -> list[Memory]:
        from reverie.encode.correction import held_back
        from reverie.encode.index import index
        from reverie.encode.note import noted

        made: list[Memory] = []
        with self._lock, self._store.begin(durable=True) as tx:
            now = self._clock.now()
            for note, said, vector in batch:
                clean = replace(
                    note,
                    text=said.message.text,
                    at=said.message.at,
                    tags=tuple(map(self._masked, note.tags)),
                    writer=said.message.speaker if note.writer else "",
                )
                memory = written_by(noted(clean, self._ids.new_id(now), scope, now, self._recipe.encode))
                if said.quarantine:
                    memory = held_back(memory, said.quarantine)
                model = self._embedder.info if vector is not None and self._embedder else None
                tx.append(self._draft(scope, Action.FORM, why, Formed((memory,))), (index(memory, vector, model),))
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
        """Say how important a memory is, what it is tagged with, or whether it came true; its words stay.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the importance is no number from 0 to 1.
            Conflict: the memory is immutable.
        """
        from reverie.encode.note import with_tags

        with self._lock:
            memory = self.memory(memory_id, scope)
            require_mutable(memory)
            standing = memory.standing
            if importance is not None:
                standing = replace(standing, importance=require_share("importance", importance))
            if tags is not None:
                require_many("tags", tags)
                standing = replace(standing, tags=with_tags(standing.tags, tuple(map(self._masked, tags))))
            if verified is not None:
                standing = replace(standing, verified=require_flag("verified", verified))
            return self._changed(memory, replace(memory, standing=standing), why or "amended by hand")

    def reopen(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Let a memory that was forgotten, or sleeps, hold again from now on: active, without end, its last access now.

        Raises:
            NotFound: there is no such memory.
            Conflict: something took its place, or it is in quarantine.
        """
        with self._lock:
            memory = self.memory(memory_id, scope)
            if memory.standing.state is State.SUPERSEDED:
                raise Conflict(f"Memory {memory.id} is superseded.", "Note it again, or take the correction back.")
            if memory.standing.state is State.QUARANTINED:
                raise Conflict(f"Memory {memory.id} is in quarantine.", "Release it, or forget it.")
            now = self._clock.now()
            over = not memory.holds_at(now)
            if not over and memory.standing.state is State.ACTIVE:
                return memory
            awake = replace(memory.standing, state=State.ACTIVE)
            end = None if over else memory.valid_until
            after = replace(memory, valid_until=end, last_access=now, standing=awake)
            return self._changed(memory, after, why or "holds again")


def _message(note: Note) -> Message:
    """What the screen is to look at, and ``accept`` to check; a note's own values are checked here."""
    from reverie.encode.note import Note

    if not isinstance(note, Note):
        raise InvalidInput(f"A note is {type(note).__name__}.", "Give reverie.encode.note.Note values.")
    if not str(note.text).strip():
        raise InvalidInput("A note needs words.", "Say what is to be kept.")
    if note.importance is not None:
        require_share("importance", note.importance)
    require_formed_kind(note.kind)
    if not isinstance(note.tags, (tuple, list, set, frozenset)):
        raise InvalidInput(f"The tags are {note.tags!r}.", "Give them as a tuple of words.")
    return Message(note.text, at=note.at) if not note.writer else Message(note.text, note.writer, at=note.at)
