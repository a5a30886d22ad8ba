"""Then our side: what was formed, changed, or let go here since both last met is written to the table.

A row needs a vector of the table's model. While there is none, the memory stands here alone and waits; what goes, goes
at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from reverie.stores.lance.marks import Mark, Marks
from reverie.stores.lance.meeting import Meeting
from reverie.stores.lance.rows import Row, is_shown, own_mark, row_id, row_of, words_mark
from reverie.stores.lance.table import Table, Written
from reverie.types import FloatArray, Memory, State

Embedded: TypeAlias = Callable[[Memory], FloatArray | None]
"""A memory's vector of the table's model, None while there is none."""


@dataclass(slots=True)
class Orders:
    """What is to be done to the table, and what is to be noted when it was done."""

    added: list[Written] = field(default_factory=list)
    updated: list[Written] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many rows are touched."""
        return len(self.added) + len(self.updated) + len(self.deleted)

    def carry_out(self, table: Table) -> int:
        """Write, in an order in which a crash leaves something twice rather than not at all; how many versions."""
        widened = table.widen() if self.added or self.updated else 0
        return widened + table.add(self.added) + table.update(self.updated) + table.delete(self.deleted)

    def note(self, marks: Marks) -> None:
        """Note what was agreed on."""
        for mark in self.marks:
            marks.put(mark)
        for row in self.dropped:
            marks.drop(row)


class WritingOut:
    """One look at our side; ``rows`` is how the table stands, ``embedded`` gives vectors of its model."""

    def __init__(self, meeting: Meeting, rows: Mapping[str, Row], embedded: Embedded) -> None:
        self._meeting = meeting
        self._rows = rows
        self._embedded = embedded
        self._orders = Orders()

    def run(self, pending: Mapping[str, Memory]) -> Orders:
        """What the table lacks of these memories, of those that wait, and of those that are no more."""
        meeting = self._meeting
        marks = meeting.marks
        known = {(memory.scope, memory.id) for memory in pending.values()}
        waiting = [(meeting.scope(mark.scope), mark.memory) for mark in marks.waiting()]
        for scope, memory_id in dict.fromkeys((*known, *waiting)):
            memory = meeting.memory(scope, memory_id)
            if memory is not None:
                self._order(memory, marks.of(meeting.number(scope), memory_id))
        for mark in marks.orphans():
            self._drop(mark)
        return self._orders

    def _order(self, memory: Memory, mark: Mark | None) -> None:
        if not is_shown(memory, self._meeting.now):
            # What is held back here may stand there as it came: the table is its owner's.
            if mark is not None and memory.standing.state is not State.QUARANTINED:
                self._drop(mark)
            return
        mark = mark or Mark(row_id(memory), self._meeting.number(memory.scope), memory.id, True, "", "", "")
        if mark.ours != own_mark(memory) or not mark.theirs:
            self._write(memory, mark)
        elif mark.waits:
            self._orders.marks.append(replace(mark, waits=False))

    def _write(self, memory: Memory, mark: Mark) -> None:
        before = self._rows.get(mark.row) if mark.theirs else None
        words = words_mark(memory.text)
        if mark.theirs and before is None:
            return  # it was deleted there meanwhile, as the next meeting tells
        row = row_of(memory, mark.row, before)
        vector = None
        if before is None or mark.words != words:
            vector = self._embedded(memory)
            if vector is None:
                self._orders.marks.append(replace(mark, waits=True))
                return
        else:
            assert before is not None
            row = replace(row, text=before.text)  # ours may be masked; what stands there as it came, stays
        (self._orders.added if before is None else self._orders.updated).append(Written(row, vector))
        told = replace(mark, words=words, ours=own_mark(memory), theirs=row.mark, waits=False)
        self._orders.marks.append(told)

    def _drop(self, mark: Mark) -> None:
        if mark.theirs:
            self._orders.deleted.append(mark.row)
        self._orders.dropped.append(mark.row)
