"""How table and file come together: what happened there comes in, what happened here goes out, in one transaction.

The base of the store: it meets when it is told to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import ModelError, StoreError
from reverie.events import Action
from reverie.ports import Transaction
from reverie.stores.lance import versions
from reverie.stores.lance.marks import Marks
from reverie.stores.lance.meeting import Meeting
from reverie.stores.lance.reception import Reception
from reverie.stores.lance.rows import Row, row_id
from reverie.stores.lance.table import Table
from reverie.stores.lance.taking_in import TakingIn, Vectors
from reverie.stores.lance.vectors import FEW, TableVectors
from reverie.stores.lance.writing_out import WritingOut
from reverie.stores.sqlite import journal, reading
from reverie.stores.sqlite.store import SqliteStore
from reverie.stores.touching import touched
from reverie.types import FloatArray, Kind, Memory, ModelInfo, Scope

FILE = "reverie.db"
NEWS = frozenset({Action.FORM, Action.CHANGE, Action.FORGET, Action.ERASE})
"""What the table is told at once. Accesses go along with the next of these: each would cost a version of the table."""
_PENDING = frozenset({Action.FORM, Action.CHANGE, Action.FORGET, Action.RECALL})


@dataclass(frozen=True, slots=True)
class _Look:
    """The table as of one version."""

    version: int = 0
    rows: tuple[Row, ...] = ()


class MeetingStore(SqliteStore):
    """The file beside the table, and how the two are brought together."""

    def __init__(
        self, folder: Path, reception: Reception, *, create: bool, busy_timeout_s: float, state: Path | None
    ) -> None:
        super().__init__(folder / FILE, create=create, busy_timeout_s=busy_timeout_s, state=state)
        self._folder = folder
        self._reception = reception
        self._table: Table | None = None
        self._marks = Marks(self._connection)
        self._vectors = TableVectors(self._connection, self._marks)
        self._seen: versions.Version | None = None

    @property
    def home(self) -> Scope:
        """Whose the table is: user and project of all of it, the agent of what names none."""
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
        """Bring both sides together, if either has anything new. What came in is kept, even where writing out fails."""
        latest = versions.latest(self._folder)
        rests = latest is None or latest == self._marks.version
        if rests and not self._has_news():
            self._seen = latest
            return
        table = self._open_table()
        if table is None and self._marks.version is not None:  # gone: what is here stays, until there is one again
            self._seen = latest
            return
        if table is not None and not self._is_known():
            with self._changing():
                self._marks.start_over()
        look = _Look() if table is None or rests else _Look(table.latest(), tuple(table.scan()))
        vectors = {} if table is None else self._learnt(table, look.rows)
        fault: StoreError | None = None
        moved = False
        with super().begin(durable=True) as tx:
            meeting = self._meeting(tx, table)
            pending = self._pending(meeting)
            now = 0 if table is None else table.latest()
            if table is not None and not self._is_at(now):
                moved = now != look.version
                TakingIn(meeting, vectors, pending).run(table.scan() if moved else look.rows)
                self._marks.version = versions.Version(now, "")
            try:
                self._write_out(meeting, table, pending)
            except StoreError as error:
                fault = error
        self._seen = self._marks.version
        if moved and table is not None:
            self._catch_up(table)
        if fault is not None:
            raise fault

    def _learnt(self, table: Table, rows: Sequence[Row]) -> Vectors:
        """The vectors of what is new there, made before the file is locked: a model may take its time."""
        same = self._vectors.told(table, rows, self._reception)
        if same is not None and self._reception.embedder is not None:
            self._judge(table, self._reception.embedder.info, same=same)
        return self._vectors.prepared(table, rows, self._reception)

    def _catch_up(self, table: Table) -> None:
        """Vectors for the few rows that came between our look and our lock."""
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
        """Whether the table is the one we met last, and has not gone back."""
        version = self._marks.version
        return version is None or versions.is_followed(self._folder, version)

    def _is_at(self, number: int) -> bool:
        version = self._marks.version
        return version is not None and version.number == number

    def _has_news(self) -> bool:
        """Whether anything happened here that the table is to be told."""
        asked = ", ".join(f"'{action.value}'" for action in sorted(NEWS))
        query = f"SELECT 1 FROM event WHERE seq > ? AND action IN ({asked}) LIMIT 1"
        return self._connection.row(query, (self._marks.seq,)) is not None

    def _has_erased(self) -> bool:
        query = "SELECT 1 FROM event WHERE seq > ? AND action = 'erase' LIMIT 1"
        return self._connection.row(query, (self._marks.seq,)) is not None

    def _meeting(self, tx: Transaction, table: Table | None) -> Meeting:
        names_agents = table is None or table.names_agents
        now = self._reception.clock.now()
        return Meeting(tx, self._connection, self._marks, self._reception, self.home, names_agents, now)

    def _pending(self, meeting: Meeting) -> dict[str, Memory]:
        """What was formed, changed, let go or recalled here since the last meeting, by the rows it is to have."""
        names: dict[Scope, dict[str, None]] = {}
        for event in self.events(after=self._marks.seq, actions=_PENDING):
            if meeting.shows(event.scope):
                names.setdefault(event.scope, {}).update(dict.fromkeys(touched(event.payload)))
        pending: dict[str, Memory] = {}
        for scope, wanted in names.items():
            number = meeting.number(scope)
            found = reading.named(self._connection, number, list(wanted))
            formed = [key for key, kind in found.values() if kind != Kind.EPISODE.value]
            for memory in reading.by_keys(self._connection, scope, formed):
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
            if self._has_erased():
                table.purge()
            after, last = table.latest(), versions.latest(self._folder)
            # Somebody else wrote in between where the count does not agree: then the next look is for that.
            if last is not None and before is not None and after == last.number == before.number + written:
                marks.version = last
        marks.note("seq", str(journal.head(self._connection)[0]))

    def _compare(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Find out whose the table's vectors are, where that is not known, and go on with what waited for it."""
        table = self._open_table()
        if table is not None and model.key not in self._marks.models:
            same = self._vectors.compared(table, model, rows)
            if same is not None:
                self._judge(table, model, same=same)
        if self._marks.waiting() and (table is not None or self._marks.version is None):
            with super().begin(durable=True) as tx:
                meeting = self._meeting(tx, table)
                self._write_out(meeting, table, self._pending(meeting))
            self._seen = self._marks.version

    def _judge(self, table: Table, model: ModelInfo, *, same: bool) -> None:
        with self._changing():
            self._marks.judge(model.key, same=same)
            if not same and self._marks.told("wrote") == model.key:
                table.delete(self._marks.take_back())  # ours were the first rows; the table's own are of another model
        if same:
            for found in self._vectors.fill(table, model):
                super().put_vectors(model, found)
