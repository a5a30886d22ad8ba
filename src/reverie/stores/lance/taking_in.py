"""Their side first: rows that are new, say something else, or are gone become events of ours.

Nothing is lost by it: what a row said before stays in the journal, and what is gone is forgotten, not deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from reverie.events import Action, Changed, Forgotten, Formed, difference
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.stores.lance.marks import Mark
from reverie.stores.lance.meeting import ACTOR, Meeting
from reverie.stores.lance.rows import (
    Row,
    category_of,
    clean,
    from_ms,
    is_shown,
    kind_of,
    own_mark,
    scope_of,
    words_mark,
)
from reverie.types import FloatArray, Memory, ModelInfo, Role, Scope, Standing, State

Vectors: TypeAlias = Mapping[str, tuple[FloatArray, ModelInfo]]
"""Row → the vector of its text, and whose."""

_STATES = {state.value: state for state in (State.FADING, State.DORMANT)}
_CAME = "stored in OpenClaw's table"
_SAID = "changed in OpenClaw's table"
_WENT = "deleted in OpenClaw's table"


class TakingIn:
    """One look at the table; ``pending`` are memories of ours by the rows they are to have."""

    def __init__(self, meeting: Meeting, vectors: Vectors, pending: Mapping[str, Memory]) -> None:
        self._meeting = meeting
        self._vectors = vectors
        self._pending = pending

    def run(self, rows: Sequence[Row]) -> None:
        """Follow what happened there since both sides last met."""
        marks = self._meeting.marks
        said = marks.theirs()
        for row in rows:
            before = said.pop(row.id, None)
            if before == row.mark:
                continue
            mark = None if before is None else marks.at(row.id)
            if mark is None:
                self._new(row)
            elif mark.theirs == "":  # written by us, and then the light went out before it was noted
                marks.put(replace(mark, theirs=row.mark))
            else:
                self._changed(row, mark)
        for gone in (name for name, before in said.items() if before):
            if (mark := marks.at(gone)) is not None:
                self._gone(mark)

    def _new(self, row: Row) -> None:
        ours = self._pending.get(row.id)
        if ours is not None:  # as above: both words are told to the table once more
            self._link(row, ours, Mark(row.id, 0, ours.id, True, "", "", row.mark, True))
            return
        scope = scope_of(row, self._meeting.home)
        if scope is None or not row.text.strip():
            return
        known = self._meeting.memory(scope, row.id)
        if known is not None:
            self._link(row, known, Mark(row.id, 0, known.id, False, "", "", row.mark))
        else:
            self._receive(row, scope)

    def _link(self, row: Row, memory: Memory, mark: Mark) -> None:
        number = self._meeting.number(memory.scope)
        mark = replace(mark, scope=number)
        if clean(memory.text) == row.text:
            mark = replace(mark, words=words_mark(memory.text), ours=own_mark(memory))
        self._meeting.marks.put(mark)

    def _receive(self, row: Row, scope: Scope) -> None:
        meeting = self._meeting
        memory = self._made(row, scope)
        vector, model = self._vectors.get(row.id, (None, None))
        entry = meeting.reception.index(memory, vector, model)
        meeting.tx.append(meeting.draft(scope, Action.FORM, _CAME, Formed((memory,))), (entry,))
        number = meeting.number(scope)
        meeting.marks.put(Mark(row.id, number, memory.id, False, words_mark(memory.text), own_mark(memory), row.mark))

    def _made(self, row: Row, scope: Scope) -> Memory:
        text, held = self._meeting.reception.screened(row.text)
        now = self._meeting.now
        at = min(from_ms(row.created_ms) or now, now)
        entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
        return Memory(
            id=row.id,
            scope=scope,
            kind=kind_of(row.category),
            text=text,
            at=at,
            recorded_at=now,
            session=ACTOR,
            seq=0,
            speaker=ACTOR,  # who said it, nobody noted: it is not taken for the user's own word
            role=Role.PERSON,
            entities=entities,
            keywords=words,
            accesses=1 if row.accesses is None else max(0, int(row.accesses)),
            last_access=min(from_ms(row.last_ms) or at, now),
            standing=Standing(
                importance=_share(row.importance),
                stability_days=row.stability if row.stability is not None and row.stability > 0 else 1.0,
                state=State.QUARANTINED if held else _STATES.get(row.state or "", State.ACTIVE),
                tags=(held,) if held else (*entities, *words),
                write_source=ACTOR,
                data_source=ACTOR,
            ),
        )

    def _changed(self, row: Row, mark: Mark) -> None:
        meeting = self._meeting
        scope = meeting.scope(mark.scope)
        before = meeting.memory(scope, mark.memory)
        if before is None:  # erased here: the row follows
            return
        if before.standing.immutable:
            meeting.marks.put(replace(mark, theirs=row.mark, words="", ours="", waits=True))
            return
        after = self._reworded(before, row)
        if category_of(before.kind, row.category) != row.category:
            after = replace(after, kind=kind_of(row.category))
        after = replace(after, standing=replace(after.standing, importance=_share(row.importance)))
        change = difference(before, after, _SAID)
        if change.fields:
            entries = (meeting.reception.index(after),) if change.rewords else ()
            meeting.tx.append(meeting.draft(scope, Action.CHANGE, _SAID, Changed((change,))), entries)
        told = replace(mark, theirs=row.mark, words=words_mark(after.text), ours=own_mark(after), waits=False)
        meeting.marks.put(told)

    def _reworded(self, before: Memory, row: Row) -> Memory:
        text, held = self._meeting.reception.screened(row.text)
        if row.text == clean(before.text) or text == before.text:
            return before
        entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
        after = replace(before, text=text, entities=entities, keywords=words)
        return (
            replace(after, standing=replace(after.standing, state=State.QUARANTINED, tags=(held,))) if held else after
        )

    def _gone(self, mark: Mark) -> None:
        meeting = self._meeting
        scope = meeting.scope(mark.scope)
        memory = meeting.memory(scope, mark.memory)
        if memory is not None and (memory.standing.pinned or memory.standing.immutable):
            meeting.marks.put(replace(mark, theirs="", waits=True))  # nothing forgets it: it is written again
            return
        if memory is not None and is_shown(memory, meeting.now):
            gone = Forgotten(memory.id, memory.valid_until, meeting.now)
            meeting.tx.append(meeting.draft(scope, Action.FORGET, _WENT, gone))
        meeting.marks.drop(mark.row)


def _share(number: float) -> float:
    """A number from 0 to 1; .5 for what is none."""
    return min(1.0, max(0.0, number)) if number == number else 0.5
