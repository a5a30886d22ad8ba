"""Synchronise OpenClaw's table with the store's file, both ways in one transaction.

Vectors are exchanged too if both sides use the same model; as nothing records this, vectors of the same texts are
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TypeAlias

import numpy as np

from reverie.errors import ModelError, StoreError
from reverie.events import Action, Changed, Forgotten, Formed, difference
from reverie.formulas.centring import unit
from reverie.language.names.named_entities import named
from reverie.language.text.analyzer import keywords
from reverie.ports import Transaction
from reverie.stores.drafts import touched
from reverie.stores.lance import table as versions
from reverie.stores.lance.sync_state import ACTOR, Meeting, Reception, SyncMark, SyncMarks
from reverie.stores.lance.table import (
    Table,
    TableRow,
    TableWrite,
    category_of,
    clean,
    from_ms,
    is_shown,
    kind_of,
    own_mark,
    row_id,
    row_of,
    scope_of,
    words_mark,
)
from reverie.stores.sqlite import journal, reads, writes
from reverie.stores.sqlite.connection import Connection, string
from reverie.stores.sqlite.store import SqliteStore
from reverie.stores.vectors import unpack
from reverie.types import FloatArray, Kind, Memory, ModelInfo, Role, Scope, Standing, State

SAME_FROM = 0.95
"""Least cosine of two vectors of one text by the same model: near 1, and about 0 for different models."""
SAMPLE = 16
"""So many texts are compared, each by the table's vector and ours."""


def same(pairs: Sequence[tuple[FloatArray, FloatArray]]) -> bool | None:
    """Whether pairs of vectors, each of one text, are by the same model; None if no pair can be compared."""
    cosines = [
        float(unit(one) @ unit(other))
        for one, other in pairs[:SAMPLE]
        if one.shape == other.shape and one.any() and other.any()
    ]
    return median(cosines) >= SAME_FROM if cosines else None


Vectors: TypeAlias = Mapping[str, tuple[FloatArray, ModelInfo]]
"""Row id → the vector of its text, and the vector's model."""

_STATES = {state.value: state for state in (State.FADING, State.DORMANT)}
_CAME = "stored in OpenClaw's table"
_SAID = "changed in OpenClaw's table"
_WENT = "deleted in OpenClaw's table"


class TakingIn:
    """Applies the table's changes to the store; ``pending``: memories still to be written, by their row ids."""

    def __init__(self, meeting: Meeting, vectors: Vectors, pending: Mapping[str, Memory]) -> None:
        self._meeting = meeting
        self._vectors = vectors
        self._pending = pending

    def run(self, rows: Sequence[TableRow]) -> None:
        """Apply what changed in the table since the last synchronisation."""
        marks = self._meeting.marks
        said = marks.theirs()
        for row in rows:
            before = said.pop(row.id, None)
            if before == row.mark:
                continue
            mark = None if before is None else marks.at(row.id)
            if mark is None:
                self._new(row)
            elif mark.theirs == "":  # written by us, but the process ended before it was recorded
                marks.put(replace(mark, theirs=row.mark))
            else:
                self._changed(row, mark)
        for gone in (name for name, before in said.items() if before):
            if (mark := marks.at(gone)) is not None:
                self._gone(mark)

    def _new(self, row: TableRow) -> None:
        ours = self._pending.get(row.id)
        if ours is not None:  # as above; the row is written again
            self._link(row, ours, SyncMark(row.id, 0, ours.id, True, "", "", row.mark, True))
            return
        scope = scope_of(row, self._meeting.home)
        if scope is None or not row.text.strip():
            return
        known = self._meeting.memory(scope, row.id)
        if known is not None:
            self._link(row, known, SyncMark(row.id, 0, known.id, False, "", "", row.mark))
        else:
            self._receive(row, scope)

    def _link(self, row: TableRow, memory: Memory, mark: SyncMark) -> None:
        number = self._meeting.number(memory.scope)
        mark = replace(mark, scope=number)
        if clean(memory.text) == row.text:
            mark = replace(mark, words=words_mark(memory.text), ours=own_mark(memory))
        self._meeting.marks.put(mark)

    def _receive(self, row: TableRow, scope: Scope) -> None:
        meeting = self._meeting
        memory = self._made(row, scope)
        vector, model = self._vectors.get(row.id, (None, None))
        entry = meeting.reception.index(memory, vector, model)
        meeting.tx.append(meeting.draft(scope, Action.FORM, _CAME, Formed((memory,))), (entry,))
        number = meeting.number(scope)
        meeting.marks.put(
            SyncMark(row.id, number, memory.id, False, words_mark(memory.text), own_mark(memory), row.mark)
        )

    def _made(self, row: TableRow, scope: Scope) -> Memory:
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
            speaker=ACTOR,  # the table does not say who spoke, so it does not count as the user's own words
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

    def _changed(self, row: TableRow, mark: SyncMark) -> None:
        meeting = self._meeting
        scope = meeting.scope(mark.scope)
        before = meeting.memory(scope, mark.memory)
        if before is None:  # erased in the store: the row will be deleted
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

    def _reworded(self, before: Memory, row: TableRow) -> Memory:
        text, held = self._meeting.reception.screened(row.text)
        if row.text == clean(before.text) or text == before.text:
            return before
        entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
        after = replace(before, text=text, entities=entities, keywords=words)
        return (
            replace(after, standing=replace(after.standing, state=State.QUARANTINED, tags=(held,))) if held else after
        )

    def _gone(self, mark: SyncMark) -> None:
        meeting = self._meeting
        scope = meeting.scope(mark.scope)
        memory = meeting.memory(scope, mark.memory)
        if memory is not None and (memory.standing.pinned or memory.standing.immutable):
            meeting.marks.put(replace(mark, theirs="", waits=True))  # it may not be forgotten, so it is written again
            return
        if memory is not None and is_shown(memory, meeting.now):
            gone = Forgotten(memory.id, memory.valid_until, meeting.now)
            meeting.tx.append(meeting.draft(scope, Action.FORGET, _WENT, gone))
        meeting.marks.drop(mark.row)


def _share(number: float) -> float:
    """Limit a number to 0 … 1; NaN becomes 0.5."""
    return min(1.0, max(0.0, number)) if number == number else 0.5


Embedded: TypeAlias = Callable[[Memory], FloatArray | None]
"""Function that returns a memory's vector of the table's model, None if there is none yet."""


@dataclass(slots=True)
class Orders:
    """Changes to be made in the table, and the marks to be stored when they were made."""

    added: list[TableWrite] = field(default_factory=list)
    updated: list[TableWrite] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    marks: list[SyncMark] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many rows of the table are added, updated or deleted."""
        return len(self.added) + len(self.updated) + len(self.deleted)

    def carry_out(self, table: Table) -> int:
        """Write additions, updates, then deletions: a crash then loses no row. Return how many versions that made."""
        widened = table.widen() if self.added or self.updated else 0
        return widened + table.add(self.added) + table.update(self.updated) + table.delete(self.deleted)

    def note(self, marks: SyncMarks) -> None:
        """Store the marks of the rows that were written, and delete those of rows that were deleted."""
        for mark in self.marks:
            marks.put(mark)
        for row in self.dropped:
            marks.drop(row)


class WritingOut:
    """Collects the store's changes for the table; ``rows``: its rows by id, ``embedded``: vectors of its model."""

    def __init__(self, meeting: Meeting, rows: Mapping[str, TableRow], embedded: Embedded) -> None:
        self._meeting = meeting
        self._rows = rows
        self._embedded = embedded
        self._orders = Orders()

    def run(self, pending: Mapping[str, Memory]) -> Orders:
        """Return the changes for these memories, for those that wait, and for those that no longer exist."""
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

    def _order(self, memory: Memory, mark: SyncMark | None) -> None:
        if not is_shown(memory, self._meeting.now):
            # A memory in quarantine here stays in the table as it came: the table is its owner's.
            if mark is not None and memory.standing.state is not State.QUARANTINED:
                self._drop(mark)
            return
        mark = mark or SyncMark(row_id(memory), self._meeting.number(memory.scope), memory.id, True, "", "", "")
        if mark.ours != own_mark(memory) or not mark.theirs:
            self._write(memory, mark)
        elif mark.waits:
            self._orders.marks.append(replace(mark, waits=False))

    def _write(self, memory: Memory, mark: SyncMark) -> None:
        before = self._rows.get(mark.row) if mark.theirs else None
        words = words_mark(memory.text)
        if mark.theirs and before is None:
            return  # deleted in the table meanwhile, which the next synchronisation applies
        row = row_of(memory, mark.row, before)
        vector = None
        if before is None or mark.words != words:
            vector = self._embedded(memory)
            if vector is None:
                self._orders.marks.append(replace(mark, waits=True))
                return
        else:
            assert before is not None
            row = replace(row, text=before.text)  # ours may be masked; the row's own text is kept
        (self._orders.added if before is None else self._orders.updated).append(TableWrite(row, vector))
        told = replace(mark, words=words, ours=own_mark(memory), theirs=row.mark, waits=False)
        self._orders.marks.append(told)

    def _drop(self, mark: SyncMark) -> None:
        if mark.theirs:
            self._orders.deleted.append(mark.row)
        self._orders.dropped.append(mark.row)


FEW = 64
"""Most new rows that are embedded at once; if there are more, they are embedded later."""
_BATCH = 512
_MODELS = """
SELECT id, key, name, revision, dims FROM model
WHERE EXISTS (SELECT 1 FROM coverage WHERE model = id AND count > 0) ORDER BY id DESC
"""
_LACKING = """
SELECT r.row, r.scope, r.memory FROM lance_row r JOIN memory m ON m.scope = r.scope AND m.id = r.memory
WHERE NOT r.own AND r.theirs <> '' AND NOT EXISTS (SELECT 1 FROM vector WHERE key = ? + m.key) ORDER BY r.row
"""


def _is_whole(row: TableRow, reception: Reception) -> bool:
    """Whether a row has text, and the screen masks nothing of it."""
    return bool(row.text.strip()) and reception.screened(row.text)[0] == row.text


def _theirs(table: Table, model: ModelInfo, rows: Sequence[TableRow], texts: Sequence[str]) -> Vectors:
    """Return the table's own vectors of rows whose text the screen leaves unchanged."""
    whole = [row.id for row, text in zip(rows, texts, strict=True) if row.text == text]
    return {name: (unit(vector), model) for name, vector in table.vectors(whole).items()}


class TableVectors:
    """Finds out which model made the table's vectors, and exchanges vectors with it."""

    def __init__(self, connection: Connection, marks: SyncMarks) -> None:
        self._connection = connection
        self._marks = marks

    def writable(self, dims: int | None) -> list[tuple[int, ModelInfo]]:
        """Return the models (with numbers) whose vectors may be written to a table of ``dims`` dimensions (None: new).

        These are the table's models if known. Without any row by OpenClaw it is the latest model that fits: whoever set
        it meant it for this table, and the first row by OpenClaw will confirm or refute it.
        """
        verdicts = self._marks.models
        known = [(row[0], ModelInfo(row[2], row[3], row[4])) for row in self._connection.rows(_MODELS)]
        if proven := [one for one in known if verdicts.get(one[1].key)]:
            return proven
        if self._marks.received():
            return []
        return [one for one in known if dims in (None, one[1].dims) and one[1].key not in verdicts][:1]

    def of(self, memory: Memory, models: Sequence[tuple[int, ModelInfo]]) -> FloatArray | None:
        """Return a memory's vector of the first of these models that has one; None if there is none."""
        scope = writes.scope_id(self._connection, memory.scope)
        key = None if scope is None else reads.key_of(self._connection, scope, memory.id)
        if key is None:
            return None
        for number, model in models:
            row = self._connection.row("SELECT data FROM vector WHERE key = ?", (reads.vector_base(number) + key,))
            if row is not None:
                found: FloatArray = unit(unpack(row[0], model.dims)[0].astype(np.float32))
                if found.any():
                    return found
        return None

    def told(self, table: Table, rows: Sequence[TableRow], reception: Reception) -> bool | None:
        """Whether the table's vectors are the embedder's, by a sample of rows; None: known already, or undecided."""
        embedder = reception.embedder
        if embedder is None:
            return None
        try:
            model = embedder.info
            if model.key in self._marks.models:
                return None
            if model.dims != table.dims:
                return False
            sample = [row for row in rows if _is_whole(row, reception)][:SAMPLE]
            theirs = table.vectors([row.id for row in sample])
            ours = embedder.embed_passages([row.text for row in sample]) if theirs else ()
        except ModelError:
            return None
        return same([(vector, theirs[row.id]) for row, vector in zip(sample, ours, strict=False) if row.id in theirs])

    def prepared(self, table: Table, rows: Sequence[TableRow], reception: Reception) -> Vectors:
        """Return vectors of new rows: the table's own if they are of our model, else newly made if the rows are few."""
        embedder = reception.embedder
        if embedder is None or not rows:
            return {}
        known = self._marks.theirs()
        new = [row for row in rows if row.id not in known and row.text.strip()]
        if not new:
            return {}
        texts = [reception.screened(row.text)[0] for row in new]
        try:
            model = embedder.info
            if self._marks.models.get(model.key):
                return _theirs(table, model, new, texts)
            made = embedder.embed_passages(texts) if len(new) <= FEW else ()
        except ModelError as error:
            reception.unembedded(error)
            return {}  # found by text until they are embedded later
        return {row.id: (vector, model) for row, vector in zip(new, made, strict=False)}

    def compared(self, table: Table, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> bool | None:
        """Whether the table's vectors are this model's, by rows just embedded; None: undecided."""
        if model.dims != table.dims:
            return False
        numbers = {scope: number for number, scope in reads.scopes(self._connection).items()}
        ours: dict[str, FloatArray] = {}
        for scope, name, vector in rows:
            mark = self._marks.of(numbers.get(scope, 0), name)
            if mark is not None and not mark.own and mark.theirs and not mark.waits and np.any(vector):
                ours[mark.row] = vector
        theirs = table.vectors(list(islice(ours, SAMPLE)))
        return same([(ours[name], vector) for name, vector in theirs.items()])

    def fill(self, table: Table, model: ModelInfo) -> Iterator[list[tuple[Scope, str, FloatArray]]]:
        """Yield the table's vectors of memories from it that lack a vector of this model, some hundred at a time."""
        scopes = reads.scopes(self._connection)
        number = writes.model_id(self._connection, model)
        found = iter(self._connection.rows(_LACKING, (reads.vector_base(number),)))
        while rows := list(islice(found, _BATCH)):
            theirs = table.vectors([row for row, _, _ in rows])
            yield [
                (scopes[scope], string(memory), unit(theirs[row]))
                for row, scope, memory in rows
                if row in theirs and theirs[row].shape == (model.dims,)
            ]


FILE = "reverie.db"
NEWS = frozenset({Action.FORM, Action.CHANGE, Action.FORGET, Action.ERASE})
"""Actions written to the table at once. Accesses are written with the next of these, as each write makes a version."""
_PENDING = frozenset({Action.FORM, Action.CHANGE, Action.FORGET, Action.RECALL})


@dataclass(frozen=True, slots=True)
class _Look:
    """The table's rows at one version."""

    version: int = 0
    rows: tuple[TableRow, ...] = ()


class MeetingStore(SqliteStore):
    """An SQLite store beside OpenClaw's table that can synchronise itself with the table."""

    def __init__(
        self, folder: Path, reception: Reception, *, create: bool, busy_timeout_s: float, state: Path | None
    ) -> None:
        super().__init__(folder / FILE, create=create, busy_timeout_s=busy_timeout_s, state=state)
        self._folder = folder
        self._reception = reception
        self._table: Table | None = None
        self._marks = SyncMarks(self._connection)
        self._vectors = TableVectors(self._connection, self._marks)
        self._seen: versions.Version | None = None

    @property
    def home(self) -> Scope:
        """The table's owner: user and project of all rows, and the agent of rows that name none."""
        home = self._marks.home
        assert home is not None
        return home

    def _open_table(self) -> Table | None:
        if not versions.is_database(self._folder):
            self._table = None
        elif self._table is None or not self._is_known():
            self._table = Table.open(self._folder)
        return self._table

    def _meet(self) -> None:
        """Synchronise both sides if either has news; what came from the table is kept even if writing to it fails."""
        latest = versions.latest(self._folder)
        rests = latest is None or latest == self._marks.version
        if rests and not self._has_news():
            self._seen = latest
            return
        table = self._open_table()
        if table is None and self._marks.version is not None:  # gone: memories stay here until there is a new table
            self._seen = latest
            return
        look = _Look()
        vectors: Vectors = {}
        if table is not None:
            look = self._looked_at(table, rests=rests)
            vectors = self._learnt(table, look.rows)
        fault: StoreError | None = None
        with self.begin_anywhere(durable=True) as tx:
            meeting = self._meeting(tx, table)
            pending = self._pending(meeting)
            taking = TakingIn(meeting, vectors, pending)
            moved = table is not None and self._take_in(table, look, taking)
            try:
                self._write_out(meeting, table, pending)
            except StoreError as error:
                fault = error
        self._seen = self._marks.version
        if moved and table is not None:
            self._catch_up(table)
        if fault is not None:
            raise fault

    def _looked_at(self, table: Table, *, rests: bool) -> _Look:
        """Read the table if it has changed; start over if it is another table than before."""
        if not self._is_known():
            with self._changing():
                self._marks.start_over()
        return _Look() if rests else _Look(table.latest(), tuple(table.scan()))

    def _take_in(self, table: Table, look: _Look, taking: TakingIn) -> bool:
        """Apply the table's changes to the store; return whether the table has changed since it was read."""
        now = table.latest()
        if self._is_at(now):
            return False
        moved = now != look.version
        taking.run(table.scan() if moved else look.rows)
        self._marks.version = versions.Version(now, "")
        return moved

    def _learnt(self, table: Table, rows: Sequence[TableRow]) -> Vectors:
        """Return vectors of new rows, made before the file is locked, because a model may take long."""
        same = self._vectors.told(table, rows, self._reception)
        if same is not None and self._reception.embedder is not None:
            self._judge(table, self._reception.embedder.info, same=same)
        return self._vectors.prepared(table, rows, self._reception)

    def _catch_up(self, table: Table) -> None:
        """Embed the few rows that came between reading the table and locking the file."""
        embedder = self._reception.embedder
        if embedder is None:
            return
        try:
            model = embedder.info
            if self._marks.models.get(model.key):
                for found in self._vectors.fill(table, model):
                    super().put_vectors(model, found)
            late = super().unindexed(model, FEW)
            made = embedder.embed_passages([memory.text for memory in late])
            super().put_vectors(model, [(one.scope, one.id, row) for one, row in zip(late, made, strict=True)])
        except ModelError as error:
            self._reception.unembedded(error)

    def _is_known(self) -> bool:
        """Whether the table is the one last read, and not an older version of it."""
        version = self._marks.version
        return version is None or versions.is_followed(self._folder, version)

    def _is_at(self, number: int) -> bool:
        version = self._marks.version
        return version is not None and version.number == number

    def _has_news(self) -> bool:
        """Whether the journal has events that are to be written to the table."""
        asked = ", ".join(f"'{action.value}'" for action in sorted(NEWS))
        query = f"SELECT 1 FROM event WHERE position > ? AND action IN ({asked}) LIMIT 1"
        return self._connection.row(query, (self._marks.position,)) is not None

    def _has_erased(self) -> bool:
        query = "SELECT 1 FROM event WHERE position > ? AND action = 'erase' LIMIT 1"
        return self._connection.row(query, (self._marks.position,)) is not None

    def _meeting(self, tx: Transaction, table: Table | None) -> Meeting:
        names_agents = table is None or table.names_agents
        now = self._reception.clock.now()
        return Meeting(tx, self._connection, self._marks, self._reception, self.home, names_agents, now)

    def _pending(self, meeting: Meeting) -> dict[str, Memory]:
        """Return the memories formed, changed, forgotten or recalled since the last synchronisation, by row id."""
        names: dict[Scope, dict[str, None]] = {}
        for event in self.in_order(self._marks.position, _PENDING):
            if meeting.shows(event.scope):
                names.setdefault(event.scope, {}).update(dict.fromkeys(touched(event.payload)))
        pending: dict[str, Memory] = {}
        for scope, wanted in names.items():
            number = meeting.number(scope)
            found = reads.named(self._connection, number, list(wanted))
            formed = [key for key, kind in found.values() if kind != Kind.EPISODE.value]
            for memory in reads.by_keys(self._connection, scope, formed):
                mark = self._marks.of(number, memory.id)
                pending[mark.row if mark else row_id(memory)] = memory
        return pending

    def _write_out(self, meeting: Meeting, table: Table | None, pending: dict[str, Memory]) -> None:
        marks, before = self._marks, self._marks.version
        models = self._vectors.writable(None if table is None else table.dims)
        wanted = dict.fromkeys([*pending, *(mark.row for mark in marks.waiting())])
        there = [row for row in wanted if (mark := marks.at(row)) is not None and mark.theirs]
        stand = {} if table is None else {row.id: row for row in table.rows(there)}
        orders = WritingOut(meeting, stand, lambda memory: self._vectors.of(memory, models)).run(pending)
        written = 0
        if orders.count:
            if table is None:
                table = self._table = Table.create(self._folder, models[0][1].dims)
                marks.judge(models[0][1].key, same=True)
            written = orders.carry_out(table)
        orders.note(marks)
        if orders.added:
            marks.note("wrote", models[0][1].key)
        if table is not None:
            self._written(table, before, written)
        marks.note("seq", str(journal.last(self._connection)[0]))

    def _written(self, table: Table, before: versions.Version | None, written: int) -> None:
        """Record the table's version after ``written`` versions of ours; purge erased rows from older versions."""
        if self._has_erased():
            table.purge()
        after, last = table.latest(), versions.latest(self._folder)
        # If the count does not agree, somebody else wrote in between: the next synchronisation reads that.
        if last is not None and before is not None and after == last.number == before.number + written:
            self._marks.version = last

    def _compare(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Find out whether the table's vectors are of this model, if unknown, and write the rows that waited for it."""
        table = self._open_table()
        if table is not None and model.key not in self._marks.models:
            same = self._vectors.compared(table, model, rows)
            if same is not None:
                self._judge(table, model, same=same)
        if self._marks.waiting() and (table is not None or self._marks.version is None):
            with self.begin_anywhere(durable=True) as tx:
                meeting = self._meeting(tx, table)
                self._write_out(meeting, table, self._pending(meeting))
            self._seen = self._marks.version

    def _judge(self, table: Table, model: ModelInfo, *, same: bool) -> None:
        with self._changing():
            self._marks.judge(model.key, same=same)
            if not same and self._marks.told("wrote") == model.key:
                table.delete(self._marks.take_back())  # ours came first, and the table's own are of another model
        if same:
            for found in self._vectors.fill(table, model):
                super().put_vectors(model, found)
